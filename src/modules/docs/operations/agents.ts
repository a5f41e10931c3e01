import type { Part } from "../operation";
import { oneOf } from "../schema";

export const agentStatus = oneOf(
  "`connecting` until the first report; `inactive` once three of its intervals, and 90 seconds, pass without one.",
  ["active", "inactive", "connecting"],
);

export const agents: Part = {
  tag: "Servers",
  description: "Machines whose agents report, and the calls of the agents themselves.",
  schemas: {},
  operations: {},
};
