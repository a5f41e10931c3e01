import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { type HubProcess, installConsole, joinAs, monitorOf, startConsole } from "../smoke/lib/hub";
import { axeViolations, overflow } from "./lib/audit";
import { launchBrowser, reusePage } from "./lib/browser";
import { atPath, eventually } from "./lib/eventually";
import { addServer } from "./lib/servers";
import { languages, words } from "./lib/words";

const COUNT = 200;
const LENGTH = 60;
const FILLERS = ["很长的监控名称", "long-name-"];
/** A name of 60 characters, alternately in either script. */
const nameOf = (place: number) =>
  `${String(place).padStart(3, "0")} ${(FILLERS[place % 2] ?? "").repeat(LENGTH)}`.slice(0, LENGTH);

const installation = installConsole();
let running: HubProcess;
let browser: Browser;
let signedIn: { token: string; user: unknown };

beforeAll(async () => {
  running = await startConsole(installation);
  const alice = await joinAs(running, "alice");
  signedIn = alice.signedIn;
  const monitors = Array.from({ length: COUNT }, (_, place) => ({
    ...{ name: nameOf(place), url: `https://example.com/${"path/".repeat(20)}`, interval: 60, active: false },
  }));
  await alice.post("/api/import", { format: "wakeful-configuration", version: 1, monitors });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  installation.remove();
});

const open = async (width: number, height: number, path: string, language: (typeof languages)[number] = "en-US") => {
  const opened = await reusePage(browser, { language, theme: "light", width, height }, signedIn);
  await opened.page.goto(running.origin + path);
  return opened;
};

const heading = (page: Page, place: number) =>
  page.getByRole("heading", { level: 1, name: nameOf(place), exact: true });
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

it("j, k, Enter and Escape open monitors beside their list and close them again", async () => {
  const { page, newErrors } = await open(1280, 800, "/monitors");
  const rail = page.getByRole("region", { name: words["en-US"].monitors.title });
  await page.getByRole("link", { name: nameOf(0) }).waitFor();
  expect(await rail.count()).toBe(0);
  for (const key of ["j", "j", "ArrowDown", "k"]) await page.keyboard.press(key);
  await eventually(() => focused(page), nameOf(1));
  await page.keyboard.press("Enter");
  await heading(page, 1).waitFor();
  await eventually(() => rail.locator("[aria-current=page]").textContent(), nameOf(1));

  await rail.getByRole("link", { name: nameOf(3) }).click();
  await heading(page, 3).waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await heading(page, 4).waitFor();
  await page.goBack();
  await heading(page, 3).waitFor();

  await page.keyboard.press("Escape");
  await page.getByRole("table").waitFor();
  await atPath(page, "/monitors");
  await rail.waitFor({ state: "detached" });
  await page.waitForFunction((name) => document.activeElement?.textContent === name, nameOf(3));
  expect(newErrors()).toEqual([]);
});

/** Opens a monitor that is far down in a list, after scrolling there at once. */
const openFarDown = async (page: Page, top: number) => {
  await page.getByRole("link", { name: nameOf(1), exact: true }).waitFor();
  await page.evaluate((place) => scrollTo(0, place), top);
  await page.getByRole("link", { name: nameOf(151) }).click();
  await heading(page, 151).waitFor();
};

it("a list keeps its search, and its place after a monitor is closed", async () => {
  const { page } = await open(1280, 800, "/monitors?q=long-name");
  await openFarDown(page, 2600);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: nameOf(151) }).waitFor();
  await page.waitForFunction(() => scrollY === 2600);
  await eventually(() => new URL(page.url()).search, "?q=long-name");
});

