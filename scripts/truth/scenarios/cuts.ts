/** Many cuts, some shorter than a retry. No target fails, so every claim is invented. */
import { createTargets, type Disturbance, pingsFrom, type Scenario } from "../scenario";

/** The lengths of the cuts (s), each in every way. */
const LENGTHS = [2, 3, 5, 8, 13];
const WAYS = ["silent", "unreachable", "unplugged"] as const;
/** Checks of all monitors begin within this time, so that each cut meets some. */
const INTERVAL = 20;
const PAUSE = 12;

export const manyCuts = (): Scenario => {
  const { targets, add } = createTargets();
  const [answer, barrier, name] = [{ answer: "closed" }, { barrier: "blackhole" }, { name: "silent" }] as const;
  const often = { interval: INTERVAL };
  for (let one = 1; one <= 12; one++) {
    add(`http ${one}`, "http", answer, often);
    add(`keyword ${one}`, "http", { answer: "text" }, often);
    add(`ping ${one}`, "ping", barrier, { ...often, kind: "ping" });
    add(`tcp ${one}`, "tcp", answer, { ...often, kind: "tcp" });
    add(`https ${one}`, "https", answer, { ...often, kind: "https" });
    add(`record ${one}`, "dns", name, { ...often, kind: "dns" });
    add(`name ${one}`, "names", name, often);
    add(`retried ${one}`, "retried", answer, { ...often, retried: true });
  }
  for (let port = 80; port < 130; port++)
    add(`port ${port}`, "one host", answer, { ...often, port, sameHost: port > 80 });
  let at = 15;
  const disturbances: Disturbance[] = [];
  for (const length of LENGTHS)
    for (const how of WAYS) {
      disturbances.push({ how, from: at, to: at + length });
      at += length + PAUSE;
    }
  return {
    seconds: at,
    targets,
    clients: [
      { name: "job", class: "jobs", kind: "job", pings: pingsFrom(10, at) },
      { name: "agent", class: "agents", kind: "agent", failures: [] },
    ],
    disturbances,
  };
};
