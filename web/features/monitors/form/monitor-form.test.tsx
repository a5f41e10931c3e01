import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { addMonitor } from "../../../../src/testing/fixtures/monitors";
import { changes, startHub, startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { cleanup, fakeServer, render, screen, userEvent, waitFor } from "../../../testing/test-page";
import CreatePage from "./create-page";
import EditPage from "./edit-page";

const FORM = "/monitors/form";
setUpPage({ path: FORM });

type Hub = Awaited<ReturnType<typeof startHubAs>>;
const save = (name = "Add monitor") => userEvent.click(screen.getByRole("button", { name }));
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
    retry_pause: 1,
    quick_recheck: true,
  });
  expect(location.pathname).toBe("/monitors");
});

test("a refused field shows the reason, and the typed values stay", async () => {
  await startHubAs("bob");
  render(<CreatePage />);
  await userEvent.type(screen.getByLabelText("Name *"), "Website");
  await userEvent.type(screen.getByLabelText("URL *"), "http://example.com:99999/");
  await save();
  await screen.findByText("Enter a valid web address, such as https://example.com");
  expect(screen.getByLabelText("URL *").getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByLabelText<HTMLInputElement>("Name *").value).toBe("Website");
  expect(changes()).toEqual([]);
});

test("what only the server refuses has its reason at the field", async () => {
  await startHubAs("bob");
  render(<CreatePage />);
  await userEvent.type(screen.getByLabelText("URL *"), "https://example.com/");
  await userEvent.clear(screen.getByLabelText("Timeout (seconds) *"));
  await userEvent.type(screen.getByLabelText("Timeout (seconds) *"), "61");
  await save();
  await screen.findByText("The timeout must be between 1 and 300 seconds and not above the interval");
  expect(screen.getByLabelText("Timeout (seconds) *").getAttribute("aria-invalid")).toBe("true");
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

const url = () => screen.getByLabelText<HTMLInputElement>("URL *");
const name = () => screen.getByLabelText<HTMLInputElement>("Name *");
const leaveUrl = () => userEvent.click(name());

test("the address has the focus, and fills the name in until the user writes another one", async () => {
  await startHubAs("bob");
  render(<CreatePage />);
  await waitFor(() => expect(document.activeElement === url()).toBe(true));
  await userEvent.keyboard("{Enter}");
  await screen.findByText("Enter a name");
  await userEvent.keyboard("shop.example/health");
  await leaveUrl();
  expect([url().value, name().value]).toEqual(["https://shop.example/health", "shop.example"]);
  await waitFor(() => expect(screen.queryByText("Enter a name") === null).toBe(true));
  await userEvent.clear(url());
  await userEvent.type(url(), "https://bank.example:8443");
  await leaveUrl();
  expect(name().value).toBe("bank.example:8443");
  await userEvent.keyboard("Bank");
  expect(name().value).toBe("Bank");
  await userEvent.clear(url());
  await userEvent.type(url(), "https://shop.example");
  await leaveUrl();
  expect(name().value).toBe("Bank");
});

test("an address and Enter are all that a new monitor needs", async () => {
  const hub = await startHubAs("bob");
  render(<CreatePage />);
  await userEvent.keyboard("shop.example{Enter}");
  expect(await stored(hub)).toMatchObject({ name: "shop.example", url: "https://shop.example", interval: 60 });
});

const probes = () => changes().filter(({ path }) => path.endsWith("/probe"));
const answerProbes = (hub: Hub, result: object) =>
  fakeServer.answer((request, path) =>
    path.endsWith("/probe") ? Response.json({ success: true, result }) : hub.send(request),
  );
const fine = {
  up: true,
  status_code: 200,
  response_time: 48,
  error: null,
  error_code: null,
  error_detail: null,
  cert_expires_at: null,
};

test("leaving the address probes it once, and shows the outcome below it", async () => {
  const hub = await startHubAs("bob");
  answerProbes(hub, { ...fine, cert_expires_at: new Date(Date.now() + 63.5 * 86_400_000).toISOString() });
  render(<CreatePage />);
  await userEvent.type(url(), "shop.example");
  expect(probes()).toEqual([]);
  await leaveUrl();
  await screen.findByText("200 · 48 ms · certificate 64 days");
  expect(probes().map(({ body }) => body)).toMatchObject([{ url: "https://shop.example", method: "GET", timeout: 10 }]);
  // Other fields make no other request.
  await userEvent.type(name(), "x");
  await userEvent.click(url());
  await leaveUrl();
  expect(probes().length).toBe(1);
  answerProbes(hub, { ...fine, up: false, error_code: "status", error_detail: { actual: 503, expected: "200" } });
  await userEvent.click(screen.getByRole("button", { name: "Check again" }));
  await screen.findByText("Status 503, expected 200 · 48 ms");
  await userEvent.selectOptions(screen.getByLabelText("Expected status *"), "503");
  await userEvent.tab();
  await waitFor(() => expect(probes().length).toBe(3));
});

test("a request that may change something is probed on demand only", async () => {
  const hub = await startHubAs("bob");
  answerProbes(hub, fine);
  render(<CreatePage />);
  await userEvent.selectOptions(screen.getByLabelText("Method"), "DELETE");
  await userEvent.type(url(), "shop.example");
  await leaveUrl();
  await screen.findByText(/may change data on the server/);
  expect(probes()).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Check now" }));
  await screen.findByText("200 · 48 ms");
  expect(probes().map(({ body }) => body)).toMatchObject([{ method: "DELETE" }]);
});

test("an invalid address is named when it is left, and is neither probed nor used as a name", async () => {
  await startHubAs("bob");
  render(<CreatePage />);
  for (const text of ["ftp://shop.example", "http://", "a@shop.example", "shop.example:99999", "sh op"]) {
    await userEvent.clear(url());
    await userEvent.type(url(), text);
    await leaveUrl();
    await waitFor(() =>
      expect(screen.getAllByRole("alert").map(({ textContent }) => textContent)).toEqual([
        "Enter a valid web address, such as https://example.com",
      ]),
    );
    expect([text, name().value]).toEqual([text, ""]);
  }
  expect(changes()).toEqual([]);
});

test("a monitor that is edited is probed only once its target was changed", async () => {
  const hub = await startHubAs("bob");
  await addMonitor(hub, hub.user, { url: "https://example.com/" });
  answerProbes(hub, fine);
  render(<EditPage id="1" />);
  await screen.findByLabelText("URL *");
  await userEvent.click(url());
  await leaveUrl();
  await userEvent.type(url(), "health");
  await leaveUrl();
  await screen.findByText("200 · 48 ms");
  expect(probes().map(({ body }) => body)).toMatchObject([{ id: 1, url: "https://example.com/health" }]);
  // The name is the user's own.
  expect(name().value).toBe("shop");
});

test("too many probes are named, and nothing else is lost", async () => {
  const hub = await startHubAs("bob");
  fakeServer.answer((request, path) =>
    path.endsWith("/probe")
      ? Response.json({ success: false, code: "rate_limited", message: "" }, { status: 429 })
      : hub.send(request),
  );
  render(<CreatePage />);
  await userEvent.type(url(), "shop.example");
  await leaveUrl();
  await screen.findByText("Too many attempts, please wait a while");
  await save();
  expect(await stored(hub)).toMatchObject({ name: "shop.example" });
});
