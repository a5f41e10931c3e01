import { isoTime } from "../../../src/lib/time";
import { round } from "./server";

/** Agents in a separate process: each reports once an interval, also while its last report is pending. */
export type Reporting = { url: string; keys: string[]; interval: number; seconds: number };
export type Reported = { sent: number; accepted: number; latencies: number[]; refusals: Record<string, number> };

const { url, keys, interval, seconds } = JSON.parse(await Bun.stdin.text()) as Reporting;
const found: Reported = { sent: 0, accepted: 0, latencies: [], refusals: {} };

const bodyOf = (agent: number): string => {
  const used = 4e9 + ((agent * 7919 + found.sent) % 1000) * 1e6;
  return JSON.stringify({
    interval,
    hostname: keys[agent],
    ip_addresses: ["10.0.0.5", "fd00::5"],
    os: "Debian GNU/Linux 12 (bookworm)",
    version: "6.1.0",
    samples: [
      {
        at: isoTime(Date.now()),
        cpu: ((agent * 31 + found.sent) % 1000) / 10,
        memory: { total: 16e9, used },
        disk: { total: 1e11, used: 5e10 },
        disks: [
          { mount: "/", total: 4e10, used: 2e10 },
          { mount: "/srv", total: 6e10, used: 3e10 },
        ],
        network: { rx: 12.5, tx: 3.25 },
        swap: { total: 2e9, used: 0 },
        load: [0.5, 0.4, 0.3],
        boot_time: "2026-01-01T00:00:00.000Z",
      },
    ],
  });
};

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
