/**
 * When a check by the schedule or by hand finds that a monitor went down or recovered, its owner's other monitors of the same host are
 * checked at once: what stops together is known to be down within seconds, and is in one message.
 *
 * Only monitors that the change may apply to are checked: those that are up when one went down, and the reverse. These
 * checks trigger no others, and a host is followed at most once a minute in each direction.
 * A monitor that changes again and again is followed less and less often.
 */
import { sql } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { describeError } from "../../../../core/errors";
import { monitors, monitorStates as states } from "../../../../db/schema";
import { isOneOf, withValues } from "../../../../db/sql";
import { createCoalescedRunner } from "../../../../lib/concurrency";
import { createExpiringMap } from "../../../../lib/expiring-map";
import { HOUR, MINUTE } from "../../../../shared/limits";
import type { Claims } from "../claims/claims";
import type { ChecksInFlight, Claimed, Finished, ResultBuffer } from "../in-flight";
import { isChange } from "../record";
import type { CheckRunner } from "../run-check";

/** Monitors that are checked after one change. */
const MAX_SIBLINGS = 50;
/** Changes that are followed at a time, and that wait for it; the monitors of others are checked by their schedule. */
const [MAX_FOLLOWED, MAX_WAITING] = [100, 1000];
/** Hosts and monitors whose last change is remembered. */
const MAX_REMEMBERED = 10_000;
/** How long a host is not followed again in the same direction, and a monitor that has changed just once. */
const PAUSE = MINUTE;
const LONGEST_PAUSE = HOUR;

type Parts = {
  flights: ChecksInFlight;
  claims: Claims;
  results: ResultBuffer;
  runner: CheckRunner;
  stopping: () => boolean;
};

/** Whether a check found that a monitor went down or recovered, and was not itself started by a change of its host. */
const isFollowed = ({ isOwn, paused, host, up, previous }: Finished): boolean =>
  isOwn && !paused && host !== "" && (up ? previous === "down" : previous !== "down");

/** Decides which changes are followed, so that a host or a monitor that flaps does not cause a storm of checks. */
const createPauses = (clock: Deps["clock"]) => {
  const hosts = createExpiringMap<string, true>(MAX_REMEMBERED);
  const monitors = createExpiringMap<string, { pause: number; until: number }>(MAX_REMEMBERED);
  return ({ monitorId, teamId, host, up }: Finished): boolean => {
    const now = clock.now();
    const [ofHost, ofMonitor] = [`${teamId} ${host} ${up}`, `${monitorId} ${up}`];
    const last = monitors.get(ofMonitor, now);
    if (hosts.get(ofHost, now) || (last && now < last.until)) return false;
    const pause = last ? Math.min(2 * last.pause, LONGEST_PAUSE) : PAUSE;
    hosts.set(ofHost, true, now, { lifetime: PAUSE });
    // Remembered for longer than it rests, so that a change soon after that rests longer.
    monitors.set(ofMonitor, { pause, until: now + pause }, now, { lifetime: 4 * pause });
    return true;
  };
};

/** The other active monitors of the same owners and hosts that are still in the state before these changes. */
const readSiblings = async ({ db }: Pick<Deps, "db">, changes: readonly Finished[]): Promise<number[]> => {
  const columns = { monitor_id: "bigint", team_id: "bigint", host: "text", status: "text" } as const;
  const values = changes.map(({ monitorId, teamId, host, up }) => [monitorId, teamId, host, up ? "down" : "up"]);
  const rows = await db.rows(sql`${withValues("changed", columns, values)} select distinct id from (
      select m.id, row_number() over (partition by changed.monitor_id order by m.id) as nth
      from changed join ${monitors} as m on m.team_id = changed.team_id and m.host = changed.host and m.active
        and m.id <> changed.monitor_id
      join ${states} as s on s.monitor_id = m.id and s.status = changed.status
    ) as siblings where nth <= ${MAX_SIBLINGS}`);
  return rows.map(({ id }) => Number(id));
};

/** The monitors among these of whose hosts others have been claimed since their change, by any instance, and are not stored. */
const readFollowed = async ({ db }: Pick<Deps, "db">, monitorIds: readonly number[]): Promise<Set<number>> => {
  const rows = await db.rows(sql`select distinct changed.id from ${monitors} as changed
    join ${states} as own on own.monitor_id = changed.id
    join ${monitors} as m on m.team_id = changed.team_id and m.host = changed.host and m.id <> changed.id
    join ${states} as s on s.monitor_id = m.id and s.claimed_by is not null and s.due_at >= own.changed_at
    where ${isOneOf(sql`changed.id`, monitorIds)} and changed.host <> '' and s.status <> own.status`);
  return new Set(rows.map(({ id }) => Number(id)));
};

/** Follows changes of monitors with checks of the others of their hosts. */
export const createSiblings = (deps: Deps, { flights, claims, results, runner, stopping }: Parts) => {
  const mayFollow = createPauses(deps.clock);
  let waiting: Finished[] = [];
  /** The monitors whose changes are followed, with the checks that do so; null until these are started. */
  const followed = new Map<number, readonly Claimed[] | null>();

  /** Claims monitors that have no check in flight, and starts their checks within all limits. */
  const check = async (monitorIds: readonly number[]): Promise<readonly Claimed[]> => {
    // A result that is not written yet is of the time before the change.
    if (monitorIds.some((id) => flights.get(id)?.result)) await results.flush();
    const claimed = await claims.exclusively(async () => {
      const idle = await claims.claimIdle(monitorIds.filter((id) => !flights.get(id)));
      return idle.map((claim) => ({ ...claim, flight: flights.start(claim.monitorId) }));
    });
    await runner.startNow(claimed);
    return claimed;
  };

  const run = createCoalescedRunner(async () => {
    while (waiting.length > 0 && !stopping()) {
      const changes = waiting.splice(0, MAX_FOLLOWED);
      let started: readonly Claimed[] = [];
      try {
        const siblings = await readSiblings(deps, changes);
        if (siblings.length > 0 && !stopping()) started = await check(siblings);
      } catch (error) {
        deps.log.warn("other monitors of a host could not be checked at once", { error: describeError(error) });
      }
      for (const { monitorId } of changes) followed.set(monitorId, started);
    }
  });

  /** Whether the result of a check is known and brings no alert: results that change nothing are stored seconds later. */
  const isDone = ({ monitorId, flight }: Claimed): boolean => {
    const current = flights.get(monitorId);
    return current !== flight || (current.result !== undefined && !isChange(current.result));
  };

  return {
    /** Checks the siblings of the monitors that changed, by results that are stored. */
    follow: (stored: readonly Finished[]): void => {
      const changes = stored.filter((result) => isFollowed(result) && mayFollow(result));
      waiting = [...waiting, ...changes].slice(0, MAX_WAITING);
      for (const { monitorId } of waiting) followed.set(monitorId, null);
      if (changes.length > 0) void run();
    },

    /**
     * Filters monitors to those whose changes are followed by checks of others, by any instance, that have not ended or whose
     * changes are not stored yet.
     */
    followed: async (monitorIds: readonly number[]): Promise<number[]> => {
      for (const [monitorId, started] of followed) if (started?.every(isDone)) followed.delete(monitorId);
      const others = claims.shared ? await readFollowed(deps, monitorIds) : new Set<number>();
      return monitorIds.filter((id) => followed.has(id) || others.has(id));
    },
  };
};
