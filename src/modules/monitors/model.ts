import { type Static, type TSchema, t } from "elysia";
import type { Config as HubConfig } from "../../core/config";
import { type FieldError, validation } from "../../core/errors";
import type { monitors } from "../../db/schema";
import { field, oneOf, whole } from "../../server/schema";
import { LIMITS } from "../../shared/limits";
import { MAX_RECENT } from "../../shared/monitor";
import type { Config } from "../../shared/monitor-kinds/field";
import { parseTags, type TagInput, tagFilter, tagsModel } from "../tags/model";
import type { AnyKind } from "./kinds/kind";
import { unmaskConfig } from "./kinds/masks";
import { KINDS, kindOf } from "./kinds/registry";
import { problem, retryProblems, scheduleFields, shortIntervalProblems, timeoutProblems } from "./schedule/model";
import { kindVariants } from "./variants/model";

/** The default number of past outcomes of a monitor in a list, and in its details. */
export const LIST_HISTORY = 24;
export const DETAIL_HISTORY = 40;

const kindNames = KINDS.map(({ kind }) => kind) as [string, ...string[]];

/** The flat fields of kinds. Each is optional here, and the schema of the kind requires those it needs. */
const flatFields: object = Object.fromEntries(
  KINDS.filter(({ flat }) => flat).flatMap(({ sent }) =>
    Object.entries(sent.properties as Record<string, TSchema>).map(([name, field]) => [name, t.Optional(field)]),
  ),
);

/** The kind and its fields: in `config` or, for http, beside the common ones. */
const kindFields = {
  kind: t.Optional(
    field(oneOf(kindNames), `One of ${kindNames.join(", ")}; ${KINDS[0].kind} by default. It can't be changed later.`),
  ),
  // Validated by the schema of the kind.
  config: t.Optional(t.Unsafe<Config>(t.Any())),
  ...flatFields,
};

/** The common fields of a monitor's body. */
const commonFields = {
  name: field(
    t.String({
      maxLength: LIMITS.monitorName,
      pattern: "\\S",
      error: `expected a name of 1 to ${LIMITS.monitorName} characters`,
    }),
    "1 to 200 characters.",
    "Payments API",
  ),
  ...scheduleFields,
  active: t.Optional(
    field(t.Boolean({ error: "expected true or false" }), "False to pause the monitor; true by default."),
  ),
  tags: t.Optional(field(tagsModel, "Its tags, at most 20, in place of those that it has.", [{ name: "production" }])),
};

const { name, ...furtherFields } = commonFields;

/** The body of a monitor: the common fields, and the fields of its kind. */
export const monitorModel = t.Object(
  { name, ...kindFields, ...furtherFields },
  {
    accepts: kindVariants("MonitorInput", commonFields),
    further: (sent: unknown) => [
      ...furtherProblems(Object(sent)),
      ...intervalProblems(Object(sent), sentKind(Object(sent))),
    ],
  },
);

type MonitorBody = Static<typeof monitorModel>;

/** Seconds. */
const PROBE_TIMEOUT = { most: 30, byDefault: 10 };

const probeFields = {
  id: t.Optional(
    field(
      whole(1, Number.MAX_SAFE_INTEGER),
      "The monitor that is edited: fields that are left out and masks stand for its values.",
    ),
  ),
  timeout: t.Optional(
    field(
      whole(1, PROBE_TIMEOUT.most, " seconds"),
      `Timeout of the request in seconds: 1 to ${PROBE_TIMEOUT.most}; ${PROBE_TIMEOUT.byDefault} by default.`,
    ),
  ),
};

/** The body of a probe: a monitor without a name and a schedule. */
export const probeModel = t.Object(
  { ...kindFields, ...probeFields },
  {
    accepts: kindVariants("ProbeInput", probeFields),
    further: (sent: unknown) => furtherProblems(Object(sent)),
  },
);

/** The complete and valid settings of a monitor. */
export type MonitorInput = {
  name: string;
  kind: string;
  /** The fields of the kind. */
  config: Config;
  /** Seconds. */
  interval: number;
  /** Seconds. */
  timeout: number;
  retries: number;
  /** Seconds. */
  retryPause: number;
  quickRecheck: boolean;
  active: boolean;
  /** Undefined keeps the tags that it has. */
  tags?: TagInput[];
};

