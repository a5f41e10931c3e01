import { afterAll, beforeAll, expect, it, onTestFinished } from "bun:test";
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import {
  type HubProcess,
  installConsole,
  joinAs,
  monitorOf,
  PASSWORD,
  signIn,
  startConsole,
} from "../../smoke/lib/hub";
import { until } from "../../smoke/lib/until";
import { axeViolations, overflow } from "../lib/audit";
import { contextOf, launchBrowser, narrow, performAndWait, recordPageErrors, wide } from "../lib/browser";
import { eventually } from "../lib/eventually";
import { type languages, words } from "../lib/words";

const NEXT = "a better password";
const installation = installConsole();
let running: HubProcess;
let browser: Browser;
/** Each attempt has a user of its own, because it renames them. */
let attempts = 0;

beforeAll(async () => {
  [running, browser] = await Promise.all([startConsole(installation), launchBrowser()]);
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  installation.remove();
});

/** Signs in through the form, because a session that changes must not be overwritten by each page load. */
const openAs = async (username: string, language: (typeof languages)[number], size: typeof wide) => {
  const { account, dashboard } = words[language];
  const context = await browser.newContext(contextOf({ language, theme: size === wide ? "dark" : "light", ...size }));
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const newErrors = await recordPageErrors(page);
  await page.goto(`${running.origin}/login`);
  await page.getByLabel(`${account.username} *`).fill(username);
  await page.getByLabel(`${account.password} *`).fill(PASSWORD);
  await page.getByRole("button", { name: account.login.submit, exact: true }).click();
  await page.getByRole("link", { name: dashboard.monitors.all }).waitFor();
  return { page, newErrors };
};

for (const [language, size] of [
  ["zh-CN", wide],
  ["en-US", narrow],
] as const)
  it(`lets people look after their account, keys and data (${language}, ${size.width} px)`, async () => {
    const { account, common, errors, profile } = words[language];
    const { basics, password, sessions, keys, alerts, data } = profile;
    attempts += 1;
    const username = `alice-${attempts}`;
    const renamed = `${username}-renamed`;
    const elsewhere = await joinAs(running, username);
    await elsewhere.post("/api/monitors", monitorOf(`${running.origin}/health`, "Shop"));
    const { page, newErrors } = await openAs(username, language, size);
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const field = (label: string) => page.getByLabel(`${label} *`, { exact: true });
    const audit = async () => {
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await axeViolations(page)).toEqual([]);
    };
    const sections = page.getByRole("navigation", { name: profile.title });
    const openSection = (title: string) => sections.getByRole("link", { name: title, exact: true }).click();
    const token = () => page.evaluate(() => localStorage.getItem("token") ?? "");

    await page.getByRole("button", { name: common.user.menu }).click();
    await page.getByRole("menuitem", { name: common.user.profile }).click();
    await page.getByRole("heading", { name: profile.title, exact: true }).waitFor();
    await audit();

    await openSection(sessions.title);
    await page.getByText(sessions.current).waitFor();
    await performAndWait(page, sessions.ended, () => button(sessions.endOthers).click());
    expect((await elsewhere.get("/api/auth/me")).status).toBe(401);

    await audit();

    await openSection(basics.title);
    await field(account.username).fill(renamed);
    await performAndWait(page, basics.saved, () => button(common.action.save).click());
    await page.getByRole("button", { name: common.user.menu }).filter({ hasText: renamed }).waitFor();

    await openSection(password.title);
    const change = async (current: string, confirm: string) => {
      await field(password.current).fill(current);
      await field(password.new).fill(NEXT);
      await field(password.confirm).fill(confirm);
      await button(password.submit).click();
    };
    await change(PASSWORD, `${NEXT}!`);
    await page.getByText(account.register.mismatch).waitFor();
    await change("not the password", NEXT);
    await page.getByText(errors.code.wrong_password).waitFor();
    expect(newErrors().every((line) => line.includes("422"))).toBe(true);
    const before = await token();
    const other = await signIn(running, renamed);
    await performAndWait(page, password.done, () => change(PASSWORD, NEXT));
    await eventually(async () => (await token()) !== before, true);
    expect((await other.get("/api/auth/me")).status).toBe(401);
    expect((await running.as(before).get("/api/auth/me")).status).toBe(401);

    await openSection(keys.title);
    await page.getByText(keys.empty).waitFor();
    await button(keys.submit).click();
    await field(keys.name).fill("backup");
    await page.getByRole("dialog").getByRole("button", { name: keys.submit, exact: true }).click();
    const shown = page.locator("code");
    await shown.first().waitFor();
    const [key = "", example] = await shown.allTextContents();
    expect(example).toBe(`curl -H "Authorization: Bearer ${key}" ${running.origin}/api/monitors`);
    const program = running.as(key);
    expect((await program.get("/api/monitors")).body.monitors).toHaveLength(1);
    expect((await program.post("/api/monitors", monitorOf("https://shop.example"))).body.code).toBe("read_only_key");
    await audit();
    await button(keys.done).click();
    await eventually(async () => (await page.content()).includes(key), false);
    await until("its use is written down", async () => {
      const { body } = await running.as(await token()).get("/api/keys");
      return (body as unknown as { keys: { last_used_at: string | null }[] }).keys[0]?.last_used_at;
    });
    await page.reload();
    const row = page.getByRole("listitem").filter({ hasText: "backup" });
    await row.getByText(keys.used).waitFor();
    // By keyboard, on phones in the menu of the row: the dialog has the focus, and its safe button comes first.
    await row.getByRole("button").focus();
    await page.keyboard.press("Enter");
    if (size === narrow) {
      await page.getByRole("menuitem", { name: keys.revoke }).focus();
      await page.keyboard.press("Enter");
    }
    await page.getByRole("dialog").getByText(keys.revokeText).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText(keys.empty).waitFor();
    expect((await program.get("/api/monitors")).status).toBe(401);

    await openSection(alerts.title);
    const otherLanguage = language === "zh-CN" ? "en-US" : "zh-CN";
    await performAndWait(page, alerts.saved.language, () =>
      page.getByLabel(alerts.language).selectOption(otherLanguage),
    );
    await page.reload();
    await eventually(() => page.getByLabel(alerts.language).inputValue(), otherLanguage);

    await openSection(data.title);
    const [download] = await Promise.all([page.waitForEvent("download"), button(data.export).click()]);
    const file = await download.path();
    expect(download.suggestedFilename()).toMatch(/^wakeful-\d{4}-\d\d-\d\d\.json$/);
    const chooser = page.locator("input[type=file]");
    const choose = (text: string) =>
      chooser.setInputFiles({ name: "file.json", mimeType: "application/json", buffer: Buffer.from(text) });
    await choose("not json");
    await page.getByText(errors.code.not_configuration).waitFor();
    const document = JSON.parse(readFileSync(file, "utf8"));
    await choose(JSON.stringify({ ...document, monitors: [{ ...document.monitors[0], url: "ftp://x" }] }));
    await page.getByText("monitors.0.url").waitFor();
    expect(newErrors().every((line) => line.includes("422"))).toBe(true);
    await choose(
      JSON.stringify({
        ...document,
        monitors: [...document.monitors, { ...document.monitors[0], id: 99, name: "Bank" }],
      }),
    );
    await page.getByText(data.added.replace("{{what}}", data.monitors_one.replace("{{count}}", "1"))).waitFor();
    await audit();
    expect(newErrors()).toEqual([]);
  });
