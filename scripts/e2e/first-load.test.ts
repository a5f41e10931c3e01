import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser } from "playwright-core";
import { type HubProcess, installConsole, joinAs, monitorOf, PASSWORD, startConsole } from "../smoke/lib/hub";
import { contextOf, launchBrowser, signInWith, wide } from "./lib/browser";
import { eventually } from "./lib/eventually";
import { addServer } from "./lib/servers";
import { languages, words } from "./lib/words";

/**
 * What a first visit loads at most, in KB of 1024 bytes over the wire, by path. Some 0.3 KB differ from visit to visit, and
 * the document of the API grows with each call.
 */
const LIMITS = { "/": 140, "/login": 140, "/api/docs": 180 };
const installation = installConsole();
let running: HubProcess;
let alice: Awaited<ReturnType<typeof joinAs>>;
let browser: Browser;

beforeAll(async () => {
  running = await startConsole(installation);
  alice = await joinAs(running, "alice");
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  installation.remove();
});

for (const language of languages) {
  for (const [path, limit] of Object.entries(LIMITS)) {
    it(`sends less than ${limit} KB for a first visit to ${path} (${language})`, async () => {
      const context = await browser.newContext(contextOf({ language, theme: "light", ...wide }));
      const page = await context.newPage();
      const protocol = await context.newCDPSession(page);
      let bytes = 0;
      protocol.on("Network.loadingFinished", ({ encodedDataLength }) => {
        bytes += encodedDataLength;
      });
      await protocol.send("Network.enable");
      await page.goto(running.origin + path, { waitUntil: "networkidle" });
      await page.getByRole("heading", { level: 1 }).waitFor();
      console.log(`first visit to ${path} in ${language}: ${(bytes / 1024).toFixed(1)} KB over the wire`);
      expect(bytes).toBeGreaterThan(0);
      expect(bytes).toBeLessThan(limit * 1024);
      await context.close();
    });
  }
}

it("signs in with the keyboard alone", async () => {
  const { account, dashboard } = words["en-US"];
  const context = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  const page = await context.newPage();
  await page.goto(`${running.origin}/login`);
  await page.getByRole("heading", { name: account.login.title }).waitFor();
  const focusedName = () => page.evaluate(() => document.activeElement?.getAttribute("name"));
  for (let presses = 0; presses < 20 && (await focusedName()) !== "username"; presses++)
    await page.keyboard.press("Tab");
  await eventually(focusedName, "username");
  await page.keyboard.type("alice");
  await page.keyboard.press("Tab");
  await eventually(focusedName, "password");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Tab");
  const outline = await page.evaluate(() => {
    const { outlineStyle, boxShadow } = getComputedStyle(document.activeElement ?? document.body);
    return outlineStyle !== "none" || boxShadow !== "none";
  });
  expect(outline).toBe(true);
  // The button that shows the password and the link for a forgotten one are before the button that signs in.
  for (let press = 0; press < 2; press++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: dashboard.nothing }).waitFor();
  await context.close();
});

it("uses the answer to each request that a screen's document sends before the scripts are loaded", async () => {
  const { monitor } = (await alice.post("/api/monitors", { ...monitorOf("http://127.0.0.1:9/", "Shop"), retries: 0 }))
    .body;
  const server = await addServer(running.origin, alice, "web-1", 20);
  const context = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  await signInWith(context, alice.signedIn);
  await context.addInitScript(() => {
    let answers: Window["firstAnswers"];
    Object.defineProperty(window, "firstAnswers", {
      get: () => answers,
      set: (next: Window["firstAnswers"]) => {
        if (next === undefined)
          document.documentElement.dataset.unused = [...(answers?.answers.keys() ?? [])].join(" ");
        answers = next;
      },
    });
  });
  const screens = [
    "dashboard",
    "monitors",
    `monitors/${monitor.id}`,
    "agents",
    `agents/${server}`,
    "notifications",
    "users",
  ];
  for (const screen of [...screens, "outages", "reports", "status/config", "system", "profile", "profile/keys"]) {
    const page = await context.newPage();
    await page.goto(`${running.origin}/${screen}`);
    await page.waitForFunction(() => document.documentElement.dataset.unused !== undefined);
    const unused = await page.evaluate(() => document.documentElement.dataset.unused);
    expect([screen, unused]).toEqual([screen, ""]);
    await page.close();
  }
  await context.close();
});
