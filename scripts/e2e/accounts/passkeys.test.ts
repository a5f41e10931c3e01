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

/** Gives a page a device with a fingerprint reader, whose user always confirms. */
const addDevice = async (page: Page) => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", automaticPresenceSimulation: true },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
    },
  });
};

for (const [language, size, username] of [
  ["zh-CN", narrow, "alice"],
  ["en-US", wide, "bob"],
] as const)
  it(`a passkey is added, signs in alone and after the password, and is removed (${language}, ${size.width} px)`, async () => {
    const { account, common, dashboard } = words[language];
    const { step, totp, recovery, passkeys, signInByPasskey } = texts[language];
    const origin = running.origin.replace("127.0.0.1", "localhost");
    await joinAs(running, username);
    const context = await browser.newContext(contextOf({ language, theme: size === wide ? "dark" : "light", ...size }));
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await addDevice(page);
    const newErrors = await recordPageErrors(page);
    const button = (name: string, within: Pick<Page, "getByRole"> = page) =>
      within.getByRole("button", { name, exact: true });
    const audit = async () => {
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await axeViolations(page)).toEqual([]);
    };
    const enterPassword = async () => {
      await page.goto(`${origin}/login`);
      await page.getByLabel(`${account.username} *`).fill(username);
      await page.getByLabel(`${account.password} *`).fill(PASSWORD);
      await button(account.login.submit).click();
    };
    const arrive = () => page.getByRole("heading", { name: dashboard.nothing }).waitFor();

    await enterPassword();
    await arrive();
    await page.goto(`${origin}/profile/security`);
    await button(passkeys.add).click();
    const dialog = page.getByRole("dialog", { name: passkeys.addTitle });
    expect(await dialog.getByLabel(`${passkeys.name} *`).inputValue()).toContain("Linux");
    await audit();
    await button(passkeys.submit, dialog).click();
    const shown = page.getByRole("dialog", { name: recovery.shownTitle });
    await button(recovery.done, shown).click();
    // The device has one already.
    await button(passkeys.add).click();
    await button(passkeys.submit, dialog).click();
    await dialog.getByRole("alert").waitFor();
    await button(common.action.cancel, dialog).click();
    await page.getByRole("button", { name: new RegExp(`^${passkeys.rename}`) }).click();
    const renaming = page.getByRole("dialog", { name: passkeys.renameTitle });
    const name = "宽".repeat(64);
    await renaming.getByLabel(`${passkeys.name} *`).fill(name);
    await button(common.action.save, renaming).click();
    await page.getByText(name).waitFor();
    await audit();
    await page.getByRole("button", { name: common.user.menu }).click();
    await page.getByRole("menuitem", { name: common.user.logout }).click();

    await page.goto(`${origin}/login`);
    await button(signInByPasskey).waitFor();
    await audit();
    await button(signInByPasskey).click();
    await arrive();
    await page.evaluate(() => localStorage.clear());
    await enterPassword();
    await page.getByRole("heading", { name: step.title }).waitFor();
    await audit();
    await button(step.usePasskey).click();
    await arrive();
    await page.goto(`${origin}/profile/security`);
    const remove = button(passkeys.removeOf.replace("{{name}}", name));
    await remove.click();
    await button(totp.remove, page.getByRole("dialog")).click();
    await remove.waitFor({ state: "hidden" });
    expect(newErrors()).toEqual([]);
  });
