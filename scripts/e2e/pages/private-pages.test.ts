import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser } from "playwright-core";
import { type HubProcess, installConsole, joinAs, PASSWORD, startConsole } from "../../smoke/lib/hub";
import { contextOf, launchBrowser, narrow, recordPageErrors, signInWith, wide } from "../lib/browser";
import { words } from "../lib/words";

const installation = installConsole();
let running: HubProcess;
let browser: Browser;

beforeAll(async () => {
  [running, browser] = await Promise.all([startConsole(installation), launchBrowser()]);
}, 300_000);

afterAll(async () => {
  await browser.close();
  await running.stop();
  installation.remove();
});

it("a further page is created with components and a password, which opens it to visitors", async () => {
  const alice = await joinAs(running, "alice");
  const own = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  await signInWith(own, alice.signedIn);
  const editor = await own.newPage();
  const newErrors = await recordPageErrors(editor);
  await editor.goto(`${running.origin}/status/config/pages?add`);
  const dialog = editor.getByRole("dialog");
  await dialog.getByLabel("Title").fill("Shop status");
  await dialog.getByRole("button", { name: "Create" }).click();
  await editor.getByRole("button", { name: "Add component" }).first().click();
  await editor.getByRole("dialog").getByLabel("Name").fill("Checkout");
  await editor.getByRole("dialog").getByLabel("Status").selectOption("operational");
  await editor.getByRole("dialog").getByRole("button", { name: "Done" }).click();
  // The preview has what is not saved yet.
  await editor.frameLocator(".preview-frame").getByRole("heading", { name: "Checkout" }).waitFor();
  expect(await editor.locator(".preview-blank").count()).toBe(0);
  await editor.getByRole("button", { name: "Save" }).click();
  await editor.getByText("The status page is saved").waitFor();
  await editor.getByRole("link", { name: "Access" }).click();
  await editor.getByLabel("Who may read it").selectOption("password");
  // The error of the field is at the field.
  await editor.getByLabel("Password").fill("short");
  await editor.getByRole("button", { name: "Save" }).click();
  expect(await editor.getByLabel("Password").getAttribute("aria-invalid")).toBe("true");
  await editor.getByLabel("Password").fill("open sesame");
  await editor.getByRole("button", { name: "Save" }).click();
  await editor.getByText("The access is changed").waitFor();
  expect(newErrors()).toEqual([]);

  const visiting = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...narrow }));
  const visitor = await visiting.newPage();
  await visitor.goto(`${running.origin}/status/shop-status`);
  await visitor.getByRole("heading", { name: "This status page is private" }).waitFor();
  expect(await visitor.content()).not.toContain("Checkout");
  await visitor.getByLabel("Password").fill("open barley");
  await visitor.getByRole("button", { name: "Open the page" }).click();
  await visitor.getByRole("alert").getByText("This password is wrong.").waitFor();
  await visitor.getByLabel("Password").fill("open sesame");
  await visitor.getByRole("button", { name: "Open the page" }).click();
  await visitor.getByText("Checkout").waitFor();
  expect(new URL(visitor.url()).pathname).toBe("/status/shop-status");
  // The script of the page reads its data with the cookie, too.
  const data = await visitor.evaluate(async () => (await fetch("./status/shop-status/data.json")).status);
  expect(data).toBe(200);
}, 300_000);

it("a page for members opens for a member who is signed in, and after a sign-in", async () => {
  const bob = await joinAs(running, "bob");
  await bob.post("/api/pages", {
    ...{ slug: "internal", title: "Internal", access: "members" },
    components: [{ name: "Payroll", fixed_status: "operational" }],
  });
  const context = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  const page = await context.newPage();
  await page.goto(`${running.origin}/status/internal`);
  await page.getByText("Sign in to open it.").waitFor();
  const { account } = words["en-US"];
  const stranger = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  const visitor = await stranger.newPage();
  await visitor.goto(`${running.origin}/status/internal`);
  await visitor.getByRole("link", { name: "Sign in" }).click();
  await visitor.getByLabel(account.username).fill("bob");
  await visitor.locator("input[type=password]").fill(PASSWORD);
  await visitor.getByRole("button", { name: account.login.submit, exact: true }).click();
  await visitor.getByText("Payroll").waitFor();

  await signInWith(context, bob.signedIn);
  const member = await context.newPage();
  await member.goto(`${running.origin}/status/internal`);
  await member.getByText("Payroll").waitFor();
}, 300_000);
