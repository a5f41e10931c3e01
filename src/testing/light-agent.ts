import { expect, onTestFinished } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lightAgent } from "../modules/servers/install/light/light-agent";
import type { Sample } from "../shared/agents/report";
import { temporaryFolder } from "./agent-program";

type Shell = { command: string[]; path: string };

const ofDebian = (program: string) => () => ({ command: [program], path: process.env.PATH ?? "" });

/** Debian's shells with its tools, and one with BusyBox only, as on Alpine. */
export const shells: Record<string, () => Shell> = {
  dash: ofDebian("dash"),
  bash: ofDebian("bash"),
  mksh: ofDebian("mksh"),
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
  const { command, path } = (shells[shell] ?? ofDebian(shell))();
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
export const until = async (what: string, met: () => boolean, timeout = 250_000) => {
  for (const deadline = Date.now() + timeout; !met(); await Bun.sleep(20))
    if (Date.now() > deadline) throw new Error(`timed out waiting until ${what}`);
};

/** The kinds of awk that machines have. */
export const AWKS: Record<string, string[]> = { mawk: ["mawk"], gawk: ["gawk"], BusyBox: ["busybox", "awk"] };
const FIGURES = join(import.meta.dir, "../modules/servers/install/light/figures.awk");

type Input = { input?: string; settled?: boolean; globs?: string; network?: boolean; system?: string; epoch?: number };

/** Runs the figures of the light agent on the machine below a folder, as its script does. */
export const runFigures = (awk: string, root: string, more: Input = {}) => {
  const { input = "", settled = true, globs = "", network = false, system = "Linux", epoch = 1_768_479_600 } = more;
  const variables: Record<string, string> = {
    root,
    globs,
    system_name: system,
    hundredths: "6000",
    epoch: String(epoch),
  };
  Object.assign(variables, { settled: settled ? "1" : "0", network_disks: network ? "1" : "" });
  Object.assign(variables, { node: "node", kernel: "6.1.0", os_name: "Linux" });
  const words = Object.entries(variables).flatMap(([name, value]) => ["-v", `${name}=${value}`]);
  const { stdout, stderr } = Bun.spawnSync([...(AWKS[awk] as string[]), ...words, "-f", FIGURES], {
    stdin: new Blob([input]),
    env: { PATH: process.env.PATH, LC_ALL: "C" },
  });
  expect(stderr.toString()).toBe("");
  const [sample = "", identity = "", facts = "", faults, together = "", alone = "", ...state] = stdout
    .toString()
    .split("\n");
  return {
    sample: JSON.parse(sample) as Sample,
    identity: JSON.parse(`{${identity}}`),
    facts: JSON.parse(`{${facts.slice(1)}}`),
    faults,
    together: together.split(" ").filter(Boolean),
    alone: alone.split(" ").filter(Boolean),
    state: state.join("\n"),
  };
};
