import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";

/** The number of files that this process may open; null if unknown, because only Linux has this file. */
export const descriptorLimit = (read = () => readFileSync("/proc/self/limits", "utf8")): number | null => {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(read()) ?? [];
    return limit === undefined ? null : Number(limit);
  } catch {
    return null;
  }
};

/** The number of files and connections that this process has open; null if unknown, as on systems other than Linux. */
export const openDescriptors = (): Promise<number | null> =>
  readdir("/proc/self/fd").then(
    // The folder itself is open while it is read.
    (names) => names.length - 1,
    () => null,
  );
