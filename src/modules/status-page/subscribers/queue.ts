/** The queue of messages to subscribers: filled from announcements, claimed, and emptied by outcomes. */
import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, min, ne, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { insertMany } from "../../../db/insert-many";
import { announcements, instances, notices, subscribers } from "../../../db/schema";
import { isOneOf, skipLocked } from "../../../db/sql";
import { DAY, HOUR, MINUTE, SECOND } from "../../../shared/limits";
import { SUBSCRIBER_LIMITS, type SubscriberKind } from "../../../shared/status/subscribers";

type Store = Pick<Deps, "db" | "clock">;
export type Notice = typeof notices.$inferSelect;
type Announcement = typeof announcements.$inferSelect;

/** Subscribers whose notices are written in one transaction: short ones, because alerts are written between them. */
const BATCH = 500;
/** Time until a message is tried again, by the number of attempts; then the last one is repeated. */
const PAUSES = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR];
/** How long a message is of use. */
export const OF_USE = DAY;

/** Tables that decide when something is due. */
export const QUEUE_TABLES = [announcements, notices];

/** When the next message is due; null for never. */
export const readNextDue = async ({ db }: Store): Promise<number | null> => {
  if ((await db.$count(announcements, isNull(announcements.queuedAt))) > 0) return 0;
  const [row] = await db.select({ at: min(notices.dueAt) }).from(notices);
  return row?.at ?? null;
};

const isAbout = (chosen: readonly number[] | null, affected: readonly number[]): boolean =>
  chosen === null || affected.length === 0 || affected.some((id) => chosen.includes(id));

type Listed = Pick<typeof subscribers.$inferSelect, "id" | "kind" | "components">;

/** The messages of an announcement to one subscriber. */
const messagesOf = ({ updateId, changes, components }: Announcement, { kind, components: chosen }: Listed) => {
  if (!isAbout(chosen, components)) return [];
  const first = { kind: updateId === null ? ("maintenance" as const) : ("incident" as const), part: 0 };
  if (kind === "email") return [first];
  const about = changes.flatMap(({ id }, part) =>
    isAbout(chosen, [id]) ? [{ kind: "component" as const, part }] : [],
  );
  return [first, ...about];
};

/** Writes the messages to the next subscribers of an announcement. */
const fillBatch = ({ db, clock }: Store, announcement: Announcement): Promise<void> =>
  db.transact(async (tx) => {
    const { id: announcementId, pageId, reached } = announcement;
    const isNext = and(eq(subscribers.pageId, pageId), gt(subscribers.id, reached));
    const rows = await tx
      .select({ id: subscribers.id, kind: subscribers.kind, components: subscribers.components })
      .from(subscribers)
      .where(and(isNext, isNotNull(subscribers.confirmedAt), isNull(subscribers.endedAt)))
      .orderBy(asc(subscribers.id))
      .limit(BATCH);
    const now = clock.now();
    const advanced = await tx
      .update(announcements)
      .set({ reached: rows.at(-1)?.id ?? reached, queuedAt: rows.length < BATCH ? now : null })
      // Another instance may have written these.
      .where(
        and(eq(announcements.id, announcementId), eq(announcements.reached, reached), isNull(announcements.queuedAt)),
      )
      .returning({ id: announcements.id });
    if (advanced.length === 0) return;
    const times = { createdAt: now, dueAt: now };
    const written = rows.flatMap((row) =>
      messagesOf(announcement, row).map((message) => ({
        ...{ subscriberId: row.id, channel: row.kind, announcementId, ...message, ...times },
      })),
    );
    await insertMany(tx, notices, written, { skipExisting: true });
  });

/**
 * Writes the messages to the next subscribers of announcements, the oldest first; at most `batches` transactions. The first batch
 * of each comes before the rest of others, so that a page with many subscribers does not delay other pages.
 */
export const fillQueue = async (store: Store, batches: number): Promise<void> => {
  for (let left = batches; left > 0; left--) {
    const [next] = await store.db
      .select()
      .from(announcements)
      .where(isNull(announcements.queuedAt))
      .orderBy(sql`${announcements.reached} > 0`, asc(announcements.id))
      .limit(1);
    if (!next) return;
    await fillBatch(store, next);
  }
};

/** Announcements that have a share of one run; the rest of it is for the messages that are due for longest. */
const SHARES = 10;

/**
 * Claims messages that are due: those about subscriptions first, then as many of each announcement, so that no announcement to
 * many subscribers delays another one. `held` are the ones that this process is sending.
 */
