import type { CpuInfo } from "node:os";
import type { CpuTimes } from "../measure/reading";

/** CPU times of each processor, for systems without an iowait counter. */
export const processorTimes = (cpus: Pick<CpuInfo, "times">[]): CpuTimes[] | null =>
  cpus.length === 0
    ? null
    : cpus.map(({ times: { user, nice, sys, irq, idle } }) => ({ busy: [user, nice, sys, irq], idle: [idle] }));
