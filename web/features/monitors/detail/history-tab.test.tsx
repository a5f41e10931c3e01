import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { hubGaps } from "../../../../src/db/schema";
import { checkError } from "../../../../src/shared/check-error";
import { START } from "../../../../src/testing/clock";
import { addMonitor, record } from "../../../../src/testing/fixtures/monitors";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { render, screen, userEvent, waitFor } from "../../../testing/test-page";
import type { Run } from "../api";
import { HistoryTab, joinRuns } from "./history-tab";

setUpPage({ path: "/monitors" });

const MINUTE = 60_000;
const status = checkError("status", { actual: 503, expected: "200" });
const down = (at: number) => ({ at, up: false, time: 5, statusCode: 503, error: status });

const start = async (checks: Parameters<typeof record>[2]) => {
  const hub = await startHubAs("bob");
  const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Website" });
  await record(hub, id, checks);
  render(<HistoryTab id={id} lastChecked={null} />);
  await screen.findByRole("table");
  return { hub, id };
};

const rows = () =>
  screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => row.textContent ?? "");

test("equal results in a row are one row, which opens to its checks", async () => {
  const checks = Array.from({ length: 7 }, (_, index) => down(START - (10 - index) * MINUTE));
  await start([{ at: START - 11 * MINUTE }, ...checks, { at: START - 2 * MINUTE }, { at: START - MINUTE, time: 20 }]);
  expect(rows()).toHaveLength(3);
  expect(rows()[0]).toMatch(/– now.*Up · 2 checks15 ms200.*$/);
  expect(rows()[1]).toMatch(/8 minDownDown · 7 checks5 ms503Status 503, expected 200$/);
  expect(rows()[2]).toMatch(/UpUp · 1 check10 ms200$/);

  const [, second] = screen.getAllByTitle("Show the checks");
  if (!second) throw new Error("no second run");
  await userEvent.click(second);
  await waitFor(() => expect(rows()).toHaveLength(10));
  expect(second.getAttribute("aria-expanded")).toBe("true");
  expect(rows()[2]).toMatch(/Down5 ms503Status 503, expected 200$/);
  await userEvent.click(second);
  expect(rows()).toHaveLength(3);
});

test("a time in which nothing could be known has a row of its own, with the reason", async () => {
  const hub = await startHubAs("bob");
  const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Website" });
  const [from, to] = [START - 30 * MINUTE, START - 10 * MINUTE];
  await hub.db.insert(hubGaps).values({ startedAt: from, endedAt: to, reason: "hub_offline" });
  await record(hub, id, [{ at: from - MINUTE }, { at: to + MINUTE }]);
  render(<HistoryTab id={id} lastChecked={null} />);
  await screen.findByRole("table");
  expect(rows()).toHaveLength(3);
  expect(rows()[1]).toMatch(/– .*20 minUnknownWakeful’s own network was down$/);
});

test("maintenance has a row of its own, and failures in it are not marked as failures", async () => {
  const hub = await startHubAs("bob");
  const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Website" });
  await record(hub, id, [down(START - 30 * MINUTE), { at: START - 20 * MINUTE }]);
  await hub.as(hub.bob).post("/api/windows/start", { minutes: 15, monitors: [id], title: "Upgrade" });
  await record(hub, id, [down(START + MINUTE), down(START + 2 * MINUTE)]);
  hub.clock.set(START + 3 * MINUTE);
  render(<HistoryTab id={id} lastChecked={null} />);
  await screen.findByRole("table");
  expect(rows()).toHaveLength(4);
  const classes = () => screen.getAllByRole("row").map((row) => row.className.split(" ")[0]);
  expect(classes()).toEqual(["", "maintenance", "maintenance", "up", "down"]);
  expect(rows()[0]).toMatch(/Maintenance.*Down · 2 checks/);
  expect(rows()[1]).toMatch(/MaintenanceUpgrade$/);
});

test("a run of one check does not open", async () => {
  await start([down(START - MINUTE)]);
  expect(rows()).toHaveLength(1);
  expect(screen.queryByTitle("Show the checks")).toBeNull();
});

test("a long run loads its checks page by page, and none of the run before it", async () => {
  const checks = Array.from({ length: 60 }, (_, index) => ({ at: START - (60 - index) * MINUTE }));
  await start([down(START - 61 * MINUTE), ...checks]);
  await userEvent.click(screen.getByTitle("Show the checks"));
  // The run, its checks, the button, and the run before it.
  await waitFor(() => expect(rows()).toHaveLength(1 + 50 + 1 + 1));
  await userEvent.click(screen.getByRole("button", { name: "Load older checks" }));
  await waitFor(() => expect(rows()).toHaveLength(1 + 60 + 1));
});

test("only failures are listed on request, and earlier history by pages", async () => {
  const checks = Array.from({ length: 120 }, (_, index) => {
    const at = START - (120 - index) * MINUTE;
    return index % 2 === 0 ? down(at) : { at };
  });
  await start(checks);
  expect(rows()).toHaveLength(50);
  await userEvent.click(screen.getByRole("button", { name: "Down only" }));
  await waitFor(() => expect(rows().every((row) => row.includes("Down · 1 check"))).toBe(true));
  await userEvent.click(await screen.findByRole("button", { name: "Load earlier history" }));
  await waitFor(() => expect(rows()).toHaveLength(60));
  expect(screen.queryByRole("button", { name: "Load earlier history" })).toBeNull();
});

test("a run that continues on the next page is one run", () => {
  const run = (id: number, change: Partial<Run>): Run => ({
    id,
    status: "down",
    started_at: new Date(id).toISOString(),
    last_at: new Date(id).toISOString(),
    ended_at: null,
    checks: 10,
    response_time: null,
    status_code: null,
    error_code: "refused",
    error_detail: null,
    continues: false,
    ...change,
  });
  const newest = [
    run(30, { status: "up" }),
    run(20, { continues: true, ended_at: "2026-01-01T00:00:00Z", response_time: 10 }),
  ];
  const joined = joinRuns(newest, [run(10, { checks: 5, response_time: 40 }), run(5, { status: "up" })]);
  expect(joined.map(({ id, checks, ended_at }) => [id, checks, ended_at])).toEqual([
    [30, 10, null],
    [10, 15, "2026-01-01T00:00:00Z"],
    [5, 10, null],
  ]);
  // Weighted by the checks of each part.
  expect(joined[1]?.response_time).toBe(20);
  expect(joinRuns([run(30, {})], [run(30, {}), run(5, {})]).map(({ id }) => id)).toEqual([30, 5]);
});
