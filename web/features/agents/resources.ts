type Figure = number | null;
type Figures = {
  cpu_usage: Figure;
  memory_total: Figure;
  memory_used: Figure;
  disk_total: Figure;
  disk_used: Figure;
  network_rx: Figure;
  network_tx: Figure;
};

/** All in percent. Without usable figures all are zero, and `problem` says why. */
export type Resources = {
  cpu: number;
  memory: number;
  disk: number;
  network: number;
  problem: "missing" | "unreadable" | null;
};

/** KB/s that fill the network's bar. */
const fullNetwork = 51.2;

const nothing = { cpu: 0, memory: 0, disk: 0, network: 0 };

/** How full something is in percent; a total of 0 is one that nobody could find out. */
export const shareOf = (used: number, total: number) => (total > 0 ? Math.min(100, (used / total) * 100) : 0);

const isUsable = (figure: number) => Number.isFinite(figure) && figure >= 0;

export const resourcesOf = (figures: Figures): Resources => {
  const { cpu_usage, memory_total, memory_used, disk_total, disk_used, network_rx, network_tx } = figures;
  if (cpu_usage == null || memory_total == null || memory_used == null || disk_total == null || disk_used == null)
    return { ...nothing, problem: "missing" };
  const [rx, tx] = [network_rx ?? 0, network_tx ?? 0];
  if (![cpu_usage, memory_total, memory_used, disk_total, disk_used, rx, tx].every(isUsable))
    return { ...nothing, problem: "unreadable" };
  return {
    cpu: Math.min(100, cpu_usage),
    memory: shareOf(memory_used, memory_total),
    disk: shareOf(disk_used, disk_total),
    network: shareOf(rx + tx, fullNetwork),
    problem: null,
  };
};
