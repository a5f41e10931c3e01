/**
 * `bun run check`: lint, types and the unit tests, side by side. The output of lint and types follows the output of the tests.
 */
import { spawn } from "bun";

const run = async (name: string, words: string[], stdio: "inherit" | "pipe") => {
  const child = spawn([process.execPath, ...words], {
    env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? "1" : "0" },
    stdin: "ignore",
    stdout: stdio,
    stderr: stdio,
  });
  const texts = stdio === "pipe" ? [new Response(child.stdout).text(), new Response(child.stderr).text()] : [];
  const [code, ...output] = await Promise.all([child.exited, ...texts]);
  return { name, code, output: output.join("") };
};

const results = await Promise.all([
  run("tests", ["scripts/unit.ts"], "inherit"),
  run("lint", ["x", "biome", "check", "."], "pipe"),
  run("types", ["run", "types"], "pipe"),
]);
for (const { name, code, output } of results) {
  if (code !== 0) process.stdout.write(output);
  console.log(`${name}: ${code === 0 ? "ok" : "FAILED"}`);
}
process.exit(results.some(({ code }) => code !== 0) ? 1 : 0);
