/** What notices are about, as their messages need it. */
import { eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { announcements, incidents, incidentUpdates, statusPages } from "../../../db/schema";
import type { ComponentStatus } from "../../../shared/status/components";
import type { WindowStage } from "../../../shared/status/subscribers";
import type { IncidentRow, UpdateRow } from "../incidents/present";
import { readComponents } from "../pages/components";
import type { PageRow } from "../pages/find";

type Store = Pick<Deps, "db">;
type Announcement = typeof announcements.$inferSelect;

/** An update of an incident, or a stage of scheduled maintenance. */
export type Subject = {
  announcement: Announcement;
  /** The affected components of the page, with the state that the incident gives them; null for maintenance. */
  components: { id: number; name: string; status: ComponentStatus | null }[];
} & (
  | { type: "incident"; incident: IncidentRow; update: UpdateRow }
  | { type: "maintenance"; title: string; stage: WindowStage; from: number; to: number }
);

/** Reads what an announcement is about; null where it was deleted. */
export const readSubject = async (store: Store, id: number): Promise<Subject | null> => {
  const [row] = await store.db
    .select({ announcement: announcements, update: incidentUpdates, incident: incidents, page: statusPages })
    .from(announcements)
    .innerJoin(statusPages, eq(statusPages.id, announcements.pageId))
    .leftJoin(incidentUpdates, eq(incidentUpdates.id, announcements.updateId))
    .leftJoin(incidents, eq(incidents.id, incidentUpdates.incidentId))
    .where(eq(announcements.id, id));
  if (!row) return null;
  const { announcement, update, incident, page } = row;
  const names = new Map((await readComponents(store, page)).map(({ row: { id }, label }) => [id, label]));
  const states = new Map(announcement.changes.map(({ id, to }) => [id, to]));
  const components = announcement.components.flatMap((one) => {
    const name = names.get(one);
    return name ? [{ id: one, name, status: states.get(one) ?? null }] : [];
  });
  if (incident && update) return { type: "incident", announcement, components, incident, update };
  const { stage, fromAt, toAt, title } = announcement;
  if (stage === null || fromAt === null || toAt === null) return null;
  return { type: "maintenance", announcement, components, title, stage, from: fromAt, to: toAt };
};

/** The page of a subscriber. */
export const readPageById = async ({ db }: Store, id: number): Promise<PageRow | null> =>
  (await db.select().from(statusPages).where(eq(statusPages.id, id)))[0] ?? null;
