import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { signIn } from "../../../session";
import { setUpPage } from "../../../testing/set-up";
import { cleanup, fakeServer, render, screen, userEvent, waitFor } from "../../../testing/test-page";
import { detail, list, monitor } from "../fixtures";
import CreatePage from "./create-page";
import EditPage from "./edit-page";

const sentBy = (method: string) => fakeServer.calls.find((call) => call.method === method)?.body;

setUpPage({ path: "/monitors" });

test("creating a monitor sends the form's values and opens the list", async () => {
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

test("a refused field shows the reason, and the typed values stay", async () => {
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

test("an address with surrounding spaces is accepted", async () => {
  fakeServer.answer(({ method }) =>
    method === "POST" ? Response.json({ success: true, monitor: monitor({}) }, { status: 201 }) : list(),
  );
  render(<CreatePage />);
  await userEvent.type(screen.getByLabelText("Name *"), "Website");
  const field = screen.getByLabelText<HTMLInputElement>("URL *");
  const isTaken = (address: string) => new RegExp(`^(?:${field.pattern})$`, "v").test(address);
  expect(["  https://example.com/ ", "\thttp://x"].map(isTaken)).toEqual([true, true]);
  expect(["ftp://example.com/", "x https://example.com/"].map(isTaken)).toEqual([false, false]);
  await userEvent.click(field);
  await userEvent.paste("  https://example.com/ ");
  await userEvent.click(screen.getByRole("button", { name: "Create monitor" }));
  await waitFor(() => expect(sentBy("POST")).toMatchObject({ url: "https://example.com/" }));
});

test("an address without a scheme is completed in the field and saved as displayed", async () => {
  fakeServer.answer(({ method }) =>
    method === "POST" ? Response.json({ success: true, monitor: monitor({}) }, { status: 201 }) : list(),
  );
  render(<CreatePage />);
  const field = screen.getByLabelText<HTMLInputElement>("URL *");
  await userEvent.type(field, "example.com");
  await userEvent.type(screen.getByLabelText("Name *"), "Website");
  expect(field.value).toBe("https://example.com");
  await userEvent.click(screen.getByRole("button", { name: "Create monitor" }));
  await waitFor(() => expect(sentBy("POST")).toMatchObject({ url: "https://example.com" }));
});

test("saving an unchanged monitor sends its stored values", async () => {
  const odd = monitor({ id: 20, interval: 90, expected_status: 1, body: "kept" });
  fakeServer.answer(() => detail(odd));
  render(<EditPage id="20" />);
  expect((await screen.findByLabelText<HTMLInputElement>("Interval (minutes) *")).value).toBe("1.5");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(sentBy("PUT")).toMatchObject({ method: "GET", interval: 90, expectedStatus: 1, body: "kept" }),
  );
});

test("an interval of partial minutes is accepted only while it is unchanged", async () => {
  fakeServer.answer(() => detail(monitor({ id: 21, interval: 90 })));
  render(<EditPage id="21" />);
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
  fakeServer.answer(() => detail(monitor({ id: 22, method: "POST", body: "old" })));
  render(<EditPage id="22" />);
  await userEvent.type(await screen.findByLabelText("Body"), " and new");
  await userEvent.selectOptions(screen.getByLabelText("Method"), "GET");
  expect(screen.queryByLabelText("Body")).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText("Method"), "PUT");
  expect(screen.getByLabelText<HTMLTextAreaElement>("Body").value).toBe("old and new");
  await userEvent.selectOptions(screen.getByLabelText("Method"), "GET");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(sentBy("PUT")).toMatchObject({ method: "GET", body: "old and new" }));
});

test("a user is warned of a private address, an administrator is not", async () => {
  const warning = /only administrators can check it/;
  for (const role of ["user", "admin"]) {
    signIn("a token", { id: 2, username: "bob", role });
    render(<CreatePage />);
    await userEvent.type(screen.getByLabelText("URL *"), "http://192.168.1.10/");
    expect(screen.queryByText(warning) !== null).toBe(role === "user");
    await userEvent.clear(screen.getByLabelText("URL *"));
    await userEvent.type(screen.getByLabelText("URL *"), "https://example.com/");
    expect(screen.queryByText(warning)).toBeNull();
    cleanup();
  }
});
