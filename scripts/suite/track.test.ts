import { expect, it } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTrack } from "./track";

const MINUTE = 60_000;

/** Runs these test files as a track that is ended after some milliseconds. */
const runFiles = async (files: Record<string, string>, words: string[] = [], limit = 10 * MINUTE) => {
  const folder = mkdtempSync(join(tmpdir(), "wakeful-track-"));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, name), `import { expect, it } from "bun:test";\n${text}`);
  try {
    return await runTrack({ name: "a track", runs: [[...words, folder]] }, folder, performance.now() + limit);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

it("a track counts passed, failed and skipped tests, and names those that failed", async () => {
  const counted = await runFiles({
    "a.test.ts": `it("holds", () => {}); it("fails", () => expect(1).toBe(2)); it.skip("is skipped", () => {});`,
  });
  const failures = [{ test: "a track: fails", output: expect.stringContaining("Expected: 2\nReceived: 1") }];
  expect(counted).toEqual({ passed: 1, failed: 1, skipped: 1, notRun: [], flaky: [], failures });
});

it("a track counts an error outside of any test as a failure", async () => {
  const counted = await runFiles({ "a.test.ts": `throw new Error("outside");` });
  expect(counted).toMatchObject({
    passed: 0,
    failed: 1,
    failures: [
      { test: "a track: outside of any test, with exit status 1", output: expect.stringContaining("error: outside") },
    ],
  });
});

it("a track names a test that passes at its second attempt only", async () => {
  const counted = await runFiles(
    { "a.test.ts": `let attempts = 0; it("passes in the end", () => expect(++attempts).toBe(2));` },
    ["--retry=1"],
  );
  const flaky = [{ test: "passes in the end", output: expect.stringContaining("Expected: 2\nReceived: 1") }];
  expect(counted).toEqual({ passed: 1, failed: 0, skipped: 0, notRun: [], flaky, failures: [] });
});

it("a track that reaches its time limit lists the files that were not run, and counts none of them as failed", async () => {
  const endless = `it("never ends", () => new Promise(() => {}), 600_000);`;
  const counted = await runFiles(
    { "a.test.ts": endless, "b.test.ts": endless, "c.test.ts": `it("holds", () => {});` },
    ["--parallel=2"],
    5000,
  );
  expect(counted).toMatchObject({ failed: 0, skipped: 0, flaky: [] });
  expect(counted.notRun.map((file) => file.replace(/^.*\/|\s.*$/g, "")).toSorted()).toEqual(
    expect.arrayContaining(["a.test.ts", "b.test.ts"]),
  );
});

it("a track without parallel files that reaches its time limit is listed as not run", async () => {
  const counted = await runFiles({ "a.test.ts": `it("never ends", () => new Promise(() => {}), 600_000);` }, [], 3000);
  expect(counted).toMatchObject({ passed: 0, failed: 0, notRun: [expect.stringContaining("wakeful-track-")] });
});
