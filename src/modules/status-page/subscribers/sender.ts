/**
 * Sends what subscribers get, beside the alerts and with budgets of its own: a run, once a second,
 *
 *   1. records how the attempts ended that were started before   queue.ts
 *   2. fills the queue from announcements, in short transactions queue.ts
 *   3. claims what is due, as much as the budgets allow          queue.ts
 *   4. sends it without waiting: mails over a few connections that are kept (mail/pool.ts), and webhooks
 *
 * A message that was claimed by a process that died is claimed again, so that a crash loses none.
 */
import { createHeartbeat } from "../../../cluster/instances";
import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import { createDueCheck } from "../../../db/due";
import { createInFlight, createWorker } from "../../../lib/concurrency";
import { createAttempts } from "./attempt";
import { type Composer, createComposer } from "./compose";
import {
  claimNotices,
  type Ended,
  fillQueue,
  type Notice,
  QUEUE_TABLES,
  readNextDue,
  recordOutcomes,
  releaseNotices,
} from "./queue";

/** Messages that a run starts, and messages in flight: mails, and webhooks. */
const BUDGETS = { email: { each: 50, inFlight: 100 }, webhook: { each: 16, inFlight: 16 } };
/** Batches of subscribers whose messages one run writes. */
const BATCHES = 4;
const SHUTDOWN_GRACE_MS = 3000;

/** Creates the sender of this process. */
export const createNoticeSender = (deps: Deps) => {
  const { clock, log } = deps;
  const heartbeat = createHeartbeat(deps);
  const flights = createInFlight<Notice, Ended>();
  const isAnyDue = createDueCheck({ ...deps, tables: QUEUE_TABLES, read: () => readNextDue(deps) });
  const attempts = createAttempts(deps);

  const start = async (notice: Notice, composer: Composer): Promise<void> => {
    const flight = flights.start(notice.id, notice);
    flights.end(flight, await attempts.make(notice, composer));
  };

  const record = async (): Promise<void> => {
    const ended = flights.ended();
    await recordOutcomes(
      deps,
      ended.map(({ result }) => result),
    );
    ended.forEach(flights.settle);
  };

  const claim = async (channel: Notice["channel"]): Promise<Notice[]> => {
    const { each, inFlight } = BUDGETS[channel];
    const running = flights.items().filter((one) => one.channel === channel).length;
    const limit = Math.min(each, inFlight - running);
    return claimNotices(deps, channel, { limit, held: flights.ids(), deadAt: heartbeat.deadAt() });
  };

  const run = async (): Promise<void> => {
    try {
      if (flights.size() === 0 && !(await isAnyDue())) return;
      await heartbeat.beat();
      await record();
      if (worker.stopping()) return;
      await fillQueue(deps, BATCHES);
      const claimed = [...(attempts.canMail() ? await claim("email") : []), ...(await claim("webhook"))];
      const composer = createComposer(deps);
      for (const notice of claimed) void start(notice, composer);
    } catch (error) {
      log.error("messages to subscribers failed, will retry", { error: describeError(error) });
    }
  };

  const worker = createWorker({ run, inFlight: flights, clock, grace: SHUTDOWN_GRACE_MS });

  return {
    /** Sends what is due. To be called each second. */
    run: worker.run,
    /** Resolves once nothing is being sent. */
    idle: flights.idle,
    /** Starts nothing more, waits for messages in flight for three seconds, and releases the other claims. */
    stop: async (): Promise<void> => {
      await worker.stop();
      try {
        await record();
        await releaseNotices(deps);
      } catch (error) {
        log.warn("failed to release messages to subscribers", { error: describeError(error) });
      }
      await attempts.close();
    },
  };
};

export type NoticeSender = ReturnType<typeof createNoticeSender>;
