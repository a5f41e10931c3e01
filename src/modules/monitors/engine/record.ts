import { and, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { monitors, monitorStates as states } from "../../../db/schema";
import { appendBytes, hex, isOneOf, lockRows, withValues } from "../../../db/sql";
import { HOUR } from "../../../shared/limits";
import { presentPhases } from "../../../shared/monitor";
import type { AlertFacts } from "../../../shared/notifications";
import { writeEvents } from "../../alerting/events";
import { closeOutages, openOutages, openSince } from "../../alerting/outages/statements";
import { longEntry, shortEntry } from "../history/pack";
import { isMostlySlow, isMostlySlowSql, slowError, withAnswer, withAnswerSql } from "../history/slow";
import type { Check } from "./run-check";

/** A finished check of a claimed monitor. */
export type Result = Check & {
  monitorId: number;
  revision: number;
  /** The status at the claim, to recognize a change. Without it, a change is assumed. */
  previous?: "up" | "down" | "pending";
  /** Which of the last answers were slow at the claim. Without it, a change is assumed. */
  slowBits?: number;
};

/** A result with whether the target answered slowly. */
type Timed = Result & { slow: boolean };
const isTimed = (result: Result): result is Timed => result.up && result.slow !== undefined;

/** Whether a monitor is degraded after a result, if it is up then. */
export const isDegradedBy = (result: Result): boolean => {
  const { slowBits = 0 } = result;
  return isMostlySlow(isTimed(result) ? withAnswer(slowBits, result.slow) : slowBits);
};

/** Whether a result may change the status of its monitor. */
export const isChange = ({ previous, up }: Result): boolean => previous !== (up ? "up" : "down");

/** Whether a monitor may become degraded by a result, or does not stay so. */
export const isSlowChange = (result: Result): boolean =>
  isTimed(result) && (result.slowBits === undefined || isMostlySlow(result.slowBits) !== isDegradedBy(result));

const COLUMNS = {
  monitor_id: "bigint",
  revision: "integer",
  checked_at: "bigint",
  up: "boolean",
  response_time: "double precision",
  error_code: "text",
  error_detail: "json",
  cert_expires_at: "bigint",
  cert_fingerprint: "text",
  records: "json",
  short_entry: "bytes",
  long_entry: "bytes",
} as const;

/**
 * The condition that this instance has claimed the monitor. `coalesce` hides the column's statistics from PostgreSQL's
 * planner: collected while nothing was claimed, they would lead to a nested loop over thousands of claims and results.
 */
export const isClaimedBy = (instance: string, claimedBy: SQLWrapper = states.claimedBy): SQL =>
  sql`coalesce(${claimedBy}, '') = ${instance}`;

const hour = (time: SQLWrapper | SQL): SQL => sql`${time} / ${sql.raw(String(HOUR))}`;

/** The entry of a check in the pack of its monitor: short after another one of the same hour. */
const entry = sql`case when r.short_entry is not null and ${states.packHour} is not null and ${hour(states.lastCheckedAt)} = ${hour(sql`r.checked_at`)}
  then r.short_entry else r.long_entry end`;

/**
 * The statements that write results: each check is appended to the pack of its monitor's state, and each change of state
 * is an event, and opens or closes an outage. Nothing is written for a monitor that was deleted or changed, or claimed
 * by another instance, since its claim. `instance` has the stored claims of the monitors; null when claims are held in
 * memory.
 */
export const recordResults = (instance: string | null, results: readonly Result[]): SQL[] => {
  if (results.length === 0) return [];
  const values = valuesOf(results);
  const changed = results.filter(isChange);
  const ids = results.map(({ monitorId }) => monitorId);
  const claimed = instance === null ? sql`true` : isClaimedBy(instance);
  const release = sql`${values}
      update ${states} set claimed_by = null
      where ${claimed} and ${states.monitorId} in (select r.monitor_id from results as r)`;
  return [
    // Transactions that delete, change or claim one of these monitors run before or after this one.
    ...lockRows(states, states.monitorId, and(isOneOf(states.monitorId, ids), claimed)),
    ...(changed.length > 0 ? [writeChanges(valuesOf(changed), claimed)] : []),
    ...writeOutages(results, claimed),
    ...writeSlow(results.filter(isTimed), claimed),
    // A result may be stored already, by a write whose response was lost, and its monitor claimed again since.
    sql`${values} update ${states} set
        changed_at = case when ${pausedOr(sql`${states.status} = case when r.up then 'up' else 'down' end`)} then ${states.changedAt} else r.checked_at end,
        status = case when ${states.nextCheckAt} is null then ${states.status} when r.up then 'up' else 'down' end, response_time = r.response_time, last_checked_at = r.checked_at,
        first_checked_at = coalesce(${states.firstCheckedAt}, r.checked_at),
        cert_expires_at = coalesce(r.cert_expires_at, ${states.certExpiresAt}), cert_fingerprint = coalesce(r.cert_fingerprint, ${states.certFingerprint}),
        records = r.records, pack_hour = coalesce(${states.packHour}, ${hour(sql`r.checked_at`)}), pack = ${appendBytes(states.pack, entry)}, claimed_by = null
      from results as r
      where r.monitor_id = ${states.monitorId} and r.revision = ${states.revision} and ${claimed}
        and (${states.lastCheckedAt} is null or ${states.lastCheckedAt} <> r.checked_at)`,
    ...(instance === null ? [] : [release]),
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
      result.error?.code ?? null,
      result.error?.detail ?? null,
      result.certExpiresAt,
      result.certFingerprint ?? null,
      result.records ?? null,
      hex(shortEntry(result)),
      hex(longEntry(result)),
    ]),
  );

