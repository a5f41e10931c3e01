import { callsOf } from "./client";
import { smallReport } from "./report-body";

/** Successfully answered writes. */
export type Answered = {
  monitors: string[];
  /** Agent and time of each accepted sample. */
  samples: { agent: number; at: number }[];
  /** Monitor and time of each manual check. */
  checks: { monitor: number; at: number }[];
  /** The bodies of stored pings. */
  pings: string[];
  /** Failed requests by status; 0: no answer. */
  refused: Record<string, number>;
};

export const createAnswered = (): Answered => ({ monitors: [], samples: [], checks: [], pings: [], refused: {} });

/** Counts a failed request by its status, and returns the status. */
export const countRefused = ({ refused }: Pick<Answered, "refused">, error: Error): string => {
  const status = /answered (\d+)/.exec(error.message)?.[1] ?? "0";
  refused[status] = (refused[status] ?? 0) + 1;
  return status;
};

/** Pings of one heartbeat: fewer than the limit of a minute, and fewer than are kept. */
const PINGS_OF_ONE = 50;

type Target = { url: string; token: string; keys: string[]; monitors: number };

/**
 * Creates monitors, reports, manual checks and pings, several of each at a time, until the signal aborts. Successful ones
 * are added to `answered`. Ends when the hub is gone, unless `keepTrying`. Each writer waits `pause` ms after a write.
 */
export const writeOn = async (
  { url, token, keys, monitors }: Target,
  answered: Answered,
  signal: AbortSignal,
  { keepTrying = false, pause = 0 } = {},
): Promise<void> => {
  const call = callsOf(url, token);
  const life = crypto.randomUUID().slice(0, 8);
  const repeat = async (once: (index: number) => Promise<void>) => {
    for (let index = 0; !signal.aborted; index++) {
      const status = await once(index).catch((error) => countRefused(answered, error));
      if (status === "0" && !keepTrying) return;
      await Bun.sleep(status ? 20 : pause);
    }
  };
  const makeMonitor = (writer: number) => async (index: number) => {
    const name = `${life}-${writer}-${index}`;
    await call("POST", "/monitors", { name, url: `${url}/health`, interval: 86_400, timeout: 5, expectedStatus: 200 });
    answered.monitors.push(name);
  };
  const report = (agent: number) => async () => {
    const at = Date.now();
    await callsOf(url, keys[agent] ?? "")("POST", "/agents/report", smallReport([at]));
    answered.samples.push({ agent: agent + 1, at });
    await Bun.sleep(5);
  };
  const check = (first: number) => async (index: number) => {
    const monitor = ((first + index * 3) % monitors) + 1;
    type Checked = { check: { checked_at: string } };
    const { check: found } = await call<Checked>("POST", `/monitors/${monitor}/check`);
    answered.checks.push({ monitor, at: Date.parse(found.checked_at) });
  };
  const heartbeat = { url: "", name: "" };
  /** Pings one heartbeat after the other, each less often than its limit; every third ping is a failure. */
  const ping = async (index: number) => {
    if (index % PINGS_OF_ONE === 0 || heartbeat.url === "") {
      heartbeat.name = `${life}-pings-${index}`;
      const body = { name: heartbeat.name, kind: "heartbeat", config: { every: 86_400, grace: 3600 } };
      const { monitor } = await call<{ monitor: { ping_url: string } }>("POST", "/monitors", body);
      answered.monitors.push(heartbeat.name);
      heartbeat.url = new URL(new URL(monitor.ping_url, url).pathname, url).href;
    }
    const body = `${heartbeat.name} ${index}`;
    const { status } = await fetch(`${heartbeat.url}/${index % 3 === 0 ? 1 : 0}`, { method: "POST", body });
    if (status !== 200) throw new Error(`answered ${status}`);
    answered.pings.push(body);
  };
  await Promise.all([
    repeat(ping),
    repeat(makeMonitor(0)),
    repeat(makeMonitor(1)),
    ...keys.map((_, agent) => repeat(report(agent))),
    ...[0, 1, 2].map((first) => repeat(check(first))),
  ]);
};
