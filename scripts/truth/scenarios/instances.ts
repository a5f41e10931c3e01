/** Two instances on one database. One at a time is cut off, dies or is frozen, and the other decides. */
import type { Span } from "../compare";
import { createTargets, pingsFrom, type Scenario } from "../scenario";

const span = (from: number, to: number): Span => ({ from, to });
/** The failures of an instance that was cut off wait for so long until it gives them back. */
const HELD = 60;

export const twoInstances = (): Scenario => {
  const { targets, add } = createTargets(HELD);
  for (const name of ["a", "b", "c"]) {
    add(`first ${name}`, "in the first cut", { answer: "closed" }, { failures: [span(35, 195)] });
    add(`second ${name}`, "in the second cut", { answer: "status" }, { failures: [span(125, 285)] });
    add(`both ${name}`, "in both cuts", { barrier: "blackhole" }, { failures: [span(20, 290)] });
    add(`quick ${name}`, "every 20 s", { answer: "closed" }, { failures: [span(40, 170)], interval: 20 });
  }
  for (let steady = 1; steady <= 12; steady++)
    add(`steady ${steady}`, "steady", { answer: steady % 2 ? "closed" : "text" });
  return {
    seconds: 330,
    targets,
    clients: [
      { name: "job", class: "jobs", kind: "job", pings: pingsFrom(20, 330) },
      { name: "agent", class: "agents", kind: "agent", failures: [] },
      { name: "agent silent", class: "agents", kind: "agent", failures: [span(30, 170)] },
    ],
    disturbances: [
      { how: "silent", instance: 1, ...span(25, 100) },
      { how: "silent", instance: 0, ...span(115, 190) },
      { how: "freeze", instance: 1, ...span(200, 230) },
      { how: "unplugged", instance: 1, ...span(240, 265) },
      { how: "kill", instance: 1, ...span(272, 280) },
      // Neither of them watches.
      { how: "unreachable", ...span(300, 315) },
    ],
    instances: 2,
  };
};
