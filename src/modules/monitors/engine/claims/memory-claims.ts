import { eq, isNotNull } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { notFound } from "../../../../core/errors";
import { monitors, monitorStates as states } from "../../../../db/schema";
import { isOneOf } from "../../../../db/sql";
import { createMutex } from "../../../../lib/concurrency";
import { CLOCK_JUMP_MS } from "../../../../lib/time";
import { SECOND } from "../../../../shared/limits";
import { recordResults } from "../record";
import { type Claim, type Claims, LOOKAHEAD, SPREAD } from "./claims";

/** An active monitor. */
type Entry = {
  id: number;
  /** Milliseconds. */
  interval: number;
  revision: number;
  status: Claim["status"];
  /** The stored due time, which only changes of the monitor set. */
  storedDueAt: number;
  dueAt: number;
};

/** The first due time after `time`, as stored-claims.ts computes it in SQL. */
const nextTime = ({ id, interval }: Pick<Entry, "id" | "interval">, time: number): number => {
  const at = Math.floor(time);
  return at - ((at - ((id * SPREAD) % interval)) % interval) + interval;
};

/** Due times in slots of a second each, so that what is due is found without reading the rest. */
const createTimetable = () => {
  const slots = new Map<number, Set<Entry>>();
  const slotOf = ({ dueAt }: Entry) => Math.floor(dueAt / SECOND);
  /** No slot before this one has an entry. */
  let first = Number.POSITIVE_INFINITY;

  /** The slots up to one, in order. After a jump of the clock there are fewer slots than seconds. */
  const slotsUntil = (last: number): number[] => {
    if (first > last) return [];
    if (last - first > slots.size) return [...slots.keys()].filter((slot) => slot <= last).sort((a, b) => a - b);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  };

  return {
    add: (entry: Entry): void => {
      const slot = slotOf(entry);
      const entries = slots.get(slot) ?? new Set();
      slots.set(slot, entries.add(entry));
      first = Math.min(first, slot);
    },

    remove: (entry: Entry): void => {
      const entries = slots.get(slotOf(entry));
      if (entries?.delete(entry) && entries.size === 0) slots.delete(slotOf(entry));
    },

    /** Removes and returns up to `limit` entries that are due by `horizon` and pass `isFree`, the most overdue first. */
    take: (horizon: number, limit: number, isFree: (entry: Entry) => boolean): Entry[] => {
      const taken: Entry[] = [];
      const last = Math.floor(horizon / SECOND);
      let rest: number | undefined;
      for (const slot of slotsUntil(last)) {
        const entries = slots.get(slot) ?? new Set();
        const due = taken.length < limit ? [...entries].filter((entry) => entry.dueAt <= horizon && isFree(entry)) : [];
        for (const entry of due.sort((a, b) => a.dueAt - b.dueAt).slice(0, limit - taken.length)) {
          entries.delete(entry);
          taken.push(entry);
        }
        if (entries.size === 0) slots.delete(slot);
        else rest ??= slot;
        if (taken.length >= limit) {
          rest ??= slot;
          break;
        }
      }
      if (first <= last) first = rest ?? last;
      return taken;
    },
  };
};

type Options = Pick<Deps, "db" | "clock" | "changedMonitors"> & {
  /** Whether a check of the monitor is in flight in this process. */
  isInFlight: (monitorId: number) => boolean;
};

const COLUMNS = {
  id: states.monitorId,
  interval: monitors.interval,
  revision: states.revision,
  status: states.status,
  dueAt: states.nextCheckAt,
  lastCheckedAt: states.lastCheckedAt,
};

/**
 * Claims of the only process on a SQLite database. The due times of all active monitors are read once; then only those
 * of monitors that were changed. Nothing is stored: a due time follows from the interval and the last check.
 */
