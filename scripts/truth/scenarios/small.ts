/** Hubs that know little: with one target, and with targets of one network only. */
import type { Span } from "../compare";
import { createTargets, type Disturbance, type Scenario } from "../scenario";

const span = (from: number, to: number): Span => ({ from, to });

const DISTURBANCES: Disturbance[] = [
  { how: "silent", ...span(20, 75) },
  { how: "unreachable", ...span(200, 222) },
  { how: "unplugged", ...span(232, 260) },
  { how: "portal", ...span(265, 290) },
];

/** One target, which fails between two cuts. */
export const oneTarget = (): Scenario => {
  const { targets, add } = createTargets();
  add("only", "one target", { answer: "text" }, { failures: [span(90, 190)] });
  return { seconds: 300, targets, clients: [], disturbances: DISTURBANCES };
};

/** Six targets in one network and a server that reports. Some targets fail between two cuts. */
export const oneNetwork = (): Scenario => {
  const { targets, add } = createTargets();
  add("closed", "one network", { answer: "closed" }, { failures: [span(90, 190)] });
  add("hang", "one network", { answer: "hang" }, { failures: [span(90, 190)], sameNetwork: true });
  add("retried", "one network", { answer: "text" }, { failures: [span(90, 190)], sameNetwork: true, retried: true });
  for (const name of ["a", "b", "c"]) add(`steady ${name}`, "steady", { answer: "text" }, { sameNetwork: true });
  return {
    seconds: 300,
    targets,
    clients: [{ name: "agent", class: "agents", kind: "agent", failures: [] }],
    disturbances: DISTURBANCES,
  };
};
