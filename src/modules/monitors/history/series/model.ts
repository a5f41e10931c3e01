import { type Static, t } from "elysia";
import { validation } from "../../../../core/errors";
import { field, MAX_RANGE_DAYS, oneOf, parseSpan, timeField } from "../../../../server/schema";

export const RANGES = ["24h", "7d", "30d", "90d", "1y"] as const;
export type Range = (typeof RANGES)[number];
export const seriesQuery = t.Object({
  range: t.Optional(field(oneOf(RANGES), "How far to look back; 24h by default.", "7d")),
  from: timeField("Begin of the range, instead of `range`; together with `to`.", "2026-01-15T11:00:00Z"),
  to: timeField("End of the range.", "2026-01-15T13:00:00Z"),
});

/** The span of a chart in a request: a range up to now, or one from a time to another. @throws {AppError} validation */
export const parseSeriesSpan = ({
  range = "24h",
  ...sent
}: Static<typeof seriesQuery>): { range: Range } | { from: number; to: number } => {
  const { from, to } = parseSpan(sent, MAX_RANGE_DAYS);
  if (from !== null && to !== null) return { from, to };
  if (from === null && to === null) return { range };
  const missing = from === null ? "from" : "to";
  throw validation([{ path: missing, message: `${missing}: is missing` }]);
};
