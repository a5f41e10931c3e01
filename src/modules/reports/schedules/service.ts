/** Scheduled reports, each to channels of its owner: created, changed and deleted. due.ts sends them. */
import type { Static } from "@sinclair/typebox";
import { and, asc, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { AppError, notFound, rateLimited, validation } from "../../../core/errors";
import { madeBy, ownedBy, ownerOf, type Viewer } from "../../../db/owner";
import { reportSchedules } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import {
  boolean,
  component,
  id,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  text,
  time,
} from "../../../server/answers";
import { parseZone } from "../../../server/schema";
import { MINUTE } from "../../../shared/limits";
import {
  MAX_REPORT_SCHEDULES,
  nextReportTime,
  REPORT_INTERVALS,
  reportedPeriod,
  reportedSpan,
} from "../../../shared/reports/schedule";
import { recordChange } from "../../accounts/audit/record";
import { lockOwner } from "../../accounts/quotas/service";
import { Delivery, presentDelivery } from "../../alerting/history/events";
import {
  isReportWrittenAfter,
  type ReportChannel,
  readLastReport,
  readReportChannels,
  writeReport,
} from "../../alerting/reports";
import { viewOf } from "../../alerting/targets";
import { parseScope, type ScheduleBody } from "../model";
import type { Schedule } from "./link";

/** Milliseconds between two reports of one schedule that are sent on request. */
const PAUSE = MINUTE;

export const ReportSchedule = component("ReportSchedule", {
  id: id("The schedule's id.", 2),
  every: oneOf("How often it is sent: each Monday, or on the 1st.", REPORT_INTERVALS),
  hour: integer("The hour at which it is sent.", 8),
  zone: text("The time zone of the hour, and of the days of the report.", "Europe/Berlin"),
  scope: text("As of a report.", "tag:production"),
  target: nullable(number("The target for the uptime in percent.", 99.9)),
  channels: list(
    object({
      ...Delivery.properties.channel.properties,
      enabled: boolean("Whether it is switched on: others are skipped.", true),
    }),
    "The channels that it is sent to, without those that were deleted.",
  ),
  share: boolean("Whether its messages have a link that needs no session.", false),
  details: boolean("Whether that link shows why something was down, with addresses and notes.", false),
  next_at: time("When it is sent next.", "2026-02-01T07:00:00.000Z"),
  problem: nullable(
    oneOf("Why nothing would be sent: the monitor or server was deleted, or no channel can be used.", [
      "target_deleted",
      "no_channel",
    ]),
    null,
  ),
  last: nullable(
    object({
      at: time("When it was due, or requested."),
      from: time("The beginning of its period.", "2025-12-01T00:00:00.000Z"),
      to: time("Its end.", "2026-01-01T00:00:00.000Z"),
      deliveries: list(Delivery, "What became of it in each channel."),
    }),
  ),
  created_at: time("When it was created."),
  updated_at: time("When it was last changed."),
});

type Store = Pick<Deps, "db" | "config" | "clock" | "log">;

/**
 * The name of the monitor, server or tag that a user's schedule is about; empty for everything and the status page, null for a
 * deleted monitor or server.
 */
export const readScopeName = async (store: Pick<Deps, "db">, teamId: number, scope: string): Promise<string | null> => {
  const parsed = parseScope(scope);
  if (parsed.kind === "target") return (await viewOf(parsed.type).readOwn(store, parsed.id, teamId)) ?? null;
  return parsed.kind === "tag" ? scope.slice("tag:".length) : "";
};

/** The channels of a schedule that a report can be sent to now. */
export const usableOf = (
  { channels }: Pick<Schedule, "channels">,
  all: ReadonlyMap<number, ReportChannel>,
): ReportChannel[] =>
  channels.flatMap((channelId) => {
    const channel = all.get(channelId);
    return channel?.enabled && channel.takesReports ? [channel] : [];
  });

const present = async (
  store: Store,
  schedule: Schedule,
  all: ReadonlyMap<number, ReportChannel>,
): Promise<Static<typeof ReportSchedule>> => {
  const { id, teamId, every, hour, zone, scope, target, share, details, nextAt, createdAt, updatedAt } = schedule;
  const last = await readLastReport(store, teamId, id);
  const isDeleted = (await readScopeName(store, teamId, scope)) === null;
  return {
    ...{ id, every, hour, zone, scope, target, share, details },
    channels: schedule.channels.flatMap((channelId) => {
      const channel = all.get(channelId);
      return channel ? [{ id: channelId, name: channel.name, type: channel.type, enabled: channel.enabled }] : [];
    }),
    next_at: isoTime(nextAt),
    problem: isDeleted ? "target_deleted" : usableOf(schedule, all).length === 0 ? "no_channel" : null,
    last: last?.facts
      ? {
          ...{ at: isoTime(last.at), from: last.facts.from, to: last.facts.to },
          deliveries: last.deliveries.map(presentDelivery),
        }
      : null,
    created_at: isoTime(createdAt),
    updated_at: isoTime(updatedAt),
  };
};

/** The schedules of a user in the order of their creation. */
export const readSchedules = ({ db }: Pick<Deps, "db">, teamId: number): Promise<Schedule[]> =>
  db
    .select()
    .from(reportSchedules)
    .where(ownedBy(reportSchedules, teamId))
    .orderBy(asc(reportSchedules.id))
    .limit(MAX_REPORT_SCHEDULES);

export const listSchedules = async (store: Store, owner: Viewer) => {
  const all = await readReportChannels(store, owner);
  const schedules: Static<typeof ReportSchedule>[] = [];
  for (const schedule of await readSchedules(store, owner.teamId)) schedules.push(await present(store, schedule, all));
  return schedules;
};

type Owner = Viewer & { timeZone?: string | null };

/** The columns of a schedule in a request. @throws {AppError} validation, not_found */
const check = async (store: Store, owner: Owner, body: ScheduleBody) => {
  const { every, hour, scope = "all", target = null, share = false, details = false } = body;
  const zone = parseZone(body.zone ?? owner.timeZone ?? "UTC");
  const parsed = parseScope(scope);
  if ((await readScopeName(store, owner.teamId, scope)) === null)
    throw notFound(parsed.kind === "target" && parsed.type === "monitor" ? "Monitor" : "Agent");
  const channels = [...new Set(body.channels)];
  const all = await readReportChannels(store, owner);
  const refuse = (reason: string) => validation([{ path: "channels", message: `channels: ${reason}` }]);
  if (!channels.every((channelId) => all.has(channelId))) throw refuse("there is no such channel");
  if (!channels.every((channelId) => all.get(channelId)?.takesReports))
    throw refuse("one of these takes messages about incidents only");
  return { every, hour, zone, scope, target, channels, share, details };
};

/** When a schedule is due next: not for a period that it has sent already. */
export const nextTimeOf = (
  schedule: Pick<Schedule, "every" | "hour" | "zone" | "sentPeriod">,
  after: number,
): number => {
  const at = nextReportTime(schedule, after);
  return reportedPeriod(schedule, at) === schedule.sentPeriod ? nextReportTime(schedule, at) : at;
};

/** Stores a new schedule within a transaction that has locked its owner. @throws {AppError} too_many_report_schedules */
export const insertSchedule = async (
  { db: tx, clock }: Pick<Deps, "db" | "clock">,
  owner: Pick<Viewer, "id" | "teamId">,
  columns: Awaited<ReturnType<typeof check>>,
): Promise<Schedule> => {
  if ((await tx.$count(reportSchedules, ownedBy(reportSchedules, owner.teamId))) >= MAX_REPORT_SCHEDULES)
    throw new AppError("too_many_report_schedules", { limit: MAX_REPORT_SCHEDULES });
  const now = clock.now();
  const nextAt = nextTimeOf({ ...columns, sentPeriod: null }, now);
  const values = { ...columns, ...madeBy(owner), nextAt, createdAt: now, updatedAt: now };
  const [row] = await tx.insert(reportSchedules).values(values).returning();
  return row as Schedule;
};

/** @throws {AppError} validation, not_found, too_many_report_schedules */
export const createSchedule = async (store: Store, owner: Owner, body: ScheduleBody) =>
  store.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(owner));
    const within = { ...store, db: tx };
    const columns = await check(within, owner, body);
    const schedule = await insertSchedule(within, owner, columns);
    await recordChange(within, owner, { action: "created", ...logged(schedule), after: columns });
    return present(within, schedule, await readReportChannels(within, owner));
  });

