import { connect } from "node:net";
import type { Clock } from "../../clock";
import type { Config } from "../../config";
import type { Log } from "../../log";

const PATIENCE = 3000;
/** An answer holds for so long. */
const FRESH = 1000;

const answers = ({ host, port }: { host: string; port: number }): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PATIENCE });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
  });

/** Whether the console itself can reach the world: `ok` or `lost`, or null when no target was set. */
export const createConnectivity = (target: Config["connectivityTarget"], clock: Clock, log: Log) => {
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<boolean> = Promise.resolve(true);
  let reached = true;
  const ask = async (to: NonNullable<typeof target>) => {
    const now = await answers(to);
    if (now !== reached) log.warn(now ? "connectivity is back: checks go on" : "connectivity is lost: checks pause");
    reached = now;
    return now;
  };
  return {
    state: (): "ok" | "lost" | null => (target === null ? null : reached ? "ok" : "lost"),
    reachable: (): Promise<boolean> => {
      if (target === null) return Promise.resolve(true);
      const age = clock.now() - askedAt;
      if (age >= FRESH || age < 0) {
        askedAt = clock.now();
        asking = ask(target);
      }
      return asking;
    },
  };
};
