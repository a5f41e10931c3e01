import { callsOf } from "./client";
import { smallReport } from "./report-body";
import { type Answered, countRefused } from "./writers";

/** Milliseconds between two samples of an agent. */
const EVERY = 200;
const AT_ONCE = 1000;

type Enrolled = { agent: { id: number }; key: string };

/** Enrolls agents of the caller, numbered from `first`. */
export const enroll = (url: string, token: string, count: number, first = 0): Promise<Enrolled[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, place) => {
      const index = first + place;
      const made = await callsOf(url, token)<{ token: string }>("POST", "/agents/token/generate");
      const identity = { hostname: `web-${index}`, ip_addresses: [], os: "Debian", version: "6.1" };
      const body = { ...identity, token: made.token, machine_id: `machine-${index}` };
      return callsOf(url, "")<Enrolled>("POST", "/agents/register", body);
    }),
  );

/**
 * Reports samples of each agent at a steady pace until the signal aborts. Refused reports are sent again, as the agent does;
 * resolves when none is left. Every sample is added to `answered`.
 */
export const reportOn = async (
  url: string,
  agents: Enrolled[],
  answered: Answered,
  signal: AbortSignal,
): Promise<void> => {
  const report = async ({ agent, key }: Enrolled) => {
    const call = callsOf(url, key);
    let unsent: number[] = [];
    for (let next = Date.now(); !signal.aborted || unsent.length > 0; ) {
      for (; next <= Date.now() && !signal.aborted; next += EVERY) {
        unsent.push(next);
        answered.samples.push({ agent: agent.id, at: next });
      }
      const sent = unsent.slice(0, AT_ONCE);
      if (sent.length > 0)
        await call("POST", "/agents/report", smallReport(sent)).then(
          () => {
            unsent = unsent.slice(sent.length);
          },
          (error) => void countRefused(answered, error),
        );
      await Bun.sleep(EVERY / 2);
    }
  };
  await Promise.all(agents.map(report));
};
