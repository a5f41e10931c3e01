import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, it } from "bun:test";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { queryOf } from "../bench/lib/stored-checks";
import { readStoredSamples } from "../bench/lib/stored-samples";
import { freePort } from "../smoke/lib/free-port";
import { type HubProcess, installConsole, joinAs, startConsole } from "../smoke/lib/hub";
import { until } from "../smoke/lib/until";
import { chooseFromMenu, contextOf, launchBrowser, recordPageErrors, signInWith, wide } from "./lib/browser";
import { atPath, eventually } from "./lib/eventually";
import { prepareMachine, startAgent } from "./lib/machine";
import { words } from "./lib/words";

const { agents: text, common, range } = words["en-US"];
const OUTAGE = 6000;

const installation = installConsole();
// The same address before and after an outage.
const settings = { PORT: String(freePort()) };
const name = hostname();
let running: HubProcess;
let browser: Browser;
const endings: (() => unknown)[] = [];

beforeAll(async () => {
  running = await startConsole(installation, settings);
  browser = await launchBrowser();
});

afterAll(async () => {
  for (const end of endings) await end();
  await browser.close();
  await running.stop();
  installation.remove();
});

const inDatabase = <T>(use: (db: Database) => T): T => {
  const db = new Database(join(installation.folder, "data/wakeful.db"));
  db.exec("pragma busy_timeout = 5000");
  try {
    return use(db);
  } finally {
    db.close();
  }
};

/** The times of the stored samples, ascending. */
const sampleTimes = async () => {
  const { blocks, running } = await inDatabase((db) => readStoredSamples(queryOf(db)));
  return [...blocks, ...running].map(({ at }) => at).toSorted((a, b) => a - b);
};

/** Samples that the hub stored between two times. */
const countBetween = async (from: number, to: number) =>
  (await sampleTimes()).filter((at) => at > from && at < to).length;

/** Follows the guide up to the downloaded program and its start command. */
const followGuide = async (page: Page) => {
  await page.goto(`${running.origin}/agents/create`);
  await page.getByRole("button", { name: process.arch === "arm64" ? "arm64" : "amd64", exact: true }).click();
  await page.getByText(text.guide.more).click();
  const link = await page.getByRole("link", { name: text.guide.link }).getAttribute("href");
  const shown = await page.locator("code").allTextContents();
  const command = shown.find((code) => code.includes("./wakeful agent start")) ?? "";
  const [program, checksum] = await Promise.all([
    fetch(String(link)).then((response) => response.bytes()),
    fetch(`${link}.sha256`).then((response) => response.text()),
  ]);
  return { program, checksum, command };
};

