import { afterAll, beforeAll, expect, it, onTestFinished } from "bun:test";
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
import { axeViolations, overflow } from "../lib/audit";
import { contextOf, launchBrowser, narrow, performAndWait, recordPageErrors, signInWith, wide } from "../lib/browser";
import { eventually } from "../lib/eventually";
import { type languages, words } from "../lib/words";

const installation = installConsole();
let running: HubProcess;
let browser: Browser;

beforeAll(async () => {
  [running, browser] = await Promise.all([startConsole(installation), launchBrowser()]);
  await joinAs(running, "alice");
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  installation.remove();
});

const login = async (username: string, password = PASSWORD) =>
  (await running.as().post("/api/auth/login", { username, password })).body;

const openAs = async (username: string, language: (typeof languages)[number], size: typeof wide) => {
  const { token, user } = await login(username);
  const context = await browser.newContext(contextOf({ language, theme: size === wide ? "light" : "dark", ...size }));
  onTestFinished(() => context.close());
  await signInWith(context, { token, user });
  const page = await context.newPage();
  return { page, newErrors: await recordPageErrors(page) };
};

for (const [language, size] of [
  ["zh-CN", narrow],
  ["en-US", wide],
] as const)
  it(`lets an administrator add, change and delete users (${language}, ${size.width} px)`, async () => {
    const { account, common, users, errors } = words[language];
    const name = `dora of ${language}`;
    const { page, newErrors } = await openAs("alice", language, size);
    const button = (label: string) => page.getByRole("button", { name: label, exact: true });
    const field = (label: string) => page.getByLabel(label, { exact: false }).first();
    const row = (username: string) => page.getByRole("row").filter({ hasText: username });
    const audit = async () => {
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await axeViolations(page)).toEqual([]);
    };

    await page.goto(`${running.origin}/users`);
    await row("alice").getByText(users.you, { exact: true }).waitFor();
    // The message moves the table when it appears, so a click could miss.
    const open = page.getByRole("switch", { name: users.registration.label });
    await open.waitFor();
    await audit();
    // A change that would be refused is disabled, with the reason.
    const label = common.labelled.replace("{{label}}", common.action.delete).replace("{{value}}", "alice");
    const keep = row("alice").getByRole("button", { name: label });
    await performAndWait(page, users.delete.self, () => keep.click({ force: true }));

    // The switch shows the new state before the hub has it.
    const isStored = () => page.waitForResponse((response) => response.request().method() === "PUT");
    await Promise.all([isStored(), open.uncheck()]);
    await page.getByText(users.registration.closed).waitFor();
    const refused = await running.as().post("/api/auth/register", { username: "mallory", password: PASSWORD });
    expect(refused.body.code).toBe("registration_closed");
    await Promise.all([isStored(), open.check()]);
    await page.getByText(users.registration.open).waitFor();

    await page.getByRole("link", { name: users.create }).click();
    await page.getByRole("heading", { name: users.form.createTitle }).waitFor();
    await field(account.username).fill("ALICE");
    await field(account.email).fill(`dora@${language.toLowerCase()}.example`);
    await field(users.form.password).fill(PASSWORD);
    await button(users.form.submit).click();
    await page.getByText(errors.code.username_taken).waitFor();
    expect(newErrors().every((line) => line.includes("409"))).toBe(true);
    await field(account.username).fill(name);
    await audit();
    await performAndWait(page, users.form.created.replace("{{name}}", name), () => button(users.form.submit).click());
    const dora = await signIn(running, name);
    await dora.post("/api/monitors", monitorOf(`${running.origin}/health`));

    await row(name).getByRole("link", { name, exact: true }).click();
    await page.getByRole("heading", { name, exact: true }).waitFor();
    await page.getByLabel(users.form.role).selectOption("admin");
    await performAndWait(page, users.form.saved, () => button(common.action.save).click());
    await field(users.edit.newPassword).fill("another password");
    await performAndWait(page, users.edit.passwordSet.replace("{{name}}", name), () =>
      button(users.edit.setPassword).click(),
    );
    expect((await login(name, "another password")).user.role).toBe("admin");
    expect((await dora.get("/api/auth/me")).status).toBe(401);
    await audit();

    await button(users.edit.delete).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(users.delete.monitors_one.replace("{{count}}", "1")).waitFor();
    await audit();
    const yes = dialog.getByRole("button", { name: common.action.delete, exact: true });
    await performAndWait(page, users.delete.done.replace("{{name}}", name), () => yes.click());
    await row("alice").waitFor();
    await row(name).waitFor({ state: "detached" });
    expect((await login(name, "another password")).code).toBe("invalid_credentials");

    // There is no other administrator now.
    await row("alice").getByRole("link", { name: "alice", exact: true }).click();
    await page.getByText(users.edit.lastAdmin).waitFor();
    await eventually(() => page.getByLabel(users.form.role).isDisabled(), true);
    await button(users.edit.delete).waitFor({ state: "detached" });
    expect(newErrors()).toEqual([]);
  });
