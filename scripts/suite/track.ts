import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A test that failed, or passed at its second attempt only, with the last lines that it printed. */
export type Failure = { test: string; output: string };

/** The result of a run of `bun test`. */
export type Counted = {
  passed: number;
  failed: number;
  skipped: number;
  /** Test files that were not run to their end, because the time limit ended the run. */
  notRun: string[];
  /** Tests that passed at their second attempt only. */
  flaky: Failure[];
  /** The tests that failed, and errors outside of any test. */
  failures: Failure[];
};

export type Track = {
  name: string;
  /** Arguments of `bun test`, for one run after the other. */
  runs: string[][];
  env?: Record<string, string>;
  /** A program and its arguments that run `bun test`. */
  within?: string[];
};

const INTERRUPTED = /^Interrupted while still running:$/m;
const NOT_STARTED = /^\d+ file\(s\) had not started:$/m;
/** Milliseconds between SIGTERM, which makes Bun report its results so far, and SIGKILL. */
const GRACE = 30_000;

const namesBelow = (output: string, heading: RegExp): string[] => {
  const [, list = ""] = output.split(heading, 2);
  const lines = list.split("\n").slice(1);
  const end = lines.findIndex((line) => !line.startsWith("  "));
  return lines.slice(0, end === -1 ? undefined : end).map((line) => line.trim());
};

/** The line of a test that failed, or passed at its second attempt. */
const NOTEWORTHY = /^\((fail|pass)\) (.+?)( \(attempt [2-9]\))?(?: \[[\d.]+m?s\])?$/;
const lastLines = (lines: string[]): string => lines.slice(-30).join("\n").trim();

/** What failed in the output of `bun test`, which prints errors above the line of their test. */
const failuresIn = (output: string): { failures: Failure[]; flaky: Failure[] } => {
  const failures = new Map<string, Failure>();
  const flaky: Failure[] = [];
  let above: string[] = [];
  for (const line of output.split("\n")) {
    const [, outcome, test = "", attempt] = NOTEWORTHY.exec(line) ?? [];
    const failure = { test, output: lastLines(above) };
    if (outcome === "fail" && !failures.has(test)) failures.set(test, failure);
    if (outcome === "pass" && attempt) flaky.push(failure);
    if (/^\((fail|pass|skip|todo)\) /.test(line)) above = [];
    else above.push(line);
  }
  return { failures: [...failures.values()], flaky };
};

/**
 * Counts the tests of one run from what it printed and its JUnit report, which is empty when the run crashed.
 * @param isCutOff whether the time limit ended the run
 */
const countTests = (output: string, report: string, code: number, isCutOff: boolean): Counted => {
  const [head = ""] = report.match(/<testsuites [^>]*>/) ?? [];
  const figure = (name: string): number => Number(head.match(new RegExp(` ${name}="(\\d+)"`))?.[1] ?? 0);
  const interrupted = namesBelow(output, INTERRUPTED);
  const { failures, flaky } = failuresIn(output);
  // Bun counts each file that it interrupts as a failure.
  const failedTests = figure("failures") - (isCutOff ? interrupted.length : 0);
  const tests = figure("tests") - (isCutOff ? interrupted.length : 0);
  // An error outside of any test, a crash or a hang has no line in the report.
  const isUnexplained = code !== 0 && failedTests === 0 && !isCutOff;
  const failed = failedTests + (isUnexplained ? 1 : 0);
  const outside = { test: `outside of any test, with exit status ${code}`, output: lastLines(output.split("\n")) };
  return {
    passed: Math.max(0, tests - failedTests - figure("skipped")),
    failed,
    skipped: figure("skipped"),
    notRun: isCutOff ? [...interrupted, ...namesBelow(output, NOT_STARTED)] : [],
    flaky,
    // Tests of tracks print failures of the files that they run.
    failures: failed === 0 ? [] : failures.length === 0 ? [outside] : failures,
  };
};

/** Lines of passed tests are printed only because Bun names second attempts in them. */
const withoutPassed = (output: string): string =>
  output
    .split("\n")
    .filter((line) => !/^\((pass|skip)\) /.test(line))
    .join("\n")
    .replaceAll(/(\n\S+\.test\.tsx?:)+(?=\n\S+\.test\.tsx?:\n|\n*$)/g, "");

/** Runs `bun test`, and ends it at `deadline`, a time of `performance.now()`. Returns what it printed and counted. */
const runTests = async (
  words: string[],
  { env = {}, within = [] }: Pick<Track, "env" | "within">,
  report: string,
  deadline: number,
) => {
  const child = Bun.spawn(
    [...within, process.execPath, "test", "--no-orphans", "--reporter=junit", `--reporter-outfile=${report}`, ...words],
    { env: { ...process.env, ...env }, stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  );
  let isCutOff = false;
  const left = Math.max(0, deadline - performance.now());
  const timers = [
    setTimeout(() => {
      isCutOff = true;
      child.kill("SIGTERM");
    }, left),
    setTimeout(() => child.kill("SIGKILL"), left + GRACE),
  ];
  const texts = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const code = await child.exited;
  for (const timer of timers) clearTimeout(timer);
  const cpu = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6;
  const output = texts.join("");
  const counted = countTests(output, existsSync(report) ? readFileSync(report, "utf8") : "", code, isCutOff);
  // Without --parallel, Bun does not list what it leaves out.
  if (isCutOff && counted.notRun.length === 0) counted.notRun.push(words.at(-1) ?? "");
  return { output: withoutPassed(output), counted, cpu };
};

/**
 * Runs a track to its end or to `deadline`, and prints what failed.
 * @param folder where reports are written
 */
export const runTrack = async (track: Track, folder: string, deadline: number): Promise<Counted> => {
  const { name, runs } = track;
  const total: Counted = { passed: 0, failed: 0, skipped: 0, notRun: [], flaky: [], failures: [] };
  const started = performance.now();
  let printed = "";
  let cpuSeconds = 0;
  for (const [index, words] of runs.entries()) {
    const report = join(folder, `${name.replaceAll(/\W+/g, "-")}-${index}.xml`);
    const { output, counted, cpu } = await runTests(words, track, report, deadline);
    printed += output;
    cpuSeconds += cpu;
    for (const key of ["passed", "failed", "skipped"] as const) total[key] += counted[key];
    total.notRun.push(...counted.notRun);
    total.flaky.push(...counted.flaky);
    total.failures.push(...counted.failures.map((failure) => ({ ...failure, test: `${name}: ${failure.test}` })));
  }
  const seconds = Math.round((performance.now() - started) / 1000);
  console.error(`\n== ${name}\n${printed.trim()}`);
  console.error(
    `${name}: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped, in ${seconds} s (CPU ${Math.round(cpuSeconds)} s)`,
  );
  return total;
};
