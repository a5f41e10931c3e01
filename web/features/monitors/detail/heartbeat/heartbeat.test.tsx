import "../../../../testing/test-dom";

import { describe, expect, test } from "bun:test";
import i18next from "i18next";
import { checkError } from "../../../../../src/shared/check-error";
import { START } from "../../../../../src/testing/clock";
import { record } from "../../../../../src/testing/fixtures/monitors";
import { startHubAs } from "../../../../testing/hub";
import { setUpPage } from "../../../../testing/set-up";
import { fakeServer, render, screen, userEvent, waitFor, within } from "../../../../testing/test-page";
import { monitor } from "../../fixtures";
import CreatePage from "../../form/create-page";
import EditPage from "../../form/edit-page";
import { MonitorRow } from "../../list/monitor-table";
import DetailPage from "../detail-page";
import { cronWithin, SNIPPETS, snippetsOf } from "./snippets";

setUpPage({ path: "/monitors/create?kind=heartbeat" });

const config = { every: 86_400, grace: 3600, post_only: false };
const backup = { name: "Backup", kind: "heartbeat", config };

test("a heartbeat is created with a name alone, and its page shows where to report", async () => {
  const hub = await startHubAs("bob");
  render(<CreatePage />);
  expect(document.activeElement).toBe(screen.getByLabelText("Name *"));
  expect(screen.queryByLabelText("Timeout (seconds) *")).toBeNull();
  await userEvent.type(screen.getByLabelText("Name *"), "Backup");
  screen.getByText("You are alerted when no report arrives for 1 day 1 hour.");
  await userEvent.click(screen.getByRole("button", { name: "Add monitor" }));
  await waitFor(() => expect(location.pathname).toBe("/monitors/1"));
  const { monitor } = (await hub.client.get("/api/monitors/1")).body;
  expect(monitor).toMatchObject({ name: "Backup", kind: "heartbeat", config });
  expect(fakeServer.calls.filter(({ path }) => path.endsWith("/probe"))).toEqual([]);
});

test("a cron expression is shown with its next times, and saved with its time zone", async () => {
  const hub = await startHubAs("bob");
  render(<CreatePage />);
  await userEvent.type(screen.getByLabelText("Name *"), "Report");
  await userEvent.click(screen.getByRole("button", { name: "By a cron expression" }));
  await userEvent.clear(screen.getByLabelText("Time zone *"));
  await userEvent.type(screen.getByLabelText("Time zone *"), "Europe/Berlin");
  await userEvent.type(screen.getByLabelText("Cron expression *"), "30 3 * * 1");
  await screen.findByText(/^Next: Mon, Jan 19, 03:30 · Mon, Jan 26, 03:30 · Mon, Feb 2, 03:30 \(Europe\/Berlin\)$/);
  await userEvent.click(screen.getByRole("button", { name: "Add monitor" }));
  await waitFor(() => expect(location.pathname).toBe("/monitors/1"));
  const { config } = (await hub.client.get("/api/monitors/1")).body.monitor;
  expect(config).toEqual({ cron: "30 3 * * 1", tz: "Europe/Berlin", grace: 3600, post_only: false });
});

test("an expression that the hub does not know has its reason at the field", async () => {
  await startHubAs("bob");
  render(<CreatePage />);
  await userEvent.type(screen.getByLabelText("Name *"), "Report");
  await userEvent.click(screen.getByRole("button", { name: "By a cron expression" }));
  await userEvent.type(screen.getByLabelText("Cron expression *"), "0 3 L * *");
  await screen.findByText(/is invalid/);
  await userEvent.click(screen.getByRole("button", { name: "Add monitor" }));
  await screen.findByText(/five fields/);
  expect(screen.getByLabelText("Cron expression *").getAttribute("aria-invalid")).toBe("true");
});

test("a cron expression that never matches a time is refused with that reason", async () => {
  await startHubAs("bob");
  render(<CreatePage />);
  await userEvent.type(screen.getByLabelText("Name *"), "Report");
  await userEvent.click(screen.getByRole("button", { name: "By a cron expression" }));
  await userEvent.type(screen.getByLabelText("Cron expression *"), "0 3 30 2 *");
  await userEvent.click(screen.getByRole("button", { name: "Add monitor" }));
  await screen.findByText(/never come, such as/);
});

