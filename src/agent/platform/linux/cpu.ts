import type { CpuTimes, CpuUsage } from "../../measure/reading";

/**
 * Parses the CPU times of all processors from /proc/stat. Steal counts as busy. Guest
 * time is already part of user and nice.
 */
export const parseStat = (text: string): CpuTimes[] | null => {
  const line = /^cpu +(.+)$/m.exec(text)?.[1];
  if (line === undefined) return null;
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = line
    .split(/\s+/)
    .map(Number);
  return [{ busy: [user, nice, system, irq, softirq, steal], idle: [idle, iowait] }];
};

/** CPU usage of a container from its `cpu.stat` and `cpu.max`. Without a quota it may use every visible processor. */
export const parseContainerCpu = (stat: string, max: string | null, processors: number): CpuUsage | null => {
  const microseconds = Number(/^usage_usec (\d+)$/m.exec(stat)?.[1]);
  if (Number.isNaN(microseconds)) return null;
  const [quota, period] = (max ?? "max").trim().split(" ").map(Number);
  return { microseconds, processors: quota && period ? Math.min(processors, quota / period) : processors };
};
