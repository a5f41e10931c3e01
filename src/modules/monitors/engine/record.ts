import { and, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { monitors, monitorStates as states } from "../../../db/schema";
import { appendBytes, hex, isOneOf, lock, lockRows, withValues } from "../../../db/sql";
import { HOUR, SECOND } from "../../../shared/limits";
import { presentPhases } from "../../../shared/monitor";
import { type Change, report } from "../../alerting/report";
import { longEntry, shortEntry } from "../history/pack";
import { isMostlySlow, slowError, withAnswer, withAnswerSql } from "../history/slow";
import type { Check } from "./run-check";

/** A finished check of a claimed monitor. */
export type Result = Check & {
  monitorId: number;
  revision: number;
  /** The status at the claim, to recognize a change. Without it, a change is assumed. */
  previous?: "up" | "down" | "pending";
  /** Which of the last answers were slow at the claim. Without it, a change is assumed. */
  slowBits?: number;
  /** Of a missing ping. */
  missed?: Missed | undefined;
  /** Whether the check was due by the schedule or asked for by a caller, and does not follow the change of another monitor. */
  isOwn?: boolean;
};

/** When a ping was expected that is missing, and when the job was last known to be well. */
export type Missed = { at: number; after: number | null };

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

type Store = Pick<Deps, "db" | "live" | "clock" | "log">;

/**
 * Writes results: each check is appended to the pack of its monitor's state, and changes of state are reported. Nothing is
 * written for a monitor that was deleted or changed, or claimed by another instance, since its claim. `instance` has the
 * stored claims of the monitors; null when claims are held in memory.
 */
export const recordResults = async (
  deps: Store,
  instance: string | null,
  results: readonly Result[],
): Promise<void> => {
  if (results.length === 0) return;
  const claimed = instance === null ? sql`true` : isClaimedBy(instance);
  const isMeant = isOneOf(
    states.monitorId,
    results.map(({ monitorId }) => monitorId),
  );
  await deps.db.transact(async (tx) => {
    // Transactions that delete, change or claim one of these monitors run before or after this one.
    await lock(tx, lockRows(states, states.monitorId, and(isMeant, claimed)));
    await report({ ...deps, db: tx }, "monitor", await readChanges(tx, results, claimed));
    const release = sql`update ${states} set claimed_by = null where ${isMeant} and ${claimed}`;
    await tx.atomically(() => [
      ...countSlow(results.filter(isTimed), claimed),
      writeChecks(results, claimed),
      ...(instance === null ? [] : [release]),
    ]);
  });
};

/** The statement that writes checks. One may be stored already, by a write whose response was lost, and its monitor claimed again since. */
const writeChecks = (results: readonly Result[], claimed: SQL): SQL =>
  sql`${valuesOf(results)} update ${states} set
      changed_at = case when ${pausedOr(sql`${states.status} = case when r.up then 'up' else 'down' end`)} then ${states.changedAt} else r.checked_at end,
      status = case when ${states.nextCheckAt} is null then ${states.status} when r.up then 'up' else 'down' end, response_time = r.response_time, last_checked_at = r.checked_at,
      first_checked_at = coalesce(${states.firstCheckedAt}, r.checked_at),
      cert_expires_at = coalesce(r.cert_expires_at, ${states.certExpiresAt}), cert_fingerprint = coalesce(r.cert_fingerprint, ${states.certFingerprint}),
      records = r.records, pack_hour = coalesce(${states.packHour}, ${hour(sql`r.checked_at`)}), pack = ${appendBytes(states.pack, entry)}, claimed_by = null
    from results as r
    where r.monitor_id = ${states.monitorId} and r.revision = ${states.revision} and ${claimed}
      and (${states.lastCheckedAt} is null or ${states.lastCheckedAt} <> r.checked_at)`;

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
      result.certExpiresAt,
      result.certFingerprint ?? null,
      result.records ?? result.registration ?? null,
      hex(shortEntry(result)),
      hex(longEntry(result)),
    ]),
  );

type State = Pick<typeof states.$inferSelect, "status" | "changedAt" | "lastCheckedAt" | "slowBits"> & {
  /** Milliseconds; 0 if the end of an outage is found no sooner than its start. */
  interval: number;
};

