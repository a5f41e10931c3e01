import { onTestFinished } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Time } from "../agent/runtime";
import type { Sample } from "../shared/agents/report";

/** A Thursday. */
export const START = Date.UTC(2026, 0, 15, 12, 20, 0);

/** An empty folder that is deleted after the test. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-agent-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** The sample of a minute. */
export const sampleAt = (minute: number, more: Partial<Sample> = {}): Sample => ({
  at: new Date(START + minute * 60_000).toISOString(),
  cpu: 12.5,
  memory: { total: 100, used: 40 },
  disk: { total: 1000, used: 300 },
  network: { rx: 1, tx: 2 },
  ...more,
});

export const IDENTITY = { hostname: "web-1", ip_addresses: ["192.0.2.7"], os: "Debian", version: "6.1" };

/** A clock that advances only by sleeping, at once. `slept` holds the sleeps in milliseconds. */
export const createSleepyTime = () => {
  let passed = 0;
  let set = 0;
  const slept: number[] = [];
  const time: Time & {
    slept: number[];
    setClock: (milliseconds: number) => void;
    suspend: (milliseconds: number) => void;
  } = {
    slept,
    now: () => START + passed + set,
    monotonic: () => passed,
    sleep: async (milliseconds, signal) => {
      if (signal?.aborted) return;
      slept.push(milliseconds);
      passed += milliseconds;
      await Bun.sleep(0);
    },
    /** Sets the clock ahead or back. */
    setClock: (milliseconds) => {
      set += milliseconds;
    },
    /** Suspends the machine: the monotonic clock stands still. */
    suspend: (milliseconds) => {
      set += milliseconds;
    },
  };
  return time;
};
