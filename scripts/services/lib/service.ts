/** Starts daemons of Debian as children of the tests: on loopback, with their own configuration in a temporary folder. */
import { afterAll } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "../../smoke/lib/free-port";
import { until } from "../../smoke/lib/until";

/** The folder and the port of one start of a daemon. */
type Place = { folder: string; port: number };

export type Plan = {
  /** The program, which Debian may keep outside the PATH of ordinary users. */
  program: string;
  /** Its arguments, for a process that stays in the foreground. */
  args: (place: Place) => string[];
  /** Its files, by their paths in the folder. */
  files?: (place: Place) => Record<string, string | Uint8Array>;
  /** Commands that prepare the folder, each with its arguments. */
  prepare?: (place: Place) => string[][];
  /** Runs the daemon and its preparation without rights when the tests run as root, because it refuses root. */
  unprivileged?: boolean;
  /** How it ends quickly; SIGTERM by default. After five seconds it is killed. */
  stopSignal?: NodeJS.Signals;
  /** Whether it is ready; by default when its port accepts connections. */
  isReady?: (place: Place) => Promise<boolean>;
};

const PATH = `${process.env.PATH}:/usr/sbin:/usr/local/sbin:/sbin`;

/** The path of an installed program. */
export const find = (program: string): string => {
  const path = Bun.which(program, { PATH });
  if (!path) throw new Error(`${program} is not installed; scripts/lib/test-tools.sh names Debian's packages`);
  return path;
};

const isRoot = process.getuid?.() === 0;

/** The command line, without rights if the daemon refuses root. `setpriv` replaces itself by the program. */
const commandLine = ({ unprivileged }: Plan, [program = "", ...args]: string[]) => [
  ...(unprivileged && isRoot ? [find("setpriv"), "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []),
  find(program),
  ...args,
];

const isListening = ({ port }: Place) =>
  new Promise<boolean>((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port });
    const end = (listens: boolean) => () => {
      socket.destroy();
      resolve(listens);
    };
    socket.on("connect", end(true)).on("error", end(false));
  });

/** The processes below a process, and itself. Names of programs may hold spaces and brackets. */
const treeOf = (root: number): number[] => {
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const parent = Number(/.*\) \S (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, "utf8"))?.[1]);
      children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
    } catch {} // It has ended.
  }
  const below = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(below)];
  return below(root);
};

const signal = (pids: number[], name: NodeJS.Signals) => {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch {} // It has ended.
};

/** Whether the system has stopped a process: a signal takes effect a moment after it was sent. */
const isStopped = (pid: number): boolean => {
  try {
    return /.*\) [TtZX] /s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true; // It has ended.
  }
};

const write = (plan: Plan, place: Place) => {
  for (const [name, content] of Object.entries(plan.files?.(place) ?? {})) {
    mkdirSync(dirname(join(place.folder, name)), { recursive: true });
    writeFileSync(join(place.folder, name), content);
  }
  const own = isRoot && plan.unprivileged ? [["chown", "-R", "nobody:nogroup", place.folder]] : [];
  for (const words of own) run(words);
  for (const words of plan.prepare?.(place) ?? []) run(commandLine(plan, words), place.folder);
};

/** Runs a command to its end. */
export const run = (words: string[], cwd?: string): string => {
  const { success, stdout, stderr } = Bun.spawnSync(words, { cwd, timeout: 120_000, env: { ...process.env, PATH } });
  if (!success) throw new Error(`${words.join(" ")}: ${stderr}${stdout}`);
  return stdout.toString();
};

const running = new Set<{ kill: () => void }>();
process.on("exit", () => {
  for (const { kill } of running) kill();
});

/** Starts a daemon and waits until it is ready. It ends with the tests of the file at the latest. */
export const startService = async (plan: Plan & { port?: number }) => {
  const place = { folder: mkdtempSync(join(tmpdir(), "wakeful-service-")), port: plan.port ?? freePort() };
  write(plan, place);
  const log = Bun.file(join(place.folder, ".log"));
  const child = Bun.spawn(commandLine(plan, [plan.program, ...plan.args(place)]), {
    cwd: place.folder,
    env: { PATH, LC_ALL: "C", HOME: place.folder },
    stdin: "ignore",
    stdout: log,
    stderr: log,
  });
  const kill = () => {
    signal(treeOf(child.pid), "SIGKILL");
    rmSync(place.folder, { recursive: true, force: true });
  };
  const service = {
    ...place,
    pid: child.pid,
    /** The daemon and its children accept connections, as the system does it for them, and answer nothing. */
    pause: () => {
      const tree = treeOf(child.pid);
      signal(tree, "SIGSTOP");
      while (!tree.every(isStopped)) Bun.sleepSync(1);
    },
    resume: () => signal(treeOf(child.pid), "SIGCONT"),
    stop: async () => {
      const tree = treeOf(child.pid);
      signal(tree, "SIGCONT");
      child.kill(plan.stopSignal ?? "SIGTERM");
      const deadline = setTimeout(kill, 5000);
      await child.exited;
      clearTimeout(deadline);
      signal(tree.slice(1), "SIGKILL");
      kill();
      running.delete(entry);
    },
  };
  const entry = { kill };
  running.add(entry);
  afterAll(service.stop);
  const isReady = plan.isReady ?? isListening;
  await until(`${plan.program} is ready`, async () => {
    if (child.exitCode === null) return isReady(place);
    throw new Error(`${plan.program} ended with ${child.exitCode}: ${await log.text()}`);
  });
  return service;
};

export type Service = Awaited<ReturnType<typeof startService>>;
