import { afterAll, beforeAll, expect, it, onTestFinished } from "bun:test";
import type { Browser } from "playwright-core";
import { freePort } from "../smoke/lib/free-port";
import { type HubProcess, installConsole, joinAs, monitorOf, PASSWORD, startConsole } from "../smoke/lib/hub";
import { startNginx } from "../smoke/lib/nginx";
import { until } from "../smoke/lib/until";
import { axeViolations, overflow } from "./lib/audit";
import {
  chooseFromMenu,
  contextOf,
  launchBrowser,
  narrow,
  performAndWait,
  recordPageErrors,
  wide,
} from "./lib/browser";
import { screenshot } from "./lib/pictures";
import { startTelegram } from "./lib/telegram";
import { languages, words } from "./lib/words";

const good = `123456789:${"A".repeat(35)}`;
const bad = `987654321:${"B".repeat(35)}`;
const tabs = ["rules", "channels", "history"] as const;
const installation = installConsole();
const telegram = startTelegram((token) => token === bad);
let running: HubProcess;
let browser: Browser;

beforeAll(async () => {
  running = await startConsole(installation, {
    TELEGRAM_API_URL: telegram.origin,
    PRIVATE_TARGETS: "all",
    ALERT_GROUP_SECONDS: "0",
  });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  await telegram.stop();
  installation.remove();
});

