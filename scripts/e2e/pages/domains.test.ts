import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser } from "playwright-core";
import { type HubProcess, installConsole, joinAs, startConsole } from "../../smoke/lib/hub";
import { axeViolations } from "../lib/audit";
import { contextOf, launchBrowser, narrow, recordPageErrors, signInWith, wide } from "../lib/browser";

/** The browser finds this name on this machine. */
const DOMAIN = "wakeful.example";

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

it("a domain is added in the settings, and a visitor there enters the password and stays on the page's own addresses", async () => {
  const alice = await joinAs(running, "alice");
  const components = [{ name: "Checkout", fixed_status: "operational" }];
  const created = await alice.post("/api/pages", {
    ...{ slug: "shop", title: "Shop status", components, access: "password", password: "open sesame" },
  });
  expect(created.status).toBe(201);
  const incident = { title: "Payments fail", body: "We look into it.", pages: [created.body.page.id] };
  expect((await alice.post("/api/incidents", incident)).status).toBe(201);

  const own = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  await signInWith(own, alice.signedIn);
  const settings = await own.newPage();
  const settingsErrors = await recordPageErrors(settings);
  await settings.goto(`${running.origin}/status/config/access/${created.body.page.id}`);
  const field = settings.getByPlaceholder("status.example.com");
  const add = settings.getByRole("button", { name: "Add domain" });
  await field.fill(`https://${DOMAIN}/`);
  await add.click();
  await settings.getByText("Enter the name alone").waitFor();
  await field.fill("localhost");
  await add.click();
  await settings.getByText("localhost, can’t be used").waitFor();
  for (const domain of ["例子.example", DOMAIN]) {
    await field.fill(domain);
    await add.click();
    await settings.getByRole("link", { name: domain }).waitFor();
  }
  await settings.getByText("xn--fsqu00a.example", { exact: true }).waitFor();
  await settings.getByRole("button", { name: "Remove 例子.example" }).click();
  await settings.getByText("The domain is removed").waitFor();
  await settings.getByRole("link", { name: "例子.example" }).waitFor({ state: "detached" });
  expect(await axeViolations(settings)).toEqual([]);
  expect(settingsErrors()).toEqual([]);

  const { port } = new URL(running.origin);
  const root = `http://${DOMAIN}:${port}`;
  const visiting = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...narrow }));
  const visitor = await visiting.newPage();
  const newErrors = await recordPageErrors(visitor);
  const failed: string[] = [];
  visitor.on("response", (response) => {
    const isOwn = response.url().startsWith(root);
    if (!isOwn || response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
  });
  await visitor.goto(`${root}/`);
  await visitor.getByLabel("Password").fill("open sesame");
  await visitor.getByRole("button", { name: "Open the page" }).click();
  await visitor.getByRole("heading", { name: "Checkout" }).waitFor();
  expect(visitor.url()).toBe(`${root}/`);
  // The form itself was answered 401.
  expect(failed.splice(0)).toEqual([`401 ${root}/`]);
  newErrors();
  expect(await visitor.getByRole("link", { name: "Log in" }).count()).toBe(0);
  expect(await axeViolations(visitor)).toEqual([]);
  await visitor.getByRole("link", { name: "Payments fail" }).first().click();
  await visitor.waitForURL(/\/incidents\/[a-z]+$/);
  await visitor.getByText("We look into it.").waitFor();
  await visitor.getByRole("link", { name: "Back to the status page" }).click();
  await visitor.waitForURL(`${root}/`);
  await visitor.getByRole("link", { name: "History" }).click();
  await visitor.waitForURL(`${root}/history`);
  await visitor.getByRole("link", { name: "Payments fail" }).click();
  await visitor.waitForURL(/\/incidents\/[a-z]+$/);
  await visitor.goto(`${root}/`);
  await visitor.getByRole("link", { name: "Subscribe" }).click();
  const dialog = visitor.getByRole("dialog");
  await dialog.getByRole("button", { name: "Calendar" }).click();
  expect(await dialog.getByRole("textbox").inputValue()).toBe(`${root}/maintenance.ics`.concat("?lang=en-US"));
  // What the visitor opened was all at the domain.
  expect(failed).toEqual([]);
  expect(newErrors()).toEqual([]);
  const missing = await visitor.goto(`${root}/login`);
  expect(missing?.status()).toBe(404);
}, 300_000);
