import "../../lib/test-dom";

import { afterEach, beforeEach, expect, test } from "bun:test";
import { startI18n } from "../../i18n";
import { forgetResources } from "../../lib/resource";
import { cleanup, fakeServer, render, screen, userEvent, waitFor, within } from "../../lib/test-page";
import { Toasts } from "../../ui/toast";
import type { Monitor } from "./calls";
import CreatePage from "./create-page";
import DetailPage from "./detail-page";
import ListPage from "./list-page";

const monitor = (change: Partial<Monitor>): Monitor => ({
  id: 1,
  name: "Website",
  url: "https://example.com/",
  method: "GET",
  interval: 60,
  timeout: 30,
  expected_status: 200,
  headers: {},
  body: "",
  active: true,
  status: "up",
  response_time: 84,
  uptime: 99.5,
  last_checked: "2026-01-01T00:00:00.000Z",
  retries: 1,
  cert_expires_at: null,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  history: [],
  ...change,
});
const list = (...monitors: Monitor[]) => {
  const count = (status: string) => monitors.filter((one) => one.status === status).length;
  const counts = { up: count("up"), down: count("down"), pending: count("pending"), paused: count("paused") };
  return Response.json({
    success: true,
    total: monitors.length,
    counts: { all: monitors.length, ...counts },
    monitors,
  });
};
const detail = (one: Monitor, checks: object[] = []) =>
  Response.json({
    success: true,
    monitor: { ...one, checks, uptimes: { "24h": 100, "7d": 100, "30d": 99.5, "90d": null } },
  });

beforeEach(async () => {
  forgetResources();
  fakeServer.reset();
  localStorage.setItem("i18nextLng", "en-US");
  history.replaceState(null, "", "/monitors");
  await startI18n();
});
afterEach(cleanup);

test("without monitors the list offers to make one", async () => {
  fakeServer.answer(() => list());
  render(<ListPage />);
  await screen.findByText("No monitors yet");
  expect(screen.getAllByRole("link", { name: "New monitor" })).toHaveLength(2);
});

test("filters say how many they hold and narrow the list", async () => {
  fakeServer.answer(() =>
    list(
      monitor({}),
      monitor({ id: 2, name: "Old", active: false, status: "paused" }),
      monitor({ id: 3, name: "API" }),
    ),
  );
  render(<ListPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Paused 1" }));
  await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(1));
  await userEvent.click(screen.getByRole("button", { name: "All 3" }));
  await userEvent.type(screen.getByRole("searchbox"), "web");
  await waitFor(() => expect(screen.getAllByRole("article")).toHaveLength(1));
  expect(screen.getByRole("link", { name: "Website" }).getAttribute("href")).toBe("/monitors/1");
});

test("the choice of view stays", async () => {
  fakeServer.answer(() => list(monitor({})));
  render(<ListPage />);
  await userEvent.click(await screen.findByRole("button", { name: "List" }));
  const row = within(await screen.findByRole("table"))
    .getAllByRole("row")
    .at(-1);
  expect(row?.textContent).toContain("99.50%");
  expect(localStorage.getItem("monitors.view")).toBe("list");
});

test("deleting asks first, then removes the monitor from the list", async () => {
  let present = [monitor({}), monitor({ id: 2, name: "Doomed" })];
  fakeServer.answer(({ method }) => {
    if (method !== "DELETE") return list(...present);
    present = present.filter(({ id }) => id !== 2);
    return Response.json({ success: true });
  });
  render(<ListPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Delete: Doomed" }));
  const dialog = screen.getByRole("dialog");
  expect(within(dialog).getByRole("heading").textContent).toBe("Delete “Doomed”?");
  await userEvent.click(within(dialog).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryAllByText("Doomed").length).toBe(0));
  expect(screen.getByText("Website")).toBeTruthy();
});

