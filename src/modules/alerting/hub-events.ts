/** Events about the hub itself, for administrators. They are planned and sent like others: by the rule for all monitors. */
import { eq } from "drizzle-orm";
import type { Database } from "../../db/database";
import { events, users } from "../../db/schema";
import { NO_TARGET } from "./messages/message";

type HubEvent = Pick<typeof events.$inferInsert, "kind" | "at" | "since" | "errorCode" | "facts">;

/**
 * Writes events for each administrator in the transaction that notes what happened. The rows of an event differ in their time,
 * because a target has one event of a kind at a time.
 */
export const writeHubEvents = async (tx: Database, written: readonly HubEvent[]): Promise<void> => {
  const administrators = await tx
    .select({ userId: users.id, teamId: users.teamId })
    .from(users)
    .where(eq(users.role, "admin"));
  const rows = written.flatMap((event) =>
    administrators.map((owner, index) => ({
      ...event,
      ...owner,
      targetType: "monitor" as const,
      targetId: NO_TARGET,
      targetName: "Wakeful",
      at: event.at + index,
    })),
  );
  if (rows.length > 0) await tx.insert(events).values(rows).onConflictDoNothing();
};