it("enrolls a server by the guide, charts it, fills the gap of an outage, and deletes it", async () => {
  const alice = await joinAs(running, "alice");
  const context = await browser.newContext(contextOf({ language: "en-US", theme: "light", ...wide }));
  await signInWith(context, alice.signedIn);
  const page = await context.newPage();
  const newErrors = await recordPageErrors(page);
  const status = (state: keyof typeof text.status) =>
    page.getByRole("main").getByText(text.status[state], { exact: true }).first().waitFor();
  const hasStatus = async (state: string) => {
    const { agents } = (await alice.get("/api/agents")).body;
    return agents[0]?.status === state;
  };

  const { program, checksum, command } = await followGuide(page);
  expect(Buffer.compare(program, readFileSync(installation.executable))).toBe(0);
  expect(checksum.split(" ")[0]).toBe(new Bun.CryptoHasher("sha256").update(program).digest("hex"));
  const machine = prepareMachine(program);
  endings.push(machine.remove);
  const [, enrollmentToken = "", argumentsShown = ""] = /^echo (\S+) \| \.\/wakeful (.*)$/.exec(command) ?? [];
  const given = argumentsShown.replace("--interval 60", "--interval 1").split(" ");
  expect(given.slice(0, 4)).toEqual(["agent", "start", "--server", running.origin]);
  const first = startAgent(machine, given, enrollmentToken);
  endings.unshift(first.kill);

  // The hub of this test has one executable, so the guide finds no checksums of the other agents.
  expect(newErrors().filter((error) => !error.endsWith(".sha256)"))).toEqual([]);
  await page.getByRole("link", { name: `${text.guide.open}: ${name}` }).click();
  await page.getByRole("heading", { name, exact: true }).waitFor();
  await status("active");
  const figures = page.getByRole("main");
  await figures
    .getByText(/\d %|\d%/)
    .first()
    .waitFor();
  await page.getByRole("img", { name: new RegExp(`^${text.resource.memory}\\. `) }).waitFor();
  await page.locator("canvas").nth(2).waitFor();
  const enlarge = page.getByRole("button", { name: `${text.chart.enlarge}: ${text.resource.memory}` });
  await enlarge.click();
  await page.locator(".metric-chart.large").getByRole("heading", { name: text.resource.memory }).waitFor();
  await eventually(() => enlarge.getAttribute("aria-pressed"), "true");
  // A part of a chart that is dragged over is shown in all of them, and stands in the address until one press leads back.
  const chart = page.locator(".metric-chart.large .u-over");
  const { x = 0, y = 0, width = 0 } = (await chart.boundingBox()) ?? {};
  await page.mouse.move(x + width * 0.3, y + 20);
  await page.mouse.down();
  // Reports that arrive during the drag do not end it.
  const sampled = (await sampleTimes()).length;
  await until("two more reports", async () => (await sampleTimes()).length >= sampled + 2);
  await page.mouse.move(x + width * 0.6, y + 20, { steps: 5 });
  await page.mouse.up();
  await page.waitForURL(/\?from=.*&to=/);
  const back = page.getByRole("button", { name: range.back.replace("{{range}}", range["1h"]) });
  await page.reload();
  await back.click();
  await eventually(() => new URL(page.url()).search, "");
  await page.locator("canvas").nth(2).waitFor();
  expect(newErrors()).toEqual([]);

  await until("it has reported for a while", async () => (await sampleTimes()).length >= 5);
  const downAt = Date.now();
  await running.kill();
  await Bun.sleep(OUTAGE);
  const upAt = Date.now();
  running = await startConsole(installation, settings);
  // The samples of the outage without a gap: one each second, except for delays of a busy machine.
  const wanted = OUTAGE / 1000 - 2;
  await until("the gap is filled", async () => (await countBetween(downAt, upAt)) >= wanted, 60_000);
  expect(first.said()).toMatch(/Cannot report/);
  await until("it says that all is well again", async () => /answers again/.test(first.said()));
  const times = await sampleTimes();
  expect(new Set(times).size).toBe(times.length);

  expect(await first.stop()).toBe(0);
  const again = given.filter((word, index) => word !== "--token-file" && given[index - 1] !== "--token-file");
  const second = startAgent(machine, again);
  endings.unshift(second.kill);
  const before = Date.now();
  await until("it reports again without its token", async () => (await sampleTimes()).some((at) => at > before));

  await second.kill();
  // The hub reads the next deadline right after its start, and again after 90 seconds: it is restarted until the deadline
  // is changed before that.
  const isInactiveSoon = () =>
    until("the agent is inactive", () => hasStatus("inactive"), 10_000).then(
      () => true,
      () => false,
    );
  do {
    await running.kill();
    // The deadline of its last reports is in the memory of the hub, and in the journal.
    inDatabase((db) => db.exec("delete from report_journal"));
    running = await startConsole(installation, settings);
    // As after 90 seconds without a report: the deadline has passed.
    inDatabase((db) => db.exec("update agent_states set expires_at = reported_at"));
  } while (!(await isInactiveSoon()));
  await page.goto(`${running.origin}/agents`);
  const row = page.locator("tr[data-id]");
  await row.getByText(text.status.inactive).first().waitFor({ state: "attached" });
  await page.getByRole("button", { name: text.column.memory }).click();
  await page.waitForURL(/\?sort=memory$/);
  // The link of the name covers the row.
  await row.locator("td.state").click({ force: true });
  const problems = page.getByRole("region", { name: words["en-US"].problems.title });
  await problems.getByText(text.detail.offlineFor).waitFor();
  await page.goto(`${running.origin}/agents`);

  const third = startAgent(machine, again);
  endings.unshift(third.kill);
  await until("the agent is active", () => hasStatus("active"));
  newErrors();
  await page.getByRole("link", { name, exact: true }).first().click();
  await status("active");
  await chooseFromMenu(page, common.action.more, common.action.delete);
  await page.getByRole("dialog").getByRole("button", { name: common.action.delete, exact: true }).click();
  await page.getByRole("heading", { name: text.empty.title }).waitFor();
  await atPath(page, "/agents");

  // 78: a service manager does not start it again.
  expect(await third.exited()).toBe(78);
  expect(third.said()).toMatch(/This server was deleted at/);
  expect(
    inDatabase((db) =>
      db
        .query(
          "select (select count(*) from sample_packs) + (select count(*) from sample_blocks) + (select count(*) from agents) as left",
        )
        .get(),
    ),
  ).toEqual({ left: 0 });
  expect(newErrors().filter((line) => !/404 .*\/api\/agents\/\d+/.test(line))).toEqual([]);
  await context.close();
}, 400_000);
