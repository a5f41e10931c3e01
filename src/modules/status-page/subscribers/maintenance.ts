/** Announcements of scheduled maintenance: a day ahead or when it is planned, and when it begins and ends. */
import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { announcements, statusPages, subscribers } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { DAY, HOUR } from "../../../shared/limits";
import type { WindowStage } from "../../../shared/status/subscribers";
import { mayBeInMaintenance, readScheduled, type Scheduled } from "../../alerting/maintenance/running";
import { readComponents } from "../pages/components";
import type { PageRow } from "../pages/find";
import { affectedBy, targetsOf } from "../statuspage/maintenances";

type Store = Pick<Deps, "db" | "clock">;

/** How long before its beginning maintenance is announced, and until when after its end that is. */
const [AHEAD, LATE] = [DAY, 6 * HOUR];

const stageOf = ({ from, to }: Scheduled, now: number): WindowStage =>
  from > now ? "scheduled" : to > now ? "started" : "ended";

/** Which of these have been announced in an earlier stage. */
const readAnnounced = async ({ db }: Store, pageId: number, found: readonly Scheduled[]) => {
  const ids = [...new Set(found.map(({ windowId }) => windowId))];
  const rows = await db
    .select({ windowId: announcements.windowId, from: announcements.fromAt, stage: announcements.stage })
    .from(announcements)
    .where(and(eq(announcements.pageId, pageId), isOneOf(announcements.windowId, ids)));
  const keys = new Set(rows.map(({ windowId, from, stage }) => `${windowId} ${from} ${stage}`));
  return ({ windowId, from }: Scheduled, stage: WindowStage): boolean => keys.has(`${windowId} ${from} ${stage}`);
};

const announceOnPage = async (store: Store, page: PageRow): Promise<void> => {
  const components = await readComponents(store, page);
  const now = store.clock.now();
  const targets = targetsOf(components);
  // Recurring maintenance, and what begins as soon as it is entered, is shown on the page without messages.
  const found = (await readScheduled(store, page.teamId, targets, { from: now - LATE, to: now + AHEAD })).filter(
    ({ planned }) => planned,
  );
  if (found.length === 0) return;
  const isAnnounced = await readAnnounced(store, page.id, found);
  const rows = found.flatMap((one) => {
    const stage = stageOf(one, now);
    const wasAnnounced = isAnnounced(one, "scheduled") || isAnnounced(one, "started");
    if (isAnnounced(one, stage) || (stage === "ended" && !wasAnnounced)) return [];
    const affected = affectedBy(components, one);
    return {
      ...{ pageId: page.id, windowId: one.windowId, stage, title: one.title, fromAt: one.from, toAt: one.to },
      ...{ changes: [], components: affected.map(({ row }) => row.id), createdAt: now },
    };
  });
  if (rows.length > 0) await store.db.insert(announcements).values(rows).onConflictDoNothing();
};

/** Announces the maintenance of pages with subscribers, each stage of it once. */
export const announceMaintenance = async (store: Store): Promise<void> => {
  const confirmed = and(isNotNull(subscribers.confirmedAt), isNull(subscribers.endedAt));
  const since = store.clock.now() - LATE;
  const pages = await store.db
    .select({ page: statusPages })
    .from(statusPages)
    .innerJoin(subscribers, and(eq(subscribers.pageId, statusPages.id), confirmed))
    .where(mayBeInMaintenance(statusPages.teamId, since))
    .groupBy(statusPages.id);
  for (const { page } of pages) await announceOnPage(store, page);
};
