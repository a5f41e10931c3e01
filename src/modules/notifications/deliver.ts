import { and, eq, sql } from "drizzle-orm";
import { INSTANCE_TIMEOUT } from "../../db/instances";
import { channels, deliveries, events, instances, users } from "../../db/schema";
import { readSetting } from "../../db/settings";
import { isOneOf } from "../../db/values";
import type { Deps } from "../../deps";
import { describeError } from "../../errors";
import type { ChannelType, Language } from "../../shared/alerts";
import { DAY, HOUR, MINUTE, SECOND } from "../../shared/limits";
import { BUILT_IN_ID, builtInChannel } from "./built-in";
import type { Answer, ChannelConfig } from "./channels/channel";
import { channelKinds } from "./channels/kinds";
import { type AlertEvent, messageOf } from "./messages";
import { planDeliveries } from "./plan";

/** Requests under way at once, over all channels and to one of them. */
const AT_ONCE = 50;
const AT_ONCE_PER_CHANNEL = 8;
/** A provider that is in trouble is asked again after these pauses, the last one again and again, for a day. */
const PAUSES = [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR];
const GIVE_UP = DAY;

type Delivery = typeof deliveries.$inferSelect;

/** The address that links in messages begin with, without a trailing slash; empty when none is known. */
export const linkBase = async ({ config, db }: Pick<Deps, "config" | "db">): Promise<string> =>
  config.publicUrl || ((await readSetting(db, "seen_url")) ?? "");

