import "../../../testing/test-dom";

import { expect, onTestFinished, test } from "bun:test";
import i18next from "i18next";
import { monitors } from "../../../../src/db/schema";
import { checkError } from "../../../../src/shared/check-error";
import { DAY } from "../../../../src/shared/limits";
import { START } from "../../../../src/testing/clock";
import { addMonitor, record } from "../../../../src/testing/fixtures/monitors";
import { resetResources } from "../../../lib/resource";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { setWidth } from "../../../testing/test-dom";
import { act, fakeServer, fireEvent, render, screen, userEvent, waitFor, within } from "../../../testing/test-page";
import { detail, monitor } from "../fixtures";
import DetailPage from "./detail-page";

const days = (count: number) => new Date(Date.now() + count * DAY - 1000).toISOString();

const refreshedAfterDelete = () => {
  const deleted = fakeServer.calls.findIndex(({ method }) => method === "DELETE");
  return fakeServer.calls.slice(deleted + 1).some(({ method, path }) => method === "GET" && /\/\d+$/.test(path));
};

setUpPage({ path: "/monitors" });

/** Starts a hub where bob has the monitor 1, "Website", without a result. */
const start = async (change: object = {}) => {
  const hub = await startHubAs("bob");
  await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Website", ...change });
  return hub;
};

test("a pending monitor shows its first result without a reload", async () => {
  const hub = await start();
  render(<DetailPage id="1" />);
  expect((await screen.findAllByText("Pending")).length).toBeGreaterThan(0);
  await record(hub, 1, [{ at: START, time: 84 }]);
  await waitFor(() => expect(screen.getAllByText("84 ms").length).toBeGreaterThan(0));
});

test("the overview shows interval and timeout in seconds", async () => {
  await start({ interval: 120, timeout: 30 });
  render(<DetailPage id="1" />);
  const shownAs = async (label: string) => (await screen.findByText(label)).nextElementSibling?.textContent;
  expect(await shownAs("Interval")).toBe("120 s");
  expect(await shownAs("Timeout")).toBe("30 s");
});

test.each([
  ["en-US", "70.00% of 5 minutes monitored"],
  ["zh-CN", "70.00% 已监测 5 分钟"],
] as const)("a monitor that is watched for five minutes says so in %s", async (language, expected) => {
  await i18next.changeLanguage(language);
  const hub = await start();
  const error = checkError("refused");
  await record(hub, 1, [{ at: START }, { at: START + 180_000, up: false, error }, { at: START + 240_000 }]);
  hub.clock.set(START + 300_000);
  render(<DetailPage id="1" />);
  const label = language === "zh-CN" ? "90 天" : "90 days";
  const uptimes = within(await screen.findByRole("region", { name: language === "zh-CN" ? "可用率" : "Uptime" }));
  expect(uptimes.getByText(label).nextElementSibling?.textContent).toBe(expected);
});

test.each([
  ["en-US", "Status 503, expected 2xx", "No complete answer within 5 s"],
  ["zh-CN", "状态码 503，期望 2xx", "5 秒内没有收到完整响应"],
] as const)("overview and check history show in %s why checks failed", async (language, latest, before) => {
  await i18next.changeLanguage(language);
  const hub = await start();
  const [actual, expected] = [503, "2xx"];
  await record(hub, 1, [
    { at: START - 60_000, up: false, time: null, statusCode: null, error: checkError("timeout", { seconds: 5 }) },
    { at: START, up: false, statusCode: actual, error: checkError("status", { actual, expected }) },
  ]);
  render(<DetailPage id="1" />);
  await screen.findByText(latest);
  await userEvent.click(screen.getByRole("tab", { name: language === "zh-CN" ? "检查记录" : "History" }));
  const rows = (await screen.findAllByRole("row")).map(({ textContent }) => textContent);
  expect(rows[1]).toEndWith(latest);
  expect(rows[2]).toEndWith(before);
});

test("a monitor that is down begins with why, since when and for how long", async () => {
  const hub = await start();
  const error = checkError("status", { actual: 503, expected: "200" });
  await record(hub, 1, [
    { at: START - 10 * 60_000 },
    { at: START - 7 * 60_000, up: false, time: null, statusCode: null, error: checkError("refused") },
    { at: START - 60_000, up: false, statusCode: 503, error },
  ]);
  render(<DetailPage id="1" />);
  const { textContent } = await screen.findByRole("region", { name: "Current problems" });
  expect(textContent).toMatch(
    /^Down Status 503, expected 200 for .* began between .* and .* · 2 checks failed · began with: Connection refusedTimeline$/,
  );
});

