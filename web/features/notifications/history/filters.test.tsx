import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { setUpPage } from "../../../testing/set-up";
import { fakeServer, render, screen, userEvent, waitFor } from "../../../testing/test-page";
import { delivery, event } from "../fixtures";
import { HistoryTab } from "./history-tab";

setUpPage({ path: "/notifications?tab=history" });

const CHANNELS = [
  { id: 0, name: "Telegram" },
  { id: 2, name: "On call" },
];

/** A hub whose history answers by the query of each call; `calls` are the queries. */
const start = (answer: (query: URLSearchParams) => object) => {
  const calls: string[] = [];
  fakeServer.answer((request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (!pathname.endsWith("/history"))
      return Response.json({
        success: true,
        data: {
          channels: CHANNELS,
          kinds: [],
          templates: [],
          policies: [],
          own_templates: [],
          settings: { monitors: {}, agents: {}, specificMonitors: {}, specificAgents: {} },
        },
      });
    searchParams.delete("by");
    searchParams.delete("limit");
    calls.push(searchParams.toString());
    return Response.json({ success: true, events: [], next: null, as_of: 40, ...answer(searchParams) });
  });
  return calls;
};
const address = () => location.search;

test("the history is filtered by outcome and channel, and the address keeps it", async () => {
  const calls = start((query) => ({
    events: query.get("outcome") === "failed" ? [event({ deliveries: [delivery({ state: "failed" })] })] : [],
  }));
  render(<HistoryTab />);
  await screen.findByRole("heading", { name: "Nothing has happened yet" });
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Outcome" }), "Not delivered");
  await screen.findByRole("link", { name: "Shop" });
  expect(address()).toBe("?tab=history&outcome=failed");
  await userEvent.selectOptions(await screen.findByRole("combobox", { name: "Channel" }), "On call");
  await waitFor(() => expect(calls.at(-1)).toBe("outcome=failed&channel=2"));
  expect(address()).toBe("?tab=history&outcome=failed&channel=2");
  await userEvent.click(screen.getByRole("button", { name: "Servers" }));
  await waitFor(() => expect(calls.at(-1)).toBe("of=agent&outcome=failed&channel=2"));
  expect(address()).toBe("?tab=history&of=agent&outcome=failed&channel=2");
});

test("an address with a filter opens it, and what matches nothing leads back to everything", async () => {
  history.replaceState(null, "", "/notifications?tab=history&outcome=withheld&channel=0");
  const calls = start(() => ({}));
  render(<HistoryTab />);
  await screen.findByRole("heading", { name: "Nothing matches" });
  expect(calls).toEqual(["outcome=withheld&channel=0"]);
  expect(screen.getByRole<HTMLSelectElement>("combobox", { name: "Outcome" }).value).toBe("withheld");
  expect((await screen.findByRole<HTMLSelectElement>("combobox", { name: "Channel" })).value).toBe("0");
  await userEvent.click(screen.getByRole("button", { name: "Show all" }));
  await screen.findByRole("heading", { name: "Nothing has happened yet" });
  expect(address()).toBe("?tab=history");
});

test("a filter of an address that is not understood is left out, and a deleted channel is named as such", async () => {
  history.replaceState(null, "", "/notifications?tab=history&outcome=lost&channel=9&of=nothing");
  const calls = start(() => ({}));
  render(<HistoryTab />);
  await screen.findByRole("option", { name: "Deleted channel", selected: true });
  expect(calls[0]).toBe("channel=9");
});

test("parts of the history without a match are passed over", async () => {
  history.replaceState(null, "", "/notifications?tab=history&outcome=failed");
  const calls = start((query) =>
    query.get("before") === "20"
      ? { events: [event({ deliveries: [delivery({ state: "failed" })] })] }
      : { next: query.has("before") ? 20 : 30 },
  );
  render(<HistoryTab />);
  await screen.findByRole("link", { name: "Shop" });
  expect(calls).toEqual(["outcome=failed", "outcome=failed&before=30&as_of=40", "outcome=failed&before=20&as_of=40"]);
});

test("after many parts without a match, the search goes on upon request", async () => {
  history.replaceState(null, "", "/notifications?tab=history&outcome=failed");
  const calls = start((query) => ({ next: Number(query.get("before") ?? 1000) - 1 }));
  render(<HistoryTab />);
  await screen.findByRole("heading", { name: "Nothing matches" });
  expect(calls).toHaveLength(10);
  await userEvent.click(screen.getByRole("button", { name: "Load older events" }));
  await waitFor(() => expect(calls).toHaveLength(20));
});
