import { afterAll, beforeAll, expect, it } from "bun:test";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { freePort } from "../../smoke/lib/free-port";
import { type HubProcess, installConsole, joinAs, PASSWORD, startConsole } from "../../smoke/lib/hub";
import { until } from "../../smoke/lib/until";
import { axeViolations } from "../lib/audit";
import { contextOf, launchBrowser, recordPageErrors, signInWith, wide } from "../lib/browser";
import { words } from "../lib/words";

const { elsewhere, common, account, profile } = words["en-US"];
const installation = installConsole();
const [hubPort, issuerPort] = [freePort(), freePort()];
const issuer = `http://127.0.0.1:${issuerPort}`;
const hub = `http://127.0.0.1:${hubPort}`;
const settings = {
  ...{ PORT: String(hubPort), PUBLIC_URL: hub, OIDC_ISSUER: issuer, OIDC_NAME: "Home", OIDC_AUTO_CREATE: "1" },
  ...{ OIDC_CLIENT_ID: "wakeful", OIDC_CLIENT_SECRET: "a secret of the tests", OIDC_ADMIN_GROUP: "wakeful-admins" },
  // The personal team of the first user.
  OIDC_TEAMS: "wakeful-admins=1:viewer",
};
let browser: Browser;
let running: HubProcess;
let provider: ReturnType<typeof Bun.spawn>;

beforeAll(async () => {
  provider = Bun.spawn([process.execPath, join(import.meta.dir, "../lib/oidc-provider.ts"), String(issuerPort), hub], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  [running, browser] = await Promise.all([startConsole(installation, settings), launchBrowser()]);
  await until(
    "the issuer answers",
    async () => (await fetch(`${issuer}/.well-known/openid-configuration`).catch(() => null))?.ok,
  );
}, 120_000);

afterAll(async () => {
  await browser.close();
  await running.stop();
  provider.kill();
  installation.remove();
});

const signInAtIssuer = async (page: Page, name: string) => {
  await page.locator("[name=login]").fill(name);
  await page.locator("[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await page.getByRole("button", { name: "Continue" }).click();
};

const openPage = async (signedIn?: { token: string; user: unknown }) => {
  const context = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  if (signedIn) await signInWith(context, signedIn);
  return context.newPage();
};

it("signs in and out at an issuer, whose groups say who is an administrator and a member of a team", async () => {
  const alice = await joinAs(running, "alice");
  const page = await openPage();
  const newErrors = await recordPageErrors(page);
  await page.goto(`${running.origin}/login?next=%2Fusers`);
  const button = page.getByRole("button", { name: elsewhere.signIn.replace("{{name}}", "Home") });
  await button.waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await button.click();
  await signInAtIssuer(page, "grace");
  // Only administrators see this page.
  await page.waitForURL(`${running.origin}/users`);
  await page.getByRole("cell", { name: "grace@example.com" }).waitFor();
  expect((await alice.get("/api/teams/1/members")).body.members).toMatchObject([
    { username: "alice", role: "owner" },
    { username: "grace", role: "viewer" },
  ]);
  // Nothing of the answer stays in the history.
  expect(await page.evaluate(() => location.href)).not.toInclude("code");
  await page.getByRole("button", { name: `${common.user.menu} grace` }).click();
  await page.getByRole("menuitem", { name: common.user.logout }).click();
  await page.waitForURL(`${issuer}/**`);
  await page.getByRole("button", { name: /yes/i }).click();
  await page.waitForURL(`${running.origin}/login*`);
  await page.getByRole("heading", { name: account.login.title }).waitFor();
  // The page of the issuer loads a font that tests do not reach.
  expect(newErrors().filter((error) => !error.includes("https://fonts."))).toEqual([]);
  await page.context().close();
});

it("links the account of a signed-in user, and says when an answer belongs to no sign-in of this tab", async () => {
  const bob = await joinAs(running, "bob");
  const page = await openPage(bob.signedIn);
  await page.goto(`${running.origin}/profile`);
  await page.getByRole("button", { name: profile.signIn.link, exact: true }).click();
  await signInAtIssuer(page, "robert");
  await page.getByRole("button", { name: profile.signIn.unlink }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  const guest = await openPage();
  await guest.goto(`${running.origin}/login/oidc?code=x&state=y`);
  await guest.getByRole("alert").waitFor();
  expect(await axeViolations(guest)).toEqual([]);
  await guest.context().close();
  await page.context().close();
});

it("says that the issuer cannot be reached, and lets administrators sign in with a password", async () => {
  provider.kill();
  await provider.exited;
  await running.stop();
  running = await startConsole(installation, { ...settings, PASSWORD_LOGIN: "off" });
  const page = await openPage();
  await page.goto(`${running.origin}/login`);
  await page.getByText(elsewhere.administrators.replace("{{name}}", "Home")).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByLabel(account.username).fill("alice");
  await page.getByLabel(account.password, { exact: false }).first().fill(PASSWORD);
  await page.getByRole("button", { name: account.login.submit, exact: true }).click();
  await page.waitForURL(`${running.origin}/dashboard`);
  await page.context().close();
});
