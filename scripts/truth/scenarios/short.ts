/** A short run for the suite: single failures, a cut, and failures that begin in it. Monitors are checked by resuming them. */
import { createTargets, type Scenario } from "../scenario";

export const shortScenario = (): Scenario => {
  const { targets, add } = createTargets();
  add("closed", "answers", { answer: "closed" }, { failures: [{ from: 1, to: 100 }] });
  add("router", "routers", { barrier: "unreachable" }, { failures: [{ from: 1, to: 100 }] });
  add("in the cut", "began in the cut", { answer: "closed" }, { failures: [{ from: 22, to: 100 }] });
  for (let steady = 1; steady <= 5; steady++)
    add(`steady ${steady}`, "steady", { answer: steady % 2 ? "closed" : "text" });
  return {
    seconds: 40,
    checks: [2, 13, 34],
    targets,
    clients: [{ name: "agent steady", class: "agents", kind: "agent", failures: [] }],
    disturbances: [{ how: "silent", from: 10, to: 30 }],
  };
};
