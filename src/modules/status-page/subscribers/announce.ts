/** Announcements of incidents, written in the transaction that writes an update. */
import { and, asc, count, eq, isNotNull, isNull } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { announcements, incidentUpdates, subscribers } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { HOUR } from "../../../shared/limits";
import type { ComponentStatus } from "../../../shared/status/components";

type Store = Pick<Deps, "db" | "clock">;
type Stated = readonly { id: number; status: ComponentStatus }[];

/** An update about an earlier time than this is retrospective, and is not announced. */
const RECENT = HOUR;
/** Changes of components in one announcement. */
const MAX_CHANGES = 50;

/** The number of confirmed subscribers of each page that has some. */
export const readSubscriberCounts = async (
  { db }: Pick<Deps, "db">,
  pageIds: readonly number[],
): Promise<Map<number, number>> => {
  const confirmed = and(isNotNull(subscribers.confirmedAt), isNull(subscribers.endedAt));
  const rows = await db
    .select({ id: subscribers.pageId, count: count() })
    .from(subscribers)
    .where(and(isOneOf(subscribers.pageId, pageIds), confirmed))
    .groupBy(subscribers.pageId);
  return new Map(rows.map(({ id, count }) => [id, count]));
};

/** The states that the announcements of an incident have given to components of a page. */
export const readAnnouncedStates = async (
  { db }: Pick<Deps, "db">,
  incidentId: number,
  pageId: number,
): Promise<Stated> => {
  const rows = await db
    .select({ changes: announcements.changes })
    .from(announcements)
    .innerJoin(incidentUpdates, eq(incidentUpdates.id, announcements.updateId))
    .where(and(eq(announcements.pageId, pageId), eq(incidentUpdates.incidentId, incidentId)))
    .orderBy(asc(announcements.id));
  const stated = new Map(rows.flatMap(({ changes }) => changes.map(({ id, to }) => [id, to] as const)));
  return [...stated].map(([id, status]) => ({ id, status }));
};

/** The components whose state is another one than before; without an open incident, they count as operational. */
const changesOf = (before: Stated, after: Stated) => {
  const [old, present] = [before, after].map((stated) => new Map(stated.map(({ id, status }) => [id, status])));
  return [...new Set([...before, ...after].map(({ id }) => id))]
    .map((id) => ({ id, from: old?.get(id) ?? "operational", to: present?.get(id) ?? "operational" }) as const)
    .filter(({ from, to }) => from !== to)
    .slice(0, MAX_CHANGES);
};

/**
 * Announces an update of an incident to the subscribers of its pages, unless it is about the past. `before` and `after` are the
 * states that the incident gave and gives to components.
 */
export const announceUpdate = async (
  { db, clock }: Store,
  update: { id: number; at: number },
  { pages, before, after }: { pages: readonly number[]; before: Stated; after: Stated },
): Promise<void> => {
  const now = clock.now();
  if (update.at < now - RECENT) return;
  const reached = [...(await readSubscriberCounts({ db }, pages)).keys()];
  if (reached.length === 0) return;
  const components = [...new Set([...before, ...after].map(({ id }) => id))];
  const common = { updateId: update.id, changes: changesOf(before, after), components, title: "", createdAt: now };
  await db
    .insert(announcements)
    .values(reached.map((pageId) => ({ ...common, pageId })))
    .onConflictDoNothing();
  await db.update(incidentUpdates).set({ notifiedAt: now }).where(eq(incidentUpdates.id, update.id));
};
