import { eq } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { ownedBy } from "../../db/owner";
import { reportLinks, reportSchedules } from "../../db/schema";
import { parseTagText, tagKey, tagText } from "../../shared/tags";

const PREFIX = "tag:";

/** Names a renamed tag in its owner's links to reports and schedules as it is called now. */
export const renameInReports = async (
  { db }: Pick<Deps, "db">,
  teamId: number,
  { before, after }: { before: string; after: string },
): Promise<void> => {
  for (const table of [reportLinks, reportSchedules])
    for (const { id, scope } of await db
      .select({ id: table.id, scope: table.scope })
      .from(table)
      .where(ownedBy(table, teamId))) {
      if (!scope.startsWith(PREFIX)) continue;
      const { name, value } = parseTagText(scope.slice(PREFIX.length));
      if (tagKey(name) !== tagKey(before)) continue;
      await db
        .update(table)
        .set({ scope: PREFIX + tagText({ name: after, value }) })
        .where(eq(table.id, id));
    }
};
