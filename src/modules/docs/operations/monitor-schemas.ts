import { METHODS } from "../../../shared/limits";
import { flag, id, list, map, nullable, number, object, oneOf, ref, type Schema, text, time, whole } from "../schema";

const UP_DOWN = ["up", "down"] as const;
export const monitorStatus = oneOf("How it stands; `paused` exactly when it is not active.", [
  "up",
  "down",
  "pending",
  "paused",
]);
export const share = (of: string) => nullable(number(`${of}, 0 to 100; null before the first check.`, 99.93));

const monitor: Record<string, Schema> = {
  id: id("The monitor's id.", 3),
  name: text("Its name.", "Payments API"),
  owner: text(
    "The username of whom it belongs to. Only administrators see it, and only where it is somebody else's.",
    "bob",
  ),
  url: text("What is asked for.", "https://api.example.com/health"),
  method: oneOf("How.", METHODS),
  interval: whole("Seconds from one check to the next.", 60),
  timeout: whole("Seconds that an answer may take.", 30),
  expected_status: whole("The status that counts as up; 1 to 5 mean a whole class.", 200),
  headers: map(text("A header's value.", "Bearer …"), "Headers that are sent along, by name.", "Authorization"),
  body: text("What is sent with POST, PUT and PATCH.", ""),
  active: flag("Whether it is checked; false when it is paused.", true),
  status: monitorStatus,
  response_time: nullable(number("Milliseconds that the last answer took; null without one.", 84.2)),
  uptime: share("The share of up checks over the last 30 days"),
  last_checked: nullable(time("When it was checked last; null before the first check.")),
  retries: whole("How often a failing request is made again within one check.", 1),
  cert_expires_at: nullable(
    time("When the certificate of an https target expires; null when that is not known.", "2026-06-01T00:00:00.000Z"),
  ),
  created_at: time("When it was made."),
  updated_at: time("When it was changed last."),
  history: list(ref("Outcome"), "Its last outcomes, oldest first."),
};

/** How many monitors stand where. */
export const monitorCounts = object(
  Object.fromEntries(
    ["all", "up", "down", "pending", "paused"].map((status, index) => [
      status,
      whole(`How many: ${status}.`, [12, 10, 1, 0, 1][index]),
    ]),
  ),
);

export const monitorSchemas: Record<string, Schema> = {
  Outcome: object({
    id: whole("The check's id: its time in epoch milliseconds.", 1_768_479_600_000),
    monitor_id: id("The monitor's id.", 3),
    status: oneOf("What was found.", UP_DOWN),
    timestamp: time("When."),
  }),
  Check: object({
    id: whole("Its time in epoch milliseconds: checks of one monitor never overlap.", 1_768_479_600_000),
    checked_at: time("When it began."),
    status: oneOf("What was found.", UP_DOWN),
    response_time: nullable(
      number("Milliseconds from before name resolution until the body was read; null without an answer.", 84.2),
    ),
    status_code: nullable(whole("The status that was answered; null without an answer.", 200)),
    error: {
      ...nullable(
        text(
          "Null when up; else a sentence that begins with a word that stays the same: timeout, dns, refused, reset, tls, redirects, blocked, invalid or status.",
          "",
        ),
      ),
      examples: [null],
    },
  }),
  Uptimes: object(
    Object.fromEntries(["24h", "7d", "30d", "90d"].map((span) => [span, share(`Over the last ${span}`)])),
  ),
  Monitor: object(monitor, ["owner"]),
  ListedMonitor: object(monitor, ["owner", "headers", "body"]),
  MonitorDetail: object(
    {
      ...monitor,
      checks: list(ref("Check"), "Its last 50 checks, newest first."),
      uptimes: ref("Uptimes"),
    },
    ["owner"],
  ),
  SeriesPoint: object({
    t: whole("The beginning of its span, in epoch milliseconds.", 1_768_479_600_000),
    up: whole("Checks that found it up.", 5),
    down: whole("Checks that found it down.", 0),
    avg: nullable(number("Milliseconds on average; null without an answer.", 84.2)),
    min: nullable(number("The shortest.", 71.5)),
    max: nullable(number("The longest.", 120.9)),
  }),
};