for (const language of languages) {
  it(`leads from a first channel to reading who was told of an outage (${language})`, async () => {
    const { account, common, notifications, outages, policies } = words[language];
    const telegramWords = words[language].channels.kinds.telegram.fields;
    const [downName] = words[language].outageKinds.down.status;
    const { start, channel, drill, form, history, mute, setting, specific, tab, template } = notifications;
    const { alerts, channels } = words[language];
    const username = language === "zh-CN" ? "alice" : "bob";
    const port = freePort();
    const serve = () => startNginx(port, `server { listen 127.0.0.1:${port}; location / { return 200 fine; } }`);
    const target = await serve();
    onTestFinished(target.stop);
    const client = await joinAs(running, username);
    const { monitor } = (
      await client.post("/api/monitors", {
        ...monitorOf(`http://127.0.0.1:${port}/`, `Shop of ${username}`),
        retries: 0,
      })
    ).body;
    await until("it is up", async () => (await client.get(`/api/monitors/${monitor.id}`)).body.monitor.status === "up");

    const context = await browser.newContext(contextOf({ language, theme: "light", ...wide }));
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const newErrors = await recordPageErrors(page);
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const dialog = page.getByRole("dialog");
    const inDialog = (name: string) => dialog.getByRole("button", { name, exact: true });
    const fill = (label: string, text: string) => dialog.getByRole("textbox", { name: label, exact: true }).fill(text);

    // Signs in through the form, so that the hub stores the language.
    await page.goto(`${running.origin}/login`);
    await page.getByLabel(`${account.username} *`).fill(username);
    await page.getByLabel(`${account.password} *`).fill(PASSWORD);
    await button(account.login.submit).click();
    await page.getByRole("link", { name: common.nav.notifications, exact: true }).click();

    await button(start.addChannel).click();
    await dialog.getByText(channels.kinds.telegram.name, { exact: true }).click();
    await inDialog(channel.test).click();
    await dialog.getByText(telegramWords.botToken.required).waitFor();
    await fill(form.name, "On-call");
    await fill(telegramWords.botToken.label, bad);
    await fill(telegramWords.chatId.label, "-100123");
    await inDialog(channel.test).click();
    await dialog.getByText(language === "zh-CN" ? "401：Unauthorized" : "401: Unauthorized").waitFor();
    // The browser logs a refused request to its console.
    newErrors();
    await fill(telegramWords.botToken.label, good);
    // A user may send one test a second to a host.
    await page.waitForTimeout(1000);
    await inDialog(channel.test).click();
    await dialog.getByText(channel.tested).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await screenshot(page, `dialog-${language}`);
    await inDialog(common.action.save).click();
    await page.getByRole("heading", { name: "On-call", exact: true }).waitFor();

    await page.getByRole("tab", { name: tab.rules }).click();
    await performAndWait(page, start.enabled, () => button(start.enable).click());

    await page.getByRole("tab", { name: tab.channels }).click();
    await page.getByText(alerts.templates.all, { exact: true }).click();
    await button(common.labelled.replace("{{label}}", template.customise).replace("{{value}}", downName)).click();
    await fill(template.subject, "★ {{title");
    await dialog.getByText(template.previewStale).waitFor();
    await fill(template.subject, "★ {{title}}");
    await dialog.getByText(/^★ .*Shop/).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await screenshot(page, `template-${language}`);
    await performAndWait(page, template.saved, () => inDialog(common.action.save).click());

    await target.stop();
    await client.post(`/api/monitors/${monitor.id}/check`);
    const told = await until(
      "the alert is sent",
      async () => telegram.sent.find(({ text }) => text.includes(`Shop of ${username}`)),
      60_000,
    );
    expect(told).toMatchObject({ token: good, chat_id: "-100123" });
    expect(told.text).toStartWith("★ ");
    expect(told.text).toContain(language === "zh-CN" ? "无法访问" : "is down");

    await page.getByRole("tab", { name: tab.history }).click();
    const event = page
      .getByRole("article")
      .filter({ has: page.getByRole("link", { name: outages.linkOf.replace("{{name}}", monitor.name) }) });
    await event.getByText(downName, { exact: true }).waitFor();
    await event.getByText(history.state.sent, { exact: true }).waitFor();
    await event.getByText("On-call").waitFor();

    // The page of the outage shows the alert; the page of the monitor sends a drill and confirms its arrival.
    await event.getByRole("link", { name: outages.linkOf.replace("{{name}}", monitor.name) }).click();
    await page.getByRole("heading", { name: outages.message.alert, exact: true }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await screenshot(page, `outage-${language}`);
    await page.getByRole("link", { name: monitor.name, exact: true }).click();
    await chooseFromMenu(page, common.action.more, drill.action);
    await inDialog(drill.send).click();
    await dialog.getByText(history.state.sent, { exact: true }).nth(1).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await screenshot(page, `drill-${language}`);
    await inDialog(common.action.close).click();
    await page.goBack();
    await page.getByRole("heading", { name: outages.message.alert, exact: true }).waitFor();
    await page.goBack();
    await page.getByRole("tab", { name: tab.history, selected: true }).waitFor();

    await event.getByRole("link", { name: monitor.name, exact: true }).click();
    await page.getByRole("heading", { level: 1, name: monitor.name, exact: true }).waitFor();
    await chooseFromMenu(page, common.action.more, specific.link);

    // Muted in two clicks, the recovery is recorded and not sent; it is once the mute ends.
    const named = (text: string) => text.replace("{{name}}", monitor.name);
    const chooseFromBell = async (item: string) => {
      await page.getByRole("button", { name: named(mute.muteOf) }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    const isOfShop = (text: string) => text.includes(`Shop of ${username}`) && !/^(\[Drill\]|【演练】)/.test(text);
    const isSent = () => telegram.sent.filter(({ text }) => isOfShop(text)).length;
    await performAndWait(page, named(mute.muted), () => chooseFromBell(mute.forever));
    await page.getByText(mute.forGood, { exact: true }).first().waitFor();
    onTestFinished((await serve()).stop);
    await until("the recovery is withheld", async () => {
      // Refused while the previous manual check is too recent.
      await client.post(`/api/monitors/${monitor.id}/check`);
      const { events } = (await client.get("/api/notifications/history")).body;
      const event = events.find(({ drill }) => !drill);
      return event?.kind === "recovery" && event.deliveries[0]?.state === "withheld";
    });
    expect(isSent()).toBe(1);
    await performAndWait(page, named(mute.unmuted), () => chooseFromBell(mute.unmute));
    await until("the recovery is sent", async () => isSent() === 2);

    await page.getByRole("switch", { name: alerts.rule.follow }).uncheck();
    await page.getByRole("checkbox", { name: setting.onRecovery }).uncheck();
    await performAndWait(page, alerts.rule.saved, () => button(alerts.rule.save).click());
    await page.getByText(alerts.note.own, { exact: true }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const { data } = (await client.get("/api/notifications")).body;
    expect(data.settings.specificMonitors[monitor.id]).toMatchObject({
      overrideGlobal: true,
      enabled: true,
      onDown: true,
      onRecovery: false,
    });

    // A policy with a second step and quiet hours, from the present settings, which use it from then on.
    await page.goto(`${running.origin}/notifications?tab=policies`);
    await button(policies.add).click();
    await inDialog(policies.addStep).click();
    await inDialog(common.action.save).click();
    await dialog.getByText(policies.problem.channels_required).waitFor();
    await inDialog(policies.addChannel.replace("{{step}}", "2")).press("Enter");
    await page.keyboard.press("Escape");
    await inDialog(policies.addChannel.replace("{{step}}", "2")).press("Enter");
    await page.keyboard.press("Enter");
    await dialog.getByRole("switch", { name: policies.quiet }).check();
    expect(await axeViolations(page)).toEqual([]);
    await screenshot(page, `policy-${language}`);
    await performAndWait(page, policies.saved, () => inDialog(common.action.save).click());
    const saved = (await client.get("/api/notifications")).body.data;
    expect(saved.policies).toMatchObject([
      {
        name: policies.firstName,
        steps: [{ after_minutes: 0 }, { after_minutes: 10 }],
        quiet: { mode: "hold" },
        used_by: 2,
      },
    ]);
    await page.goto(`${running.origin}/monitors/${monitor.id}?tab=alerts`);
    await page.getByRole("switch", { name: policies.rule.critical }).check();
    await performAndWait(page, alerts.rule.saved, () => button(alerts.rule.save).click());
    await page.goto(`${running.origin}/notifications`);

    // The theme changes no layout, and colours depend neither on the width of the window nor on the language.
    const theme = language === "zh-CN" ? "light" : "dark";
    await page.emulateMedia({ colorScheme: theme });
    for (const size of [wide, narrow]) {
      await page.setViewportSize(size);
      for (const name of tabs) {
        await page.getByRole("tab", { name: tab[name], exact: true }).click();
        await page.waitForFunction(() => document.querySelector(".skeleton, [aria-busy=true]") === null);
        await screenshot(page, `${name}-${language}-${theme}-${size.width}`);
        expect(await overflow(page)).toBeLessThanOrEqual(0);
        if (size === wide) expect(await axeViolations(page)).toEqual([]);
      }
    }
    expect(newErrors()).toEqual([]);
  });
}
