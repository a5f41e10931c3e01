import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser } from "playwright-core";
import { type HubProcess, installConsole, joinAs, monitorOf, startConsole } from "../smoke/lib/hub";
import { axeViolations } from "./lib/audit";
import { launchBrowser, narrow, reusePage, wide } from "./lib/browser";
import { eventually } from "./lib/eventually";
import { languages, words } from "./lib/words";

const installation = installConsole();
let running: HubProcess;
let browser: Browser;
let signedIn: { token: string; user: unknown };

beforeAll(async () => {
  running = await startConsole(installation);
  const alice = await joinAs(running, "alice");
  signedIn = alice.signedIn;
  for (const name of ["Shop", "Legacy SOAP bridge"])
    await alice.post("/api/monitors", {
      ...monitorOf("http://127.0.0.1:9/", name),
      retries: 0,
      active: name === "Shop",
    });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  installation.remove();
});

const open = async (language: (typeof languages)[number], size: typeof wide, path = "/monitors") => {
  const opened = await reusePage(browser, { language, theme: "dark", ...size }, signedIn);
  await opened.page.goto(running.origin + path);
  await opened.page.getByRole("heading", { level: 1 }).first().waitFor();
  return opened;
};

for (const language of languages) {
  it(`finds a monitor, resumes it and opens a page with the keyboard alone (${language})`, async () => {
    const { palette, monitors, notifications } = words[language];
    const { page, newErrors } = await open(language, wide);
    /** The keys that follow go into its field once that has the focus. */
    const openPalette = async () => {
      await page.locator("dialog[open]").waitFor({ state: "detached" });
      await page.keyboard.press("Control+k");
      const field = page.getByRole("combobox");
      await eventually(() => field.evaluate((node) => node === document.activeElement), true);
    };
    await openPalette();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.type("soap");
    await page.getByRole("option", { name: /^Legacy SOAP bridge/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Legacy SOAP bridge", level: 1 }).waitFor();

    const [verb, done] =
      language === "zh-CN"
        ? ([palette.word.resume, monitors.detail.resumed] as const)
        : (["pause", monitors.detail.paused] as const);
    await openPalette();
    await page.keyboard.type(`${verb} soap`);
    await page.getByRole("option", { name: /SOAP/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText(done).first().waitFor();

    await openPalette();
    await page.keyboard.type("notif");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: notifications.title, level: 1 }).waitFor();
    expect(newErrors()).toEqual([]);
  });
}

it("focuses the list's search by “/” and shows the keys by “?”", async () => {
  const { common, palette } = words["en-US"];
  const { page } = await open("en-US", wide);
  await page.keyboard.press("?");
  await page.getByRole("heading", { name: palette.keys.title }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole("button", { name: common.action.close }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("/");
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute("type")), "search");
});

it("has its links in a bar below the page on phones, in reach of a thumb and never over the content", async () => {
  const { common, notifications } = words["en-US"];
  for (const width of [320, narrow.width]) {
    const { page } = await open("en-US", { width, height: narrow.height });
    const links = page.getByRole("navigation", { name: common.nav.label }).getByRole("link");
    await eventually(() => links.count(), 6);
    for (const link of await links.all()) {
      const box = await link.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(40);
      expect(box?.width).toBeGreaterThanOrEqual(40);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(narrow.height);
      expect(box?.y).toBeGreaterThan(narrow.height - 64);
      expect(await link.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    }
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const footer = await page.getByRole("contentinfo").boundingBox();
    expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBeLessThanOrEqual(narrow.height - 56 + 1);
    await links.getByText(common.nav.notifications).click();
    await page.getByRole("heading", { name: notifications.title, level: 1 }).waitFor();
  }
  const { page } = await open("en-US", { width: 640, height: 800 });
  const top = await page.getByRole("navigation", { name: common.nav.label }).boundingBox();
  expect(top?.y).toBeLessThan(60);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(640);
});
