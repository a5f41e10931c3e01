import { and, eq } from "drizzle-orm";
import { createHeartbeat } from "../../../cluster/instances";
import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import { readSetting } from "../../../db/app-settings";
import { channels, deliveries, events, monitors, users } from "../../../db/schema";
import { lockAlerts } from "../../../db/sql";
import type { Language } from "../../../shared/alerts";
import { BUILT_IN_ID, builtInChannel } from "../channels/built-in";
import { sendTo } from "../channels/send";
import { messageOf } from "../messages/messages";
import { claimDeliveries, type Delivery } from "./claim";
import { createRetryTimeShifter } from "./clock-jump";
import { type Outcome, recordOutcome } from "./outcome";
import { planDeliveries } from "./plan";

/** Requests under way at once, over all channels and to one of them. */
const AT_ONCE = 400;
const AT_ONCE_PER_CHANNEL = 8;
const STOP_PATIENCE = 3000;

/** The address that links in messages begin with, without a trailing slash; empty when none is known. */
export const linkBase = async ({ config, db }: Pick<Deps, "config" | "db">): Promise<string> =>
  config.publicUrl || ((await readSetting(db, "seen_url")) ?? "");

/** What to tell, to whom: null where the channel is gone, switched off, or no longer its owner's to use. */
const load = async ({ db, config }: Deps, { eventId, channelId }: Delivery) => {
  const [row] = await db
    .select({ event: events, target: monitors.target, language: users.language, role: users.role })
    .from(events)
    .innerJoin(users, eq(users.id, events.userId))
    .leftJoin(monitors, and(eq(events.targetType, "monitor"), eq(monitors.id, events.targetId)))
    .where(eq(events.id, eventId));
  if (!row) return null;
  const [channel] =
    channelId === BUILT_IN_ID
      ? [row.role === "admin" ? builtInChannel(config) : null]
      : await db
          .select()
          .from(channels)
          .where(and(eq(channels.id, channelId), eq(channels.userId, row.event.userId), eq(channels.enabled, true)));
  return channel ? { ...row, language: row.language as Language, channel } : null;
};

/** Carries events to their channels: claims deliveries, sends outside of any transaction, and records what was said. */
export const createDelivery = (deps: Deps) => {
  const { db, clock, log, instance, meters } = deps;
  const heartbeat = createHeartbeat(deps);
  const keepPauses = createRetryTimeShifter(deps);
  /** What is being sent, and what ended and is not recorded yet. */
  const sending = new Map<number, { delivery: Delivery; done: Promise<void> }>();
  const ended = new Map<number, { delivery: Delivery; outcome: Outcome }>();
  let running: Promise<void> | undefined;
  let again = false;
  let stopping = false;

  /** In one transaction for all that ended since the last turn. What cannot be recorded now waits for the next one. */
  const recordEnded = async (): Promise<void> => {
    const batch = [...ended.values()];
    if (batch.length === 0) return;
    const now = clock.now();
    const over: boolean[] = [];
    await db.atomically((tx) => [
      ...lockAlerts,
      ...batch.flatMap(({ delivery, outcome }, index) => {
        const recorded = recordOutcome(tx, instance, delivery, outcome, now);
        over[index] = recorded.over;
        return recorded.statements;
      }),
    ]);
    for (const [index, { delivery, outcome }] of batch.entries()) {
      ended.delete(delivery.id);
      const sent = typeof outcome !== "string" && outcome.sent;
      if (over[index]) meters.deliveries[sent ? "sent" : "failed"]++;
      if (typeof outcome === "string" || sent) continue;
      log.warn(over[index] ? "an alert could not be delivered" : "an alert is delivered later", {
        delivery: delivery.id,
        channel: delivery.channelId,
        answer: outcome.said,
      });
    }
  };

  const attempt = async (delivery: Delivery): Promise<Outcome> => {
    try {
      const found = await load(deps, delivery);
      if (!found) return "not wanted";
      const message = messageOf(found.event, found.language, await linkBase(deps), found.target);
      // The time makes it another key than that of an installation which shares the account.
      const key = `wakeful-${delivery.eventId}-${delivery.id}-${delivery.createdAt}`;
      const owner = { id: found.event.userId, role: found.role };
      const answer = await sendTo(
        deps,
        { ...found.channel, owner },
        { ...message, event: found.event },
        {
          key,
          number: delivery.attempts + 1,
          since: delivery.createdAt,
        },
      );
      log.debug("delivery attempted", {
        delivery: delivery.id,
        channel: delivery.channelId,
        attempt: delivery.attempts + 1,
        sent: answer.sent,
        answer: answer.said,
      });
      return answer;
    } catch (error) {
      log.error("a delivery could not be begun", { delivery: delivery.id, error: describeError(error) });
      return "not begun";
    }
  };

  const carry = async (delivery: Delivery): Promise<void> => {
    ended.set(delivery.id, { delivery, outcome: await attempt(delivery) });
    sending.delete(delivery.id);
    void run();
  };

  const claim = async (): Promise<Delivery[]> => {
    const held = [...sending.keys(), ...ended.keys()];
    const underWay = new Map<number, number>();
    for (const { delivery } of sending.values()) {
      underWay.set(delivery.channelId, (underWay.get(delivery.channelId) ?? 0) + 1);
    }
    const seats = AT_ONCE - sending.size;
    return claimDeliveries(deps, {
      deadAt: heartbeat.deadAt(),
      held,
      underWay,
      perChannel: AT_ONCE_PER_CHANNEL,
      seats,
    });
  };

  const carryDue = async (): Promise<void> => {
    try {
      // Only of an instance that the others see do they leave the claims alone.
      await heartbeat.beat();
      await recordEnded();
      await keepPauses();
      while (!stopping && (await planDeliveries(deps)));
      if (stopping) return;
      for (const delivery of await claim()) sending.set(delivery.id, { delivery, done: carry(delivery) });
    } catch (error) {
      log.error("alerts could not be carried", { error: describeError(error) });
    }
  };

  /** One turn at a time. Who asks for one during another gets one after it. */
  const run = async (): Promise<void> => {
    again = true;
    const takeTurns = async () => {
      while (again && !stopping) {
        again = false;
        await carryDue();
      }
      running = undefined;
    };
    running ??= takeTurns();
    await running;
  };

  return {
    /** Plans and sends whatever is due. To be called each second, and when something has happened. */
    run,
    /** Begins nothing more, and waits a moment for what is under way. What is not done by then is given back. */
    stop: async (): Promise<void> => {
      stopping = true;
      await running;
      await Promise.race([Promise.all([...sending.values()].map(({ done }) => done)), clock.sleep(STOP_PATIENCE)]);
      try {
        await recordEnded();
        await db.update(deliveries).set({ claimedBy: null }).where(eq(deliveries.claimedBy, instance));
      } catch (error) {
        log.warn("deliveries could not be given back", { error: describeError(error) });
      }
    },
  };
};

export type Delivering = ReturnType<typeof createDelivery>;
