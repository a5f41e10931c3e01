import { isNotNull, isNull } from "drizzle-orm";
import { family, type ReadFamilies } from "../../core/prometheus";
import { deliveries, events } from "../../db/schema";

/** Metrics of the alerts of all users, for administrators. */
export const alertFamilies: ReadFamilies = async ({ db, meters }, { role }) => {
  if (role !== "admin") return [];
  const unplanned = await db.$count(events, isNull(events.plannedAt));
  const pending = await db.$count(deliveries, isNotNull(deliveries.nextAttemptAt));
  return [
    family("wakeful_events_unplanned", "gauge", "Events whose deliveries are not planned yet.", unplanned),
    family("wakeful_deliveries_pending", "gauge", "Deliveries that are not sent yet.", pending),
    family(
      "wakeful_deliveries_total",
      "counter",
      "Deliveries that this process sent, or gave up after their last attempt.",
      { label: "result", by: { ...meters.deliveries } },
    ),
  ];
};
