/** The stored gaps: while one lasts, no instance of the hub can know anything. None overlap. */
import { and, desc, gt, isNull, lt, or } from "drizzle-orm";
import type { Deps } from "../core/deps";
import type { Database } from "../db/database";
import { hubGaps } from "../db/schema";
import { lock, lockGaps } from "../db/sql";
import { type Interval, mergeIntervals, subtractIntervals } from "../lib/intervals";
import { MINUTE } from "../shared/limits";
import type { HubGapReason } from "../shared/outages/unknown";

export type Gap = Interval & { reason: HubGapReason };
/** A gap that lasts. */
export type OpenGap = { since: number; reason: HubGapReason };
/** A gap as it is stored; `to` is null while it lasts. */
type StoredGap = { from: number; to: number | null; reason: HubGapReason };

/** Gaps that are read at once: many a day for 90 days. */
const MAX_GAPS = 5000;
/** Gaps in one answer about a range. */
export const SHOWN_GAPS = 200;

/** Stores the parts of a gap that no other gap covers. */
const insertGap = async (tx: Database, { from, to, reason }: Gap): Promise<void> => {
  const stored = await tx
    .select({ from: hubGaps.startedAt, to: hubGaps.endedAt })
    .from(hubGaps)
    .where(and(gt(hubGaps.endedAt, from), lt(hubGaps.startedAt, to)));
  const others = stored.map((one) => ({ from: one.from, to: one.to ?? to }));
  const parts = subtractIntervals({ from, to }, mergeIntervals(others));
  if (parts.length === 0) return;
  const rows = parts.map((part) => ({ startedAt: part.from, endedAt: part.to, reason, announced: false }));
  await tx.insert(hubGaps).values(rows).onConflictDoNothing();
};

/** When a gap may begin: not within another one. With a clock that was set back, others may end after now. */
const startOfGap = async (tx: Database, since: number, now: number): Promise<number> => {
  const others = await tx
    .select({ to: hubGaps.endedAt })
    .from(hubGaps)
    .where(and(gt(hubGaps.endedAt, since), lt(hubGaps.startedAt, now)));
  return Math.min(
    now,
    others.reduce((start, { to }) => Math.max(start, to ?? start), since),
  );
};

/**
 * Stores gaps that have ended, and the open gap. A gap that is stored as open, also by another instance, ends
 * with the last of these gaps, or at `now`; it goes on if only `open` is given.
 */
export const writeGaps = (
  db: Database,
  { ended, open, now }: { ended: readonly Gap[]; open: OpenGap | null; now: number },
): Promise<void> =>
  db.transact(async (tx) => {
    await lock(tx, lockGaps);
    const stored = await tx.select().from(hubGaps).where(isNull(hubGaps.endedAt));
    if (ended.length === 0 && open !== null && stored.some(({ startedAt }) => startedAt <= now)) return;
    await tx.delete(hubGaps).where(isNull(hubGaps.endedAt));
    for (const gap of ended) await insertGap(tx, gap);
    for (const { startedAt, reason } of stored) {
      const to = ended.findLast((gap) => gap.to > startedAt)?.to ?? now;
      await insertGap(tx, { from: startedAt, to, reason });
    }
    if (open === null) return;
    const row = { endedAt: null, reason: open.reason, announced: false };
    await tx
      .insert(hubGaps)
      .values({ startedAt: await startOfGap(tx, open.since, now), ...row })
      .onConflictDoUpdate({ target: hubGaps.startedAt, set: row });
  });

/** Reads the gaps that overlap a span, the oldest first: with a limit, the latest ones. */
export const readGaps = async (
  { db }: Pick<Deps, "db">,
  { from, to }: Interval,
  limit = MAX_GAPS,
): Promise<StoredGap[]> => {
  const { startedAt, endedAt, reason } = hubGaps;
  const rows = await db
    .select({ from: startedAt, to: endedAt, reason })
    .from(hubGaps)
    .where(and(lt(startedAt, to), or(isNull(endedAt), gt(endedAt, from))))
    .orderBy(desc(startedAt))
    .limit(limit);
  return rows.toReversed();
};

/** Shorter gaps are no entries of histories. */
const LONG_GAP = 2 * MINUTE;

/** The gaps of two minutes or more, with the end of each: now, while it lasts. */
export const longGaps = <Time extends { from: number; to: number | null }>(gaps: readonly Time[], now: number) =>
  gaps.map((gap) => ({ ...gap, end: gap.to ?? now })).filter(({ from, end }) => end - from >= LONG_GAP);
