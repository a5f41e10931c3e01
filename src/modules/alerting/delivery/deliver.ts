/**
 * The notifications of this process. Events are rows that checks and reports have written. Once a second, and when
 * something has happened, `run` takes them through these stages:
 *
 *   1. beat     cluster/instances.ts  so that other instances respect the claims of this one
 *   2. record   outcome.ts            how the attempts ended that were started before: sent, retried or failed
 *   3. plan     plan/plan.ts          who gets which message when, or why not: plan/next.ts decides, for events, also
 *                                       when a hold is over, and for the steps and reminders that are due
 *   4. check    plan/holds.ts         the monitors that targets of held events depend on
 *   5. claim    claim.ts              what has waited longest, in order for each target, fairly between users and channels (fair.ts);
 *                                       several deliveries as one message (a digest) where they were to wait for each
 *                                       other, or where the budget of the channel does not allow one for each
 *   6. explain  outages/causes        what probably explains their outages, which may be known by now
 *   7. send     attempt.ts            messages/{message,digest}.ts render, channels/send.ts and the channel's kind send
 *
 * An attempt is in flight (lib/concurrency.ts) from its claim until its outcome is recorded; a failed record is repeated.
 * On SQLite a run makes no query while nothing is due and nothing was written (db/due.ts).
 * Beside that path: clock-changes.ts keeps the waiting times of retries, steps and reminders when the clock is set back.
 */
import { eq } from "drizzle-orm";
import { createHeartbeat } from "../../../cluster/instances";
import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import { createDueCheck } from "../../../db/due";
import { deliveries } from "../../../db/schema";
import { createInFlight, createWorker } from "../../../lib/concurrency";
import { refreshCauses } from "../outages/causes/update";
import { attempt, type ComposeReport } from "./attempt";
import { type Claimed, claimDeliveries } from "./claim";
import { createTimeShifter } from "./clock-changes";
import { type Outcome, recordOutcomes } from "./outcome";
import { type CheckNow, createParentChecks } from "./plan/holds";
import { GROUP_PAUSE } from "./plan/next";
import { DUE_TABLES, planNext, readNextDueTime } from "./plan/plan";
import { waitForHosts } from "./plan/write";

/** Requests in flight: in all, of one user and to one channel. */
const LIMITS = { limit: 400, limitPerUser: 40, limitPerChannel: 8 };
const SHUTDOWN_GRACE_MS = 3000;

type Options = {
  /** Checks a monitor that another one depends on. Without it, its next check on schedule is awaited. */
  checkNow?: CheckNow;
  /** Filters monitors that changed to those whose hosts are being checked: their alerts wait for that. */
  followed?: (monitorIds: readonly number[]) => Promise<readonly number[]>;
  composeReport?: ComposeReport;
};

/** Creates the delivery of this process. */
export const createDelivery = (
  deps: Deps,
  { checkNow, followed = async () => [], composeReport = async () => null }: Options = {},
) => {
  const { db, clock, log, instance } = deps;
  const heartbeat = createHeartbeat(deps);
  const shiftTimes = createTimeShifter(deps);
  const attempts = createInFlight<Claimed, Outcome>();
  const isAnyDue = createDueCheck({ ...deps, tables: DUE_TABLES, read: () => readNextDueTime(deps) });

  const recordEnded = async (): Promise<void> => {
    const ended = attempts.ended();
    await recordOutcomes(deps, ended);
    ended.forEach(attempts.settle);
  };

  const claim = async (): Promise<Claimed[]> => {
    const held = attempts.items().flatMap((item) => item.deliveries.map(({ id }) => id));
    const inFlight = [...attempts.running().map(({ item }) => item.deliveries[0]), ...deps.trials.sending()];
    await waitForHosts(deps, followed);
    return claimDeliveries(deps, { deadAt: heartbeat.deadAt(), held, inFlight, ...LIMITS });
  };

  const start = async (claimed: Claimed): Promise<void> => {
    const started = attempts.start(claimed.id, claimed);
    attempts.end(started, await attempt(deps, claimed, composeReport));
    void worker.run();
  };

  const run = async (): Promise<void> => {
    try {
      await shiftTimes();
      if (attempts.unsettled() === 0 && !(await isAnyDue())) return;
      await heartbeat.beat();
      await recordEnded();
      for (let more = true; more && !worker.stopping(); ) more = await planNext(deps);
      if (worker.stopping()) return;
      await checkParents?.();
      const claimed = await claim();
      const eventIds = claimed.flatMap((one) => one.deliveries.map(({ eventId }) => eventId));
      await refreshCauses(deps, eventIds);
      for (const one of claimed) void start(one);
    } catch (error) {
      log.error("delivery loop failed, will retry", { error: describeError(error) });
    }
  };

  const worker = createWorker({ run, inFlight: attempts, clock, grace: SHUTDOWN_GRACE_MS });

  const checkParents = checkNow && createParentChecks(deps, checkNow, () => void worker.run());

  return {
    /** Plans and sends what is due. To be called each second. */
    run: worker.run,
    /** Plans the events that were written, and sends their alerts as soon as these have waited for others. */
    announce: async (): Promise<void> => {
      await worker.run();
      await clock.sleep(GROUP_PAUSE);
      await worker.run();
    },
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
