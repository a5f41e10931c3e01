type Counts = {
  monitors: { up: number; pending: number; total: number };
  agents: { active: number; connecting: number; total: number };
};

/** The key of the headline while nothing is down. */
export const headline = ({ monitors, agents }: Counts) => {
  if (monitors.total + agents.total === 0) return "nothing";
  if (monitors.up + agents.active > 0) return "allUp";
  return monitors.pending + agents.connecting > 0 ? "waiting" : "allPaused";
};
