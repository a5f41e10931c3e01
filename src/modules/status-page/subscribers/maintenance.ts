/**
 * Announcements of scheduled maintenance: a day ahead or when it is planned, when it begins and ends, and when its times change
 * after that, or it is cancelled.
 */
import { and, asc, eq, exists, gt, isNotNull, isNull, lte, or } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { announcements, statusPages, subscribers } from "../../../db/schema";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import type { WindowStage } from "../../../shared/status/subscribers";
import { mayBeInMaintenance, readScheduled, type Scheduled } from "../../alerting/maintenance/running";
import { readComponents } from "../pages/components";
import type { PageRow } from "../pages/find";
import { affectedBy, targetsOf } from "../statuspage/maintenances";

type Store = Pick<Deps, "db" | "clock">;

/** How long before its beginning maintenance is announced, and until when after its end that is. */
const [AHEAD, LATE] = [DAY, 6 * HOUR];

/** An announcement of maintenance. */
type Announced = {
  windowId: number;
  stage: WindowStage;
  title: string;
  from: number;
  to: number;
  components: number[];
};
type Last = Announced & { at: number };

/** The last announcement of each window on a page, unless that maintenance is over for long. */
const readLast = async ({ db }: Store, pageId: number, since: number): Promise<Map<number, Last>> => {
  const rows = await db
    .select()
    .from(announcements)
    .where(and(eq(announcements.pageId, pageId), isNotNull(announcements.windowId), gt(announcements.toAt, since)))
    .orderBy(asc(announcements.createdAt), asc(announcements.id));
  const last = new Map<number, Last>();
  for (const { windowId, stage, title, fromAt, toAt, components, createdAt } of rows)
    if (windowId !== null && stage !== null && fromAt !== null && toAt !== null)
      last.set(windowId, { windowId, stage, title, from: fromAt, to: toAt, components, at: createdAt });
  return last;
};

/** Whether subscribers know that it has begun. */
const isKnownToRun = ({ stage, from, at }: Last): boolean => stage === "started" || (stage === "changed" && at >= from);

/** The stage to announce of the maintenance of a window, which may be planned no longer; null for none. */
const stageOf = (one: Scheduled | undefined, last: Last | undefined, now: number): WindowStage | null => {
  const open = last && last.stage !== "ended" && last.stage !== "cancelled" ? last : undefined;
  if (!one) {
    if (!open || open.to <= now) return null;
    return isKnownToRun(open) ? "ended" : "cancelled";
  }
  const isOther = (known: Last) => known.from !== one.scheduled || known.to !== one.to;
  if (one.to <= now) return open ? "ended" : null;
  if (one.from > now) return open ? (isOther(open) ? "changed" : null) : one.from <= now + AHEAD ? "scheduled" : null;
  if (!open) return last?.stage === "ended" && last.from === one.scheduled ? null : "started";
  if (!isKnownToRun(open)) return "started";
  return isOther(open) ? "changed" : null;
};

const announceOnPage = async (store: Store, page: PageRow): Promise<void> => {
  const components = await readComponents(store, page);
  const now = store.clock.now();
  // Of each window the next one, also after it was moved far ahead.
  const span = { from: now - LATE, to: Number.POSITIVE_INFINITY, most: 1 };
  const found = await readScheduled(store, page.teamId, targetsOf(components), span);
  // Recurring maintenance, and what begins as soon as it is entered, is shown on the page without messages.
  const planned = new Map(found.filter((one) => one.planned).map((one) => [one.windowId, one]));
  const last = await readLast(store, page.id, now - LATE);
  const announced = [...new Set([...planned.keys(), ...last.keys()])].flatMap((windowId): Announced[] => {
    const [one, before] = [planned.get(windowId), last.get(windowId)];
    const stage = stageOf(one, before, now);
    if (stage === null) return [];
    if (one) {
      const affected = affectedBy(components, one).map(({ row }) => row.id);
      return [{ windowId, stage, title: one.title, from: one.scheduled, to: one.to, components: affected }];
    }
    return before ? [{ ...before, stage, to: stage === "ended" ? now : before.to }] : [];
  });
  for (const { windowId, stage, title, from, to, components: affected } of announced) {
    const content = { title, toAt: to, components: affected, createdAt: now, reached: 0, queuedAt: null };
    await store.db
      .insert(announcements)
      .values({ pageId: page.id, windowId, stage, fromAt: from, changes: [], ...content })
      .onConflictDoUpdate({
        target: [announcements.pageId, announcements.windowId, announcements.fromAt, announcements.stage],
        set: content,
        // Another instance may have written the same just now.
        setWhere: lte(announcements.createdAt, now - MINUTE),
      });
  }
};

/** Announces the maintenance of pages with subscribers, each stage and change of it once. */
export const announceMaintenance = async (store: Store): Promise<void> => {
  const confirmed = and(isNotNull(subscribers.confirmedAt), isNull(subscribers.endedAt));
  const now = store.clock.now();
  const ofPage = and(eq(announcements.pageId, statusPages.id), isNotNull(announcements.windowId));
  const known = store.db
    .select({ id: announcements.id })
    .from(announcements)
    .where(and(ofPage, gt(announcements.toAt, now)));
  const pages = await store.db
    .select({ page: statusPages })
    .from(statusPages)
    .innerJoin(subscribers, and(eq(subscribers.pageId, statusPages.id), confirmed))
    .where(or(mayBeInMaintenance(statusPages.teamId, now - LATE), exists(known)))
    .groupBy(statusPages.id);
  for (const { page } of pages) await announceOnPage(store, page);
};
