/** All ways to fail and all disturbances, in somewhat more than five minutes, or in as many times as long. */
import type { Span } from "../compare";
import { type Client, createTargets, type Disturbance, pingsFrom, type Scenario } from "../scenario";

const ANSWERS = ["closed", "status", "hang", "reset", "redirects", "garbage", "body", "slow"] as const;
const BARRIERS = ["blackhole", "unreachable", "prohibit"] as const;
const NAMES = ["no_name", "failing", "silent"] as const;
/** Failures begin evenly over an interval, and end evenly over the time between two checks of a target that is down. */
const [INTERVAL, RECHECK] = [60, 15];
/** The part of an interval between two of these numbers is the golden ratio, which spreads any count of them. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Most outages end while their ends are found soon. */
const LONGEST = 500;
/** The ports of one host. */
const PORTS = Array.from({ length: 50 }, (_, index) => 80 + index);

const createSpans = (scale: number) => {
  let count = 0;
  return {
    span: (from: number, to: number): Span => ({ from: from * scale, to: to * scale }),
    /** A single failure, of at least 92 s. */
    single: (): Span => {
      const part = (++count * GOLDEN) % 1;
      const from = 5 * scale + INTERVAL * part;
      return { from, to: Math.min(157 * scale, from + LONGEST) + RECHECK * ((part * 7) % 1) };
    },
    /** Changes in quick succession, and then a lasting failure. */
    unstable: (from: number, to: number): Span[] => [
      { from: from * scale, to: from * scale + 14 },
      { from: from * scale + 28, to: from * scale + 42 },
      { from: from * scale + 56, to: to * scale },
    ],
  };
};
type Spans = ReturnType<typeof createSpans>;

const addSingles = ({ add }: ReturnType<typeof createTargets>, { single, span, unstable }: Spans): void => {
  const failing = () => ({ failures: [single()] });
  for (const name of ["a", "b"]) {
    for (const answer of ANSWERS) add(`${answer} ${name}`, "answers", { answer }, failing());
    for (const barrier of BARRIERS) add(`${barrier} ${name}`, "routers", { barrier }, failing());
    add(`keyword ${name}`, "keyword", { answer: "text" }, failing());
    add(`tcp closed ${name}`, "tcp", { answer: "closed" }, { ...failing(), kind: "tcp" });
    add(`tcp blackhole ${name}`, "tcp", { barrier: "blackhole" }, { ...failing(), kind: "tcp" });
    for (const barrier of ["blackhole", "unreachable"] as const)
      add(`ping ${barrier} ${name}`, "ping", { barrier }, { ...failing(), kind: "ping" });
    for (const answer of ["expired", "wrong_name", "closed"] as const)
      add(`https ${answer} ${name}`, "https", { answer }, { ...failing(), kind: "https" });
    for (const answer of ["status", "closed"] as const)
      add(`retried ${answer} ${name}`, "retried", { answer }, { ...failing(), retried: true });
    for (const answer of ["status", "hang"] as const)
      add(`quick ${answer} ${name}`, "every 20 s", { answer }, { ...failing(), interval: 20 });
    add(`unstable ${name}`, "unstable", { answer: "closed" }, { failures: unstable(6, 312), interval: 10 });
  }
  for (const state of NAMES) add(`name ${state}`, "names", { name: state }, failing());
  for (const state of [...NAMES, "lie"] as const)
    add(`record ${state}`, "dns", { name: state }, { ...failing(), kind: "dns" });
  for (const port of PORTS)
    add(`host ${port}`, "host", { answer: "closed" }, { failures: [span(30, 150)], port, sameHost: port > 80 });
};

const addOthers = ({ add }: ReturnType<typeof createTargets>, { span }: Spans): void => {
  for (const name of ["a", "b", "c"]) add(`short ${name}`, "short", { answer: "closed" }, { failures: [span(40, 55)] });
  for (const name of ["a", "b"]) {
    add(`before ${name}`, "began before the cut", { answer: "closed" }, { failures: [span(45, 250)] });
    add(`in ${name}`, "only in the cut", { answer: "closed" }, { failures: [span(195, 212)] });
    add(`since ${name}`, "began in the cut", { answer: "closed" }, { failures: [span(200, 312)] });
  }
  for (let steady = 1; steady <= 8; steady++)
    add(`steady ${steady}`, "steady", { answer: steady % 2 ? "closed" : "text" });
  for (const name of ["a", "b"]) {
    add(`steady https ${name}`, "steady", { answer: "closed" }, { kind: "https" });
    add(`steady retried ${name}`, "steady", { answer: "closed" }, { retried: true });
  }
  add("steady ping", "steady", { barrier: "blackhole" }, { kind: "ping" });
  add("steady record", "steady", { name: "no_name" }, { kind: "dns" });
};

export const fullScenario = (minutes: number): Scenario => {
  const scale = minutes / 5;
  const spans = createSpans(scale);
  const { span } = spans;
  const collected = createTargets();
  addSingles(collected, spans);
  addOthers(collected, spans);
  const seconds = 358 * scale;
  const late = pingsFrom(25, seconds).map((ping, index) => (index % 3 === 1 ? ping + 10 : ping));
  const [first = 0, ...later] = pingsFrom(10, seconds);
  const clients: Client[] = [
    { name: "job steady", class: "jobs", kind: "job", pings: pingsFrom(10, seconds) },
    // Its ping is due while the hub is killed.
    { name: "job in the kill", class: "jobs", kind: "job", pings: pingsFrom((239 * scale) % 60, seconds) },
    { name: "job late", class: "jobs", kind: "job", pings: late },
    { name: "job too late", class: "jobs", kind: "job", pings: [first, (later[0] ?? 0) + 45, ...later.slice(1)] },
    { name: "job dead", class: "jobs", kind: "job", pings: [first, ...later.filter((ping) => ping > 175 * scale)] },
    { name: "agent steady 1", class: "agents", kind: "agent", failures: [] },
    { name: "agent steady 2", class: "agents", kind: "agent", failures: [] },
    { name: "agent silent", class: "agents", kind: "agent", failures: [span(15, 160)] },
    { name: "agent restarted", class: "agents", kind: "agent", failures: [span(20, 155)], restarts: true },
    // Too short to be noticed.
    {
      ...{ name: "agent restarted soon", class: "short silence", kind: "agent", restarts: true },
      failures: [{ from: 20 * scale, to: 20 * scale + 50 }],
    },
  ];
  const short = (from: number): Span => ({ from: from * scale, to: from * scale + 2 });
  const disturbances: Disturbance[] = [
    { how: "silent", ...span(190, 225) },
    { how: "kill", ...span(235, 243) },
    { how: "freeze", ...span(250, 264) },
    { how: "starve", ...span(270, 282) },
    { how: "unreachable", ...span(288, 296) },
    { how: "unplugged", ...span(302, 312) },
    // When no target fails.
    { how: "portal", ...span(320, 338) },
    // Shorter than a retry.
    { how: "silent", ...short(343) },
    { how: "unreachable", ...short(350) },
  ];
  return { seconds, targets: collected.targets, clients, disturbances };
};
