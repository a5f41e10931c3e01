import { join } from "node:path";
import type { Reported, Reporting } from "./reporter";

/** Runs reporting agents in a separate process and returns the outcome. */
export const startReporter = async (options: Reporting): Promise<Reported> => {
  const child = Bun.spawn(["bun", join(import.meta.dir, "reporter.ts")], {
    stdin: new Blob([JSON.stringify(options)]),
    stdout: "pipe",
    stderr: "inherit",
    env: { ...process.env, BUN_CONFIG_MAX_HTTP_REQUESTS: "4096" },
  });
  return JSON.parse(await new Response(child.stdout).text()) as Reported;
};
