import "../../testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import { monitors } from "../../../src/db/schema";
import { markOfflineServers } from "../../../src/modules/servers/ingest/offline";
import { checkError } from "../../../src/shared/check-error";
import { MINUTE } from "../../../src/shared/limits";
import { START } from "../../../src/testing/clock";
import { enrollAgent, sampleAt } from "../../../src/testing/fixtures/agents";
import { addMonitor, recordBatch, recordOnly } from "../../../src/testing/fixtures/monitors";
import { addOutage } from "../../../src/testing/fixtures/outages";
import { passOn } from "../../live";
import { changes, startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { act, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { ProblemBlock } from "./problem-block";

setUpPage({ path: "/dashboard" });

const status = checkError("status", { actual: 503, expected: "200" });

/** A hub two hours and 46 minutes after bob's monitor went down; the clock of the browser is another one. */
const start = async () => {
  const hub = await startHubAs("bob");
  const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  await recordOnly(hub, id, [{ at: START, up: false, error: status, statusCode: 503 }]);
  hub.clock.set(START + 166 * MINUTE);
  return { ...hub, id };
};

test.each([
  ["en-US", "Status 503, expected 200", "for 2 h 46 min"],
  ["zh-CN", "状态码 503，期望 200", "已持续 2 小时 46 分钟"],
] as const)(
  "a monitor that is down has its reason and since when, by the clock of the hub, in %s",
  async (language, reason, lasting) => {
    await i18next.changeLanguage(language);
    await start();
    render(<ProblemBlock />);
    const row = within(await screen.findByRole("article"));
    expect(row.getByRole("link", { name: "Shop" }).getAttribute("href")).toBe("/monitors/1");
    row.getByText(reason);
    expect(row.getByText(language === "zh-CN" ? "已持续" : "for").parentElement?.textContent).toBe(lasting);
  },
);

test.each([
  ["en-US", /^began between .*\d\d:20 and \d\d:21$/],
  ["zh-CN", /^约 .*\d\d:20–\d\d:21 开始$/],
] as const)("a problem whose start is known to a minute has it as a range, in %s", async (language, begun) => {
  await i18next.changeLanguage(language);
  const hub = await startHubAs("bob");
  const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  await recordOnly(hub, id, [{ at: START }, { at: START + MINUTE, up: false, error: status, statusCode: 503 }]);
  render(<ProblemBlock />);
  await screen.findByText(begun);
});

test("a server that is offline has its last figures and a link to it", async () => {
  const hub = await startHubAs("bob");
  const agent = await enrollAgent(hub, hub.bob);
  await agent.report([sampleAt(START, { cpu: 23 })]);
  hub.clock.set(START + 60 * MINUTE);
  await markOfflineServers(hub.deps);
  render(<ProblemBlock />);
  await screen.findByText("No reports (last: CPU 23%, memory 25%)");
  expect(screen.getByRole("link", { name: "db-1" }).getAttribute("href")).toBe(`/agents/${agent.id}`);
  screen.getByText("Offline");
  await userEvent.click(screen.getByRole("button", { name: "Actions: db-1" }));
  const edit = screen.getByRole("menuitem", { name: "Edit" });
  expect(edit.getAttribute("href")).toBe(`/agents/edit/${agent.id}`);
});

test("parts of a server that do not work are named, and so are the programs behind a high figure", async () => {
  const hub = await startHubAs("bob");
  const agent = await enrollAgent(hub, hub.bob);
  const load = { scope: "all", metric: "load", threshold: 1.5, minutes: 0 };
  await hub.as(hub.bob).post("/api/thresholds", load);
  await agent.report([sampleAt(START, { load: [8, 1, 1] })], {
    processors: 4,
    processes: { cpu: [{ name: "ffmpeg", value: 61 }], memory: [] },
    failed_units: ["cron.service"],
    containers: [{ name: "web", image: "nginx", state: "running", health: "unhealthy" }],
    arrays: [{ name: "md0", kind: "md", state: "degraded", degraded: true }],
  });
  render(<ProblemBlock />);
  await screen.findByText("Load per core 2, threshold 1.5 · ffmpeg 61%");
  // One row for the server, with a line for each of them.
  const row = within(screen.getByRole("article"));
  row.getByText("4 alerts");
  expect(row.getAllByRole("listitem")).toHaveLength(4);
  const service = row.getByRole("link", { name: "Service cron.service failed" });
  expect(service.getAttribute("href")).toMatch(/^\/outages\/\d+$/);
  row.getByRole("button", { name: "Acknowledge: db-1: Service cron.service failed" });
  screen.getByText("Service cron.service failed");
  screen.getByText("Disk array md0: degraded");
  screen.getByText("Container web: unhealthy");
  await act(async () => void (await i18next.changeLanguage("zh-CN")));
  screen.getByText("容器 web：不健康");
  screen.getByText("磁盘阵列 md0：已降级");
});

test("while all is well there is no block, and a list shows its own kind only", async () => {
  const hub = await start();
  const { unmount } = render(<ProblemBlock only="monitor" />);
  await screen.findByText("Shop");
  unmount();
  const servers = render(<ProblemBlock only="agent" />);
  expect(servers.container.textContent).toBe("");
  servers.unmount();
  await recordOnly(hub, hub.id, [{ at: START + 167 * MINUTE }]);
  const { container } = render(<ProblemBlock />);
  await waitFor(() => expect(container.textContent).toBe(""));
});

test("a monitor that is down and has missed its objective is one row with both reasons", async () => {
  const hub = await start();
  const missed = { targetId: hub.id, kind: "budget_spent", errorCode: "budget_spent" } as const;
  await addOutage(hub, hub.bob, { ...missed, errorDetail: { target: 99.9, used: 1284 } });
  render(<ProblemBlock />);
  const shown = within(await screen.findByRole("article"));
  shown.getByText("Status 503, expected 200");
  const further = shown.getByRole("link", { name: /^12.8 times the downtime/ });
  expect(further.getAttribute("href")).toMatch(/^\/outages\/\d+$/);
  expect(shown.getAllByRole("button", { name: /Acknowledge/ })).toHaveLength(1);
});

/** Opens the menu of the monitor's problem. */
const openMenu = async () => userEvent.click(await screen.findByRole("button", { name: "Actions: Shop" }));

test("a problem shows what its monitor checks, and its menu leads to its page and its form", async () => {
  await start();
  render(<ProblemBlock only="monitor" />);
  expect((await screen.findByText("example.com/")).title).toBe("https://example.com/");
  await openMenu();
  expect(screen.getByRole("menuitem", { name: "View" }).getAttribute("href")).toBe("/monitors/1");
  expect(screen.getByRole("menuitem", { name: "Edit" }).getAttribute("href")).toBe("/monitors/edit/1");
});

test("the menu of a problem deletes its monitor", async () => {
  const hub = await start();
  render(<ProblemBlock only="monitor" />);
  await openMenu();
  await userEvent.click(screen.getByRole("menuitem", { name: "Delete" }));
  await userEvent.click(screen.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryAllByText("Shop").length).toBe(0));
  expect(changes()).toMatchObject([{ method: "DELETE", path: `/api/monitors/${hub.id}` }]);
});

test("pausing a monitor ends its problem", async () => {
  const hub = await start();
  render(<ProblemBlock />);
  await openMenu();
  await userEvent.click(screen.getByRole("menuitem", { name: "Pause" }));
  await waitFor(() => expect(screen.queryAllByText("Shop").length).toBe(0));
  expect(changes()).toMatchObject([{ method: "POST", path: `/api/monitors/${hub.id}/pause` }]);
});

test("a problem disappears when its monitor was deleted elsewhere, whatever is pressed", async () => {
  const hub = await start();
  render(<ProblemBlock />);
  await openMenu();
  // A call would also tell the page, which may be faster than the press.
  await hub.db.delete(monitors);
  await userEvent.click(screen.getByRole("menuitem", { name: "Check now" }));
  await waitFor(() => expect(screen.queryAllByText("Shop").length).toBe(0));
});

test("the end of an outage takes its problem away at once", async () => {
  await start();
  render(<ProblemBlock />);
  await screen.findByText("Shop");
  const outage = { id: 1, status: "ended", target_type: "monitor", target_id: 1, kind: "down" } as const;
  const times = { started_at: "2026-01-15T12:00:00.000Z", ended_at: "2026-01-15T15:00:00.000Z" };
  const cause = { error_code: null, error_detail: null };
  act(() => passOn({ monitors: [], agents: [], outages: [{ ...outage, ...times, ...cause }], counts: undefined }));
  expect(screen.queryAllByText("Shop").length).toBe(0);
});

test("of more than 50 problems the rest is a link to the list", async () => {
  const hub = await startHubAs("bob");
  const ids: number[] = [];
  for (let index = 0; index < 53; index++)
    ids.push(await addMonitor(hub, hub.bob, { url: "https://example.com/", name: `M${index}` }));
  await recordBatch(
    hub,
    ids.map((monitorId) => ({ monitorId, at: START, up: false, error: status })),
  );
  render(<ProblemBlock />);
  const more = await screen.findByRole("link", { name: "and 3 more problems" });
  expect(more.getAttribute("href")).toBe("/monitors?status=down");
  expect(screen.getAllByRole("article")).toHaveLength(50);
});
