import { afterAll, beforeAll, expect, it, onTestFinished } from "bun:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { checkError, checkErrorText } from "../../src/shared/check-error";
import { freePort } from "../smoke/lib/free-port";
import { installConsole, PASSWORD, startConsole } from "../smoke/lib/hub";
import { startNginx } from "../smoke/lib/nginx";
import { axeViolations } from "./lib/audit";
import { contextOf, launchBrowser, narrow, recordPageErrors, wide } from "./lib/browser";
import { atPath, eventually, fieldFocused } from "./lib/eventually";
import { languages, words } from "./lib/words";

const installation = installConsole();
let running: Awaited<ReturnType<typeof startConsole>>;
let browser: Browser;
beforeAll(async () => {
  [running, browser] = await Promise.all([startConsole(installation), launchBrowser()]);
  await send("register", { username: "alice", password: PASSWORD, email: "alice@example.com" });
});
afterAll(async () => {
  await browser.close();
  await running.stop();
  installation.remove();
});

/** An empty installation, which ends with the test. */
const freshInstall = async () => {
  const installation = installConsole();
  const running = await startConsole(installation);
  onTestFinished(async () => {
    await running.stop();
    installation.remove();
  });
  return running;
};

const openPage = async (look: Parameters<typeof contextOf>[0]) => {
  const context = await browser.newContext(contextOf(look));
  onTestFinished(() => context.close());
  const page = await context.newPage();
  return { context, page, newErrors: await recordPageErrors(page) };
};

const site = async () => {
  const port = freePort();
  const target = await startNginx(
    port,
    `server { listen 127.0.0.1:${port}; location / { return 200 fine; } location /bad { return 503; } }`,
  );
  onTestFinished(target.stop);
  return `127.0.0.1:${port}`;
};

const send = (path: string, body: object) =>
  fetch(`${running.origin}/api/auth/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  }).then((response) => response.json());

/** Returns an open page that is signed in with a session of its own. */
const signedIn = async (look: Parameters<typeof contextOf>[0]) => {
  const { origin } = running;
  const { token, user } = await send("login", { username: "alice", password: PASSWORD });
  const opened = await openPage(look);
  await opened.page.goto(`${origin}/login`);
  await opened.page.evaluate(
    ([token, user]) => {
      localStorage.setItem("token", token ?? "");
      localStorage.setItem("user", user ?? "");
    },
    [String(token), JSON.stringify(user)],
  );
  return { origin, token: String(token), ...opened };
};

/** The name of the field that has the focus. */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("name"));

for (const language of languages)
  it(`a fresh installation makes its first check within 4 clicks and 6 fields, signing in included (${language})`, async () => {
    const { origin } = await freshInstall();
    const address = await site();
    const { page, newErrors } = await openPage({ language, theme: "light", ...wide });
    const { account, dashboard, home, monitors } = words[language];
    let clicks = 0;
    let fields = 0;
    const click = async (name: string) => {
      clicks++;
      await page.getByRole("link", { name, exact: true }).first().click();
    };
    /** Types into the field that has the focus already, or that the Tab key leads to. */
    const type = async (name: string, text: string) => {
      fields++;
      await page.locator(`[name=${name}]`).waitFor();
      for (let tabs = 0; (await focused(page)) !== name && tabs < 3; tabs++) await page.keyboard.press("Tab");
      await fieldFocused(page, name);
      await page.keyboard.type(text);
    };
    const enter = () => page.keyboard.press("Enter");

    await page.goto(origin);
    await page.locator(".hero a[href$='/register']").waitFor();
    await click(home.start);
    await page.getByText(account.register.first).waitFor();
    await type("username", "alice");
    await type("email", "alice@example.com");
    await type("password", PASSWORD);
    await type("confirm", PASSWORD);
    await enter();
    await page.getByText(account.register.done).waitFor();
    await atPath(page, "/login");
    await eventually(() => page.locator("[name=username]").inputValue(), "alice");
    await type("password", PASSWORD);
    await enter();
    await click(dashboard.welcome.addMonitor);
    await page.getByRole("heading", { name: monitors.form.createTitle }).waitFor();
    await type("url", `${address}/health`);
    await enter();

    await page.waitForURL(`${origin}/monitors`);
    await page.getByText(address, { exact: true }).first().waitFor();
    const { token } = await page.evaluate(() => ({ token: localStorage.getItem("token") }));
    const first = () =>
      fetch(`${origin}/api/monitors/1`, { headers: { authorization: `Bearer ${token}` } }).then((r) => r.json());
    while ((await first()).monitor.status !== "up") await page.waitForTimeout(50);
    expect((await first()).monitor).toMatchObject({ name: address, url: `http://${address}/health`, interval: 60 });
    expect(clicks).toBeLessThanOrEqual(4);
    expect(fields).toBeLessThanOrEqual(6);
    expect(newErrors()).toEqual([]);
  });

