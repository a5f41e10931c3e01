import { type Static, type TSchema, Type } from "@sinclair/typebox";
import type { Belonging } from "../../db/owner";
import type { monitorStates, outages } from "../../db/schema";
import { isoTime, isoTimeOrNull } from "../../lib/time";
import {
  belongingFields,
  boolean,
  checkErrorCode,
  component,
  errorDetail,
  id,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  phases,
  text,
  time,
  type Unknown,
  unknownField,
} from "../../server/answers";
import { presentError, storedError } from "../../shared/check-error";
import type { Config } from "../../shared/monitor-kinds/field";
import type { Tag } from "../../shared/tags";
import { type ListedMaintenance, listedFields, presentListed } from "../alerting/maintenance/running";
import { type Mute, mutedField, presentMute } from "../alerting/mutes/service";
import { tagsField } from "../tags/service";
import { lastChecks, lastFailure, type RecentPacks, recentPacketLoss, type StoredCheck } from "./history/pack";
import { isMostlySlow } from "./history/slow";
import { type Share, uptimeField, watchedField } from "./history/uptime";
import { isInverted } from "./inverted/outcome";
import { maskedFor } from "./kinds/masks";
import { type FlatFields, KINDS, kindOf } from "./kinds/registry";
import type { StoredMonitor } from "./model";

type State = Pick<
  typeof monitorStates.$inferSelect,
  "status" | "slowBits" | "changedAt" | "responseTime" | "lastCheckedAt" | "certExpiresAt"
> &
  RecentPacks;
type OpenOutage = Pick<typeof outages.$inferSelect, "startedAt" | "errorCode" | "errorDetail">;
/** A monitor, its state, its open outage, its mute and its tags. Lists leave out the large fields of its config. */
export type MonitorRow = {
  monitor: StoredMonitor;
  state: State;
  outage: OpenOutage | null;
  mute: Mute | null;
  maintenance: ListedMaintenance;
  tags: Tag[];
  unknown: Unknown | null;
};

const UP_DOWN = ["up", "down"] as const;
const STATUSES = ["up", "degraded", "down", "pending", "paused"] as const;
export type MonitorStatus = (typeof STATUSES)[number];

export const statusField = oneOf(
  "The status; `paused` exactly when the monitor is not active. `degraded`: it is up, but three of its last five answers were slower than its limit, or lost more packets.",
  STATUSES,
);

/** The status of a monitor as it is shown. */
export const shownStatus = (
  active: boolean,
  { status, slowBits }: Pick<typeof monitorStates.$inferSelect, "status" | "slowBits">,
): MonitorStatus => {
  if (!active) return "paused";
  return status === "up" && isMostlySlow(slowBits) ? "degraded" : status;
};

const slowField = boolean(
  "Whether the response took longer than the monitor's limit, or lost more packets. It counts as up.",
  false,
);

const Outcome = component("Outcome", {
  id: integer("The check's id: its time in epoch milliseconds.", 1_768_479_600_000),
  monitor_id: id("The monitor's id.", 3),
  status: oneOf("The outcome.", UP_DOWN),
  slow: optional(slowField),
  timestamp: time("When the check started."),
});

/** The fields of each kind: in `config`, or beside the common fields. */
const kindFields = (): Record<string, TSchema> => {
  const flat = KINDS.filter((kind) => kind.flat).flatMap(({ config }) => Object.entries(config.properties));
  const nested = KINDS.filter((kind) => !kind.flat).map(({ config }) => config);
  return {
    ...Object.fromEntries(flat.map(([name, schema]) => [name, optional(schema)])),
    ...(nested.length > 0 && {
      config: optional(
        Type.Union(nested, {
          description: "The fields of its kind. Those of http stand beside the common fields instead.",
        }),
      ),
    }),
  };
};

