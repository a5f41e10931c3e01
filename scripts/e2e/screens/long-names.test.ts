import { afterAll, beforeAll, expect, it } from "bun:test";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { readConfig } from "../../../src/core/config";
import { createLog } from "../../../src/core/log";
import { openDatabase } from "../../../src/db/open";
import { systemClock } from "../../../src/lib/time";
import { createLive } from "../../../src/modules/live/live";
import { markOfflineServers } from "../../../src/modules/servers/ingest/offline";
import { HOUR } from "../../../src/shared/limits";
import { type HubProcess, installConsole, joinAs, monitorOf, startConsole } from "../../smoke/lib/hub";
import { until } from "../../smoke/lib/until";
import { contextOf, launchBrowser, narrow, signInWith } from "../lib/browser";
import { isSettled, readLayout } from "../lib/screens";
import { addReportingServer } from "../lib/servers";
import { languages } from "../lib/words";

const NAMES = ["a name with spaces ", "unbroken", "很长的名称"].map((part) => part.repeat(60).slice(0, 60).trim());
const TAGS = NAMES.map((name, place) => ({ name: `${place}${name.slice(0, 49)}`, color: "blue" as const }));

const installation = installConsole();
let running: HubProcess;
let browser: Browser;
let signedIn: { token: string; user: unknown };
let paths: string[];

/** Marks all servers offline, as the hub does 90 seconds after a report. The hub must not be running. */
const markOffline = async () => {
  const db = await openDatabase(readConfig({ DATA_DIR: join(installation.folder, "data") }));
  const clock = { ...systemClock, now: () => Date.now() + HOUR };
  const live = createLive({ clock, instance: "offline" });
  await markOfflineServers({ db, clock, live, log: createLog("silent", false, () => {}) });
  await db.close();
};

beforeAll(async () => {
  browser = await launchBrowser();
  running = await startConsole(installation);
  const alice = await joinAs(running, "alice");
  const monitors: number[] = [];
  for (const [place, name] of NAMES.entries())
    for (const url of [`${running.origin}/health`, `http://127.0.0.1:1/${"x".repeat(100)}`]) {
      const { monitor } = (await alice.post("/api/monitors", { ...monitorOf(url, name), retries: 0, tags: TAGS })).body;
      await alice.post(`/api/monitors/${monitor.id}/check`);
      if (place === 1) monitors.push(monitor.id);
    }
  for (const name of NAMES)
    await alice.post("/api/notifications/channels", {
      type: "webhook",
      name,
      config: JSON.stringify({ url: "https://example.com/" }),
    });
  const servers: number[] = [];
  for (const [place, name] of NAMES.entries()) {
    const { id } = await addReportingServer(running.origin, alice, name, { load: 80, isRich: place === 1 });
    await alice.put(`/api/agents/${id}`, { name, tags: TAGS });
    servers.push(id);
  }
  await alice.post("/api/thresholds", {
    scope: "agent",
    agent_id: servers[1],
    metric: "load",
    threshold: 2,
    minutes: 10,
  });
  const published = { title: NAMES[1], description: "", logoUrl: "", customCss: "", monitors, agents: servers };
  await alice.post("/api/status/config", published);
  const { outages } = (await alice.get("/api/outages?open=1")).body;
  await running.stop();
  await markOffline();
  running = await startConsole(installation);
  signedIn = alice.signedIn;
  expect((await running.as(signedIn.token).get("/api/agents")).body.counts.inactive).toBe(NAMES.length);
  paths = [
    ...["/dashboard", "/monitors", "/agents", "/status/config"],
    ...monitors.flatMap((id) => [`/monitors/${id}`, `/monitors/${id}?tab=about`, `/monitors/${id}?tab=alerts`]),
    ...servers.slice(0, 2).map((id) => `/agents/${id}`),
    ...["disks", "traffic", "alerts", "about"].map((tab) => `/agents/${servers[0]}?tab=${tab}`),
    ...outages.slice(0, 1).map(({ id }) => `/outages/${id}`),
    ...["", "?tab=channels", "?tab=policies", "?tab=thresholds", "?tab=history"].map((tab) => `/notifications${tab}`),
    "/status",
  ];
}, 120_000);

afterAll(async () => {
  await browser.close();
  await running.stop();
  installation.remove();
});

for (const language of languages)
  it(`no screen scrolls sideways with names of 60 characters and servers that are offline (${language})`, async () => {
    const context = await browser.newContext(contextOf({ language, theme: "light", ...narrow }));
    await signInWith(context, signedIn);
    const page = await context.newPage();
    const wide: string[] = [];
    for (const path of paths)
      for (const width of [360, 320]) {
        await page.setViewportSize({ width, height: 740 });
        if (width === 360 && (path === paths[0] || path === "/status")) await page.goto(running.origin + path);
        else if (width === 360) await page.evaluate((path) => history.pushState(null, "", path), path);
        await page.waitForFunction(isSettled);
        // Charts follow the width of the window a moment later.
        let overflow = "";
        const fits = async () => {
          const layout = await page.evaluate(readLayout);
          const isWide = layout.overflowing.length > 0 || layout.width > width;
          overflow = isWide ? `${path} at ${width} px: ${layout.width} ${layout.overflowing[0]}` : "";
          return !isWide;
        };
        await until(`${path} at ${width} px`, fits, 10_000).catch(() => wide.push(overflow));
      }
    expect(wide).toEqual([]);
    await context.close();
  }, 120_000);
