/**
 * Alerts about certificates, decided from what the checks have stored, so that they are also sent while a monitor is down:
 *
 *   1. each hour   `alertExpiring` writes an event for each threshold that was reached, and opens an outage with the first
 *   2. each minute `endOutages` ends the outages of certificates that were renewed, with an event
 *
 * `certificate_alerts` has the thresholds that were sent, each once for a certificate. Paused monitors have no alerts, and
 * keep their outage until they are resumed.
 */
import { and, asc, desc, eq, gt, isNotNull, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { certificateAlerts as alerts, monitors, outages, monitorStates as states } from "../../../db/schema";
import { isOneOf, lockRows, withValues } from "../../../db/sql";
import { CERTIFICATE_DAYS, expiryError } from "../../../shared/certificate";
import { DAY } from "../../../shared/limits";
import { writeEvents } from "../../alerting/events";
import { publishOutages } from "../../alerting/outages/live";
import { closeOutages, describeOutages, openOutages } from "../../alerting/outages/statements";
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

/** The certificate of a monitor with its thresholds; null while none was seen. */
const watchedOf = ({ kind, config, fingerprint, expiresAt }: Row): Watched | null =>
  fingerprint === null || expiresAt === null
    ? null
    : { fingerprint, expiresAt, days: kindOf(kind)?.certificateDays?.(config) ?? [] };

const COLUMNS = {
  monitor_id: "bigint",
  fingerprint: "text",
  expires_at: "bigint",
  days: "integer",
  error_code: "text",
  error_detail: "json",
} as const;

/** Joins the values `v` with active monitors that still have the same certificate. */
const current = sql`from v join ${states} on ${states.monitorId} = v.monitor_id and ${states.certFingerprint} = v.fingerprint
    and ${states.certExpiresAt} = v.expires_at
  join ${monitors} as m on m.id = v.monitor_id where m.active`;

const lockStates = (ids: readonly number[]): SQL[] =>
  lockRows(states, states.monitorId, isOneOf(states.monitorId, ids));

type Due = { monitorId: number; watched: Watched; threshold: number };

/** The statements that write the alerts that are due. The last one returns the monitors. */
const writeAlerts = (due: readonly Due[], now: number): SQL[] => {
  const values = withValues(
    "v",
    COLUMNS,
    due.map(({ monitorId, watched: { fingerprint, expiresAt }, threshold }) => {
      const { code, detail } = expiryError(expiresAt, now);
      return [monitorId, fingerprint, expiresAt, threshold, code, detail];
    }),
  );
  const at = sql`cast(${now} as bigint)`;
  const unsent = sql`${current} and not exists (select 1 from ${alerts} as a where a.monitor_id = v.monitor_id
    and a.fingerprint = v.fingerprint and a.days <= v.days)`;
  return [
    ...lockStates(due.map(({ monitorId }) => monitorId)),
    writeEvents(
      sql`select m.user_id, 'cert_expiring', 'monitor', m.id, m.name, ${at}, cast(null as bigint), v.error_code, v.error_detail,
        cast(null as double precision), cast(null as double precision), cast(null as text) ${unsent}`,
      values,
    ),
    openOutages(
      sql`select m.user_id, 'monitor', m.id, 'certificate', ${at}, v.error_code, v.error_detail, v.error_code,
        cast(null as integer), cast(null as text), cast(null as jsonb) ${unsent}`,
      values,
    ),
    sql`${values} insert into ${alerts} (monitor_id, fingerprint, days, at)
      select v.monitor_id, v.fingerprint, v.days, ${at} ${unsent} on conflict do nothing returning monitor_id`,
  ];
};

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

/** Writes the alerts that are due, and returns whether there were any. */
export const alertExpiring = async (deps: Store): Promise<boolean> => {
  const { db, clock } = deps;
  const now = clock.now();
  let written = false;
  for (let after = 0; ; ) {
    const page = await db
      .select(certificate)
      .from(states)
      .innerJoin(monitors, eq(monitors.id, states.monitorId))
      .where(
        and(
          gt(states.monitorId, after),
          lte(states.certExpiresAt, now + CERTIFICATE_DAYS.longest * DAY),
          isNotNull(states.certFingerprint),
          eq(monitors.active, true),
        ),
      )
      .orderBy(asc(states.monitorId))
      .limit(PAGE);
    const tightestOf =
      page.length === 0
        ? () => undefined
        : await readTightest(
            deps,
            page.map(({ monitorId }) => monitorId),
          );
    const due = page.flatMap((row): Due[] => {
      const watched = watchedOf(row);
      const threshold = watched && dueThreshold(watched, tightestOf(row), now);
      return watched && threshold !== null ? [{ monitorId: row.monitorId, watched, threshold }] : [];
    });
    if (due.length > 0) {
      const sent = (await db.atomically(() => writeAlerts(due, now))).at(-1) as { monitor_id: number }[];
      written ||= sent.length > 0;
      await publishOutages(
        deps,
        "monitor",
        sent.map(({ monitor_id }) => Number(monitor_id)),
      );
    }
    after = page.at(-1)?.monitorId ?? 0;
    if (page.length < PAGE) break;
  }
  await db.rows(sql`delete from ${alerts} where at < ${now - RETENTION} and not exists (select 1 from ${states}
    where ${states.monitorId} = ${alerts.monitorId} and ${states.certFingerprint} = ${alerts.fingerprint})`);
  return written;
};

/** The open outages of certificates of active monitors, each with the certificate and the last alert. */
const readOpen = async ({ db }: Store) => {
  const open = await db
    .select({ ...certificate, outageId: outages.id, errorCode: outages.errorCode, errorDetail: outages.errorDetail })
    .from(outages)
    .innerJoin(monitors, eq(monitors.id, outages.targetId))
    .innerJoin(states, eq(states.monitorId, monitors.id))
    .where(
      and(
        eq(outages.targetType, "monitor"),
        eq(outages.kind, "certificate"),
        isNull(outages.endedAt),
        eq(monitors.active, true),
      ),
    );
  if (open.length === 0) return [];
  const sent = await db
    .select()
    .from(alerts)
    .where(
      isOneOf(
        alerts.monitorId,
        open.map(({ monitorId }) => monitorId),
      ),
    )
    .orderBy(asc(alerts.at), desc(alerts.days));
  const last = new Map<number, Sent>(sent.map((alert) => [alert.monitorId, alert]));
  return open.flatMap((row) => {
    const [watched, alert] = [watchedOf(row), last.get(row.monitorId)];
    return watched && alert ? [{ ...row, watched, alert }] : [];
  });
};

type Open = Awaited<ReturnType<typeof readOpen>>[number];

/** The statements that end outages, with events for renewed certificates. */
const writeEnds = (renewed: readonly Open[], ended: readonly Open[], now: number): SQL[] => {
  const rows = (list: readonly Open[]) =>
    withValues(
      "v",
      COLUMNS,
      list.map(({ monitorId, watched: { fingerprint, expiresAt } }) => [
        monitorId,
        fingerprint,
        expiresAt,
        0,
        null,
        null,
      ]),
    );
  const at = sql`cast(${now} as bigint)`;
  const all = [...renewed, ...ended];
  return [
    ...lockStates(all.map(({ monitorId }) => monitorId)),
    writeEvents(
      sql`select m.user_id, 'cert_renewed', 'monitor', m.id, m.name, ${at}, o.started_at, cast(null as text), cast(null as jsonb),
        cast(null as double precision), cast(null as double precision), cast(null as text)
        from v join ${states} on ${states.monitorId} = v.monitor_id and ${states.certFingerprint} = v.fingerprint
          and ${states.certExpiresAt} = v.expires_at
        join ${monitors} as m on m.id = v.monitor_id
        join ${outages} as o on o.target_type = 'monitor' and o.target_id = m.id and o.kind = 'certificate' and o.ended_at is null
        where m.active`,
      rows(renewed),
    ),
    closeOutages(
      sql`select 'monitor' as target_type, m.id as target_id, 'certificate' as kind, ${at} as ended_at ${current}`,
      rows(all),
    ),
  ];
};

/**
 * Ends the outages of certificates that were renewed or whose thresholds were shortened, and brings the days that are left
 * in the others up to date. Returns whether events were written.
 */
export const endOutages = async (deps: Store): Promise<boolean> => {
  const { db, clock } = deps;
  const now = clock.now();
  const open = await readOpen(deps);
  const fates = Map.groupBy(open, ({ watched, alert }) => fateOf(watched, alert, now));
  const [renewed, ended] = [fates.get("renewed") ?? [], fates.get("ended") ?? []];
  const changed = (fates.get("open") ?? []).flatMap(({ outageId, watched, errorCode, errorDetail }) => {
    const { code, detail } = expiryError(watched.expiresAt, now);
    return code === errorCode && Bun.deepEquals(detail, errorDetail) ? [] : [{ outageId, code, detail }];
  });
  if (changed.length > 0) await db.atomically(() => [describeOutages(changed)]);
  if (renewed.length === 0 && ended.length === 0) return false;
  await db.atomically(() => writeEnds(renewed, ended, now));
  await publishOutages(
    deps,
    "monitor",
    [...renewed, ...ended].map(({ monitorId }) => monitorId),
  );
  return renewed.length > 0;
};
