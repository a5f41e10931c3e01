import { afterAll, beforeAll, expect, it } from "bun:test";
import type { Browser } from "playwright-core";
import { type HubProcess, installConsole, joinAs, monitorOf, startConsole } from "../smoke/lib/hub";
import { axeViolations } from "./lib/audit";
import { launchBrowser, narrow, performAndWait, reusePage, wide } from "./lib/browser";
import { atPath, eventually } from "./lib/eventually";
import { screenshot } from "./lib/pictures";
import { words } from "./lib/words";

const NAMES = ["Shop", "Bank", "Library"];
const installation = installConsole();
let running: HubProcess;
let browser: Browser;
type Person = { token: string; user: unknown };
let signedIn: Person;
let newcomer: Person;

beforeAll(async () => {
  running = await startConsole(installation);
  const alice = await joinAs(running, "alice");
  for (const name of NAMES) await alice.post("/api/monitors", monitorOf(`${running.origin}/health`, name));
  await alice.post("/api/status/config", {});
  signedIn = alice.signedIn;
  newcomer = (await joinAs(running, "bob")).signedIn;
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  installation.remove();
});

for (const [language, size] of [
  ["zh-CN", wide],
  ["en-US", narrow],
] as const)
  it(`publishes what is ticked, and loses no change unasked (${language}, ${size.width} px)`, async () => {
    const { status, common, monitors } = words[language];
    const theme = size === wide ? "light" : "dark";
    const { page, newErrors } = await reusePage(browser, { language, theme, ...size }, signedIn);
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    const tab = (name: string) => page.getByRole("tab", { name, exact: true });
    const audit = async (name: string) => {
      await screenshot(page, `${name}-${language}-${size.width}`, true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
      expect(await axeViolations(page)).toEqual([]);
    };
    const title = `Acme ${language} ${size.width}`;

    await page.goto(`${running.origin}/monitors`);
    await page.getByRole("heading", { name: monitors.title, exact: true }).waitFor();
    // Navigates inside the page, so that the back button stays inside it.
    await page.getByRole("link", { name: common.nav.statusConfig, exact: true }).click();
    await tab(status.tabs.general).waitFor();
    await eventually(
      () => page.getByLabel(status.general.publicUrl, { exact: true }).inputValue(),
      `${running.origin}/status`,
    );
    // The button appears with the first change.
    expect(await button(common.action.save).count()).toBe(0);
    await page.getByLabel(status.general.title, { exact: true }).fill(title);
    await button(common.action.save).waitFor();
    // The preview shows what is being edited: beside the form, or below it once it is opened.
    if (size === narrow) await page.locator("summary", { hasText: status.livePreview }).click();
    const framed = page.frameLocator(".preview-frame");
    await framed.getByRole("heading", { name: title, level: 1 }).waitFor();
    // Computes the duration of outages from the current time.
    await framed.getByText(`© ${new Date().getUTCFullYear()}`).waitFor();
    await audit("general");

    await tab(status.tabs.services).click();
    await button(status.clear).click();
    await page.getByRole("searchbox").fill("ba");
    await page.getByRole("checkbox", { name: "Bank" }).check();
    await eventually(() => page.getByRole("checkbox").count(), 1);
    await page.getByRole("searchbox").fill("");
    await audit("services");
    await tab(status.tabs.agents).click();
    await page.getByRole("heading", { name: status.agents.empty.title }).waitFor();

    // A link and the back button both ask for confirmation; staying keeps the edits.
    await page.getByRole("link", { name: "Wakeful" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(words[language].shared.leave.text).waitFor();
    await dialog.getByRole("button", { name: common.action.cancel, exact: true }).click();
    await page.evaluate(() => history.back());
    await dialog.getByText(words[language].shared.leave.text).waitFor();
    await dialog.getByRole("button", { name: common.action.cancel, exact: true }).click();
    await atPath(page, "/status/config");
    await tab(status.tabs.general).click();
    await eventually(() => page.getByLabel(status.general.title, { exact: true }).inputValue(), title);

    await page.getByLabel(status.general.logoUrl, { exact: true }).fill("http://plain.example/logo.png");
    await button(common.action.save).click();
    await page.getByLabel(status.general.logoUrl, { exact: true }).and(page.locator("[aria-invalid=true]")).waitFor();
    expect(newErrors().every((text) => text.includes("422"))).toBe(true);
    await page.getByLabel(status.general.logoUrl, { exact: true }).fill("");
    await performAndWait(page, status.saved, () => button(common.action.save).click());
    await eventually(() => button(common.action.save).count(), 0);

    const [preview] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("link", { name: status.open }).click(),
    ]);
    await preview.getByRole("heading", { name: title, level: 1 }).waitFor();
    await preview.getByRole("heading", { name: words[language].statusPage.services }).waitFor();
    await eventually(() => preview.getByRole("heading", { level: 3 }).allTextContents(), ["Bank"]);
    await preview.close();

    // Saved edits need no confirmation; unsaved ones may be discarded.
    await page.getByLabel(status.general.title, { exact: true }).fill("Never saved");
    await page.getByRole("link", { name: "Wakeful" }).click();
    await dialog.getByRole("button", { name: words[language].shared.leave.confirm, exact: true }).click();
    await page.waitForURL(`${running.origin}/`);
    expect(newErrors()).toEqual([]);
  });

it("orders services by drag and by keys, puts them into groups, and shows that at once", async () => {
  const { status, common } = words["en-US"];
  const { page, newErrors } = await reusePage(browser, { language: "en-US", theme: "light", ...wide }, signedIn);
  await page.goto(`${running.origin}/status/config?tab=services`);
  await page.getByRole("button", { name: status.all }).click();
  await page.getByRole("tab", { name: status.tabs.layout }).click();
  const handle = (name: string) =>
    page.getByRole("button", { name: status.layout.move.replace("{{name}}", name), exact: true });
  const rows = page.locator(".layout-item");
  const framed = page.frameLocator(".preview-frame").getByRole("heading", { level: 3 });
  await eventually(async () => (await rows.allTextContents()).toSorted(), NAMES.toSorted());
  const [first = "", second = "", last = ""] = await rows.allTextContents();

  const from = await handle(last).boundingBox();
  const to = await rows.first().boundingBox();
  await page.mouse.move((from?.x ?? 0) + 8, (from?.y ?? 0) + 8);
  await page.mouse.down();
  await page.mouse.move((to?.x ?? 0) + 20, (to?.y ?? 0) + 10, { steps: 8 });
  await page.mouse.up();
  await eventually(() => rows.allTextContents(), [last, first, second]);

  await handle(second).focus();
  await page.keyboard.press("ArrowUp");
  await eventually(() => rows.allTextContents(), [last, second, first]);
  await page.getByRole("button", { name: status.layout.add }).click();
  await page.getByRole("textbox", { name: status.layout.name }).fill("Sales");
  await handle(last).focus();
  await page.keyboard.press("ArrowUp");
  await page.frameLocator(".preview-frame").getByRole("heading", { name: "Sales", level: 2 }).waitFor();
  await eventually(() => framed.allTextContents(), [last, second, first]);
  expect(await axeViolations(page)).toEqual([]);
  await screenshot(page, "order");

  // A group is dragged with what it holds.
  await page.getByRole("button", { name: status.layout.add }).click();
  await page.getByRole("textbox", { name: status.layout.name }).nth(1).fill("Lab");
  const lab = await handle("Lab").boundingBox();
  const sales = await handle("Sales").boundingBox();
  await page.mouse.move((lab?.x ?? 0) + 8, (lab?.y ?? 0) + 8);
  await page.mouse.down();
  await page.mouse.move((sales?.x ?? 0) + 8, (sales?.y ?? 0) + 2, { steps: 8 });
  await page.mouse.up();
  const groups = page.getByRole("textbox", { name: status.layout.name });
  await eventually(
    () => groups.evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value)),
    ["Lab", "Sales"],
  );
  await eventually(() => rows.allTextContents(), [last, second, first]);
  await performAndWait(page, status.saved, () =>
    page.getByRole("button", { name: common.action.save, exact: true }).click(),
  );
  await page.goto(`${running.origin}/status`);
  await page.getByRole("heading", { name: "Sales", level: 2 }).waitFor();
  await eventually(() => page.getByRole("heading", { level: 3 }).allTextContents(), [last, second, first]);
  expect(newErrors()).toEqual([]);
});

