/** The entries of a timeline about events without a delivery, with the reason. */
import type { Static } from "@sinclair/typebox";
import { and, asc, eq, min } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import type { Viewer } from "../../../db/owner";
import { deliveries, events, outageEventColumns } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { id, nullable, object, oneOf, time } from "../../../server/answers";
import { DAY } from "../../../shared/limits";
import { EVENT_KINDS, isClosing } from "../../../shared/notifications";
import type { UnsentReason } from "../../../shared/outages/unsent-reasons";
import type { StoredOutage } from "../outages/service";
import { detectedAt } from "../report";
import { presentUnsent, unsentFields, unsentReasonOf } from "./unsent";

/** Events that one answer names. */
const MOST = 50;

export const Unsent = object({
  kind: oneOf("No channel was notified.", ["unsent"]),
  at: time("When that was to be reported.", "2026-01-15T12:05:00.000Z"),
  event: nullable(object({ id: id("The id of the event.", 21), kind: oneOf("What happened.", EVENT_KINDS) }), null),
  ...unsentFields,
});
type Entry = Static<typeof Unsent>;

/** Why an outage has no event. */
const reasonWithoutEvent = ({ config, clock }: Deps, outage: StoredOutage): UnsentReason => {
  if (outage.errorCode === "imported") return "imported";
  // Older events are deleted.
  return detectedAt(outage) > clock.now() - config.retention.hourDays * DAY ? "not_new" : "unknown";
};

/**
 * The events of an outage that no channel was notified of, for members of its team; the end is left out where the beginning
 * has the same reason. An outage that another one explains has no messages of its own.
 */
export const readUnsent = async (deps: Deps, viewer: Viewer, outage: StoredOutage): Promise<Entry[]> => {
  if (!viewer.teams.has(outage.teamId) || outage.explainedBy !== null) return [];
  const rows = await deps.db
    .select({ event: outageEventColumns, sent: min(deliveries.id) })
    .from(events)
    .leftJoin(deliveries, eq(deliveries.eventId, events.id))
    .where(and(eq(events.outageId, outage.id), eq(events.drill, false)))
    .groupBy(events.id)
    .orderBy(asc(events.id))
    .limit(MOST);
  if (rows.length === 0) {
    const at = isoTime(detectedAt(outage));
    return [{ kind: "unsent", at, event: null, ...presentUnsent(reasonWithoutEvent(deps, outage)) }];
  }
  const unsent = rows
    .filter(({ sent }) => sent === null)
    .map(({ event }) => ({ event, reason: unsentReasonOf(event) }));
  const shown = unsent.filter(
    ({ event, reason }, place) =>
      !isClosing(event.kind) || (reason !== "unannounced" && reason !== unsent[place - 1]?.reason),
  );
  return shown.map(({ event: { id, kind, at }, reason }) => ({
    ...{ kind: "unsent", at: isoTime(at), event: { id, kind } },
    ...presentUnsent(reason),
  }));
};
