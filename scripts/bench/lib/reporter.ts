import { reportBody } from "../agents/report-body";
import { hostnameOf } from "./seed-agents";
import { round } from "./server";

/** Agents in a separate process: each reports once an interval, also while its last report is pending. */
export type Reporting = {
  url: string;
  keys: string[];
  interval: number;
  seconds: number;
  /** Whether they report everything. */
  wide?: boolean;
};
export type Reported = { sent: number; accepted: number; latencies: number[]; refusals: Record<string, number> };

const { url, keys, interval, seconds, wide = false } = JSON.parse(await Bun.stdin.text()) as Reporting;
const found: Reported = { sent: 0, accepted: 0, latencies: [], refusals: {} };

const bodyOf = (agent: number): string =>
  JSON.stringify({ ...reportBody(hostnameOf(keys[agent] as string), agent, found.sent, wide), interval });

const report = async (agent: number): Promise<void> => {
  found.sent++;
  const begun = performance.now();
  const outcome = await fetch(`${url}/api/agents/report`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${keys[agent]}` },
    body: bodyOf(agent),
  }).then(
    async (response) => ({ status: String(response.status), body: (await response.json()) as { accepted?: number } }),
    (error) => ({ status: String(error), body: { accepted: 0 } }),
  );
  found.latencies.push(round(performance.now() - begun));
  found.accepted += outcome.body.accepted ?? 0;
  if (outcome.status !== "200") found.refusals[outcome.status] = (found.refusals[outcome.status] ?? 0) + 1;
};

// Spread evenly over the interval; a late timer sends every report that is due.
const rate = keys.length / interval;
const total = Math.round(rate * seconds);
const begun = performance.now();
const underWay = new Set<Promise<void>>();
for (let next = 0; next < total; ) {
  const due = Math.min(total, Math.floor(((performance.now() - begun) / 1000) * rate));
  for (; next < due; next++) {
    const sending = report(next % keys.length);
    underWay.add(sending);
    void sending.then(() => underWay.delete(sending));
  }
  await Bun.sleep(2);
}
await Promise.all(underWay);
await Bun.write(Bun.stdout, JSON.stringify(found));
