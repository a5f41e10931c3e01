import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser } from "playwright-core";
import { freePort } from "../smoke/lib/free-port";
import { type HubProcess, installConsole, joinAs, monitorOf, PASSWORD, startConsole } from "../smoke/lib/hub";
import { contextOf, launchBrowser, recordPageErrors, wide } from "./lib/browser";
import { eventually } from "./lib/eventually";
import { words } from "./lib/words";

const { account, common, monitors } = words["en-US"];
const installation = installConsole();
const PORT = String(freePort());
let running: HubProcess;
let browser: Browser;

beforeAll(async () => {
  running = await startConsole(installation, { PORT });
  const alice = await joinAs(running, "alice");
  await alice.post("/api/monitors", { ...monitorOf("http://127.0.0.1:9/", "Kept shop"), retries: 0, active: false });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  installation.remove();
});

const asOf = new RegExp(RegExp.escape(common.connection.asOf).replace("\\{\\{time\\}\\}", "\\d\\d:\\d\\d"));

it("opens without a server with the last data and its time, refreshes when that is back, and forgets all when signed out", async () => {
  const context = await browser.newContext({
    ...contextOf({ language: "en-US", theme: "light", ...wide }),
    serviceWorkers: "allow",
  });
  const page = await context.newPage();
  const newErrors = await recordPageErrors(page);
  const listed = () => page.getByText("Kept shop").first().waitFor();
  const settings = () => page.evaluate(() => document.getElementById("settings")?.textContent);

  await page.goto(`${running.origin}/login`);
  await page.getByLabel(new RegExp(`^${account.username}`)).fill("alice");
  await page
    .getByLabel(new RegExp(`^${account.password}`))
    .first()
    .fill(PASSWORD);
  await page.getByRole("button", { name: account.login.submit, exact: true }).click();
  await page.waitForURL("**/dashboard");
  await page.getByRole("link", { name: common.nav.monitors }).first().click();
  await listed();
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await page.waitForFunction(async () => {
    const kept = await (await caches.open("answers")).keys();
    return ["dashboard", "monitors"].every((name) => kept.some(({ url }) => url.includes(`/api/${name}`)));
  });
  expect(newErrors()).toEqual([]);

  await running.stop();
  await page.goto(`${running.origin}/monitors`);
  await page.getByText(asOf).waitFor();
  await listed();
  // A screen that this page has not opened before.
  await page.getByRole("link", { name: common.nav.notifications }).first().click();
  await page.getByRole("button", { name: common.action.retry }).first().waitFor();
  expect(await page.getByText(common.crash.title).count()).toBe(0);
  await page.getByRole("link", { name: common.nav.monitors }).first().click();
  await listed();

  // The document comes from the server again, not from the cache.
  running = await startConsole(installation, { PORT, LINK_BLOG: "https://blog.example/" });
  // The page also connects again by itself, which takes the button away.
  const retry = page.getByRole("button", { name: common.action.retry }).first();
  await retry.click({ timeout: 2000 }).catch(() => expect(retry.count()).resolves.toBe(0));
  await page.getByText(asOf).waitFor({ state: "detached" });
  await listed();
  await page.reload();
  await page.getByRole("heading", { name: monitors.title, level: 1 }).waitFor();
  await eventually(async () => (await settings())?.includes("blog.example"), true);

  await page.getByRole("button", { name: common.user.menu }).click();
  await page.getByRole("menuitem", { name: common.user.logout }).click();
  await page.getByRole("button", { name: account.login.submit, exact: true }).waitFor();
  await page.waitForFunction(async () => !(await caches.has("answers")));
  await running.stop();
  await page.goto(`${running.origin}/monitors`);
  await page.getByRole("button", { name: account.login.submit, exact: true }).waitFor();
  expect(await page.getByText("Kept shop").count()).toBe(0);
  running = await startConsole(installation, { PORT });
  await context.close();
});

it("can be installed: a manifest with icons, and every address relative to where the console is", async () => {
  const page = await (await fetch(`${running.origin}/login`)).text();
  const name = /<link rel="manifest" href="([^"]+)"/.exec(page)?.[1] ?? "";
  const manifest = await fetch(new URL(name, running.origin));
  expect(manifest.headers.get("content-type")).toContain("manifest+json");
  const { icons, start_url, scope, display } = (await manifest.json()) as {
    icons: { src: string; sizes: string; purpose?: string }[];
    start_url: string;
    scope: string;
    display: string;
  };
  expect([start_url, scope, display]).toEqual(["./dashboard", "./", "standalone"]);
  for (const { src } of icons) {
    expect(src).toStartWith("./");
    const icon = await fetch(new URL(src, running.origin));
    expect([icon.status, icon.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect((await icon.bytes()).length).toBeLessThan(20_000);
  }
  const worker = await fetch(`${running.origin}/service-worker.js`);
  expect(worker.headers.get("cache-control")).toBe("no-cache");
});
