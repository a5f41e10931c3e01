import type { Page } from "playwright-core";
import { launchBrowser, signInWith } from "../../e2e/lib/browser";
import { option } from "../lib/client";
import { PASSWORD, seed } from "../lib/seed";
import { remove, round, startServer, temporaryDirectory } from "../lib/server";

/** Long enough that no monitor is checked meanwhile. */
const INTERVAL = 86_400;
const LONG = 50;
const SETTLE = 3000;

type Way = "steadily" | "in jumps";

/**
 * Scrolls the page for some seconds, a step at each frame or to any place four times a second, and returns the durations of
 * all frames and of the tasks over 50 ms.
 */
const measure = (page: Page, way: Way, seconds: number) =>
  page.evaluate(
    ([way, seconds]) =>
      new Promise<{ frames: number[]; tasks: number[] }>((resolve) => {
        const [frames, tasks]: [number[], number[]] = [[], []];
        const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((one) => one.duration)));
        observer.observe({ type: "longtask" });
        const height = document.documentElement.scrollHeight - innerHeight;
        const begun = performance.now();
        let [before, jumped, down] = [begun, begun, true];
        const next = (now: number) => {
          frames.push(now - before);
          before = now;
          if (now - begun > seconds * 1000) {
            observer.disconnect();
            return resolve({ frames: frames.slice(1), tasks });
          }
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

const summaryOf = ({ frames, tasks }: { frames: number[]; tasks: number[] }) => {
  const sorted = frames.toSorted((a, b) => a - b);
  const at = (part: number) => round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
  return {
    frames: frames.length,
    median_ms: at(0.5),
    p99_ms: at(0.99),
    longest_ms: at(1),
    frames_over_50_ms: frames.filter((ms) => ms > LONG).length,
    tasks_over_50_ms: tasks.map((ms) => round(ms)),
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
    await measure(page, "steadily", 2);
    const steadily = summaryOf(await measure(page, "steadily", seconds));
    const in_jumps = summaryOf(await measure(page, "in jumps", seconds));
    const rows = await page.locator("tbody tr").count();
    return { monitors, seconds, rendered_rows: rows, steadily, in_jumps };
  } finally {
    await browser.close();
    await server.stop();
    remove(dataDir);
  }
};
