import { and, eq, gt, lt } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { notFound } from "../../../../core/errors";
import { monitors, monitorStates as states } from "../../../../db/schema";
import { isOneOf } from "../../../../db/sql";
import { createMutex } from "../../../../lib/concurrency";
import { CLOCK_JUMP_MS } from "../../../../lib/time";
import { SECOND } from "../../../../shared/limits";
import { NEVER } from "../../../../shared/monitor";
import { withAnswer } from "../../history/slow";
import { type Result, recordResults } from "../record";
import { type Claim, type Claims, LOOKAHEAD, RELEASED_WITHIN } from "./claims";
import { longestPause, nextTime } from "./due-times";
import { createRecheckBudget, RECHECK_INTERVAL, RECHECK_LENGTH } from "./rechecks";

/** An active monitor. */
type Entry = Pick<Claim, "revision" | "status" | "slowBits"> & {
  id: number;
  /** Milliseconds. */
  interval: number;
  /** Whether it is checked again soon while its outage is new, and when it last went up or down. */
  quickRecheck: boolean;
  changedAt: number | null;
  /** The stored due time, which only changes of the monitor set. */
  storedDueAt: number;
  dueAt: number;
};

/** Active monitors in slots of a second each, so that what is due is found without reading the rest. */
const createTimetable = () => {
  const slots = new Map<number, Set<Entry>>();
  const slotOf = ({ dueAt }: Entry) => Math.floor(dueAt / SECOND);
  return {
    add: (entry: Entry): void => {
      const slot = slotOf(entry);
      slots.set(slot, (slots.get(slot) ?? new Set()).add(entry));
    },

    remove: (entry: Entry): void => {
      const entries = slots.get(slotOf(entry));
      if (entries?.delete(entry) && entries.size === 0) slots.delete(slotOf(entry));
    },

    /** Finds up to `limit` entries that are due by `horizon` and pass `isFree`, the most overdue first. */
    find: (horizon: number, limit: number, isFree: (entry: Entry) => boolean): Entry[] => {
      const due: Entry[] = [];
      const passed = [...slots.keys()].filter((slot) => slot * SECOND <= horizon);
      for (const slot of passed.sort((a, b) => a - b)) {
        if (due.length >= limit) break;
        const free = [...(slots.get(slot) ?? [])].filter((entry) => entry.dueAt <= horizon && isFree(entry));
        due.push(...free.sort((a, b) => a.dueAt - b.dueAt).slice(0, limit - due.length));
      }
      return due;
    },
  };
};

const COLUMNS = {
  id: states.monitorId,
  interval: monitors.interval,
  revision: states.revision,
  status: states.status,
  slowBits: states.slowBits,
  quickRecheck: monitors.quickRecheck,
  changedAt: states.changedAt,
  storedDueAt: states.nextCheckAt,
  lastCheckedAt: states.lastCheckedAt,
};

const selectRows = ({ db }: Pick<Deps, "db">) =>
  db.select(COLUMNS).from(states).innerJoin(monitors, eq(monitors.id, states.monitorId));
type Row = Awaited<ReturnType<typeof selectRows>>[number];

/** Monitors that are read at a time at the start: all at once would take a kilobyte each. */
const PAGE = 10_000;

/**
 * The due times of all active monitors in memory. They are read once, and again when a monitor was changed.
 * Nothing is stored: a due time follows from the interval and the last check.
 */
const createSchedule = (deps: Pick<Deps, "db" | "clock" | "changedMonitors">) => {
  const entries = new Map<number, Entry>();
  const timetable = createTimetable();
  let isLoaded = false;

  const setDueAt = (entry: Entry, dueAt: number): void => {
    timetable.remove(entry);
    entry.dueAt = dueAt;
    timetable.add(entry);
  };

  const drop = (id: number): Entry | undefined => {
    const entry = entries.get(id);
    if (entry) timetable.remove(entry);
    entries.delete(id);
    return entry;
  };

  /**
   * When a monitor is due. The stored time counts after it was added, resumed or changed, and at the start until it is
   * checked; then it is due an interval later.
   */
  const dueTimeOf = (stored: Omit<Entry, "dueAt">, lastCheckedAt: number | null, before: Entry | undefined): number => {
    const { storedDueAt, revision, interval } = stored;
    if (before?.storedDueAt === storedDueAt && before.revision === revision && before.interval === interval)
      return before.dueAt;
    const isNew = isLoaded || before !== undefined || lastCheckedAt === null || storedDueAt >= lastCheckedAt;
    return isNew ? storedDueAt : nextTime(stored, lastCheckedAt + LOOKAHEAD);
  };

  /** Adds or replaces a monitor; removes it if it is paused or never due. */
  const put = ({ storedDueAt, lastCheckedAt, ...row }: Row): Entry | undefined => {
    const before = drop(row.id);
    if (storedDueAt === null || storedDueAt === NEVER) return;
    const now = deps.clock.now();
    const stored = { ...row, interval: row.interval * SECOND, storedDueAt };
    const dueAt = dueTimeOf(stored, lastCheckedAt, before);
    // A result that is not written yet may have changed the state.
    const { status, slowBits, changedAt } = before?.revision === row.revision ? before : row;
    // The clock may have been ahead.
    const isTooFar = dueAt > now + CLOCK_JUMP_MS + longestPause(stored.interval);
    const entry = { ...stored, status, slowBits, changedAt, dueAt: isTooFar ? nextTime(stored, now) : dueAt };
    entries.set(row.id, entry);
    timetable.add(entry);
    return entry;
  };

  const readStates = (ids: readonly number[]) => selectRows(deps).where(isOneOf(states.monitorId, ids));

  const load = async (): Promise<void> => {
    for (let last = 0; !isLoaded; ) {
      const rows = await selectRows(deps)
        .where(and(gt(states.monitorId, last), lt(states.nextCheckAt, NEVER)))
        .orderBy(states.monitorId)
        .limit(PAGE);
      rows.forEach(put);
      last = rows.at(-1)?.id ?? last;
      isLoaded = rows.length < PAGE;
    }
  };

  return {
    entries,
    timetable,
    setDueAt,
    put,
    /** The revision and state of monitors, active or not. */
    readStates,

    /** Reads all active monitors the first time, and then those that were changed. */
    refresh: async (): Promise<void> => {
      const changed = [...deps.changedMonitors];
      if (!isLoaded) await load();
      if (changed.length === 0) return;
      const rows = await readStates(changed);
      const stored = new Set(rows.map(({ id }) => id));
      for (const id of changed) {
        deps.changedMonitors.delete(id);
        if (!stored.has(id)) drop(id);
      }
      rows.forEach(put);
    },
  };
};