test("editing a heartbeat keeps its schedule in the units that fit it", async () => {
  const hub = await startHubAs("bob");
  await hub.client.post("/api/monitors", { ...backup, config: { every: 5400, grace: 90, post_only: true } });
  render(<EditPage id="1" />);
  expect((await screen.findByLabelText<HTMLInputElement>("Reports every *")).value).toBe("90");
  expect(screen.getByLabelText<HTMLSelectElement>("Reports every: Unit").value).toBe("minute");
  expect(screen.getByLabelText<HTMLSelectElement>("Grace period: Unit").value).toBe("second");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(location.pathname).toBe("/monitors/1"));
  expect((await hub.client.get("/api/monitors/1")).body.monitor.config).toEqual({
    every: 5400,
    grace: 90,
    post_only: true,
  });
});

test("the page of a heartbeat has its address and ways to report, and no check", async () => {
  const hub = await startHubAs("bob");
  const { ping_url } = (await hub.client.post("/api/monitors", backup)).body.monitor as { ping_url: string };
  render(<DetailPage id="1" />);
  await screen.findByText("Waiting for the first report");
  const address = new URL(ping_url, location.origin).href;
  expect(screen.getByText(address)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "wakeful run" }));
  await screen.findByText(new RegExp(`^wakeful run ${ping_url.split("/").at(-1)} --server ${location.origin} -- `));
  expect(screen.queryByRole("button", { name: "Check now" })).toBeNull();
  expect(screen.queryByText("Timeout")).toBeNull();
  // Nothing is known of its runs.
  expect(screen.queryByText("Run duration")).toBeNull();
});

test("the page of a heartbeat has its address by the slug once there is a ping key, and the form changes the slug", async () => {
  const hub = await startHubAs("bob");
  const config = { every: 3600, grace: 60, slug: "backup" };
  await hub.client.post("/api/monitors", { ...backup, config });
  const { key } = JSON.parse((await hub.client.post("/api/ping-keys", {})).text);
  const page = render(<DetailPage id="1" />);
  await screen.findByText(`${location.origin}/ping/${key.key}/backup`);
  page.unmount();
  render(<EditPage id="1" />);
  const field = await screen.findByLabelText<HTMLInputElement>(/^Slug/);
  await userEvent.clear(field);
  await userEvent.type(field, "start");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText(/^Enter letters, digits, hyphens and underscores/);
  await userEvent.clear(field);
  await userEvent.type(field, "nightly");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(location.pathname).toBe("/monitors/1"));
  expect((await hub.client.get("/api/monitors/1")).body.monitor.config).toMatchObject({ slug: "nightly" });
});

test("the page of a heartbeat has its latest reports, with the time between them and the duration of its runs", async () => {
  const hub = await startHubAs("bob");
  const { ping_url } = (await hub.client.post("/api/monitors", backup)).body.monitor as { ping_url: string };
  for (const [minutes, path] of [
    [0, ""],
    [60, ""],
    [118, "/start"],
    [2, "/3"],
  ] as const) {
    hub.clock.advance(minutes * 60_000);
    await hub.anybody.post(ping_url + path, {});
  }
  render(<DetailPage id="1" />);
  const panel = within(
    (await screen.findByRole("heading", { name: "Latest reports" })).closest("section") as HTMLElement,
  );
  panel.getByRole("img", { name: "Time between 2 pairs of reports: typically 2 h, 2 h at most" });
  const rows = panel.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(rows[0]).toMatch(/Failure2 h after the one before · took 2 min · Exit status 3$/);
  expect(rows[1]).toMatch(/Success1 h after the one before$/);
  expect(panel.getByRole("link", { name: "All reports" }).getAttribute("href")).toBe("/monitors/1?tab=history");
  expect(screen.getAllByText("Run duration").length).toBeGreaterThan(0);
});

test("the pings of a heartbeat have what each reported", async () => {
  const ping = {
    run_id: null,
    duration: null,
    exit_status: null,
    address: "203.0.113.7",
    user_agent: "curl/8",
    body: null,
  };
  fakeServer.answer((_, path) => {
    if (path.includes("/runs"))
      return Response.json({ success: true, runs: [], gaps: [], maintenance: [], next: null });
    return path.includes("/pings")
      ? Response.json({
          success: true,
          pings: [
            {
              ...ping,
              id: 2,
              at: "2026-01-01T00:00:05Z",
              kind: "fail",
              duration: 65_000,
              exit_status: 3,
              body: "no space",
            },
            { ...ping, id: 1, at: "2026-01-01T00:00:00Z", kind: "start" },
          ],
          next: null,
        })
      : Response.json({
          success: true,
          monitor: {
            ...monitor({ kind: "heartbeat", config, target: "1 d" }),
            ping_url: null,
            heartbeat: { state: "down", last_ping: "2026-01-01T00:00:05Z" },
            checks: [],
            outages: [],
            availability: {},
          },
        });
  });
  history.replaceState(null, "", "/monitors/1?tab=pings");
  render(<DetailPage id="1" />);
  const table = within(await screen.findByRole("table"));
  const rows = table.getAllByRole("row").map((row) => row.textContent);
  expect(rows[1]).toContain("Failure1 minute 5 seconds3Exit status 3 · 203.0.113.7 · curl/8");
  expect(rows[2]).toContain("Start––203.0.113.7");
  expect(screen.queryByText("no space")).toBeNull();
  await userEvent.click(table.getByRole("button", { expanded: false }));
  expect(screen.getByText("no space").tagName).toBe("PRE");
});

