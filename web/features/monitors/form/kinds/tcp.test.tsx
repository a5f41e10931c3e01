import "../../../../testing/test-dom";

import { expect, test } from "bun:test";
import { setUpPage } from "../../../../testing/set-up";
import { cleanup, fakeServer, render, screen, userEvent, waitFor } from "../../../../testing/test-page";
import { detail, list, monitor } from "../../fixtures";
import CreatePage from "../create-page";
import EditPage from "../edit-page";

const result = { up: true, response_time: 3, status_code: null, error: null, error_code: null, error_detail: null };
const sentBy = (method: string, path: string) =>
  fakeServer.calls.find((call) => call.method === method && call.path.endsWith(path))?.body as { config: object };
const value = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
const options = (label: string) =>
  [...screen.getByLabelText<HTMLSelectElement>(label).options].map(({ textContent }) => textContent);
const choose = (name: string) => userEvent.click(screen.getByRole("button", { name }));

const open = (query: string) => {
  history.replaceState(null, "", `/monitors/create?${query}`);
  fakeServer.answer(({ method }, path) => {
    if (path.endsWith("/probe")) return Response.json({ success: true, result: { ...result, cert_expires_at: null } });
    return method === "POST" ? Response.json({ success: true, monitor: monitor({ id: 1 }) }, { status: 201 }) : list();
  });
  render(<CreatePage />);
};

setUpPage();

test("a service fills in its port, and offers the encryption that it has", async () => {
  open("kind=tcp&preset=smtp");
  expect([value("Port *"), options("Encryption")]).toEqual(["25", ["None", "TLS", "STARTTLS"]]);
  await userEvent.selectOptions(screen.getByLabelText("Encryption"), "TLS");
  expect(value("Port *")).toBe("465");
  await choose("IMAP");
  expect(value("Port *")).toBe("993");
  await userEvent.clear(screen.getByLabelText("Port *"));
  await userEvent.type(screen.getByLabelText("Port *"), "1993");
  await choose("POP3");
  // A port of one's own stays.
  expect(value("Port *")).toBe("1993");
  await userEvent.type(screen.getByLabelText("Host *"), "mail.example");
  await choose("Add monitor");
  const config = { host: "mail.example", port: 1993, tls: "direct", preset: "pop3" };
  await waitFor(() => expect(sentBy("POST", "/monitors")?.config).toEqual(config));
});

test("a port that is pasted with the host replaces the one that the service has filled in", async () => {
  open("kind=tcp&preset=postgres");
  expect(value("Port *")).toBe("5432");
  await userEvent.click(screen.getByLabelText("Host *"));
  await userEvent.paste("db.example:5433");
  await userEvent.tab();
  expect([value("Host *"), value("Port *")]).toEqual(["db.example", "5433"]);
});

test("a database may have a login, which goes when another service is chosen", async () => {
  open("kind=tcp&preset=mysql");
  await userEvent.type(screen.getByLabelText("Host *"), "db.example");
  await userEvent.type(screen.getByLabelText(/^User/), "watch");
  await userEvent.type(screen.getByLabelText(/^Password/), " secret");
  await choose("Add monitor");
  const config = { host: "db.example", port: 3306, preset: "mysql", user: "watch", password: " secret" };
  await waitFor(() => expect(sentBy("POST", "/monitors")?.config).toEqual(config));
  await cleanup();
  fakeServer.reset();
  const stored = monitor({ id: 41, kind: "tcp", target: "db.example:3306", config: { ...config, password: "••••" } });
  fakeServer.answer(({ method }, path) => {
    if (path.endsWith("/probe")) return Response.json({ success: true, result: { ...result, cert_expires_at: null } });
    return method === "PUT" ? Response.json({ success: true, monitor: stored }) : detail(stored);
  });
  render(<EditPage id="41" />);
  await userEvent.selectOptions(await screen.findByLabelText("Service"), "SSH");
  expect(screen.queryByLabelText(/^Password/)).toBeNull();
  await choose("Save");
  const moved = { host: "db.example", port: 22, preset: "ssh", user: "", password: "" };
  await waitFor(() => expect(sentBy("PUT", "/41")?.config).toEqual(moved));
});

test("bytes of one's own are sent as they were written, and refused when they are malformed", async () => {
  open("kind=tcp");
  await userEvent.type(screen.getByLabelText("Host *"), "db.example");
  await userEvent.type(screen.getByLabelText("Port *"), "7");
  await userEvent.type(screen.getByLabelText(/^Send/), "hex:0");
  await choose("Add monitor");
  await screen.findByText(/^At most 1024 bytes/);
  await userEvent.clear(screen.getByLabelText(/^Send/));
  await userEvent.type(screen.getByLabelText(/^Send/), " a\\r\\n");
  await choose("Add monitor");
  const config = { host: "db.example", port: 7, send: " a\\r\\n" };
  await waitFor(() => expect(sentBy("POST", "/monitors")?.config).toEqual(config));
});

test("editing keeps the stored port, and sends what is no longer chosen as empty", async () => {
  const config = { host: "db.example", port: 7777, preset: "redis", tls: "direct", send: "PING\\r\\n" };
  const stored = monitor({ id: 40, kind: "tcp", target: "db.example:7777", config });
  fakeServer.answer(({ method }, path) => {
    if (path.endsWith("/probe")) return Response.json({ success: true, result: { ...result, cert_expires_at: null } });
    return method === "PUT" ? Response.json({ success: true, monitor: stored }) : detail(stored);
  });
  render(<EditPage id="40" />);
  await userEvent.selectOptions(await screen.findByLabelText("Service"), "Any service");
  await userEvent.clear(screen.getByLabelText(/^Send/));
  expect(value("Port *")).toBe("7777");
  await choose("Save");
  await waitFor(() => expect(sentBy("PUT", "/40")?.config).toEqual({ ...config, preset: "", send: "" }));
});

test("an address of a WebSocket gets its scheme, and one of a gRPC server has no path", async () => {
  open("kind=websocket");
  await userEvent.type(screen.getByLabelText("Address *"), "live.example/feed");
  await choose("Add monitor");
  await waitFor(() => expect(sentBy("POST", "/monitors")?.config).toEqual({ url: "wss://live.example/feed" }));
  await cleanup();
  fakeServer.reset();
  open("kind=grpc");
  await userEvent.type(screen.getByLabelText("Server address *"), "grpc.example:50051/shop");
  await choose("Add monitor");
  await screen.findByText(/^Enter an address without a path/);
  await userEvent.clear(screen.getByLabelText("Server address *"));
  await userEvent.type(screen.getByLabelText("Server address *"), "grpcs://grpc.example:50051");
  await userEvent.type(screen.getByLabelText(/^Service/), "shop.Orders");
  await choose("Add monitor");
  const config = { url: "https://grpc.example:50051", service: "shop.Orders" };
  await waitFor(() => expect(sentBy("POST", "/monitors")?.config).toEqual(config));
});
