import { and, desc, isNull } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { can, ownedBy, type Viewer } from "../../db/owner";
import { incidents } from "../../db/schema";
import { isoTime } from "../../lib/time";
import { id, object, text, time } from "../../server/answers";

/** Open incidents that the dashboard leads to. */
export const MAX_INCIDENTS = 5;

export const OpenIncident = object({
  id: id("The incident's id.", 3),
  title: text("What is wrong.", "Payments fail"),
  started_at: time("When it began."),
});

/** The open incidents of the team, newest first, for viewers who may write their updates. */
export const readOpenIncidents = async ({ db }: Pick<Deps, "db">, viewer: Viewer) => {
  if (!can(viewer, "edit", viewer)) return [];
  const rows = await db
    .select({ id: incidents.id, title: incidents.title, startedAt: incidents.startedAt })
    .from(incidents)
    .where(and(ownedBy(incidents, viewer.teamId), isNull(incidents.resolvedAt)))
    .orderBy(desc(incidents.startedAt), desc(incidents.id))
    .limit(MAX_INCIDENTS);
  return rows.map(({ startedAt, ...row }) => ({ ...row, started_at: isoTime(startedAt) }));
};
