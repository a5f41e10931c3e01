import { option } from "../lib/client";
import { remove, round, temporaryDirectory } from "../lib/server";
import { measureSteady } from "../lib/steady";

/**
 * CPU and memory of a hub with 10 and with 100 monitors at 60 s, and no page open, over `--seconds` (180) each. `--monitors`
 * measures one number of monitors only.
 */
export const bench = async (args: string[]): Promise<object> => {
  const seconds = option(args, "seconds", 180);
  const one = option(args, "monitors", 0);
  const found: Record<string, object> = {};
  for (const monitors of one > 0 ? [one] : [10, 100]) {
    const dataDir = temporaryDirectory();
    const { cpu, elapsed, memory, checks, written, stop } = await measureSteady(dataDir, {
      monitors,
      agents: 0,
      seconds,
    });
    await stop();
    remove(dataDir);
    found[`${monitors}_monitors`] = {
      checks,
      cpu_percent_of_one_core: round((cpu / elapsed) * 100, 2),
      memory_mb: round(memory),
      written_mb_a_day: round((written / elapsed) * 0.0864),
    };
  }
  return { seconds, ...found };
};
