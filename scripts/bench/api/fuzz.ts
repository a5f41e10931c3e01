import { option } from "../lib/client";
import { round } from "../lib/server";

const SUITES = [
  "src/testing/whole/fuzz.stress.test.ts",
  "src/server/hostile-requests.test.ts",
  "src/modules/status-page/css.test.ts",
];

/**
 * 20,000 generated requests to an app in this process, as many stylesheets, and malformed HTTP requests. `--requests`
 * and `--seed` change that. A failure is printed
 * with the shrunken request that caused it.
 */
export const bench = async (args: string[]): Promise<object> => {
  const requests = option(args, "requests", 20_000);
  const seed = option(args, "seed", Date.now() % 2 ** 31);
  const begun = performance.now();
  const child = Bun.spawn(["bun", "test", "--isolate", ...SUITES], {
    env: { ...process.env, FUZZ_REQUESTS: String(requests), SEED: String(seed) },
    stdout: "inherit",
    stderr: "inherit",
  });
  const code = await child.exited;
  return {
    requests,
    seed,
    survived: code === 0,
    seconds: round((performance.now() - begun) / 1000),
    memory_mb: round((child.resourceUsage()?.maxRSS ?? 0) / 2 ** 20, 0),
  };
};
