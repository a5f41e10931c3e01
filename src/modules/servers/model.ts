import { type Static, t } from "elysia";
import { validation } from "../../core/errors";
import { chartSpanFields, field, oneOf, whole } from "../../server/schema";
import { REPORT_LIMITS as LIMITS } from "../../shared/agents/report";
import { SERIES_AT_ONCE, SERIES_NAME_LENGTH } from "../../shared/agents/series";
import { LIMITS as ALL } from "../../shared/limits";
import { tagFilter, tagsModel } from "../tags/model";
import { boundedText, identity } from "./ingest/model";
import { planErrors, planModel } from "./plans/model";

export const registerModel = t.Object({
  ...identity,
  token: field(t.String({ maxLength: 200 }), "An enrollment token.", "wkt_…"),
  machine_id: field(
    boundedText(LIMITS.text, 1),
    "A secret of at most 255 characters that the agent generates and keeps: it proves that this is the same machine.",
    "0b5d6c6e-machine",
  ),
  name: t.Optional(field(boundedText(), "The server's name; the host name by default.", "Database")),
});
export type RegisterBody = Static<typeof registerModel>;

export const renameModel = t.Object(
  {
    name: field(
      t.String({
        pattern: "\\S",
        maxLength: LIMITS.text,
        error: `expected a name of 1 to ${LIMITS.text} characters`,
      }),
      "1 to 255 characters.",
      "Database",
    ),
    tags: t.Optional(
      field(tagsModel, "Its tags, at most 20. They replace those that it has.", [{ name: "production" }]),
    ),
    plan: t.Optional(
      field(
        t.Union([planModel, t.Null()], { error: "expected an object with traffic, contract or both, or null" }),
        "What its provider counts and costs. It replaces the plan that it has; null removes it.",
      ),
    ),
  },
  { further: planErrors },
);
export type RenameBody = Static<typeof renameModel>;

const FIGURES = ["cpu", "memory", "disk", "network", "load", "uptime", "traffic"] as const;
const AGENT_SORTS = ["name", "status", ...FIGURES, "hostname", "os", "reported", "disk_full", "created"] as const;
export type ServerSort = (typeof AGENT_SORTS)[number];

export const listQuery = t.Object({
  mine: t.Optional(field(oneOf(["1"]), "1: only your own servers, for administrators, who also see other users'.")),
  search: t.Optional(
    field(
      t.String({ maxLength: 200 }),
      "Only servers with this in their name, host name, operating system or IP addresses, regardless of case.",
    ),
  ),
  status: t.Optional(
    field(
      oneOf(["active", "inactive", "connecting", "alerts"]),
      "Only servers with this status; `alerts`: those that report and have open outages.",
      "inactive",
    ),
  ),
  tag: tagFilter,
  sort: t.Optional(
    field(
      oneOf(AGENT_SORTS),
      "By what to sort; `created` by default. `status` is by urgency: inactive, with open outages, connecting, active. `cpu`, `memory` and `disk` are shares in use, `network` is the sum of both directions, `traffic` is the share of the month's quota that is used, and of servers without a quota, which follow, what they used in bytes, `load` is that over 1 minute, `uptime` is the time since the machine was started, `reported` is the latest report, and `disk_full` is when the first of its disks will be full. Servers without a value come last, and those with the same value are sorted by name.",
      "cpu",
    ),
  ),
  order: t.Optional(field(oneOf(["asc", "desc"]), "The direction of the sort; `asc` by default.")),
  limit: t.Optional(field(whole(1, ALL.listed), "The size of the page; 1,000 by default.")),
  offset: t.Optional(field(whole(0, Number.MAX_SAFE_INTEGER), "How many servers to skip.")),
});

export const METRIC_RANGES = ["1h", "24h", "7d", "30d", "1y"] as const;
export const trafficQuery = t.Object({
  months: t.Optional(
    field(whole(1, 13), "How many months to answer, with the current one: 1 to 13; 12 by default.", 12),
  ),
});
export type MetricRange = (typeof METRIC_RANGES)[number];
export const metricsQuery = t.Object({
  range: t.Optional(field(oneOf(METRIC_RANGES), "How far to look back; 24h by default.", "7d")),
  ...chartSpanFields,
  series: t.Optional(
    field(
      t.Unsafe<string>(t.Any({ accepts: { type: "string" } })),
      "Names of further figures with commas between them, at most 20, as the server's details list them. Repeat it for a name with a comma. They are kept for 30 days: a range that begins earlier has none.",
      "disk:/home,temp:cpu",
    ),
  ),
});

const SERIES_ERROR = `expected at most ${SERIES_AT_ONCE} names of series`;

/**
 * The names of series in the address of a request, without duplicates. `all` are the series of the server, whose names may
 * have commas.
 * @throws {AppError} validation
 */
export const readWantedSeries = ({ url }: Request, all: readonly string[]): string[] => {
  const sent = url.includes("series=") ? new URL(url).searchParams.getAll("series") : [];
  const names = new Set(sent.flatMap((text) => (all.includes(text) ? [text] : text.split(",").filter(Boolean))));
  if (names.size > SERIES_AT_ONCE || [...names].some((name) => name.length > SERIES_NAME_LENGTH))
    throw validation([{ path: "series", message: `series: ${SERIES_ERROR}` }]);
  return [...names];
};
