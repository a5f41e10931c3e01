import { join } from "node:path";
import { measureChecks } from "./checks";
import { callsOf, option, signIn } from "./lib/client";
import type { Load } from "./lib/load";

const SHOWN = 100;

/** The result of a load process. */
const run = async (load: Load): Promise<object> => {
  const child = Bun.spawn(["bun", join(import.meta.dir, "lib/load.ts"), JSON.stringify(load)], { stdout: "pipe" });
  return JSON.parse(await new Response(child.stdout).text()) as object;
};

/**
 * Visitors of a status page of 100 monitors with 90 days of history, while 50 checks a second run: its data in full,
 * its data for clients that have them already, and the document. `--connections` and `--seconds` (of each) change that.
 */
export const bench = (args: string[]): Promise<object> => {
  const [connections, seconds] = [option(args, "connections", 32), option(args, "seconds", 15)];
  return measureChecks({
    monitors: 1000,
    interval: 20,
    seconds: 3 * seconds + 5,
    sumDays: 90,
    during: async (url) => {
      const monitors = Array.from({ length: SHOWN }, (_, index) => index + 1);
      await callsOf(url, await signIn(url))("POST", "/status/config", { title: "Benchmark", monitors });
      const load = (path: string, headers: Record<string, string>) =>
        run({ url: url + path, connections, seconds, headers: { "accept-encoding": "gzip, deflate, br", ...headers } });
      const data = await load("/api/status/data", {});
      const etag = (await fetch(`${url}/api/status/data`)).headers.get("etag") ?? "";
      const again = await load("/api/status/data", { "if-none-match": etag });
      return { connections, shown: SHOWN, data, not_modified: again, page: await load("/status", {}) };
    },
  });
};
