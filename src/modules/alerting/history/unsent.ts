/** Why an event has no deliveries, as the API and the screens present it. */
import type { events } from "../../../db/schema";
import { nullable, oneOf, text } from "../../../server/answers";
import { UNSENT_REASONS, type UnsentReason, unsentText } from "../../../shared/outages/unsent-reasons";

type Row = Pick<typeof events.$inferSelect, "plannedAt" | "waitUntil" | "unsentReason">;

/** Why an event without deliveries has none; an event that was planned before reasons were stored has `unknown`. */
export const unsentReasonOf = ({ plannedAt, waitUntil, unsentReason }: Row): UnsentReason => {
  if (plannedAt !== null) return unsentReason ?? "unknown";
  return waitUntil === null ? "undecided" : "awaiting_parents";
};

export const unsentFields = {
  unsent_reason: nullable(
    oneOf("Why no channel is notified, as a code that never changes; null where one is.", UNSENT_REASONS),
    null,
  ),
  unsent: nullable(text("The same in English.", unsentText("default_disabled", "en-US")), null),
};

export const presentUnsent = (reason: UnsentReason | null) => ({
  unsent_reason: reason,
  unsent: reason && unsentText(reason, "en-US"),
});
