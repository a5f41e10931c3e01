import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { Language } from "../../../src/shared/language";
import { hindrances } from "./audit";
import { contextOf, type Look, launchBrowser, narrow, recordPageErrors, signInWith, wide } from "./browser";
import { photograph } from "./pictures";
import { startSeeded } from "./seeded";

type Seeded = Awaited<ReturnType<typeof startSeeded>>;
type Screen = { name: string; path: (seeded: Seeded) => string; anonymous?: boolean; onlyLight?: boolean };

const screens: Screen[] = [
  { name: "home", path: () => "/", anonymous: true },
  { name: "login", path: () => "/login", anonymous: true },
  { name: "register", path: () => "/register", anonymous: true },
  { name: "not-found", path: () => "/nowhere", anonymous: true },
  { name: "status", path: () => "/status", anonymous: true, onlyLight: true },
  { name: "dashboard", path: () => "/dashboard" },
  { name: "monitors", path: () => "/monitors" },
  { name: "monitor-create", path: () => "/monitors/create" },
  { name: "monitor-up", path: ({ up }) => `/monitors/${up}` },
  { name: "monitor-down", path: ({ down }) => `/monitors/${down}` },
  { name: "monitor-history", path: ({ down }) => `/monitors/${down}?tab=history` },
  { name: "monitor-settings", path: ({ up }) => `/monitors/${up}?tab=settings` },
  { name: "monitor-edit", path: ({ up }) => `/monitors/edit/${up}` },
  { name: "outage", path: ({ outage }) => `/outages/${outage}` },
  { name: "servers", path: () => "/agents" },
  { name: "server", path: ({ server }) => `/agents/${server}` },
  { name: "server-create", path: () => "/agents/create" },
  { name: "security", path: () => "/security" },
  { name: "server-edit", path: ({ server }) => `/agents/edit/${server}` },
  { name: "status-config", path: () => "/status/config" },
  { name: "notifications", path: () => "/notifications" },
  { name: "policies", path: () => "/notifications?tab=policies" },
  { name: "thresholds", path: () => "/notifications?tab=thresholds" },
  { name: "threshold-form", path: ({ server }) => `/notifications?tab=thresholds&id=${server}` },
  { name: "users", path: () => "/users" },
  { name: "user-create", path: () => "/users/create" },
  { name: "profile", path: () => "/profile" },
];

/** Stored for the README with SCREENSHOTS=keep. */
const kept = [
  "dashboard-en-US-light-1280",
  "dashboard-zh-CN-dark-1280",
  "dashboard-zh-CN-dark-360",
  "monitors-en-US-light-1280",
  "monitors-en-US-light-360",
  "monitor-down-en-US-light-1280",
  "monitor-down-zh-CN-dark-360",
  "server-en-US-dark-1280",
  "status-en-US-light-1280",
];
const keptIn = resolve(import.meta.dir, "../../../docs/screenshots");

type Window = Awaited<ReturnType<typeof openWindow>>;

const openWindow = async (browser: Browser, look: Look, stored?: Seeded["signedIn"]) => {
  const context = await browser.newContext(contextOf(look));
  if (stored) await signInWith(context, stored);
  const page = await context.newPage();
  return { context, page, newErrors: await recordPageErrors(page) };
};

export const isSettled = () =>
  document.querySelector("main h1") !== null &&
  document.querySelector(
    ".skeleton, .chart-note:empty, .chart-box:empty, .metric-chart:not(:has(.chart-box)), [aria-busy=true]",
  ) === null;

/** Elements that overflow the window on the right, except inside scrollable elements. */
export const overflowing = (): string[] => {
  const { clientWidth } = document.documentElement;
  const scrolls = (element: Element | null): boolean =>
    element !== null &&
    element !== document.documentElement &&
    (getComputedStyle(element).overflowX !== "visible" || scrolls(element.parentElement));
  return [...document.body.querySelectorAll("*")]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 1 && !scrolls(element.parentElement))
    .map((element) => element.outerHTML.slice(0, 120));
};

const keep = async (page: Page, name: string) => {
  if (process.env.SCREENSHOTS !== "keep" || !kept.includes(name)) return;
  mkdirSync(keptIn, { recursive: true });
  await page.screenshot({ path: join(keptIn, `${name}.jpg`), type: "jpeg", quality: 80 });
};

/**
 * Defines the tests of every screen in one language, wide and narrow. The theme changes no layout, so each language has one
 * theme wide and the other one narrow; both are only needed to store pictures.
 */
export const testScreens = (language: Language): void => {
  const looks = [wide, narrow].flatMap((size): Look[] => {
    const theme = (language === "zh-CN") === (size === wide) ? "light" : "dark";
    const themes = process.env.SCREENSHOTS === "keep" ? (["light", "dark"] as const) : ([theme] as const);
    return themes.map((theme) => ({ language, theme, ...size }));
  });
  let seeded: Seeded;
  let browser: Browser;

  beforeAll(async () => {
    [seeded, browser] = await Promise.all([startSeeded(), launchBrowser()]);
  }, 120_000);

  afterAll(async () => {
    await browser.close();
    await seeded.stop();
  });

  for (const look of looks) {
    const { theme, width } = look;
    describe(`in ${language}, ${theme}, ${width} px wide`, () => {
      let windows: Record<"anonymous" | "signedIn", Window>;

      beforeAll(async () => {
        windows = {
          anonymous: await openWindow(browser, look),
          signedIn: await openWindow(browser, look, seeded.signedIn),
        };
      });

      afterAll(async () => {
        await windows.anonymous.context.close();
        await windows.signedIn.context.close();
      });

      for (const { name, path, anonymous, onlyLight } of screens) {
        it(`${name} fits its width, reports no error and passes the accessibility audit`, async () => {
          const { page, newErrors } = windows[anonymous ? "anonymous" : "signedIn"];
          await seeded.report();
          await page.goto(seeded.origin + path(seeded));
          await page.waitForFunction(isSettled);
          await page.evaluate(() => document.fonts.ready.then(() => {}));
          expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
          if (!onlyLight) expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
          await photograph(page, `${name}-${language}-${theme}-${width}`);
          await keep(page, `${name}-${language}-${theme}-${width}`);
          expect(await page.evaluate(overflowing)).toEqual([]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
          // The browser logs the status of a document, which is 404 for an unknown address.
          expect(newErrors().filter((error) => name !== "not-found" || !error.includes("404"))).toEqual([]);
          expect(await hindrances(page, { contrast: width === wide.width })).toEqual([]);
        });
      }
    });
  }
};
