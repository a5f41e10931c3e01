import type { Browser, BrowserContext } from "playwright-core";
import { contextOf, launchBrowser, signInWith, wide } from "../e2e/lib/browser";
import { callsOf, option, signIn } from "./lib/client";
import { seed } from "./lib/seed";
import { seedAgents } from "./lib/seed-agents";
import { ascending, percentile, round, withHub } from "./lib/server";

const SCREENS = ["/dashboard", "/monitors", "/monitors/3", "/agents", "/agents/3", "/outages", "/notifications"];

declare global {
  interface Window {
    /** Milliseconds from the start of the navigation until a screen had content, and whether grey shapes were visible. */
    firstVisit: { content: number; hasGrey: boolean };
  }
}

/** Records in a page when it first has a heading and no placeholder. */
const record = (): void => {
  window.firstVisit = { content: 0, hasGrey: false };
  const look = (): void => {
    const greys = document.querySelectorAll<HTMLElement>(".skeleton, .chart-note:empty, .chart-box:empty");
    if ([...greys].some((one) => getComputedStyle(one).visibility === "visible")) window.firstVisit.hasGrey = true;
    if (window.firstVisit.content > 0) return;
    const isComplete =
      document.querySelector("main h1") !== null &&
      greys.length === 0 &&
      document.querySelector(".metric-chart:not(:has(.chart-box)), [aria-busy=true]") === null;
    if (isComplete) window.firstVisit.content = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
};

const visit = async (context: BrowserContext, address: string): Promise<Window["firstVisit"]> => {
  const page = await context.newPage();
  await page.goto(address);
  await page.waitForFunction(() => window.firstVisit.content > 0);
  const { content, hasGrey } = await page.evaluate(() => window.firstVisit);
  await page.close();
  return { content, hasGrey };
};

type Session = { token: string; user: unknown };

/** Opens a screen in a browser without a cache, and then again with the files in its cache. */
const visitTwice = async (browser: Browser, address: string, session: Session) => {
  const context = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  await signInWith(context, session);
  await context.addInitScript(record);
  const first = await visit(context, address);
  const again = await visit(context, address);
  await context.close();
  return { first, again };
};

/**
 * Time from the start of a navigation to the content of each screen, of `--runs` (20) visits without a cache and with one:
 * 40 monitors with 30 days of checks, and 8 servers. `grey` counts visits with visible placeholders.
 */
export const bench = (args: string[]): Promise<object> =>
  withHub(
    async (dataDir) => {
      await seed(dataDir, {
        monitors: 40,
        interval: 3600,
        urls: ["http://127.0.0.1:9/"],
        historyDays: 30,
        sumDays: 90,
      });
      await seedAgents(dataDir, { agents: 8, interval: 60, historyDays: 30 });
    },
    async ({ url }) => {
      const token = await signIn(url);
      const { user } = await callsOf(url, token)<{ user: unknown }>("GET", "/auth/me");
      const browser = await launchBrowser();
      const result: Record<string, object> = {};
      await visitTwice(browser, `${url}/dashboard`, { token, user });
      for (const screen of SCREENS) {
        const visits: Awaited<ReturnType<typeof visitTwice>>[] = [];
        for (let run = 0; run < option(args, "runs", 20); run++)
          visits.push(await visitTwice(browser, url + screen, { token, user }));
        const timesOf = (which: "first" | "again") => {
          const times = ascending(visits.map((one) => one[which].content));
          return {
            [`${which}_p50_ms`]: round(percentile(times, 0.5), 0),
            [`${which}_p95_ms`]: round(percentile(times, 0.95), 0),
          };
        };
        const grey = visits.filter(({ first, again }) => first.hasGrey || again.hasGrey).length;
        result[screen] = { ...timesOf("first"), ...timesOf("again"), grey };
      }
      await browser.close();
      return result;
    },
  );
