import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import { setUpPage } from "../../../testing/set-up";
import { fakeServer, render, screen, userEvent } from "../../../testing/test-page";
import { delivery, event } from "../fixtures";
import { HistoryTab } from "./history-tab";

setUpPage({ path: "/notifications?tab=history" });

const unsent = [3, 2, 1].map((id) => event({ id, target: { type: "monitor", id, name: `Shop ${id}` } }));
const open = async (events: object[]) => {
  fakeServer.answer(() => Response.json({ success: true, events, next: null, as_of: 40 }));
  render(<HistoryTab />);
  return screen.findByText("3 events not sent: alerts are off in the default rule");
};

test("neighbours that were not sent are one line, which lists each of them", async () => {
  const line = await open([event({ id: 4, deliveries: [delivery({})] }), ...unsent]);
  expect(line.closest("details")?.open).toBe(false);
  await userEvent.click(line);
  for (const { target } of unsent) screen.getByRole("link", { name: target.name });
  expect(screen.queryByText(/^Not sent:/)).toBeNull();
});

test("events of several days that were not sent are folded by day", async () => {
  const before = [0, -1, -2].map((id) => event({ id, at: "2025-12-30T12:00:00.000Z" }));
  fakeServer.answer(() => Response.json({ success: true, events: [...unsent, ...before], next: null, as_of: 40 }));
  render(<HistoryTab />);
  expect(await screen.findAllByText("3 events not sent: alerts are off in the default rule")).toHaveLength(2);
  expect(screen.getAllByRole("heading", { level: 2 })).toHaveLength(2);
});

test("events that were not sent are shown where there is nothing else", async () => {
  expect((await open(unsent)).closest("details")?.open).toBe(true);
});

test("many events that were not sent stay folded where there is nothing else", async () => {
  const many = [9, 8, 7, 6, 5, 4].map((id) => event({ id, target: { type: "monitor", id, name: `Shop ${id}` } }));
  fakeServer.answer(() => Response.json({ success: true, events: many, next: null, as_of: 40 }));
  render(<HistoryTab />);
  const line = await screen.findByText("6 events not sent: alerts are off in the default rule");
  expect(line.closest("details")?.open).toBe(false);
});

test("what was sent divides the events that were not", async () => {
  const sent = event({ id: 4, at: "2025-12-31T12:00:00.000Z", deliveries: [delivery({})] });
  const before = [0, -1, -2].map((id) => event({ id, at: "2025-12-30T12:00:00.000Z" }));
  const newest = unsent.map((one) => ({ ...one, id: one.id + 10 }));
  fakeServer.answer(() =>
    Response.json({ success: true, events: [...newest, sent, ...before], next: null, as_of: 40 }),
  );
  render(<HistoryTab />);
  expect(await screen.findAllByText("3 events not sent: alerts are off in the default rule")).toHaveLength(2);
});

test("events that were not sent for different reasons are apart", async () => {
  const other = [0, -1, -2].map((id) => event({ id, unsent_reason: "channel_disabled" }));
  fakeServer.answer(() => Response.json({ success: true, events: [...unsent, ...other], next: null, as_of: 40 }));
  render(<HistoryTab />);
  await screen.findByText("3 events not sent: alerts are off in the default rule");
  await screen.findByText("3 events not sent: every chosen channel is off");
});

test("an event that is not planned yet is neither folded nor called unsent", async () => {
  const waiting = unsent.map((one) => ({ ...one, unsent_reason: "awaiting_parents" as const }));
  fakeServer.answer(() => Response.json({ success: true, events: waiting, next: null, as_of: 40 }));
  render(<HistoryTab />);
  expect(await screen.findAllByText("Not sent yet: what it depends on is checked first")).toHaveLength(3);
});

test.each([
  ["en-US", "Not sent: no channel is chosen in its own rule"],
  ["zh-CN", "未发送：单独的规则没有选择渠道"],
] as const)("the reason is said in %s", async (language, text) => {
  await i18next.changeLanguage(language);
  const events = [event({ unsent_reason: "no_recipients" })];
  fakeServer.answer(() => Response.json({ success: true, events, next: null, as_of: 40 }));
  render(<HistoryTab />);
  await screen.findByText(text);
});
