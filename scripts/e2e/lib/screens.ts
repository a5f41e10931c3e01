import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import type { Browser } from "playwright-core";
import type { Language } from "../../../src/shared/language";
import { axeViolations } from "./audit";
import { contextOf, type Look, launchBrowser, narrow, recordPageErrors, signInWith, wide } from "./browser";
import { screenshot } from "./pictures";
import { startSeeded } from "./seeded";

type Seeded = Awaited<ReturnType<typeof startSeeded>>;
type Screen = {
  name: string;
  path: (seeded: Seeded) => string;
  anonymous?: boolean;
  onlyLight?: boolean;
  onlyDark?: boolean;
};

const screens: Screen[] = [
  { name: "home", path: () => "/", anonymous: true },
  { name: "login", path: () => "/login", anonymous: true },
  { name: "register", path: () => "/register", anonymous: true },
  { name: "not-found", path: () => "/nowhere", anonymous: true },
  { name: "status", path: () => "/status", anonymous: true, onlyLight: true },
  { name: "dashboard", path: () => "/dashboard" },
  { name: "wall", path: () => "/dashboard?wall", onlyDark: true },
  { name: "monitors", path: () => "/monitors" },
  { name: "monitor-create", path: () => "/monitors/create" },
  { name: "monitor-up", path: ({ up }) => `/monitors/${up}` },
  { name: "monitor-down", path: ({ down }) => `/monitors/${down}` },
  { name: "heartbeat", path: ({ heartbeat }) => `/monitors/${heartbeat}` },
  { name: "monitor-history", path: ({ down }) => `/monitors/${down}?tab=history` },
  { name: "monitor-alerts", path: ({ down }) => `/monitors/${down}?tab=alerts` },
  { name: "monitor-about", path: ({ up }) => `/monitors/${up}?tab=about` },
  { name: "monitor-edit", path: ({ up }) => `/monitors/edit/${up}` },
  { name: "outages", path: () => "/outages?range=month" },
  { name: "outage", path: ({ outage }) => `/outages/${outage}` },
  { name: "reports", path: () => "/reports?range=week&target=99.9" },
  { name: "import", path: () => "/import" },
  { name: "servers", path: () => "/agents" },
  { name: "server", path: ({ server }) => `/agents/${server}` },
  { name: "server-disks", path: ({ server }) => `/agents/${server}?tab=disks` },
  { name: "server-parts", path: ({ server }) => `/agents/${server}?tab=parts` },
  { name: "server-traffic", path: ({ server }) => `/agents/${server}?tab=traffic` },
  { name: "server-create", path: () => "/agents/create" },
  { name: "security", path: () => "/security" },
  { name: "system", path: () => "/system" },
  { name: "server-edit", path: ({ server }) => `/agents/edit/${server}` },
  { name: "status-config", path: () => "/status/config" },
  { name: "status-pages", path: () => "/status/config/pages" },
  { name: "status-page-edit", path: () => "/status/config/pages/1" },
  { name: "status-page-access", path: () => "/status/config/access/1" },
  { name: "incidents", path: () => "/status/config/incidents" },
  { name: "incident-form", path: ({ outage }) => `/status/config/incidents?outage=${outage}` },
  { name: "maintenance", path: () => "/status/config/maintenance" },
  { name: "subscribers", path: () => "/status/config/subscribers" },
  { name: "maintenance-form", path: () => "/status/config/maintenance?add" },
  { name: "notifications", path: () => "/notifications" },
  { name: "policies", path: () => "/notifications?tab=policies" },
  { name: "thresholds", path: () => "/notifications?tab=thresholds" },
  { name: "threshold-form", path: ({ server }) => `/notifications?tab=thresholds&id=${server}` },
  { name: "users", path: () => "/users" },
  { name: "user-create", path: () => "/users/create" },
  { name: "profile", path: () => "/profile" },
  { name: "profile-keys", path: () => "/profile/keys" },
  { name: "profile-team", path: () => "/profile/team" },
  { name: "team", path: () => "/teams/1" },
  { name: "invitation", path: () => "/invitation", anonymous: true },
  { name: "verify", path: () => "/verify", anonymous: true },
  { name: "sign-in-at-issuer", path: () => "/login/oidc", anonymous: true },
];

/** Screens that may mention teams to a user who is alone: those about invitations, and all kinds of security events. */
const MENTION_TEAMS = /^(profile|team|invitation|security)/;

/** Screens while nothing can be known. */
const unknownScreens: Screen[] = [
  { name: "status-unknown", path: () => "/status", anonymous: true, onlyLight: true },
  { name: "dashboard-unknown", path: () => "/dashboard" },
  { name: "monitors-unknown", path: () => "/monitors" },
  { name: "monitor-unknown", path: ({ down }) => `/monitors/${down}` },
  { name: "servers-unknown", path: () => "/agents" },
  { name: "server-unknown", path: ({ server }) => `/agents/${server}` },
];

type Window = Awaited<ReturnType<typeof openWindow>>;

