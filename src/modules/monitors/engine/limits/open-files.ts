import { readFileSync } from "node:fs";
import type { Log } from "../../../../core/log";

/** Checks under way at once in one process where nothing else bounds them. */
const MOST = 20_000;
/** Kept for the database, the server's own connections and deliveries. */
const RESERVED = 64;
const LOW = 4096;

/** How many files this process may open, or null where the system does not tell: only Linux has this file. */
export const descriptorLimit = (read = () => readFileSync("/proc/self/limits", "utf8")): number | null => {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(read()) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
};

/** How many checks may be under way: each holds a descriptor, and a quarter of them is left to everything else. */
export const checksAtOnce = (log: Pick<Log, "warn">, limit = descriptorLimit()): number => {
  if (limit === null) return MOST;
  const most = Math.max(8, Math.min(MOST, Math.floor(limit * 0.75) - RESERVED));
  if (limit < LOW) {
    const hint = "raise it with `ulimit -n`, LimitNOFILE= or --ulimit nofile=";
    log.warn("the limit of open files is low", { limit, checks_at_once: most, hint });
  }
  return most;
};
