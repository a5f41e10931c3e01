import type { CpuTimes, CpuUsage } from "../../measure/reading";

/**
 * The counters of all processors out of /proc/stat. Steal is time that the machine wanted and did not get: busy. Guest
 * time is inside user and nice already.
 */
export const parseStat = (text: string): CpuTimes[] | null => {
  const line = /^cpu +(.+)$/m.exec(text)?.[1];
  if (line === undefined) return null;
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = line
    .split(/\s+/)
    .map(Number);
  return [{ busy: [user, nice, system, irq, softirq, steal], idle: [idle, iowait] }];
};

/** What a container used, out of its `cpu.stat` and `cpu.max`; without a quota it may use all processors it sees. */
export const parseContainerCpu = (stat: string, max: string | null, processors: number): CpuUsage | null => {
  const microseconds = Number(/^usage_usec (\d+)$/m.exec(stat)?.[1]);
  if (Number.isNaN(microseconds)) return null;
  const [quota, period] = (max ?? "max").trim().split(" ").map(Number);
  return { microseconds, processors: quota && period ? Math.min(processors, quota / period) : processors };
};
