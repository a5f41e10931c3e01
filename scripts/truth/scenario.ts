/** What happens in a run. Times are in seconds since its beginning. */

import type { State } from "./commands";
import type { Span } from "./compare";
import { addressOf, type Barrier } from "./network";

/** How a target fails: by its own answers, by the answers of its name server, or by a router. */
type Failure = { answer: State } | { name: State } | { barrier: Barrier };

export type Target = {
  name: string;
  class: string;
  address: string;
  port: number;
  monitor: object;
  failure: Failure;
  failures: Span[];
};

/** What happens to the hub. */
export type Disturbance = { how: "silent" | "unreachable" | "portal" | "kill" | "freeze" | "starve" } & Span;

/** A job that pings each minute, or an agent that reports every ten seconds, which is silent at times. */
export type Client = { name: string; class: string; kind: "job" | "agent"; failures: Span[] };

export type Scenario = { seconds: number; targets: Target[]; clients: Client[]; disturbances: Disturbance[] };

const INTERVAL = 60;
const TIMEOUT = 5;
/** After this long a failure has been checked, with its further attempts. */
export const CERTAIN = { monitor: INTERVAL * 1.1 + 4 * TIMEOUT, job: 60 + 30, agent: 90 + 15 };
/** How late a ping may be (seconds). */
export const GRACE = 15;

const ANSWERS = ["closed", "status", "hang", "reset", "text", "redirects", "garbage", "body", "slow"] as const;
const BARRIERS = ["blackhole", "unreachable", "prohibit"] as const;
const NAMES = ["no_name", "failing", "silent"] as const;
const TEXT = { assertions: [{ on: "body", op: "contains", value: "systems go" }] };

const createTargets = () => {
  const targets: Target[] = [];
  let number = 0;
  const add = (
    name: string,
    group: string,
    failure: Failure,
    { failures = [], port = 80 }: { failures?: Span[]; port?: number } = {},
  ): void => {
    if (port === 80) number++;
    const address = addressOf(number);
    const host = "name" in failure ? `t${number}.truth.test` : address;
    const url = `http://${host}${port === 80 ? "" : `:${port}`}/`;
    const isTcp = group === "tcp";
    const needsText = "answer" in failure && failure.answer === "text";
    const config = isTcp ? { kind: "tcp", config: { host: address, port } } : { url, expectedStatus: 200 };
    targets.push({
      ...{ name, class: group, address, port, failure, failures },
      monitor: { name, interval: INTERVAL, timeout: TIMEOUT, retries: 0, ...config, ...(needsText && TEXT) },
    });
  };
  return { targets, add };
};

/** All ways to fail and all disturbances, in somewhat more than five minutes, or in as many times as long. */
export const fullScenario = (minutes: number): Scenario => {
  const scale = minutes / 5;
  const span = (from: number, to: number): Span => ({ from: from * scale, to: to * scale });
  const { targets, add } = createTargets();
  for (const answer of ANSWERS) {
    add(`${answer} a`, "answers", { answer }, { failures: [span(15, 120)] });
    add(`${answer} b`, "answers", { answer }, { failures: [span(25, 125)] });
  }
  for (const barrier of BARRIERS) {
    add(`${barrier} a`, "routers", { barrier }, { failures: [span(15, 120)] });
    add(`${barrier} b`, "routers", { barrier }, { failures: [span(25, 125)] });
  }
  for (const name of NAMES) add(`name ${name}`, "names", { name }, { failures: [span(20, 120)] });
  add("tcp closed", "tcp", { answer: "closed" }, { failures: [span(20, 120)] });
  for (const port of [80, 81, 82, 83, 84, 85])
    add(`host ${port}`, "host", { answer: "closed" }, { failures: [span(30, 125)], port });
  for (const name of ["a", "b", "c"]) add(`short ${name}`, "short", { answer: "closed" }, { failures: [span(40, 55)] });
  for (const name of ["a", "b"]) {
    add(`before ${name}`, "began before the cut", { answer: "closed" }, { failures: [span(45, 250)] });
    add(`in ${name}`, "only in the cut", { answer: "closed" }, { failures: [span(150, 180)] });
    add(`since ${name}`, "began in the cut", { answer: "closed" }, { failures: [span(160, 300)] });
  }
  for (let steady = 1; steady <= 8; steady++)
    add(`steady ${steady}`, "steady", { answer: steady % 2 ? "closed" : "text" });
  const clients: Client[] = [
    { name: "job steady", class: "jobs", kind: "job", failures: [] },
    { name: "job dead", class: "jobs", kind: "job", failures: [span(20, 140)] },
    { name: "agent steady 1", class: "agents", kind: "agent", failures: [] },
    { name: "agent steady 2", class: "agents", kind: "agent", failures: [] },
    { name: "agent silent", class: "agents", kind: "agent", failures: [span(15, 135)] },
  ];
  const disturbances: Disturbance[] = [
    { how: "silent", ...span(142, 200) },
    { how: "kill", ...span(215, 225) },
    { how: "freeze", ...span(235, 255) },
    { how: "starve", ...span(262, 280) },
    { how: "unreachable", ...span(284, 292) },
    // When no target fails.
    { how: "portal", ...span(304, 330) },
  ];
  return { seconds: 345 * scale, targets, clients, disturbances };
};

/** A short run for the suite: single failures, a cut, and failures that begin in it. Monitors are checked by resuming them. */
export const shortScenario = (): Scenario => {
  const { targets, add } = createTargets();
  add("closed", "answers", { answer: "closed" }, { failures: [{ from: 1, to: 100 }] });
  add("router", "routers", { barrier: "unreachable" }, { failures: [{ from: 1, to: 100 }] });
  add("in the cut", "began in the cut", { answer: "closed" }, { failures: [{ from: 22, to: 100 }] });
  for (let steady = 1; steady <= 5; steady++)
    add(`steady ${steady}`, "steady", { answer: steady % 2 ? "closed" : "text" });
  return {
    seconds: 40,
    targets,
    clients: [{ name: "agent steady", class: "agents", kind: "agent", failures: [] }],
    disturbances: [{ how: "silent", from: 10, to: 30 }],
  };
};
