/**
 * The names of an agent's series: the number of a figure in stored samples is the position of its name. A position whose name
 * has had no value for longer than its history is kept is freed in two steps, so that a report that was read with the old
 * names is stored before another name gets its number:
 *
 *   1. a name without values  becomes `free:` and the time
 *   2. after an hour          it becomes empty, and a new name may take its place
 */
import { asc, gt, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { agents } from "../../../db/schema";
import { isOneOf, withValues } from "../../../db/sql";
import { parseSeries } from "../../../shared/agents/series";
import { DAY, HOUR } from "../../../shared/limits";
import { MOST_SERIES } from "./further";
import { readTens } from "./read";

export type Names = readonly string[];

/** Attempts to add names while another instance adds some to the same agents. */
const ATTEMPTS = 5;
const EMPTY = "";
const FREED = /^free:(\d+)$/;

/** The names that figures have, without freed positions. */
export const namesOf = (stored: Names | null): string[] => (stored ?? []).filter((name) => parseSeries(name) !== null);

/** The numbers of names. */
export const numbersOf = (stored: Names | null): Map<string, number> =>
  new Map((stored ?? []).map((name, number) => [name, number]));

/** Whether another name has a place. */
export const hasRoom = (stored: Names | null): boolean =>
  (stored?.length ?? 0) < MOST_SERIES || (stored?.includes(EMPTY) ?? false);

/** Adds names in free positions and at the end, as many as there is room for. */
const place = (before: Names | null, added: Names): string[] => {
  const after = [...(before ?? [])];
  const names = new Set(after);
  for (const name of added) {
    if (names.has(name)) continue;
    const free = after.indexOf(EMPTY);
    if (free < 0 && after.length >= MOST_SERIES) break;
    after[free < 0 ? after.length : free] = name;
    names.add(name);
  }
  return after;
};

type Change = { agentId: number; before: Names | null; after: Names };

/** Writes names that nothing else has changed since they were read. Returns the ids of these agents. */
const writeNames = async ({ db }: Pick<Deps, "db">, changes: readonly Change[]): Promise<Set<number>> => {
  const rows = changes.map(({ agentId, before, after }) => [agentId, before, after]);
  const write = (): SQL => sql`${withValues("r", { id: "bigint", names_before: "json", names: "json" }, rows)}
    update ${agents} set series = r.names from r where ${agents.id} = r.id
      and coalesce(cast(${agents.series} as text), '') = coalesce(cast(r.names_before as text), '') returning ${agents.id}`;
  const [written] = (await db.atomically(() => [write()])) as { id: number | string }[][];
  return new Set(written?.map(({ id }) => Number(id)));
};

const readNames = async ({ db }: Pick<Deps, "db">, ids: number[]): Promise<Map<number, Names | null>> => {
  const rows = await db.select({ id: agents.id, series: agents.series }).from(agents).where(isOneOf(agents.id, ids));
  return new Map(rows.map(({ id, series }) => [id, series]));
};

/** An agent with the names that it lacks. */
export type Lacking = { agentId: number; before: Names | null; names: Names };

/**
 * Adds names to the series of agents, as many as there is room for, and returns all names of these agents. A name keeps its
 * number, also when two instances add some at the same time: of these one reads what the other has written, and tries again.
 */
export const addNames = async (
  deps: Pick<Deps, "db" | "log">,
  lacking: readonly Lacking[],
): Promise<Map<number, Names>> => {
  const namesByServer = new Map<number, Names>();
  let open = lacking;
  for (let attempt = 0; attempt < ATTEMPTS && open.length > 0; attempt++) {
    const changes = open.map(({ agentId, before, names }) => ({ agentId, before, after: place(before, names) }));
    const ids = await writeNames(deps, changes);
    for (const { agentId, after } of changes) {
      if (!ids.has(agentId)) continue;
      namesByServer.set(agentId, after);
      if (!hasRoom(after))
        deps.log.warn("a server has as many series as are kept, further figures of it have no history", {
          agent: agentId,
          series: MOST_SERIES,
        });
    }
    const lost = open.filter(({ agentId }) => !ids.has(agentId));
    if (lost.length === 0) break;
    const storedNames = await readNames(
      deps,
      lost.map(({ agentId }) => agentId),
    );
    open = lost.flatMap((one) =>
      storedNames.has(one.agentId) ? [{ ...one, before: storedNames.get(one.agentId) ?? null }] : [],
    );
    for (const { agentId, before } of open) namesByServer.set(agentId, before ?? []);
  }
  return namesByServer;
};

type Store = Pick<Deps, "db" | "clock" | "log">;

/** Names are freed of agents that have this many: others have room. */
const MANY = MOST_SERIES * 0.75;
/** The least characters of as many names in JSON. */
const MANY_LENGTH = MANY * 6;
/** Days without a value: sums of ten minutes are kept and shown for 30 days. */
const UNUSED_DAYS = 31;
/** Agents per query. */
const PAGE = 1000;

/** The numbers of the series with a value within the last 31 days. */
const readUsed = async (deps: Store, agentId: number, now: number): Promise<Set<number>> => {
  const used = new Set<number>();
  // The newest day is last: a name that was added just before the first is known by its value then.
  for (let day = UNUSED_DAYS - 1; day >= 0; day--) {
    const until = now - day * DAY;
    for (const { further = [] } of await readTens(deps, { agentId, since: until - DAY, until }))
      for (const [number] of further) used.add(number);
    // A day of 200 series takes some milliseconds to decode, which block the event loop.
    await deps.clock.sleep(5);
  }
  return used;
};

/** The names after those without values are freed. */
const free = (names: Names, used: ReadonlySet<number>, now: number): string[] =>
  names.map((name, number) => {
    if (used.has(number) || name === EMPTY) return name;
    const freedAt = FREED.exec(name)?.[1];
    if (freedAt === undefined) return `free:${now}`;
    return now - Number(freedAt) >= HOUR ? EMPTY : name;
  });

/** Frees the positions of names that had no value within the last 31 days, of agents with many names. */
export const freeUnusedSeries = async (deps: Store): Promise<void> => {
  const { db, clock } = deps;
  for (let after = 0; ; ) {
    const page = await db
      .select({
        id: agents.id,
        isLong: sql<unknown>`case when octet_length(cast(${agents.series} as text)) >= ${MANY_LENGTH} then 1 else 0 end`,
      })
      .from(agents)
      .where(gt(agents.id, after))
      .orderBy(asc(agents.id))
      .limit(PAGE);
    const long = page.filter(({ isLong }) => Number(isLong) === 1).map(({ id }) => id);
    for (const id of long) {
      const before = (await readNames(deps, [id])).get(id);
      if (!before || before.length < MANY) continue;
      const now = clock.now();
      const used = await readUsed(deps, id, now);
      // A server that has been away for longer, or a clock that was set: its names are not in the way of others.
      if (used.size === 0) continue;
      const names = free(before, used, now);
      if (names.some((name, number) => name !== before[number]))
        await writeNames(deps, [{ agentId: id, before, after: names }]);
    }
    after = page.at(-1)?.id ?? 0;
    if (page.length < PAGE) return;
    await clock.sleep(5);
  }
};
