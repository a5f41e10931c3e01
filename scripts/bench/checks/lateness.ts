import { signIn, timeRequests } from "../lib/client";
import { median, round } from "../lib/server";
import { measureChecks } from "./checks";

/** 500 checks a second while a client lists the dashboards of all 30,000 monitors in a loop. */
export const bench = (): Promise<object> =>
  measureChecks({
    monitors: 30_000,
    interval: 60,
    seconds: 60,
    during: async (url, signal) => {
      const token = await signIn(url);
      const times: number[] = [];
      while (!signal.aborted) times.push((await timeRequests(`${url}/api/monitors?limit=100`, token, 1)).ms);
      return { requests_per_second: round(times.length / 60), request_median_ms: round(median(times)) };
    },
  });