/** The fields of a monitor that a user sets. */
const settings = {
  id: id("The monitor's id.", 3),
  name: text("Its name.", "Payments API"),
  kind: oneOf(
    "What kind of monitor it is.",
    KINDS.map(({ kind }) => kind),
  ),
  interval: integer("Seconds between checks.", 60),
  timeout: integer("Timeout of a request in seconds.", 30),
  retries: integer("How often a failed request is repeated within a check.", 1),
  retry_pause: integer("Seconds between a failed request and its retry.", 1),
  quick_recheck: boolean(
    "Whether it is checked every 15 seconds during the first 10 minutes of an outage, if its interval is longer.",
    true,
  ),
  active: boolean("Whether it is checked; false while it is paused.", true),
};
const commonFields = {
  ...settings,
  inverted: optional(boolean("True where a check that fails counts as up; otherwise absent, or false.", true)),
  ...belongingFields,
  target: text("What is checked: an address, or a host with its port.", "https://api.example.com/health"),
  status: statusField,
  unknown: unknownField,
  since: nullable(
    time(
      "When it became degraded or its outage began; without one, when it last went up or down. Null before the first check and while paused.",
    ),
  ),
  error_code: checkErrorCode(
    "Why its last check failed, or why it is degraded; null unless it is down or degraded.",
    null,
  ),
  error_detail: nullable(errorDetail(30, "seconds"), null),
  muted: mutedField,
  ...listedFields,
  tags: tagsField,
  response_time: nullable(number("Response time of the last check in milliseconds; null without a response.", 84.2)),
  packet_loss: nullable(
    number("Percentage of the packets that were lost in its last 40 checks; null for kinds that send none.", 1.7),
    null,
  ),
  uptime: uptimeField("30 days"),
  watched: watchedField("last 30 days"),
  last_checked: nullable(time("When it was last checked; null before the first check.")),
  cert_expires_at: nullable(
    time("When the certificate of an https address expires; null if unknown.", "2026-06-01T00:00:00.000Z"),
  ),
  created_at: time("When it was created."),
  updated_at: time("When it was last changed."),
  history: list(Outcome, "The latest outcomes, oldest first."),
};
const Common = object(commonFields);

export const monitorFields = { ...commonFields, ...kindFields() } as typeof commonFields;
/** A monitor in a list, without its large fields unless they were requested. */
export const ListedMonitor = component("ListedMonitor", monitorFields);
/** A monitor in an exported file. */
export const ExportedMonitor = object({
  ...settings,
  ...kindFields(),
  tags: optional(tagsField),
  ping_token: optional(text("The token in the ping URL of a heartbeat.", "0f6b1c6e5a8d4d0e9a3c2b1f7e6d5c4b")),
});

/** The fields of http stand beside the common fields; other kinds have `config`. */
type KindFields = FlatFields & { config?: Config };
export type PresentedSettings = Static<ReturnType<typeof object<typeof settings>>> & KindFields;
export type PresentedMonitor = Static<typeof Common> & KindFields;

/** Empty for a kind that only a newer instance knows, because its secrets are unknown. */
const presentConfig = (kind: string, config: Config): KindFields => {
  const kindEntry = kindOf(kind);
  if (!kindEntry) return { config: {} };
  return kindEntry.flat ? (config as object) : { config };
};

/** Presents the fields of a monitor that a user sets, as in calls and exports. */
export const presentSettings = ({ id, name, kind, config, ...schedule }: StoredMonitor): PresentedSettings => ({
  id,
  name,
  kind,
  ...presentConfig(kind, config),
  interval: schedule.interval,
  timeout: schedule.timeout,
  retries: schedule.retries,
  retry_pause: schedule.retryPause,
  quick_recheck: schedule.quickRecheck,
  active: schedule.active,
});

/** `reads`: the viewer may change nothing, and sees no secrets. */
export type SeenBy = { belonging: Belonging; reads?: boolean };