/** Carries events to their channels: claims deliveries, sends outside of any transaction, and records what was said. */
export const createDelivery = (deps: Deps) => {
  const { db, clock, log, config, instance } = deps;
  const underWay = new Map<number, number>();
  let running = false;
  let again = false;
  let stopping = false;
  const sending = new Set<Promise<void>>();

  const claim = async (): Promise<Delivery[]> => {
    const now = clock.now();
    const busy = [...underWay].filter(([, count]) => count >= AT_ONCE_PER_CHANNEL).map(([channelId]) => channelId);
    const free = sql`(${deliveries.claimedBy} is null or ${deliveries.claimedBy} not in
      (select ${instances.id} from ${instances} where ${instances.seenAt} > ${now - INSTANCE_TIMEOUT}))`;
    const due = and(
      sql`${deliveries.nextAttemptAt} <= ${now}`,
      free,
      busy.length > 0 ? sql`not ${isOneOf(deliveries.channelId, busy)}` : undefined,
    );
    // Of each channel no more than it has places for: one slow provider must not hold up the others.
    const ranked = sql`select id from (select ${deliveries.id} as id, ${deliveries.channelId} as channel_id,
      row_number() over (partition by ${deliveries.channelId} order by ${deliveries.id}) as place from ${deliveries} where ${due}) as ranked
      where place <= ${AT_ONCE_PER_CHANNEL} order by id limit ${Math.max(0, AT_ONCE - sending.size)}`;
    return db
      .update(deliveries)
      .set({ claimedBy: instance })
      .where(and(due, sql`${deliveries.id} in (${ranked})`))
      .returning();
  };

  const record = async (delivery: Delivery, answer: Answer): Promise<void> => {
    const now = clock.now();
    const attempts = delivery.attempts + 1;
    const mine = and(eq(deliveries.id, delivery.id), eq(deliveries.claimedBy, instance));
    if (answer.sent) {
      const ended = {
        state: "sent" as const,
        attempts,
        error: null,
        nextAttemptAt: null,
        endedAt: now,
        claimedBy: null,
      };
      await db.atomically((tx) => [
        tx.update(deliveries).set(ended).where(mine),
        tx
          .update(channels)
          .set({ problem: null })
          .where(and(eq(channels.id, delivery.channelId), sql`${channels.problem} is not null`)),
      ]);
      return;
    }
    const pause = answer.retryAfter
      ? answer.retryAfter * SECOND
      : (PAUSES[Math.min(delivery.attempts, PAUSES.length - 1)] as number);
    const over = answer.refused || now + pause > delivery.createdAt + GIVE_UP;
    log.warn(over ? "an alert could not be delivered" : "an alert is delivered later", {
      delivery: delivery.id,
      channel: delivery.channelId,
      answer: answer.said,
    });
    const next = over
      ? { state: "failed" as const, nextAttemptAt: null, endedAt: now }
      : { state: "pending" as const, nextAttemptAt: now + pause };
    await db.atomically((tx) => [
      tx
        .update(deliveries)
        .set({ ...next, attempts, error: answer.said, claimedBy: null })
        .where(mine),
      ...(answer.refused
        ? [tx.update(channels).set({ problem: answer.said }).where(eq(channels.id, delivery.channelId))]
        : []),
      // A provider that asks for a pause means all that goes the same way.
      ...(answer.retryAfter
        ? [
            tx
              .update(deliveries)
              .set({
                nextAttemptAt: sql`case when ${deliveries.nextAttemptAt} < ${now + pause} then ${now + pause} else ${deliveries.nextAttemptAt} end`,
              })
              .where(and(eq(deliveries.channelId, delivery.channelId), eq(deliveries.state, "pending"))),
          ]
        : []),
    ]);
  };

  const load = async (delivery: Delivery) => {
    const [row] = await db
      .select({ event: events, language: users.language })
      .from(events)
      .innerJoin(users, eq(users.id, events.userId))
      .where(eq(events.id, delivery.eventId));
    const [channel] =
      delivery.channelId === BUILT_IN_ID
        ? [builtInChannel(config)]
        : await db
            .select()
            .from(channels)
            .where(and(eq(channels.id, delivery.channelId), eq(channels.enabled, true)));
    return row && channel ? { event: row.event as AlertEvent, language: row.language as Language, channel } : null;
  };

  const attempt = async (delivery: Delivery): Promise<Answer> => {
    const found = await load(delivery);
    if (!found) return { sent: false, said: "the channel is gone or switched off", refused: true };
    const kind = channelKinds[found.channel.type as ChannelType];
    const message = messageOf(found.event, found.language, await linkBase(deps));
    return kind
      .send(message, found.channel.config as ChannelConfig, `wakeful-${delivery.eventId}-${delivery.id}`, config)
      .catch((error) => ({ sent: false, said: failureOf(error), refused: false }));
  };

  const carry = async (delivery: Delivery): Promise<void> => {
    underWay.set(delivery.channelId, (underWay.get(delivery.channelId) ?? 0) + 1);
    try {
      await record(delivery, await attempt(delivery));
    } catch (error) {
      // The claim stays: this delivery is tried again once it is given back below, or by another instance.
      log.error("a delivery could not be recorded", { delivery: delivery.id, error: describeError(error) });
    } finally {
      const left = (underWay.get(delivery.channelId) ?? 1) - 1;
      if (left > 0) underWay.set(delivery.channelId, left);
      else underWay.delete(delivery.channelId);
    }
  };

  const run = async (): Promise<void> => {
    if (running || stopping) {
      again = true;
      return;
    }
    running = true;
    try {
      do {
        again = false;
        while (await planDeliveries(deps)) if (stopping) return;
        const claimed = sending.size < AT_ONCE ? await claim() : [];
        for (const delivery of claimed) {
          const sent: Promise<void> = carry(delivery).finally(() => {
            sending.delete(sent);
            void run();
          });
          sending.add(sent);
        }
      } while (again && !stopping);
    } catch (error) {
      log.error("alerts could not be carried", { error: describeError(error) });
    } finally {
      running = false;
    }
  };

  return {
    /** Plans and sends whatever is due. To be called each second, and when something has happened. */
    run,
    /** Begins nothing more, and waits for what is under way. */
    stop: async (): Promise<void> => {
      stopping = true;
      await Promise.race([Promise.all(sending), clock.sleep(3000)]);
      await db
        .update(deliveries)
        .set({ claimedBy: null })
        .where(and(eq(deliveries.claimedBy, instance), eq(deliveries.state, "pending")));
    },
  };
};

export type Delivering = ReturnType<typeof createDelivery>;

/** What to show of a request that got no answer: its kind, and nothing of its address, which holds a token. */
const failureOf = (error: unknown): string => {
  const { name, code } = error as { name?: string; code?: string };
  if (name === "TimeoutError") return "no answer within 10 s";
  return `no answer: ${String(code ?? name ?? "unknown").slice(0, 60)}`;
};
