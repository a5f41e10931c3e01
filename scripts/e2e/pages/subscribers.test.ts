import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser } from "playwright-core";
import { decoded } from "../../../src/testing/fixtures/pages/subscribers";
import { serveSmtp } from "../../../src/testing/servers/smtp";
import { subscribe as dialogWords } from "../../../web/locales/en-US/pages/subscribe";
import { installConsole, joinAs, monitorOf, startConsole } from "../../smoke/lib/hub";
import { until } from "../../smoke/lib/until";
import { axeViolations } from "../lib/audit";
import { contextOf, launchBrowser, recordPageErrors, signInWith, wide } from "../lib/browser";
import { words } from "../lib/words";

const installation = installConsole();
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  installation.remove();
});

it("a visitor subscribes on the status page, confirms by the mail, gets an incident and leaves", async () => {
  const { mails, port } = await serveSmtp();
  const running = await startConsole(installation, {
    ...{ SMTP_URL: `smtp://127.0.0.1:${port}?security=none`, MAIL_FROM: "Wakeful <wakeful@example.com>" },
    PUBLIC_URL: "http://localhost:1",
  });
  const alice = await joinAs(running, "alice");
  await alice.post("/api/monitors", monitorOf("http://localhost:1/", "Shop"));
  await alice.post("/api/monitors", monitorOf("http://localhost:1/", "Mail"));
  const { monitors } = (await alice.get("/api/monitors")).body;
  await alice.post("/api/status/config", { title: "Acme", monitors: monitors.map(({ id }) => id) });
  const guest = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  const visitor = await guest.newPage();
  const newErrors = await recordPageErrors(visitor);
  await visitor.goto(`${running.origin}/status`);
  await visitor.getByRole("link", { name: words["en-US"].statusPage.subscribe, exact: true }).click();
  await visitor.getByRole("heading", { name: dialogWords.title }).waitFor();
  await visitor.getByText(dialogWords.some).click();
  await visitor.getByRole("checkbox", { name: "Shop" }).check();
  expect(await axeViolations(visitor)).toEqual([]);
  await visitor.getByLabel(dialogWords.emailLabel).fill("dora@example.com");
  await visitor.getByRole("button", { name: dialogWords.submit }).click();
  await visitor.getByText(dialogWords.sent).waitFor();
  expect(await axeViolations(visitor)).toEqual([]);
  await until("the mail", async () => mails.length === 1);
  const link = /http:\/\/localhost:1(\/status\/\S+?\/subscription\/[0-9a-z-]+)/.exec(
    decoded(mails[0]?.body ?? ""),
  )?.[1];
  await visitor.goto(running.origin + link);
  expect(await axeViolations(visitor)).toEqual([]);
  await visitor.getByRole("button", { name: "Confirm subscription" }).click();
  await visitor.getByText("Your subscription is confirmed.").waitFor();
  expect(await visitor.getByRole("checkbox", { name: "Shop" }).isChecked()).toBe(true);
  expect(await visitor.getByRole("checkbox", { name: "Mail" }).isChecked()).toBe(false);
  expect(await axeViolations(visitor)).toEqual([]);

  await alice.post("/api/incidents", { title: "Payments fail", body: "We look into it." });
  await until("the incident", async () => mails.length === 2);
  expect(mails[1]?.headers.subject).toBe("[Acme] Investigating: Payments fail");

  const context = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  await signInWith(context, alice.signedIn);
  const owner = await context.newPage();
  await owner.goto(`${running.origin}/status/config/subscribers`);
  await owner.getByText("dora@example.com").waitFor();
  expect(await axeViolations(owner)).toEqual([]);

  await visitor.getByRole("button", { name: "Unsubscribe" }).click();
  await visitor.getByText("You are unsubscribed").waitFor();
  expect(newErrors()).toEqual([]);
  await owner.reload();
  await owner.getByText("No subscribers yet").waitFor();
  await context.close();
  await running.stop();
}, 300_000);
