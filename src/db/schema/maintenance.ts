import type { TargetType } from "../../shared/notifications";
import type { WindowSchedule, WindowTargets } from "../../shared/outages/maintenance";
import { kit } from "../columns";
import { owner } from "./accounts";

/**
 * Maintenance windows. When they are is computed from the row and the time, so nothing is stored ahead and nothing has to
 * run when one begins or ends.
 */
export const maintenanceWindows = kit.table(
  "maintenance_windows",
  {
    id: kit.id(),
    ...owner(),
    title: kit.text().notNull(),
    targets: kit.json<WindowTargets>().notNull(),
    schedule: kit.json<WindowSchedule>().notNull(),
    /** Whether outages in it count in uptimes all the same. */
    counted: kit.flag().notNull(),
    /** Before this, it has no occurrences: when it was created or last changed. */
    validFrom: kit.long().notNull(),
    /** From then on, it has no occurrences; null while it recurs. */
    overAt: kit.long(),
    /** When occurrences were ended by a call, each with its start. */
    ends: kit.json<[from: number, to: number][]>().notNull(),
    /** The window that this one was until it was changed: its occurrences before count in uptimes. */
    formerOf: kit.long(),
    createdAt: kit.long().notNull(),
    updatedAt: kit.long().notNull(),
  },
  (t) => [
    kit.index("maintenance_windows_team_id_over_at_index").on(t.teamId, t.overAt),
    kit.index("maintenance_windows_user_id_index").on(t.userId),
    kit.index("maintenance_windows_over_at_index").on(t.overAt),
  ],
);

/**
 * Targets with an event that a window has withheld, until its end is handled, when outages that last are alerted. A row is
 * written and deleted by the planning of alerts alone.
 */
export const maintenanceHolds = kit.table(
  "maintenance_holds",
  {
    targetType: kit.text().$type<TargetType>().notNull(),
    targetId: kit.long().notNull(),
    /** The owner of the target. */
    ...owner(),
    heldAt: kit.long().notNull(),
    endsAt: kit.long().notNull(),
  },
  (t) => [
    kit.primaryKey({ columns: [t.targetType, t.targetId] }),
    kit.index("maintenance_holds_team_id_index").on(t.teamId),
    kit.index("maintenance_holds_user_id_index").on(t.userId),
    kit.index("maintenance_holds_ends_at_index").on(t.endsAt),
  ],
);
