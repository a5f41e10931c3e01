import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { addMonitor } from "../../../../src/testing/fixtures/monitors";
import { startHub, startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { cleanup, render, screen, userEvent, waitFor } from "../../../testing/test-page";
import CreatePage from "./create-page";
import EditPage from "./edit-page";

const FORM = "/monitors/form";
setUpPage({ path: FORM });

type Hub = Awaited<ReturnType<typeof startHubAs>>;
const save = (name = "Create monitor") => userEvent.click(screen.getByRole("button", { name }));
/** The monitor as the hub has it, once the page has left the form. */
const stored = async ({ client }: Hub) => {
  await waitFor(() => expect(location.pathname).not.toBe(FORM));
  return (await client.get("/api/monitors/1")).body.monitor;
};

test("creating a monitor stores the form's values and opens the list", async () => {
  const hub = await startHubAs("bob");
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
  await save();
  expect(await stored(hub)).toMatchObject({
    name: "Website",
    url: "https://example.com/",
    method: "POST",
    interval: 60,
    timeout: 30,
    expected_status: 200,
    headers: { Accept: "text/plain" },
    body: '{"a":1}',
    retries: 1,
  });
  expect(location.pathname).toBe("/monitors");
});

test("a refused field shows the reason, and the typed values stay", async () => {
  await startHubAs("bob");
  render(<CreatePage />);
  await userEvent.type(screen.getByLabelText("Name *"), "Website");
  await userEvent.type(screen.getByLabelText("URL *"), "http://example.com:99999/");
  await save();
  await screen.findByText("expected an http:// or https:// address");
  expect(screen.getByLabelText("URL *").getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByLabelText<HTMLInputElement>("Name *").value).toBe("Website");
});

test("a refused header shows the reason at the headers", async () => {
  await startHubAs("bob");
  render(<CreatePage />);
  await userEvent.type(screen.getByLabelText("Name *"), "Website");
  await userEvent.type(screen.getByLabelText("URL *"), "https://example.com/");
  await userEvent.type(screen.getByLabelText("Header row 1: Name"), "Connection");
  await userEvent.type(screen.getByLabelText("Header row 1: Value"), "close");
  await save();
  await screen.findByText("Connection is set by the check itself");
});

test("the form warns a user whose quota of monitors is reached", async () => {
  const hub = await startHubAs("bob", { env: { QUOTA_MONITORS: "1" } });
  await addMonitor(hub, hub.user, { url: "https://example.com/" });
  render(<CreatePage />);
  await screen.findByText(/^You have reached the limit of 1 monitor/);
});

test("an address with surrounding spaces is accepted", async () => {
  const hub = await startHubAs("bob");
  render(<CreatePage />);
  await userEvent.type(screen.getByLabelText("Name *"), "Website");
  const field = screen.getByLabelText<HTMLInputElement>("URL *");
  const isTaken = (address: string) => new RegExp(`^(?:${field.pattern})$`, "v").test(address);
  expect(["  https://example.com/ ", "\thttp://x"].map(isTaken)).toEqual([true, true]);
  expect(["ftp://example.com/", "x https://example.com/"].map(isTaken)).toEqual([false, false]);
  await userEvent.click(field);
  await userEvent.paste("  https://example.com/ ");
  await save();
  expect(await stored(hub)).toMatchObject({ url: "https://example.com/" });
});

test("an address without a scheme is completed in the field and saved as displayed", async () => {
  const hub = await startHubAs("bob");
  render(<CreatePage />);
  const field = screen.getByLabelText<HTMLInputElement>("URL *");
  await userEvent.type(field, "example.com");
  await userEvent.type(screen.getByLabelText("Name *"), "Website");
  expect(field.value).toBe("https://example.com");
  await save();
  expect(await stored(hub)).toMatchObject({ url: "https://example.com" });
});

test("saving an unchanged monitor keeps its stored values", async () => {
  const hub = await startHubAs("bob");
  await addMonitor(hub, hub.user, { url: "https://example.com/", interval: 90, expectedStatus: 2, body: "kept" });
  const before = (await hub.client.get("/api/monitors/1")).body.monitor;
  render(<EditPage id="1" />);
  expect((await screen.findByLabelText<HTMLInputElement>("Interval (minutes) *")).value).toBe("1.5");
  await save("Save");
  expect(await stored(hub)).toEqual(before);
});

test("an interval of partial minutes is accepted only while it is unchanged", async () => {
  const hub = await startHubAs("bob");
  await addMonitor(hub, hub.user, { url: "https://example.com/", interval: 90 });
  render(<EditPage id="1" />);
  const field = await screen.findByLabelText<HTMLInputElement>("Interval (minutes) *");
  expect(field.step).toBe("any");
  await userEvent.clear(field);
  await userEvent.type(field, "2.5");
  expect(field.step).toBe("1");
  await userEvent.clear(field);
  await userEvent.type(field, "1.5");
  expect(field.step).toBe("any");
});

test("a request body survives a change to a method without one and back", async () => {
  const hub = await startHubAs("bob");
  await addMonitor(hub, hub.user, { url: "https://example.com/", method: "POST", body: "old" });
  render(<EditPage id="1" />);
  await userEvent.type(await screen.findByLabelText("Body"), " and new");
  await userEvent.selectOptions(screen.getByLabelText("Method"), "GET");
  expect(screen.queryByLabelText("Body")).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText("Method"), "PUT");
  expect(screen.getByLabelText<HTMLTextAreaElement>("Body").value).toBe("old and new");
  await userEvent.selectOptions(screen.getByLabelText("Method"), "GET");
  await save("Save");
  expect(await stored(hub)).toMatchObject({ method: "GET", body: "old and new" });
});

test("a user is warned of a private address, an administrator is not", async () => {
  const warning = /only administrators can check it/;
  const hub = await startHub();
  const { alice, bob } = await hub.people();
  for (const user of [bob, alice]) {
    await hub.signIn(user);
    render(<CreatePage />);
    await userEvent.type(screen.getByLabelText("URL *"), "http://192.168.1.10/");
    expect(screen.queryByText(warning) !== null).toBe(user === bob);
    await userEvent.clear(screen.getByLabelText("URL *"));
    await userEvent.type(screen.getByLabelText("URL *"), "https://example.com/");
    expect(screen.queryByText(warning)).toBeNull();
    await cleanup();
  }
});
