import "../../testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import { writeGaps } from "../../../src/cluster/gaps";
import { heartbeats } from "../../../src/db/schema";
import { createGapNotice } from "../../../src/modules/alerting/gaps";
import { writeHubEvents } from "../../../src/modules/alerting/hub-events";
import { HOUR, MINUTE, SECOND } from "../../../src/shared/limits";
import { START } from "../../../src/testing/clock";
import { enrollAgent, sampleAt } from "../../../src/testing/fixtures/agents";
import { addHeartbeat, createSweep } from "../../../src/testing/fixtures/heartbeats";
import { addMonitor, recordOnly } from "../../../src/testing/fixtures/monitors";
import { formatMoment } from "../../lib/format";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import MonitorPage from "../monitors/detail/detail-page";
import MonitorsPage from "../monitors/list/list-page";
import ServerPage from "../servers/detail/detail-page";
import ServersPage from "../servers/list/list-page";
import DashboardPage from "./dashboard-page";

setUpPage();

/** Bob's hub without a network since START, with a monitor that was up, a server, and a paused monitor. */
const start = async (language = "en-US") => {
  await i18next.changeLanguage(language);
  const hub = await startHubAs("bob");
  const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Old", active: false });
  await recordOnly(hub, id, [{ at: START - 60 * SECOND }]);
  const agent = await enrollAgent(hub, hub.bob, { hostname: "web-1" });
  await agent.report([sampleAt(START - 10 * SECOND)]);
  const lost: { since: number | null } = { since: START };
  hub.deps.watching.observe("hub_offline", () => lost.since);
  hub.deps.watching.look();
  await hub.deps.watching.stored();
  return { ...hub, id, agent, lost };
};
/** Times on pages that do not read the dashboard, and so do not know that the hub has another day. */
const clock = formatMoment("en-US", START, START);
const moment = (language = "en-US") => formatMoment(language, START, Date.now());
const filters = () =>
  within(screen.getByRole("group", { name: "Filter" }))
    .getAllByRole("button")
    .map(({ textContent }) => textContent);
const rowOf = (name: string) => screen.getByRole("link", { name }).closest("tr, li");

test.each([
  ["en-US", `Unknown since ${clock}: Wakeful’s own network is down.`],
  ["zh-CN", `自 ${clock} 起状态未知：控制台自身网络中断。`],
])("while the hub knows nothing, the dashboard says so in place of how well all is, in %s", async (language, title) => {
  await start(language);
  render(<DashboardPage />);
  await screen.findByRole("heading", { level: 1, name: title });
  await screen.findByRole("link", { name: "Old" });
  expect(rowOf("Shop")?.querySelector(".mark.unknown")).toBeTruthy();
  expect(rowOf("web-1")?.querySelector(".mark.unknown")).toBeTruthy();
  // The bars of its figures are grey.
  expect(rowOf("web-1")?.className).toBe("unknown");
  expect(rowOf("Old")?.querySelector(".mark.paused")).toBeTruthy();
  screen.getByText(language === "zh-CN" ? "最后已知" : "Last known");
  screen.getByText(language === "zh-CN" ? "最后已知：" : "Last known:");
});

test("while the hub knows nothing, a problem is the last known state: grey, with the time when it was seen", async () => {
  const hub = await start();
  await recordOnly(hub, hub.id, [{ at: START - 30 * SECOND, up: false }]);
  render(<MonitorsPage />);
  const block = await screen.findByRole("region", { name: "Current problems" });
  expect(block.className).toContain("unknown");
  await waitFor(() =>
    expect(block.querySelector(".lasting")?.textContent).toMatch(/^last seen down (Jan 15, )?\d\d:\d\d$/),
  );
  screen.getByText(/^Unknown since .*: Wakeful’s own network is down. This is the last known state.$/);
});

test("while the hub knows nothing, an open outage counts no time, is not red, and has a quiet button", async () => {
  const hub = await start();
  await recordOnly(hub, hub.id, [{ at: START - 30 * SECOND, up: false }]);
  render(<MonitorPage id={String(hub.id)} />);
  const outages = await screen.findByRole("region", { name: "Latest outages" });
  await waitFor(() => expect(outages.querySelector("li .mark")?.classList.contains("unknown")).toBe(true));
  expect(outages.querySelector(".outage-lasted")?.className.trim()).toBe("outage-lasted");
  expect(outages.querySelector(".outage-lasted")?.textContent).toMatch(/^last seen (Jan 15, )?\d\d:\d\d$/);
  for (const button of screen.getAllByRole("button", { name: /^Acknowledge/ }))
    expect(button.classList.contains("plain")).toBe(true);
});

