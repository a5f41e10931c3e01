import { connect } from "node:net";
import type { Config } from "../../../core/config";
import type { Deps } from "../../../core/deps";
import type { Outbound } from "../../../probe/outbound";

/** Whether the hub itself has a network connection. */
export type Connectivity = { reachable: () => Promise<boolean> };

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

/**
 * Checks whether the hub itself reaches its connectivity target. `state` is `ok` or `lost`, or null without a target.
 * `lostSince` is null unless it is lost: the last success before the cut, or the first failure if there was no success.
 */
export const createConnectivity = (target: Config["connectivityTarget"], { clock, log, outbound }: Parts) => {
  let testedAt = Number.NEGATIVE_INFINITY;
  let testing: Promise<boolean> = Promise.resolve(true);
  let reachedAt = Number.POSITIVE_INFINITY;
  let lostSince: number | null = null;
  const test = async (to: Target) => {
    const startedAt = clock.now();
    const reached = await isReachable(to, outbound);
    if (reached === (lostSince !== null))
      log.warn(reached ? "connectivity is back: checks go on" : "connectivity is lost: checks pause");
    if (reached) reachedAt = startedAt;
    // The clock may have been set back since the last success.
    lostSince = reached ? null : (lostSince ?? Math.min(reachedAt, startedAt));
    return reached;
  };
  return {
    state: (): "ok" | "lost" | null => (target === null ? null : lostSince === null ? "ok" : "lost"),
    lostSince: (): number | null => lostSince,
    reachable: (): Promise<boolean> => {
      if (target === null) return Promise.resolve(true);
      const age = clock.now() - testedAt;
      if (age >= FRESH || age < 0) {
        testedAt = clock.now();
        testing = test(target);
      }
      return testing;
    },
  };
};
