import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser, Page, Request } from "playwright-core";
import { type HubProcess, installConsole, joinAs, monitorOf, startConsole } from "../smoke/lib/hub";
import { until } from "../smoke/lib/until";
import { contextOf, launchBrowser, recordPageErrors, signInWith, wide } from "./lib/browser";
import { words } from "./lib/words";

const COUNT = 30;
/** The most bytes that a change may transfer. */
const LIMIT = 5 * 1024;
const { common } = words["en-US"];

const installation = installConsole();
let running: HubProcess;
let alice: Awaited<ReturnType<typeof joinAs>>;
let browser: Browser;
let target: ReturnType<typeof Bun.serve>;
let failing = "";

beforeAll(async () => {
  target = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => new Response("", { status: failing && url.endsWith(failing) ? 503 : 200 }),
  });
  [running, browser] = await Promise.all([startConsole(installation), launchBrowser()]);
  alice = await joinAs(running, "alice");
  for (let place = 0; place < COUNT; place++)
    await alice.post("/api/monitors", {
      ...monitorOf(`http://127.0.0.1:${target.port}/${place}`, `Shop ${place}`),
      retries: 0,
    });
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  await target.stop(true);
  installation.remove();
});

/** Waits until a page has sent nothing for a second and awaits nothing but the stream of changes, which never ends. */
const followRequests = (page: Page) => {
  const open = new Set<Request>();
  let last = performance.now();
  page.on("request", (request) => {
    last = performance.now();
    if (new URL(request.url()).pathname !== "/api/live") open.add(request);
  });
  const end = (request: Request) => open.delete(request);
  page.on("requestfinished", end);
  page.on("requestfailed", end);
  return { untilQuiet: () => until("no request", async () => open.size === 0 && performance.now() - last > 1000) };
};

const open = async () => {
  const context = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  await signInWith(context, alice.signedIn);
  const page = await context.newPage();
  return { context, page, newErrors: await recordPageErrors(page) };
};

it("screens show no skeleton on a second visit, and one change of 30 monitors costs the dashboard at most 5 KB", async () => {
  failing = "";
  const [changing] = (await alice.get("/api/monitors?search=Shop%207")).body.monitors;
  // Another attempt begins with what the last one left.
  if (changing?.status === "down") await alice.post(`/api/monitors/${changing.id}/check`);
  await until("every monitor to be up", async () => (await alice.get("/api/dashboard")).body.monitors.up === COUNT);
  const { context, page, newErrors } = await open();
  const requests = followRequests(page);
  await page.goto(`${running.origin}/dashboard`);
  const go = async (name: string) => {
    await page.getByRole("link", { name, exact: true }).first().click();
    // The last screen stays in sight until the code of the next one has arrived, which then sets the title.
    await page.waitForFunction((name) => document.title.includes(name), name);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await page.waitForFunction(() => document.querySelector(".skeleton") === null);
  };
  const { monitors, agents, notifications, dashboard } = common.nav;
  const names = [monitors, agents, notifications, dashboard];
  for (const name of names) await go(name);
  await page.evaluate(() => {
    const seen = () => {
      const isLoading = document.querySelector(".skeleton") !== null;
      if (isLoading) document.documentElement.dataset.skeleton = location.pathname;
    };
    new MutationObserver(seen).observe(document.body, { childList: true, subtree: true });
  });
  for (const name of names) await go(name);
  expect(await page.locator("html").getAttribute("data-skeleton")).toBeNull();

  const wire = await context.newCDPSession(page);
  await requests.untilQuiet();
  let bytes = 0;
  await wire.send("Network.enable");
  wire.on("Network.dataReceived", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const loaded = Promise.all(
    ["dashboard", "monitors", "agents"].map((name) =>
      page.waitForEvent("requestfinished", (request) => new URL(request.url()).pathname === `/api/${name}`),
    ),
  );
  failing = "/7";
  await alice.post(`/api/monitors/${changing?.id}/check`);
  await page.getByRole("heading", { level: 1, name: "1 monitor down" }).waitFor();
  await loaded;
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(LIMIT);
  expect(newErrors()).toEqual([]);
}, 120_000);
