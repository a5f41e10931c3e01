import type { CpuParts } from "../../../shared/agents/report";
import { percentOf } from "../../platform/rates";
import type { SampleFigure } from "../figure";

type Ticks = CpuParts & { total: number };

/** What processor time was spent on, of all processors. Containers with accounts of their own have no such parts. */
export const cpuParts: SampleFigure<Ticks> = {
  open: () => (reading) => reading.cpuParts ?? null,
  fields: (after, before) => {
    if (!before || after.total <= before.total) return {};
    const part = (name: keyof CpuParts) => percentOf(after[name] - before[name], after.total - before.total);
    return { cpu_parts: { user: part("user"), system: part("system"), iowait: part("iowait"), steal: part("steal") } };
  },
};
