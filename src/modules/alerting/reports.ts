/**
 * Scheduled reports as messages. Each is an event without a target, which is planned when it is written: to the channels of its
 * schedule, without regard to notification rules, mutes and quiet hours. It is delivered like alerts, and modules/reports composes
 * the message.
 */
import { and, desc, eq, gt, type SQL } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import type { Database } from "../../db/database";
import { type Owner, ownedBy, type Viewer } from "../../db/owner";
import { channels, events } from "../../db/schema";
import { lock, lockAlerts } from "../../db/sql";
import { REPORT_EVENT, type ReportFacts } from "../../shared/notifications";
import { BUILT_IN_ID, builtInChannel, channelKinds } from "./channels/registry";
import type { Recipient } from "./delivery/plan/state";
import { insertDeliveries } from "./delivery/plan/write";
import { type DeliveryGroup, readGroups } from "./history/groups";
import { NO_TARGET } from "./messages/message";

/** Channels that a user has, as reports are sent to them. */
export type ReportChannel = Recipient & {
  /** Whether it takes reports, and not incidents only. */
  takesReports: boolean;
};

/** The channels of a user, by id. */
export const readReportChannels = async (
  { db, config }: Pick<Deps, "db" | "config">,
  owner: Pick<Viewer, "teamId" | "role">,
): Promise<Map<number, ReportChannel>> => {
  const { id, name, type, enabled } = channels;
  const own = await db.select({ id, name, type, enabled }).from(channels).where(ownedBy(channels, owner.teamId));
  const builtIn = builtInChannel(config, owner.role);
  const all = builtIn ? [{ ...builtIn, id: BUILT_IN_ID }, ...own] : own;
  return new Map(
    all.map(({ id, name, type, enabled }) => [
      id,
      { id, name, type, enabled, takesReports: channelKinds.get(type)?.reports !== false },
    ]),
  );
};

/** Writes the event of a report with its deliveries, within a transaction, unless there is one of its schedule at this time. */
export const writeReport = async (
  tx: Database,
  { owner, name, at, facts }: { owner: Owner; name: string; at: number; facts: ReportFacts },
  recipients: readonly Recipient[],
  now: number,
): Promise<boolean> => {
  await lock(tx, lockAlerts);
  const [event] = await tx
    .insert(events)
    .values({
      ...{ ...owner, kind: REPORT_EVENT, targetType: "monitor", targetId: NO_TARGET, targetName: name, at },
      ...{ subject: String(facts.schedule_id), facts: { report: facts }, plannedAt: now },
    })
    .onConflictDoNothing()
    .returning({ id: events.id });
  if (!event) return false;
  const rows = recipients.map((channel) => ({
    ...{ eventId: event.id, channel, purpose: "alert" as const, sequence: 0 },
    ...{ reason: null, heldBy: null, dueAt: now, groupSeconds: 0 },
  }));
  await tx.rows(insertDeliveries(rows, now));
  return true;
};

const isOfSchedule = (teamId: number, scheduleId: number, more?: SQL): SQL | undefined =>
  and(
    ownedBy(events, teamId),
    eq(events.targetType, "monitor"),
    eq(events.targetId, NO_TARGET),
    eq(events.kind, REPORT_EVENT),
    eq(events.subject, String(scheduleId)),
    more,
  );

/** The last report of a schedule of a user, with its deliveries; null before the first. */
export const readLastReport = async (
  { db }: Pick<Deps, "db">,
  teamId: number,
  scheduleId: number,
): Promise<{ at: number; facts: ReportFacts | null; deliveries: DeliveryGroup[] } | null> => {
  const [event] = await db
    .select({ id: events.id, at: events.at, facts: events.facts })
    .from(events)
    .where(isOfSchedule(teamId, scheduleId))
    .orderBy(desc(events.id))
    .limit(1);
  if (!event) return null;
  const deliveries = await readGroups({ db }, eq(events.id, event.id));
  return { at: event.at, facts: event.facts?.report ?? null, deliveries };
};

/** Whether a report of a schedule was written after a time. */
export const isReportWrittenAfter = async (
  { db }: Pick<Deps, "db">,
  teamId: number,
  scheduleId: number,
  time: number,
): Promise<boolean> => (await db.$count(events, isOfSchedule(teamId, scheduleId, gt(events.plannedAt, time)))) > 0;
