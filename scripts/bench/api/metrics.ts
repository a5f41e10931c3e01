import { machine, reportOf, sampleAt } from "../../../src/testing/fixtures/agents";
import { measureChecks } from "../checks/checks";
import { option, signIn, timeRequests } from "../lib/client";
import { ascending, percentile, round } from "../lib/server";

const post = async (url: string, secret: string, body: unknown): Promise<Record<string, string>> => {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, string>;
};

const enroll = async (url: string, session: string, name: string): Promise<void> => {
  const { token } = await post(`${url}/api/agents/token/generate`, session, {});
  const { key = "" } = await post(`${url}/api/agents/register`, "", { token, ...machine({ machine_id: name, name }) });
  await post(`${url}/api/agents/report`, key, reportOf([sampleAt(Date.now())]));
};

/** Scrapes /metrics of 1,000 monitors and 1,000 servers ten times a second during 50 checks a second. */
export const bench = (args: string[]): Promise<object> => {
  const things = option(args, "things", 1000);
  return measureChecks({
    monitors: things,
    interval: 20,
    seconds: option(args, "seconds", 40),
    sumDays: 30,
    during: async (url, signal) => {
      const session = await signIn(url);
      const names = Array.from({ length: things }, (_, place) => `Server ${place + 1}`);
      while (names.length > 0) await Promise.all(names.splice(0, 50).map((name) => enroll(url, session, name)));
      const times: number[] = [];
      let bytes = 0;
      while (!signal.aborted) {
        const asked = await timeRequests(`${url}/metrics`, session, 1);
        times.push(asked.ms);
        bytes = asked.bytes;
        await Bun.sleep(100);
      }
      const sorted = ascending(times);
      return {
        scrapes: times.length,
        scrape_median_ms: round(percentile(sorted, 0.5)),
        scrape_p99_ms: round(percentile(sorted, 0.99)),
        scrape_kilobytes: round(bytes / 1024, 0),
      };
    },
  });
};
