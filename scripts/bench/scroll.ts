import type { Page } from "playwright-core";
import { contextOf, launchBrowser, signInWith, wide } from "../e2e/lib/browser";
import { callsOf, option, signIn } from "./lib/client";
import { seed } from "./lib/seed";
import { ascending, percentile, round, withHub } from "./lib/server";

/** Scrolls a page down by `step` pixels a frame and returns the milliseconds between frames. */
const scroll = (page: Page, { frames, step }: { frames: number; step: number }): Promise<number[]> =>
  page.evaluate(
    ([count, pixels]) =>
      new Promise<number[]>((resolve) => {
        const times: number[] = [];
        let last = performance.now();
        const next = (now: number) => {
          times.push(now - last);
          last = now;
          scrollBy(0, pixels);
          if (times.length < count) requestAnimationFrame(next);
          else resolve(times.slice(1));
        };
        requestAnimationFrame(next);
      }),
    [frames, step] as const,
  );

const figuresOf = (name: string, times: number[]) => {
  const ordered = ascending(times);
  return {
    [`${name}_p50_ms`]: round(percentile(ordered, 0.5)),
    [`${name}_p95_ms`]: round(percentile(ordered, 0.95)),
    [`${name}_max_ms`]: round(ordered.at(-1) ?? 0),
  };
};

/**
 * The time between frames while the table of `--monitors` (10,000) is scrolled for `--frames` (300), by a wheel (100 px a
 * frame) and by dragging the scroll bar (1,500 px a frame), beside an empty page of the same height.
 */
export const bench = (args: string[]): Promise<object> => {
  const [monitors, frames] = [option(args, "monitors", 10_000), option(args, "frames", 300)];
  return withHub(
    (dataDir) => seed(dataDir, { monitors, interval: 3600, urls: ["http://127.0.0.1:9/"] }),
    async ({ url }) => {
      const token = await signIn(url);
      const { user } = await callsOf(url, token)<{ user: unknown }>("GET", "/auth/me");
      const browser = await launchBrowser();
      const context = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
      await signInWith(context, { token, user });
      const page = await context.newPage();
      await page.goto(`${url}/monitors`);
      await page.getByRole("table").waitFor();
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.waitForTimeout(3000);
      const wheel = await scroll(page, { frames, step: 100 });
      const bar = await scroll(page, { frames, step: 1500 });
      await page.goto("about:blank");
      await page.evaluate((pixels) => {
        document.body.style.height = `${pixels}px`;
      }, height);
      const empty = await scroll(page, { frames, step: 100 });
      await browser.close();
      return { monitors, height, ...figuresOf("wheel", wheel), ...figuresOf("bar", bar), ...figuresOf("empty", empty) };
    },
  );
};
