import { and, eq, gt, isNotNull, isNull, lt, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import type { Queries, Statement } from "../../../db/database";
import { channels, deliveries } from "../../../db/schema";
import { isOneOf, lockAlerts } from "../../../db/sql";
import { DAY, HOUR, MINUTE, SECOND } from "../../../shared/limits";
import { deliveryErrorText } from "../../../shared/notifications";
import type { DeliveryResult } from "../channels/kind";
import type { Claimed, Delivery } from "./claim";

/** Waiting times before retries. The last one repeats until a delivery is a day old. */
const RETRY_PAUSES = [5 * SECOND, 15 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR] as const;
const EXPIRES_AFTER = DAY;

/** Why an attempt is the last one, although no provider refused: its channel, or what its report is about, is gone. */
const CANCELLED = { cancelled: "channel_unavailable", gone: "report_unavailable" } as const;

/**
 * How an attempt ended: with the provider's answer, `not_started` when the hub could not send it (it is retried), or a
 * reason to cancel it.
 */
export type Outcome = DeliveryResult | "not_started" | keyof typeof CANCELLED;

/** Until when the provider of a channel asked for a pause; null when it did not. */
export const pauseOf = (channelId: SQLWrapper, now: SQLWrapper): SQL =>
  sql`(select max(asked.next_attempt_at) from ${deliveries} as asked
    where asked.channel_id = ${channelId} and asked.next_attempt_at > ${now} and asked.error_code = 'rate_limited')`;

type Next = { at: number | null; pause: number };

/** When a delivery that was not sent is retried; null when it has failed permanently. */
const nextAttempt = ({ attempts, dueAt }: Delivery, answer: DeliveryResult & { sent: false }, now: number): Next => {
  const end = dueAt + EXPIRES_AFTER;
  const own = RETRY_PAUSES[Math.min(attempts, RETRY_PAUSES.length - 1)] as number;
  // At most a day: the next answer may name a shorter pause.
  const pause = Math.min(answer.retryAfter ? answer.retryAfter * SECOND : own, EXPIRES_AFTER);
  const over = answer.refused || now >= end || (answer.retryAfter !== undefined && now + pause > end);
  return { at: over ? null : answer.retryAfter ? now + pause : Math.min(now + pause, end), pause };
};

type Ended = { item: Claimed; result: Outcome };

/** The columns of a delivery that is over. */
const finished = (now: number) => ({ nextAttemptAt: null, endedAt: now, claimedBy: null });

/** After a success, the channel has no problem any more, and its other retries need not wait for long. */
const endProblem = (tx: Queries, channelId: number, now: number): Statement[] => [
  tx
    .update(channels)
    .set({ problemCode: null, problemDetail: null })
    .where(and(eq(channels.id, channelId), isNotNull(channels.problemCode))),
  tx
    .update(deliveries)
    .set({ nextAttemptAt: now + MINUTE })
    .where(
      and(
        eq(deliveries.channelId, channelId),
        gt(deliveries.nextAttemptAt, now + MINUTE),
        gt(deliveries.attempts, 0),
        sql`${pauseOf(sql`${channelId}`, sql`${now}`)} is null`,
      ),
    ),
];

/** An answer that is not a success, as far as the hub knows. */
type Failure = Exclude<Outcome, { sent: true }>;

/** The deliveries of one message are retried together, at the earliest time of any of them. */
const nextOf = (item: Claimed, delivery: Delivery, answer: Exclude<Failure, string>, now: number): Next => {
  const attempts = Math.min(...item.deliveries.map((one) => one.attempts));
  return nextAttempt({ ...delivery, attempts }, answer, now);
};

/** The delivery as this instance claimed it for this attempt. */
const claimOf = ({ id, digestId }: Delivery, instance: string): SQL | undefined =>
  and(
    eq(deliveries.id, id),
    eq(deliveries.claimedBy, instance),
    digestId === null ? isNull(deliveries.digestId) : eq(deliveries.digestId, digestId),
  );

/** The changes of a failed attempt to one of its deliveries. */
const changesOf = (item: Claimed, delivery: Delivery, result: Failure, now: number) => {
  if (result === "not_started") return { nextAttemptAt: now + RETRY_PAUSES[0], claimedBy: null };
  if (typeof result === "string")
    return { ...finished(now), state: "failed" as const, errorCode: CANCELLED[result], errorDetail: null };
  const { at } = nextOf(item, delivery, result, now);
  const next = at === null ? { ...finished(now), state: "failed" as const } : { nextAttemptAt: at, claimedBy: null };
  const { code, detail } = result.error;
  return { ...next, attempts: delivery.attempts + 1, errorCode: code, errorDetail: detail };
};

/** The statements for an attempt that failed, on its deliveries that are still pending. */
const failureStatements = (
  tx: Queries,
  instance: string,
  { item, result }: { item: Claimed; result: Failure },
  now: number,
): Statement[] => {
  const [first] = item.deliveries;
  const statements: Statement[] = item.deliveries.map((delivery) =>
    tx
      .update(deliveries)
      .set(changesOf(item, delivery, result, now))
      .where(and(claimOf(delivery, instance), eq(deliveries.state, "pending"))),
  );
  if (typeof result === "string") return statements;
  if (result.refused) {
    const problem = { problemCode: result.error.code, problemDetail: result.error.detail };
    statements.push(tx.update(channels).set(problem).where(eq(channels.id, first.channelId)));
  }
  // The pause that a provider asks for applies to everything sent through the channel.
  if (result.retryAfter) {
    const paused = { nextAttemptAt: now + nextOf(item, first, result, now).pause };
    const earlier = and(eq(deliveries.channelId, first.channelId), lt(deliveries.nextAttemptAt, paused.nextAttemptAt));
    statements.push(tx.update(deliveries).set(paused).where(earlier));
  } else {
    // Another answer may have asked for it during this attempt.
    const pause = pauseOf(sql`${first.channelId}`, sql`${now}`);
    const ids = item.deliveries.map(({ id }) => id);
    const early = and(isOneOf(deliveries.id, ids), lt(deliveries.nextAttemptAt, pause));
    statements.push(tx.update(deliveries).set({ nextAttemptAt: pause }).where(early));
  }
  return statements;
};

/** The statements that record how an attempt ended. They apply to own claims only. */
const statementsOf = (tx: Queries, instance: string, { item, result }: Ended, now: number): Statement[] => {
  if (typeof result === "string" || !result.sent) return failureStatements(tx, instance, { item, result }, now);
  const [{ channelId }] = item.deliveries;
  const updates = item.deliveries.map((delivery) => {
    const sent = { ...finished(now), state: "sent" as const, attempts: delivery.attempts + 1 };
    const columns = { ...sent, errorCode: null, errorDetail: null };
    return tx.update(deliveries).set(columns).where(claimOf(delivery, instance));
  });
  return [...updates, ...endProblem(tx, channelId, now)];
};

/** The ids of these deliveries that are still stored: a deleted team has none any more. */
const readStored = async ({ db }: Pick<Deps, "db">, ended: readonly Ended[]): Promise<Set<number>> => {
  const unsent = ended.filter(({ result }) => typeof result === "string" || !result.sent);
  if (unsent.length === 0) return new Set();
  const ids = unsent.flatMap(({ item }) => item.deliveries.map(({ id }) => id));
  const rows = await db.select({ id: deliveries.id }).from(deliveries).where(isOneOf(deliveries.id, ids));
  return new Set(rows.map(({ id }) => id));
};

/** Counts the deliveries that have failed permanently, and logs why an attempt failed. */
const reportFailure = (
  { meters, log }: Pick<Deps, "meters" | "log">,
  { item, result }: { item: Claimed; result: Failure },
  now: number,
): void => {
  const isOver = (delivery: Delivery): boolean =>
    typeof result === "string" ? result !== "not_started" : nextOf(item, delivery, result, now).at === null;
  const over = item.deliveries.filter(isOver).length;
  meters.deliveries.failed += over;
  if (typeof result === "string") return;
  log.warn(over === 0 ? "delivery failed, will retry" : "an alert could not be delivered", {
    delivery: item.id,
    ...(item.deliveries.length > 1 && { deliveries: item.deliveries.length }),
    channel: item.deliveries[0].channelId,
    answer: deliveryErrorText(result.error, "en-US"),
  });
};

/** Records how attempts ended, in one transaction. @throws when nothing can be written; nothing is recorded then */
export const recordOutcomes = async (
  deps: Pick<Deps, "db" | "clock" | "instance" | "meters" | "log">,
  ended: readonly Ended[],
): Promise<void> => {
  if (ended.length === 0) return;
  const now = deps.clock.now();
  await deps.db.atomically((tx) => [
    ...lockAlerts,
    ...ended.flatMap((attempt) => statementsOf(tx, deps.instance, attempt, now)),
  ]);
  const stored = await readStored(deps, ended);
  for (const { item, result } of ended) {
    if (typeof result !== "string" && result.sent) deps.meters.deliveries.sent += item.deliveries.length;
    else if (!item.deliveries.some(({ id }) => stored.has(id)))
      deps.log.info("delivery dropped, what it is about was deleted", { delivery: item.id });
    else reportFailure(deps, { item, result }, now);
  }
};
