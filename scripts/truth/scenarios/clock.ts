/** A clock that is set by minutes, also during a cut. */
import type { Span } from "../compare";
import { createTargets, pingsFrom, type Scenario } from "../scenario";

const span = (from: number, to: number): Span => ({ from, to });

export const clockScenario = (): Scenario => {
  const { targets, add } = createTargets();
  for (const name of ["a", "b"]) {
    add(`before ${name}`, "began before a jump", { answer: "closed" }, { failures: [span(15, 190)] });
    add(`ahead ${name}`, "began ahead", { answer: "status" }, { failures: [span(100, 330)] });
    add(`in ${name}`, "began in the cut", { answer: "closed" }, { failures: [span(235, 390)] });
    add(`quick ${name}`, "every 20 s", { answer: "closed" }, { failures: [span(60, 150)], interval: 20 });
  }
  for (let steady = 1; steady <= 6; steady++)
    add(`steady ${steady}`, "steady", { answer: steady % 2 ? "closed" : "text" });
  return {
    seconds: 400,
    targets,
    clients: [
      { name: "job", class: "jobs", kind: "job", pings: pingsFrom(20, 400) },
      { name: "agent", class: "agents", kind: "agent", failures: [] },
      { name: "agent silent", class: "agents", kind: "agent", failures: [span(290, 400)] },
    ],
    disturbances: [
      { how: "clock", ahead: 200, ...span(80, 180) },
      { how: "silent", ...span(225, 265) },
      { how: "clock", ahead: -150, ...span(240, 345) },
    ],
  };
};
