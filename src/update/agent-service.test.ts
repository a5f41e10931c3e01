import { expect, it } from "bun:test";
import { runsProgram } from "./agent-service";

it("only a process of the program is ended, whatever number the agent's file holds", async () => {
  const other = Bun.spawn(["sleep", "60"]);
  const runs = (process: unknown) => runsProgram(process as number, globalThis.process.execPath);
  expect([process.pid, other.pid, 1, 0, -1, -process.pid, 1.5, `${process.pid}/../1`, null].map(runs)).toEqual([
    true,
    ...Array.from({ length: 8 }, () => false),
  ]);
  other.kill();
  await other.exited;
});
