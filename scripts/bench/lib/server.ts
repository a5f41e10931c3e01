import { Database } from "bun:sqlite";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The measured executable: dist/wakeful, or WAKEFUL_EXECUTABLE. */
export const EXECUTABLE = process.env.WAKEFUL_EXECUTABLE ?? join(import.meta.dir, "../../../dist/wakeful");

export const temporaryDirectory = (): string => mkdtempSync(join(tmpdir(), "wakeful-bench-"));
export const remove = (directory: string): void => rmSync(directory, { recursive: true, force: true });

/** Runs `run` with the SQLite file of a data directory, which a hub may have open, to read it unless `write` is set. */
export const withFile = async <T>(
  dataDir: string,
  run: (db: Database) => T | Promise<T>,
  { write = false } = {},
): Promise<T> => {
  const db = new Database(join(dataDir, "wakeful.db"), write ? undefined : { readonly: true });
  try {
    return await run(db);
  } finally {
    db.close();
  }
};

export type Running = {
  pid: number;
  url: string;
  startedIn: number;
  /** Ends it with SIGTERM. Returns the bytes it caused to be written to disk in its life. */
  stop: () => Promise<number>;
  /** Kills it with SIGKILL. */
  kill: () => Promise<number>;
};

/** Starts the hub on a data directory and waits until it is healthy. */
export const startServer = async (dataDir: string, env: Record<string, string> = {}): Promise<Running> => {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const begun = performance.now();
  const child = Bun.spawn([EXECUTABLE], {
    env: {
      PATH: process.env.PATH ?? "",
      DATA_DIR: dataDir,
      HOST: "127.0.0.1",
      PORT: String(port),
      LOG_LEVEL: "warn",
      ...env,
    },
    stdout: "inherit",
    stderr: "inherit",
  });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    const answer = await fetch(`${url}/health`).catch(() => null);
    if (answer?.ok) break;
    if (child.exitCode !== null) throw new Error("the hub did not start");
    await Bun.sleep(2);
  }
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await child.exited;
    return (child.resourceUsage()?.ops.out ?? 0) * 512;
  };
  const startedIn = performance.now() - begun;
  return { pid: child.pid, url, startedIn, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") };
};

/** Runs `measure` with a hub on a new data directory, which `prepare` fills; stops the hub and removes the directory. */
export const withHub = async <T>(
  prepare: (dataDir: string) => unknown,
  measure: (hub: Running & { dataDir: string }) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> => {
  const dataDir = temporaryDirectory();
  try {
    await prepare(dataDir);
    const hub = await startServer(dataDir, env);
    try {
      return await measure({ ...hub, dataDir });
    } finally {
      await hub.stop();
    }
  } finally {
    remove(dataDir);
  }
};

/** CPU seconds of a process, the bytes it caused to be written to disk, and those it passed to the system's write calls. */
export const usage = (pid: number): { cpu: number; written: number; passed: number } => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const io = readFileSync(`/proc/${pid}/io`, "utf8");
  const figure = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, "m").exec(io)?.[1]);
  return {
    cpu: (Number(stat[11]) + Number(stat[12])) / 100,
    written: figure("write_bytes"),
    passed: figure("wchar"),
  };
};

/** What a process uses while `work` runs: CPU seconds, bytes, and the most resident memory in MB. */
export const measureUsage = async <T>(pid: number, work: () => Promise<T>) => {
  const [begun, before] = [performance.now(), usage(pid)];
  let memory = 0;
  const watch = setInterval(() => {
    memory = Math.max(memory, residentMemory(pid));
  }, 1000);
  const result = await work();
  clearInterval(watch);
  const [elapsed, after] = [(performance.now() - begun) / 1000, usage(pid)];
  const { cpu, written, passed } = before;
  return {
    result,
    elapsed,
    memory,
    cpu: after.cpu - cpu,
    written: after.written - written,
    passed: after.passed - passed,
  };
};

/** Resident memory in MB. */
export const residentMemory = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** Starts targets in a separate process: each port answers every request at once. */
export const startTargets = async (ports: number) => {
  const child = Bun.spawn(["bun", join(import.meta.dir, "target.ts"), String(ports)], { stdout: "pipe" });
  const reader = child.stdout.getReader();
  const open = JSON.parse(new TextDecoder().decode((await reader.read()).value)) as number[];
  return { urls: open.map((port) => `http://127.0.0.1:${port}/`), stop: () => child.kill() };
};

export const percentile = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
export const ascending = (values: number[]): number[] => values.toSorted((a, b) => a - b);
export const median = (values: number[]): number => percentile(ascending(values), 0.5);

/** The median, the 99th percentile and the longest of times in milliseconds, as fields that begin with `prefix`. */
export const summarize = <Prefix extends string>(prefix: Prefix, times: number[]) => {
  const sorted = ascending(times);
  return {
    [`${prefix}p50_ms`]: round(percentile(sorted, 0.5)),
    [`${prefix}p99_ms`]: round(percentile(sorted, 0.99)),
    [`${prefix}max_ms`]: round(sorted.at(-1) ?? 0),
  } as Record<`${Prefix}${"p50" | "p99" | "max"}_ms`, number>;
};

export const round = (value: number, digits = 1): number => Number(value.toFixed(digits));
