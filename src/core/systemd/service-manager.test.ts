import { expect, it, onTestFinished } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog } from "../log";
import { connectServiceManager, socketAddress } from "./service-manager";

const lines: string[] = [];
const deps = { log: createLog("info", false, (line) => lines.push(line)) };

/** A service manager, written in Python: Bun has no datagrams of Unix sockets. Prints each message. */
const startManager = (path: string) => {
  const program = `import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1].replace("@", "\\0", 1))
print("bound", flush=True)
while True: print(s.recv(100).decode(), flush=True)`;
  const child = Bun.spawn(["python3", "-c", program, path], { stdout: "pipe" });
  onTestFinished(() => child.kill());
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  /** Waits until it has printed these lines in all. */
  return async (lines: string[]) => {
    while (text.length < `${lines.join("\n")}\n`.length) text += (await reader.read()).value ?? "";
    expect(text.trimEnd().split("\n")).toEqual(lines);
  };
};

for (const isAbstract of [false, true])
  it(`a service manager at ${isAbstract ? "an abstract address" : "a path"} is notified`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "wakeful-notify-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = isAbstract ? `@${folder}` : join(folder, "notify");
    const printed = startManager(path);
    await printed(["bound"]);
    const manager = await connectServiceManager({ NOTIFY_SOCKET: path, WATCHDOG_USEC: "60000000" }, deps, false);
    expect(manager?.watchdog).toBe(20);
    const states = ["READY=1", "WATCHDOG=1", "STOPPING=1"] as const;
    for (const state of states) manager?.notify(state);
    await printed(["bound", ...states]);
    expect(lines).toEqual([]);
  });

it("nothing is notified without a service manager, and a wrong address is logged", async () => {
  expect(await connectServiceManager({}, deps, false)).toBeNull();
  expect(await connectServiceManager({ NOTIFY_SOCKET: "vsock:2:1" }, deps, false)).toBeNull();
  expect(lines.join("")).toContain("vsock:2:1 is no address of a Unix socket");
  expect(() => socketAddress(`/${"x".repeat(108)}`)).toThrow();
  expect([...socketAddress("@a")]).toEqual([1, 0, 0, 97]);
  expect([...socketAddress("/a")]).toEqual([1, 0, 47, 97, 0]);
});
