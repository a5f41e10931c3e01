import { expect, test } from "bun:test";
import i18next from "i18next";
import { addTexts } from "../../i18n";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { render, renderHook, screen, userEvent, within } from "../../testing/test-page";
import type { Change } from "./api";
import Changes, { texts } from "./changes";
import { ChangesDisclosure } from "./disclosure";
import { useChangeWords } from "./use-change-words";

setUpPage();

const settings = { name: "Shop", url: "https://example.com/", interval: 60, timeout: 10 };

const start = async () => {
  addTexts({ changes: texts });
  const hub = await startHubAs("bob");
  const { id } = (await hub.client.post("/api/monitors", settings)).body.monitor;
  await hub.client.put(`/api/monitors/${id}`, { ...settings, interval: 300, active: true, headers: { a: "1" } });
  return { ...hub, id };
};

const rows = async () => (await screen.findAllByRole("listitem")).filter((item) => item.querySelector("time"));

test("a change shows its fields in words, who made it, and its monitor as a link", async () => {
  const { id } = await start();
  render(<Changes />);
  const [changed, created] = await rows();
  expect(changed?.textContent).toContain("Changed monitor “Shop”");
  expect(changed?.textContent).toContain("Interval: 1 minute → 5 minutes");
  expect(changed?.textContent).toContain("Headers (values not shown)");
  expect(changed?.textContent).toContain("bob · 127.0.0.1");
  expect(created?.textContent).toContain("Added monitor “Shop”");
  const link = within(changed as HTMLElement).getByRole("link", { name: "Shop" });
  expect(link.getAttribute("href")).toBe(`/monitors/${id}`);
});

test("changes are filtered by the kind of object, and are in the language of the page", async () => {
  const { client } = await start();
  await client.post("/api/walls", { name: "Office" });
  await i18next.changeLanguage("zh-CN");
  render(<Changes />);
  expect(await rows()).toHaveLength(3);
  await userEvent.selectOptions(screen.getByLabelText("按对象筛选"), "大屏地址");
  await screen.findByText("添加");
  expect((await rows()).map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining("添加 大屏地址“Office”"),
  ]);
});

test("a name that is also a value of a field is shown as it is, and a figure in the language of the page", async () => {
  const { client } = await start();
  const { team } = (await client.post("/api/teams", { name: "owner" })).body;
  await client.put(`/api/teams/${team.id}`, { name: "open" });
  await client.post("/api/thresholds", { scope: "all", metric: "load", threshold: 2, minutes: 5 });
  await i18next.changeLanguage("zh-CN");
  render(<Changes object="team,threshold" />);
  const [threshold, renamed, created] = await rows();
  expect(threshold?.textContent).toContain("添加 阈值“负载”");
  expect(renamed?.textContent).toContain("名称：owner → open");
  expect(created?.textContent).toContain("添加 团队“owner”");
});

test("an added window names its monitors, and leaves out what is empty, off or not shown", async () => {
  const { client, id } = await start();
  const schedule = { kind: "weekly", days: [4], at: "13:00", minutes: 60, zone: "UTC" };
  await client.post("/api/windows", { title: "Upgrade", monitors: [id], tags: [], schedule, counted: true });
  render(<Changes object="window" />);
  const [created] = await rows();
  expect(created?.textContent).toContain("Added maintenance window “Upgrade”");
  expect([...(created?.querySelectorAll(".change-fields > li") ?? [])].map(({ textContent }) => textContent)).toEqual([
    "Monitors: Shop",
    "Counts in uptimes: on",
  ]);
});

test("an older entry that names monitors by ids shows their number", () => {
  const { result } = renderHook(() => useChangeWords());
  const window = { type: "window" as const, id: 1, name: "Upgrade" };
  const change = { id: 1, at: "2026-01-01T00:00:00.000Z", user: "bob", key: null, address: null, objects: 1 };
  const fields: Change["fields"] = {
    monitors: [null, "5, 17"],
    agents: [null, ""],
    all: [null, false],
    schedule: null,
  };
  expect(result.current.shown({ ...change, action: "created", object: window, fields })).toEqual([
    { name: "monitors", text: "Monitors: 2" },
  ]);
});

test("the scopes of an API key are in words", async () => {
  const { client } = await start();
  await client.post("/api/keys", { name: "Deployment", scopes: ["read", "ack"] });
  render(<Changes object="key" />);
  const [created] = await rows();
  expect(created?.textContent).toContain("Added API key “Deployment”");
  expect(created?.textContent).toContain("Scope: Read and Acknowledge");
});

test("the state of an incident is in the words of its screen", async () => {
  const { client } = await start();
  await client.post("/api/status/config", { title: "Ours" });
  const sent = { title: "Slow", impact: "minor", status: "monitoring", body: "We look at it" };
  const { id } = (await client.post("/api/incidents", sent)).body.incident;
  await client.post(`/api/incidents/${id}/updates`, { status: "resolved", body: "Done" });
  render(<Changes object="incident" />);
  const [changed, created] = await rows();
  expect(created?.textContent).toContain("Impact: Minor impact");
  expect(changed?.textContent).toContain("Changed incident “Slow”");
  expect(changed?.textContent).toContain("Status: Monitoring → Resolved");
});

test("the changes of one monitor are loaded when they are opened, without its name", async () => {
  const { id, client } = await start();
  await client.post("/api/walls", { name: "Office" });
  render(<ChangesDisclosure object={`monitor:${id}`} />);
  expect(screen.queryByRole("list")).toBeNull();
  await userEvent.click(screen.getByText("Changes"));
  const shown = await rows();
  expect(shown).toHaveLength(2);
  expect(shown[0]?.textContent).not.toContain("Shop");
});
