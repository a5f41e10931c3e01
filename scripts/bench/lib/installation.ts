import { startFlipping } from "./provider";
import { seed } from "./seed";
import { keyOf, seedAgents } from "./seed-agents";

const AGENTS = 4;

/** Stores monitors that are seldom checked on schedule, each with a controllable target, `/ID`. Returns the targets. */
export const seedFlipping = async (dataDir: string, monitors: number) => {
  const targets = startFlipping();
  const urls = Array.from({ length: monitors }, (_, index) => `${targets.origin}/${index || monitors}`);
  await seed(dataDir, { monitors, interval: 86_400, urls });
  return targets;
};

/** A data directory with monitors of a controllable target and with enrolled agents. */
export const prepare = async (dataDir: string, monitors: number) => {
  const targets = await seedFlipping(dataDir, monitors);
  await seedAgents(dataDir, { agents: AGENTS, interval: 60 });
  return { targets, keys: Array.from({ length: AGENTS }, (_, index) => keyOf(index + 1)) };
};
