import type { Static } from "@sinclair/typebox";
import type { checks, monitorStates, monitors } from "../../db/schema";
import { isoTime } from "../../lib/time";
import {
  boolean,
  component,
  id,
  integer,
  list,
  nullable,
  number,
  oneOf,
  optional,
  record,
  text,
  time,
} from "../../server/answers";
import { METHODS, type Method } from "../../shared/limits";
import { unpackRecent } from "../../shared/recent";
import { uptimeField } from "./history/uptime";
import { maskSecrets } from "./masks";

type State = Pick<
  typeof monitorStates.$inferSelect,
  "status" | "responseTime" | "lastCheckedAt" | "certExpiresAt" | "recent"
>;
export type MonitorRow = { monitor: typeof monitors.$inferSelect; state: State };

const UP_DOWN = ["up", "down"] as const;
const STATUSES = ["up", "down", "pending", "paused"] as const;
export type MonitorStatus = (typeof STATUSES)[number];

export const statusField = oneOf("The status; `paused` exactly when the monitor is not active.", STATUSES);

const isoOrNull = (time: number | null) => (time === null ? null : isoTime(time));

/** A monitor as lists have it: without its headers and body, which may be large. */
type ListedMonitor = Omit<typeof monitors.$inferSelect, "headers" | "body">;
export type ListedRow = { monitor: ListedMonitor & Partial<MonitorRow["monitor"]>; state: State };

const Outcome = component("Outcome", {
  id: integer("The check's id: its time in epoch milliseconds.", 1_768_479_600_000),
  monitor_id: id("The monitor's id.", 3),
  status: oneOf("The outcome.", UP_DOWN),
  timestamp: time("When the check started."),
});

const large = {
  headers: record(text("A header's value.", "Bearer …"), "Headers of the request, by name.", {
    Authorization: "Bearer …",
  }),
  body: text("The request's body, sent with POST, PUT and PATCH.", ""),
};

const listedFields = {
  id: id("The monitor's id.", 3),
  name: text("Its name.", "Payments API"),
  owner: optional(text("The owner's username. Only administrators see it, of other users' monitors.", "bob")),
  url: text("The address that is requested.", "https://api.example.com/health"),
  method: oneOf("The request's method.", METHODS),
  interval: integer("Seconds between checks.", 60),
  timeout: integer("Timeout of a request in seconds.", 30),
  expected_status: integer("The status code that counts as up; 1 to 5 mean a whole class.", 200),
  headers: optional(large.headers),
  body: optional(large.body),
  active: boolean("Whether it is checked; false while it is paused.", true),
  status: statusField,
  response_time: nullable(number("Response time of the last check in milliseconds; null without a response.", 84.2)),
  uptime: uptimeField("30 days"),
  last_checked: nullable(time("When it was last checked; null before the first check.")),
  retries: integer("How often a failed request is repeated within a check.", 1),
  cert_expires_at: nullable(
    time("When the certificate of an https address expires; null if unknown.", "2026-06-01T00:00:00.000Z"),
  ),
  created_at: time("When it was created."),
  updated_at: time("When it was last changed."),
  history: list(Outcome, "The latest outcomes, oldest first."),
};
export const monitorFields = { ...listedFields, ...large };

/** A monitor in a list, whose headers and body are left out unless the call asks for them. */
export const ListedMonitor = component("ListedMonitor", listedFields);
export const Monitor = component("Monitor", monitorFields);

/**
 * A monitor as lists answer it; its headers and body are in it only where the row has them. `owner` is the owner's name,
 * unless that is the viewer. `reads`: the viewer is a read-only API key.
 */
export const presentListed = (
  { monitor: stored, state }: ListedRow,
  uptime: number | null,
  history: number,
  owner: string | undefined,
  reads = false,
): Static<typeof ListedMonitor> => {
  const monitor = maskSecrets(stored, { reads, foreign: owner !== undefined });
  return {
    id: monitor.id,
    name: monitor.name,
    ...(owner !== undefined && { owner }),
    url: monitor.url,
    method: monitor.method as Method,
    interval: monitor.interval,
    timeout: monitor.timeout,
    expected_status: monitor.expectedStatus,
    ...(monitor.headers !== undefined && { headers: monitor.headers, body: monitor.body ?? "" }),
    active: monitor.active,
    status: monitor.active ? state.status : "paused",
    response_time: state.responseTime,
    uptime,
    last_checked: isoOrNull(state.lastCheckedAt),
    retries: monitor.retries,
    cert_expires_at: isoOrNull(state.certExpiresAt),
    created_at: isoTime(monitor.createdAt),
    updated_at: isoTime(monitor.updatedAt),
    history: unpackRecent(state.recent, history).map(({ at, up }) => ({
      id: at,
      monitor_id: monitor.id,
      status: up ? "up" : "down",
      timestamp: isoTime(at),
    })),
  };
};

/** A monitor with its headers and body. */
export const presentMonitor = (
  row: MonitorRow,
  ...more: Rest<Parameters<typeof presentListed>>
): Static<typeof Monitor> => {
  const { headers = {}, body = "", ...shown } = presentListed(row, ...more);
  return { ...shown, headers, body };
};
type Rest<All extends unknown[]> = All extends [unknown, ...infer Others] ? Others : never;

type CheckRow = Pick<typeof checks.$inferSelect, "checkedAt" | "up" | "responseTime" | "statusCode" | "error">;

export const Check = component("Check", {
  id: integer("Its time in epoch milliseconds: checks of one monitor never overlap.", 1_768_479_600_000),
  checked_at: time("When it started."),
  status: oneOf("The outcome.", UP_DOWN),
  response_time: nullable(
    number("Milliseconds from before name resolution until the body was read; null without a response.", 84.2),
  ),
  status_code: nullable(integer("The status code of the response; null without a response.", 200)),
  error: nullable(
    text(
      "Null when up; otherwise a sentence that begins with a fixed word: timeout, dns, refused, reset, tls, redirects, blocked, invalid or status.",
      "",
    ),
    null,
  ),
});

export const presentCheck = (check: CheckRow): Static<typeof Check> => ({
  id: check.checkedAt,
  checked_at: isoTime(check.checkedAt),
  status: check.up ? "up" : "down",
  response_time: check.responseTime,
  status_code: check.statusCode,
  error: check.error,
});