export const createMemoryClaims = ({ db, clock, changedMonitors, isInFlight }: Options): Claims => {
  const exclusively = createMutex();
  const entries = new Map<number, Entry>();
  const timetable = createTimetable();
  let isLoaded = false;
  let tickedAt = Number.NEGATIVE_INFINITY;

  const setDueAt = (entry: Entry, dueAt: number): void => {
    timetable.remove(entry);
    entry.dueAt = dueAt;
    timetable.add(entry);
  };

  const drop = (id: number): void => {
    const entry = entries.get(id);
    if (entry) timetable.remove(entry);
    entries.delete(id);
  };

  const select = () => db.select(COLUMNS).from(states).innerJoin(monitors, eq(monitors.id, states.monitorId));
  type Row = Awaited<ReturnType<typeof select>>[number];

  /** A stored due time counts until the monitor is checked; then it is due an interval after its last check. */
  const dueTimeOf = (row: Row & { interval: number }, storedDueAt: number, known: Entry | undefined): number => {
    const now = clock.now();
    const isChanged =
      known &&
      (storedDueAt !== known.storedDueAt || row.revision !== known.revision || row.interval !== known.interval);
    const isDue = known ? isChanged : row.lastCheckedAt === null || storedDueAt >= row.lastCheckedAt;
    const dueAt = isDue ? storedDueAt : (known?.dueAt ?? nextTime(row, (row.lastCheckedAt ?? now) + LOOKAHEAD));
    // The clock may have been ahead.
    return dueAt > now + CLOCK_JUMP_MS + row.interval ? nextTime(row, now) : dueAt;
  };

  const put = (row: Row): void => {
    const { id, revision, status, dueAt: storedDueAt } = row;
    const interval = row.interval * SECOND;
    const known = entries.get(id);
    drop(id);
    if (storedDueAt === null) return;
    const dueAt = dueTimeOf({ ...row, interval }, storedDueAt, known);
    // A result that is not written yet may have changed the status.
    const entry = {
      id,
      interval,
      revision,
      status: known?.revision === revision ? known.status : status,
      storedDueAt,
      dueAt,
    };
    entries.set(id, entry);
    timetable.add(entry);
  };

  /** Reads all active monitors the first time, and then those that were changed. */
  const refresh = async (): Promise<void> => {
    if (isLoaded && changedMonitors.size === 0) return;
    const ids = [...changedMonitors];
    const rows = await select().where(isLoaded ? isOneOf(states.monitorId, ids) : isNotNull(states.nextCheckAt));
    for (const id of ids) changedMonitors.delete(id);
    isLoaded = true;
    const found = new Set(rows.map(({ id }) => id));
    for (const id of ids) if (!found.has(id)) drop(id);
    for (const row of rows) put(row);
  };

  const claimOf = ({ id, revision, status }: Entry, dueAt: number, nextCheckAt: number): Claim => ({
    monitorId: id,
    dueAt,
    nextCheckAt,
    revision,
    status,
  });

  /** Claims an entry that was taken from the timetable. */
  const claim = (entry: Entry, horizon: number): Claim => {
    const { dueAt } = entry;
    entry.dueAt = nextTime(entry, horizon);
    timetable.add(entry);
    return claimOf(entry, dueAt, entry.dueAt);
  };

  return {
    shared: false,
    exclusively,

    writeAndClaim: async (results, limit) => {
      if (results.length > 0) await db.atomically(() => recordResults(null, results));
      for (const { monitorId, revision, up } of results) {
        const entry = entries.get(monitorId);
        if (entry?.revision === revision) entry.status = up ? "up" : "down";
      }
      const horizon = clock.now() + LOOKAHEAD;
      return timetable.take(horizon, limit, ({ id }) => !isInFlight(id)).map((entry) => claim(entry, horizon));
    },

    claimOne: async (monitorId) => {
      const [row] = await select().where(eq(states.monitorId, monitorId));
      if (!row) throw notFound("Monitor");
      put(row);
      const now = clock.now();
      const entry = entries.get(monitorId);
      if (!entry) {
        const { revision, status } = row;
        return { monitorId, dueAt: now, nextCheckAt: Number.POSITIVE_INFINITY, revision, status };
      }
      if (entry.dueAt <= now) setDueAt(entry, nextTime(entry, now + LOOKAHEAD));
      return claimOf(entry, now, entry.dueAt);
    },

    // The monitor may have been deleted.
    release: async (monitorIds) => {
      for (const id of monitorIds) changedMonitors.add(id);
    },

    beat: async () => {},

    followClock: async () => {
      await refresh();
      const now = clock.now();
      if (now < tickedAt - CLOCK_JUMP_MS) {
        for (const entry of entries.values()) {
          if (entry.dueAt > now + CLOCK_JUMP_MS + entry.interval) setDueAt(entry, nextTime(entry, now));
        }
      }
      tickedAt = now;
    },

    signOff: async () => {},
  };
};
