import { expect, test } from "bun:test";
import { getDefaultStore } from "jotai";
import { channels, notificationRules } from "../../../src/db/schema";
import { markOfflineServers } from "../../../src/modules/servers/ingest/offline";
import { checkError } from "../../../src/shared/check-error";
import { HOUR, MINUTE } from "../../../src/shared/limits";
import { START } from "../../../src/testing/clock";
import { enrollAgent, sampleAt } from "../../../src/testing/fixtures/agents";
import { addMonitor, record, recordOnly } from "../../../src/testing/fixtures/monitors";
import { publish } from "../../../src/testing/fixtures/status-page";
import { signOut } from "../../session";
import { changes, startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { setWidth } from "../../testing/test-dom";
import { fakeServer, fireEvent, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import DashboardPage from "./dashboard-page";
import { addedAtom, readAddresses } from "./start";

setUpPage({ path: "/dashboard" });

const error = checkError("status", { actual: 503, expected: "200" });

/** Bob's hub with a monitor that went down at START and came up again at `until`, in minutes, if that is given. */
const start = async ({ until }: { until?: number } = {}) => {
  const hub = await startHubAs("bob");
  const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  await recordOnly(hub, id, [{ at: START, up: false, error, statusCode: 503 }]);
  if (until !== undefined) await recordOnly(hub, id, [{ at: START + until * MINUTE }]);
  hub.clock.set(START + 40 * MINUTE);
  return { ...hub, id };
};
const title = async () => (await screen.findByRole("heading", { level: 1 })).textContent;

test("the title says what is down, and the counts lead to the lists", async () => {
  const hub = await start();
  const agent = await enrollAgent(hub, hub.bob);
  await agent.report([sampleAt(START + 40 * MINUTE)]);
  hub.clock.set(START + 2 * HOUR);
  await markOfflineServers(hub.deps);
  render(<DashboardPage />);
  expect(await title()).toBe("1 monitor down, 1 server offline");
  expect(screen.getByRole("link", { name: "Down: 1" }).getAttribute("href")).toBe("/monitors?status=down");
  expect(screen.getByRole("link", { name: "Offline: 1" }).getAttribute("href")).toBe("/agents?status=inactive");
});

test("the title says for how long all is well", async () => {
  await start({ until: 10 });
  render(<DashboardPage />);
  expect(await title()).toBe("All clear for 30 min");
});

test("a monitor that is down is in the block and in the feed, not among the rows", async () => {
  const hub = await start();
  await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Blog" });
  render(<DashboardPage />);
  await screen.findByText("Blog");
  expect(screen.getAllByRole("link", { name: "Shop" })).toHaveLength(2);
  screen.getByText("Status 503, expected 200", { selector: ".feed *" });
});

test("an open incident of the status page leads to its next update", async () => {
  const hub = await start();
  await publish(hub, hub.bob, { title: "Acme", monitors: [hub.id] });
  const write = (body: object) => hub.as(hub.bob).post("/api/incidents", { body: "Text.", ...body });
  const { id } = (await write({ title: "Payments fail" })).body.incident;
  await write({ title: "Over", status: "resolved" });
  render(<DashboardPage />);
  const list = await screen.findByRole("list", { name: "Open incidents" });
  expect(list.querySelectorAll("li")).toHaveLength(1);
  expect(list.textContent).toContain("Payments fail");
  const link = within(list).getByRole("link", { name: "Post update" });
  expect(link.getAttribute("href")).toBe(`/status/config/incidents?incident=${id}`);
});

test("a monitor that is slow is in the block, not among the rows", async () => {
  const hub = await startHubAs("bob");
  for (const name of ["Shop", "Blog"]) await addMonitor(hub, hub.bob, { url: "https://example.com/", name });
  await record(
    hub,
    1,
    [4, 3, 2, 1].map((before) => ({ at: START - before * MINUTE, slow: before < 4 })),
  );
  await record(hub, 2, [{ at: START }]);
  render(<DashboardPage />);
  await screen.findByText("Blog");
  expect(
    screen.getAllByRole("link", { name: "Shop" }).map((link) => link.closest(".problems, .feed") !== null),
  ).toEqual([true, true]);
});

test("the title of a phone is what is broken and the number of the other problems", async () => {
  const hub = await start();
  const agent = await enrollAgent(hub, hub.bob);
  await hub.as(hub.bob).post("/api/thresholds", { scope: "all", metric: "cpu", threshold: 90, minutes: 0 });
  await agent.report([sampleAt(START + 40 * MINUTE, { cpu: 97 })], { failed_units: ["cron.service"] });
  const { unmount } = render(<DashboardPage />);
  expect(await title()).toBe("1 monitor down, High CPU usage on db-1, 1 server problem");
  unmount();
  setWidth(360);
  render(<DashboardPage />);
  expect(await title()).toBe("1 down · 2 alerts");
});

test("the feed tells in one entry how often a monitor failed", async () => {
  const hub = await start({ until: 10 });
  await recordOnly(hub, hub.id, [{ at: START + 20 * MINUTE, up: false, error }, { at: START + 25 * MINUTE }]);
  render(<DashboardPage />);
  await screen.findByText(/Failed 2 times in 25 min · last one 5 min · Status 503, expected 200/);
});

test("an empty dashboard makes a monitor of each pasted line, then offers to notify and saves channel and rules", async () => {
  const hub = await startHubAs("bob");
  render(<DashboardPage />);
  const field = await screen.findByRole("textbox", { name: "Paste an address" });
  await waitFor(() => expect(document.activeElement).toBe(field));
  fireEvent.change(field, { target: { value: "example.com\nhttps://example.com/health\n" } });
  fireEvent.keyDown(field, { key: "Enter" });
  await screen.findByText("example.com/health");
  expect(changes().map(({ body }) => body)).toEqual([
    { name: "example.com", url: "https://example.com/", interval: 60 },
    { name: "example.com/health", url: "https://example.com/health", interval: 60 },
  ]);
  await screen.findByText("Get alerts when it fails?");
  await userEvent.click(screen.getByRole("button", { name: "Add channel" }));
  fireEvent.change(screen.getByRole("textbox", { name: /^Name/ }), { target: { value: "On call" } });
  fireEvent.change(screen.getByLabelText(/Bot token/i), { target: { value: `123:${"a".repeat(35)}` } });
  fireEvent.change(screen.getByLabelText(/Chat ID/i), { target: { value: "42" } });
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryAllByText("Get alerts when it fails?").length).toBe(0));
  const [channel] = await hub.db.select().from(channels);
  const rules = await hub.db.select().from(notificationRules);
  expect(rules.map(({ enabled, channels }) => [enabled, channels])).toEqual([
    [true, [channel?.id ?? 0]],
    [true, [channel?.id ?? 0]],
  ]);
});

