/** Notifies administrators of a gap of the hub once it is over. */
import { and, asc, eq, isNotNull, isNull } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { createDueCheck } from "../../db/due";
import { hubGaps } from "../../db/schema";
import { isOneOf, lock, lockGaps } from "../../db/sql";
import { MINUTE, SECOND } from "../../shared/limits";
import type { AlertFacts } from "../../shared/notifications";
import type { HubGapReason } from "../../shared/outages/unknown";
import { writeHubEvents } from "./hub-events";

/** Shorter gaps are shown in histories only. */
const ANNOUNCED_FROM = 2 * MINUTE;
/** Gaps with less between them are one: a reason follows another, or the hub was restarted without a network. */
const BETWEEN = 10 * SECOND;
/** Gaps that are read at once. */
const BATCH = 500;

type Counts = Omit<NonNullable<AlertFacts["gap"]>, "reason">;
type Gap = { from: number; to: number; reason: HubGapReason };

/** Gaps that follow each other, each as one with the reason of its longest part. */
const joinGaps = (gaps: readonly Gap[]): Gap[] => {
  const joined: (Gap & { longest: number })[] = [];
  for (const gap of gaps) {
    const [last, length] = [joined.at(-1), gap.to - gap.from];
    if (!last || gap.from - last.to > BETWEEN) joined.push({ ...gap, longest: length });
    else Object.assign(last, { to: gap.to }, length > last.longest && { reason: gap.reason, longest: length });
  }
  return joined;
};

const readUnannounced = async ({ db }: Pick<Deps, "db">): Promise<number | null> => {
  const [row] = await db
    .select({ at: hubGaps.endedAt })
    .from(hubGaps)
    .where(and(eq(hubGaps.announced, false), isNotNull(hubGaps.endedAt)))
    .limit(1);
  return row?.at ?? null;
};

/** Writes the events in the transaction that marks the gaps: one instance does it, once. */
const announce = (deps: Pick<Deps, "db">, counts: Counts): Promise<boolean> =>
  deps.db.transact(async (tx) => {
    await lock(tx, lockGaps);
    if ((await tx.$count(hubGaps, isNull(hubGaps.endedAt))) > 0) return false;
    const rows = await tx
      .select()
      .from(hubGaps)
      .where(eq(hubGaps.announced, false))
      .orderBy(asc(hubGaps.startedAt))
      .limit(BATCH);
    const gaps = rows.map(({ startedAt, endedAt, reason }) => ({ from: startedAt, to: endedAt ?? startedAt, reason }));
    const long = joinGaps(gaps).filter(({ from, to }) => to - from >= ANNOUNCED_FROM);
    await writeHubEvents(
      tx,
      long.map(({ from, to, reason }) => ({
        kind: "hub_unwatched",
        at: to,
        since: from,
        facts: { gap: { reason, ...counts } },
      })),
    );
    const times = rows.map(({ startedAt }) => startedAt);
    await tx.update(hubGaps).set({ announced: true }).where(isOneOf(hubGaps.startedAt, times));
    return long.length > 0;
  });

/** Creates the job that notifies administrators of gaps that are over; it returns whether events were written. */
export const createGapNotice = (deps: Pick<Deps, "db" | "clock" | "watching">, count: () => Promise<Counts>) => {
  const isAnyDue = createDueCheck({ ...deps, tables: [hubGaps], read: () => readUnannounced(deps) });
  return async (): Promise<boolean> => {
    if (deps.watching.isBlind() || deps.watching.unknown() || !(await isAnyDue())) return false;
    return (await readUnannounced(deps)) !== null && announce(deps, await count());
  };
};
