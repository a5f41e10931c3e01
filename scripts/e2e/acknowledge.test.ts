import { afterAll, beforeAll, expect, it, onTestFinished } from "bun:test";
import type { Browser } from "playwright-core";
import { type HubProcess, installConsole, joinAs, monitorOf, PASSWORD, startConsole } from "../smoke/lib/hub";
import { until } from "../smoke/lib/until";
import { axeViolations, overflow } from "./lib/audit";
import { contextOf, launchBrowser, narrow, recordPageErrors, signInWith, wide } from "./lib/browser";
import { startTelegram } from "./lib/telegram";
import { languages, words } from "./lib/words";

const installation = installConsole();
const telegram = startTelegram();
let running: HubProcess;
let browser: Browser;
let failing: ReturnType<typeof Bun.serve>;

beforeAll(async () => {
  failing = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("no", { status: 503 }) });
  running = await startConsole(installation, { TELEGRAM_API_URL: telegram.origin, ALERT_GROUP_SECONDS: "0" });
  await joinAs(running, "alice");
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  await telegram.stop();
  await failing.stop(true);
  installation.remove();
});

/** Signs alice in. Links in messages begin with the origin of the administrator's last sign-in from a browser. */
const signIn = async () => {
  const login = await fetch(`${running.origin}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: running.origin },
    body: JSON.stringify({ username: "alice", password: PASSWORD }),
  });
  const { token, user } = (await login.json()) as Parameters<typeof signInWith>[1];
  return { token, user, client: running.as(token) };
};

it("an outage is acknowledged by the link in its message without an account, and from the dashboard", async () => {
  const { token, user, client } = await signIn();
  const channel = { name: "On call", type: "telegram", config: { botToken: `1:${"A".repeat(35)}`, chatId: "1" } };
  const { id } = (await client.post("/api/notifications/channels", channel)).body.data;
  const rule = { target_type: "global-monitor", enabled: true, channels: [id] };
  await client.post("/api/notifications/settings", rule);
  const shop = { ...monitorOf(`http://127.0.0.1:${failing.port}/`, "Shop"), retries: 0 };
  await client.post("/api/monitors", shop);
  await until("the alert", async () => telegram.sent.length === 1);
  const [link = ""] = /http\S+\/acknowledge\/\S+/.exec(telegram.sent[0]?.text ?? "") ?? [];
  expect(link).toStartWith(running.origin);

  for (const language of languages) {
    const { acknowledge } = words[language].problems;
    const context = await browser.newContext(contextOf({ language, theme: "dark", ...narrow }));
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const newErrors = await recordPageErrors(page);
    await page.goto(link);
    await page.getByRole("heading", { level: 1, name: "Shop" }).waitFor();
    expect([await overflow(page), await axeViolations(page), newErrors()]).toEqual([0, [], []]);
    const button = page.getByRole("button", { name: acknowledge.action, exact: true });
    if (language !== languages[0]) {
      expect(await button.count()).toBe(0);
      continue;
    }
    // Opening the page has acknowledged nothing.
    expect((await client.get("/api/outages")).body.outages[0]?.acknowledged).toBeNull();
    await page.getByLabel(acknowledge.page.name).fill("Robin");
    await button.click();
    await page.getByRole("status").getByText("Robin").waitFor();
    expect(newErrors()).toEqual([]);
  }
  await until("the line for the channel", async () => telegram.sent.length === 2);
  expect(telegram.sent[1]?.text).toContain("Robin");

  const { acknowledge, title } = words["en-US"].problems;
  const context = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  onTestFinished(() => context.close());
  await signInWith(context, { token, user });
  const page = await context.newPage();
  await page.goto(`${running.origin}/dashboard`);
  const block = page.getByRole("region", { name: title });
  await block.getByText("Acknowledged by Robin, with the link in “On call”").waitFor();
  await block.getByRole("button", { name: `${acknowledge.undo}: Shop` }).click();
  await block.getByRole("button", { name: `${acknowledge.action}: Shop` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(acknowledge.until).selectOption({ label: acknowledge.hours });
  await dialog.getByLabel(acknowledge.note).fill("on it");
  expect(await axeViolations(page)).toEqual([]);
  await dialog.getByRole("button", { name: acknowledge.action, exact: true }).click();
  await block.getByText(/^Acknowledged by alice · until .* · on it$/).waitFor();
});

it("what a monitor depends on is chosen in its settings, by its name", async () => {
  const { client, token, user } = await signIn();
  const add = async (name: string) =>
    (await client.post("/api/monitors", { ...monitorOf(running.origin, name), active: false })).body.monitor;
  const [shop, router] = [await add("Shop front"), await add("Router")];
  for (const language of languages) {
    const { dependencies } = words[language].notifications;
    await client.put(`/api/monitors/${shop.id}/dependencies`, { parents: [] });
    const context = await browser.newContext(contextOf({ language, theme: "light", ...narrow }));
    onTestFinished(() => context.close());
    await signInWith(context, { token, user });
    const page = await context.newPage();
    const newErrors = await recordPageErrors(page);
    await page.goto(`${running.origin}/monitors/${shop.id}?tab=alerts`);
    const card = page.getByRole("region", { name: dependencies.title });
    await card.getByRole("combobox", { name: dependencies.add }).fill("Rout");
    await card.getByRole("option", { name: "Router" }).waitFor();
    await page.keyboard.press("Enter");
    await card.getByRole("link", { name: "Router" }).waitFor();
    expect([await overflow(page), await axeViolations(page), newErrors()]).toEqual([0, [], []]);
  }
  const { children } = (await client.get(`/api/monitors/${router.id}/dependencies`)).body;
  expect(children).toMatchObject([{ name: "Shop front" }]);
});
