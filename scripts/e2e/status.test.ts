import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "bun:test";
import type { Browser, Page } from "playwright-core";
import type { Language } from "../../src/shared/language";
import { axe } from "./lib/audit";
import {
  contextOf,
  type Look,
  launchBrowser,
  narrow,
  recordPageErrors,
  reusePage,
  signInWith,
  wide,
} from "./lib/browser";
import { eventually } from "./lib/eventually";
import { screenshot } from "./lib/pictures";
import { type PublishedConsole, SHOWN, startPublished } from "./lib/published";
import { languages, words } from "./lib/words";

const LIMIT = 95 * 1024;
let published: PublishedConsole;
let browser: Browser;

beforeAll(async () => {
  [published, browser] = await Promise.all([startPublished(), launchBrowser()]);
}, 120_000);

afterAll(async () => {
  await browser.close();
  await published.stop();
});

/** Waits until a page acts on keys and pointers: it stores its language after its first effects. */
const hydrated = (page: Page) => page.waitForFunction(() => localStorage.getItem("i18nextLng") !== null);

const reload = async (page: Page) => {
  await page.evaluate(() => localStorage.removeItem("i18nextLng"));
  await page.reload();
  await hydrated(page);
};

const open = async (look: Partial<Look> = {}, path = "/status") => {
  const opened = await reusePage(browser, { language: "en-US", theme: "light", ...wide, ...look });
  await opened.page.goto(published.origin + path);
  await hydrated(opened.page);
  return opened;
};

