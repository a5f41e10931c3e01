import { connect } from "node:net";
import type { Config } from "../../../core/config";
import type { Deps } from "../../../core/deps";
import { createCoalescedRunner } from "../../../lib/concurrency";
import type { Interval } from "../../../lib/intervals";
import { LocalFailure } from "../../../probe/local-failure";
import type { Outbound } from "../../../probe/outbound";
import type { Failed, Judgement } from "./own-network/held";
import { isAnswer, isName, isRefusedHere } from "./own-network/networks";
import { createSuspicion, type Reached, type Recheck, type Witnessing } from "./own-network/suspicion";

type Parts = Pick<Deps, "clock" | "log" | "outbound">;

/** Timeout of a connection to the target in milliseconds, including DNS. */
const TIMEOUT = 3000;
/** A result is reused for this many milliseconds. */
const FRESH = 1000;

const accepts = (host: string, port: number, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    signal.addEventListener("abort", () => end(false), { once: true });
    if (signal.aborted) end(false);
  });

type Target = { host: string; port: number };
const CALLER = { key: "connectivity", lookups: 4, allowPrivate: true };

/** Whether any address of the target accepts a connection. */
const isReachable = async ({ host, port }: Target, outbound: Outbound): Promise<boolean> => {
  const signal = AbortSignal.timeout(TIMEOUT);
  const addresses = await outbound.addressesOf(host, CALLER, signal).catch(() => []);
  for (const address of addresses) if (await accepts(address, port, signal)) return true;
  return false;
};

const LOST = "connectivity is lost: checks pause";
const BACK = "connectivity is back: checks go on";

/** Tests the connection to a target, at most once a second for any number of callers that need no newer test. */
const createTargetTest = (target: Target, { clock, log, outbound }: Parts) => {
  let testedAt = Number.NEGATIVE_INFINITY;
  let testing: Promise<void> = Promise.resolve();
  let reachedAt = Number.POSITIVE_INFINITY;
  let lostSince: number | null = null;
  const test = createCoalescedRunner(async () => {
    const startedAt = clock.now();
    const reached = await isReachable(target, outbound);
    if (reached === (lostSince !== null)) log.warn(reached ? BACK : LOST);
    if (reached) reachedAt = startedAt;
    // The clock may have been set back since the last success.
    lostSince = reached ? null : (lostSince ?? Math.min(reachedAt, startedAt));
  });
  return {
    lostSince: () => lostSince,
    /** `isNew`: by a test that begins now. */
    reachable: async (isNew = false): Promise<boolean> => {
      const age = clock.now() - testedAt;
      if (isNew || age >= FRESH || age < 0) {
        testedAt = clock.now();
        testing = test();
      }
      await testing;
      return lostSince === null;
    },
  };
};

/**
 * Decides whether the hub itself is connected: by its connectivity target, which decides at once. Without one, and where
 * targets answer wrongly as behind a captive portal, by what its checks find and what witnesses say: the gateway, the name
 * servers and the hosts of channels (own-network/). With neither it always is.
 */
export const createConnectivity = (
  target: Config["connectivityTarget"],
  parts: Parts,
  witnesses: Witnessing | null = null,
) => {
  const { clock, log, outbound } = parts;
  const tested = target && createTargetTest(target, parts);
  const onChange = (isLost: boolean) => {
    log.warn(isLost ? LOST : BACK);
    // A captive portal has answered for them.
    if (!isLost) outbound.forgetNames();
  };
  const onWrongNames = () => {
    outbound.reported(new LocalFailure("names"));
    outbound.forgetNames();
  };
  const suspicion = witnesses && createSuspicion({ clock, ...witnesses, onChange, onWrongNames });
  const lostSince = (): number | null => tested?.lostSince() ?? suspicion?.lostSince() ?? null;
  return {
    /** Null while it is not lost and there is no target. */
    state: (): "ok" | "lost" | null => (lostSince() !== null ? "lost" : tested ? "ok" : null),

    /** The last success before the cut, or the first failure if there was no success; null unless it is lost. */
    lostSince,

    /** Whether checks may start. Call it once a second. */
    reachable: async (): Promise<boolean> => {
      if (tested && !(await tested.reachable())) return false;
      suspicion?.tick();
      return lostSince() === null;
    },

    /** Judges a failed check. Resolves within a minute. */
    judge: async (failed: Failed): Promise<Judgement> => {
      // A cut may have begun since the last test.
      if (tested && !(await tested.reachable(failed.fresh))) return "unknown";
      // A connection to the target shows that packets arrive, and neither who answers them nor that names lead to their targets.
      const mayBeWrong = isAnswer(failed.code) || (suspicion !== null && isName(failed.host));
      if (tested && !mayBeWrong)
        // A cut may have ended since the check began.
        return failed.fresh && !isRefusedHere(failed.code) ? "again" : "failed";
      return suspicion ? suspicion.judge(failed) : "failed";
    },

    /**
     * Whether the hub's own network works. Call it before a sign from outside that is missing since a time accuses its
     * sender. Resolves within a minute.
     */
    works: async (since: number): Promise<boolean> => (tested ? tested.reachable() : (suspicion?.works(since) ?? true)),

    /** Learns from results: from checks that succeeded, that failed, and whose names could not be resolved. */
    reached: (checked: Reached): void => suspicion?.reached(checked),
    failed: (monitorId: number, host: string, address: string | undefined): void =>
      suspicion?.failed(monitorId, host, address),
    unresolved: (monitorId: number, host: string): void => {
      if (!tested) suspicion?.unresolved(monitorId, host);
    },

    /** Sets the listener for interruptions of the own network that were too short to be a loss. */
    reportCutsTo: (listener: (cut: Interval) => void): void => suspicion?.reportCutsTo(listener),

    /** Sets how a target that was healthy is checked again. */
    recheckWith: (recheck: Recheck): void => suspicion?.recheckWith(recheck),

    /** Gives back the checks whose failures wait for a verdict. */
    stop: (): void => suspicion?.stop(),
  };
};

export type Connectivity = ReturnType<typeof createConnectivity>;
