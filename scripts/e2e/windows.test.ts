import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { type HubProcess, installConsole, joinAs, startConsole } from "../smoke/lib/hub";
import { contextOf, launchBrowser, signInWith, wide } from "./lib/browser";
import { eventually } from "./lib/eventually";

const WINDOWS = 8;
const installation = installConsole();
let running: HubProcess;
let browser: Browser;

beforeAll(async () => {
  [running, browser] = await Promise.all([startConsole(installation), launchBrowser()]);
}, 60_000);

afterAll(async () => {
  await browser.close();
  await running.stop();
  installation.remove();
});

/** Opens a window on the monitors. `streams` are its calls of the stream of changes that have not ended. */
const openWindow = async (context: BrowserContext, origin: string) => {
  const page = await context.newPage();
  const streams = new Set<unknown>();
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/api/live") streams.add(request);
  });
  for (const end of ["requestfinished", "requestfailed"] as const)
    page.on(end as "requestfinished", (request) => void streams.delete(request));
  await page.goto(`${origin}/monitors`);
  await shows(page, "Shop");
  return { page, streams };
};

const shows = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

it("eight windows over plain HTTP load as fast as one, share one stream, and go on when the one that has it is closed", async () => {
  const alice = await joinAs(running, "alice");
  const add = (name: string) =>
    alice.post("/api/monitors", { name, url: "https://example.com/", interval: 60, active: false });
  await add("Shop");
  const context = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  await signInWith(context, alice.signedIn);
  const origin = `http://wakeful.example:${new URL(running.origin).port}`;

  const begun = performance.now();
  const first = await openWindow(context, origin);
  expect(await first.page.evaluate(() => isSecureContext)).toBe(false);
  const times = [performance.now() - begun];
  const windows = [first];
  while (windows.length < WINDOWS) {
    const before = performance.now();
    windows.push(await openWindow(context, origin));
    times.push(performance.now() - before);
  }
  console.log(`windows loaded after ${times.map((time) => Math.round(time)).join(", ")} ms`);
  const open = () => windows.reduce((sum, { streams }) => sum + streams.size, 0);
  await eventually(open, 1);
  await add("Search");
  await Promise.all(windows.map(({ page }) => shows(page, "Search")));

  const [leader] = windows.filter(({ streams }) => streams.size > 0);
  windows.splice(windows.indexOf(leader ?? first), 1);
  await leader?.page.close();
  await eventually(open, 1);
  await add("Checkout");
  await Promise.all(windows.map(({ page }) => shows(page, "Checkout")));
}, 180_000);
