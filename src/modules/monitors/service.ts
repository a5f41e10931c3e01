import type { Static } from "@sinclair/typebox";
import { and, eq } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { notFound } from "../../core/errors";
import { ownedBy, readBelongings, seesSecrets, type Viewer, visibleTo } from "../../db/owner";
import { monitors, mutes, outages, recentChecks, monitorStates as states } from "../../db/schema";
import { isOneOf } from "../../db/sql";
import { component, list, object, optional, text } from "../../server/answers";
import type { Config } from "../../shared/monitor-kinds/field";
import { readMaintenance, readRecentMaintenance } from "../alerting/maintenance/running";
import { isActiveMute, muteColumns } from "../alerting/mutes/service";
import { latestOutages, Outage, openSince } from "../alerting/outages/service";
import { AvailabilityOfWindows, readWindows } from "../alerting/outages/windows";
import { readTags } from "../tags/service";
import { RegistrationAnswer } from "./certificates/registration";
import { type HeartbeatAnswer, heartbeatFields, readHeartbeat } from "./heartbeats/rows";
import { readUnknown } from "./heartbeats/unknown";
import { readHistory } from "./history/checks";
import { type Imported, importedField, readImported } from "./history/imported/read";
import { NO_SHARE, readShares, Uptimes } from "./history/uptime";
import { type HeartbeatFields, scheduleOf, slugOf } from "./kinds/heartbeat";
import { kindOf } from "./kinds/registry";
import { isShownOutage } from "./list-query";
import { DETAIL_HISTORY, type MonitorInput, type StoredMonitor } from "./model";
import { Check, type MonitorRow, monitorFields, type PresentedMonitor, presentMonitor } from "./present";

/** Converts a row to a monitor. */
export const fromRow = ({ payload, ...row }: typeof monitors.$inferSelect): StoredMonitor => ({
  ...row,
  config: { ...row.config, ...payload },
});

const { status, slowBits, changedAt, responseTime, lastCheckedAt, certExpiresAt, pack, records } = states;
const shownState = {
  status,
  slowBits,
  changedAt,
  responseTime,
  lastCheckedAt,
  certExpiresAt,
  pack,
  records,
  tail: recentChecks.checks,
};
const { startedAt, errorCode, errorDetail } = outages;

const selectRows = ({ db, clock }: Deps) =>
  db
    .select({
      monitor: monitors,
      state: shownState,
      outage: { startedAt, errorCode, errorDetail },
      mute: muteColumns,
    })
    .from(monitors)
    .innerJoin(states, eq(states.monitorId, monitors.id))
    .leftJoin(recentChecks, eq(recentChecks.monitorId, monitors.id))
    .leftJoin(outages, isShownOutage)
    .leftJoin(mutes, isActiveMute("monitor", monitors.id, clock.now()));

type FoundMonitor = MonitorRow & { state: Pick<typeof states.$inferSelect, "records"> };

/** @throws {AppError} not_found, also for another user's */
export const findMonitor = async (deps: Deps, viewer: Viewer, id: number): Promise<FoundMonitor> => {
  const [row] = await selectRows(deps).where(and(eq(monitors.id, id), visibleTo(monitors, viewer)));
  if (!row) throw notFound("Monitor");
  const unknown =
    (await readUnknown(deps, [{ ...row.monitor, lastCheckedAt: row.state.lastCheckedAt }])).get(id) ?? null;
  const tags = (await readTags(deps, "monitor", [id])).get(id) ?? [];
  const target = { type: "monitor" as const, id, teamId: row.monitor.teamId };
  const now = deps.clock.now();
  const until = (await readMaintenance(deps, [target], now))(target, now);
  const monitor = fromRow(row.monitor);
  const times = (await readRecentMaintenance(deps, [monitor], now)).get(id) ?? [];
  return { ...row, monitor, maintenance: { until, times }, tags, unknown };
};

