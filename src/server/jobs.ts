import { monitorEventLoopDelay } from "node:perf_hooks";
import { cron } from "@elysiajs/cron";
import { Elysia } from "elysia";
import { createLatenessWatch } from "../cluster/lateness";
import { purgeAttempts } from "../cluster/rate-limit";
import type { Deps } from "../core/deps";
import { describeError } from "../core/errors";
import { createMinuteMeter } from "../core/minute-meter";
import type { ServiceManager } from "../core/systemd/service-manager";
import { createRollup } from "../history/rollup";
import { isoTime } from "../lib/time";
import { purgeKeys } from "../modules/accounts/keys/service";
import { sendDueMails } from "../modules/accounts/mail/send";
import { purgeSecurityLog } from "../modules/accounts/security-log";
import { purgeSessions } from "../modules/accounts/sessions/service";
import { deleteExpiredClients } from "../modules/accounts/sign-in/sign-in";
import { purgeInvitations } from "../modules/accounts/teams/invitations/service";
import { purgeDeletedHistory } from "../modules/accounts/teams/purge";
import type { Delivering } from "../modules/alerting/delivery/deliver";
import { createGapNotice } from "../modules/alerting/gaps";
import { deleteExpiredEvents } from "../modules/alerting/history/events";
import { purgeWindows } from "../modules/alerting/maintenance/service";
import { deleteExpiredOutages } from "../modules/alerting/outages/service";
import type { Relay } from "../modules/live/relay";
import { alertExpiring, endOutages } from "../modules/monitors/certificates/watch";
import type { Engine } from "../modules/monitors/engine/engine";
import { createHeartbeat } from "../modules/monitors/engine/heartbeat";
import { createDeadlineSweep } from "../modules/monitors/heartbeats/deadlines";
import { deleteExpiredHistory } from "../modules/monitors/history/checks";
import { deleteExpiredGaps } from "../modules/monitors/history/pauses";
import { checkShape } from "../modules/monitors/history/shape";
import { watchBudgets } from "../modules/monitors/objectives/watch";
import { sendDueReports } from "../modules/reports/schedules/due";
import { deleteExpiredTokens } from "../modules/servers/enrollment/tokens";
import { deleteExpiredSamples, sumDays } from "../modules/servers/history/retention";
import { freeUnusedSeries } from "../modules/servers/history/series-names";
import { sampleShape } from "../modules/servers/history/shape";
import { writeOverduePending } from "../modules/servers/ingest/journal/journal";
import { createOfflineSweep } from "../modules/servers/ingest/offline";
import { purgeDeletedServers } from "../modules/servers/ingest/report-keys";
import { alertPlans } from "../modules/servers/plans/alerts";
import { forecastDisks } from "../modules/servers/thresholds/filling";
import { moveTrafficDays } from "../modules/servers/traffic/days";
import { writeAutomaticIncidents } from "../modules/status-page/incidents/automatic/automatic";
import { announceMaintenance } from "../modules/status-page/subscribers/maintenance";
import { purgeSubscribers } from "../modules/status-page/subscribers/queue";
import type { NoticeSender } from "../modules/status-page/subscribers/sender";
import { runBackupCommand } from "../modules/system/backups/command";
import { createBackups } from "../modules/system/backups/nightly";
import { recordSize } from "../modules/system/growth";
import { sweepPreviews } from "../modules/transfer/previews/store";
import { SECOND } from "../shared/limits";
import { countWatched } from "./compose/views";

/** A job of the hub. It runs once in `every` seconds, `offset` seconds after a multiple of them since the epoch. */
type Job = { name: string; every: number; offset?: number; run: () => Promise<unknown> };

/**
 * Returns a function, to be called once a second, that starts the jobs whose time has come. No job runs twice at a time; a
 * call that comes late, or after the clock was set, starts what it missed once.
 */
export const createSchedule = ({ clock, log }: Pick<Deps, "clock" | "log">, jobs: readonly Job[]) => {
  const start = ({ name, every, offset = 0, run }: Job) => {
    const turn = () => Math.floor((clock.now() - offset * SECOND) / (every * SECOND));
    let last = turn();
    let isRunning = false;
    return async (): Promise<void> => {
      const current = turn();
      if (isRunning || current === last) return;
      last = current;
      isRunning = true;
      try {
        await run();
      } catch (error) {
        log.error("a job failed", { job: name, error: describeError(error) });
      } finally {
        isRunning = false;
      }
    };
  };
  const started = jobs.map(start);
  return (): void => {
    for (const run of started) void run();
  };
};

/** How long the event loop is measured after its delay was read (minutes). */
const MEASURED_MINUTES = 10;

/**
 * Measures the delay of the event loop while someone reads it: the measurement wakes the process fifty times a second.
 * `turn` is to be called once a minute.
 */
export const createLoopMeter = () => {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  let minutesLeft = 0;
  let delays = { p50: 0, p99: 0, max: 0 };
  return {
    read: () => {
      if (minutesLeft === 0) delay.enable();
      minutesLeft = MEASURED_MINUTES;
      return delays;
    },
    turn: async (): Promise<void> => {
      if (minutesLeft === 0) return;
      delays = { p50: delay.percentile(50) / 1e9, p99: delay.percentile(99) / 1e9, max: delay.max / 1e9 };
      delay.reset();
      if (--minutesLeft > 0) return;
      delay.disable();
      delays = { p50: 0, p99: 0, max: 0 };
    },
    isMeasuring: () => minutesLeft > 0,
    stop: () => delay.disable(),
  };
};

