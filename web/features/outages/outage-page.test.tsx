import "../../testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import { agentStates, agents, deliveries, events, hubGaps, outages } from "../../../src/db/schema";
import { isoTime } from "../../../src/lib/time";
import { checkError } from "../../../src/shared/check-error";
import { MINUTE } from "../../../src/shared/limits";
import { START } from "../../../src/testing/clock";
import { enrollAgent } from "../../../src/testing/fixtures/agents";
import { addMonitor, recordOnly } from "../../../src/testing/fixtures/monitors";
import { addOutage } from "../../../src/testing/fixtures/outages";
import { passOn } from "../../live";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { act, render, screen, userEvent, within } from "../../testing/test-page";
import OutagePage from "./outage-page";

setUpPage({ path: "/outages/1" });

const status = checkError("status", { actual: 503, expected: "200" });

/** A hub 15 minutes after bob's monitor went down, with messages about it. */
const start = async () => {
  const hub = await startHubAs("bob");
  const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  const check = { at: START, up: false, error: status, statusCode: 503 };
  await recordOnly(hub, id, [check, { ...check, at: START + MINUTE }]);
  const [event] = await hub.db.update(events).set({ outageId: 1 }).returning();
  const sent = {
    eventId: event?.id ?? 0,
    channelId: 1,
    channelName: "On call",
    channelType: "telegram",
    state: "sent" as const,
    attempts: 1,
    createdAt: START,
    dueAt: START,
    endedAt: START + MINUTE,
  };
  await hub.db.insert(deliveries).values([
    sent,
    {
      ...sent,
      channelId: 2,
      channelName: "Mail",
      sequence: 1,
      state: "failed",
      errorCode: "timeout",
      errorDetail: { seconds: 10 },
    },
    { ...sent, purpose: "reminder", sequence: 1, endedAt: START + 5 * MINUTE },
    { ...sent, purpose: "reminder", sequence: 2, endedAt: START + 10 * MINUTE },
  ]);
  hub.clock.set(START + 15 * MINUTE);
  return { ...hub, id };
};

const titles = async () => {
  const section = within(await screen.findByRole("region"));
  return section.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent);
};

test.each([
  [
    "en-US",
    "Shop is down",
    ["Went down", "2 checks failed", "Alert", "Alert, step 2", "2 reminders"],
    "Status 503, expected 200",
    "Ongoing",
  ],
  [
    "zh-CN",
    "Shop 无法访问",
    ["出现故障", "检查失败 2 次", "发送告警", "第 2 步告警", "提醒 2 次"],
    "状态码 503，期望 200",
    "仍在进行",
  ],
] as const)("an open outage says what, since when and why, and what happened, in %s", async (...row) => {
  const [language, title, expected, reason, now] = row;
  await i18next.changeLanguage(language);
  await start();
  render(<OutagePage id="1" />);
  await screen.findByRole("heading", { level: 1, name: title });
  expect(await titles()).toEqual([...expected]);
  expect(screen.getAllByText(reason).length).toBeGreaterThan(1);
  within(screen.getByRole("region")).getByText(now);
});

test.each([
  ["en-US", "DNS 12 ms · connect 31 ms · TLS 80 ms · first byte 9,800 ms"],
  ["zh-CN", "DNS 12 ms · 连接 31 ms · TLS 80 ms · 首字节 9,800 ms"],
] as const)("an outage says where the time of the check went that it began with, in %s", async (language, text) => {
  await i18next.changeLanguage(language);
  const hub = await startHubAs("bob");
  const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  const phases = { dns: 12, connect: 31, tls: 80, firstByte: 9800, download: 0 };
  await recordOnly(hub, id, [{ at: START, up: false, error: status, phases }]);
  render(<OutagePage id="1" />);
  await screen.findByText(text);
});

test("an open outage whose failure became another one says both", async () => {
  const { id, ...hub } = await start();
  await recordOnly(hub, id, [{ at: START + 15 * MINUTE, up: false, error: checkError("timeout", { seconds: 30 }) }]);
  render(<OutagePage id="1" />);
  await screen.findByText("Began with: Status 503, expected 200. Now: No complete answer within 30 s");
});

test("an outage of a heartbeat counts pings", async () => {
  const hub = await startHubAs("bob");
  const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Backup" });
  await recordOnly(hub, id, [{ at: START, up: false, error: { code: "heartbeat_missed", detail: null } }]);
  render(<OutagePage id="1" />);
  await screen.findByRole("heading", { level: 1, name: "Backup is down" });
  expect(await titles()).toEqual(["Went down", "1 missing or failed report", "No alert was sent yet"]);
});

