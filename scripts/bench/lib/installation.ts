import { startFlipping } from "./provider";
import { seed } from "./seed";
import { keyOf, seedAgents } from "./seed-agents";

const AGENTS = 4;

/** A data directory with monitors of a controllable target and with enrolled agents. */
export const prepare = async (dataDir: string, monitors: number, interval = 86_400) => {
  const targets = startFlipping();
  const urls = Array.from({ length: monitors }, (_, index) => `${targets.origin}/${index || monitors}`);
  await seed(dataDir, { monitors, interval, urls });
  await seedAgents(dataDir, { agents: AGENTS, interval: 60 });
  return { targets, keys: Array.from({ length: AGENTS }, (_, index) => keyOf(index + 1)) };
};
