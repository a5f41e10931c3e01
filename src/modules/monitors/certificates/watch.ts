/**
 * Alerts about certificates and domains that expire, decided from what the checks have stored, so that they are also sent while a monitor is down:
 *
 *   1. each hour   `alertExpiring` reports each threshold that was reached, and opens an outage with the first
 *   2. each minute `endOutages` ends the outages of certificates that were renewed, with an event
 *
 * A domain is handled like a certificate, with its expiry as the fingerprint. `certificate_alerts` has the thresholds that were
 * sent, each once for a certificate. Paused monitors have no alerts, and
 * keep their outage until they are resumed.
 */
import { and, asc, desc, eq, gt, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { insertMany } from "../../../db/insert-many";
import { certificateAlerts as alerts, monitors, monitorStates as states } from "../../../db/schema";
import { isOneOf, lock, lockRows } from "../../../db/sql";
import { CERTIFICATE_DAYS, EXPIRY_KINDS, type ExpiryKind, expiryError } from "../../../shared/certificate";
import { DAY } from "../../../shared/limits";
import { type Change, readOpenOutages, report } from "../../alerting/report";
import { kindOf } from "../kinds/registry";
import { dueThreshold, fateOf, type Sent, type Watched } from "./decide";

/** Monitors that are read at once. */
const PAGE = 500;

/** How long alerts about certificates that are not used any more are kept. */
const RETENTION = 400 * DAY;

type Store = Pick<Deps, "db" | "clock" | "live" | "log">;

type Row = Pick<typeof monitors.$inferSelect, "kind" | "config"> & {
  fingerprint: string | null;
  expiresAt: number | null;
};

const certificate = {
  monitorId: states.monitorId,
  kind: monitors.kind,
  config: monitors.config,
  fingerprint: states.certFingerprint,
  expiresAt: states.certExpiresAt,
};

const expiryKindOf = (kind: string): ExpiryKind => kindOf(kind)?.expires ?? "certificate";

/** The certificate of a monitor with its thresholds; null while none was seen. */
const watchedOf = ({ kind, config, fingerprint, expiresAt }: Row): Watched | null =>
  fingerprint === null || expiresAt === null
    ? null
    : { kind: expiryKindOf(kind), fingerprint, expiresAt, days: kindOf(kind)?.certificateDays?.(config) ?? [] };

/** Reads the certificates of active monitors, at most a page, in the order of their ids. */
const readCertificates = ({ db }: Store, condition: SQL | undefined) =>
  db
    .select(certificate)
    .from(states)
    .innerJoin(monitors, eq(monitors.id, states.monitorId))
    .where(and(condition, isNotNull(states.certFingerprint), eq(monitors.active, true)))
    .orderBy(asc(states.monitorId))
    .limit(PAGE);

/** The shortest threshold that was sent about each certificate of these monitors. */
const readTightest = async (
  { db }: Store,
  ids: readonly number[],
): Promise<(of: Row & { monitorId: number }) => number | undefined> => {
  const rows = await db
    .select({ monitorId: alerts.monitorId, fingerprint: alerts.fingerprint, days: sql<number>`min(${alerts.days})` })
    .from(alerts)
    .where(isOneOf(alerts.monitorId, ids))
    .groupBy(alerts.monitorId, alerts.fingerprint);
  const daysByCertificate = new Map(
    rows.map(({ monitorId, fingerprint, days }) => [`${monitorId} ${fingerprint}`, Number(days)]),
  );
  return ({ monitorId, fingerprint }) => daysByCertificate.get(`${monitorId} ${fingerprint}`);
};

type Due = { monitorId: number; watched: Watched; threshold: number };

const findDue = async (deps: Store, rows: readonly (Row & { monitorId: number })[], now: number): Promise<Due[]> => {
  if (rows.length === 0) return [];
  const tightestOf = await readTightest(
    deps,
    rows.map(({ monitorId }) => monitorId),
  );
  return rows.flatMap((row): Due[] => {
    const watched = watchedOf(row);
    const threshold = watched && dueThreshold(watched, tightestOf(row), now);
    return watched && threshold !== null ? [{ monitorId: row.monitorId, watched, threshold }] : [];
  });
};

/** Runs `body` while no check, change or other instance writes the states of these monitors. */
const withLock = <T>(
  deps: Store,
  ids: readonly number[],
  body: (deps: Store, isMeant: SQL) => Promise<T>,
): Promise<T> =>
  deps.db.transact(async (tx) => {
    const isMeant = isOneOf(states.monitorId, ids);
    await lock(tx, lockRows(states, states.monitorId, isMeant));
    return body({ ...deps, db: tx }, isMeant);
  });

const writeDue = async (deps: Store, due: readonly Due[], now: number): Promise<void> => {
  const changes = due.map(
    ({ monitorId, watched: { kind, expiresAt } }): Change => ({
      ...{ targetId: monitorId, kind, at: now, opens: true, error: expiryError(kind, expiresAt, now) },
    }),
  );
  await report(deps, "monitor", changes);
  const rows = due.map(({ monitorId, watched: { fingerprint }, threshold }) => ({
    ...{ monitorId, fingerprint, days: threshold, at: now },
  }));
  await insertMany(deps.db, alerts, rows);
};

/** Writes the alerts that are due, and returns whether there were any. */
export const alertExpiring = async (deps: Store): Promise<boolean> => {
  const { db, clock } = deps;
  const now = clock.now();
  const expiresSoon = lte(states.certExpiresAt, now + CERTIFICATE_DAYS.longest * DAY);
  let written = false;
  for (let after = 0; ; ) {
    const page = await readCertificates(deps, and(gt(states.monitorId, after), expiresSoon));
    const candidates = await findDue(deps, page, now);
    const ids = candidates.map(({ monitorId }) => monitorId);
    if (ids.length > 0)
      await withLock(deps, ids, async (store, isMeant) => {
        const due = await findDue(store, await readCertificates(store, isMeant), now);
        await writeDue(store, due, now);
        written ||= due.length > 0;
      });
    after = page.at(-1)?.monitorId ?? 0;
    if (page.length < PAGE) break;
  }
  await db.rows(sql`delete from ${alerts} where at < ${now - RETENTION} and not exists (select 1 from ${states}
    where ${states.monitorId} = ${alerts.monitorId} and ${states.certFingerprint} = ${alerts.fingerprint})`);
  return written;
};

/** What changes in the open outages of certificates of active monitors, of some or of all. */
const findChanges = async (deps: Store, now: number, only?: readonly number[]): Promise<Change[]> => {
  const { db } = deps;
  const open = await readOpenOutages(deps, "monitor", EXPIRY_KINDS, only);
  const ids = open.map(({ targetId }) => targetId);
  if (ids.length === 0) return [];
  const read = db.select(certificate).from(states).innerJoin(monitors, eq(monitors.id, states.monitorId));
  const rows = await read.where(and(isOneOf(states.monitorId, ids), eq(monitors.active, true)));
  const byMonitor = new Map(rows.map((row) => [row.monitorId, watchedOf(row)]));
  const sent = await db
    .select()
    .from(alerts)
    .where(isOneOf(alerts.monitorId, ids))
    .orderBy(asc(alerts.at), desc(alerts.days));
  const last = new Map<number, Sent>(sent.map((alert) => [alert.monitorId, alert]));
  return open.flatMap(({ targetId, errorCode, errorDetail }): Change[] => {
    const [watched, alert] = [byMonitor.get(targetId), last.get(targetId)];
    if (!watched || !alert) return [];
    const change = { targetId, kind: watched.kind, at: now };
    const fate = fateOf(watched, alert, now);
    if (fate !== "open") return [{ ...change, opens: false, silent: fate === "ended" }];
    const error = expiryError(watched.kind, watched.expiresAt, now);
    const isSame = error.code === errorCode && Bun.deepEquals(error.detail, errorDetail);
    return isSame ? [] : [{ ...change, opens: true, silent: true, error }];
  });
};

/**
 * Ends the outages of certificates that were renewed or whose thresholds were shortened, and brings the days that are left
 * in the others up to date. Returns whether events were written.
 */
export const endOutages = async (deps: Store): Promise<boolean> => {
  const now = deps.clock.now();
  const ids = (await findChanges(deps, now)).map(({ targetId }) => targetId);
  if (ids.length === 0) return false;
  return withLock(deps, ids, async (store) => {
    const changes = await findChanges(store, now, ids);
    await report(store, "monitor", changes);
    return changes.some(({ silent }) => !silent);
  });
};