test("messages name their channels, and why one was not delivered", async () => {
  await start();
  render(<OutagePage id="1" />);
  const alert = (await screen.findByRole("heading", { name: "Alert" })).closest("li");
  expect(
    within(alert as HTMLElement)
      .getByText("On call")
      .closest("li")?.textContent,
  ).toBe("SentOn call");
  screen.getByText(/No answer within 10 s/);
});

test("the end of an outage appears as soon as it is known", async () => {
  const hub = await start();
  render(<OutagePage id="1" />);
  await screen.findAllByText("Ongoing");
  await recordOnly(hub, hub.id, [{ at: START + 15 * MINUTE }]);
  const ended = { id: 1, status: "ended", target_type: "monitor", target_id: 1, kind: "down" } as const;
  const times = { started_at: "2026-01-15T12:20:00.000Z", ended_at: "2026-01-15T12:35:00.000Z" };
  const change = { ...ended, ...times, error_code: null, error_detail: null };
  act(() => passOn({ monitors: [], agents: [], outages: [change], counts: undefined }));
  await screen.findByRole("heading", { name: "It is up again" });
  screen.getByText("Ended");
  expect(screen.getAllByText(/lasted 15 min/).length).toBe(2);
});

test("the start and the length of an outage are ranges where they are not known exactly", async () => {
  const hub = await start();
  const targetId = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Range" });
  const times = { startedAfter: START - MINUTE, startedAt: START, endedAt: START + 3 * MINUTE };
  const id = await addOutage(hub, hub.bob, { targetId, ...times });
  const { unmount } = render(<OutagePage id={String(id)} />);
  await screen.findByText(/^began between .+:19:00 and \d\d:20:00$/);
  screen.getByText(/lasted 3–4 min/);
  screen.getByText(/^between Jan 15, .*\d\d:19 and \d\d:20$/);
  unmount();
  const missed = await addOutage(hub, hub.bob, { targetId, ...times, errorCode: "heartbeat_missed" });
  render(<OutagePage id={String(missed)} />);
  await screen.findAllByText(/lasted 3 min/);
});

test("an open outage is acknowledged on its page, and shows by whom", async () => {
  await start();
  render(<OutagePage id="1" />);
  await userEvent.click(await screen.findByRole("button", { name: "Acknowledge: Shop" }));
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Acknowledge" }));
  await screen.findByRole("heading", { name: "Acknowledged" });
  screen.getByText("Acknowledged by bob");
});

test("the outage that explains it and those that it explains have links to their pages", async () => {
  const hub = await start();
  const targetId = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Child" });
  const child = await addOutage(hub, hub.bob, { targetId, explainedBy: 1 });
  await hub.db.update(outages).set({ cause: { kind: "agent_silent", agentId: 5, name: "web-1", at: START } });
  const { unmount } = render(<OutagePage id="1" />);
  expect((await screen.findByRole("link", { name: "Child" })).getAttribute("href")).toBe(`/outages/${child}`);
  expect(screen.getByRole("link", { name: "web-1" }).getAttribute("href")).toBe("/agents/5");
  unmount();
  render(<OutagePage id={String(child)} />);
  await screen.findByRole("heading", { name: "Child is down" });
  expect(screen.getByRole("link", { name: "Shop" }).getAttribute("href")).toBe("/outages/1");
});

test.each(["99", "x"])("the outage %s, which is not kept, is reported as missing with a way on", async (id) => {
  await start();
  render(<OutagePage id={id} />);
  await screen.findByRole("heading", { level: 1, name: "This outage does not exist" });
  screen.getByRole("link", { name: "Go to the dashboard" });
});

test("a time in which nothing could be known is an entry, with the reason", async () => {
  const hub = await start();
  const gap = { startedAt: START + 3 * MINUTE, endedAt: START + 9 * MINUTE, reason: "hub_stopped" as const };
  await hub.db.insert(hubGaps).values(gap);
  render(<OutagePage id="1" />);
  const title = await screen.findByRole("heading", { name: "Unknown" });
  expect(title.nextElementSibling?.textContent).toMatch(/^Wakeful was not running .*:\d\d–\d\d:\d\d$/);
});

test("a note is written on the page of an outage, and says by whom", async () => {
  const hub = await start();
  render(<OutagePage id="1" />);
  await userEvent.click(await screen.findByRole("button", { name: "Write a note" }));
  await userEvent.type(screen.getByRole("textbox", { name: /Text/ }), "The disk was full.");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("The disk was full.");
  screen.getByText(/^bob · /);
  const [row] = await hub.db.select().from(outages);
  expect(row?.note).toBe("The disk was full.");
});

