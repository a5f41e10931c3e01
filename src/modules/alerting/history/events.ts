import type { Static } from "@sinclair/typebox";
import { and, count, desc, eq, gte, lt, max, min, not, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { ownedBy } from "../../../db/owner";
import { type deliveries, events } from "../../../db/schema";
import { isOneOf, lockAlerts } from "../../../db/sql";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import {
  boolean,
  checkErrorCode,
  component,
  errorDetail,
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
import { presentError, storedError } from "../../../shared/check-error";
import { DAY } from "../../../shared/limits";
import {
  DELIVERY_ERROR_CODES,
  DELIVERY_PURPOSES,
  deliveryErrorText,
  EVENT_KINDS,
  REPORT_EVENT,
  type TargetType,
} from "../../../shared/notifications";
import { channelTypes } from "../channels/registry";
import { partFields, presentPart, reportField } from "../facts";
import { type DeliveryFilter, EXAMINED, hasDelivery } from "./filter";
import { type DeliveryGroup, readGroups } from "./groups";
import { presentUnsent, unsentFields, unsentReasonOf } from "./unsent";

/** The fields of one delivery, or of the latest of several that are presented together. */
export const deliveryFields = {
  id: id("The delivery's id.", 31),
  channel: object({
    id: integer("The channel's id.", 2),
    name: text("Its name at the time.", "On call"),
    type: oneOf("Its kind.", channelTypes()),
  }),
  state: oneOf("Its state; `withheld` when there was a reason not to send it, which `error_code` has.", [
    "sent",
    "pending",
    "failed",
    "withheld",
  ]),
  attempts: integer("How many attempts were made.", 1),
  error: nullable(text("Why it was not delivered, in English; null after a success.", "503: no reason given"), null),
  error_code: nullable(oneOf("The cause, as a code that never changes.", DELIVERY_ERROR_CODES), null),
  error_detail: nullable(errorDetail(503, "status"), null),
  digest_id: nullable(
    id("The first delivery of the message that it was sent in, together with others; null when sent by itself.", 31),
    null,
  ),
};

export const purposeField = oneOf(
  "Why it is sent: the event itself or a step of its policy (`alert`), a reminder that the outage lasts, that the outage was acknowledged, that its target changes too often (`flapping`), or that it has been in one state again for a while (`settled`).",
  DELIVERY_PURPOSES,
);

export const Delivery = component("Delivery", {
  ...deliveryFields,
  purpose: purposeField,
  sequence: integer(
    "Which one of its purpose: the step of the policy, from 0, or the number of the reminder, from 1.",
    0,
  ),
  count: integer("How many it stands for: reminders to a channel with the same outcome are one.", 1),
  created_at: time("When it was planned."),
  next_attempt_at: nullable(time("When the next attempt is due; null when there is none."), null),
  ended_at: nullable(time("When it was sent or given up.")),
});

export const AlertEvent = component("Event", {
  id: id("The event's id.", 21),
  outage_id: nullable(id("The outage that it begins or ends; null when none is known.", 12)),
  drill: boolean("Whether it was sent on request, to try a policy: nothing has happened then.", false),
  kind: oneOf("What happened; `report` when a report was due, which is about no target.", [
    ...EVENT_KINDS,
    REPORT_EVENT,
  ]),
  target: object({
    type: oneOf("The kind of target.", ["monitor", "agent"]),
    id: integer("The target's id; 0 for the hub itself and for reports.", 3),
    name: text("Its name at the time.", "Payments API"),
  }),
  at: time("When it happened."),
  since: nullable(time("When the state that ended began.", "2026-01-15T12:05:00.000Z")),
  error: nullable(text("Why the monitor went down.", "status 503, expected 200")),
  error_code: checkErrorCode("The cause, as a code that never changes.", null),
  error_detail: nullable(errorDetail(503, "actual"), null),
  figure: nullable(number("The measured value: percent, °C, load per core, or days.", 96.5), null),
  threshold: nullable(number("The threshold in the same.", 90), null),
  mount: nullable(text("The mount point of the full disk.", "/var"), null),
  ...partFields,
  report: reportField,
  deliveries: list(Delivery, "The notifications of this event."),
  ...unsentFields,
});

const presentFailure = ({ errorCode: code, errorDetail: detail }: typeof deliveries.$inferSelect) => ({
  error: code && deliveryErrorText({ code, detail }, "en-US"),
  error_code: code,
  error_detail: detail,
});

export const presentFields = (row: typeof deliveries.$inferSelect) => ({
  id: row.id,
  channel: { id: row.channelId, name: row.channelName, type: row.channelType },
  state: row.state,
  attempts: row.attempts,
  ...presentFailure(row),
  digest_id: row.digestId,
});

/** Events of the outages of a page besides the latest one of each: usually one. */
const MAX_FURTHER = 1000;

export const presentDelivery = ({ delivery: row, count }: DeliveryGroup): Static<typeof Delivery> => ({
  ...presentFields(row),
  purpose: row.purpose,
  sequence: row.sequence,
  count,
  created_at: isoTime(row.createdAt),
  next_attempt_at: isoTimeOrNull(row.nextAttemptAt),
  ended_at: isoTimeOrNull(row.endedAt),
});

const presentEvent = (row: typeof events.$inferSelect, sent: readonly DeliveryGroup[]): Static<typeof AlertEvent> => ({
  id: row.id,
  outage_id: row.outageId,
  drill: row.drill,
  kind: row.kind,
  target: { type: row.targetType, id: row.targetId, name: row.targetName },
  at: isoTime(row.at),
  since: isoTimeOrNull(row.since),
  ...presentError(storedError(row)),
  figure: row.figure,
  threshold: row.threshold,
  mount: row.mount,
  ...presentPart(row),
  report: row.facts?.report ?? null,
  deliveries: sent.map(presentDelivery),
  ...presentUnsent(sent.length > 0 ? null : unsentReasonOf(row)),
});

type Wanted = DeliveryFilter & {
  of?: string;
  by?: "event" | "outage";
  before?: number;
  as_of?: number;
  limit?: number;
};
type Page = { events: Static<typeof AlertEvent>[]; next: number | null; as_of: number | null };

/**
 * The condition that an event is the latest one of its outage, of those up to an id; one without an outage always is. The
 * id stays the same from page to page, so that an outage that ends between two calls is on no page twice, and missing from none.
 */
const isLatestOfOutage = (asOf: number): SQL =>
  sql`${events.id} <= ${asOf} and not exists (select 1 from ${events} as later
    where later.outage_id = ${events.outageId} and later.id > ${events.id} and later.id <= ${asOf})`;

const readNewest = async ({ db }: Pick<Deps, "db">, teamId: number): Promise<number> => {
  const [row] = await db
    .select({ id: max(events.id) })
    .from(events)
    .where(ownedBy(events, teamId));
  return row?.id ?? 0;
};

/** The newest events that satisfy a condition, and `before` of the next page; null on the last one. */
const readPage = async (
  { db }: Pick<Deps, "db">,
  { condition, chosen, limit }: { condition: SQL | undefined; chosen: SQL | undefined; limit: number },
) => {
  const inOrder = (where: SQL | undefined, most: number) =>
    db.select().from(events).where(where).orderBy(desc(events.id)).limit(most);
  if (!chosen) {
    const rows = await inOrder(condition, limit);
    return { rows, next: rows.length === limit ? (rows.at(-1)?.id ?? null) : null };
  }
  const examined = db.select({ id: events.id }).from(events).where(condition).orderBy(desc(events.id)).limit(EXAMINED);
  const window = examined.as("examined");
  const [seen] = await db.select({ count: count(), last: min(window.id) }).from(window);
  const last = Number(seen?.last ?? 0);
  const rows = await inOrder(and(condition, gte(events.id, last), chosen), limit);
  if (rows.length === limit) return { rows, next: rows.at(-1)?.id ?? null };
  return { rows, next: seen?.count === EXAMINED ? last : null };
};

/**
 * A page of the events of a user's monitors and servers with their deliveries, newest first. `of` limits them to targets,
 * `outcome` and `channel` to events with a matching delivery. By outage, a page has whole outages: all events of each, in the
 * order of the latest one.
 */
export const readEvents = async (
  deps: Pick<Deps, "db">,
  teamId: number,
  { of, by = "event", before, as_of, limit = 50, ...filter }: Wanted,
): Promise<Page> => {
  const { db } = deps;
  const [type, targetId] = (of?.split(":") ?? []) as [TargetType?, string?];
  const asOf = by === "outage" ? (as_of ?? (await readNewest(deps, teamId))) : null;
  const condition = and(
    ownedBy(events, teamId),
    type && eq(events.targetType, type),
    targetId === undefined ? undefined : eq(events.targetId, Number(targetId)),
    before === undefined ? undefined : lt(events.id, before),
    asOf === null ? undefined : isLatestOfOutage(asOf),
  );
  const { rows: page, next } = await readPage(deps, { condition, chosen: hasDelivery(filter, by), limit });
  const outages = asOf === null ? [] : page.flatMap(({ outageId }) => outageId ?? []);
  const ids = page.map(({ id }) => id);
  const others = and(ownedBy(events, teamId), isOneOf(events.outageId, outages), not(isOneOf(events.id, ids)));
  const further = outages.length === 0 ? [] : await db.select().from(events).where(others).limit(MAX_FURTHER);
  const rows = [...page, ...further].toSorted((one, other) => other.id - one.id);
  const sent = await readGroups(
    deps,
    isOneOf(
      events.id,
      rows.map(({ id }) => id),
    ),
  );
  const byEvent = Map.groupBy(sent, ({ delivery }) => delivery.eventId);
  return {
    events: rows.map((row) => presentEvent(row, byEvent.get(row.id) ?? [])),
    next,
    as_of: asOf,
  };
};

/** Deletes events older than the retention of hourly rollups. */
export const deleteExpiredEvents = async ({
  db,
  clock,
  config,
}: Pick<Deps, "db" | "clock" | "config">): Promise<void> => {
  const before = clock.now() - config.retention.hourDays * DAY;
  await db.atomically((tx) => [...lockAlerts, tx.delete(events).where(lt(events.at, before))]);
};