const logged = ({ id, scope, teamId }: Schedule) => ({
  object: { type: "report_schedule" as const, id, name: scope },
  teamId,
});

const isOwn = (teamId: number, scheduleId: number) =>
  and(eq(reportSchedules.id, scheduleId), ownedBy(reportSchedules, teamId));

/** @throws {AppError} not_found, also for another user's */
const findSchedule = async ({ db }: Pick<Deps, "db">, teamId: number, scheduleId: number): Promise<Schedule> => {
  const [row] = await db.select().from(reportSchedules).where(isOwn(teamId, scheduleId));
  if (!row) throw notFound("Schedule");
  return row;
};

/** @throws {AppError} not_found, validation */
export const updateSchedule = async (store: Store, owner: Owner, scheduleId: number, body: ScheduleBody) =>
  store.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(owner));
    const within = { ...store, db: tx };
    const stored = await findSchedule(within, owner.teamId, scheduleId);
    const { sentPeriod, every, hour, zone, scope, target, channels, share, details } = stored;
    const columns = await check(within, owner, body);
    const now = store.clock.now();
    const values = { ...columns, nextAt: nextTimeOf({ ...columns, sentPeriod }, now), updatedAt: now };
    const [row] = await tx.update(reportSchedules).set(values).where(isOwn(owner.teamId, scheduleId)).returning();
    const before = { every, hour, zone, scope, target, channels, share, details };
    await recordChange(within, owner, { action: "changed", ...logged(stored), before, after: columns });
    return present(within, row as Schedule, await readReportChannels(within, owner));
  });