for (const language of languages)
  it(`an address is probed on leaving its field, and wrong fields are named below the navigation bar (${language})`, async () => {
    const { origin, page, newErrors } = await signedIn({ language, theme: "dark", ...narrow });
    const { common, errors, monitors } = words[language];
    const address = await site();
    await page.goto(`${origin}/monitors`);
    await page.getByRole("link", { name: monitors.create }).first().click();
    await page.getByRole("heading", { name: monitors.form.createTitle }).waitFor();
    await fieldFocused(page, "url");

    await page.keyboard.type(`${address}/bad`);
    await page.keyboard.press("Tab");
    await page
      .getByText(checkErrorText(checkError("status", { actual: 503, expected: "200" }), language))
      .first()
      .waitFor();
    await page.locator("[name=url]").fill(`${address}/health`);
    await page.keyboard.press("Tab");
    await page
      .locator(".probe[data-outcome=up]")
      .getByText(/^200 · [\d.]+ ms/)
      .waitFor();
    await eventually(() => page.locator("[name=name]").inputValue(), address);

    // Pressing the fold does not miss it, although the field that is left has an error now.
    await page.locator("[name=url]").fill("ftp://x");
    await page.locator("summary").click();
    await page.locator("[name=timeout]").fill("");
    await page.locator("[name=retries]").fill("19");
    await page.locator("summary").click();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.getByRole("button", { name: monitors.form.submitCreate, exact: true }).click();
    await page.getByText(errors.field.url).waitFor();
    for (const text of [errors.missing.timeout, errors.field.retries]) await page.getByText(text).waitFor();
    await fieldFocused(page, "url");
    const isCovered = () =>
      page.evaluate(() => {
        const field = document.activeElement?.closest(".field")?.getBoundingClientRect();
        const bar = document.querySelector(".navbar")?.getBoundingClientRect();
        const save = document.querySelector(".save-bar")?.getBoundingClientRect();
        return !field || !bar || !save || field.top < bar.bottom || field.bottom > save.top;
      });
    await eventually(isCovered, false);
    expect(await axeViolations(page)).toEqual([]);
    await page.locator("[name=url]").fill("https://example.com");
    await page.getByRole("button", { name: monitors.form.submitCreate, exact: true }).click();
    await fieldFocused(page, "timeout");

    // A link, a command and the back button ask before the typed text is lost.
    const dialog = page.getByRole("dialog");
    for (const leave of [
      () => page.getByRole("link", { name: "Wakeful" }).click(),
      () => page.evaluate(() => history.pushState(null, "", "/dashboard")),
      () => page.evaluate(() => history.back()),
    ]) {
      await leave();
      await dialog.getByText(words[language].shared.leave.text).waitFor();
      await dialog.getByRole("button", { name: common.action.cancel, exact: true }).click();
      await dialog.waitFor({ state: "detached" });
      await atPath(page, "/monitors/create");
    }
    await page.getByRole("link", { name: "Wakeful" }).click();
    await dialog.getByRole("button", { name: words[language].shared.leave.confirm, exact: true }).click();
    await page.waitForURL(`${origin}/`);
    expect(newErrors()).toEqual([]);
  });

/** Ends the session on the hub, without the page knowing. */
const endSession = (origin: string, token: string) =>
  fetch(`${origin}/api/auth/logout`, { method: "POST", headers: { authorization: `Bearer ${token}` } });

const signInAgain = async (page: Page) => {
  await page.locator("[name=username]").fill("alice");
  await page.locator("[name=password]").fill(PASSWORD);
  await page.keyboard.press("Enter");
};

for (const language of languages)
  it(`a deep link survives signing in, and a session that ends in the middle of a form (${language})`, async () => {
    const { origin, page, token } = await signedIn({ language, theme: "light", ...wide });
    const { account, monitors, notifications } = words[language];
    await page.goto(`${origin}/monitors/create`);
    await page.getByRole("heading", { name: monitors.form.createTitle }).waitFor();
    await page.locator("[name=url]").fill("example.com");
    await endSession(origin, token);
    // A page of a slow machine may notice by another call that the session has ended, before it is clicked.
    const submitted = page.getByRole("button", { name: monitors.form.submitCreate, exact: true }).click();
    submitted.catch(() => {});
    // It says that what was typed is not saved.
    await page.getByText(account.login.endedUnsaved).waitFor();
    await atPath(page, "/login");
    await signInAgain(page);
    await page.waitForURL(`${origin}/monitors/create`);
    await page.getByRole("heading", { name: monitors.form.createTitle }).waitFor();

    const context: BrowserContext = page.context();
    const stranger = await context.newPage();
    await stranger.goto(`${origin}/login`);
    await stranger.evaluate(() => localStorage.clear());
    await stranger.evaluate((language) => localStorage.setItem("i18nextLng", language), language);
    await stranger.goto(`${origin}/notifications?tab=channels`);
    await stranger.getByText(account.login.next).waitFor();
    await stranger.reload();
    await stranger.getByText(account.login.next).waitFor();
    await signInAgain(stranger);
    await stranger.waitForURL(`${origin}/notifications?tab=channels`);
    await stranger.getByRole("heading", { name: notifications.title, exact: true }).waitFor();
  });
