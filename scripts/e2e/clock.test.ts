import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { until } from "../smoke/lib/until";
import { contextOf, launchBrowser, recordPageErrors, signInWith, wide } from "./lib/browser";
import { startSeeded } from "./lib/seeded";

type Seeded = Awaited<ReturnType<typeof startSeeded>>;
const DAY = 86_400_000;

let seeded: Seeded;
let browser: Browser;

beforeAll(async () => {
  [seeded, browser] = await Promise.all([startSeeded(), launchBrowser()]);
  // Pages that are read at the same time then have the same data, however slowly they load.
  await seeded.standStill();
}, 120_000);

afterAll(async () => {
  await browser.close();
  await seeded.stop();
});

/** A page whose clock is `ahead` ms ahead of the hub's. */
const open = async (ahead: number) => {
  const context = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  await signInWith(context, seeded.signedIn);
  await context.addInitScript((shift) => {
    const RightDate = Date;
    globalThis.Date = new Proxy(RightDate, {
      construct: (_target, words, self) =>
        Reflect.construct(RightDate, words.length === 0 ? [RightDate.now() + shift] : words, self),
      get: (target, name, self) => (name === "now" ? () => RightDate.now() + shift : Reflect.get(target, name, self)),
    });
  }, ahead);
  const page = await context.newPage();
  return { page, newErrors: await recordPageErrors(page), close: () => context.close() };
};

/** The text of a screen. */
const readWords = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const texts = [...document.querySelectorAll<HTMLElement>("main [title], main [aria-label]")].map(
      (element) => `${element.title} ${element.ariaLabel}`,
    );
    // biome-ignore lint/performance/useDomNodeTextContent: one line for each text
    const main = document.querySelector("main")?.innerText ?? "";
    return [main, ...texts].join("\n");
  });

/** The number of pixels that each chart of a screen draws in each column. */
const readCharts = (page: Page): Promise<number[][]> =>
  page.evaluate(() =>
    [...document.querySelectorAll("canvas")].map((canvas) => {
      const { data } = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      const columns = new Array<number>(canvas.width).fill(0);
      for (let at = 3; at < data.length; at += 4)
        if ((data[at] ?? 0) > 0)
          columns[((at - 3) / 4) % canvas.width] = (columns[((at - 3) / 4) % canvas.width] ?? 0) + 1;
      return columns;
    }),
  );

/** Without what changes from second to second: counted seconds, and shares of the time until now. */
const lasting = (words: string): string =>
  words.replaceAll(/\b\d+ (s|seconds?)\b/g, "seconds").replaceAll(/\d+(\.\d+)?%/g, "share");

/** Charts end now, so a line moves by a pixel in some seconds: by this many between the first and the last page that is loaded. */
const SHIFT = 15;

/** Whether charts differ in less than a tenth of their columns, one of them moved by some pixels. */
const areAlike = (charts: number[][], others: number[][]): boolean =>
  charts.length === others.length &&
  charts.every((columns, place) => {
    const other = others[place] ?? [];
    const isAlike = (shift: number): boolean => {
      const differing = columns.filter((pixels, column) => Math.abs(pixels - (other[column + shift] ?? pixels)) > 3);
      return differing.length < columns.length / 10;
    };
    return Array.from({ length: 2 * SHIFT + 1 }, (_, index) => index - SHIFT).some(isAlike);
  });

/** Opens a screen, inside the page or by loading it, and waits until its data are there. */
const load = async (page: Page, address: string, isInside: boolean): Promise<void> => {
  if (isInside) await page.evaluate((address) => history.pushState(null, "", address), address);
  else await page.goto(address);
  await page.waitForFunction(
    () =>
      document.querySelector("main h1") &&
      !document.querySelector(".skeleton, .chart-note:empty, .chart-box:empty, [aria-busy=true]"),
  );
};

const screens: ((seeded: Seeded) => string)[] = [
  () => "/dashboard",
  () => "/dashboard?wall",
  () => "/monitors",
  ({ down }) => `/monitors/${down}`,
  ({ up }) => `/monitors/${up}`,
  ({ down }) => `/monitors/${down}?tab=history`,
  () => "/agents",
  ({ server }) => `/agents/${server}`,
  () => "/notifications?tab=history",
  () => "/profile/sessions",
  () => "/status",
];

it("browsers whose clocks are a day ahead of and behind the hub's show the same times and charts", async () => {
  const windows = [await open(0), await open(DAY), await open(-DAY)];
  for (const [place, path] of screens.entries()) {
    const address = seeded.origin + path(seeded);
    // The public status page is a document of its own.
    let isInside = place > 0 && !address.endsWith("/status");
    let last: string[][] = [];
    let opened = Number.NEGATIVE_INFINITY;
    // Longer after each load, because a slow machine needs more time to show the data.
    let shownFor = 3000;
    await until(
      `the same words and charts at ${path(seeded)}`,
      async () => {
        // A server that becomes offline between the loads gives the pages other data, so they are loaded again.
        if (performance.now() - opened > shownFor) {
          await Promise.all(windows.map(({ page }) => load(page, address, isInside)));
          isInside = false;
          opened = performance.now();
          shownFor *= 2;
        }
        const words = await Promise.all(windows.map(({ page }) => readWords(page)));
        last = words.map((text) => lasting(text).split("\n"));
        if (!last.every((lines) => Bun.deepEquals(lines, last[0]))) return false;
        // Reading a chart costs a slow machine much more than reading the words.
        const [right = [], ...wrong] = await Promise.all(windows.map(({ page }) => readCharts(page)));
        return wrong.every((charts) => areAlike(right, charts));
      },
      240_000,
    ).catch((error) => {
      for (const lines of last) expect(lines).toEqual(last[0] ?? []);
      throw error;
    });
  }
  for (const { newErrors, close } of windows) {
    expect(newErrors()).toEqual([]);
    await close();
  }
}, 900_000);
