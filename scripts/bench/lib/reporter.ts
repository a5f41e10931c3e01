import { reportBody } from "./report-body";
import { hostnameOf } from "./seed-agents";
import { round } from "./server";

type Reporting = {
  url: string;
  keys: string[];
  /** Seconds. Each agent reports once an interval, also while its last report is pending. */
  interval: number;
  seconds: number;
  /** Whether they report everything. */
  wide?: boolean;
};
export type Reported = { sent: number; accepted: number; latencies: number[]; refusals: Record<string, number> };

/** Runs reporting agents in a separate process and returns the outcome. */
export const startReporter = async (options: Reporting): Promise<Reported> => {
  const child = Bun.spawn(["bun", import.meta.path], {
    stdin: new Blob([JSON.stringify(options)]),
    stdout: "pipe",
    stderr: "inherit",
    env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: "4096" },
  });
  return JSON.parse(await new Response(child.stdout).text()) as Reported;
};

const report = async ({ url, keys, interval, seconds, wide = false }: Reporting): Promise<Reported> => {
  const outcome: Reported = { sent: 0, accepted: 0, latencies: [], refusals: {} };
  const send = async (agent: number): Promise<void> => {
    const key = keys[agent] as string;
    const body = { ...reportBody(hostnameOf(key), agent, outcome.sent++, wide), interval };
    const begun = performance.now();
    const { status, accepted } = await fetch(`${url}/api/agents/report`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
    }).then(
      async (response) => ({
        status: String(response.status),
        accepted: ((await response.json()) as { accepted?: number }).accepted,
      }),
      (error) => ({ status: String(error), accepted: 0 }),
    );
    outcome.latencies.push(round(performance.now() - begun));
    outcome.accepted += accepted ?? 0;
    if (status !== "200") outcome.refusals[status] = (outcome.refusals[status] ?? 0) + 1;
  };
  // Spread evenly over the interval; a late timer sends every report that is due.
  const rate = keys.length / interval;
  const total = Math.round(rate * seconds);
  const begun = performance.now();
  const pending = new Set<Promise<void>>();
  for (let next = 0; next < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - begun) / 1000) * rate));
    for (; next < due; next++) {
      const sending = send(next % keys.length);
      pending.add(sending);
      void sending.then(() => pending.delete(sending));
    }
    await Bun.sleep(2);
  }
  await Promise.all(pending);
  return outcome;
};

if (import.meta.main) await Bun.write(Bun.stdout, JSON.stringify(await report(JSON.parse(await Bun.stdin.text()))));
