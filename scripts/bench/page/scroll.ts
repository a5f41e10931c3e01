import type { Browser, Page } from "playwright-core";
import { launchBrowser, signInWith } from "../../e2e/lib/browser";
import { option } from "../lib/client";
import { PASSWORD, seed } from "../lib/seed";
import { remove, round, startServer, temporaryDirectory } from "../lib/server";

/** Seconds: no monitor is checked during the measurement. */
const INTERVAL = 86_400;
const LONG = 50;
const SETTLE = 3000;

type Way = "steadily" | "in jumps";

/** Scrolls the page for some seconds, a step at each frame or to any place four times a second. Returns the length of each frame. */
const scroll = (page: Page, way: Way, seconds: number) =>
  page.evaluate(
    ([way, seconds]) =>
      new Promise<number[]>((resolve) => {
        const frames: number[] = [];
        const height = document.documentElement.scrollHeight - innerHeight;
        const begun = performance.now();
        let [before, jumped, down] = [begun, begun, true];
        const next = (now: number) => {
          frames.push(now - before);
          before = now;
          if (now - begun > seconds * 1000) return resolve(frames.slice(1));
          if (way === "steadily") {
            if (scrollY >= height - 1) down = false;
            scrollBy(0, down ? 120 : -120);
          } else if (now - jumped > 250) {
            jumped = now;
            scrollTo(0, Math.random() * height);
          }
          requestAnimationFrame(next);
        };
        requestAnimationFrame(next);
      }),
    [way, seconds] as const,
  );

type TraceEvent = { name: string; tid: number; pid: number; tdur?: number; args?: { name?: string } };

/** The longest task of the page's main thread, in ms of its own CPU time: other work on the machine does not count. */
const longestTask = (trace: Buffer): number => {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threads = traceEvents.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain");
  const isMain = ({ pid, tid }: TraceEvent) => threads.some((thread) => thread.pid === pid && thread.tid === tid);
  const tasks = traceEvents.filter((event) => event.name.endsWith("RunTask") && isMain(event));
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1000;
};

const measure = async (browser: Browser, page: Page, way: Way, seconds: number) => {
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline"] });
  const frames = await scroll(page, way, seconds);
  const trace = await browser.stopTracing();
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (part: number) => round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
  return {
    frames: frames.length,
    median_ms: at(0.5),
    p99_ms: at(0.99),
    longest_ms: at(1),
    frames_over_50_ms: frames.filter((ms) => ms > LONG).length,
    longest_task_cpu_ms: round(longestTask(trace)),
  };
};

/** The frames of Chromium while the list of `--monitors` (10,000) scrolls, each way for `--seconds` (15). */
export const bench = async (args: string[]): Promise<object> => {
  const [monitors, seconds] = [option(args, "monitors", 10_000), option(args, "seconds", 15)];
  const dataDir = temporaryDirectory();
  await seed(dataDir, { monitors, interval: INTERVAL, urls: ["http://127.0.0.1:9/"], sumDays: 1 });
  const server = await startServer(dataDir);
  const response = await fetch(`${server.url}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "alice", password: PASSWORD }),
  });
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await signInWith(context, (await response.json()) as { token: string; user: unknown });
    const page = await context.newPage();
    await page.goto(`${server.url}/monitors`);
    await page.locator("tbody [data-id]").first().waitFor();
    // Code that is loaded when the page is idle has arrived by then.
    await Bun.sleep(SETTLE);
    await scroll(page, "steadily", 2);
    const steadily = await measure(browser, page, "steadily", seconds);
    const in_jumps = await measure(browser, page, "in jumps", seconds);
    const rows = await page.locator("tbody tr").count();
    return { monitors, seconds, rendered_rows: rows, steadily, in_jumps };
  } finally {
    await browser.close();
    await server.stop();
    remove(dataDir);
  }
};
