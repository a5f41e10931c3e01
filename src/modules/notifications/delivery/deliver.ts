/**
 * The notifications of this process. Events are rows that checks and reports have written. Once a second, and when
 * something has happened, `run` takes them through these stages:
 *
 *   1. beat     cluster/instances.ts  so that other instances respect the claims of this one
 *   2. record   outcome.ts            how the attempts ended that were started before: sent, retried or failed
 *   3. plan     plan/plan.ts          a delivery for each channel of an event, unless suppressors.ts gives a reason not to,
 *                                       and what has become due without an event
 *   4. claim    claim.ts              deliveries that are due, in order for each target, fairly between users and channels
 *   5. send     attempt, below        messages/message.ts renders, channels/send.ts and the channel's kind send
 *
 * An attempt is in flight (lib/concurrency.ts) from its claim until its outcome is recorded; a failed record is repeated.
 * On SQLite a run makes no query while nothing is due and nothing was written (db/due.ts).
 * Beside that path: `createRetryTimeShifter` of outcome.ts keeps the waiting times of retries when the clock is set back.
 */
import { and, eq } from "drizzle-orm";
import { createHeartbeat } from "../../../cluster/instances";
import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import { createDueCheck } from "../../../db/due";
import { ownedBy } from "../../../db/owner";
import { channels, deliveries, events, monitors, users } from "../../../db/schema";
import { createInFlight, createWorker } from "../../../lib/concurrency";
import { deliveryErrorText } from "../../../shared/notifications";
import type { DeliveryResult } from "../channels/kind";
import { BUILT_IN_ID, builtInChannel } from "../channels/registry";
import { sendTo } from "../channels/send";
import { linkBase, messageOf } from "../messages/message";
import { claimDeliveries, type Delivery } from "./claim";
import { createRetryTimeShifter, type Outcome, recordOutcomes } from "./outcome";
import { DUE_TABLES, readNextDueTime } from "./plan/due";
import { planDue, planEvents } from "./plan/plan";
import { suppressors as registered } from "./suppressors";

/** Requests in flight: in all, of one user and to one channel. */
const LIMITS = { limit: 400, limitPerUser: 40, limitPerChannel: 8 };
const SHUTDOWN_GRACE_MS = 3000;

/** Creates the delivery of this process. `suppressors` are asked for each event and channel. */
export const createDelivery = (deps: Deps, suppressors = registered) => {
  const { db, clock, log, instance } = deps;
  const heartbeat = createHeartbeat(deps);
  const shiftRetryTimes = createRetryTimeShifter(deps);
  const attempts = createInFlight<Delivery, Outcome>();
  const isAnyDue = createDueCheck({ ...deps, tables: DUE_TABLES, read: () => readNextDueTime(deps) });

  const recordEnded = async (): Promise<void> => {
    const ended = attempts.ended();
    await recordOutcomes(deps, ended);
    ended.forEach(attempts.settle);
  };

  const claim = (): Promise<Delivery[]> => {
    const inFlight = attempts.running().map(({ item }) => item);
    return claimDeliveries(deps, { deadAt: heartbeat.deadAt(), held: attempts.ids(), inFlight, ...LIMITS });
  };

  const start = async (delivery: Delivery): Promise<void> => {
    const started = attempts.start(delivery.id, delivery);
    attempts.end(started, await attempt(deps, delivery));
    void worker.run();
  };

  const run = async (): Promise<void> => {
    try {
      await shiftRetryTimes();
      if (attempts.unsettled() === 0 && !(await isAnyDue())) return;
      await heartbeat.beat();
      await recordEnded();
      do {
        while (!worker.stopping() && (await planEvents(deps, suppressors)));
      } while (!worker.stopping() && (await planDue(deps)));
      if (worker.stopping()) return;
      for (const delivery of await claim()) void start(delivery);
    } catch (error) {
      log.error("delivery loop failed, will retry", { error: describeError(error) });
    }
  };

  const worker = createWorker({ run, inFlight: attempts, clock, grace: SHUTDOWN_GRACE_MS });

  return {
    /** Plans and sends what is due. To be called each second, and when an event was written. */
    run: worker.run,
    /** Starts nothing more, gives attempts in flight three seconds, records how they ended, and releases the other claims. */
    stop: async (): Promise<void> => {
      await worker.stop();
      try {
        await recordEnded();
        await db.update(deliveries).set({ claimedBy: null }).where(eq(deliveries.claimedBy, instance));
      } catch (error) {
        log.warn("failed to release deliveries", { error: describeError(error) });
      }
    },
  };
};

export type Delivering = ReturnType<typeof createDelivery>;

/** Sends a delivery. `cancelled` when its channel is gone, `not_started` when the hub could not send it now. */
const attempt = async (deps: Deps, delivery: Delivery): Promise<Outcome> => {
  try {
    const found = await load(deps, delivery);
    if (!found) return "cancelled";
    const { event, target, reader, recipient } = found;
    const message = { ...messageOf({ event, target }, reader, await linkBase(deps)), event };
    // The time makes it another key than that of an installation which shares the account.
    const key = `wakeful-${delivery.eventId}-${delivery.id}-${delivery.createdAt}`;
    const number = delivery.attempts + 1;
    const result = await sendTo(deps, recipient, message, { key, number, since: delivery.createdAt });
    logAttempt(deps, delivery, result);
    return result;
  } catch (error) {
    deps.log.error("delivery failed to start, will retry", { delivery: delivery.id, error: describeError(error) });
    return "not_started";
  }
};

/** The event and the recipient of a delivery; null when the channel is gone, switched off, or no longer its owner's to use. */
const load = async ({ db, config }: Deps, { eventId, channelId, userId }: Delivery) => {
  const usable = and(eq(channels.id, channelId), ownedBy(channels, userId), eq(channels.enabled, true));
  const [row] = await db
    .select({
      event: events,
      target: monitors.target,
      reader: { language: users.language, timeZone: users.timeZone },
      role: users.role,
      channel: channels,
    })
    .from(events)
    .innerJoin(users, eq(users.id, events.userId))
    .leftJoin(monitors, and(eq(events.targetType, "monitor"), eq(monitors.id, events.targetId)))
    .leftJoin(channels, usable)
    .where(eq(events.id, eventId));
  if (!row) return null;
  const channel = channelId === BUILT_IN_ID ? builtInChannel(config, row.role) : row.channel;
  return channel && { ...row, recipient: { ...channel, owner: { id: userId, role: row.role } } };
};

const logAttempt = ({ log }: Deps, delivery: Delivery, result: DeliveryResult): void =>
  log.debug("delivery attempted", {
    delivery: delivery.id,
    channel: delivery.channelId,
    attempt: delivery.attempts + 1,
    sent: result.sent,
    answer: result.sent ? result.reply : deliveryErrorText(result.error, "en-US"),
  });
