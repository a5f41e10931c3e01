/**
 * The checks of this process. Once a second `tick` takes what is due through these stages:
 *
 *   1. flush and claim  in-flight.ts, claims/*.ts   writes results and claims what is due next
 *   2. load             run-check.ts                the claimed monitors and what their checks need
 *   3. start            run-check.ts                each at its own time, once limits.ts allows it
 *   4. probe            kinds/*.ts, src/probe/      a request, and retries while it fails
 *   5. buffer           in-flight.ts                keeps the result until the next flush
 *   6. record           record.ts                   states with their packed checks, and what changes (alerting/report.ts)
 *
 * Beside that path: off-schedule/siblings.ts (other monitors of a host that changed), off-schedule/manual-checks.ts (checks
 * on demand, changed monitors), off-schedule/probes.ts (monitors that are not saved),
 * connectivity.ts with own-network/ (a hub without a network, which must not accuse its targets), heartbeat.ts (HEARTBEAT_URL), and history/rollup.ts, which moves packed checks to blocks and sums once an hour.
 */
import type { Deps } from "../../../core/deps";
import { describeError } from "../../../core/errors";
import { createWorker } from "../../../lib/concurrency";
import { createMemoryClaims } from "./claims/memory-claims";
import { createStoredClaims } from "./claims/stored-claims";
import { type Connectivity, createConnectivity } from "./connectivity";
import { type Claimed, createChecksInFlight, createResultBuffer, type Finished, RESULT_DELAY_MS } from "./in-flight";
import { checksAtOnce, createAdmission } from "./limits";
import { createManualChecks, createManualPause } from "./off-schedule/manual-checks";
import { createProbes } from "./off-schedule/probes";
import { createSiblings } from "./off-schedule/siblings";
import { createCheckRunner } from "./run-check";

/**
 * Claims per tick: about as many checks as a core makes in a second, so that after a pause of the hub what is overdue does
 * not wait for the CPU beyond its timeout.
 */
const CLAIMS_AT_ONCE = 10_000;
/** Checks in flight, including results that are not written yet. Above it, nothing is claimed. */
const MAX_CLAIMED = 100_000;
/** Bytes of headers and bodies of all running checks. */
const MAX_BYTES = 2 ** 26;
const SHUTDOWN_GRACE_MS = 5000;

const claimLimit = (inFlight: number): number => Math.max(0, Math.min(CLAIMS_AT_ONCE, MAX_CLAIMED - inFlight));

export type Engine = ReturnType<typeof createEngine>;

type Options = {
  connectivity?: Connectivity;
  /** Called after a change of state was written. */
  onChange?: () => void;
  /** Results that change nothing may wait this many milliseconds. */
  resultDelay?: number;
};

/** Creates the check engine of this process. */
export const createEngine = (
  deps: Deps,
  { connectivity = createConnectivity(null, deps), onChange = () => {}, resultDelay = RESULT_DELAY_MS }: Options = {},
) => {
  const { clock, log, meters, config } = deps;
  const { checksInFlight: perUser, checksPerHost: perHost } = config.quotas;
  const flights = createChecksInFlight();
  const claims =
    deps.db.engine === "sqlite"
      ? createMemoryClaims({ ...deps, isInFlight: (id) => flights.get(id) !== undefined })
      : createStoredClaims({ ...deps, known: flights.ids });
  const onChanges = (changes: readonly Finished[]) => {
    onChange();
    siblings.follow(changes);
  };
  const results = createResultBuffer(deps, { flights, claims, delay: resultDelay, onChange: onChanges });
  const admission = createAdmission({ running: checksAtOnce(log), bytes: MAX_BYTES, perUser, perHost }, clock);
  const manualPause = createManualPause(clock);
  meters.checksInFlight = admission.running;
  meters.checksWaiting = admission.waiting;
  let tickedAt = clock.now();
  /** Claims that are not loaded yet. They stay here when the monitors can't be read. */
  let claimed: Claimed[] = [];

  const abandon = (monitorId: number, reason: Error): void => {
    manualPause.reset(monitorId);
    flights.abandon(monitorId, reason);
    void claims.release([monitorId]);
  };

  const tick = async (): Promise<void> => {
    try {
      await claims.beat();
      await claims.followClock();
      const online = await connectivity.reachable();
      claimed.push(...(await results.flushAndClaim(online && !worker.stopping() ? claimLimit(flights.size()) : 0)));
      await runner.schedule(claimed);
      claimed = [];
      tickedAt = clock.now();
    } catch (error) {
      log.error("checks could not be scheduled", { error: describeError(error) });
    }
  };

  const worker = createWorker({ run: tick, inFlight: flights, clock, grace: SHUTDOWN_GRACE_MS });
  const { stopping } = worker;
  const runner = createCheckRunner(deps, { flights, admission, connectivity, results, claims, abandon, stopping });
  const siblings = createSiblings(deps, { flights, claims, results, runner, stopping });
  const manual = createManualChecks({ flights, claims, results, runner, manualPause });

  return {
    /** Writes results and starts due checks. Call it once a second and when a monitor has changed. */
    tick: worker.run,

    /** When checks were scheduled last, in epoch milliseconds. */
    tickedAt: () => tickedAt,

    /** Makes the check in flight of a changed monitor stale. Its callers get the new result, or an error if it was paused. */
    restart: (monitorId: number, active: boolean): void => {
      manual.restart(monitorId, active);
      void worker.run();
    },

    /**
     * Checks a monitor now, and returns the result once it is stored. Joins a check in flight; otherwise starts one, at the
     * earliest `pause` milliseconds after the last manual check.
     * @throws {AppError} check_in_progress when another instance is checking it, rate_limited, hub_unavailable
     */
    checkNow: manual.checkNow,

    /**
     * Like checkNow, but returns when the check is claimed, without its result.
     * @throws {AppError} check_in_progress when another instance is checking it, rate_limited
     */
    startCheck: manual.startCheck,

    /**
     * Probes a monitor that is not saved.
     * @throws {AppError} rate_limited, hub_unavailable
     */
    probe: createProbes(deps, admission),

    /** The monitors that changed while the others of their hosts are being checked for that reason. */
    followed: siblings.followed,

    /** Starts no more checks, waits five seconds for those in flight, writes their results, and releases other claims. */
    stop: async (): Promise<void> => {
      const stopped = worker.stop();
      connectivity.stop();
      admission.release();
      await stopped;
      await results.tryFlush();
      await claims.signOff();
    },

    /** Number of claimed checks: waiting to start, running, or waiting to be written. */
    inFlight: flights.size,
    /** Number of running checks. */
    running: admission.running,
    /** Number of results that are not written yet. */
    unwritten: flights.unsettled,
  };
};