test("a heartbeat whose ping may have been lost counts as unknown, not as up, and has a filter", async () => {
  const hub = await startHubAs("bob");
  const shop = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  await recordOnly(hub, shop, [{ at: START - SECOND }]);
  const beat = await addHeartbeat(hub, hub.bob);
  await beat.ping();
  await hub.db.update(heartbeats).set({ unknownSince: START - SECOND });
  const { unmount } = render(<DashboardPage />);
  await screen.findByRole("link", { name: "Shop" });
  const counts = [...document.querySelectorAll(".counts-of:first-of-type dl > div")].map(
    ({ textContent }) => textContent,
  );
  expect(counts).toEqual(["Up1", "Down0", "Unknown1", "Total2"]);
  expect(screen.getByRole("link", { name: "Unknown: 1" }).getAttribute("href")).toBe("/monitors?status=unknown");
  unmount();
  render(<MonitorsPage />);
  await screen.findByRole("link", { name: "Shop" });
  expect(filters()).toEqual(["All2", "Active2", "Down0", "Unknown1", "Paused0"]);
  await userEvent.click(screen.getByRole("button", { name: /^Unknown/ }));
  await waitFor(() => expect(screen.queryByRole("link", { name: "Shop" })).toBeNull());
  screen.getByRole("link", { name: "backup" });
});

test("the lists show what is unknown as a state of its own, and since when", async () => {
  await start();
  const { unmount } = render(<MonitorsPage />);
  await screen.findByRole("link", { name: "Shop" });
  expect(rowOf("Shop")?.className).toBe("unknown");
  expect(rowOf("Shop")?.querySelector(".state")?.textContent).toBe("Unknown");
  expect(rowOf("Shop")?.querySelector(".state [title]")?.getAttribute("title")).toMatch(
    new RegExp(`^Unknown since (Jan 15, )?${clock}: Wakeful’s own network is down.$`),
  );
  expect(rowOf("Shop")?.querySelector(".pulse-slots")?.getAttribute("aria-label")).toBe(
    `Last 1 checks: 1 up, 0 down, typically 10 ms, then unknown`,
  );
  expect(rowOf("Old")?.className).toBe("paused");
  expect(filters()).toEqual(["All2", "Unknown1", "Paused1"]);
  unmount();
  render(<ServersPage />);
  await screen.findByRole("link", { name: "web-1" });
  expect(rowOf("web-1")?.querySelector(".state")?.textContent).toBe("Unknown");
  const line = `Unknown since (Jan 15, )?${clock}: Wakeful’s own network is down. The last known states are shown.`;
  expect(screen.getByText(new RegExp(line))).toBeTruthy();
  expect(filters()).toEqual(["All1", "Unknown1"]);
});

test.each([
  ["en-US", "Unknown", `Unknown since ${moment()}: Wakeful’s own network is down. Last known: Up`],
  ["zh-CN", "未知", `自 ${moment("zh-CN")} 起状态未知：控制台自身网络中断。最后已知状态：正常`],
])("the page of a monitor says since when and why it is unknown, and what was known, in %s", async (...row) => {
  const [language, badge, line] = row;
  const { id } = await start(language);
  render(<MonitorPage id={String(id)} />);
  await screen.findByText(line);
  expect(document.querySelector(".detail-title .status")?.textContent).toBe(badge);
  const check = screen.getByRole("button", { name: language === "zh-CN" ? "立即检查" : "Check now" });
  expect((check as HTMLButtonElement).disabled).toBe(true);
  expect(line).toStartWith(check.title);
});

test("the page of a server says since when and why it is unknown, and what was known", async () => {
  const { agent } = await start();
  render(<ServerPage id={String(agent.id)} />);
  await screen.findByText(`Unknown since ${moment()}: Wakeful’s own network is down. Last known: Online`);
  expect(document.querySelector(".detail-title .status")?.textContent).toBe("Unknown");
});