/** A monitor as it is stored, with all fields of its kind in `config`. */
export type StoredMonitor = Omit<MonitorInput, "tags"> &
  Pick<typeof monitors.$inferSelect, "id" | "userId" | "teamId" | "target" | "createdAt" | "updatedAt">;

/** Passive kinds ignore the interval; this only fills the column. */
const DEFAULTS = {
  interval: 60,
  timeout: 30,
  retries: 1,
  retryPause: 1,
  quickRecheck: true,
  active: true,
} as const;

const isRecord = (value: unknown): value is Config =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Validates the fields of a kind, and refuses fields of other kinds. Paths are the names in the request. */
const configProblems = (
  { kind, flat, sent: fields, validate }: AnyKind,
  sent: Record<string, unknown>,
): FieldError[] => {
  const config = sent.config ?? {};
  if (!isRecord(config)) return [problem("config", "expected an object")];
  const names = Object.keys(config);
  if (flat) {
    const foreign = `the fields of the kind ${kind} stand beside the name, and other kinds need their \`kind\``;
    return [...validate(sent), ...(names.length > 0 ? [problem("config", foreign)] : [])];
  }
  const errors = validate(config).map(({ path, message }) => ({
    path: `config.${path}`,
    message: `config.${message}`,
  }));
  const foreign = names.filter((name) => !Object.hasOwn(fields.properties, name)).map((name) => name.slice(0, 50));
  const refused = foreign.slice(0, 5).map((name) => problem(`config.${name}`, `the kind ${kind} has no such field`));
  return [...errors, ...refused];
};

const intervalProblems = ({ interval }: { interval?: unknown }, kind: AnyKind | undefined): FieldError[] =>
  interval === undefined && kind && !kind.passive ? [problem("interval", "is missing")] : [];

/** Validates a body, whose fields may have any type, beyond the common schema. */
const furtherProblems = (sent: Record<string, unknown>): FieldError[] => {
  const kind = sentKind(sent);
  return [...(kind ? configProblems(kind, sent) : []), ...timeoutProblems(sent)];
};

/** The kind of a body that may not be valid. An update may leave it out; then it is unknown here. */
const sentKind = ({ kind, config }: Record<string, unknown>): AnyKind | undefined =>
  kindOf(String(kind ?? (config === undefined ? KINDS[0].kind : "")));

/**
 * The kind in a request body and its fields, completed as `parseMonitor` does. `further` are other bad fields.
 * @throws {AppError} validation, with an entry for each bad field
 */
const parseKind = (
  sent: Static<typeof probeModel>,
  stored: MonitorInput | undefined,
  shown: MonitorInput | undefined,
  further: FieldError[] = [],
): { kind: AnyKind; config: Config } => {
  const kind = kindOf(sent.kind ?? stored?.kind ?? KINDS[0].kind);
  if (!kind) throw validation([problem("kind", "this instance does not know it")]);
  if (stored && stored.kind !== kind.kind) throw validation([problem("kind", "the kind of a monitor stays the same")]);
  // Of a stored monitor, `config` may be left out as a whole.
  const isKept = !kind.flat && stored !== undefined && sent.config === undefined;
  const errors = [...(isKept ? [] : configProblems(kind, sent)), ...further];
  if (errors.length > 0) throw validation(errors);
  const sentConfig = isKept ? {} : kind.read(kind.flat ? sent : (sent.config ?? {}));
  return {
    kind,
    config: unmaskConfig(kind, kind.merge({ ...kind.defaults, ...shown?.config }, sentConfig), stored?.config),
  };
};

/** Parses the body of a probe. @throws {AppError} validation */
export const parseProbe = (sent: Static<typeof probeModel>, stored?: MonitorInput, shown = stored) => ({
  ...parseKind(sent, stored, shown),
  timeout: sent.timeout ?? PROBE_TIMEOUT.byDefault,
});

/**
 * Completes the monitor in a request body: missing fields come from `shown`, the monitor as the caller may read it, or
 * from the defaults. Masks stand for the values of `stored`.
 * @throws {AppError} validation, with an entry for each bad field
 */
