import type { Static } from "@sinclair/typebox";
import { and, asc, eq, gt, gte, isNull, lt, or } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { outages } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import type { Interval } from "../../../lib/intervals";
import { SECOND } from "../../../shared/limits";
import { TARGET_TYPES, type TargetType } from "../../../shared/notifications";
import { type Outage, readNewest } from "./service";
import { countedFrom, DOWN_KIND } from "./times";

/** Outages that are read at once: others wait no longer than that takes. */
const BATCH = 5000;

type LongOutage = {
  outage: Static<typeof Outage>;
  /** How long it lasted within the span. */
  seconds: number;
  /** How many outages of other targets it explains. */
  explains: number;
};

type Found = { id: number; milliseconds: number; explainedBy: number | null };

type Times = Pick<typeof outages.$inferSelect, "targetType" | "startedAt" | "countedFrom" | "endedAt">;

const lengthWithin = (row: Times, { from, to }: Interval, now: number): number =>
  Math.max(0, Math.min(row.endedAt ?? Math.max(now, row.startedAt), to) - Math.max(countedFrom(row), from));

/** The ids of the outages of these targets in a span, and how long each lasted. */
const findAll = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  ids: Record<TargetType, readonly number[]>,
  span: Interval,
): Promise<Found[]> => {
  const { id, startedAt, endedAt, explainedBy, targetType, targetId, kind } = outages;
  const isTheirs = or(
    ...TARGET_TYPES.map((type) => and(eq(targetType, type), eq(kind, DOWN_KIND[type]), isOneOf(targetId, ids[type]))),
  );
  const isWithin = and(lt(startedAt, span.to), or(isNull(endedAt), gt(endedAt, span.from)));
  const found: Found[] = [];
  for (let last: { id: number; startedAt: number } | undefined; ; ) {
    const isNext = last && or(gt(startedAt, last.startedAt), and(eq(startedAt, last.startedAt), gt(id, last.id)));
    const rows = await db
      .select({ id, targetType, startedAt, countedFrom: outages.countedFrom, endedAt, explainedBy })
      .from(outages)
      .where(and(isTheirs, isWithin, last && gte(startedAt, last.startedAt), isNext))
      .orderBy(asc(startedAt), asc(id))
      .limit(BATCH);
    for (const row of rows)
      found.push({
        id: row.id,
        milliseconds: lengthWithin(row, span, clock.now()),
        explainedBy: row.explainedBy,
      });
    if (rows.length < BATCH) return found;
    last = rows.at(-1);
  }
};

/**
 * The outages of these targets that lasted longest in a span, longest first. Those that another one of these explains are
 * left out and counted with that one.
 */
export const readLongest = async (
  store: Pick<Deps, "db" | "clock">,
  ids: Record<TargetType, readonly number[]>,
  span: Interval,
  limit: number,
): Promise<LongOutage[]> => {
  const found = await findAll(store, ids, span);
  const foundIds = new Set(found.map(({ id }) => id));
  const explained = Map.groupBy(found, ({ explainedBy }) => explainedBy);
  const longest = found
    .filter(({ explainedBy }) => explainedBy === null || !foundIds.has(explainedBy))
    .sort((a, b) => b.milliseconds - a.milliseconds || b.id - a.id)
    .slice(0, limit);
  const presented = await readNewest(
    store,
    isOneOf(
      outages.id,
      longest.map(({ id }) => id),
    ),
    limit,
  );
  const byId = new Map(presented.map(({ outage }) => [outage.id, outage]));
  // One may have been deleted since.
  return longest.flatMap(({ id, milliseconds }) => {
    const outage = byId.get(id);
    const explains = explained.get(id)?.length ?? 0;
    return outage ? [{ outage, seconds: Math.round(milliseconds / SECOND), explains }] : [];
  });
};