export const claimNotices = async (
  { db, clock, instance }: Store & Pick<Deps, "instance">,
  channel: SubscriberKind,
  { limit, held, deadAt }: { limit: number; held: readonly number[]; deadAt: number },
): Promise<Notice[]> => {
  if (limit <= 0) return [];
  const now = clock.now();
  const living = db
    .select({ id: instances.id })
    .from(instances)
    .where(and(gt(instances.seenAt, deadAt), ne(instances.id, instance)));
  const isFree = and(
    eq(notices.channel, channel),
    lte(notices.dueAt, now),
    or(isNull(notices.claimedBy), notInArray(notices.claimedBy, living)),
    held.length > 0 ? notInArray(notices.id, [...held]) : undefined,
  );
  return db.transact(async (tx) => {
    const ids: number[] = [];
    const read = async (condition: SQL, count: number, order = sql``) => {
      if (count <= 0) return;
      const isLeft = ids.length > 0 ? notInArray(notices.id, ids) : undefined;
      const rows = await tx.rows(sql`select ${notices.id} as id from ${notices}
        where ${and(isFree, condition, isLeft)} ${order} limit ${count}${skipLocked}`);
      ids.push(...rows.map(({ id }) => Number(id)));
    };
    const byAge = sql`order by ${notices.dueAt}, ${notices.id}`;
    await read(isNull(notices.announcementId), limit, byAge);
    // Others get their share in another run.
    const some = await tx.rows(sql`select a.id from ${announcements} as a where a.created_at > ${now - 2 * OF_USE}
      and exists (select 1 from ${notices} where ${notices.announcementId} = a.id and ${isFree})
      order by random() limit ${SHARES}`);
    if (some.length > 1)
      for (const { id } of some)
        await read(eq(notices.announcementId, Number(id)), Math.min(Math.ceil(limit / SHARES), limit - ids.length));
    await read(isNotNull(notices.announcementId), limit - ids.length, byAge);
    if (ids.length === 0) return [];
    return tx.update(notices).set({ claimedBy: instance }).where(isOneOf(notices.id, ids)).returning();
  });
};

/** Gives up the claims of this process. */
export const releaseNotices = async ({ db, instance }: Pick<Deps, "db" | "instance">): Promise<void> => {
  await db.update(notices).set({ claimedBy: null }).where(eq(notices.claimedBy, instance));
};

/**
 * How the attempt to send a message ended. `dropped`: it is of no use any more; `bounced`: the subscriber cannot be reached;
 * `later`: it is tried again; `postponed`: the same, and it was no attempt, because nothing can be sent now.
 */
export type Outcome = "sent" | "dropped" | "bounced" | "later" | "postponed";
export type Ended = { notice: Notice; outcome: Outcome; retryAfter?: number };

/** The states of subscribers after messages that reached them, or did not. */
const recordReached = async ({ db, clock }: Store, ended: readonly Ended[]): Promise<void> => {
  const idsOf = (condition: (one: Ended) => boolean) => [
    ...new Set(ended.filter(condition).map(({ notice }) => notice.subscriberId)),
  ];
  const reached = idsOf(({ outcome }) => outcome === "sent");
  if (reached.length > 0) {
    const failed = and(inArray(subscribers.id, reached), gt(subscribers.failures, 0));
    await db.update(subscribers).set({ failures: 0 }).where(failed);
  }
  // The answer of a webhook confirms its address.
  const answered = idsOf(
    ({ notice, outcome }) => outcome === "sent" && notice.kind === "confirm" && notice.channel === "webhook",
  );
  if (answered.length > 0) {
    const waiting = and(inArray(subscribers.id, answered), isNull(subscribers.confirmedAt));
    await db.update(subscribers).set({ confirmedAt: clock.now() }).where(waiting);
  }
  const bounced = idsOf(({ outcome }) => outcome === "bounced");
  if (bounced.length === 0) return;
  await db
    .update(subscribers)
    .set({ failures: sql`${subscribers.failures} + 1` })
    .where(inArray(subscribers.id, bounced));
  const over = and(inArray(subscribers.id, bounced), sql`${subscribers.failures} >= ${SUBSCRIBER_LIMITS.failures}`);
  const gone = await db
    .update(subscribers)
    .set({ endedAt: clock.now() })
    .where(and(over, isNull(subscribers.endedAt)))
    .returning({ id: subscribers.id });
  const ids = gone.map(({ id }) => id);
  if (ids.length > 0) await db.delete(notices).where(inArray(notices.subscriberId, ids));
};

/** Records how attempts ended, in one transaction. */
export const recordOutcomes = async (store: Store, ended: readonly Ended[]): Promise<void> => {
  if (ended.length === 0) return;
  await store.db.transact(async (tx) => {
    await recordReached({ ...store, db: tx }, ended);
    const isOver = ({ outcome }: Ended) => outcome === "sent" || outcome === "dropped" || outcome === "bounced";
    const over = ended.filter(isOver).map(({ notice }) => notice.id);
    if (over.length > 0) await tx.delete(notices).where(isOneOf(notices.id, over));
    const now = store.clock.now();
    for (const { notice, outcome, retryAfter = 0 } of ended) {
      if (outcome !== "later" && outcome !== "postponed") continue;
      const isTried = outcome === "later";
      const pause = PAUSES[Math.min(isTried ? notice.attempts : 0, PAUSES.length - 1)] ?? HOUR;
      await tx
        .update(notices)
        .set({
          claimedBy: null,
          attempts: notice.attempts + (isTried ? 1 : 0),
          dueAt: now + Math.max(pause, Math.min(retryAfter * SECOND, HOUR)),
        })
        .where(eq(notices.id, notice.id));
    }
  });
};

/** How long rows are kept that only prevent repetitions or tell owners of ended subscriptions. */
const KEPT = 30 * DAY;

/** Deletes subscriptions that were not confirmed in two days, those that ended long ago, and old announcements. */
export const purgeSubscribers = async ({ db, clock }: Store): Promise<void> => {
  const now = clock.now();
  await db.delete(subscribers).where(and(isNull(subscribers.confirmedAt), lte(subscribers.createdAt, now - 2 * DAY)));
  await db.delete(subscribers).where(and(isNotNull(subscribers.endedAt), lte(subscribers.endedAt, now - KEPT)));
  await db.delete(notices).where(lte(notices.createdAt, now - 2 * OF_USE));
  await db.delete(announcements).where(lte(announcements.createdAt, now - KEPT));
};