export const parseMonitor = (
  sent: MonitorBody,
  config: Pick<HubConfig, "minInterval">,
  stored?: MonitorInput,
  shown = stored,
): MonitorInput => {
  const base = shown ?? DEFAULTS;
  const timeout = sent.timeout ?? base.timeout;
  const { leastInterval = 0 } = kindOf(sent.kind ?? stored?.kind ?? KINDS[0].kind) ?? {};
  const schedule = {
    interval: Math.max(leastInterval, sent.interval ?? base.interval),
    retries: sent.retries ?? base.retries,
    retryPause: sent.retry_pause ?? base.retryPause,
  };
  const parsed = parseKind(sent, stored, shown, [
    ...shortIntervalProblems(sent.interval, config, { stored: stored?.interval }),
    ...timeoutProblems({ ...sent, timeout }),
    ...retryProblems(schedule),
    ...intervalProblems(sent, kindOf(sent.kind ?? stored?.kind ?? KINDS[0].kind)),
  ]);
  return {
    name: sent.name.trim(),
    kind: parsed.kind.kind,
    config: parsed.config,
    ...schedule,
    timeout,
    quickRecheck: sent.quick_recheck ?? base.quickRecheck,
    active: sent.active ?? base.active,
    ...(sent.tags && { tags: parseTags(sent.tags) }),
  };
};

const historyField = (byDefault: number) =>
  t.Optional(field(whole(0, MAX_RECENT), `The number of past outcomes: 0 to ${MAX_RECENT}; ${byDefault} by default.`));

const MONITOR_SORTS = ["name", "status", "response_time", "uptime", "last_checked", "created"] as const;
export type MonitorSort = (typeof MONITOR_SORTS)[number];

export const listQuery = t.Object({
  mine: t.Optional(field(oneOf(["1"]), "1: only your own monitors, for administrators, who also see other users'.")),
  search: t.Optional(
    field(t.String({ maxLength: 200 }), "Only monitors with this in their name or target, regardless of case."),
  ),
  status: t.Optional(
    field(
      oneOf(["up", "degraded", "down", "pending", "paused", "active", "unknown"]),
      "Only monitors with this status; `active` is every status but paused, and `unknown` is those whose state cannot be known now.",
      "down",
    ),
  ),
  tag: tagFilter,
  fields: t.Optional(
    field(
      oneOf(["all", "compact"]),
      "`all`: include large fields, such as headers and bodies, with at most 50 monitors in one answer. `compact`: leave out most settings, with each past outcome as `[time in epoch milliseconds, 0 for down, 1 for up or 2 for slow, response time or null]`.",
    ),
  ),
  sort: t.Optional(
    field(
      oneOf(MONITOR_SORTS),
      "By what to sort; `created` by default. `status` is by urgency: down, pending, up, paused. Monitors without a value come last, and those with the same value are sorted by name.",
      "uptime",
    ),
  ),
  order: t.Optional(field(oneOf(["asc", "desc"]), "The direction of the sort; `asc` by default.")),
  limit: t.Optional(field(whole(1, LIMITS.listed), "The size of the page; 1,000 by default.", 20)),
  offset: t.Optional(field(whole(0, Number.MAX_SAFE_INTEGER), "How many monitors to skip.")),
  history: historyField(LIST_HISTORY),
});

export const detailQuery = t.Object({ history: historyField(DETAIL_HISTORY) });

export const checksQuery = t.Object({
  status: t.Optional(field(oneOf(["up", "down"]), "Only checks with this outcome.", "down")),
  before: t.Optional(
    field(
      whole(1, Number.MAX_SAFE_INTEGER),
      "Only checks older than the one with this id: `next` of the previous page.",
    ),
  ),
  limit: t.Optional(field(whole(1, 500), "The size of the page: 1 to 500; 50 by default.", 20)),
});

export const runsQuery = t.Object({
  status: t.Optional(field(oneOf(["up", "down"]), "Only runs with this outcome.", "down")),
  before: t.Optional(
    field(whole(1, Number.MAX_SAFE_INTEGER), "Only checks before this time: `next` of the previous page."),
  ),
  limit: t.Optional(field(whole(1, 100), "The size of the page: 1 to 100; 50 by default.", 20)),
});
