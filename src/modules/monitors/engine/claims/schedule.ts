import { eq, lt } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { monitors, monitorStates as states } from "../../../../db/schema";
import { isOneOf } from "../../../../db/sql";
import { CLOCK_JUMP_MS } from "../../../../lib/time";
import { SECOND } from "../../../../shared/limits";
import { NEVER } from "../../../../shared/monitor";
import { withAnswer } from "../../slow";
import type { Result } from "../record";
import { type Claim, LOOKAHEAD, SPREAD } from "./claims";

/** An active monitor. */
export type Entry = {
  id: number;
  /** Milliseconds. */
  interval: number;
  revision: number;
  status: Claim["status"];
  slowBits: number;
  /** The stored due time, which only changes of the monitor set. */
  storedDueAt: number;
  dueAt: number;
};

/** The first due time after `time`, as stored-claims.ts computes it in SQL. */
export const nextTime = ({ id, interval }: Pick<Entry, "id" | "interval">, time: number): number => {
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

const COLUMNS = {
  id: states.monitorId,
  interval: monitors.interval,
  revision: states.revision,
  status: states.status,
  slowBits: states.slowBits,
  dueAt: states.nextCheckAt,
  lastCheckedAt: states.lastCheckedAt,
};

const selectRows = ({ db }: Pick<Deps, "db">) =>
  db.select(COLUMNS).from(states).innerJoin(monitors, eq(monitors.id, states.monitorId));
type Row = Awaited<ReturnType<typeof selectRows>>[number];

/** The revision and state of monitors, active or not. */
export const readStates = (deps: Pick<Deps, "db">, monitorIds: readonly number[]): Promise<Row[]> =>
  selectRows(deps).where(isOneOf(states.monitorId, monitorIds));

type StoredEntry = Row & { interval: number; storedDueAt: number };

/** Before the schedule is loaded: a stored due time counts until the monitor is checked; then it is due an interval later. */
const loadedDueTime = (row: StoredEntry, now: number): number => {
  const { lastCheckedAt, storedDueAt } = row;
  const isDue = lastCheckedAt === null || storedDueAt >= lastCheckedAt;
  return isDue ? storedDueAt : nextTime(row, (lastCheckedAt ?? now) + LOOKAHEAD);
};

/** A monitor that was added, resumed or changed is due at its stored time, whenever it was checked before. */
const changedDueTime = (row: StoredEntry, known: Entry | undefined): number => {
  const isUnchanged =
    known?.storedDueAt === row.storedDueAt && known.revision === row.revision && known.interval === row.interval;
  return isUnchanged ? known.dueAt : row.storedDueAt;
};

/**
 * The due times of all active monitors in memory. They are read once; then only those of monitors that were changed.
 * Nothing is stored: a due time follows from the interval and the last check.
 */
export const createSchedule = (deps: Pick<Deps, "db" | "clock" | "changedMonitors">) => {
  const { clock, changedMonitors } = deps;
  const entries = new Map<number, Entry>();
  const timetable = createTimetable();
  let isLoaded = false;

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

  /** Adds or replaces a monitor; removes it if it is paused or never due. */
  const put = (row: Row): Entry | undefined => {
    const { id, revision, dueAt: storedDueAt } = row;
    const interval = row.interval * SECOND;
    const known = entries.get(id);
    drop(id);
    if (storedDueAt === null || storedDueAt === NEVER) return;
    const now = clock.now();
    const stored = { ...row, interval, storedDueAt };
    const due = isLoaded || known ? changedDueTime(stored, known) : loadedDueTime(stored, now);
    // The clock may have been ahead.
    const dueAt = due > now + CLOCK_JUMP_MS + interval ? nextTime(stored, now) : due;
    // A result that is not written yet may have changed the state.
    const current = known?.revision === revision ? known : row;
    const entry = { id, interval, revision, status: current.status, slowBits: current.slowBits, storedDueAt, dueAt };
    entries.set(id, entry);
    timetable.add(entry);
    return entry;
  };

  return {
    put,
    setDueAt,

    /** Reads all active monitors the first time, and then those that were changed. */
    refresh: async (): Promise<void> => {
      if (isLoaded && changedMonitors.size === 0) return;
      const ids = [...changedMonitors];
      const rows = await selectRows(deps).where(
        isLoaded ? isOneOf(states.monitorId, ids) : lt(states.nextCheckAt, NEVER),
      );
      for (const id of ids) changedMonitors.delete(id);
      const found = new Set(rows.map(({ id }) => id));
      for (const id of ids) if (!found.has(id)) drop(id);
      for (const row of rows) put(row);
      isLoaded = true;
    },

    /** Takes up to `limit` monitors that are due by `horizon`, and returns each with its due time; it is set to the next one. */
    take: (horizon: number, limit: number, isFree: (entry: Entry) => boolean): { entry: Entry; dueAt: number }[] =>
      timetable.take(horizon, limit, isFree).map((entry) => {
        const { dueAt } = entry;
        entry.dueAt = nextTime(entry, horizon);
        timetable.add(entry);
        return { entry, dueAt };
      }),

    /** Follows the result of a check of this revision. */
    follow: ({ monitorId, revision, up, slow }: Result): void => {
      const entry = entries.get(monitorId);
      if (entry?.revision !== revision) return;
      entry.status = up ? "up" : "down";
      if (up && slow !== undefined) entry.slowBits = withAnswer(entry.slowBits, slow);
    },

    /** After the clock was set back: resets due times that are more than an interval in the future. */
    resetFutureDueTimes: (now: number): void => {
      for (const entry of entries.values()) {
        if (entry.dueAt > now + CLOCK_JUMP_MS + entry.interval) setDueAt(entry, nextTime(entry, now));
      }
    },
  };
};
