/** A name server that lies: it has one address for every name, where another target is. */
import type { Span } from "../compare";
import { createTargets, type Scenario } from "../scenario";

const span = (from: number, to: number): Span => ({ from, to });

/** `addresses`: other targets are known by their addresses, which have nothing to do with the name server. One of them fails. */
export const lyingNames = (addresses: boolean): Scenario => {
  const { targets, add } = createTargets();
  add("other", "steady", { answer: "closed" });
  for (const name of ["a", "b", "c", "d"]) {
    add(`https ${name}`, "https", { answer: "closed" }, { kind: "https", failures: [span(20, 130)] });
    add(`steady https ${name}`, "steady", { answer: "closed" }, { kind: "https" });
    if (addresses) add(`address ${name}`, "steady", { answer: "text" });
  }
  for (const name of ["a", "b"]) add(`record ${name}`, "dns", { name: "no_name" }, { kind: "dns" });
  if (addresses) add("address", "in the lie", { answer: "text" }, { failures: [span(150, 240)] });
  return { seconds: 240, targets, clients: [], disturbances: [{ how: "liar", ...span(140, 225) }] };
};