test("the history of a heartbeat has each report once, the missing ones, and the results before those that are kept", async () => {
  const hub = await startHubAs("bob");
  const { ping_url } = (await hub.client.post("/api/monitors", backup)).body.monitor as { ping_url: string };
  const MINUTE = 60_000;
  await record(hub, 1, [
    ...[9, 8, 7].map((ago) => ({ at: START - ago * MINUTE })),
    { at: START - 6 * MINUTE, up: false, time: null, statusCode: null, error: checkError("heartbeat_missed") },
  ]);
  await hub.anybody.post(ping_url, {});
  hub.clock.advance(MINUTE);
  await hub.anybody.post(`${ping_url}/3`, {});
  hub.clock.advance(MINUTE);
  history.replaceState(null, "", "/monitors/1?tab=history");
  render(<DetailPage id="1" />);
  await screen.findByRole("table");
  const rows = () =>
    screen
      .getAllByRole("row")
      .slice(1)
      .map((row) => row.textContent ?? "");
  await waitFor(() => expect(rows()).toHaveLength(4));
  for (const [row, text] of [/Failure.*Exit status 3/, /Success/, /Down · 1 check.*in time/, /Up · 3 checks/].entries())
    expect(rows()[row]).toMatch(text);
  await userEvent.click(screen.getByRole("button", { name: "Down only" }));
  await waitFor(() => expect(rows()).toHaveLength(2));
});

test.each([
  ["en-US", "every day", "every 5 minutes", "Pending", "No reports yet"],
  ["zh-CN", "每天", "每 5 分钟", "等待上报", "还没有上报"],
] as const)(
  "in the list, a heartbeat says how often it is expected, and waits for reports, not for checks (%s)",
  async (language, daily, often, waiting, none) => {
    await i18next.changeLanguage(language);
    const row = (id: number, target: string) => (
      <MonitorRow
        monitor={{ ...monitor({ id, kind: "heartbeat", config, target, status: "pending" }), last_checked: null }}
        onDelete={() => {}}
      />
    );
    render(
      <table>
        <tbody>
          {row(1, "1 d")}
          {row(2, "5 min")}
          {row(3, "0 3 * * * UTC")}
        </tbody>
      </table>,
    );
    const [first, second, third] = screen.getAllByRole("row").map(({ textContent }) => textContent);
    for (const text of [daily, waiting, none]) expect(first).toContain(text);
    expect(second).toContain(often);
    expect(third).toContain("0 3 * * * UTC");
  },
);

test.each([
  [60, "* * * * *"],
  [420, "*/6 * * * *"],
  [3600, "0 * * * *"],
  [5 * 3600, "0 */4 * * *"],
  [86_400, "0 3 * * *"],
  [30 * 86_400, "0 3 * * 1"],
  [31 * 86_400, "0 3 1 * *"],
  [366 * 86_400, "0 3 1 1 *"],
])("a job that reports every %d seconds has an example that runs often enough", (every, cron) => {
  expect(cronWithin(every)).toBe(cron);
});

describe("the texts to copy", () => {
  const address = "https://hub.example/base/ping/0f6b1c6e";

  test("name the address, and POST where only that counts", () => {
    const [any, post] = [snippetsOf(address, "5 4 * * *", false), snippetsOf(address, "5 4 * * *", true)];
    for (const name of SNIPPETS)
      expect(any[name]).toContain(name === "run" ? "0f6b1c6e --server https://hub.example/base " : address);
    expect(any.cron).toStartWith("5 4 * * * ");
    expect(Object.values(any).join()).not.toMatch(/-X POST|-Method Post/);
    for (const name of ["cron", "shell", "systemd", "powershell"] as const)
      expect(post[name]).toMatch(/-X POST|-Method Post/);
  });
});
