/** When and how patiently a monitor is checked: the fields of its body, and what does not fit together. */
import { t } from "elysia";
import type { Config } from "../../../core/config";
import type { FieldError } from "../../../core/errors";
import { field, whole } from "../../../server/schema";
import { LIMITS } from "../../../shared/limits";
import { fitRetries } from "../../../shared/monitor";

const intervalExpected = (shortest: string): string =>
  `expected a whole number from ${shortest} to ${LIMITS.intervalMax} seconds`;

/** An interval in seconds. `shortIntervalProblems` refuses what is below the hub's own minimum. */
export const intervalField = field(
  t.Integer({
    minimum: LIMITS.intervalMin,
    maximum: LIMITS.intervalMax,
    error: intervalExpected("the shortest interval, usually 60,"),
  }),
  "Seconds between checks: 60 to 86,400, or from MIN_INTERVAL on where the hub sets that. A shorter one than an hour is raised to that for domains.",
  60,
);

export const scheduleFields = {
  // Required by `intervalProblems`, unless the kind is passive.
  interval: t.Optional(intervalField),
  timeout: t.Optional(
    field(
      whole(1, LIMITS.timeoutMax, " seconds"),
      "Timeout of a request in seconds: 1 to 300, at most the interval; 30 by default.",
      30,
    ),
  ),
  retries: t.Optional(
    field(whole(0, LIMITS.retriesMax), "How often a failed request is repeated within a check: 0 to 10; 1 by default."),
  ),
  retry_pause: t.Optional(
    field(
      whole(1, LIMITS.retryPauseMax, " seconds"),
      "Seconds between a failed request and its retry: 1 to 60; 1 by default. The pauses of all retries together are at most three quarters of the interval.",
    ),
  ),
  quick_recheck: t.Optional(
    field(
      t.Boolean({ error: "expected true or false" }),
      "Whether it is checked every 15 seconds during the first 10 minutes of an outage, if its interval is longer; true by default.",
    ),
  ),
};

export const problem = (path: string, message: string): FieldError => ({ path, message: `${path}: ${message}` });

/** A stored interval stays valid when the minimum is raised. */
export const shortIntervalProblems = (
  interval: number | undefined,
  { minInterval }: Pick<Config, "minInterval">,
  { path = "interval", stored }: { path?: string; stored?: number | undefined } = {},
): FieldError[] =>
  interval !== undefined && interval < minInterval && interval !== stored
    ? [problem(path, intervalExpected(String(minInterval)))]
    : [];

export const timeoutProblems = ({ timeout, interval }: { timeout?: unknown; interval?: unknown }): FieldError[] =>
  Number(timeout) > Number(interval) ? [problem("timeout", "expected at most the interval")] : [];

export const retryProblems = (schedule: Parameters<typeof fitRetries>[0]): FieldError[] =>
  fitRetries(schedule)
    ? []
    : [problem("retry_pause", "expected pauses that together are at most three quarters of the interval")];
