import "../../../../testing/test-dom";

import { beforeEach, expect, test } from "bun:test";
import { hostField } from "../../../../../src/shared/monitor-kinds/common";
import { describeKind } from "../../../../../src/shared/monitor-kinds/field";
import { signIn } from "../../../../session";
import { setUpPage } from "../../../../testing/set-up";
import { cleanup, fakeServer, render, screen, userEvent, waitFor } from "../../../../testing/test-page";
import DetailPage from "../../detail/detail-page";
import { detail, list, monitor } from "../../fixtures";
import CreatePage from "../create-page";
import EditPage from "../edit-page";
import { KINDS } from "./registry";
import { kindView } from "./view";

const sentBy = (method: string) => fakeServer.calls.find((call) => call.method === method)?.body;
const saved = () => fakeServer.calls.find(({ method, path }) => method === "POST" && path.endsWith("/monitors"))?.body;
const probed = {
  up: true,
  response_time: 3,
  status_code: null,
  error: null,
  error_code: null,
  error_detail: null,
  cert_expires_at: null,
};
const cache = monitor({ id: 40, kind: "tcp", target: "db.example:5432", config: { host: "db.example", port: 5432 } });
const common = { interval: 60, timeout: 30, retries: 1, retry_pause: 1, quick_recheck: true };

setUpPage({ path: "/monitors" });
// Fields that are left are probed.
beforeEach(() => fakeServer.answer(() => Response.json({ success: true, result: probed })));

test("a TCP monitor is created with its host and port, and keeps the name typed before its kind was chosen", async () => {
  fakeServer.answer(({ method }, path) => {
    if (path.endsWith("/probe")) return Response.json({ success: true, result: probed });
    return method === "POST" ? Response.json({ success: true, monitor: cache }, { status: 201 }) : list();
  });
  render(<CreatePage />);
  await userEvent.type(screen.getByLabelText("Name *"), "Database");
  await userEvent.click(screen.getByRole("radio", { name: "Another port" }));
  expect(screen.queryByLabelText("URL *")).toBeNull();
  await userEvent.type(screen.getByLabelText("Host *"), " db.example ");
  await userEvent.type(screen.getByLabelText("Port *"), "5432");
  await userEvent.click(screen.getByRole("button", { name: "Add monitor" }));
  const config = { host: "db.example", port: 5432 };
  await waitFor(() => expect(saved()).toEqual({ name: "Database", kind: "tcp", config, ...common }));
});

test("a pasted host with a port, or with a scheme, is split into the two fields", async () => {
  for (const [pasted, host, port] of [
    ["db.example:5432", "db.example", "5432"],
    ["postgres://user:word@db.example:5433/shop", "db.example", "5433"],
    ["[::1]:6379", "[::1]", "6379"],
    ["db.example", "db.example", ""],
    ["::1", "::1", ""],
  ] as const) {
    render(<CreatePage />);
    await userEvent.click(screen.getByRole("radio", { name: "Another port" }));
    await userEvent.click(screen.getByLabelText("Host *"));
    await userEvent.paste(pasted);
    await userEvent.tab();
    const shown = ["Host *", "Port *"].map((label) => screen.getByLabelText<HTMLInputElement>(label).value);
    expect([pasted, ...shown]).toEqual([pasted, host, port]);
    await cleanup();
  }
});

test("editing shows no choice of kind, and a refused field of the config has its message", async () => {
  const errors = [{ path: "config.host", message: "config.host: expected a host name" }];
  fakeServer.answer(({ method }) =>
    method === "PUT"
      ? Response.json({ success: false, code: "validation", message: "", errors }, { status: 422 })
      : detail(cache),
  );
  render(<EditPage id="40" />);
  expect((await screen.findByLabelText<HTMLInputElement>("Host *")).value).toBe("db.example");
  expect(screen.queryByRole("radio")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Enter a host name or an IP address, without a port");
  expect(screen.getByLabelText("Host *").getAttribute("aria-invalid")).toBe("true");
});

test("a TCP monitor's page shows its target as text, with host and port", async () => {
  fakeServer.answer(() => detail(cache));
  render(<DetailPage id="40" />);
  await userEvent.click(await screen.findByRole("tab", { name: "About" }));
  const shownAs = async (label: string) => (await screen.findByText(label)).nextElementSibling?.textContent;
  expect([await shownAs("Type"), await shownAs("Host"), await shownAs("Port")]).toEqual([
    "TCP port",
    "db.example",
    "5432",
  ]);
  expect(screen.getByText("db.example:5432").tagName).toBe("SPAN");
  expect(screen.queryByText("Expected status")).toBeNull();
});

test("a user is warned of a private host", async () => {
  signIn("a token", { id: 2, username: "bob", role: "user" });
  render(<CreatePage />);
  await userEvent.click(screen.getByRole("radio", { name: "Another port" }));
  await userEvent.type(screen.getByLabelText("Host *"), "::1");
  expect(screen.queryByText(/only administrators can check it/)).not.toBeNull();
});

test("a kind in the registry is offered by the form, sent by it and shown by the detail page", async () => {
  const thermometer = describeKind({
    kind: "thermometer",
    fields: [
      { ...hostField, name: "room", label: "Room" },
      { name: "limit", type: "number", min: 0, max: 99, default: 30, about: "Degrees.", example: 30, label: "Limit" },
    ],
    form: { target: ["room"], settings: ["limit"] },
    target: ({ room }) => room,
  });
  KINDS.push(kindView(thermometer));
  const cellar = monitor({ id: 41, kind: "thermometer", target: "cellar", config: { room: "cellar", limit: 25 } });
  fakeServer.answer(({ method }, path) => {
    if (path.endsWith("/probe")) return Response.json({ success: true, result: probed });
    if (method === "POST") return Response.json({ success: true, monitor: cellar }, { status: 201 });
    return detail(cellar);
  });
  render(<CreatePage />);
  await userEvent.click(screen.getByRole("radio", { name: "kinds.thermometer.question" }));
  await userEvent.type(screen.getByLabelText("Room *"), "cellar");
  await userEvent.click(screen.getByLabelText("Name *"));
  // Every kind can be probed, and names its monitors.
  await screen.findByText("Connected · 3 ms");
  expect(sentBy("POST")).toEqual({ kind: "thermometer", config: { room: "cellar", limit: 30 }, timeout: 10 });
  await userEvent.click(screen.getByRole("button", { name: "Add monitor" }));
  const config = { room: "cellar", limit: 30 };
  await waitFor(() => expect(saved()).toEqual({ name: "cellar", kind: "thermometer", config, ...common }));
  await cleanup();
  render(<DetailPage id="41" />);
  await userEvent.click(await screen.findByRole("tab", { name: "About" }));
  expect((await screen.findByText("Room")).nextElementSibling?.firstElementChild?.textContent).toBe("cellar");
  expect(screen.getByText("Limit").nextElementSibling?.textContent).toBe("25");
});
