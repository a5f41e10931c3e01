import type { Usage } from "../../../shared/report";

const fieldsOf = (text: string, unit: number): Map<string, number> =>
  new Map(
    [...text.matchAll(/^(\S+?):? +(?:\d+ +)?(\d+)(?: kB)?$/gm)].map(([, name, value]) => [
      name as string,
      Number(value) * unit,
    ]),
  );

/** The reclaimable part of the ZFS cache, which the kernel counts as used memory. */
export const reclaimableArc = (arcstats: string): number => {
  const fields = fieldsOf(arcstats, 1);
  return Math.max(0, (fields.get("size") ?? 0) - (fields.get("c_min") ?? 0));
};

/** Parses memory and swap from /proc/meminfo. Memory is null when the figures are inconsistent. */
export const parseMeminfo = (text: string, reclaimable = 0): { memory: Usage | null; swap?: Usage } => {
  const fields = fieldsOf(text, 1024);
  const field = (name: string) => fields.get(name) ?? 0;
  const total = field("MemTotal");
  // Kernels before 3.14 and some containers have no MemAvailable.
  const available =
    fields.get("MemAvailable") ??
    field("MemFree") + field("Buffers") + field("Cached") + field("SReclaimable") - field("Shmem");
  const sound = total > 0 && available >= 0 && available <= total;
  const swapTotal = field("SwapTotal");
  const swapUsed = Math.max(0, swapTotal - field("SwapFree") - field("SwapCached"));
  return {
    memory: sound ? { total, used: Math.max(0, total - available - reclaimable) } : null,
    ...(fields.has("SwapTotal") ? { swap: { total: swapTotal, used: swapUsed } } : {}),
  };
};

/** Memory of a container: usage without the file cache, relative to its limit or to the host's memory. */
export const parseContainerMemory = (
  files: { current: string; max: string | null; stat: string },
  machineTotal: number,
): Usage | null => {
  const current = Number.parseInt(files.current, 10);
  if (Number.isNaN(current)) return null;
  const cache = Number(/^inactive_file (\d+)$/m.exec(files.stat)?.[1] ?? 0);
  const limit = Number.parseInt(files.max ?? "", 10);
  const total = limit > 0 && (machineTotal === 0 || limit < machineTotal) ? limit : machineTotal;
  return total > 0 ? { total, used: Math.min(total, Math.max(0, current - cache)) } : null;
};
