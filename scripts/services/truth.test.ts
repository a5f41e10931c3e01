import { expect, it } from "bun:test";
import { join } from "node:path";
import { ENTER } from "../truth/namespaces";

const possible = process.platform === "linux" && Bun.spawnSync([...ENTER, "true"]).success;

it.skipIf(!possible)(
  "the claims about a world that fails in part, and is cut off for 20 seconds, are true",
  async () => {
    const run = Bun.spawn([process.execPath, join(import.meta.dir, "../truth/run.ts"), "--short"], {
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, notes, code] = await Promise.all([
      new Response(run.stdout).text(),
      new Response(run.stderr).text(),
      run.exited,
    ]);
    if (code !== 0) console.error(`${notes}\n${out}`);
    expect(code).toBe(0);
    expect(out).toInclude(" 0 wrong");
  },
);