test("saving an offered channel again, after its rules could not be saved, creates no second one", async () => {
  const hub = await startHubAs("bob");
  getDefaultStore().set(addedAtom, true);
  await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  let refused = false;
  fakeServer.answer((request, path) => {
    if (refused || request.method === "GET" || !path.startsWith("/api/notifications/settings"))
      return hub.send(request);
    refused = true;
    return Response.json({ success: false, code: "internal", message: "" }, { status: 500 });
  });
  render(<DashboardPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Add channel" }));
  fireEvent.change(screen.getByRole("textbox", { name: /^Name/ }), { target: { value: "On call" } });
  fireEvent.change(screen.getByLabelText(/Bot token/i), { target: { value: `123:${"a".repeat(35)}` } });
  fireEvent.change(screen.getByLabelText(/Chat ID/i), { target: { value: "42" } });
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(refused).toBe(true));
  await userEvent.click(await screen.findByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryAllByText("Get alerts when it fails?").length).toBe(0));
  expect((await hub.db.select().from(channels)).map(({ name }) => name)).toEqual(["On call"]);
  expect((await hub.db.select().from(notificationRules)).length).toBe(2);
});

test("the offer to notify is not made to the next user", () => {
  getDefaultStore().set(addedAtom, true);
  signOut();
  expect(getDefaultStore().get(addedAtom)).toBe(false);
});

test("a line that is no address stays in the field with the reason, and the others are added", async () => {
  await startHubAs("bob");
  render(<DashboardPage />);
  const field = await screen.findByRole("textbox", { name: "Paste an address" });
  fireEvent.change(field, { target: { value: "gopher://example.org\nexample.org\nredis://a.example" } });
  fireEvent.keyDown(field, { key: "Enter" });
  await screen.findByRole("link", { name: "example.org" });
  await screen.findByRole("link", { name: "redis://a.example" });
  expect(changes().length).toBe(2);
  screen.getByText("gopher://example.org: not a valid address");
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Paste an address" }).value).toBe(
    "gopher://example.org",
  );
});

test("addresses are read one by one, with a scheme and a name, and each once", () => {
  const { wanted, bad } = readAddresses(
    " example.com \n\nHTTP://Example.org:8080/a/ ftp://x https://:80 example.com\n10.0.0.1 例子.cn/?q=1",
  );
  expect(wanted.map(({ fields, name }) => [fields, name])).toEqual([
    [{ url: "https://example.com/" }, "example.com"],
    [{ url: "http://example.org:8080/a/" }, "Example.org:8080/a"],
    [{ url: "http://10.0.0.1/" }, "10.0.0.1"],
    [{ url: "https://xn--fsqu00a.cn/?q=1" }, "例子.cn"],
  ]);
  expect(bad).toEqual(["ftp://x", "https://:80"]);
});

test("a line of words and an email address add no monitor, and a host name alone adds one", () => {
  const { wanted, bad } = readAddresses("our shop is example.com\nme@example.org\nnas\nTODO: call");
  expect(wanted.map(({ fields }) => fields)).toEqual([{ url: "http://nas/" }]);
  expect(bad).toEqual(["our shop is example.com", "me@example.org", "TODO: call"]);
});

test("the wall view has no buttons, and its clock says when the data is old", async () => {
  history.replaceState(null, "", "/dashboard?wall");
  const hub = await start();
  const { unmount } = render(<DashboardPage />);
  await screen.findByRole("heading", { level: 1 });
  expect(document.documentElement.dataset).toMatchObject({ wall: "", theme: "dark" });
  expect(screen.queryAllByRole("button", { name: "Refresh" }).length).toBe(0);
  expect(screen.queryAllByRole("alert").length).toBe(0);
  unmount();
  expect(document.documentElement.dataset.wall).toBeUndefined();
  fakeServer.answer(hub.send);
});
