/** A name server that lies: it has one address for every name, where another target is. */
import type { Span } from "../compare";
import { createTargets, type Scenario } from "../scenario";

const span = (from: number, to: number): Span => ({ from, to });

export const lyingNames = (): Scenario => {
  const { targets, add } = createTargets();
  add("other", "steady", { answer: "closed" });
  for (const name of ["a", "b", "c", "d"]) {
    add(`https ${name}`, "https", { answer: "closed" }, { kind: "https", failures: [span(20, 130)] });
    add(`steady https ${name}`, "steady", { answer: "closed" }, { kind: "https" });
  }
  for (const name of ["a", "b"]) add(`record ${name}`, "dns", { name: "no_name" }, { kind: "dns" });
  return { seconds: 240, targets, clients: [], disturbances: [{ how: "liar", ...span(140, 225) }] };
};
