/**
 * What acknowledging an outage does to its alerts: steps and reminders rest, and channels that were notified get one line.
 * All of it is a part of the transaction that acknowledges, which holds lockAlerts.
 */
import { and, asc, eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import type { Database } from "../../../db/database";
import type { Owner } from "../../../db/owner";
import { channels, deliveries, escalations, events, outageEventColumns, users } from "../../../db/schema";
import { POLICY_LIMITS } from "../../../shared/alert-policy";
import { type AcknowledgedVia, type DeliveryPurpose, isClosing } from "../../../shared/notifications";
import { BUILT_IN_ID, builtInChannel } from "../channels/registry";
import { isUsableBy } from "../follows/service";
import { isUntried } from "./plan/state";
import { insertDeliveries, withhold } from "./plan/write";

/** Acknowledgements of one outage that channels are notified of. */
const MAX_NOTICES = 20;

type Delivery = typeof deliveries.$inferSelect;
/** The event that opened an outage, with the deliveries of all its events. */
type Alerts = { openingId: number; all: Delivery[] };

/** Returns null where the event was deleted. */
const readAlerts = async (tx: Database, outageId: number): Promise<Alerts | null> => {
  const rows = await tx
    .select({ id: events.id, kind: outageEventColumns.kind, delivery: deliveries })
    .from(events)
    .leftJoin(deliveries, eq(deliveries.eventId, events.id))
    .where(eq(events.outageId, outageId))
    .orderBy(asc(events.id), asc(deliveries.id));
  const opening = rows.find(({ kind }) => !isClosing(kind));
  return opening ? { openingId: opening.id, all: rows.flatMap(({ delivery }) => delivery ?? []) } : null;
};

/** The messages for these purposes that no provider has got, by their ids. */
const untriedOf = ({ all }: Alerts, ...purposes: DeliveryPurpose[]): number[] =>
  all.flatMap((one) => (isUntried(one) && purposes.includes(one.purpose) ? [one.id] : []));

/** Goes on with the first step of the policy at a time. */
const escalateFrom = async (tx: Database, outageId: number, { openingId, all }: Alerts, at: number): Promise<void> => {
  const last = (purpose: DeliveryPurpose): number | null => {
    const numbers = all.flatMap((one) => (one.eventId === openingId && one.purpose === purpose ? [one.sequence] : []));
    return numbers.length > 0 ? Math.max(...numbers) : null;
  };
  const step = last("alert");
  const begun = {
    ...{ startedAt: at, nextStep: 0, remindedAt: at, nextAt: at, reminders: last("reminder") ?? 0 },
    round: step === null ? 0 : Math.floor(step / POLICY_LIMITS.steps) + 1,
  };
  await tx
    .insert(escalations)
    .values({ outageId, eventId: openingId, ...begun })
    .onConflictDoUpdate({ target: escalations.outageId, set: begun });
};

/** Notifies the channels that got a message, or may have got one, that an outage is acknowledged. */
const notify = async (tx: Database, { openingId, all }: Alerts, now: number): Promise<void> => {
  const notices = all.filter(({ eventId, purpose }) => eventId === openingId && purpose === "acknowledged");
  const numbers = new Set(notices.map(({ sequence }) => sequence));
  if (numbers.size >= MAX_NOTICES || notices.some(({ createdAt }) => createdAt === now)) return;
  const sequence = numbers.size > 0 ? Math.max(...numbers) + 1 : 0;
  const notified = all.filter((one) => one.state === "sent" || (one.state === "pending" && !isUntried(one)));
  const byChannel = new Map(notified.map((one) => [one.channelId, one]));
  const latest = [...byChannel.values()].toSorted((one, other) => one.channelId - other.channelId);
  const rows = latest.map(({ channelId: id, channelName: name, channelType: type }) => ({
    ...{ eventId: openingId, channel: { id, name, type }, purpose: "acknowledged" as const, sequence },
    ...{ reason: null, heldBy: null, dueAt: now, groupSeconds: 0 },
  }));
  if (rows.length > 0) await tx.rows(insertDeliveries(rows, now));
};

/** Follows the acknowledgement of an open outage at `now`: until it recovers, or until a time. */
export const restAlerts = async (tx: Database, outageId: number, until: number | null, now: number): Promise<void> => {
  const alerts = await readAlerts(tx, outageId);
  if (until === null) await tx.delete(escalations).where(eq(escalations.outageId, outageId));
  if (!alerts) return;
  if (until !== null) await escalateFrom(tx, outageId, alerts, until);
  await notify(tx, alerts, now);
  await withhold(tx, untriedOf(alerts, "alert", "reminder"), "acknowledged", now);
};

/** Follows the withdrawal of an acknowledgement at `now`: alerts go on with the first step. */
export const resumeAlerts = async (tx: Database, outageId: number, now: number): Promise<void> => {
  const alerts = await readAlerts(tx, outageId);
  if (!alerts) return;
  await withhold(tx, untriedOf(alerts, "acknowledged"), "superseded", now);
  await escalateFrom(tx, outageId, alerts, now);
};

/** The channel whose message has a link, if the owner of the outage may still use it. */
export const readLinkChannel = async (
  { db, config }: Pick<Deps, "db" | "config">,
  channelId: number,
  { userId, teamId }: Owner,
): Promise<AcknowledgedVia | null> => {
  const [owner] = await db.select({ role: users.role }).from(users).where(eq(users.id, userId));
  if (channelId === BUILT_IN_ID) return owner ? builtInChannel(config, owner.role) : null;
  const usable = and(eq(channels.id, channelId), isUsableBy(db, teamId), eq(channels.enabled, true));
  const [row] = await db.select({ type: channels.type, name: channels.name }).from(channels).where(usable);
  return row ?? null;
};