test("a change of the monitor in the hour before is an entry, and times count from the beginning of the outage", async () => {
  const hub = await start();
  const now = hub.clock.now();
  hub.clock.set(START - 20 * MINUTE);
  await hub.client.post("/api/monitors/bulk", { filter: {}, set: { interval: 300 } });
  hub.clock.set(now);
  render(<OutagePage id="1" />);
  await screen.findByRole("heading", { name: /^Changed monitor/ });
  screen.getByText("Interval: 1 minute → 5 minutes");
  const [first, second] = await titles();
  expect([first, second]).toEqual([expect.stringMatching(/^Changed monitor/), "Went down"]);
  screen.getByText(/5 min later/);
});

test.each([
  [
    "en-US",
    ["The server was started", "Its agent was updated to 1.4.2", "Added threshold “CPU”", "CPU usage became high"],
  ],
  ["zh-CN", ["服务器启动", "客户端更新到 1.4.2", "添加 阈值“CPU”", "CPU 使用率过高"]],
] as const)("what changed of a server in the hour before are entries, in %s", async (language, expected) => {
  await i18next.changeLanguage(language);
  const hub = await startHubAs("bob");
  const { id } = await enrollAgent(hub, hub.bob);
  const boot_time = isoTime(START - 30 * MINUTE);
  await hub.db.update(agentStates).set({ extra: { boot_time, agent_version: "1.4.2" } });
  await hub.db.update(agents).set({ agentVersion: "1.4.2", agentUpdatedAt: START - 20 * MINUTE });
  const now = hub.clock.now();
  hub.clock.set(START - 10 * MINUTE);
  await hub.client.post("/api/thresholds", { scope: "all", metric: "cpu", threshold: 70, minutes: 5 });
  hub.clock.set(now);
  await addOutage(hub, hub.bob, { targetType: "agent", targetId: id, kind: "cpu", startedAt: START });
  render(<OutagePage id="1" />);
  await screen.findByRole("heading", { name: expected[2] });
  expect((await titles()).slice(0, 4)).toEqual([...expected]);
});

test("other outages that began about the same time are listed with whether they are over, and others are not", async () => {
  const hub = await start();
  const add = (name: string) => addMonitor(hub, hub.bob, { url: "https://example.com/", name });
  const [near, far] = [await add("Near"), await add("Far")];
  await addOutage(hub, hub.bob, { targetId: near, startedAt: START + 9 * MINUTE, endedAt: START + 12 * MINUTE });
  await addOutage(hub, hub.bob, { targetId: far, startedAt: START + 14 * MINUTE });
  render(<OutagePage id="1" />);
  await screen.findByRole("heading", { name: "Failing at the same time" });
  const row = screen.getByRole("link", { name: "Near" }).closest("li") as HTMLElement;
  within(row).getByText("Up");
  expect(screen.queryByRole("link", { name: "Far" })).toBeNull();
});

test("a monitor that failed at the same time becomes a dependency by one click", async () => {
  const hub = await start();
  const router = await addMonitor(hub, hub.bob, { url: "https://router.example/", name: "Router" });
  await addOutage(hub, hub.bob, { targetId: router, startedAt: START });
  render(<OutagePage id="1" />);
  await userEvent.click(await screen.findByRole("button", { name: "Make it a dependency: Shop" }));
  await screen.findByText("Now a dependency");
  const { parents } = (await hub.client.get(`/api/monitors/${hub.id}/dependencies`)).body;
  expect(parents).toMatchObject([{ type: "monitor", id: router }]);
});

test("while nothing is known, an open outage says since when and why, and is not called down", async () => {
  const hub = await start();
  const lost = hub.clock.now();
  hub.deps.watching.observe("hub_offline", () => lost);
  hub.deps.watching.look();
  hub.clock.set(lost + MINUTE);
  hub.deps.watching.look();
  await hub.deps.watching.stored();
  render(<OutagePage id="1" />);
  await screen.findByText(/^Unknown since .*: Wakeful’s own network is down\. Last known: Ongoing$/);
  screen.getByRole("heading", { level: 1, name: "Shop: Down" });
  expect(document.querySelector(".detail-title .status")?.textContent).toBe("Unknown");
  within(screen.getByRole("region", { name: "What happened" })).getByText(/^Unknown since/);
});
