import { and, eq, gt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Queries, Statement } from "../../../db/database";
import { channels, deliveries } from "../../../db/schema";
import { DAY, HOUR, MINUTE, SECOND } from "../../../shared/limits";
import type { DeliveryResult } from "../channels/kind";
import type { Delivery } from "./claim";

/** A provider that is in trouble is asked again after these pauses, the last one again and again, for a day. */
const PAUSES = [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR];
const GIVE_UP = DAY;

/** How an attempt ended: with a provider's answer, or without one being asked: later again, or never. */
export type Outcome = DeliveryResult | "not begun" | "not wanted";

/** Until when the provider of a channel asked for a pause; null: it did not. */
export const pauseOf = (channelId: SQLWrapper, now: number): SQL =>
  sql`(select max(asked.next_attempt_at) from ${deliveries} as asked
    where asked.channel_id = ${channelId} and asked.next_attempt_at > ${now} and asked.error like '429:%')`;

type Next = { at: number | null; pause: number };

/** When a refused or unanswered delivery is tried again; null: never. */
const nextAttempt = (
  { attempts, createdAt }: Delivery,
  answer: DeliveryResult & { sent: false },
  now: number,
): Next => {
  const end = createdAt + GIVE_UP;
  const own = PAUSES[Math.min(attempts, PAUSES.length - 1)] as number;
  // Nobody waits for longer than a day: the next answer may name a shorter pause.
  const pause = Math.min(answer.retryAfter ? answer.retryAfter * SECOND : own, GIVE_UP);
  const over = answer.refused || now >= end || (answer.retryAfter !== undefined && now + pause > end);
  return { at: over ? null : answer.retryAfter ? now + pause : Math.min(now + pause, end), pause };
};

/** The statements that record how an attempt ended, and when it is over for good. They count only for the claim's owner. */
export const recordOutcome = (
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
  if (outcome === "not begun") {
    const next = { nextAttemptAt: now + (PAUSES[0] as number), claimedBy: null };
    return { statements: [update.set(next).where(pending)], over: false };
  }
  if (outcome === "not wanted") {
    const error = "the channel is gone or switched off";
    return { statements: [update.set({ ...ended, state: "failed", error }).where(pending)], over: true };
  }
  const attempts = delivery.attempts + 1;
  const channel = eq(deliveries.channelId, delivery.channelId);
  if (outcome.sent) {
    return {
      over: true,
      statements: [
        update.set({ ...ended, state: "sent", attempts, error: null }).where(mine),
        tx
          .update(channels)
          .set({ problem: null })
          .where(and(eq(channels.id, delivery.channelId), sql`${channels.problem} is not null`)),
        // The provider is back: whatever still waits for that need not wait for long.
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
      update.set({ ...next, attempts, error: outcome.said }).where(pending),
      ...(outcome.refused
        ? [tx.update(channels).set({ problem: outcome.said }).where(eq(channels.id, delivery.channelId))]
        : []),
      // A provider that asks for a pause means all that goes the same way.
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