/** Reads a monitor without its checks. */
export const readMonitor = async (deps: Deps, viewer: Viewer, id: number, history = DETAIL_HISTORY) => {
  const row = await findMonitor(deps, viewer, id);
  const { records } = row.state;
  const belonging = (await readBelongings(deps, viewer, [row.monitor]))(row.monitor);
  const monitor = presentMonitor(row, (await readShares(deps, [id])).get(id) ?? NO_SHARE, history, {
    belonging,
    reads: !seesSecrets(viewer, row.monitor),
  });
  return {
    ...monitor,
    ...(records && (Array.isArray(records) ? { records } : { registration: records })),
    ...(isPassive(row.monitor) && (await readHeartbeat(deps, heartbeatOf(row, viewer)))),
  };
};

/** Whether others report to a monitor, so that nothing is checked. */
export const isPassive = ({ kind }: Pick<MonitorInput, "kind">): boolean => kindOf(kind)?.passive === true;

/** The schedule and the slug in the config of a heartbeat monitor. */
export const scheduleIn = (config: Config) => scheduleOf(config as HeartbeatFields);
export const slugIn = (config: Config) => slugOf(config as HeartbeatFields);

const heartbeatOf = ({ monitor, state: { status } }: MonitorRow, viewer: Viewer) => ({
  id: monitor.id,
  teamId: monitor.teamId,
  active: monitor.active,
  status,
  schedule: scheduleIn(monitor.config),
  reads: !seesSecrets(viewer, monitor),
});

const ofHeartbeats = {
  ping_url: optional(heartbeatFields.ping_url),
  slug_url: optional(heartbeatFields.slug_url),
  heartbeat: optional(heartbeatFields.heartbeat),
};
const recordsField = {
  records: optional(
    list(text("A record.", "192.0.2.1"), "The DNS records of its last check, sorted, at most 20; absent without any."),
  ),
  registration: optional(RegistrationAnswer),
};
export const Monitor = component("Monitor", { ...monitorFields, ...recordsField, ...ofHeartbeats });

const latest = {
  checks: list(Check, "The last 50 checks, newest first."),
  uptimes: Uptimes,
  availability: AvailabilityOfWindows,
  outages: list(Outage, "The last 20 outages, newest first."),
};
const Latest = object(latest);
export const MonitorDetail = component("MonitorDetail", {
  ...monitorFields,
  ...recordsField,
  ...ofHeartbeats,
  ...importedField,
  ...latest,
});

type Found = { records?: string[]; registration?: Static<typeof RegistrationAnswer> };

/** Reads a monitor with its latest checks and its uptime over several spans. */
export const readMonitorDetail = async (
  deps: Deps,
  viewer: Viewer,
  id: number,
  history?: number,
): Promise<PresentedMonitor & Found & Partial<HeartbeatAnswer> & Imported & Static<typeof Latest>> => {
  const monitor = await readMonitor(deps, viewer, id, history);
  const availability = await readWindows(deps, "monitor", id);
  const { "24h": day, "7d": week, "30d": month, "90d": quarter } = availability;
  return {
    ...monitor,
    ...(await readImported(deps, id)),
    checks: await readHistory(deps, monitor, {}),
    uptimes: { "24h": day.uptime, "7d": week.uptime, "30d": month.uptime, "90d": quarter.uptime },
    availability,
    outages: await latestOutages(deps, "monitor", id),
  };
};

/** These monitors, of one team if given, with what visitors of their team's status page may see. */
export const readPublicMonitors = async (
  deps: Pick<Deps, "db" | "clock" | "watching">,
  ids: readonly number[],
  ofTeam?: number,
) => {
  const { id, teamId, name, kind, active } = monitors;
  const { status, slowBits, responseTime, lastCheckedAt, pack } = states;
  const latest = { status, slowBits, responseTime, lastCheckedAt, pack, tail: recentChecks.checks };
  const rows = await deps.db
    .select({ id, teamId, name, kind, active, ...latest, downSince: openSince("monitor", id, "down") })
    .from(monitors)
    .innerJoin(states, eq(states.monitorId, id))
    .leftJoin(recentChecks, eq(recentChecks.monitorId, id))
    .where(and(isOneOf(id, ids), ofTeam === undefined ? undefined : ownedBy(monitors, ofTeam)));
  const unknown = await readUnknown(deps, rows);
  return rows.map((row) => ({ ...row, unknown: unknown.get(row.id) ?? null }));
};
export type PublicMonitorRow = Awaited<ReturnType<typeof readPublicMonitors>>[number];
