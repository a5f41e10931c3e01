import { t } from "elysia";
import { chartSpanFields, field, oneOf } from "../../../../server/schema";

export const RANGES = ["24h", "7d", "30d", "90d", "1y"] as const;
export type Range = (typeof RANGES)[number];
export const seriesQuery = t.Object({
  range: t.Optional(field(oneOf(RANGES), "How far to look back; 24h by default.", "7d")),
  ...chartSpanFields,
});