test("the overview says a state and its duration once: those of an outage above the tabs, others among its figures", async () => {
  const hub = await start();
  await record(hub, 1, [{ at: START - 3_600_000 }]);
  hub.clock.set(START);
  const { unmount } = render(<DetailPage id="1" />);
  const checks = () => screen.getByRole("heading", { name: "Last 40 checks" }).closest("section");
  await screen.findByText("Created");
  expect(checks()?.textContent).toMatch(/NowUp.*since /);
  unmount();
  resetResources();
  await record(hub, 1, [{ at: START, up: false, error: checkError("refused") }]);
  render(<DetailPage id="1" />);
  await screen.findByRole("region", { name: "Current problems" });
  expect(checks()?.textContent).toContain("NowResponse time");
});

test("the tab about a monitor groups its settings, with a link to edit them", async () => {
  await start({ method: "POST", body: "{}", headers: { "X-Shop": "1" }, retries: 2 });
  history.replaceState(null, "", "/monitors/1?tab=about");
  render(<DetailPage id="1" />);
  const group = async (name: string) => within(await screen.findByRole("region", { name }));
  const rows = async (name: string) =>
    (await group(name)).getAllByRole("term").map((term) => [term.textContent, term.nextElementSibling?.textContent]);
  expect((await rows("Monitor")).slice(0, 2)).toEqual([
    ["Name", "Website"],
    ["Type", "HTTP"],
  ]);
  expect(await rows("Checks")).toContainEqual(["Retries", "2 retries (1 s apart)"]);
  expect(await rows("Request")).toEqual([
    ["URL", "https://example.com/Copy"],
    ["Method", "POST"],
    ["Headers", "X-Shop: 1"],
    ["Body", "{}"],
    ["Expected status", "200"],
    ["Alert before the certificate expires", "21, 7, 1 days before"],
  ]);
  expect((await group("Request")).getByRole("link", { name: "Edit" }).getAttribute("href")).toBe("/monitors/edit/1");
});

/** Opens the menu in the head of the page. */
const openMenu = async () => userEvent.click(await screen.findByRole("button", { name: "More actions" }));

test("the head of a monitor that is up has no main button, and that of a paused one resumes it", async () => {
  const hub = await start();
  await record(hub, 1, [{ at: START }]);
  render(<DetailPage id="1" />);
  const isMain = (name: string) => !screen.getByRole("button", { name }).classList.contains("plain");
  await screen.findByRole("heading", { name: "Website" });
  expect(isMain("Check now")).toBe(false);
  expect(screen.queryByRole("region", { name: "Current problems" })).toBeNull();
  await openMenu();
  expect(screen.getAllByRole("menuitem").at(-1)?.textContent).toBe("Delete");
  await userEvent.click(screen.getByRole("menuitem", { name: "Pause" }));
  await screen.findByRole("button", { name: "Resume" });
  expect([isMain("Check now"), isMain("Resume")]).toEqual([false, true]);
});

const startDown = async () => {
  const hub = await start();
  await record(hub, 1, [{ at: START, up: false, error: checkError("refused") }]);
  return hub;
};

test("the head of a monitor that is down has one main button, which acknowledges the outage", async () => {
  await startDown();
  render(<DetailPage id="1" />);
  const button = await screen.findByRole("button", { name: "Acknowledge: Website" });
  expect([button.closest(".page-head") !== null, button.className]).toEqual([true, "acknowledge"]);
  await userEvent.click(button);
  const dialog = within(screen.getByRole("dialog"));
  await userEvent.click(dialog.getByRole("button", { name: "Acknowledge" }));
  const withdraw = await screen.findByRole("button", { name: "Undo acknowledgement: Website" });
  expect(withdraw.closest(".page-head")).toBeNull();
  expect(screen.queryByRole("button", { name: "Acknowledge: Website" })).toBeNull();
});

test("on a phone the head has its menu alone, and the button that acknowledges is below the reason", async () => {
  await startDown();
  setWidth(390);
  onTestFinished(() => setWidth(1024));
  render(<DetailPage id="1" />);
  const button = await screen.findByRole("button", { name: "Acknowledge: Website" });
  expect(button.closest(".page-head")).toBeNull();
  expect(screen.queryByRole("button", { name: "Check now" })).toBeNull();
  await openMenu();
  const items = screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
  expect([items.slice(0, 3), items.at(-1)]).toEqual([["Check now", "Edit", "Pause"], "Delete"]);
});

test("a monitor is muted in the head of its page, which shows that it is", async () => {
  await start();
  render(<DetailPage id="1" />);
  await openMenu();
  await userEvent.click(screen.getByRole("menuitem", { name: "Mute indefinitely" }));
  await waitFor(() => expect(screen.getAllByTitle("Muted").length).toBeGreaterThan(0));
});

test("a monitor that does not exist is reported as missing", async () => {
  await start();
  render(<DetailPage id="999" />);
  await screen.findByRole("heading", { name: "Monitor does not exist" });
});

