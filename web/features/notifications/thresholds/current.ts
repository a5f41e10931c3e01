import type { ThresholdMetric } from "../../../../src/shared/agents/thresholds";

type Usage = { used: number; total: number };

/** The last figures of a server, as the API answers them. */
export type Figures = {
  cpu_usage: number | null;
  memory_total: number | null;
  memory_used: number | null;
  swap: Usage | null;
  disks: readonly (Usage & { mount: string })[] | null;
  disk_total: number | null;
  disk_used: number | null;
  load_average: readonly number[] | null;
  processors: number | null;
  temperatures: readonly { sensor: string; celsius: number }[] | null;
};

const percentOf = (used: number | null, total: number | null): number | null =>
  used === null || !total ? null : (used * 100) / total;

const highest = (figures: readonly (number | null)[]): number | null => {
  const known = figures.filter((figure) => figure !== null);
  return known.length > 0 ? Math.max(...known) : null;
};

/** The last figure that a threshold is compared with; of several parts the highest, without these. Null if it is unknown. */
export const currentFigure = (
  figures: Figures,
  metric: ThresholdMetric,
  subject: string | null,
  except: readonly string[] = [],
): number | null => {
  const isWanted = (name: string) => (!subject || name === subject) && !except.includes(name);
  switch (metric) {
    case "cpu":
      return figures.cpu_usage;
    case "memory":
      return percentOf(figures.memory_used, figures.memory_total);
    case "swap":
      return figures.swap && percentOf(figures.swap.used, figures.swap.total);
    case "disk": {
      const disks = (figures.disks ?? []).filter(({ mount }) => isWanted(mount));
      if (disks.length > 0 || except.length > 0) return highest(disks.map(({ used, total }) => percentOf(used, total)));
      return subject ? null : percentOf(figures.disk_used, figures.disk_total);
    }
    case "load": {
      const [minute] = figures.load_average ?? [];
      return minute === undefined || !figures.processors ? null : minute / figures.processors;
    }
    case "temperature":
      return highest(
        (figures.temperatures ?? []).filter(({ sensor }) => isWanted(sensor)).map(({ celsius }) => celsius),
      );
  }
};