/** @throws {AppError} not_found, also for another user's */
export const deleteSchedule = (store: Store, owner: Viewer, scheduleId: number): Promise<void> =>
  store.db.transact(async (tx) => {
    const [deleted] = await tx.delete(reportSchedules).where(isOwn(owner.teamId, scheduleId)).returning();
    if (!deleted) throw notFound("Schedule");
    await recordChange({ ...store, db: tx }, owner, { action: "deleted", ...logged(deleted) });
  });

/** Writes the event of a report of a schedule that was due, or requested, at a time. */
export const writeReportOf = (
  { db: tx }: Pick<Deps, "db">,
  schedule: Schedule,
  { at, now, name }: { at: number; now: number; name: string },
  recipients: readonly ReportChannel[],
): Promise<boolean> => {
  const { id: schedule_id, every, zone, scope, target } = schedule;
  const { from, to } = reportedSpan(schedule, at);
  const facts = { schedule_id, every, from: isoTime(from), to: isoTime(to), zone, scope, target };
  return writeReport(tx, { owner: ownerOf(schedule), name: name || "Wakeful", at, facts }, recipients, now);
};

/**
 * Sends the last complete period now, also if it was sent before.
 * @throws {AppError} not_found, no_report_channels, rate_limited
 */
export const sendNow = (store: Store, owner: Viewer, scheduleId: number): Promise<void> =>
  store.db.transact(async (tx) => {
    await lockOwner(tx, madeBy(owner));
    const within = { ...store, db: tx };
    const now = store.clock.now();
    const schedule = await findSchedule(within, owner.teamId, scheduleId);
    const name = await readScopeName(within, owner.teamId, schedule.scope);
    if (name === null) throw notFound("This");
    const recipients = usableOf(schedule, await readReportChannels(within, owner));
    if (recipients.length === 0) throw new AppError("no_report_channels");
    if (await isReportWrittenAfter(within, owner.teamId, scheduleId, now - PAUSE)) throw rateLimited(PAUSE / 1000);
    await writeReportOf(within, schedule, { at: now, now, name }, recipients);
  });
