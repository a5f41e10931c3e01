import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser } from "playwright-core";
import { serveSmtp } from "../../../src/testing/servers/smtp";
import { installConsole, joinAs, PASSWORD, startConsole } from "../../smoke/lib/hub";
import { until } from "../../smoke/lib/until";
import { axeViolations } from "../lib/audit";
import { contextOf, launchBrowser, recordPageErrors, signInWith, wide } from "../lib/browser";
import { words } from "../lib/words";

const NEW = "another good password";
const { account, reset, system, common } = words["en-US"];

const installation = installConsole();
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  installation.remove();
});

it("a forgotten password is reset by a link in a mail, which an administrator has tried before", async () => {
  const { mails, port } = await serveSmtp();
  const running = await startConsole(installation, {
    ...{ SMTP_URL: `smtp://127.0.0.1:${port}?security=none`, MAIL_FROM: "Wakeful <wakeful@example.com>" },
    PUBLIC_URL: "http://localhost:1",
  });
  const alice = await joinAs(running, "alice");
  await alice.put("/api/users/1", { email: "alice@example.com", currentPassword: PASSWORD });
  await until("the link that verifies the address", async () => mails.length === 1);
  const context = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  await signInWith(context, alice.signedIn);
  const page = await context.newPage();
  await page.goto(`${running.origin}/system`);
  await page.getByRole("button", { name: system.mailServer.test }).click();
  await page.getByText(system.mailServer.sent.replace("{{reply}}", "250 queued as 1")).waitFor();
  await context.close();

  const guest = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  const visitor = await guest.newPage();
  const newErrors = await recordPageErrors(visitor);
  await visitor.goto(`${running.origin}/login`);
  await visitor.getByRole("link", { name: account.login.forgot }).click();
  await visitor.getByRole("heading", { name: reset.forgotTitle }).waitFor();
  expect(await axeViolations(visitor)).toEqual([]);
  await visitor.getByLabel(account.email).fill("alice@example.com");
  await visitor.getByRole("button", { name: reset.send }).click();
  await visitor.getByText(reset.sent).waitFor();
  await until("the mail", async () => mails.length === 3);
  const text = (mails[2]?.body ?? "").replace(/=\r\n/g, "");
  const hash = /\/reset(#[\w.-]+)/.exec(text)?.[1] ?? "";
  await visitor.goto(`${running.origin}/reset${hash}`);
  await visitor.getByRole("heading", { name: reset.title }).waitFor();
  await visitor.waitForFunction(() => location.hash === "");
  expect(await axeViolations(visitor)).toEqual([]);
  await visitor.getByLabel(reset.password).fill(NEW);
  await visitor.getByLabel(account.confirm).fill(NEW);
  await visitor.getByRole("button", { name: reset.save }).click();
  await visitor.getByText(reset.saved).waitFor();
  await visitor.getByLabel(account.username).fill("alice");
  await visitor.locator("[name=password]").fill(NEW);
  await visitor.getByRole("button", { name: account.login.submit }).click();
  await visitor.getByRole("link", { name: common.nav.dashboard }).first().waitFor();
  expect(newErrors()).toEqual([]);
  await guest.close();
  await running.stop();
});
