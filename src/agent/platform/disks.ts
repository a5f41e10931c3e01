import { type DiskUsage, REPORT_LIMITS, type UnreadableDisk } from "../../shared/report";
import type { Space, SpaceOrReason } from "./statfs";

type Part = { path: string; parts: string[] };

const isSpace = (found: SpaceOrReason | undefined): found is Space => found !== undefined && "used" in found;

/** Usage of each filesystem and those that cannot be read, at most 64 of each. `prefix` is removed from the paths. */
export const disksOf = (
  mounts: Part[],
  spaces: Map<string, SpaceOrReason>,
  prefix = "",
): { disks: DiskUsage[]; unreadable: UnreadableDisk[] } => {
  const disks: DiskUsage[] = [];
  const unreadable: UnreadableDisk[] = [];
  for (const { path, parts } of mounts) {
    const mount = path.slice(0, REPORT_LIMITS.mount);
    const own = spaces.get(prefix + path);
    if (!isSpace(own)) {
      if (own && own.reason !== "file") unreadable.push({ mount, reason: own.reason.slice(0, REPORT_LIMITS.reason) });
      continue;
    }
    const found = [own, ...parts.map((part) => spaces.get(prefix + part)).filter(isSpace)];
    const used = found.reduce((sum, space) => sum + space.used, 0);
    // The datasets of a pool share its free space.
    const available = Math.max(...found.map((space) => space.available));
    const total = used + available;
    if (total > 0) disks.push({ mount, total, used });
  }
  return { disks: disks.slice(0, REPORT_LIMITS.disks), unreadable: unreadable.slice(0, REPORT_LIMITS.disks) };
};
