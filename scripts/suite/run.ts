/**
 * The steps and tests of `sh scripts/test`, which has installed what they need. POSTGRES_URL names a server for the tests
 * of that database. FULL=1 runs every test that opens a database on PostgreSQL too. The last line is the result.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresTests } from "./database-tests";
import { groupsOf, TIME_LIMIT } from "./groups";
import { type Counted, runTrack, type Track } from "./track";

const SCRIPTS = [
  ...["scripts/start", "scripts/test", "scripts/bun", "scripts/release", "scripts/pin-images", ".ci/run"],
  ...["scripts/install", "scripts/image", "scripts/lib/lib.sh", "scripts/lib/test-tools.sh"],
  ...["src/modules/servers/install/script/install.sh", "src/modules/servers/install/light/agent.sh"],
];
/** Milliseconds that the calibration takes on the machine of the durations in CONTRIBUTING.md, when nothing else runs. */
const USUAL_CALIBRATION = 600;
/** Time limit of the whole run on that machine in milliseconds: about twice the usual duration. */
const LIMIT = 60 * 60_000;
/** A run is never given more than this, because something hangs by then. */
const MAX_LIMIT = 85 * 60_000;

/**
 * For tests that run in the process of `bun test`: its allocator returns no memory to the system, only to get it again for the
 * next test, which takes a fifth of the CPU time. Processes of the product keep their own behavior.
 */
const KEEP_MEMORY = { MIMALLOC_PURGE_DELAY: "-1" };

/** Where it may, Chromium gives itself a higher priority than the tests beside it, which then exceed their time limits. */
const WITHOUT_PRIORITY =
  process.getuid?.() === 0 && Bun.which("setpriv")
    ? ["setpriv", "--bounding-set=-sys_nice", "--inh-caps=-sys_nice"]
    : [];

/** Tracks that run side by side. Some wait and leave the cores to the others, but more of them make each other slower. */
const AT_A_TIME = 3;

const steps = { passed: 0, failed: 0 };
const failedSteps: string[] = [];
const step = async (name: string, words: string[]): Promise<void> => {
  const started = performance.now();
  const child = Bun.spawn(words, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const texts = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const isGood = (await child.exited) === 0;
  console.error(`\n== ${name}\n${texts.join("").trim()}`);
  steps[isGood ? "passed" : "failed"]++;
  if (!isGood) failedSteps.push(name);
  const seconds = Math.round((performance.now() - started) / 1000);
  console.error(`${isGood ? "ok" : "FAILED"}: ${name}, in ${seconds} s`);
};

/** Measures this machine as it is now, with what else runs on it. */
const calibrate = (): number => {
  const data = new Uint8Array(1 << 20);
  const started = performance.now();
  for (let round = 0; round < 300; round++) Bun.SHA256.hash(data, data.subarray(0, 32));
  return performance.now() - started;
};

const bun = process.execPath;
const slowness = Math.max(1, calibrate() / USUAL_CALIBRATION);
const limit = Math.min(MAX_LIMIT, LIMIT * slowness);
const deadline = performance.now() + limit;
const folder = mkdtempSync(join(tmpdir(), "wakeful-suite-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

await step("build", [bun, "scripts/build.ts"]);
const groups = (paths: string[]): string[][] => groupsOf(paths).map(({ words }) => ["--only-failures", ...words]);
const processTests = (path: string): string[] => ["--isolate", "--only-failures", ...TIME_LIMIT, path];
const postgres = process.env.POSTGRES_URL ?? "";
// The longest come first, so that the last ones end at about the same time.
const tracks: Track[] = [
  {
    name: "page in a browser",
    // A browser may stall on a busy machine: a test that fails runs once more, and is listed as flaky if it passes then.
    runs: [["--no-isolate", "--parallel=2", "--retry=1", ...TIME_LIMIT, "./scripts/e2e"]],
    within: WITHOUT_PRIORITY,
  },
  { name: "server, on SQLite", runs: groups(["./src"]), env: KEEP_MEMORY },
  { name: "executable", runs: [processTests("./scripts/smoke")] },
  {
    name: "server, on PostgreSQL",
    runs: postgres ? groups(postgresTests({ isFull: process.env.FULL === "1" })) : [],
    env: { ...KEEP_MEMORY, TEST_DATABASE_URL: postgres },
  },
  { name: "page", runs: groups(["./web"]), env: KEEP_MEMORY },
  { name: "kinds of monitors, on real services", runs: [processTests("./scripts/services")] },
  { name: "agents, on other systems", runs: [processTests("./scripts/systems")] },
  { name: "scripts", runs: ["lib", "suite", "openapi"].map((folder) => processTests(`./scripts/${folder}`)) },
];
if (postgres === "") {
  failedSteps.push("there is no PostgreSQL to test with");
  steps.failed++;
}

const all: Counted[] = [];
const jobs: (() => Promise<unknown>)[] = [
  ...tracks.map((track) => async () => all.push(await runTrack(track, folder, deadline))),
  () => step("lint", [bun, "x", "biome", "check", "."]),
  () => step("types", [bun, "run", "types"]),
  () => step("shell scripts", ["shellcheck", "-x", ...SCRIPTS]),
];
const runJobs = async (): Promise<void> => {
  for (let job = jobs.shift(); job; job = jobs.shift()) await job();
};
await Promise.all(Array.from({ length: AT_A_TIME }, runJobs));

const sum = (key: "passed" | "failed" | "skipped"): number => all.reduce((total, counted) => total + counted[key], 0);
const notRun = all.flatMap((counted) => counted.notRun);
const failures = all.flatMap((counted) => counted.failures);
const flaky = all.flatMap((counted) => counted.flaky);
console.error("");
for (const name of failedSteps) console.error(`FAILED: ${name}`);
// The errors again, because a long output is often cut at its beginning.
for (const { test, output } of failures.slice(0, 20)) console.error(`FAILED: ${test}\n${output}\n`);
for (const { test } of failures.slice(20)) console.error(`FAILED: ${test}`);
for (const { test, output } of flaky.slice(0, 10))
  console.error(`FLAKY: ${test} passed at its second attempt\n${output}\n`);
for (const file of notRun)
  console.error(`NOT RUN: ${file}: the limit of ${Math.round(limit / 60_000)} minutes ended the run`);
const failed = steps.failed + sum("failed");
console.log(`${steps.passed + sum("passed")} passed, ${failed} failed, ${sum("skipped")} skipped`);
process.exit(failed === 0 && notRun.length === 0 ? 0 : 1);