const openWindow = async (browser: Browser, look: Look, stored?: Seeded["signedIn"]) => {
  const context = await browser.newContext(contextOf(look));
  if (stored) await signInWith(context, stored);
  const page = await context.newPage();
  return { page, newErrors: await recordPageErrors(page), isConsole: false };
};

export const isSettled = () =>
  document.querySelector("main h1") !== null &&
  document.querySelector(
    ".skeleton, .chart-note:empty, .chart-box:empty, .metric-chart:not(:has(.chart-box)), [aria-busy=true]",
  ) === null;

/**
 * The address, language, theme and width of a page, whether it mentions teams, and the elements that overflow the window on the right, except inside scrollable
 * elements.
 */
export const readLayout = async () => {
  await document.fonts.ready;
  const { clientWidth, scrollWidth, lang, dataset } = document.documentElement;
  const scrolls = (element: Element | null): boolean =>
    element !== null &&
    element !== document.documentElement &&
    (getComputedStyle(element).overflowX !== "visible" || scrolls(element.parentElement));
  const overflowing = [...document.body.querySelectorAll("*")]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 1 && !scrolls(element.parentElement))
    .map((element) => element.outerHTML.slice(0, 120));
  // Texts of neighbouring elements are joined without a space.
  const texts = [...document.querySelectorAll("main :not(:has(*))")].map(({ textContent }) => textContent);
  const mentionsTeams = texts.some((text) => /\bteam\b|团队/i.test(text));
  return {
    address: location.href,
    mentionsTeams,
    language: lang,
    theme: dataset.theme,
    width: scrollWidth,
    overflowing,
  };
};

/**
 * Defines the tests of every screen in one language, wide and narrow. The theme changes no layout, so each language has one
 * theme wide and the other one narrow. Screens follow each other within a page, as
 * for a user who follows links, which takes a third of the CPU time of loading each; every other one is loaded by its
 * address in one language, the rest in the other language.
 */
export const testScreens = (language: Language): void => {
  const looks = [wide, narrow].map((size): Look => {
    const theme = (language === "zh-CN") === (size === wide) ? "light" : "dark";
    return { language, theme, ...size };
  });
  let seeded: Seeded;
  let browser: Browser;
  let windows: Record<"anonymous" | "signedIn", Window>;

  beforeAll(async () => {
    [seeded, browser] = await Promise.all([startSeeded(), launchBrowser()]);
    const [look] = looks as [Look];
    windows = {
      anonymous: await openWindow(browser, look),
      signedIn: await openWindow(browser, look, seeded.signedIn),
    };
  }, 120_000);

  afterAll(async () => {
    await browser.close();
    await seeded.stop();
  });

  const phases = [
    ...looks.map((look, place) => ({ ...look, screens, isLast: place === looks.length - 1 })),
    ...looks.map((look) => ({ ...look, screens: unknownScreens, isLast: false })),
  ];
  for (const { theme, width, height, screens: shown, isLast } of phases) {
    describe(`in ${language}, ${theme}, ${width} px wide`, () => {
      beforeAll(async () => {
        for (const window of Object.values(windows)) {
          window.isConsole = false;
          await window.page.setViewportSize({ width, height });
          await window.page.emulateMedia({ colorScheme: theme });
        }
      });

      afterAll(async () => {
        if (isLast) await seeded.loseNetwork();
      });

      for (const [place, { name, path, anonymous, onlyLight, onlyDark }] of shown.entries()) {
        it(`${name} fits its width, reports no error and passes the accessibility audit`, async () => {
          const window = windows[anonymous ? "anonymous" : "signedIn"];
          const { page, newErrors } = window;
          await seeded.report();
          const address = seeded.origin + path(seeded);
          const isLoaded = width === wide.width && (place % 2 === 0) === (language === "zh-CN");
          if (!window.isConsole || isLoaded || onlyLight) await page.goto(address);
          else await page.evaluate((address) => history.pushState(null, "", address), address);
          // The next screen is loaded after a failure, and after a page that is not of the console.
          window.isConsole = false;
          await page.waitForFunction(isSettled);
          const layout = await page.evaluate(readLayout);
          await screenshot(page, `${name}-${language}-${theme}-${width}`, Boolean(process.env.FULLPAGE));
          const shownTheme = onlyDark ? "dark" : theme;
          expect(layout).toMatchObject({
            address,
            language,
            overflowing: [],
            ...(!MENTION_TEAMS.test(name) && { mentionsTeams: false }),
            ...(!onlyLight && { theme: shownTheme }),
          });
          expect(layout.width).toBeLessThanOrEqual(width);
          // The browser logs the status of a document, which is 404 for an unknown address.
          expect(newErrors().filter((error) => name !== "not-found" || !error.includes("404"))).toEqual([]);
          // Colours do not depend on the width, and the rest not on the language.
          const isWide = width === wide.width;
          if (isWide || language === "en-US") expect(await axeViolations(page, { contrast: isWide })).toEqual([]);
          window.isConsole = !onlyLight;
        });
      }
    });
  }
};
