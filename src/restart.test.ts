import { expect, it } from "bun:test";
import { restartWith, startVariables } from "./restart";

it("starts again once, with the variables of its command and those that are set", () => {
  const calls: unknown[][] = [];
  const execve = (...call: unknown[]) => void calls.push(call);
  const words = ["agent", "start", "--interval", "5"];
  restartWith(words, ["main.ts"], { HOME: "/root", UV_THREADPOOL_SIZE: "4" }, execve);
  const environment = { HOME: "/root", UV_THREADPOOL_SIZE: "4", BUN_JSC_useJIT: "0" };
  expect(calls).toEqual([[process.execPath, [process.execPath, "main.ts", ...words], environment]]);
  restartWith(words, [], environment, execve);
  restartWith(["version"], [], {}, execve);
  expect(calls).toHaveLength(1);
});

it("goes on without them where a process may not start another program", () => {
  const refuse = () => {
    throw new Error("ENOEXEC");
  };
  expect(() => restartWith(["serve"], [], {}, refuse)).not.toThrow();
});

it("gives the agent more threads for disks, and the hub more requests at once", () => {
  expect(startVariables(["agent", "start"])).toHaveProperty("UV_THREADPOOL_SIZE", "16");
  expect(startVariables([])).toHaveProperty("BUN_CONFIG_MAX_HTTP_REQUESTS");
  expect(startVariables(["agent", "status"])).toEqual({});
});