/** Deletes what has expired, in small pieces, so that large deletions do not delay other work. */
const createRetention = (deps: Deps) => async (): Promise<void> => {
  while (await sumDays(deps)) await deps.clock.sleep(50);
  while (await deleteExpiredHistory(deps)) await deps.clock.sleep(50);
  while (await deleteExpiredSamples(deps)) await deps.clock.sleep(50);
  await purgeAttempts(deps);
  await deleteExpiredClients(deps);
  await purgeSecurityLog(deps);
  await purgeSessions(deps);
  await purgeKeys(deps);
  await purgeInvitations(deps);
  await purgeWindows(deps);
  while (await deleteExpiredTokens(deps)) await deps.clock.sleep(50);
  await purgeDeletedServers(deps);
  await deleteExpiredEvents(deps);
  while (await deleteExpiredOutages(deps)) await deps.clock.sleep(50);
  await deleteExpiredGaps(deps);
  await purgeDeletedHistory(deps);
  await sweepPreviews(deps);
  await purgeSubscribers(deps);
};

type Parts = {
  engine: Engine;
  delivery: Delivering;
  relay: Relay;
  notices: NoticeSender;
  /** Called when events were written. */
  onChange: () => void;
  manager: ServiceManager | null;
};

/** Starts the hub's timer. It ticks once a second, starts every job, and runs until `stop` is called. */
export const jobs = (deps: Deps, { engine, delivery, relay, notices, onChange, manager }: Parts) => {
  const sweepSilence = createOfflineSweep(deps);
  deps.watching.observe("hub_overloaded", createLatenessWatch(deps, engine));
  const announceGaps = createGapNotice(deps, () => countWatched(deps));
  const moveSamples = createRollup(deps, sampleShape);
  const backups = createBackups(deps, runBackupCommand);
  const loopMeter = createLoopMeter();
  deps.meters.eventLoopDelay = loopMeter.read;
  const minuteMeter = createMinuteMeter(deps.meters, deps.clock.now);
  deps.meters.lastMinute = minuteMeter.read;
  const tick = createSchedule(deps, [
    // First, so that the others know in the same second whether something was missed.
    { name: "watching", every: 1, run: async () => deps.watching.look() },
    { name: "checks", every: 1, run: engine.tick },
    { name: "alerts", every: 1, run: delivery.run },
    {
      name: "live",
      every: 1,
      run: async () => {
        await relay.beat();
        await deps.live.beat();
      },
    },
    {
      name: "silent agents",
      every: 5,
      run: async () => {
        if (await sweepSilence()) void delivery.announce();
      },
    },
    {
      name: "gaps of the hub",
      every: 5,
      run: async () => {
        if (await announceGaps()) await delivery.run();
      },
    },
    { name: "automatic incidents", every: 10, offset: 3, run: () => writeAutomaticIncidents(deps) },
    { name: "mails", every: 5, run: () => sendDueMails(deps) },
    { name: "subscribers", every: 1, run: notices.run },
    { name: "announcements of maintenance", every: 30, offset: 3, run: () => announceMaintenance(deps) },
    { name: "missing pings", every: 1, run: createDeadlineSweep(deps, onChange) },
    { name: "history", every: 5, run: createRollup(deps, checkShape) },
    {
      name: "samples",
      every: 5,
      run: async () => {
        await writeOverduePending(deps);
        await moveSamples();
      },
    },
    {
      name: "certificates",
      every: 3600,
      offset: 40,
      run: async () => {
        if (await alertExpiring(deps)) await delivery.run();
      },
    },
    {
      name: "renewed certificates",
      every: 60,
      offset: 35,
      run: async () => {
        if (await endOutages(deps)) await delivery.run();
      },
    },
    {
      name: "objectives",
      every: 60,
      offset: 20,
      run: async () => {
        if (await watchBudgets(deps)) await delivery.run();
      },
    },
    {
      name: "reports",
      every: 60,
      offset: 5,
      run: async () => {
        if (await sendDueReports(deps)) await delivery.run();
      },
    },
    {
      name: "forecasts of disks",
      every: 3600,
      offset: 1500,
      run: async () => {
        if (await forecastDisks(deps)) await delivery.run();
      },
    },
    {
      name: "plans",
      every: 900,
      offset: 50,
      run: async () => {
        await moveTrafficDays(deps);
        if (await alertPlans(deps)) await delivery.run();
      },
    },
    { name: "unused series", every: 6 * 3600, offset: 5000, run: () => freeUnusedSeries(deps) },
    { name: "heartbeat", every: 60, offset: 15, run: createHeartbeat(deps, engine) },
    { name: "event loop", every: 60, run: loopMeter.turn },
    { name: "figures of a minute", every: 60, run: minuteMeter.turn },
    // It looks at the running one again, which the next turn would otherwise wait for.
    { name: "backups", every: 60, offset: 10, run: async () => void backups.look() },
    { name: "database size", every: 3600, offset: 2400, run: () => recordSize(deps) },
    // A database that is away is no reason for a restart: that the event loop runs is enough.
    ...(manager?.watchdog
      ? [{ name: "watchdog", every: manager.watchdog, run: async () => manager.notify("WATCHDOG=1") }]
      : []),
    { name: "retention", every: 300, offset: 30, run: createRetention(deps) },
  ]);
  const timer = cron({
    name: "jobs",
    pattern: "* * * * * *",
    // croner can compute a negative pause when the second changes during the computation.
    startAt: isoTime(deps.clock.now() + 50),
    run: tick,
  });
  const timers = new Elysia({ name: "jobs" }).use(timer);
  // croner would otherwise delay jobs when the clock is set back to before this start.
  timers.store.cron.jobs.options.startAt = undefined;
  return {
    stop: () => {
      loopMeter.stop();
      backups.stop();
      timers.store.cron.jobs.stop();
    },
  };
};