/** The facts of an outage, from its first check. */
const outageFacts = (result: Result): AlertFacts | null => {
  const phases = presentPhases(result.phases);
  return phases && { phases };
};

/** Joins the results `r` of active monitors that are not stored already. */
const recorded = (claimed: SQL): SQL => sql`from results as r
      join ${states} on ${states.monitorId} = r.monitor_id and ${states.revision} = r.revision and ${claimed}
      join ${monitors} as m on m.id = ${states.monitorId}
      where m.active and (${states.lastCheckedAt} is null or ${states.lastCheckedAt} <> r.checked_at)`;

/** Writes events for monitors that go down, from up or pending, and that recover, except for paused monitors. */
const writeChanges = (values: SQL, claimed: SQL): SQL =>
  writeEvents(
    sql`select m.user_id, case when r.up then 'recovery' else 'down' end, 'monitor', m.id, m.name, r.checked_at,
        case when r.up then ${states.changedAt} else r.checked_at end, r.error_code, r.error_detail, cast(null as double precision), cast(null as double precision), cast(null as text)
      ${recorded(claimed)} and r.up = (${states.status} = 'down')`,
    values,
  );

const FAILED_COLUMNS = {
  monitor_id: "bigint",
  revision: "integer",
  checked_at: "bigint",
  error_code: "text",
  error_detail: "json",
  address: "text",
  facts: "json",
} as const;

const failedValuesOf = (results: readonly Result[]): SQL =>
  withValues(
    "results",
    FAILED_COLUMNS,
    results.map((result) => {
      const { monitorId, revision, checkedAt, error, address } = result;
      return [monitorId, revision, checkedAt, error?.code, error?.detail, address, outageFacts(result)];
    }),
  );

/**
 * Opens and extends outages by failed checks, and closes them by changes to up: a monitor that stays up costs nothing. Paused
 * monitors are skipped: pausing has closed their outage. A result that is stored already is not counted again.
 */
const writeOutages = (results: readonly Result[], claimed: SQL): SQL[] => {
  const [failed, recovered] = [results.filter(({ up }) => !up), results.filter((one) => one.up && isChange(one))];
  const open = sql`select m.user_id, 'monitor', m.id, 'down', r.checked_at, r.error_code, r.error_detail, r.error_code, 1, r.address, r.facts ${recorded(claimed)}`;
  const close = sql`select 'monitor' as target_type, m.id as target_id, 'down' as kind, r.checked_at as ended_at ${recorded(claimed)}`;
  return [
    ...(failed.length > 0 ? [openOutages(open, failedValuesOf(failed))] : []),
    ...(recovered.length > 0 ? [closeOutages(close, valuesOf(recovered))] : []),
  ];
};

const SLOW_COLUMNS = {
  monitor_id: "bigint",
  revision: "integer",
  checked_at: "bigint",
  slow: "integer",
} as const;
const SLOW_CHANGE_COLUMNS = { ...SLOW_COLUMNS, error_code: "text", error_detail: "json", facts: "json" } as const;

const slowRow = ({ monitorId, revision, checkedAt, slow }: Timed) => [monitorId, revision, checkedAt, Number(slow)];

const slowChangesOf = (results: readonly Timed[]): SQL =>
  withValues(
    "results",
    SLOW_CHANGE_COLUMNS,
    results.map((result) => {
      const { code, detail } = slowError(result);
      return [...slowRow(result), code, detail, outageFacts(result)];
    }),
  );

/**
 * Counts slow answers, and writes an event and opens or closes an outage where a monitor becomes degraded or is not any
 * more. Monitors without a limit for their response time cost nothing.
 */
const writeSlow = (results: readonly Timed[], claimed: SQL): SQL[] => {
  if (results.length === 0) return [];
  const after = withAnswerSql(states.slowBits, sql`r.slow`);
  const [was, is] = [isMostlySlowSql(states.slowBits), isMostlySlowSql(after)];
  const since = openSince("monitor", sql`m.id`, "slow");
  const changed = results.filter(isSlowChange);
  const values = slowChangesOf(changed);
  const count = sql`${withValues("results", SLOW_COLUMNS, results.map(slowRow))} update ${states} set slow_bits = ${after} from results as r
    where r.monitor_id = ${states.monitorId} and r.revision = ${states.revision} and ${claimed}
      and ${states.nextCheckAt} is not null and (${states.lastCheckedAt} is null or ${states.lastCheckedAt} <> r.checked_at)`;
  if (changed.length === 0) return [count];
  return [
    writeEvents(
      sql`select m.user_id, case when ${is} then 'slow' else 'slow_normal' end, 'monitor', m.id, m.name, r.checked_at,
          case when ${is} then r.checked_at else ${since} end, case when ${is} then r.error_code end,
          case when ${is} then r.error_detail end, cast(null as double precision), cast(null as double precision), cast(null as text)
        ${recorded(claimed)} and ${was} <> ${is}`,
      values,
    ),
    openOutages(
      sql`select m.user_id, 'monitor', m.id, 'slow', r.checked_at, r.error_code, r.error_detail, r.error_code, cast(null as integer), cast(null as text), r.facts ${recorded(claimed)} and ${is} and not ${was}`,
      values,
    ),
    closeOutages(
      sql`select 'monitor' as target_type, m.id as target_id, 'slow' as kind, r.checked_at as ended_at ${recorded(claimed)} and ${was} and not ${is}`,
      values,
    ),
    count,
  ];
};
