import type { Part } from "../operation";

export const monitors: Part = {
  tag: "Monitors",
  description: "Web addresses that are checked, and the results.",
  schemas: {},
  operations: {},
};
