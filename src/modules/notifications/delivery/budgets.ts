import { count, eq, gt, lte } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { channels, deliveries, instances } from "../../../db/schema";
import type { Limit } from "../../../lib/sliding-window";
import { BUILT_IN_ID, channelKinds } from "../channels/registry";

/** A channel with deliveries that are due, and what may be sent through it now. */
export type Room = {
  channelId: number;
  /** How many messages its budget allows this instance; infinite where its kind has none. */
  messages: number;
  budget: readonly Limit[];
  /** Whether several deliveries may be sent as one message. */
  grouped: boolean;
};

/** The type of a stored channel. The built-in one has no row. */
const typeOf = (channelId: number, stored: string | null): string =>
  channelId === BUILT_IN_ID ? "telegram" : (stored ?? "");

/** Reads which channels have deliveries that are due. Living instances share the budgets: those seen after `deadAt`. */
export const readRooms = async (
  { db, clock, sentMessages }: Pick<Deps, "db" | "clock" | "sentMessages">,
  deadAt: number,
): Promise<Room[]> => {
  const due = await db
    .select({ channelId: deliveries.channelId, type: channels.type, due: count() })
    .from(deliveries)
    .leftJoin(channels, eq(channels.id, deliveries.channelId))
    .where(lte(deliveries.nextAttemptAt, clock.now()))
    .groupBy(deliveries.channelId, channels.type);
  if (due.length === 0) return [];
  const alive = Math.max(1, await db.$count(instances, gt(instances.seenAt, deadAt)));
  return due.map(({ channelId, type }) => {
    const { budget = [], grouped = true } = channelKinds.get(typeOf(channelId, type)) ?? {};
    return { channelId, messages: sentMessages.left(channelId, budget, alive), budget, grouped };
  });
};
