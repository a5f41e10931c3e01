import { type DiskUsage, REPORT_LIMITS } from "../../shared/report";
import type { Space } from "./statfs";

type Part = { path: string; parts: string[] };

/** How full each filesystem is. One that does not answer is left out. */
export const disksOf = (mounts: Part[], spaces: Map<string, Space | null>, prefix = ""): DiskUsage[] =>
  mounts
    .flatMap(({ path, parts }) => {
      const found = [path, ...parts].flatMap((one) => spaces.get(prefix + one) ?? []);
      if (!spaces.get(prefix + path) || found.length === 0) return [];
      const used = found.reduce((sum, space) => sum + space.used, 0);
      // The parts of a pool share what is free.
      const available = Math.max(...found.map((space) => space.available));
      const total = used + available;
      return total > 0 ? [{ mount: path.slice(0, REPORT_LIMITS.mount), total, used }] : [];
    })
    .slice(0, REPORT_LIMITS.disks);
