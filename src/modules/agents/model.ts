import { type Static, t } from "elysia";
import { oneOf, whole } from "../../server/schema";
import { LIMITS as ALL } from "../../shared/limits";
import { REPORT_LIMITS as LIMITS } from "../../shared/report";

const text = (maxLength: number = LIMITS.text, minLength = 0) =>
  t.String({ minLength, maxLength, error: `expected a text of ${minLength} to ${maxLength} characters` });
/** More than any machine has, and still exact. */
const amount = t.Number({ minimum: 0, maximum: 2 ** 60, error: "expected a number from zero up" });
const usage = t.Object({ total: amount, used: amount });
const time = t.String({
  maxLength: 40,
  // Only what Date.parse makes a number of: a time that is none would spoil the write that it is part of.
  pattern:
    "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3])(:[0-5]\\d){2}(\\.\\d{1,9})?(Z|[+-]([01]\\d|2[0-3]):[0-5]\\d)$",
  error: "expected a time in ISO 8601",
});

const identity = {
  hostname: text(LIMITS.text, 1),
  ip_addresses: t.Array(text(64), {
    maxItems: LIMITS.addresses,
    error: `expected at most ${LIMITS.addresses} addresses`,
  }),
  os: text(),
  version: text(),
};

export const sampleModel = t.Object({
  at: time,
  cpu: t.Union([t.Number({ minimum: 0, maximum: 100 }), t.Null()], { error: "expected 0 to 100, or null" }),
  memory: usage,
  disk: usage,
  disks: t.Optional(
    t.Array(t.Object({ mount: text(LIMITS.mount), total: amount, used: amount }), {
      maxItems: LIMITS.disks,
      error: `expected at most ${LIMITS.disks} disks`,
    }),
  ),
  network: t.Union([t.Object({ rx: amount, tx: amount }), t.Null()], { error: "expected rates rx and tx, or null" }),
  swap: t.Optional(usage),
  load: t.Optional(t.Tuple([amount, amount, amount], { error: "expected three numbers" })),
  boot_time: t.Optional(time),
});

export const reportModel = t.Object({
  ...identity,
  // Not an integer of Elysia's: that would take texts, too, and for its sake every sample would be decoded.
  interval: t.Number({
    minimum: LIMITS.intervalMin,
    maximum: LIMITS.intervalMax,
    multipleOf: 1,
    error: `expected a whole number from ${LIMITS.intervalMin} to ${LIMITS.intervalMax} seconds`,
  }),
  samples: t.Array(sampleModel, {
    minItems: 1,
    maxItems: LIMITS.samples,
    error: `expected 1 to ${LIMITS.samples} samples`,
  }),
  agent_version: t.Optional(text()),
  unreadable_disks: t.Optional(
    t.Array(t.Object({ mount: text(LIMITS.mount), reason: text(LIMITS.reason) }), {
      maxItems: LIMITS.disks,
      error: `expected at most ${LIMITS.disks} disks`,
    }),
  ),
});

export const registerModel = t.Object({
  ...identity,
  token: t.String({ maxLength: 200 }),
  machine_id: text(LIMITS.text, 1),
  name: t.Optional(text()),
});
export type RegisterBody = Static<typeof registerModel>;

export const renameModel = t.Object({
  name: t.String({
    pattern: "\\S",
    maxLength: LIMITS.text,
    error: `expected a name of 1 to ${LIMITS.text} characters`,
  }),
});

export const listQuery = t.Object({
  mine: t.Optional(oneOf(["1"])),
  search: t.Optional(t.String({ maxLength: 200 })),
  status: t.Optional(oneOf(["active", "inactive", "connecting"])),
  limit: t.Optional(whole(1, ALL.listed)),
  offset: t.Optional(whole(0, Number.MAX_SAFE_INTEGER)),
});

export const METRIC_RANGES = ["1h", "24h", "7d", "30d", "1y"] as const;
export type MetricRange = (typeof METRIC_RANGES)[number];
export const metricsQuery = t.Object({
  range: t.Optional(oneOf(METRIC_RANGES)),
});
