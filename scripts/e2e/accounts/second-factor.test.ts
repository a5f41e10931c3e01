import { afterAll, beforeAll, expect, it, onTestFinished } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { factors as factorsEn } from "../../../web/locales/en-US/accounts/factors";
import { factors as factorsZh } from "../../../web/locales/zh-CN/accounts/factors";
import { type HubProcess, installConsole, joinAs, PASSWORD, startConsole } from "../../smoke/lib/hub";
import { axeViolations, overflow } from "../lib/audit";
import { contextOf, launchBrowser, narrow, recordPageErrors, wide } from "../lib/browser";
import { words } from "../lib/words";

const texts = { "zh-CN": factorsZh, "en-US": factorsEn };
const installation = installConsole();
let running: HubProcess;
let browser: Browser;

beforeAll(async () => {
  [running, browser] = await Promise.all([startConsole(installation), launchBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  installation.remove();
});

/** The code that an app with this secret shows, `steps` half minutes from now. */
const codeOf = (secret: string, steps = 0): string => {
  const at = Math.floor(Date.now() / 1000) + 30 * steps;
  return Bun.spawnSync(["oathtool", "--totp", "--base32", `--now=@${at}`, secret])
    .stdout.toString()
    .trim();
};

for (const [language, size, username] of [
  ["zh-CN", narrow, "alice"],
  ["en-US", wide, "bob"],
] as const)
  it(`an authenticator app is set up, and its codes and recovery codes sign in (${language}, ${size.width} px)`, async () => {
    const { account, common, dashboard } = words[language];
    const { step, totp, recovery, ...factors } = texts[language];
    await joinAs(running, username);
    const context = await browser.newContext(contextOf({ language, theme: size === wide ? "dark" : "light", ...size }));
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const newErrors = await recordPageErrors(page);
    const button = (name: string, within: Pick<Page, "getByRole"> = page) =>
      within.getByRole("button", { name, exact: true });
    const audit = async () => {
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await axeViolations(page)).toEqual([]);
    };
    const enterPassword = async () => {
      await page.goto(`${running.origin}/login`);
      await page.getByLabel(`${account.username} *`).fill(username);
      await page.getByLabel(`${account.password} *`).fill(PASSWORD);
      await button(account.login.submit).click();
    };
    const arrive = () => page.getByRole("heading", { name: dashboard.nothing }).waitFor();

    await enterPassword();
    await arrive();
    await page.goto(`${running.origin}/profile/security`);
    await button(totp.add).click();
    const dialog = page.getByRole("dialog", { name: totp.setUpTitle });
    await dialog.getByRole("img", { name: totp.qr }).waitFor();
    await audit();
    const secret = ((await dialog.locator("code").textContent()) ?? "").replaceAll(" ", "");
    await dialog.getByLabel(`${factors.code} *`).fill(codeOf(secret));
    await button(totp.submit, dialog).click();
    const shown = page.getByRole("dialog", { name: recovery.shownTitle });
    await shown.waitFor();
    await audit();
    const [code = ""] = await shown.locator("code").allTextContents();
    await button(recovery.done, shown).click();
    await page.getByText(recovery.left.replace("{{count}}", "10")).waitFor();
    await audit();
    await page.getByRole("button", { name: common.user.menu }).click();
    await page.getByRole("menuitem", { name: common.user.logout }).click();

    await enterPassword();
    await page.getByRole("heading", { name: step.title }).waitFor();
    await audit();
    await page.getByLabel(`${factors.code} *`).fill(codeOf(secret, 1));
    await button(step.submit).click();
    await arrive();
    await page.evaluate(() => localStorage.clear());
    await enterPassword();
    await button(factors.use.recovery).click();
    await page.getByLabel(`${factors.recoveryCode} *`).fill(code.toLowerCase());
    await button(step.submit).click();
    await arrive();
    await page.goto(`${running.origin}/profile/security`);
    await page.getByText(recovery.left.replace("{{count}}", "9")).waitFor();
    expect(newErrors()).toEqual([]);
  });
