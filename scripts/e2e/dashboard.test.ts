import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser } from "playwright-core";
import { checklist } from "../../web/locales/en-US/accounts/checklist";
import { type HubProcess, installConsole, joinAs, monitorOf, startConsole } from "../smoke/lib/hub";
import { until } from "../smoke/lib/until";
import { axeViolations, overflow } from "./lib/audit";
import { launchBrowser, narrow, reusePage, wide } from "./lib/browser";
import { eventually } from "./lib/eventually";
import { languages, words } from "./lib/words";

const installation = installConsole();
let running: HubProcess;
let browser: Browser;
let signedIn: { token: string; user: unknown };
let failing: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  failing = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("no", { status: 503 }) });
  [running, browser] = await Promise.all([startConsole(installation), launchBrowser()]);
  ({ signedIn } = await joinAs(running, "alice"));
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  await failing.stop(true);
  installation.remove();
});

/** A page of alice, the administrator, who may check private addresses. */
const open = (language: (typeof languages)[number], size: typeof wide) => {
  const look = { language, theme: size === wide ? "light" : "dark", ...size } as const;
  return reusePage(browser, look, signedIn);
};

it("an empty dashboard takes two pasted addresses, and shows at once what is broken, why and since when", async () => {
  const { dashboard, problems } = words["en-US"];
  const { page, newErrors } = await open("en-US", wide);
  await page.goto(`${running.origin}/dashboard`);
  const field = page.getByRole("textbox", { name: dashboard.start.label });
  await eventually(() => field.evaluate((node) => node === document.activeElement), true);
  await page.keyboard.insertText(`${running.origin}/health\nhttp://127.0.0.1:${failing.port}/shop`);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "1 monitor down" }).waitFor();
  const block = page.getByRole("region", { name: problems.title });
  await block.getByText("Status 503, expected 200").waitFor();
  await block.getByText(/^since \d\d:\d\d$/).waitFor();
  await block.getByText(problems.for).waitFor();
  await page.getByText(dashboard.notify.title).waitFor();
  await eventually(() => page.title(), "(1 down) Dashboard · Wakeful");
  const icon = async () => (await page.locator('link[rel="icon"]').getAttribute("href"))?.split(",")[0];
  await eventually(icon, "data:image/svg+xml");
  // Problems come first, then the steps of a new user.
  const steps = page.getByRole("region", { name: checklist.title });
  await steps.getByRole("link", { name: checklist.channel.title }).waitFor();
  const top = async (part: typeof block) => (await part.boundingBox())?.y ?? Number.NaN;
  expect(await top(block)).toBeLessThan(await top(steps));
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  expect(await axeViolations(page)).toEqual([]);

  await block.getByRole("button", { name: new RegExp(`^${problems.actions.replace("{{name}}", "")}`) }).click();
  await page.getByRole("menuitem", { name: problems.pause, exact: true }).click();
  await page.getByRole("heading", { level: 1, name: new RegExp(`^${dashboard.allUp}`) }).waitFor();
  await block.waitFor({ state: "detached" });
  await eventually(async () => (await icon())?.startsWith("data:"), false);
  await steps.getByRole("button", { name: checklist.hide }).click();
  await steps.waitFor({ state: "detached" });
  await page.reload();
  await page.getByRole("heading", { level: 1, name: new RegExp(`^${dashboard.allUp}`) }).waitFor();
  expect(await steps.count()).toBe(0);
  expect(newErrors()).toEqual([]);
});

it("200 monitors with long names that are down fit a phone of 320 px, in both languages", async () => {
  const alice = running.as(signedIn.token);
  const down = () => `http://127.0.0.1:${failing.port}/`;
  const nameOf = (index: number) =>
    `${index} 支付网关与订单结算服务的健康检查接口（华东一区） long name of a payments API`.padEnd(60, "x");
  const monitors = Array.from({ length: 200 }, (_, index) => monitorOf(down(), nameOf(index)));
  await alice.post("/api/import", { format: "wakeful-configuration", version: 1, monitors });
  await until("every monitor to be down", async () => (await alice.get("/api/dashboard")).body.problems_total === 200);
  for (const language of languages) {
    const { problems } = words[language];
    const { page, newErrors } = await open(language, { ...narrow, width: 320 });
    await page.goto(`${running.origin}/dashboard`);
    const block = page.getByRole("region", { name: problems.title });
    await block.getByRole("link", { name: problems.more_other.replace("{{count}}", "150") }).waitFor();
    await eventually(() => block.getByRole("article").count(), 50);
    await page.getByRole("heading", { level: 1, name: /200/ }).waitFor();
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await axeViolations(page, { contrast: false })).toEqual([]);
    expect(newErrors()).toEqual([]);
  }
}, 120_000);