/** A page in a context of its own, which ends with it. */
const openAlone = async (language: Language, javaScriptEnabled: boolean) => {
  const context = await browser.newContext({
    ...contextOf({ language, theme: "light", ...wide }),
    javaScriptEnabled,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${published.origin}/status`);
  if (javaScriptEnabled) await hydrated(page);
  return page;
};

type Finding = { id: string; nodes: { html: string }[] };
declare const window: { axe: { run(options: object): Promise<{ violations: Finding[] }> } };

const axeViolations = async (page: Page, { contrast = true } = {}): Promise<string[]> => {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  const rules = { "color-contrast": { enabled: contrast } };
  const { violations } = await page.evaluate((rules) => window.axe.run({ resultTypes: ["violations"], rules }), rules);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
};

const agentsOf = (overall: keyof typeof SHOWN) => (overall === "outage" ? { agents: [] } : {});

for (const overall of ["operational", "partial", "outage"] as const)
  describe(`while it is ${overall}`, () => {
    beforeAll(async () => {
      await published.publish(SHOWN[overall], agentsOf(overall));
    });
    // The page is always light, also on a system with a dark theme.
    for (const language of languages)
      for (const size of [wide, narrow])
        it(`says so, fits its width and passes the accessibility audit (${language}, ${size.width} px)`, async () => {
          const { page, newErrors } = await open({ language, theme: "dark", ...size });
          const text = words[language].statusPage;
          await page.locator(".card").first().waitFor();
          expect(await page.locator(".banner .state").textContent()).toBe(text[overall]);
          expect(await page.title()).toBe(`Acme · ${text[overall]}`);
          expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
          expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe("light");
          if (overall !== "operational") {
            const failing = page.locator(".service.down").first();
            expect((await failing.boundingBox())?.y).toBeLessThan(500);
            expect(await page.locator(".banner .broken").textContent()).toContain("Search");
          }
          await screenshot(page, `${overall}-${language}-${size.width}`, true);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
          expect(newErrors()).toEqual([]);
          // Colours do not depend on the width.
          expect(await axeViolations(page, { contrast: size === wide })).toEqual([]);
        });
  });

it("shows each service as it stands, and what a machine is when it has no figures", async () => {
  await published.publish(SHOWN.partial);
  const { page } = await open();
  const card = (name: string) => page.locator("article", { has: page.getByRole("heading", { name, exact: true }) });
  const { status } = words["en-US"].common;
  for (const [name, state] of [
    ["Payments API", status.up],
    ["Website", status.up],
    ["Search", status.down],
    ["Newsletter", status.paused],
  ] as const)
    expect([name, await card(name).locator(".status").textContent()]).toEqual([name, state]);
  expect(await card("Website").locator(".pulse-bar path.down").count()).toBe(1);
  expect(await card("Newsletter").locator(".days path:not(.before)").count()).toBe(0);
  for (const tone of ["good", "poor", "bad"])
    expect(await page.locator(`.days path.${tone}`).count()).toBeGreaterThan(0);
  expect(await card("Database").getByText("61.5%").count()).toBe(1);
  for (const [switches, facts] of [
    [{}, ["Debian GNU/Linux 12 (bookworm)", "6.1.0", "backup.internal"]],
    [{ show_version: false, show_hostname: false }, ["Debian GNU/Linux 12 (bookworm)"]],
    [{ show_os: false }, []],
  ] as const) {
    await published.publish(SHOWN.partial, switches);
    await reload(page);
    expect(await card("Backup").locator("dd").allTextContents()).toEqual([...facts]);
    // They are below the figures of a server that reports.
    expect(await card("Database").locator(".resources + dl dd").count()).toBe(facts.length);
  }
  await published.publish(SHOWN.partial, { show_os: true, show_version: true, show_hostname: true });
});

it("shows everything in the visitor's language without running a script", async () => {
  await published.publish(SHOWN.partial);
  for (const language of languages) {
    const page = await openAlone(language, false);
    const { common, statusPage } = words[language];
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("Acme");
    expect(await page.getByText("How our services are doing").isVisible()).toBe(true);
    expect(await page.getByText(statusPage.partial).isVisible()).toBe(true);
    const search = page.locator(".card", { hasText: "Search" });
    expect(await search.locator(".status").textContent()).toBe(common.status.down);
    expect(await search.locator(".days path.bad").count()).toBe(1);
    const database = page.locator(".card", { hasText: "Database" });
    expect(await database.getByText(statusPage.serverStatus.active).isVisible()).toBe(true);
    expect(await database.locator(".bar rect").first().getAttribute("width")).toBe("61.5%");
  }
});

it("opens a row with the keyboard and without a script, and shows what was broken by day", async () => {
  await published.publish(SHOWN.partial);
  for (const javaScriptEnabled of [true, false]) {
    const page = await openAlone("en-US", javaScriptEnabled);
    const { response, past } = words["en-US"].statusPage;
    const row = page.locator(".card", { hasText: "Website" });
    expect(await row.getByText(response).isVisible()).toBe(false);
    await row.locator("summary").focus();
    await page.keyboard.press("Enter");
    await row.getByText(response).waitFor();
    const outages = page.locator("section.outages", { has: page.getByRole("heading", { name: past }) });
    expect(await outages.locator(".past.ongoing", { hasText: "Search" }).count()).toBe(1);
  }
});

it("has a feed that a strict parser of XML accepts, linked from its head and its banner", async () => {
  await published.publish(SHOWN.partial, { title: '</title><b> & "Acme"' });
  const page = await openAlone("en-US", true);
  const href = await page.getByRole("link", { name: words["en-US"].statusPage.subscribe }).getAttribute("href");
  expect(await page.locator('link[type="application/atom+xml"]').getAttribute("href")).toBe(href ?? "");
  const response = await page.request.get(`${published.origin}/${href}`);
  expect(response.headers()["content-type"]).toBe("application/atom+xml; charset=utf-8");
  const xml = await response.text();
  const reader = await page.context().newPage();
  const read = await reader.evaluate((text) => {
    const feed = new DOMParser().parseFromString(text, "application/xml");
    const textsOf = (selector: string) => [...feed.querySelectorAll(selector)].map(({ textContent }) => textContent);
    return { errors: textsOf("parsererror"), title: textsOf("feed > title"), entries: textsOf("entry > title") };
  }, xml);
  expect(read.errors).toEqual([]);
  expect(read.title).toEqual(['</title><b> & "Acme"']);
  expect(read.entries).toContain("Search is down");
});

it("lets the keyboard walk through the days, and says what each was", async () => {
  const { page } = await open();
  const daysAgo = 12 + published.daysSince();
  const bar = page.getByRole("slider", { name: "Website: the past 90 days" });
  expect(await bar.getAttribute("aria-valuetext")).toMatch(/^Past 90 days: \d+\.\d\d% up, with failures on \d days$/);
  await bar.focus();
  // The first press is today.
  for (let presses = 0; presses <= daysAgo; presses++) await page.keyboard.press("ArrowLeft");
  await eventually(() => bar.getAttribute("aria-valuenow"), String(90 - daysAgo));
  expect(await bar.locator(".tip").textContent()).toMatch(/ · 70\.83% · 7 failures$/);
  expect(await bar.getAttribute("aria-valuetext")).toBe((await bar.locator(".tip").textContent()) ?? "");
  await page.keyboard.press("Home");
  await eventually(() => bar.getAttribute("aria-valuenow"), "1");
  const box = await bar.boundingBox();
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 2, (box?.y ?? 0) + 5);
  await bar.locator(".tip").waitFor();
  await screenshot(page, "tip");
});

it("loads less than 95 KB, nothing of the console, and no data beside its document", async () => {
  await published.publish(SHOWN.partial);
  const context = await browser.newContext(contextOf({ language: "zh-CN", theme: "light", ...wide }));
  const page = await context.newPage();
  const protocol = await context.newCDPSession(page);
  let bytes = 0;
  const paths: string[] = [];
  protocol.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  await protocol.send("Network.enable");
  await page.goto(`${published.origin}/status`, { waitUntil: "networkidle" });
  await page.locator(".card").first().waitFor();
  console.log(`first visit to /status: ${(bytes / 1024).toFixed(1)} KB over the wire in ${paths.length} requests`);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(LIMIT);
  for (const path of paths) expect(path).toMatch(/^\/(status|status-\w+\.(js|css)|mark-\w+\.svg)$/);
  await context.close();
});

it("refreshes by itself, in place: what has the keyboard keeps it", async () => {
  await published.publish(SHOWN.partial);
  const page = await openAlone("en-US", true);
  await page.clock.install();
  await reload(page);
  const bar = page.getByRole("slider", { name: "Search: the past 90 days" });
  await bar.focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.evaluate(() => document.querySelector("h1")?.setAttribute("data-same", "yes"));
  await published.alice.put(`/api/monitors/${published.ids.Search}`, {
    name: "Search",
    url: `${published.origin}/health`,
    interval: 60,
    expectedStatus: 200,
    retries: 0,
  });
  await published.checkAll();
  await page.clock.fastForward(61_000);
  await page.getByText(words["en-US"].statusPage.operational).first().waitFor();
  await eventually(() => page.title(), `Acme · ${words["en-US"].statusPage.operational}`);
  expect(await page.locator("h1").getAttribute("data-same")).toBe("yes");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe(`days-${published.ids.Search}`);
  await page.keyboard.press("ArrowLeft");
  await eventually(() => bar.getAttribute("aria-valuenow"), "88");
});

it("changes its language by the console's menu, and keeps it", async () => {
  const { page } = await open({ language: "zh-CN" });
  await page.getByRole("button", { name: words["zh-CN"].common.language }).click();
  await page.getByRole("menuitemradio", { name: "English" }).click();
  await page.getByRole("heading", { name: words["en-US"].statusPage.services }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: words["en-US"].statusPage.services }).waitFor();
  await eventually(() => page.evaluate(() => localStorage.getItem("i18nextLng")), "en-US");
});

it("takes its owner's colours and logo, and loads nothing else that they name", async () => {
  const logoUrl = "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20width='80'%20height='20'/%3E";
  const customCss = `@import "${published.origin}/stolen.css"; .banner { border-radius: 3px } h1 { background: url(${published.origin}/stolen.png) }`;
  await published.publish(SHOWN.operational, { customCss, logoUrl });
  const asked: string[] = [];
  const { page, newErrors } = await open();
  page.on("request", (request) => asked.push(request.url()));
  await page.reload({ waitUntil: "networkidle" });
  expect(await page.locator(".banner").evaluate((banner) => getComputedStyle(banner).borderRadius)).toBe("3px");
  expect(await page.locator("img.logo").evaluate((logo) => (logo as HTMLImageElement).naturalWidth)).toBe(80);
  expect(asked.filter((url) => url.includes("stolen"))).toEqual([]);
  expect(newErrors()).toEqual([]);
});

it("says that a refresh failed and keeps the last status, until a retry reads it", async () => {
  await published.publish(SHOWN.operational);
  const context = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  const page = await context.newPage();
  await page.clock.install();
  await page.route("**/status/data.json", (route) => route.abort());
  await page.goto(`${published.origin}/status`);
  await hydrated(page);
  const { stale, action } = words["en-US"].common;
  expect(await page.getByText(stale).count()).toBe(0);
  await page.clock.fastForward(61_000);
  await page.getByText(stale).waitFor();
  expect(await page.locator(".banner .state").textContent()).toBe(words["en-US"].statusPage.operational);
  await page.unroute("**/status/data.json");
  await page.getByRole("button", { name: action.retry }).click();
  await page.getByText(stale).waitFor({ state: "detached" });
  await context.close();
});

it("lets plain rules of its owner's stylesheet win over its own", async () => {
  const customCss =
    "h1 { font-size: 3rem } a { color: rgb(255, 0, 128) } header { background: rgb(1, 2, 3) } main { max-width: 500px }";
  await published.publish(SHOWN.operational, { customCss });
  const { page } = await open();
  const look = await page.evaluate(() =>
    (["h1 fontSize", "a.brand color", "header.navbar backgroundColor", "main maxWidth"] as const).map((one) => {
      const [selector = "", property = ""] = one.split(" ");
      const element = document.querySelector(selector);
      return element ? getComputedStyle(element)[property as "color"] : "";
    }),
  );
  expect(look).toEqual(["48px", "rgb(255, 0, 128)", "rgb(1, 2, 3)", "500px"]);
  await published.publish(SHOWN.operational, { customCss: "" });
});

it("stays inside 320 px with 200 services with long names, and names of groups", async () => {
  const ids: number[] = [];
  for (let index = 0; index < 200; index++) {
    const name = index % 2 ? `Überlang-${"x".repeat(46)}-${index}` : `${"很长的服务名称".repeat(8)}${index}`;
    const { body } = await published.alice.post("/api/monitors", {
      name,
      url: `${published.origin}/health`,
      interval: 60,
      active: false,
    });
    ids.push(body.monitor.id);
  }
  const groups = [{ name: "组".repeat(60), monitors: ids.slice(0, 50) }];
  await published.publish([], { monitors: ids, groups });
  const { page, newErrors } = await open({ language: "zh-CN", width: 320, height: 640 });
  await page.locator(".card").nth(199).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await screenshot(page, "many-320");
  expect(newErrors()).toEqual([]);
  await published.publish(SHOWN.operational, { groups: [] });
});

it("has a page for an address where there is none", async () => {
  const { page } = await open({}, "/status/unknown");
  await page.getByRole("heading", { name: words["en-US"].statusPage.missing }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  const response = await page.request.get(`${published.origin}/status/unknown`);
  expect(response.status()).toBe(404);
});

for (const size of [wide, narrow])
  it(`has the console's links and user menu for a signed-in viewer, and sends no credentials (${size.width} px)`, async () => {
    await published.publish(SHOWN.operational);
    const context = await browser.newContext(contextOf({ language: "en-US", theme: "dark", ...size }));
    await signInWith(context, published.signedIn);
    const page = await context.newPage();
    const newErrors = await recordPageErrors(page);
    const sent: (string | null)[] = [];
    page.on("request", (request) => {
      const { authorization = "", cookie = "" } = request.headers();
      sent.push(authorization + cookie + (request.postData() ?? ""));
    });
    await page.goto(`${published.origin}/status`, { waitUntil: "networkidle" });
    await page.locator(".card").first().waitFor();
    expect(new Set(sent)).toEqual(new Set([""]));
    const { nav, user } = words["en-US"].common;
    expect(await page.getByRole("link", { name: nav.login }).count()).toBe(0);
    await page.getByRole("button", { name: user.menu }).click();
    const items = await page.getByRole("menu").getByRole("menuitem").allTextContents();
    const hasRoom = size === wide;
    expect(items).toEqual([
      ...(hasRoom ? [] : [nav.reports]),
      ...[user.profile, user.docs, user.users, user.security, user.system, user.logout],
    ]);
    await page.keyboard.press("Escape");
    const links = page.getByRole("navigation", { name: nav.label }).getByRole("link");
    const { dashboard, monitors, agents, outages, reports, statusConfig, notifications } = nav;
    expect(await links.allTextContents()).toEqual([
      ...[dashboard, monitors, agents, outages],
      ...(hasRoom ? [reports] : []),
      ...[statusConfig, notifications],
    ]);
    await screenshot(page, `signed-in-${size.width}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
    expect(await axeViolations(page)).toEqual([]);
    await links.getByText(agents).click();
    await page.getByRole("heading", { name: words["en-US"].agents.title, exact: true }).waitFor();
    expect(newErrors()).toEqual([]);
    await context.close();
  });
