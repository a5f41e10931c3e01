import { afterAll, beforeAll, describe, expect, it } from "bun:test";
import type { Browser } from "playwright-core";
import type { OpenApiDocument } from "../../src/modules/docs/document";
import { installConsole, startConsole } from "../smoke/lib/hub";
import { axeViolations, overflow } from "./lib/audit";
import { type Look, launchBrowser, narrow, reusePage, wide } from "./lib/browser";
import { eventually } from "./lib/eventually";
import { screenshot } from "./lib/pictures";

const looks: Look[] = [
  { language: "en-US", theme: "light", ...wide },
  { language: "zh-CN", theme: "dark", ...wide },
  { language: "en-US", theme: "dark", ...narrow },
  { language: "zh-CN", theme: "light", ...narrow },
];

let installation: ReturnType<typeof installConsole>;
let running: Awaited<ReturnType<typeof startConsole>>;
let browser: Browser;
let origin: string;

beforeAll(async () => {
  installation = installConsole();
  [running, browser] = await Promise.all([startConsole(installation, { BASE_PATH: "/up" }), launchBrowser()]);
  origin = `${running.origin}/up`;
}, 120_000);

afterAll(async () => {
  await browser.close();
  await running.stop();
  installation.remove();
});

const open = async (look: Look, hash = "") => {
  const opened = await reusePage(browser, look);
  await opened.page.goto(`${origin}/api/docs${hash}`);
  await opened.page.waitForSelector(".call");
  return opened;
};

describe("the API page", () => {
  for (const look of looks) {
    const { language, theme, width } = look;
    it(`is readable in ${language}, ${theme}, ${width} px wide`, async () => {
      const { page, newErrors } = await open(look);
      await screenshot(page, `docs-${language}-${theme}-${width}`);
      expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
      expect(await overflow(page)).toBe(0);
      expect(await page.locator(".footer a").count()).toBe(3);
      await page.locator("#updateUser > summary").click();
      await page.locator("#updateUser details.answer > summary").click();
      await screenshot(page, `call-${language}-${theme}-${width}`);
      expect(await overflow(page)).toBe(0);
      expect(newErrors()).toEqual([]);
      // Colours do not depend on the width.
      if (width === wide.width) expect(await axeViolations(page)).toEqual([]);
    });
  }

  it("shows every call, and finds calls by word", async () => {
    const { page } = await open(looks[0] as Look);
    const { paths } = (await (await fetch(`${origin}/api/openapi.json`)).json()) as OpenApiDocument;
    const count = Object.values(paths).flatMap((methods) => Object.keys(methods)).length;
    expect(await page.locator(".call").count()).toBe(count);
    await page.getByRole("searchbox").fill("recovery codes");
    const shown = page.locator(".call:visible");
    await shown.nth(10).waitFor({ state: "hidden" });
    expect(await shown.count()).toBeGreaterThan(0);
    await page.getByRole("searchbox").fill("zebra");
    await page.locator("#nothing").waitFor();
  });

  it("opens the call that its address names, whose curl command works", async () => {
    const { page } = await open(looks[0] as Look, "#register");
    const command = (await page.locator("#register .code").first().locator("code").textContent()) ?? "";
    expect(command).toStartWith(`curl -X POST '${origin}/api/auth/register'`);
    const shell = Bun.spawnSync(["sh", "-c", command]);
    expect(JSON.parse(shell.stdout.toString())).toMatchObject({ success: true });
  });

  it("keeps the chosen language and theme", async () => {
    const { page } = await open(looks[0] as Look);
    await page.getByRole("button", { name: "Language" }).click();
    await page.getByRole("menuitemradio", { name: "中文" }).click();
    await page.getByRole("button", { name: "外观" }).click();
    await page.getByRole("menuitemradio", { name: "深色" }).click();
    await eventually(() => page.evaluate(() => document.documentElement.dataset.theme), "dark");
    await eventually(() => page.locator(".calls > h2").first().textContent(), "账号");
    await page.reload();
    await page.waitForSelector(".call");
    await eventually(
      () => page.evaluate(() => [document.documentElement.dataset.theme, document.documentElement.lang]),
      ["dark", "zh-CN"],
    );
    expect(await page.locator("main h1").textContent()).toStartWith("API");
  });
});