/** The fields of a monitor that every list shows. */
export const presentSummary = (
  { monitor, state, outage, mute, maintenance, tags, unknown }: MonitorRow,
  { uptime, watched }: Share,
  { belonging, reads = false }: SeenBy,
) => {
  const began = outage && storedError(outage);
  const error = outage && state.status === "down" ? (lastFailure(state) ?? began) : began;
  return {
    id: monitor.id,
    name: monitor.name,
    ...belonging,
    kind: monitor.kind,
    target: maskedFor({ reads, foreign: belonging.owner !== undefined }, monitor).target,
    active: monitor.active,
    ...(isInverted(monitor.config) && { inverted: true }),
    status: shownStatus(monitor.active, state),
    unknown,
    since: monitor.active ? isoTimeOrNull(outage?.startedAt ?? state.changedAt) : null,
    error_code: error?.code ?? null,
    error_detail: error?.detail ?? null,
    muted: presentMute(mute),
    ...presentListed(maintenance),
    tags,
    response_time: state.responseTime,
    uptime,
    watched,
    last_checked: isoTimeOrNull(state.lastCheckedAt),
    updated_at: isoTime(monitor.updatedAt),
  };
};

/** Presents a monitor with its last `history` checks, and its large fields only if the row has them. */
export const presentMonitor = (row: MonitorRow, share: Share, history: number, seenBy: SeenBy): PresentedMonitor => {
  const { monitor, state } = row;
  const { config } = maskedFor(
    { reads: seenBy.reads ?? false, foreign: seenBy.belonging.owner !== undefined },
    monitor,
  );
  return {
    ...presentSettings({ ...monitor, config }),
    ...presentSummary(row, share, seenBy),
    packet_loss: kindOf(monitor.kind)?.sendsPackets ? recentPacketLoss(state) : null,
    cert_expires_at: kindOf(monitor.kind)?.expires ? null : isoTimeOrNull(state.certExpiresAt),
    created_at: isoTime(monitor.createdAt),
    history: lastChecks(state, history).map(({ at, up, slow }) => ({
      id: at,
      monitor_id: monitor.id,
      status: up ? "up" : "down",
      ...(slow && { slow }),
      timestamp: isoTime(at),
    })),
  };
};

/** The error of a check as a code and its parameters. */
export const errorFields = {
  error_code: checkErrorCode("The cause, as a code that never changes.", null),
  error_detail: nullable(errorDetail(30, "seconds"), null),
};

export const Check = component("Check", {
  id: integer("Its time in epoch milliseconds: checks of one monitor never overlap.", 1_768_479_600_000),
  checked_at: time("When it started."),
  status: oneOf("The outcome.", UP_DOWN),
  slow: slowField,
  response_time: nullable(
    number("Milliseconds from before name resolution until the body was read; null without a response.", 84.2),
  ),
  packet_loss: nullable(
    number("Percentage of its packets that were lost; null for kinds that send none, and when none was sent.", 33.3),
    null,
  ),
  status_code: nullable(integer("The status code of the response; null without a response.", 200)),
  error: nullable(
    text(
      "Null when up; otherwise a sentence that begins with a fixed word: timeout, dns, refused, unreachable, reset, tls, redirects, blocked, invalid or status.",
      "",
    ),
    null,
  ),
  ...errorFields,
});

/** The percentage of the packets of a check that were lost; null for kinds that send none, and when none was sent. */
export const packetLossOf = (kind: string, { up, packetLoss }: Pick<StoredCheck, "up" | "packetLoss">) =>
  kindOf(kind)?.sendsPackets ? (packetLoss ?? (up ? 0 : null)) : null;

export const presentCheck = (kind: string, check: StoredCheck): Static<typeof Check> => ({
  id: check.checkedAt,
  checked_at: isoTime(check.checkedAt),
  status: check.up ? "up" : "down",
  slow: check.slow ?? false,
  response_time: check.responseTime,
  packet_loss: packetLossOf(kind, check),
  status_code: check.statusCode,
  ...presentError(check.error),
});

export const phasesField = Type.Union([phases, Type.Null()], {
  description: "Milliseconds of each part of the request; with redirects, their sums. Null for kinds without it.",
});
