import "../../testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import { setUpPage } from "../../testing/set-up";
import { fakeServer, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { at, delivery, event } from "./fixtures";
import type { Delivery, StoredEvent } from "./history/api";
import { HistoryTab } from "./history/history-tab";

const answer = (events: StoredEvent[], next: number | null = null) =>
  fakeServer.answer(() => Response.json({ success: true, events, next, as_of: 40 }));

setUpPage({ path: "/notifications?tab=history" });

type Channel = Delivery["channel"];

const only = async () => within(await screen.findByRole("article"));

test.each([
  ["en-US", "Status 503, expected 2xx"],
  ["zh-CN", "状态码 503，期望 2xx"],
] as const)("an outage names its cause in %s", async (language, cause) => {
  await i18next.changeLanguage(language);
  answer([event({ error_code: "status", error_detail: { actual: 503, expected: "2xx" } })]);
  render(<HistoryTab />);
  (await only()).getByText(new RegExp(`· ${cause}$`));
});

test.each([
  ["en-US", "Report for December 2025"],
  ["zh-CN", "2025年12月报告"],
] as const)(
  "a report that was sent is in its place, with a link to it and what became of it, in %s",
  async (language, title) => {
    await i18next.changeLanguage(language);
    const report = {
      ...{ schedule_id: 1, every: "month" as const, zone: "UTC", scope: "tag:prod", target: null },
      ...{ from: "2025-12-01T00:00:00.000Z", to: "2026-01-01T00:00:00.000Z" },
    };
    const target = { type: "monitor", id: 0, name: "prod" } as const;
    answer([
      event({ id: 3 }),
      { ...event({ id: 2, target, deliveries: [delivery({})] }), kind: "report", report },
      event({ id: 1, target: { type: "monitor", id: 8, name: "Blog" } }),
    ]);
    render(<HistoryTab />);
    const link = await screen.findByRole("link", { name: title });
    expect(link.getAttribute("href")).toBe("/reports?from=2025-12-01&to=2025-12-31&scope=tag%3Aprod");
    const articles = screen.getAllByRole("article").map(({ textContent }) => textContent);
    expect(articles.map((text) => /Shop|报告|Report|Blog/.exec(text ?? "")?.[0])).toEqual([
      "Shop",
      language === "en-US" ? "Report" : "报告",
      "Blog",
    ]);
    within(screen.getAllByRole("article")[1] as HTMLElement).getByText("On-call");
  },
);

test.each([
  ["en-US", "Combined with other alerts"],
  ["zh-CN", "与其他告警合并为一条消息"],
] as const)("a delivery that was sent in one message with others says so in %s", async (language, text) => {
  await i18next.changeLanguage(language);
  answer([
    event({
      deliveries: [
        delivery({ id: 1, channel: { id: 1, name: "Chat", type: "telegram" }, digest_id: 1 }),
        delivery({ id: 2, channel: { id: 2, name: "Mail", type: "smtp" } }),
      ],
    }),
  ]);
  render(<HistoryTab />);
  const items = (await only()).getAllByRole("listitem");
  expect(items).toHaveLength(2);
  within(items[0] as HTMLElement).getByText(text);
  expect(within(items[1] as HTMLElement).queryByText(text)).toBeNull();
});

test.each([
  ["en-US", ["No answer within 10 s", "403: bot was blocked", "The channel was deleted"]],
  ["zh-CN", ["对方 10 秒内没有响应", "403：bot was blocked", "渠道已被删除"]],
] as const)("deliveries name in %s why they failed", async (language, causes) => {
  await i18next.changeLanguage(language);
  const failed = { state: "failed" } as const;
  answer([
    event({
      deliveries: [
        delivery({ ...failed, id: 1, error_code: "timeout", error_detail: { seconds: 10 } }),
        delivery({ ...failed, id: 2, error_code: "rejected", error_detail: { status: 403, reply: "bot was blocked" } }),
        delivery({ ...failed, id: 3, error_code: "channel_deleted" }),
      ],
    }),
  ]);
  render(<HistoryTab />);
  const items = (await only()).getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(items.map((text, index) => text?.endsWith(causes[index] ?? "?"))).toEqual([true, true, true]);
});

test("an empty history is reported as empty", async () => {
  answer([]);
  render(<HistoryTab />);
  await screen.findByRole("heading", { name: "Nothing has happened yet" });
});

test("an outage shows its cause and its deliveries", async () => {
  answer([event({ error_code: "status", error_detail: { actual: 503, expected: "200" }, deliveries: [delivery({})] })]);
  render(<HistoryTab />);
  const item = await only();
  item.getByText("Down");
  expect(item.getByRole("link", { name: "Shop" }).getAttribute("href")).toBe("/monitors/7");
  item.getByText(/· Status 503, expected 200$/);
  expect(item.getByRole("listitem").textContent).toBe("SentOn-call");
});

test("a recovery shows the duration of the outage", async () => {
  answer([event({ kind: "recovery", since: "2026-01-01T00:07:30.000Z" })]);
  render(<HistoryTab />);
  (await only()).getByText(/Lasted 2 min/);
  screen.getByText("Not sent: alerts are off in the default rule");
});

test("a full disk shows the figure, the threshold and the mount", async () => {
  const target = { type: "agent", id: 4, name: "web-1" } as const;
  answer([event({ kind: "disk_high", target, figure: 93.2, threshold: 90, mount: "/var" })]);
  render(<HistoryTab />);
  const item = await only();
  item.getByText("Disk usage is high");
  expect(item.getByRole("link", { name: "web-1" }).getAttribute("href")).toBe("/agents/4");
  item.getByText(/\/var · 93\.2%, threshold 90%/);
});

test("a failed delivery shows the provider's answer, the number of attempts and the next attempt", async () => {
  const next_attempt_at = new Date(Date.now() + 5 * 60_000 + 30_000).toISOString();
  answer([
    event({
      deliveries: [
        delivery({
          state: "failed",
          error_code: "rejected",
          error_detail: { status: 403, reply: "bot was blocked by the user" },
        }),
        delivery({
          id: 2,
          state: "pending",
          attempts: 3,
          error_code: "timeout",
          error_detail: { seconds: 10 },
          next_attempt_at,
          ended_at: null,
        }),
        delivery({ id: 3, state: "pending", attempts: 0, ended_at: null }),
      ],
    }),
  ]);
  render(<HistoryTab />);
  const [failed, retrying, waiting] = (await only()).getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(failed).toContain("Not delivered");
  expect(failed).toContain("1 attempt · 403: bot was blocked by the user");
  expect(retrying).toBe("Will retryOn-call3 attempts · No answer within 10 s · Next attempt in 5 minutes");
  expect(waiting).toBe("WaitingOn-call");
});

test("older events are loaded below the newest", async () => {
  answer([event({ id: 9 })], 9);
  render(<HistoryTab />);
  const more = await screen.findByRole("button", { name: "Load older events" });
  answer([event({ id: 8, target: { type: "monitor", id: 8, name: "Bank" } })]);
  await userEvent.click(more);
  await screen.findByRole("link", { name: "Bank" });
  expect(screen.getAllByRole("article")).toHaveLength(2);
  expect(fakeServer.calls.at(-1)?.path).toBe("/api/notifications/history?by=outage&limit=50&before=9&as_of=40");
  expect(screen.queryAllByRole("button", { name: "Load older events" }).length).toBe(0);
});

test("an outage is one entry with its end, steps and reminders, and a link to its page", async () => {
  const mail = { id: 2, name: "Mail", type: "resend" };
  const outage = { outage_id: 5 };
  answer([
    event({ ...outage, id: 9, kind: "recovery", at: "2026-01-01T09:10:00.000Z", deliveries: [delivery({ id: 9 })] }),
    event({ id: 8, target: { type: "monitor", id: 8, name: "Bank" } }),
    event({
      ...outage,
      deliveries: [
        delivery({}),
        delivery({ id: 2, channel: mail, sequence: 1 }),
        delivery({ id: 3, purpose: "reminder", sequence: 3, count: 3 }),
      ],
    }),
  ]);
  render(<HistoryTab />);
  const [entry, bank] = (await screen.findAllByRole("article")).map((item) => within(item));
  bank?.getByRole("link", { name: "Bank" });
  expect(entry?.getAllByText("Recovered").length).toBe(2);
  expect(entry?.getByRole("link", { name: "Recovered Timeline: Shop" }).getAttribute("href")).toBe("/outages/5");
  expect(entry?.getAllByRole("list", { name: "Deliveries" })[0]?.textContent).toBe("SentOn-call ×5Mail");
  await userEvent.click(entry?.getByText("Show each message") as HTMLElement);
  for (const title of ["Alert", "Alert, step 2", "3 reminders"]) entry?.getByText(title);
});

test("a drill is marked as one", async () => {
  answer([event({ drill: true })]);
  render(<HistoryTab />);
  (await only()).getByText("Drill");
});

test("what was withheld by a mute says so, and channels that got the message share a line", async () => {
  const withheld = { state: "withheld", attempts: 0, error_code: "muted" } as const;
  const mail = { id: 2, name: "Mail", type: "resend" };
  answer([
    event({ id: 2, deliveries: [delivery(withheld), delivery({ ...withheld, id: 2, channel: mail })] }),
    event({ id: 1, kind: "recovery", deliveries: [delivery({}), delivery({ id: 2, channel: mail })] }),
  ]);
  render(<HistoryTab />);
  const items = (await screen.findAllByRole("article")).map((item) => within(item).getByRole("listitem").textContent);
  expect(items).toEqual(["Not sentOn-callMailIt was muted", "SentOn-callMail"]);
});

test("channels whose messages wait for the same time share a line", async () => {
  const waiting = { state: "pending", attempts: 0, ended_at: null } as const;
  const [chat, mail] = [1, 2].map((id) => ({ id, name: `Channel ${id}`, type: "telegram" })) as [Channel, Channel];
  const later = new Date(Date.now() + 3_630_000).toISOString();
  answer([
    event({
      deliveries: [
        delivery({ ...waiting, id: 1, channel: chat, next_attempt_at: at }),
        delivery({ ...waiting, id: 2, channel: mail, next_attempt_at: null }),
        delivery({ ...waiting, id: 3, channel: chat, next_attempt_at: later }),
        delivery({ ...waiting, id: 4, channel: mail, next_attempt_at: later }),
      ],
    }),
  ]);
  render(<HistoryTab />);
  const items = (await only()).getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(items).toEqual(["WaitingChannel 1Channel 2", "WaitingChannel 1Channel 2Next attempt in 1 hour"]);
});

test("a target that goes up and down is one entry, which lists each event on demand", async () => {
  const minute = (count: number) => new Date(Date.parse(at) + count * 60_000).toISOString();
  const flapping = [0, 1, 2, 3, 4, 5].map((count) =>
    event({
      id: 10 + count,
      kind: count % 2 === 0 ? "down" : "recovery",
      at: minute(count * 30),
      deliveries: [
        delivery(count < 4 ? {} : { state: "failed", error_code: "timeout", error_detail: { seconds: 10 } }),
      ],
    }),
  );
  const other = event({ id: 12.5, at: minute(70), target: { type: "monitor", id: 8, name: "Bank" } });
  answer([...flapping, other].toSorted((one, two) => two.id - one.id));
  render(<HistoryTab />);
  const [folded, single] = (await screen.findAllByRole("article")).map((item) => within(item));
  folded?.getByText("Down 3 times in 2 h 30 min");
  folded?.getByText(/· Recovered$/);
  const [counts] = folded?.getAllByRole("list", { name: "Deliveries" }) ?? [];
  expect(counts?.textContent).toBe("Not deliveredOn-call ×21 attempt · No answer within 10 sSentOn-call ×4");
  await userEvent.click(folded?.getByText("Show each of 6 events") as HTMLElement);
  single?.getByRole("link", { name: "Bank" });
});

test("the history is limited to monitors, servers or one target, by its address", async () => {
  answer([event({})]);
  render(<HistoryTab />);
  await userEvent.click(await screen.findByRole("button", { name: "Servers" }));
  await waitFor(() =>
    expect(fakeServer.calls.at(-1)?.path).toBe("/api/notifications/history?by=outage&limit=50&of=agent"),
  );
  await userEvent.click(await screen.findByRole("button", { name: /^Show only/ }));
  await screen.findByText("Only events of “Shop”");
  expect(fakeServer.calls.at(-1)?.path).toBe("/api/notifications/history?by=outage&limit=50&of=monitor%3A7");
  expect(location.search).toBe("?tab=history&of=monitor%3A7");
  await userEvent.click(screen.getByRole("button", { name: "Show all" }));
  await screen.findByRole("button", { name: /^Show only/ });
  expect(location.search).toBe("?tab=history");
});
