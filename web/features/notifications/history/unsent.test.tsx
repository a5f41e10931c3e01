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

test("the line of a day lists the events of that day alone", async () => {
  const before = [0, -1, -2].map((id) => event({ id, at: "2025-12-30T12:00:00.000Z" }));
  fakeServer.answer(() => Response.json({ success: true, events: [...unsent, ...before], next: null, as_of: 40 }));
  render(<HistoryTab />);
  const lines = await screen.findAllByText("3 events not sent: alerts off or no channel");
  expect(lines.map((line) => line.closest("details")?.open)).toEqual([false, false]);
  expect(screen.getAllByRole("heading", { level: 2 })).toHaveLength(2);
});
