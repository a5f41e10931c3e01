import { asc, eq, getTableColumns, gt, lte, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import type { Database } from "../../../db/database";
import { channels, deliveries, events, instances } from "../../../db/schema";
import { isOneOf, lock, lockAlerts, selectValues } from "../../../db/sql";
import { SECOND } from "../../../shared/limits";
import { REPORT_EVENT } from "../../../shared/notifications";
import { BUILT_IN_ID, channelKinds } from "../channels/registry";
import { holdDeliveries } from "../maintenance/holds";
import { chooseFairly, type Limits, MAX_DIGEST, type Room, type Waiting } from "./fair";

/** A claimed delivery, and the owner of its event. */
export type Delivery = typeof deliveries.$inferSelect & { teamId: number };

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

/** A channel, and a user whose deliveries to it are due. */
type Pair = { channelId: number; teamId: number; type: string | null };

const keyOf = ({ channelId, teamId }: Pick<Pair, "channelId" | "teamId">): string => `${channelId} ${teamId}`;

/** Reads which deliveries are due, by their channels and users. */
const readPairs = ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<Pair[]> =>
  db
    .select({ channelId: deliveries.channelId, teamId: events.teamId, type: channels.type })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .leftJoin(channels, eq(channels.id, deliveries.channelId))
    .where(lte(deliveries.nextAttemptAt, clock.now()))
    .groupBy(deliveries.channelId, events.teamId, channels.type);

/** What may be sent through these channels. Living instances share the budgets. */
const readRooms = async (
  { db, sentMessages }: Pick<Deps, "db" | "sentMessages">,
  pairs: readonly Pair[],
  deadAt: number,
): Promise<Room[]> => {
  if (pairs.length === 0) return [];
  const alive = Math.max(1, (await readLiving({ db }, deadAt)).size);
  const types = new Map(pairs.map(({ channelId, type }) => [channelId, typeOf(channelId, type)]));
  return [...types].map(([channelId, type]) => {
    const { budget = [], grouped = true } = channelKinds.get(type) ?? {};
    return { channelId, messages: sentMessages.left(channelId, budget, alive), budget, grouped };
  });
};

/**
 * The ids of the deliveries in flight to these channels, and of `each` that have waited longest, for each channel and user; and
 * whether there may be more.
 */
const readLongestWaiting = async (db: Database, pairs: readonly Pair[], each: number) => {
  // The built-in channel has several teams, and so has an own channel of a member that follows others.
  const isOfUser = sql`exists (select 1 from ${events} as e where e.id = d.event_id and e.team_id = pair.team_id)`;
  const oldestOf = (condition: SQL, some: readonly Pair[]): SQL => {
    const values = some.map(({ channelId, teamId }) => [channelId, teamId]);
    return sql`select (select string_agg(cast(oldest.id as text), ',') from (
        select d.id from ${deliveries} as d
        where d.channel_id = pair.channel_id and d.next_attempt_at is not null and ${condition}
        order by d.next_attempt_at, d.id limit ${each}) as oldest) as ids
      from (${selectValues({ channel_id: "bigint", team_id: "bigint" }, values)}) as pair`;
  };
  const uses = Map.groupBy(pairs, ({ channelId }) => channelId);
  const [shared = [], own = []] = [true, false].map((isShared) =>
    pairs.filter(({ channelId }) => (channelId === BUILT_IN_ID || (uses.get(channelId)?.length ?? 0) > 1) === isShared),
  );
  const channelIds = pairs.map(({ channelId }) => channelId);
  const rows = await db.rows(sql`${oldestOf(isOfUser, shared)} union all ${oldestOf(sql`true`, own)}
    union all select cast(d.id as text) from ${deliveries} as d where d.next_attempt_at is not null
      and d.claimed_by is not null and ${isOneOf(sql`d.channel_id`, channelIds)}`);
  const lists = rows.map(({ ids }) => (ids === null ? [] : String(ids).split(",").map(Number)));
  return { ids: [...new Set(lists.flat())], isCut: lists.some(({ length }) => length >= each) };
};

/** How many deliveries of the target of a delivery come before it in its channel. */
const countEarlier = (): SQL<number> => {
  const { id, channelId } = deliveries;
  const { targetType, targetId } = events;
  return sql`(select count(*) from ${events} as e cross join ${deliveries} as d where e.target_type = ${targetType}
    and e.target_id = ${targetId} and d.event_id = e.id and d.channel_id = ${channelId} and d.next_attempt_at is not null
    and d.id < ${id})`.mapWith(Number);
};

/** Reads up to `each` unfinished deliveries of each pair. `cut` lists the pairs that may have more. */
const readWaiting = async (
  { db, clock, instance }: Pick<Deps, "db" | "clock" | "instance">,
  pairs: readonly Pair[],
  { held, deadAt }: ClaimOptions,
  each: number,
): Promise<{ waiting: Waiting[]; cut: Pair[] }> => {
  const now = clock.now();
  const alive = await readLiving({ db }, deadAt);
  const { id, channelId, nextAttemptAt, groupSeconds, attempts, errorCode, digestId, claimedBy } = deliveries;
  const { teamId, targetType, targetId, drill, kind } = events;
  const oldest = await readLongestWaiting(db, pairs, each);
  const earlier = oldest.isCut ? countEarlier() : sql<number>`0`;
  const rows = await db
    .select({
      ...{ id, channelId, nextAttemptAt, groupSeconds, attempts, errorCode, digestId, claimedBy },
      ...{ teamId, targetType, targetId, drill, kind, earlier },
    })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(isOneOf(id, oldest.ids))
    .orderBy(asc(id));
  const inFlight = new Set(held);
  const counts = new Map<string, number>();
  const waiting = rows.flatMap((row) => {
    const target = `${row.targetType} ${row.targetId}`;
    const count = counts.get(`${row.channelId} ${target}`) ?? 0;
    // An earlier one of the target was not read, and has to be sent before.
    if (row.earlier > count) return [];
    counts.set(`${row.channelId} ${target}`, count + 1);
    // A lost claim of this instance counts as none.
    const isLost = row.claimedBy === instance && !inFlight.has(row.id);
    const isFree = row.claimedBy === null || !alive.has(row.claimedBy) || isLost;
    const next = row.nextAttemptAt ?? 0;
    const isGrouping = row.attempts === 0 && row.errorCode === null && next <= now + row.groupSeconds * SECOND;
    const isRetried = row.attempts > 0 && row.errorCode !== "rate_limited";
    return {
      id: row.id,
      channelId: row.channelId,
      teamId: row.teamId,
      target,
      isDue: isFree && next <= now,
      isReady: isFree && (next <= now || isGrouping || isRetried),
      isGrouped: row.groupSeconds > 0,
      isSingle: row.drill || row.kind === REPORT_EVENT,
      wasInDigest: row.digestId !== null,
      isBusy: row.digestId !== null && !isFree,
    };
  });
  const due = Map.groupBy(
    rows.filter((row) => (row.nextAttemptAt ?? 0) <= now),
    keyOf,
  );
  return { waiting, cut: pairs.filter((pair) => (due.get(keyOf(pair))?.length ?? 0) >= each) };
};

/** Deliveries that a claim reads of each user and channel: at least a whole digest, and more if only few have any. */
const readSize = (pairs: readonly Pair[]): number =>
  Math.max(MAX_DIGEST, Math.min(2 * MAX_DIGEST, Math.ceil(2000 / pairs.length)));

/**
 * Chooses from those that have waited longest. Further ones of a user and channel are read only if none of these may be sent,
 * because each waits for one of its target that is retried later.
 */
const choose = async (
  deps: Pick<Deps, "db" | "clock" | "instance">,
  pairs: readonly Pair[],
  rooms: readonly Room[],
  options: ClaimOptions,
): Promise<Waiting[][]> => {
  const waiting = new Map<number, Waiting>();
  let left = pairs;
  for (let each = readSize(pairs); left.length > 0; each *= 10) {
    const read = await readWaiting(deps, left, options, each);
    const byPair = Map.groupBy(read.waiting, keyOf);
    left = read.cut.filter((pair) => {
      const some = byPair.get(keyOf(pair)) ?? [];
      return !some.some(({ isBusy }) => isBusy) && chooseFairly(some, rooms, options).length === 0;
    });
    const isLeft = new Set(left.map(keyOf));
    for (const one of read.waiting) if (!isLeft.has(keyOf(one))) waiting.set(one.id, one);
  }
  return chooseFairly(
    [...waiting.values()].toSorted((one, other) => one.id - other.id),
    rooms,
    options,
  );
};

const PICKED = { id: "bigint", digest_id: "bigint" } as const;

/**
 * Claims due deliveries. Several become one message if three or more of a channel wait to be grouped, or if its budget does
 * not allow one each. While such a message is in flight, nothing else of its channel is claimed.
 *
 * A channel gets the deliveries of a monitor or server in order: a recovery waits for the alert that it ends. fair.ts shares
 * the limits between users and channels. Deliveries of targets in maintenance are held.
 */
export const claimDeliveries = async (
  deps: Pick<Deps, "db" | "clock" | "instance" | "sentMessages">,
  options: ClaimOptions,
): Promise<Claimed[]> => {
  const { db, clock, instance, sentMessages } = deps;
  const { inFlight, limit, limitPerUser, limitPerChannel } = options;
  if (inFlight.length >= limit) return [];
  const due = await readPairs(deps);
  const runningOf = (key: "channelId" | "teamId", id: number) => inFlight.filter((one) => one[key] === id).length;
  const rooms = (await readRooms(deps, due, options.deadAt)).filter(
    ({ channelId, messages }) => messages > 0 && runningOf("channelId", channelId) < limitPerChannel,
  );
  const open = new Set(rooms.map(({ channelId }) => channelId));
  const pairs = due.filter(
    ({ channelId, teamId }) => open.has(channelId) && runningOf("teamId", teamId) < limitPerUser,
  );
  if (pairs.length === 0) return [];
  const teamId = sql<number>`(select e.team_id from ${events} as e where e.id = ${deliveries.eventId})`.mapWith(Number);
  const claimed: Delivery[] = await db.transact(async (tx) => {
    await lock(tx, lockAlerts);
    const chosen = await choose({ ...deps, db: tx }, pairs, rooms, options);
    const ids = chosen.flatMap((message) => message.map(({ id }) => id));
    const held = await holdDeliveries({ db: tx }, ids, clock.now());
    const picked = chosen
      .map((message) => message.filter(({ id }) => !held.has(id)))
      .flatMap((message) => message.map(({ id }) => [id, message.length > 1 ? message[0]?.id : null]));
    if (picked.length === 0) return [];
    return tx
      .update(deliveries)
      .set({ claimedBy: instance, digestId: sql`picked.digest_id` })
      .from(sql`(${selectValues(PICKED, picked)}) as picked`)
      .where(sql`${deliveries.id} = picked.id`)
      .returning({ ...getTableColumns(deliveries), teamId });
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