test("a failed delete is an alert, and the monitor stays", async () => {
  fakeServer.answer(({ method }) =>
    method === "DELETE"
      ? Response.json({ success: false, code: "internal", message: "" }, { status: 500 })
      : list(monitor({})),
  );
  render(
    <>
      <ListPage />
      <Toasts />
    </>,
  );
  await userEvent.click(await screen.findByRole("button", { name: "Delete: Website" }));
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Delete" }));
  expect((await screen.findByRole("alert")).textContent).toContain("Failed to delete monitor");
  expect(screen.getByText("Website")).toBeTruthy();
});

test("creating sends what the form holds and opens the list", async () => {
  fakeServer.answer(({ method }) =>
    method === "POST" ? Response.json({ success: true, monitor: monitor({}) }, { status: 201 }) : list(),
  );
  render(<CreatePage />);
  await userEvent.type(screen.getByLabelText("Name *"), "Website");
  await userEvent.type(screen.getByLabelText("URL *"), "https://example.com/");
  expect(screen.queryByLabelText("Body")).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText("Method"), "POST");
  await userEvent.click(screen.getByLabelText("Body"));
  await userEvent.paste('{"a":1}');
  await userEvent.type(screen.getByLabelText("Header row 1: Name"), "Accept");
  await userEvent.type(screen.getByLabelText("Header row 1: Value"), "text/plain");
  expect(screen.getByLabelText("Header row 2: Name")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Create monitor" }));
  await waitFor(() => expect(fakeServer.calls.find(({ method }) => method === "POST")?.path).toBe("/api/monitors"));
  expect(fakeServer.calls.find(({ method }) => method === "POST")?.body).toEqual({
    name: "Website",
    url: "https://example.com/",
    method: "POST",
    interval: 60,
    timeout: 30,
    expectedStatus: 200,
    headers: { Accept: "text/plain" },
    body: '{"a":1}',
    retries: 1,
  });
});

test("what the server refuses is told at its field, and nothing typed is lost", async () => {
  const errors = [{ path: "url", message: "url: expected an http:// or https:// address" }];
  fakeServer.answer(() => Response.json({ success: false, code: "validation", message: "", errors }, { status: 422 }));
  render(<CreatePage />);
  await userEvent.type(screen.getByLabelText("Name *"), "Website");
  await userEvent.type(screen.getByLabelText("URL *"), "http://localhost");
  await userEvent.click(screen.getByRole("button", { name: "Create monitor" }));
  await screen.findByText("expected an http:// or https:// address");
  expect(screen.getByLabelText("URL *").getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByLabelText<HTMLInputElement>("Name *").value).toBe("Website");
});

test("a pending monitor shows its first result by itself", async () => {
  let asked = 0;
  fakeServer.answer((_request, path) => {
    if (path.endsWith("series")) return Response.json({ success: true, points: [] });
    return detail(asked++ === 0 ? monitor({ id: 7, status: "pending", response_time: null }) : monitor({ id: 7 }));
  });
  render(<DetailPage id="7" />);
  expect((await screen.findAllByText("Pending")).length).toBeGreaterThan(0);
  await waitFor(() => expect(screen.getByText("84 ms")).toBeTruthy());
});

test("why it is down is said in words, with the original beside them", async () => {
  const check = {
    id: 1,
    checked_at: "2026-01-01T00:00:00.000Z",
    status: "down",
    response_time: null,
    status_code: 503,
  };
  fakeServer.answer((_request, path) =>
    path.endsWith("series")
      ? Response.json({ success: true, points: [] })
      : detail(monitor({ id: 8, status: "down" }), [{ ...check, error: "status: 503, expected 2xx" }]),
  );
  render(<DetailPage id="8" />);
  await screen.findByText("The status is not the expected one");
  expect(screen.getByText("status: 503, expected 2xx")).toBeTruthy();
});

test("a monitor that is not there is said to be missing", async () => {
  fakeServer.answer(() => Response.json({ success: false, code: "not_found", message: "" }, { status: 404 }));
  render(<DetailPage id="999" />);
  await screen.findByRole("heading", { name: "Monitor does not exist" });
});