test("a monitor deleted elsewhere is reported as missing after a refresh", async () => {
  const { db } = await start();
  render(<DetailPage id="1" />);
  await screen.findByRole("heading", { name: "Website" });
  // A call would also tell the page, which may be faster than the menu.
  await db.delete(monitors);
  await openMenu();
  await userEvent.click(screen.getByRole("menuitem", { name: "Pause" }));
  await screen.findByRole("heading", { name: "Monitor does not exist" });
  expect(screen.queryByText("Up")).toBeNull();
  expect(screen.queryByRole("button", { name: "More actions" })).toBeNull();
});

test("deleting a monitor opens the list, and a refresh before that shows no error", async () => {
  await start();
  history.replaceState(null, "", "/monitors/1");
  render(<DetailPage id="1" />);
  await openMenu();
  await userEvent.click(screen.getByRole("menuitem", { name: "Delete" }));
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryAllByRole("dialog").length).toBe(0));
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
  await waitFor(() => expect(refreshedAfterDelete()).toBe(true));
  await waitFor(() => expect(location.pathname).toBe("/monitors"));
  expect(screen.getByRole("heading", { name: "Website" })).toBeTruthy();
  expect(screen.queryByText(/Could not refresh/)).toBeNull();
});

test.each([
  ["en-US", { packet_loss: 2.5 }, "Packet loss", "2.5%in the last 40 checks"],
  ["zh-CN", { packet_loss: 2.5 }, "丢包率", "2.5%最近 40 次检查"],
  [
    "en-US",
    { kind: "dns", config: { type: "A" }, records: ["192.0.2.1", "192.0.2.2"] },
    "A records",
    "192.0.2.1192.0.2.2",
  ],
  ["zh-CN", { kind: "dns", config: { type: "MX" }, records: ["10 mail.test"] }, "MX 记录", "10 mail.test"],
  [
    "en-US",
    { kind: "dns", config: { type: "A" }, records: Array.from({ length: 20 }, (_, place) => `192.0.2.${place}`) },
    "A records",
    /192\.0\.2\.7\+12$/,
  ],
  ["en-US", { kind: "tls", cert_expires_at: days(6) }, "Certificate expires", /^in 6 days/],
  ["zh-CN", { kind: "tls", cert_expires_at: days(6) }, "证书到期", /^6 天后/],
  [
    "en-US",
    { kind: "heartbeat", heartbeat: { state: "waiting", expected_at: days(2) } },
    "Next report due",
    /^(in 2 days|tomorrow)/,
  ],
] as const)("the figures begin with that of the kind, in %s: %o", async (language, change, label, value) => {
  await i18next.changeLanguage(language);
  fakeServer.answer(() => detail(monitor({ config: {}, ...change } as object)));
  render(<DetailPage id="1" />);
  const first = (await screen.findAllByText(label))[0];
  expect(first?.closest("dl")?.firstElementChild).toBe(first?.parentElement ?? null);
  expect(first?.nextElementSibling?.textContent).toMatch(value);
});

test("a day on which clocks change is asked for with all of its hours", async () => {
  const zone = process.env.TZ;
  process.env.TZ = "Europe/Berlin";
  try {
    const hub = await start();
    await record(hub, 1, [{ at: START, time: 84 }]);
    render(<DetailPage id="1" />);
    await userEvent.click(await screen.findByRole("button", { name: "Custom" }));
    for (const [label, value] of [
      ["First day", "2025-10-26"],
      ["Last day", "2025-10-26"],
    ] as const)
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
    const [from, to] = ["2025-10-25T22:00:00.000Z", "2025-10-26T23:00:00.000Z"].map(encodeURIComponent);
    const asked = () => fakeServer.calls.filter(({ path }) => path.includes("/series?from=")).at(-1)?.path ?? "";
    await waitFor(() => expect(asked()).toContain(`/series?from=${from}&to=${to}`));
  } finally {
    process.env.TZ = zone ?? "";
  }
});

test("the chart shows any dates that are chosen, and a preset again", async () => {
  const hub = await start();
  await record(hub, 1, [{ at: START, time: 84 }]);
  render(<DetailPage id="1" />);
  await userEvent.click(await screen.findByRole("button", { name: "Custom" }));
  const asked = () => fakeServer.calls.filter(({ path }) => path.includes("/series?from=")).at(-1)?.path ?? "";
  const [from, to] = [screen.getByLabelText("First day"), screen.getByLabelText("Last day")];
  fireEvent.change(from, { target: { value: "2026-01-14" } });
  fireEvent.change(to, { target: { value: "2026-01-15" } });
  const timeOf = (day: number) => encodeURIComponent(new Date(2026, 0, day).toISOString());
  await waitFor(() => expect(asked()).toContain(`/series?from=${timeOf(14)}&to=${timeOf(16)}`));
  await userEvent.click(screen.getByRole("button", { name: "7 d" }));
  expect(screen.queryByLabelText("First day")).toBeNull();
});
