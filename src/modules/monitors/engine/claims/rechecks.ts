/**
 * A monitor that is down is checked again soon while its outage is new, so that its end is known to a few seconds. After each
 * failed check it is due after a shorter interval, unless it is due earlier.
 */
import { type SQL, sql } from "drizzle-orm";
import { monitors, monitorStates as states } from "../../../../db/schema";
import { withValues } from "../../../../db/sql";
import type { Clock } from "../../../../lib/time";
import { MINUTE, SECOND } from "../../../../shared/limits";
import { QUICK_RECHECK } from "../../../../shared/monitor";
import type { Result } from "../record";
import { LOOKAHEAD } from "./claims";
import { nextTimeSql } from "./due-times";

/** How often a monitor is checked again, and for how long (ms). */
export const RECHECK_INTERVAL = QUICK_RECHECK.every * SECOND;
export const RECHECK_LENGTH = QUICK_RECHECK.minutes * MINUTE;

/** Monitors that one process checks again in RECHECK_INTERVAL: when very many fail, the checks of the others stay on time. */
const AT_ONCE = 1000;

/** Chooses the failed results whose monitors are checked again soon, up to the limit. */
export const createRecheckBudget = (clock: Pick<Clock, "now">) => {
  let [since, left] = [clock.now(), AT_ONCE];
  return (results: readonly Result[]): Result[] => {
    const now = clock.now();
    if (now < since || now - since >= RECHECK_INTERVAL) [since, left] = [now, AT_ONCE];
    const chosen = results.filter(({ up }) => !up).slice(0, left);
    left -= chosen.length;
    return chosen;
  };
};

const COLUMNS = { monitor_id: "bigint", revision: "integer", checked_at: "bigint" } as const;

/** Makes the monitors of these stored results due soon after `horizon`, if their outages began less than RECHECK_LENGTH ago. */
export const recheckSoon = (results: readonly Result[], horizon: number): SQL[] => {
  if (results.length === 0) return [];
  const soon = nextTimeSql(horizon, sql.raw(String(RECHECK_INTERVAL)));
  const rows = results.map(({ monitorId, revision, checkedAt }) => [monitorId, revision, checkedAt]);
  return [
    sql`${withValues("results", COLUMNS, rows)} update ${states} set next_check_at = ${soon}
    from results as r, ${monitors}
    where r.monitor_id = ${states.monitorId} and ${monitors.id} = ${states.monitorId}
      and ${states.revision} = r.revision and ${states.lastCheckedAt} = r.checked_at and ${states.status} = 'down'
      and ${states.changedAt} > ${horizon - LOOKAHEAD - RECHECK_LENGTH} and ${monitors.quickRecheck}
      and ${monitors.interval} > ${QUICK_RECHECK.every} and ${states.nextCheckAt} > ${soon}`,
  ];
};
