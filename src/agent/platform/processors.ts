import type { CpuInfo } from "node:os";
import type { CpuTimes } from "../measure/reading";

/** The counters of each processor, for systems that know of no waiting for disks. */
export const processorTimes = (cpus: Pick<CpuInfo, "times">[]): CpuTimes[] | null =>
  cpus.length === 0
    ? null
    : cpus.map(({ times: { user, nice, sys, irq, idle } }) => ({ busy: [user, nice, sys, irq], idle: [idle] }));
