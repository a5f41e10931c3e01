import { monitorEventLoopDelay } from "node:perf_hooks";
import { cron } from "@elysiajs/cron";
import { Elysia } from "elysia";
import { createPauseWatch } from "../cluster/downtime";
import type { Deps } from "../core/deps";
import { describeError } from "../core/errors";
import { isoTime } from "../lib/time";
import { deleteExpiredTokens } from "../modules/agents/enrollment";
import { deleteExpiredSamples, sumDays } from "../modules/agents/history/retention";
import { createSampleRollup } from "../modules/agents/history/rollup";
import { writeOverduePending } from "../modules/agents/ingest/journal";
import { createOfflineSweep } from "../modules/agents/ingest/offline";
import { purgeDeletedAgents } from "../modules/agents/ingest/report-keys";
import { purgeKeys } from "../modules/auth/keys/service";
import { purgeSecurityLog } from "../modules/auth/security-log";
import { purgeSessions } from "../modules/auth/sessions/service";
import { purgeAttempts } from "../modules/auth/sign-in/rate-limit";
import { deleteExpiredClients } from "../modules/auth/sign-in/sign-in";
import type { Relay } from "../modules/live/relay";
import type { Engine } from "../modules/monitors/engine/engine";
import { deleteExpiredGaps } from "../modules/monitors/history/availability";
import { deleteExpiredHistory } from "../modules/monitors/history/checks";
import { createRollup } from "../modules/monitors/history/rollup";
import type { Delivering } from "../modules/notifications/delivery/deliver";
import { deleteExpiredEvents } from "../modules/notifications/history";
import { deleteExpiredOutages } from "../modules/outages/service";
import { purgeDeletedHistory } from "../modules/users/service";

/** Starts every timer of the hub. They run until `stop` is called. */
export const jobs = (deps: Deps, engine: Engine, delivery: Delivering, relay: Relay) => {
  const job = (name: string, pattern: string, run: () => Promise<unknown>) =>
    cron({
      name,
      pattern,
      // croner can compute a negative pause when the second changes during the computation.
      startAt: isoTime(deps.clock.now() + 50),
      protect: true,
      catch: (error: unknown) => deps.log.error("a job failed", { job: name, error: describeError(error) }),
      run,
    });
  const moveSamples = createSampleRollup(deps);
  const watchPauses = createPauseWatch(deps);
  const sweepSilence = createOfflineSweep(deps);
  const sweep = async () => {
    // In small pieces, so that large deletions do not delay other work.
    while (await sumDays(deps)) await deps.clock.sleep(50);
    while (await deleteExpiredHistory(deps)) await deps.clock.sleep(50);
    while (await deleteExpiredSamples(deps)) await deps.clock.sleep(50);
    await purgeAttempts(deps);
    await deleteExpiredClients(deps);
    await purgeSecurityLog(deps);
    await purgeSessions(deps);
    await purgeKeys(deps);
    while (await deleteExpiredTokens(deps)) await deps.clock.sleep(50);
    await purgeDeletedAgents(deps);
    await deleteExpiredEvents(deps);
    while (await deleteExpiredOutages(deps)) await deps.clock.sleep(50);
    await deleteExpiredGaps(deps);
    await purgeDeletedHistory(deps);
  };
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const readDelay = async () => {
    const seconds = (nanoseconds: number) => nanoseconds / 1e9;
    const [half, most, all] = [delay.percentile(50), delay.percentile(99), delay.max].map(seconds);
    Object.assign(deps.meters.eventLoopDelay, { "0.5": half, "0.99": most, "1": all });
    delay.reset();
  };
  const timers = new Elysia({ name: "jobs" })
    .use(job("checks", "* * * * * *", engine.tick))
    .use(
      job("silent agents", "*/5 * * * * *", async () => {
        await watchPauses();
        if (await sweepSilence()) await delivery.run();
      }),
    )
    .use(job("history", "*/5 * * * * *", createRollup(deps)))
    .use(
      job("samples", "*/5 * * * * *", async () => {
        await writeOverduePending(deps);
        await moveSamples();
      }),
    )
    .use(job("alerts", "* * * * * *", delivery.run))
    .use(
      job("live", "* * * * * *", async () => {
        await relay.beat();
        await deps.live.beat();
      }),
    )
    .use(job("event loop", "0 * * * * *", readDelay))
    .use(job("retention", "30 * * * * *", sweep));
  // croner would otherwise delay jobs when the clock is set back to before this start.
  for (const { options } of Object.values(timers.store.cron)) options.startAt = undefined;
  return {
    stop: () => {
      delay.disable();
      for (const timer of Object.values(timers.store.cron)) timer.stop();
    },
  };
};
