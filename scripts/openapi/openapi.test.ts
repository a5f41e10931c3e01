import { beforeAll, expect, it } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startTestServer } from "../../src/testing/servers/hub";

/** The rules for a file of this name have an exception, and paths in rules are relative to this folder. */
const DOCUMENT = "dist/openapi.json";

/** Runs a program of this folder's packages. Returns its exit status and, unless that is 0, its output. */
const run = async (...words: string[]): Promise<[status: number, output: string]> => {
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: import.meta.dir,
    env: { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", NO_COLOR: "1" },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return [status, status === 0 ? "" : output + errors];
};

beforeAll(async () => {
  expect(await run("install", "--frozen-lockfile")).toEqual([0, ""]);
  mkdirSync(join(import.meta.dir, "dist"), { recursive: true });
});

it("the API document that the hub serves has no problem by the rules of Redocly and of Spectral", async () => {
  const { call } = await startTestServer();
  const { text } = await call("/api/openapi.json");
  // With lines, so that a problem is shown at its place.
  writeFileSync(join(import.meta.dir, DOCUMENT), JSON.stringify(JSON.parse(text), null, 1));
  expect(await run("--bun", "x", "redocly", "lint", DOCUMENT, "--config", "redocly.yaml")).toEqual([0, ""]);
  const strict = ["--ruleset", ".spectral.yaml", "--fail-severity", "hint"];
  expect(await run("--bun", "x", "spectral", "lint", DOCUMENT, ...strict)).toEqual([0, ""]);
});
