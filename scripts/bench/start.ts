import { option } from "./lib/client";
import { seed } from "./lib/seed";
import { ascending, median, remove, residentMemory, round, startServer, temporaryDirectory } from "./lib/server";

/** Time from process start to the first healthy answer, and resident memory when idle, of `--runs` (7) starts. */
export const bench = async (args: string[]): Promise<object> => {
  const dataDir = temporaryDirectory();
  await seed(dataDir, { monitors: 1000, interval: 86_400, urls: ["http://127.0.0.1:9/"], sumDays: 30 });
  const [starts, memory]: [number[], number[]] = [[], []];
  for (let run = 0; run < option(args, "runs", 7); run++) {
    const server = await startServer(dataDir);
    starts.push(server.startedIn);
    await Bun.sleep(5000);
    memory.push(residentMemory(server.pid));
    await server.stop();
  }
  remove(dataDir);
  return {
    start_median_ms: round(median(starts), 0),
    start_max_ms: round(ascending(starts).at(-1) ?? 0, 0),
    idle_memory_median_mb: round(median(memory)),
  };
};
