import { afterAll, beforeAll, expect, it, onTestFinished } from "bun:test";
import type { Browser } from "playwright-core";
import { checkError, checkErrorText } from "../../src/shared/check-error";
import { freePort } from "../smoke/lib/free-port";
import { type HubProcess, installConsole, startConsole } from "../smoke/lib/hub";
import { startNginx } from "../smoke/lib/nginx";
import { chooseFromMenu, contextOf, launchBrowser, recordPageErrors, wide } from "./lib/browser";
import { atPath, eventually } from "./lib/eventually";
import { languages, words } from "./lib/words";

const installation = installConsole();
let running: HubProcess;
let browser: Browser;

beforeAll(async () => {
  running = await startConsole(installation);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  installation.remove();
});

for (const language of languages) {
  it(`leads from registering to a monitor that is up, down, paused, changed and deleted (${language})`, async () => {
    const { account, common, dashboard, monitors } = words[language];
    const failure = (code: "refused" | "blocked_private") => checkErrorText(checkError(code), language);
    const port = freePort();
    const target = await startNginx(port, `server { listen 127.0.0.1:${port}; location / { return 200 fine; } }`);
    onTestFinished(target.stop);
    const context = await browser.newContext(contextOf({ language, theme: "light", ...wide }));
    const page = await context.newPage();
    const newErrors = await recordPageErrors(page);
    const username = language === "zh-CN" ? "alice" : "bob";
    const heading = (name: string) => page.getByRole("heading", { name, exact: true });
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const fill = (label: string, text: string) =>
      page
        .getByRole("main")
        .getByLabel(new RegExp(`^${RegExp.escape(label)}( \\*)?$`))
        .fill(text);
    const status = (state: "up" | "down" | "paused") =>
      page.getByRole("main").getByText(common.status[state], { exact: true }).first().waitFor();

    await page.goto(`${running.origin}/register`);
    await fill(account.username, username);
    await fill(account.email, `${username}@example.com`);
    await fill(account.password, "correct horse battery");
    await fill(account.confirm, "correct horse battery");
    await button(account.register.submit).click();

    await page.getByText(account.register.done).waitFor();
    await fill(account.username, username);
    await fill(account.password, "correct horse battery");
    await button(account.login.submit).click();

    await heading(dashboard.nothing).waitFor();
    await page.getByRole("link", { name: dashboard.welcome.addMonitor }).click();
    await fill(monitors.form.name, "Shop");
    await fill(monitors.form.url, `http://127.0.0.1:${port}/`);
    await button(monitors.form.submitCreate).click();

    // Alice is the administrator. Bob may not check private addresses and sees the reason.
    await page.getByRole("link", { name: "Shop", exact: true }).first().click();
    await heading("Shop").waitFor();
    if (username === "alice") await status("up");
    else await page.getByText(failure("blocked_private")).first().waitFor();

    await target.stop();
    const checked = page.waitForResponse((response) => response.url().endsWith("/check"));
    await button(monitors.detail.check).click();
    await status("down");
    // Pausing would cancel a check in progress, and the browser would log the refused request.
    await checked;
    const reason = failure(username === "alice" ? "refused" : "blocked_private");
    await page.getByText(reason).first().waitFor();
    await page.getByRole("link", { name: monitors.detail.back }).click();
    const counted = common.title.down_one.replace("{{count}}", "1");
    await page.waitForFunction((text) => document.title.includes(text), counted);
    await page.getByRole("link", { name: "Shop", exact: true }).first().click();

    await chooseFromMenu(page, common.action.more, monitors.detail.pause);
    await status("paused");
    await button(monitors.detail.resume).click();
    await status("down");

    await page.getByRole("link", { name: common.action.edit, exact: true }).click();
    await fill(monitors.form.name, "Bank");
    await button(common.action.save).click();
    await heading("Bank").waitFor();
    await page.getByRole("tab", { name: monitors.detail.tab.history }).click();
    await page.getByRole("table").waitFor();

    expect(newErrors()).toEqual([]);
    await chooseFromMenu(page, common.action.more, common.action.delete);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: common.action.delete, exact: true }).click();
    await heading(monitors.empty.title).waitFor();
    await atPath(page, "/monitors");

    await page.getByRole("button", { name: new RegExp(username) }).click();
    await page.getByRole("menuitem", { name: common.user.logout }).click();
    await heading(account.login.title).waitFor();
    await eventually(
      () => page.evaluate(() => [localStorage.getItem("token"), localStorage.getItem("user")]),
      [null, null],
    );
    // The deleted item's screen may have polled once more before it closed.
    expect(newErrors().filter((text) => !/404 .*\/api\/(monitors|outages)[/?]/.test(text))).toEqual([]);
    await context.close();
  });
}

it("changes its language and theme from the menus, and keeps both", async () => {
  const context = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  const page = await context.newPage();
  await page.goto(`${running.origin}/login`);
  await page.getByRole("button", { name: words["en-US"].common.language }).click();
  await page.getByRole("menuitemradio", { name: "中文" }).click();
  await page.getByRole("heading", { name: words["zh-CN"].account.login.title, exact: true }).waitFor();
  await page.getByRole("button", { name: words["zh-CN"].common.theme.label }).click();
  await page.getByRole("menuitemradio", { name: words["zh-CN"].common.theme.dark }).click();
  await page.reload();
  await page.getByRole("heading", { name: words["zh-CN"].account.login.title, exact: true }).waitFor();
  const kept = await page.evaluate(() => ({
    language: [document.documentElement.lang, localStorage.getItem("i18nextLng")],
    theme: document.documentElement.dataset.theme,
  }));
  expect(kept).toEqual({ language: ["zh-CN", "zh-CN"], theme: "dark" });
  await context.close();
});
