import { and, asc, eq, getTableColumns, gt, isNotNull, lte, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { channels, deliveries, events, instances } from "../../../db/schema";
import { isOneOf, lock, lockAlerts, selectValues } from "../../../db/sql";
import { SECOND } from "../../../shared/limits";
import { BUILT_IN_ID, channelKinds } from "../channels/registry";
import { chooseFairly, type Limits, type Room, type Waiting } from "./fair";

/** A claimed delivery, and the owner of its event. */
export type Delivery = typeof deliveries.$inferSelect & { userId: number };

/** The deliveries of one message, all of one channel and user. Its id is the first delivery's. */
export type Claimed = { id: number; deliveries: [Delivery, ...Delivery[]] };

type ClaimOptions = Limits & {
  /** Instances last seen at this time or before are dead. */
  deadAt: number;
  /** The deliveries that this process has in flight. Its own claim on any other delivery is one whose answer was lost. */
  held: readonly number[];
};

/** The type of a stored channel. The built-in one has no row. */
const typeOf = (channelId: number, stored: string | null): string =>
  channelId === BUILT_IN_ID ? "telegram" : (stored ?? "");

const readLiving = async ({ db }: Pick<Deps, "db">, deadAt: number): Promise<Set<string>> => {
  const living = await db.select({ id: instances.id }).from(instances).where(gt(instances.seenAt, deadAt));
  return new Set(living.map(({ id }) => id));
};

/** Reads which channels have deliveries that are due. Living instances share the budgets. */
const readRooms = async (
  { db, clock, sentMessages }: Pick<Deps, "db" | "clock" | "sentMessages">,
  deadAt: number,
): Promise<Room[]> => {
  const due = await db
    .select({ channelId: deliveries.channelId, type: channels.type })
    .from(deliveries)
    .leftJoin(channels, eq(channels.id, deliveries.channelId))
    .where(lte(deliveries.nextAttemptAt, clock.now()))
    .groupBy(deliveries.channelId, channels.type);
  if (due.length === 0) return [];
  const alive = Math.max(1, (await readLiving({ db }, deadAt)).size);
  return due.map(({ channelId, type }) => {
    const { budget = [], grouped = true } = channelKinds.get(typeOf(channelId, type)) ?? {};
    return { channelId, messages: sentMessages.left(channelId, budget, alive), budget, grouped };
  });
};

/** Reads the deliveries of the channels with room that are not over. */
const readWaiting = async (
  { db, clock, instance }: Pick<Deps, "db" | "clock" | "instance">,
  rooms: readonly Room[],
  { held, deadAt }: ClaimOptions,
): Promise<Waiting[]> => {
  const now = clock.now();
  const alive = await readLiving({ db }, deadAt);
  const { id, channelId, nextAttemptAt, groupSeconds, attempts, errorCode, digestId, claimedBy } = deliveries;
  const { userId, targetType, targetId, drill } = events;
  const rows = await db
    .select({
      ...{ id, channelId, nextAttemptAt, groupSeconds, attempts, errorCode, digestId, claimedBy },
      ...{ userId, targetType, targetId, drill },
    })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(
      and(
        isNotNull(nextAttemptAt),
        isOneOf(
          channelId,
          rooms.map((room) => room.channelId),
        ),
      ),
    )
    .orderBy(asc(id));
  const inFlight = new Set(held);
  return rows.map((row) => {
    // A lost claim of this instance counts as none.
    const isLost = row.claimedBy === instance && !inFlight.has(row.id);
    const isFree = row.claimedBy === null || !alive.has(row.claimedBy) || isLost;
    const next = row.nextAttemptAt ?? 0;
    const isGrouping = row.attempts === 0 && row.errorCode === null && next <= now + row.groupSeconds * SECOND;
    const isRetried = row.attempts > 0 && row.errorCode !== "rate_limited";
    return {
      id: row.id,
      channelId: row.channelId,
      userId: row.userId,
      target: `${row.targetType} ${row.targetId}`,
      isDue: isFree && next <= now,
      isReady: isFree && (next <= now || isGrouping || isRetried),
      isGrouped: row.groupSeconds > 0,
      isDrill: row.drill,
      wasInDigest: row.digestId !== null,
      isBusy: row.digestId !== null && !isFree,
    };
  });
};

const PICKED = { id: "bigint", digest_id: "bigint" } as const;

/**
 * Claims due deliveries. Several become one message if three or more of a channel wait to be grouped, or if its budget does
 * not allow one each. While such a message is in flight, nothing else of its channel is claimed.
 *
 * A channel gets the deliveries of a monitor or server in order: a recovery waits for the alert that it ends. fair.ts shares
 * the limits between users and channels.
 */
export const claimDeliveries = async (
  deps: Pick<Deps, "db" | "clock" | "instance" | "sentMessages">,
  options: ClaimOptions,
): Promise<Claimed[]> => {
  const { db, instance, sentMessages } = deps;
  if (options.inFlight.length >= options.limit) return [];
  const rooms = (await readRooms(deps, options.deadAt)).filter(({ messages }) => messages > 0);
  if (rooms.length === 0) return [];
  const userId = sql<number>`(select e.user_id from ${events} as e where e.id = ${deliveries.eventId})`.mapWith(Number);
  const claimed: Delivery[] = await db.transact(async (tx) => {
    await lock(tx, lockAlerts);
    const waiting = await readWaiting({ ...deps, db: tx }, rooms, options);
    const picked = chooseFairly(waiting, rooms, options).flatMap((message) =>
      message.map(({ id }) => [id, message.length > 1 ? message[0]?.id : null]),
    );
    if (picked.length === 0) return [];
    return tx
      .update(deliveries)
      .set({ claimedBy: instance, digestId: sql`picked.digest_id` })
      .from(sql`(${selectValues(PICKED, picked)}) as picked`)
      .where(sql`${deliveries.id} = picked.id`)
      .returning({ ...getTableColumns(deliveries), userId });
  });
  const messages = Map.groupBy(
    claimed.toSorted((one, other) => one.id - other.id),
    ({ id, digestId }) => digestId ?? id,
  );
  const budgets = new Map(rooms.map(({ channelId, budget }) => [channelId, budget]));
  return [...messages].map(([id, list]) => {
    const [{ channelId }] = list as Claimed["deliveries"];
    sentMessages.count(channelId, budgets.get(channelId) ?? []);
    return { id, deliveries: list as Claimed["deliveries"] };
  });
};