it("a list that is scrolled far at once stays there, also after a monitor is closed and the list is loaded again", async () => {
  const { page } = await open(1280, 800, "/monitors");
  await openFarDown(page, 5400);
  // On a fast machine the list is loaded again before its row has the focus.
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  const reloaded = page.waitForResponse(/\/api\/monitors\?.*limit=/);
  await page.keyboard.press("Escape");
  await page.getByRole("table").waitFor();
  await page.waitForFunction((name) => document.activeElement?.textContent === name, nameOf(151));
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await (await reloaded).finished();
  await page.evaluate(() => new Promise((done) => setTimeout(done, 500)));
  expect(await focused(page)).toBe(nameOf(151));
  expect(await page.evaluate(() => scrollY)).toBe(5400);
  await session.detach();
});

it("the row of a closed monitor gets the focus also where that part of the list is loaded late", async () => {
  const { page } = await open(1280, 800, "/monitors");
  let limit: string | undefined;
  page.on("response", (response) => {
    limit = /\/api\/monitors\?.*limit=(\d+)/.exec(response.url())?.[1] ?? limit;
  });
  await openFarDown(page, 5400);
  const rail = page.getByRole("region", { name: words["en-US"].monitors.title });
  await rail.locator("[aria-current=page]").waitFor();
  await eventually(() => rail.evaluate((node) => node.scrollTop > 0), true);
  await rail.evaluate((node) => node.scrollTo(0, 0));
  await eventually(() => limit, "100");
  let isHeld = false;
  await page.route(/\/api\/monitors\?.*limit=[23]00\b/, async (route) => {
    isHeld = true;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  await page.keyboard.press("Escape");
  await page.getByRole("table").waitFor();
  await page.waitForFunction((name) => document.activeElement?.textContent === name, nameOf(151));
  expect(isHeld).toBe(true);
  await page.unrouteAll({ behavior: "wait" });
});

it("the list beside a monitor that is far down shows its row", async () => {
  const { page } = await open(1280, 800, "/monitors?q=long-name");
  await openFarDown(page, 2600);
  await page.waitForFunction(() => {
    const row = document.querySelector(".rail [aria-current=page]")?.getBoundingClientRect();
    return row && row.top >= 0 && row.bottom <= innerHeight;
  });
});

it("a monitor that is deleted elsewhere leaves the list, and its page says that it is gone", async () => {
  const { body } = await running.as(signedIn.token).post("/api/monitors", {
    ...{ name: "Doomed", url: "https://example.com/", interval: 60, active: false },
  });
  const { page } = await open(1280, 800, `/monitors/${body.monitor.id}`);
  const row = page.getByRole("link", { name: "Doomed", exact: true });
  await page.getByRole("heading", { level: 1, name: "Doomed" }).waitFor();
  await running.as(signedIn.token).delete(`/api/monitors/${body.monitor.id}`);
  await row.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: words["en-US"].monitors.detail.missing }).waitFor();
});

for (const width of [1279, 1280])
  it(`a server that is deleted elsewhere leaves the list, and its page says that it is gone (${width} px)`, async () => {
    const alice = running.as(signedIn.token);
    const id = await addServer(running.origin, alice, `doomed-${width}`, 20);
    const { page, newErrors } = await open(width, 800, `/agents/${id}`);
    await page.getByRole("heading", { level: 1, name: `doomed-${width}` }).waitFor();
    const row = page.locator(".rail").getByRole("link", { name: `doomed-${width}`, exact: true });
    if (width === 1280) await row.waitFor();
    await alice.delete(`/api/agents/${id}`);
    await page
      .getByRole("heading", { name: words["en-US"].agents.missing.title.replace("{{id}}", String(id)) })
      .waitFor();
    await row.waitFor({ state: "detached" });
    // The calls for what is gone are refused.
    expect(newErrors().filter((error) => !error.includes("404"))).toEqual([]);
  });

it("a monitor that is deleted elsewhere is gone without a list beside it, too", async () => {
  const alice = running.as(signedIn.token);
  const { body } = await alice.post("/api/monitors", {
    ...{ name: "Short-lived", url: "https://example.com/", interval: 60, active: false },
  });
  const { page } = await open(1279, 800, `/monitors/${body.monitor.id}`);
  await page.getByRole("heading", { level: 1, name: "Short-lived" }).waitFor();
  await alice.delete(`/api/monitors/${body.monitor.id}`);
  await page.getByRole("heading", { name: words["en-US"].monitors.detail.missing }).waitFor();
});