it("says that an unsaved page is not public, and shows its address once saved", async () => {
  const { status, common } = words["en-US"];
  const { page } = await reusePage(browser, { language: "en-US", theme: "dark", ...wide }, newcomer);
  await page.goto(`${running.origin}/status/config`);
  await page.getByText(status.general.unpublished).waitFor();
  await eventually(
    () => page.getByLabel(status.general.publicUrl, { exact: true }).inputValue(),
    `${running.origin}/status/bob`,
  );
  const copy = page.getByRole("button", { name: common.copy.what.replace("{{what}}", status.general.publicUrl) });
  expect(await copy.count()).toBe(0);
  expect(await page.getByRole("link", { name: status.open }).count()).toBe(0);
  expect(await page.getByRole("button", { name: status.open }).isDisabled()).toBe(true);
  for (const [size, theme] of [
    [wide, "dark"],
    [narrow, "light"],
  ] as const) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme: theme });
    await screenshot(page, `unpublished-${size.width}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(size.width);
    expect(await axeViolations(page)).toEqual([]);
  }
  await performAndWait(page, status.saved, () => page.getByRole("button", { name: status.publish }).click());
  await copy.waitFor();
  await page.getByText(status.general.unpublished).waitFor({ state: "detached" });
  const [preview] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("link", { name: status.open }).click(),
  ]);
  await preview.getByText(words["en-US"].statusPage.nothing).waitFor();
  await atPath(preview, "/status/bob");
});
