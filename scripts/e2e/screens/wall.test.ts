import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser } from "playwright-core";
import type { Wall } from "../../../src/modules/wall/read";
import { type HubProcess, installConsole, joinAs, monitorOf, startConsole } from "../../smoke/lib/hub";
import { until } from "../../smoke/lib/until";
import { contextOf, launchBrowser, recordPageErrors } from "../lib/browser";
import { eventually } from "../lib/eventually";
import { words } from "../lib/words";

const { dashboard } = words["en-US"];
const installation = installConsole();
let running: HubProcess;
let alice: Awaited<ReturnType<typeof joinAs>>;
let browser: Browser;

beforeAll(async () => {
  [running, browser] = await Promise.all([startConsole(installation), launchBrowser()]);
  alice = await joinAs(running, "alice");
  await alice.post("/api/monitors", { ...monitorOf("http://127.0.0.1:1/", "Shop"), retries: 0 });
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  installation.remove();
});

const SIZES = [
  [1920, 1080],
  [1280, 720],
  [3840, 2160],
  [1080, 1920],
  [390, 844],
  [320, 568],
] as const;

const LONG = "很长的名称".repeat(13).slice(0, 64);
const REASON = { error_code: "json_mismatch", error_detail: { path: "$.services.payment.state", expected: "healthy" } };

/** The answer of a hub with a number of monitors, and a number of them down. */
const wallOf = (total: number, down: number): Wall & { success: true; now: string } => ({
  ...{ success: true, now: new Date().toISOString(), version: "", tag: null, unknown: null, conditions: [] },
  monitors: { up: total - down, down, pending: 0, paused: 0, unknown: 0, total },
  agents: { active: 0, inactive: 0, connecting: 0, total: 0 },
  problems: Array.from({ length: Math.min(50, down) }, (_, index) => ({
    ...{ target_type: "monitor" as const, target_name: `${index} ${LONG}`, kind: "down" as const, acknowledged: false },
    ...{ since: new Date(Date.now() - index * 3_600_000).toISOString(), started_after: null, facts: null },
    ...{ figure: null, threshold: null, mount: null, subject: null, last_report: null },
    ...(REASON as Pick<Wall["problems"][number], "error_code" | "error_detail">),
  })),
  problems_total: down,
  in_maintenance: { monitors: 0, agents: 0, total: 0, names: [] },
  well: {
    total: total - down,
    names: total > 400 ? [] : Array.from({ length: total - down }, (_, i) => `${i} ${LONG}`),
  },
  well_since: null,
});

/** What cannot be seen: the number of elements outside the window, and cut reasons. */
const findHidden = () => {
  const visible = [...document.querySelectorAll<HTMLElement>(".wall *")].filter((one) => one.offsetWidth > 1);
  const outside = visible.filter((one) => {
    const { right, bottom } = one.getBoundingClientRect();
    return right > innerWidth + 1 || bottom > innerHeight + 1;
  });
  const body = document.querySelector(".wall-body")?.getBoundingClientRect().bottom ?? 0;
  const rows = visible.filter((one) => one.matches(".wall-problems > li, .wall-more, .wall-tiles > li"));
  return {
    outside: outside.map(({ className, tagName }) => className || tagName),
    below: rows.filter((row) => row.getBoundingClientRect().bottom > body + 1).length,
    cut: visible.filter((one) => one.matches(".reason") && one.scrollWidth > one.clientWidth + 1).length,
    scrolls: document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth,
    buttons: document.querySelectorAll(".wall :is(button, input, select)").length,
  };
};

/** The number of problems that are visible, and of those that the wall says it leaves out. */
const countProblems = (): number => {
  const rows = [...document.querySelectorAll<HTMLElement>(".wall-problems .what")];
  const more = /\d+/.exec(document.querySelector(".wall-more")?.textContent ?? "")?.[0] ?? 0;
  return rows.filter((row) => row.offsetHeight > 0).length + Number(more);
};

it("the wall fits every screen with any number of monitors, and counts the problems that do not fit", async () => {
  const path = (await alice.post("/api/walls", { name: "Sizes" })).body.path;
  for (const [width, height] of SIZES) {
    const context = await browser.newContext(contextOf({ language: "en-US", theme: "light", width, height }));
    const page = await context.newPage();
    const newErrors = await recordPageErrors(page);
    for (const [total, down] of [
      [3, 0],
      [3, 3],
      [40, 4],
      [1000, 2],
      [1000, 212],
    ] as const) {
      await page.unroute("**/api/wall");
      await page.route("**/api/wall", (route) => route.fulfill({ json: wallOf(total, down) }));
      await page.goto(running.origin + path);
      await page.locator(".wall-foot").waitFor();
      const place = [width, height, total, down];
      // It is fitted again when the font or a measure arrives late.
      await eventually(
        async () => [place, await page.evaluate(findHidden)],
        [place, { outside: [], below: 0, cut: 0, scrolls: false, buttons: 0 }],
      );
      await eventually(() => page.evaluate(countProblems), down);
      if (down < total) await page.getByRole("heading", { name: `${total - down} healthy` }).waitFor();
    }
    expect(newErrors()).toEqual([]);
    await context.close();
  }
});

it("a wall without a session survives a restart of the hub, says that it is not current until then, and ends with its address", async () => {
  const { path, data } = (await alice.post("/api/walls", { name: "Office" })).body;
  const context = await browser.newContext(contextOf({ language: "zh-CN", theme: "light", width: 1280, height: 720 }));
  const page = await context.newPage();
  await page.goto(`${running.origin}${path}&lang=en`);
  await page.getByRole("heading", { name: "Shop" }).waitFor();
  const { port } = new URL(running.origin);
  await running.stop();
  await page.getByText(/^No connection for .+ Below is the state of/).waitFor();
  expect(await page.locator(".wall.lost").count()).toBe(1);
  running = await startConsole(installation, { PORT: port });
  await page.locator(".wall:not(.lost)").waitFor();
  await page.getByRole("heading", { name: "1 monitor down" }).waitFor();
  await until("the session is accepted again", async () => {
    return (await running.as(alice.signedIn.token).delete(`/api/walls/${data.id}`)).status === 200;
  });
  await page.getByRole("heading", { name: dashboard.wall.gone }).waitFor();
  expect(await page.getByText("Shop").count()).toBe(0);
  expect((await page.goto(running.origin + path))?.status()).toBe(404);
  await context.close();
});
