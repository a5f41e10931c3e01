import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { setUpPage } from "../../../testing/set-up";
import { fakeServer, render, screen, userEvent } from "../../../testing/test-page";
import { delivery, event } from "../fixtures";
import { HistoryTab } from "./history-tab";

setUpPage({ path: "/notifications?tab=history" });

const unsent = [3, 2, 1].map((id) => event({ id, target: { type: "monitor", id, name: `Shop ${id}` } }));
const open = async (events: object[]) => {
  fakeServer.answer(() => Response.json({ success: true, events, next: null, as_of: 40 }));
  render(<HistoryTab />);
  return screen.findByText("3 events not sent: alerts off or no channel");
};

test("neighbours that were not sent are one line, which lists each of them", async () => {
  const line = await open([event({ id: 4, deliveries: [delivery({})] }), ...unsent]);
  expect(line.closest("details")?.open).toBe(false);
  await userEvent.click(line);
  for (const { target } of unsent) screen.getByRole("link", { name: target.name });
  expect(screen.queryByText("Not sent: alerts off or no channel")).toBeNull();
});

test("events of several days that were not sent are folded by day", async () => {
  const before = [0, -1, -2].map((id) => event({ id, at: "2025-12-30T12:00:00.000Z" }));
  fakeServer.answer(() => Response.json({ success: true, events: [...unsent, ...before], next: null, as_of: 40 }));
  render(<HistoryTab />);
  expect(await screen.findAllByText("3 events not sent: alerts off or no channel")).toHaveLength(2);
  expect(screen.getAllByRole("heading", { level: 2 })).toHaveLength(2);
});

test("events that were not sent are shown where there is nothing else", async () => {
  expect((await open(unsent)).closest("details")?.open).toBe(true);
});

test("many events that were not sent stay folded where there is nothing else", async () => {
  const many = [9, 8, 7, 6, 5, 4].map((id) => event({ id, target: { type: "monitor", id, name: `Shop ${id}` } }));
  fakeServer.answer(() => Response.json({ success: true, events: many, next: null, as_of: 40 }));
  render(<HistoryTab />);
  const line = await screen.findByText("6 events not sent: alerts off or no channel");
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
  expect(await screen.findAllByText("3 events not sent: alerts off or no channel")).toHaveLength(2);
});
