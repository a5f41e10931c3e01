import { onTestFinished } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lightAgent } from "../modules/agents/install/light/light-agent";
import { temporaryFolder } from "./agent-program";

type Shell = { command: string[]; path: string };

/** Debian's shells with its tools, and one with BusyBox only, as on Alpine. */
export const shells: Record<string, () => Shell> = {
  dash: () => ({ command: ["dash"], path: process.env.PATH ?? "" }),
  bash: () => ({ command: ["bash"], path: process.env.PATH ?? "" }),
  "BusyBox ash": () => {
    const bin = temporaryFolder();
    Bun.spawnSync([Bun.which("busybox") ?? "busybox", "--install", "-s", bin]);
    return { command: [join(bin, "ash")], path: bin };
  },
};

/** A folder of programs that stand in for others: shell scripts by name. */
export const makeTools = (tools: Record<string, string>): string => {
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  for (const [name, body] of Object.entries(tools)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
};

/** Starts the light agent as it is served, with only what is said here in its environment. */
export const startLightAgent = (
  words: string[],
  { shell = "dash", env = {}, tools }: { shell?: string; env?: Record<string, string>; tools?: string } = {},
) => {
  const { command, path } = (shells[shell] as () => Shell)();
  const script = join(temporaryFolder(), "agent.sh");
  writeFileSync(script, lightAgent);
  const child = Bun.spawn([...command, script, ...words], {
    env: { PATH: tools ? `${tools}:${path}` : path, HOME: "/nonexistent", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  onTestFinished(() => child.kill("SIGTERM"));
  const texts = Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const ended = async () => {
    const [code, [out, err]] = await Promise.all([child.exited, texts]);
    return { code, out, err };
  };
  const stop = (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    return ended();
  };
  return { child, ended, stop };
};

/** Waits until something is the case. */
export const until = async (what: string, met: () => boolean, timeout = 30_000) => {
  for (const deadline = Date.now() + timeout; !met(); await Bun.sleep(20))
    if (Date.now() > deadline) throw new Error(`timed out waiting until ${what}`);
};
