import { and, eq, gt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import type { Queries, Statement } from "../../../db/database";
import { channels, deliveries } from "../../../db/schema";
import { lockAlerts } from "../../../db/sql";
import { CLOCK_JUMP_MS } from "../../../lib/time";
import { DAY, HOUR, MINUTE, SECOND } from "../../../shared/limits";
import { deliveryErrorText } from "../../../shared/notifications";
import type { DeliveryResult } from "../channels/kind";
import type { Delivery } from "./claim";

/** Waiting times before retries. The last one repeats until a delivery is a day old. */
const RETRY_PAUSES = [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR];
const EXPIRES_AFTER = DAY;

/**
 * How an attempt ended: with the provider's answer, `not_started` when the hub could not send it (it is retried), or
 * `cancelled` when the channel can no longer be used.
 */
export type Outcome = DeliveryResult | "not_started" | "cancelled";

/** Until when the provider of a channel asked for a pause; null when it did not. */
export const pauseOf = (channelId: SQLWrapper, now: number): SQL =>
  sql`(select max(asked.next_attempt_at) from ${deliveries} as asked
    where asked.channel_id = ${channelId} and asked.next_attempt_at > ${now} and asked.error_code = 'rate_limited')`;

type Next = { at: number | null; pause: number };

/** When a delivery that was not sent is retried; null when it has failed permanently. */
const nextAttempt = (
  { attempts, createdAt }: Delivery,
  answer: DeliveryResult & { sent: false },
  now: number,
): Next => {
  const end = createdAt + EXPIRES_AFTER;
  const own = RETRY_PAUSES[Math.min(attempts, RETRY_PAUSES.length - 1)] as number;
  // At most a day: the next answer may name a shorter pause.
  const pause = Math.min(answer.retryAfter ? answer.retryAfter * SECOND : own, EXPIRES_AFTER);
  const over = answer.refused || now >= end || (answer.retryAfter !== undefined && now + pause > end);
  return { at: over ? null : answer.retryAfter ? now + pause : Math.min(now + pause, end), pause };
};

/** The statements that record how an attempt ended, and whether the delivery is over. They apply to own claims only. */
const statementsOf = (
  tx: Queries,
  instance: string,
  delivery: Delivery,
  outcome: Outcome,
  now: number,
): { statements: Statement[]; over: boolean } => {
  const mine = and(eq(deliveries.id, delivery.id), eq(deliveries.claimedBy, instance));
  const pending = and(mine, eq(deliveries.state, "pending"));
  const ended = { nextAttemptAt: null, endedAt: now, claimedBy: null };
  const update = tx.update(deliveries);
  if (outcome === "not_started") {
    const next = { nextAttemptAt: now + (RETRY_PAUSES[0] as number), claimedBy: null };
    return { statements: [update.set(next).where(pending)], over: false };
  }
  if (outcome === "cancelled") {
    const error = { errorCode: "channel_unavailable" as const, errorDetail: null };
    return { statements: [update.set({ ...ended, state: "failed", ...error }).where(pending)], over: true };
  }
  const attempts = delivery.attempts + 1;
  const channel = eq(deliveries.channelId, delivery.channelId);
  if (outcome.sent) {
    return {
      over: true,
      statements: [
        update.set({ ...ended, state: "sent", attempts, errorCode: null, errorDetail: null }).where(mine),
        tx
          .update(channels)
          .set({ problemCode: null, problemDetail: null })
          .where(and(eq(channels.id, delivery.channelId), sql`${channels.problemCode} is not null`)),
        // The provider works again: other retries need not wait for long.
        tx
          .update(deliveries)
          .set({ nextAttemptAt: now + MINUTE })
          .where(
            and(
              channel,
              gt(deliveries.nextAttemptAt, now + MINUTE),
              sql`${pauseOf(sql`${delivery.channelId}`, now)} is null`,
            ),
          ),
      ],
    };
  }
  const { at, pause } = nextAttempt(delivery, outcome, now);
  const next = at === null ? { ...ended, state: "failed" as const } : { nextAttemptAt: at, claimedBy: null };
  return {
    over: at === null,
    statements: [
      update
        .set({ ...next, attempts, errorCode: outcome.error.code, errorDetail: outcome.error.detail })
        .where(pending),
      ...(outcome.refused
        ? [
            tx
              .update(channels)
              .set({ problemCode: outcome.error.code, problemDetail: outcome.error.detail })
              .where(eq(channels.id, delivery.channelId)),
          ]
        : []),
      // The pause that a provider asks for applies to everything sent through the channel.
      ...(outcome.retryAfter
        ? [
            tx
              .update(deliveries)
              .set({ nextAttemptAt: now + pause })
              .where(and(channel, sql`${deliveries.nextAttemptAt} < ${now + pause}`)),
          ]
        : []),
    ],
  };
};

/** Records how attempts ended, in one transaction. @throws when nothing can be written; nothing is recorded then */
export const recordOutcomes = async (
  { db, clock, instance, meters, log }: Pick<Deps, "db" | "clock" | "instance" | "meters" | "log">,
  ended: readonly { delivery: Delivery; outcome: Outcome }[],
): Promise<void> => {
  if (ended.length === 0) return;
  const now = clock.now();
  const over: boolean[] = [];
  await db.atomically((tx) => [
    ...lockAlerts,
    ...ended.flatMap(({ delivery, outcome }, index) => {
      const recorded = statementsOf(tx, instance, delivery, outcome, now);
      over[index] = recorded.over;
      return recorded.statements;
    }),
  ]);
  for (const [index, { delivery, outcome }] of ended.entries()) {
    const sent = typeof outcome !== "string" && outcome.sent;
    if (over[index]) meters.deliveries[sent ? "sent" : "failed"]++;
    if (typeof outcome === "string" || sent) continue;
    log.warn(over[index] ? "an alert could not be delivered" : "delivery failed, will retry", {
      delivery: delivery.id,
      channel: delivery.channelId,
      answer: deliveryErrorText(outcome.error, "en-US"),
    });
  }
};

/**
 * Keeps the waiting times of retries when the clock is set back; to be called before each run. A retry that is more than
 * a day ahead is due now: no retry waits that long, so the clock was set while no instance ran.
 */
export const createRetryTimeShifter = ({ db, clock }: Pick<Deps, "db" | "clock">) => {
  let lastRunAt: number | null = null;
  return async (): Promise<void> => {
    const now = clock.now();
    const jump = (lastRunAt ?? now) - now;
    if (lastRunAt === null || jump > CLOCK_JUMP_MS) {
      const next = deliveries.nextAttemptAt;
      const shifted = sql`case when ${next} - ${jump} > ${now} + ${DAY} then ${now} else ${next} - ${jump} end`;
      const affected = gt(next, jump > 0 ? now : now + DAY);
      await db.atomically((tx) => [
        ...lockAlerts,
        tx.update(deliveries).set({ nextAttemptAt: shifted }).where(affected),
      ]);
    }
    lastRunAt = now;
  };
};
