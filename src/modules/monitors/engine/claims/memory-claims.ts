import type { Deps } from "../../../../core/deps";
import { notFound } from "../../../../core/errors";
import { createMutex } from "../../../../lib/concurrency";
import { CLOCK_JUMP_MS } from "../../../../lib/time";
import { recordResults } from "../record";
import { type Claim, type Claims, LOOKAHEAD } from "./claims";
import { createSchedule, type Entry, nextTime, readStates } from "./schedule";

type Options = Pick<Deps, "db" | "clock" | "changedMonitors"> & {
  /** Whether a check of the monitor is in flight in this process. */
  isInFlight: (monitorId: number) => boolean;
};

const claimOf = (
  { id, revision, status, slowBits }: Pick<Entry, "id" | "revision" | "status" | "slowBits">,
  dueAt: number,
  nextCheckAt: number,
): Claim => ({
  monitorId: id,
  dueAt,
  nextCheckAt,
  revision,
  status,
  slowBits,
});

/** Claims of the only process on a SQLite database: what is in flight is claimed. */
export const createMemoryClaims = (deps: Options): Claims => {
  const { db, clock, changedMonitors, isInFlight } = deps;
  const schedule = createSchedule(deps);
  /** The latest time at which due times were computed. */
  let seenAt = Number.NEGATIVE_INFINITY;

  /** Claims a monitor for a check outside the schedule, which counts as the scheduled one if that is due. */
  const claimNow = (row: Parameters<typeof schedule.put>[0]): Claim => {
    const now = clock.now();
    seenAt = Math.max(seenAt, now);
    const entry = schedule.put(row);
    if (entry && entry.dueAt <= now) schedule.setDueAt(entry, nextTime(entry, now + LOOKAHEAD));
    return claimOf(entry ?? row, now, entry?.dueAt ?? Number.POSITIVE_INFINITY);
  };

  return {
    shared: false,
    exclusively: createMutex(),

    writeAndClaim: async (results, limit) => {
      if (results.length > 0) await db.atomically(() => recordResults(null, results));
      results.forEach(schedule.follow);
      const horizon = clock.now() + LOOKAHEAD;
      const taken = schedule.take(horizon, limit, ({ id }) => !isInFlight(id));
      return taken.map(({ entry, dueAt }) => claimOf(entry, dueAt, entry.dueAt));
    },

    claimOne: async (monitorId) => {
      const [row] = await readStates(deps, [monitorId]);
      if (!row) throw notFound("Monitor");
      return claimNow(row);
    },

    claimIdle: async (monitorIds) => {
      if (monitorIds.length === 0) return [];
      const rows = await readStates(deps, monitorIds);
      return rows.filter(({ dueAt }) => dueAt !== null).map(claimNow);
    },

    // The monitor may have been deleted.
    release: async (monitorIds) => {
      for (const id of monitorIds) changedMonitors.add(id);
    },

    beat: async () => {},

    followClock: async () => {
      await schedule.refresh();
      const now = clock.now();
      if (now < seenAt - CLOCK_JUMP_MS) schedule.resetFutureDueTimes(now);
      seenAt = now;
    },

    signOff: async () => {},
  };
};
