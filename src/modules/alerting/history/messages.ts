/**
 * The messages about an outage. A message has one delivery for each channel that it goes to; all reminders of an outage
 * are one message.
 */
import type { Static } from "@sinclair/typebox";
import type { Deps } from "../../../core/deps";
import { events } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { isoTime, isoTimeOrNull } from "../../../lib/time";
import { component, id, integer, list, nullable, object, oneOf, time } from "../../../server/answers";
import { stepOfSequence } from "../../../shared/alert-policy";
import { EVENT_KINDS } from "../../../shared/notifications";
import { deliveryFields, presentFields, purposeField } from "./events";
import { type DeliveryGroup, readGroups } from "./groups";

export const OutageMessage = component("OutageMessage", {
  id: id("The id of its first delivery.", 31),
  event: object({
    id: id("The id of the event that it is about.", 21),
    kind: oneOf("What happened.", EVENT_KINDS),
  }),
  purpose: purposeField,
  step: nullable(integer("The step of the policy that sent it, from 0; null when it is no alert.", 0)),
  at: time("When it was first sent or withheld, or is due."),
  until: time("When it was last: later than `at` for reminders, and while some channels are not reached."),
  times: integer("How often it was sent: all reminders of an outage are one message.", 1),
  deliveries: list(
    object({
      ...deliveryFields,
      count: integer("How many messages this channel got of it with this outcome.", 1),
      at: time("When the latest of them was sent, given up or withheld; of a pending one, when it is due."),
      next_attempt_at: nullable(time("When the next attempt is due; null when there is none."), null),
    }),
    "Its deliveries, one for each channel and outcome.",
  ),
});
type Message = Static<typeof OutageMessage>;

const toMessage = (rows: readonly DeliveryGroup[]): Message => {
  const [{ delivery, kind }] = rows as [DeliveryGroup];
  const isAlert = delivery.purpose === "alert";
  const byChannel = Map.groupBy(rows, (row) => row.delivery.channelId);
  const counts = [...byChannel.values()].map((own) => own.reduce((sum, { count }) => sum + count, 0));
  return {
    id: delivery.id,
    event: { id: delivery.eventId, kind },
    purpose: delivery.purpose,
    step: isAlert ? stepOfSequence(delivery.sequence) : null,
    at: isoTime(Math.min(...rows.map(({ from }) => from))),
    until: isoTime(Math.max(...rows.map(({ until }) => until))),
    times: Math.max(...counts),
    deliveries: rows.map((row) => ({
      ...presentFields(row.delivery),
      count: row.count,
      at: isoTime(row.until),
      next_attempt_at: isoTimeOrNull(row.delivery.nextAttemptAt),
    })),
  };
};

/** The messages about these outages, by outage, in the order of planning. */
export const readMessages = async (
  deps: Pick<Deps, "db">,
  outageIds: readonly number[],
): Promise<Map<number, Message[]>> => {
  if (outageIds.length === 0) return new Map();
  const rows = await readGroups(deps, isOneOf(events.outageId, outageIds));
  const messageOf = ({ delivery: { eventId, purpose, sequence } }: DeliveryGroup) =>
    `${eventId} ${purpose} ${purpose === "reminder" ? "" : sequence}`;
  const byOutage = Map.groupBy(rows, ({ outageId }) => outageId ?? 0);
  return new Map(
    [...byOutage].map(([outageId, own]) => [outageId, [...Map.groupBy(own, messageOf).values()].map(toMessage)]),
  );
};
