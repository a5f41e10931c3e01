import { readFileSync } from "node:fs";
import type { Log } from "../../../../core/log";

/** Running checks of one process where the limit of open files is unknown or higher. */
const MOST = 20_000;
/** File descriptors for the database, incoming connections and deliveries. */
const RESERVED = 64;
const LOW = 4096;

/** The number of files that this process may open; null if unknown, because only Linux has this file. */
export const descriptorLimit = (read = () => readFileSync("/proc/self/limits", "utf8")): number | null => {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(read()) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
};

/** The number of checks that may run at once: each holds a descriptor, and a quarter of them is reserved. */
export const checksAtOnce = (log: Pick<Log, "warn">, limit = descriptorLimit()): number => {
  if (limit === null) return MOST;
  const most = Math.max(8, Math.min(MOST, Math.floor(limit * 0.75) - RESERVED));
  if (limit < LOW) {
    const hint = "raise it with `ulimit -n`, LimitNOFILE= or --ulimit nofile=";
    log.warn("the limit of open files is low", { limit, checks_at_once: most, hint });
  }
  return most;
};