/** When an outage began, and the last good check before it: a job that reports its failure was well until then. */
const startOf = ({ missed, error, isOwn = true }: Result, { status, lastCheckedAt, interval }: State) => {
  if (missed) return { startedAt: missed.at, startedAfter: missed.after };
  const isReported = error?.code === "heartbeat_failed" || error?.code === "heartbeat_exit";
  if (status !== "up" || isReported) return {};
  // A check that follows the change of another monitor of the host finds an outage soon after its beginning.
  return { startedAfter: lastCheckedAt, interval: isOwn ? interval : undefined };
};

/** The changes to report of a result. A failed check of a monitor that is down opens an outage if pausing ended it. */
const changesOf = (result: Result, state: State): Change[] => {
  const { status, changedAt, slowBits } = state;
  const { monitorId: targetId, checkedAt: at, up, error, address } = result;
  const wasDown = status === "down";
  const checkOf = (failed: boolean) => {
    const phases = presentPhases(result.phases);
    return { failed, address, facts: phases && { phases } };
  };
  if (!up) {
    const began = { ...startOf(result, state), since: at, silent: wasDown };
    return [{ targetId, kind: "down", at, opens: true, ...began, error, check: checkOf(true) }];
  }
  const recovery: Change[] = wasDown ? [{ targetId, kind: "down", at, opens: false, since: changedAt }] : [];
  const opens = isDegradedBy({ ...result, slowBits });
  if (opens === isMostlySlow(slowBits)) return recovery;
  const slow = opens ? { since: at, error: slowError(result), check: checkOf(false) } : {};
  return [...recovery, { targetId, kind: "slow", at, opens, ...slow }];
};

/**
 * The changes by results: a monitor that stays up costs nothing. Paused monitors are left out, because pausing has closed their
 * outage, and results that are stored already, which are not counted again.
 */
const readChanges = async (db: Store["db"], results: readonly Result[], claimed: SQL): Promise<Change[]> => {
  const notable = results.filter((result) => !result.up || isChange(result) || isSlowChange(result));
  if (notable.length === 0) return [];
  const ids = notable.map(({ monitorId }) => monitorId);
  // Raw SQL, because the query builder takes longer than the query.
  const rows =
    await db.rows(sql`select monitor_id, revision, next_check_at, last_checked_at, status, changed_at, slow_bits,
      (select case when ${monitors.quickRecheck} then ${monitors.interval} end from ${monitors} where ${monitors.id} = ${states.monitorId}) as seconds
    from ${states} where ${isOneOf(states.monitorId, ids)} and ${claimed}`);
  const stored = new Map(rows.map((row) => [Number(row.monitor_id), row]));
  return notable.flatMap((result) => {
    const row = stored.get(result.monitorId);
    if (!row || Number(row.revision) !== result.revision || row.next_check_at === null) return [];
    const lastCheckedAt = row.last_checked_at === null ? null : Number(row.last_checked_at);
    if (lastCheckedAt === result.checkedAt) return [];
    const changedAt = row.changed_at === null ? null : Number(row.changed_at);
    const status = row.status as State["status"];
    const interval = Number(row.seconds) * SECOND;
    return changesOf(result, { status, changedAt, lastCheckedAt, interval, slowBits: Number(row.slow_bits) });
  });
};

const SLOW_COLUMNS = { monitor_id: "bigint", revision: "integer", checked_at: "bigint", slow: "integer" } as const;

/** Counts slow answers. Monitors without a limit for their response time cost nothing. */
const countSlow = (results: readonly Timed[], claimed: SQL): SQL[] => {
  if (results.length === 0) return [];
  const rows = results.map(({ monitorId, revision, checkedAt, slow }) => [
    monitorId,
    revision,
    checkedAt,
    Number(slow),
  ]);
  return [
    sql`${withValues("results", SLOW_COLUMNS, rows)} update ${states} set slow_bits = ${withAnswerSql(states.slowBits, sql`r.slow`)}
      from results as r
      where r.monitor_id = ${states.monitorId} and r.revision = ${states.revision} and ${claimed}
        and ${states.nextCheckAt} is not null and (${states.lastCheckedAt} is null or ${states.lastCheckedAt} <> r.checked_at)`,
  ];
};
