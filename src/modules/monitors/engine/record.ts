import { and, type SQL, sql } from "drizzle-orm";
import { checkDays, checkHours, checks, monitors, monitorStates as states } from "../../../db/schema";
import { isOneOf, lockRows, withValues } from "../../../db/sql";
import { DAY, HOUR } from "../../../shared/limits";
import { packRecent, RECENT_WIDTH } from "../../../shared/monitor";
import { writeEvents } from "../../notifications/events";
import { isClaimedBy } from "./claim";
import type { Check } from "./run-check";

/** A finished check of a claimed monitor. */
export type Result = Check & {
  monitorId: number;
  revision: number;
  /** The status at the claim, to recognize a change. Without it, a change is assumed. */
  previous?: "up" | "down" | "pending";
};

/** Whether a result may change the status of its monitor. */
export const isChange = ({ previous, up }: Result): boolean => previous !== (up ? "up" : "down");

const COLUMNS = {
  monitor_id: "bigint",
  revision: "integer",
  checked_at: "bigint",
  up: "boolean",
  response_time: "double precision",
  status_code: "integer",
  error_code: "text",
  error_detail: "json",
  cert_expires_at: "bigint",
  recent: "text",
} as const;

/**
 * The statements that write results: the checks, the sums of their hour and day, the state of each monitor, and events.
 * Nothing is written for a monitor that was deleted or changed, or claimed by another instance, since its claim.
 */
export const recordResults = (instance: string, results: readonly Result[]): SQL[] => {
  if (results.length === 0) return [];
  const values = valuesOf(results);
  const changed = results.filter(isChange);
  // A result may be stored already, by a write whose response was lost, and its monitor claimed again since.
  const current = sql`from results as r join ${states} as s on s.monitor_id = r.monitor_id and s.revision = r.revision and ${isClaimedBy(instance, sql.raw("s.claimed_by"))}
    where (s.last_checked_at is null or s.last_checked_at <> r.checked_at)`;
  const ids = results.map(({ monitorId }) => monitorId);
  return [
    // Transactions that delete, change or claim one of these monitors run before or after this one.
    ...lockRows(states, states.monitorId, and(isOneOf(states.monitorId, ids), isClaimedBy(instance))),
    sql`${values} insert into ${checks} (hour, monitor_id, checked_at, up, response_time, status_code, error_code, error_detail)
      select r.checked_at / ${sql.raw(String(HOUR))}, r.monitor_id, r.checked_at, r.up, r.response_time, r.status_code, r.error_code, r.error_detail
      ${current} on conflict do nothing`,
    addToSums(checkHours, HOUR, values, current),
    addToSums(checkDays, DAY, values, current),
    ...(changed.length > 0 ? [writeChanges(valuesOf(changed), instance)] : []),
    sql`${values} update ${states} set
        changed_at = case when ${pausedOr(sql`${states.status} = case when r.up then 'up' else 'down' end`)} then ${states.changedAt} else r.checked_at end,
        status = case when ${states.nextCheckAt} is null then ${states.status} when r.up then 'up' else 'down' end, response_time = r.response_time, last_checked_at = r.checked_at,
        cert_expires_at = coalesce(r.cert_expires_at, ${states.certExpiresAt}),
        recent = substr(${states.recent}, ${sql.raw(String(RECENT_WIDTH + 1))}) || r.recent, claimed_by = null
      from results as r
      where r.monitor_id = ${states.monitorId} and r.revision = ${states.revision} and ${isClaimedBy(instance)}
        and (${states.lastCheckedAt} is null or ${states.lastCheckedAt} <> r.checked_at)`,
    sql`${values}
      update ${states} set claimed_by = null
      where ${isClaimedBy(instance)} and ${states.monitorId} in (select r.monitor_id from results as r)`,
  ];
};

/** A paused monitor changes no state, so that its next event after it was resumed follows from the last one before. */
const pausedOr = (condition: SQL): SQL => sql`(${states.nextCheckAt} is null or ${condition})`;

const valuesOf = (results: readonly Result[]): SQL =>
  withValues(
    "results",
    COLUMNS,
    results.map((result) => [
      result.monitorId,
      result.revision,
      result.checkedAt,
      result.up,
      result.responseTime,
      result.statusCode,
      result.error?.code ?? null,
      result.error?.detail ?? null,
      result.certExpiresAt,
      packRecent({ at: result.checkedAt, up: result.up }),
    ]),
  );

/** Writes events for monitors that go down, from up or pending, and that recover. Paused monitors have none. */
const writeChanges = (values: SQL, instance: string): SQL =>
  writeEvents(
    sql`select m.user_id, case when r.up then 'recovery' else 'down' end, 'monitor', m.id, m.name, r.checked_at,
        case when r.up then s.changed_at else r.checked_at end, r.error_code, r.error_detail, cast(null as double precision), cast(null as double precision), cast(null as text)
      from results as r
      join ${states} as s on s.monitor_id = r.monitor_id and s.revision = r.revision and ${isClaimedBy(instance, sql.raw("s.claimed_by"))}
      join ${monitors} as m on m.id = s.monitor_id
      where m.active and r.up = (s.status = 'down')`,
    values,
  );

const addToSums = (table: typeof checkHours | typeof checkDays, length: number, values: SQL, current: SQL): SQL => {
  const least = (name: string, sign: "<" | ">") =>
    sql.raw(
      `case when t.${name} is null or excluded.${name} ${sign} t.${name} then coalesce(excluded.${name}, t.${name}) else t.${name} end`,
    );
  const add = (name: string) => sql.raw(`${name} = t.${name} + excluded.${name}`);
  return sql`${values} insert into ${table} as t (bucket, monitor_id, up, down, answered, total_time, min_time, max_time)
    select r.checked_at / ${sql.raw(String(length))}, r.monitor_id, case when r.up then 1 else 0 end, case when r.up then 0 else 1 end,
      case when r.response_time is null then 0 else 1 end, coalesce(r.response_time, 0), r.response_time, r.response_time
    ${current}
    on conflict (bucket, monitor_id) do update set
      ${add("up")}, ${add("down")}, ${add("answered")}, ${add("total_time")},
      min_time = ${least("min_time", "<")}, max_time = ${least("max_time", ">")}`;
};