it("below 1,280 px a monitor's page has no list beside it", async () => {
  const { page } = await open(1279, 800, "/monitors/2");
  await heading(page, 1).waitFor();
  expect(await page.locator(".rail").count()).toBe(0);
});

for (const language of languages)
  it(`200 monitors with 60-character names fit into 320 px (${language})`, async () => {
    const { page, newErrors } = await open(320, 640, "/monitors", language);
    await page.getByRole("link", { name: nameOf(0) }).waitFor();
    expect([await overflow(page), await axeViolations(page, { contrast: false })]).toEqual([0, []]);
    await page.getByRole("button", { name: words[language].shared.view.grid }).click();
    await page.getByRole("article").first().waitFor();
    expect(await overflow(page)).toBe(0);
    await page.getByRole("link", { name: nameOf(0) }).click();
    await heading(page, 0).waitFor();
    expect(await overflow(page)).toBe(0);
    expect(newErrors()).toEqual([]);
  });

for (const language of languages)
  it(`settings with 200 monitors with 60-character names fit into 320 px (${language})`, async () => {
    const { page, newErrors } = await open(320, 640, "/notifications", language);
    const checkTabs = async (withNames?: string) => {
      await page.getByRole("tab").first().waitFor();
      const tabs = await page.getByRole("tab").allTextContents();
      if (withNames) expect(tabs).toContain(withNames);
      for (const tab of tabs) {
        await page.getByRole("tab", { name: tab, exact: true }).click();
        if (tab === withNames) await page.getByText(nameOf(0)).first().waitFor();
        expect([tab, await overflow(page), await axeViolations(page, { contrast: false })]).toEqual([tab, 0, []]);
      }
    };
    await checkTabs();
    await page.goto(`${running.origin}/status/config`);
    await checkTabs(words[language].status.tabs.services);
    expect(newErrors()).toEqual([]);
  });

it("a list shows the address, response time and uptime of every monitor, and counts the tags that it has no room for", async () => {
  const alice = running.as(signedIn.token);
  const tags = ["production", "europe", "shop", "warehouse"].map((name) => ({ name, color: "blue" as const }));
  const add = async (name: string, url: string) => {
    const { body } = await alice.post("/api/monitors", { ...monitorOf(url, name), retries: 0, tags });
    await alice.post(`/api/monitors/${body.monitor.id}/check`);
    // Lists show addresses without their scheme.
    return url.replace("http://", "");
  };
  const down = await add("Shop", "http://127.0.0.1:1/checkout");
  const up = await add("Bank", `${running.origin}/health`);
  const { page } = await open(1680, 800, "/monitors");
  const look = async (width: number) => {
    await page.setViewportSize({ width, height: 800 });
    const row = page.getByRole("row").filter({ hasText: "Bank" });
    await row.waitFor();
    const block = page.getByRole("article");
    const seen = {
      down: [
        await block.getByText(down).isVisible(),
        await block.getByRole("definition").filter({ visible: true }).allTextContents(),
      ],
      up: await row.getByText(up).filter({ visible: true }).count(),
      tags: await row.locator(".tag-chip").filter({ visible: true }).allTextContents(),
      cut: await page
        .locator(".reason, .row-link:text-is('Bank')")
        .evaluateAll((found) => found.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length),
    };
    return seen;
  };
  const figures = ["–", "0.00%"];
  await eventually(() => look(1680), { down: [true, figures], up: 1, tags: ["europe", "production", "+2"], cut: 0 });
  await eventually(() => look(1024), { down: [true, figures], up: 1, tags: ["Tags 4"], cut: 0 });
  await eventually(() => look(768), { down: [true, []], up: 1, tags: ["Tags 4"], cut: 0 });
});