test.each([
  ["en-US", "No ping since {from}. It may have been lost: Wakeful’s own network was down {gap}. Last known: Up"],
  ["zh-CN", "{from} 起没有收到上报，可能已丢失：控制台自身网络在 {gap} 中断。最后已知状态：正常"],
])("the page of a heartbeat says why its ping may have been lost, in %s", async (language, text) => {
  await i18next.changeLanguage(language);
  const hub = await startHubAs("bob");
  const lost: { since: number | null } = { since: null };
  hub.deps.watching.observe("hub_offline", () => lost.since);
  const look = async (after: number) => {
    for (const end = START + after; hub.clock.now() < end; ) {
      await hub.clock.advance(Math.min(5 * SECOND, end - hub.clock.now()));
      hub.deps.watching.look();
      await hub.deps.watching.stored();
    }
  };
  hub.deps.watching.look();
  const beat = await addHeartbeat(hub, hub.bob, { every: 3600, grace: 60 });
  const { sweep } = createSweep(hub);
  await beat.ping();
  await look(59 * MINUTE);
  lost.since = hub.clock.now();
  await look(61 * MINUTE);
  lost.since = null;
  await look(61 * MINUTE + 5 * SECOND);
  await sweep();
  render(<MonitorPage id={String(beat.id)} />);
  const day = Date.now();
  const [from, to] = [59 * MINUTE, 61 * MINUTE + 5 * SECOND].map((after) => START + after) as [number, number];
  const span = `${formatMoment(language, from, day)}–${formatMoment(language, to, to)}`;
  await screen.findByText(text.replace("{from}", formatMoment(language, START + HOUR, day)).replace("{gap}", span));
});

const textsOf = (entry: Element | null) =>
  [...(entry?.querySelectorAll("p") ?? [])].map(({ textContent }) => textContent?.trim());

test.each([
  ["en-US", ["Nothing watched", "Wakeful’s own network was down {span}"]],
  ["zh-CN", ["监控中断", "控制台自身网络在 {span} 中断"]],
] as const)(
  "the feed of an administrator has the gaps of the hub with their reason, in %s",
  async (language, texts) => {
    await i18next.changeLanguage(language);
    const hub = await startHubAs("alice");
    const gap = { from: START - 12 * MINUTE, to: START - MINUTE, reason: "hub_offline" as const };
    await writeGaps(hub.db, { ended: [gap], open: null, now: START });
    await createGapNotice(hub.deps, async () => ({ monitors: 1, heartbeats: 0, servers: 0 }))();
    await addMonitor(hub, hub.alice, { url: "https://example.com/", name: "Shop" });
    render(<DashboardPage />);
    await screen.findByRole("link", { name: "Shop" });
    const span = `${formatMoment(language, gap.from, START)}–${formatMoment(language, gap.to, START)}`;
    const entry = document.querySelector(".feed li");
    expect(textsOf(entry)).toEqual(texts.map((text) => text.replace("{span}", span)));
    expect(entry?.querySelector(".mark.unknown")).toBeTruthy();
    expect(entry?.querySelector("a")).toBeNull();
  },
);

test("uptimes in lists and on the page of a monitor have the share of the time that was watched", async () => {
  const hub = await start();
  hub.clock.set(START + 60 * SECOND);
  const { unmount } = render(<MonitorsPage />);
  await screen.findByRole("link", { name: "Shop" });
  expect(rowOf("Shop")?.querySelector(".uptime")?.textContent).toBe("100.00% of 50% watched");
  unmount();
  render(<MonitorPage id={String(hub.id)} />);
  await screen.findByRole("heading", { level: 1, name: "Shop" });
  const shares = () => [...document.querySelectorAll(".watched")].map(({ textContent }) => textContent);
  await waitFor(() => expect(shares()).toEqual([" of 50% watched"]));
});

test.each([
  ["en-US", "Backup failed", "The disk of BACKUP_DIR has too little free space"],
  ["zh-CN", "备份失败", "BACKUP_DIR 所在磁盘空间不足"],
])("the feed of an administrator has a failed backup and leads to the system page, in %s", async (...expected) => {
  const [language, name, reason] = expected;
  await i18next.changeLanguage(language);
  const hub = await startHubAs("alice");
  await addMonitor(hub, hub.alice, { url: "https://example.com/" });
  const failed = { kind: "backup_failed", at: START, errorCode: "backup_no_space" } as const;
  await hub.db.transact((tx) => writeHubEvents(tx, [failed]));
  render(<DashboardPage />);
  const link = await screen.findByRole("link", { name });
  expect(link.getAttribute("href")).toBe("/system");
  expect(textsOf(link.closest("li"))).toEqual([name, reason]);
});
