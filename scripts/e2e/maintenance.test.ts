import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser } from "playwright-core";
import { type HubProcess, installConsole, joinAs, monitorOf, startConsole } from "../smoke/lib/hub";
import { axeViolations } from "./lib/audit";
import { launchBrowser, narrow, performAndWait, reusePage, wide } from "./lib/browser";
import { screenshot } from "./lib/pictures";
import { words } from "./lib/words";

const installation = installConsole();
let running: HubProcess;
let browser: Browser;
let signedIn: { token: string; user: unknown };

beforeAll(async () => {
  running = await startConsole(installation);
  const alice = await joinAs(running, "alice");
  await alice.post("/api/monitors", monitorOf(`${running.origin}/health`, "Shop"));
  signedIn = alice.signedIn;
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  installation.remove();
});

for (const [language, size] of [
  ["en-US", wide],
  ["zh-CN", narrow],
] as const)
  it(`plans a window, which runs until it is ended (${language}, ${size.width} px)`, async () => {
    const { maintenance, status, common } = words[language];
    const theme = size === wide ? "light" : "dark";
    const { page, newErrors } = await reusePage(browser, { language, theme, ...size }, signedIn);
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const field = (name: string) => page.getByLabel(name, { exact: false });
    const audit = async (name: string) => {
      await screenshot(page, `${name}-${language}-${size.width}`, true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
      expect(await axeViolations(page)).toEqual([]);
    };
    const title = `Deploy ${language}`;

    await page.goto(`${running.origin}/status/config`);
    await page.getByRole("link", { name: status.area.maintenance, exact: true }).click();
    await button(maintenance.add).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(maintenance.name).fill(title);
    await dialog.getByLabel(maintenance.kind, { exact: true }).selectOption("weekly");
    await dialog.locator("ol li").nth(4).waitFor();
    await audit("maintenance-form");
    await dialog.getByLabel(maintenance.kind, { exact: true }).selectOption("open");
    await button(common.action.save).click();
    await dialog.getByText(maintenance.missing.monitors).waitFor();
    await dialog.getByRole("combobox", { name: maintenance.find }).fill("Sho");
    await dialog.getByRole("option", { name: "Shop" }).click();
    // It begins now and not with the next hour.
    const now = await page.evaluate(() =>
      new Date(Date.now() - 60_000).toLocaleString("sv").replace(" ", "T").slice(0, 16),
    );
    await field(maintenance.from).fill(now);
    await performAndWait(page, maintenance.saved, () => button(common.action.save).click());

    const row = page.locator(".window-row", { hasText: title });
    await row.getByRole("link", { name: "Shop" }).waitFor();
    await page.getByRole("heading", { name: maintenance.section.running }).waitFor();
    await audit("maintenance");
    await row.getByRole("button", { name: maintenance.endNow }).click();
    await page.getByText(maintenance.endedNow.replace("{{name}}", title)).waitFor();
    await page.locator("details", { hasText: maintenance.section.past }).waitFor();
    await page.getByRole("heading", { name: maintenance.section.running }).waitFor({ state: "detached" });
    expect(newErrors()).toEqual([]);
  });