type Options = Pick<Deps, "db" | "clock" | "log" | "live" | "changedMonitors"> & {
  /** Whether a check of the monitor is in flight in this process. */
  isInFlight: (monitorId: number) => boolean;
};

type State = Pick<Entry, "id" | "revision" | "status" | "slowBits">;
const claimOf = ({ id, revision, status, slowBits }: State, dueAt: number, nextCheckAt: number): Claim => ({
  ...{ monitorId: id, dueAt, nextCheckAt },
  ...{ revision, status, slowBits },
});

/** Claims of the only process on a SQLite database: a check in flight is a claim. */
export const createMemoryClaims = ({ isInFlight, ...deps }: Options): Claims => {
  const { clock, changedMonitors } = deps;
  const { entries, timetable, setDueAt, put, readStates, refresh } = createSchedule(deps);
  const takeFailed = createRecheckBudget(clock);
  /** When due times were computed last. */
  let seenAt = Number.NEGATIVE_INFINITY;

  /** Makes a monitor due soon after a failed check, if its outage is new. */
  const recheckSoon = ({ monitorId, revision }: Result, now: number): void => {
    const entry = entries.get(monitorId);
    if (entry?.revision !== revision || !entry.quickRecheck || (entry.changedAt ?? 0) <= now - RECHECK_LENGTH) return;
    const soon = nextTime({ id: monitorId, interval: RECHECK_INTERVAL }, now + LOOKAHEAD);
    if (entry.interval > RECHECK_INTERVAL && soon < entry.dueAt) setDueAt(entry, soon);
  };

  /** Claims a monitor for a check outside the schedule, which counts as the scheduled one if that is due. */
  const claimNow = (row: Row): Claim => {
    const now = clock.now();
    seenAt = Math.max(seenAt, now);
    const entry = put(row);
    if (entry && entry.dueAt <= now) setDueAt(entry, nextTime(entry, now + LOOKAHEAD));
    return claimOf(entry ?? row, now, entry?.dueAt ?? Number.POSITIVE_INFINITY);
  };

  return {
    shared: false,
    exclusively: createMutex(),

    writeAndClaim: async (results, limit) => {
      await recordResults(deps, null, results);
      for (const { monitorId, revision, checkedAt, up, slow } of results) {
        const entry = entries.get(monitorId);
        if (entry?.revision !== revision) continue;
        const status = up ? "up" : "down";
        if (entry.status !== status) entry.changedAt = checkedAt;
        entry.status = status;
        if (up && slow !== undefined) entry.slowBits = withAnswer(entry.slowBits, slow);
      }
      const now = clock.now();
      for (const failed of takeFailed(results)) recheckSoon(failed, now);
      const horizon = now + LOOKAHEAD;
      return timetable
        .find(horizon, limit, ({ id }) => !isInFlight(id))
        .map((entry) => {
          const { dueAt } = entry;
          setDueAt(entry, nextTime(entry, horizon));
          return claimOf(entry, dueAt, entry.dueAt);
        });
    },

    claimOne: async (monitorId) => {
      const [row] = await readStates([monitorId]);
      if (!row) throw notFound("Monitor");
      return claimNow(row);
    },

    claimIdle: async (monitorIds) => {
      if (monitorIds.length === 0) return [];
      const rows = await readStates(monitorIds);
      return rows.filter(({ storedDueAt }) => storedDueAt !== null).map(claimNow);
    },

    // The monitor may have been deleted.
    release: async (monitorIds, isSoon = false) => {
      for (const id of monitorIds) {
        changedMonitors.add(id);
        const entry = isSoon && entries.get(id);
        if (entry) setDueAt(entry, Math.min(entry.dueAt, nextTime({ id, interval: RELEASED_WITHIN }, clock.now())));
      }
    },

    beat: async () => {},

    followClock: async () => {
      await refresh();
      const now = clock.now();
      // The clock was set back.
      if (now < seenAt - CLOCK_JUMP_MS)
        for (const entry of entries.values())
          if (entry.dueAt > now + CLOCK_JUMP_MS + longestPause(entry.interval)) setDueAt(entry, nextTime(entry, now));
      seenAt = now;
    },

    signOff: async () => {},
  };
};
