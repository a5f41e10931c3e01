import "../../../../testing/test-dom";

import { beforeEach, expect, test } from "bun:test";
import { setUpPage } from "../../../../testing/set-up";
import { fakeServer, render, screen, userEvent, waitFor } from "../../../../testing/test-page";
import DetailPage from "../../detail/detail-page";
import { detail, list, monitor } from "../../fixtures";
import CreatePage from "../create-page";
import EditPage from "../edit-page";

const bodyOf = (method: string, end: string) =>
  fakeServer.calls.findLast((call) => call.method === method && call.path.endsWith(end))?.body;

const refused = {
  up: true,
  response_time: null,
  status_code: null,
  error: "refused: connection refused",
  error_code: "refused",
  error_detail: null,
  cert_expires_at: null,
};
const closed = monitor({
  id: 41,
  kind: "tcp",
  target: "db.example:5432",
  inverted: true,
  config: { host: "db.example", port: 5432, inverted: true },
});

setUpPage({ path: "/monitors" });
beforeEach(() =>
  fakeServer.answer(({ method }, path) => {
    if (path.endsWith("/probe")) return Response.json({ success: true, result: refused });
    if (path.endsWith("/41")) return detail(closed);
    return method === "POST" ? Response.json({ success: true, monitor: closed }, { status: 201 }) : list();
  }),
);

test("a monitor is inverted in the further settings, and its probe says that the failure is expected", async () => {
  render(<CreatePage />);
  await userEvent.click(screen.getByRole("radio", { name: "Another port" }));
  await userEvent.type(screen.getByLabelText("Host *"), "db.example");
  await userEvent.type(screen.getByLabelText("Port *"), "5432");
  await userEvent.click(screen.getByText("More settings"));
  await userEvent.click(screen.getByLabelText("Inverted"));
  await userEvent.tab();
  expect((await screen.findByText(/Fails, as it should/)).textContent).toContain("Connection refused");
  await userEvent.click(screen.getByRole("button", { name: "Add monitor" }));
  const config = { host: "db.example", port: 5432, inverted: true };
  await waitFor(() => expect(bodyOf("POST", "/monitors")).toMatchObject({ kind: "tcp", config }));
});

test("the page of an inverted monitor marks it, and its form turns that off", async () => {
  render(<DetailPage id="41" />);
  expect((await screen.findAllByText("Up while the check fails")).length).toBeGreaterThan(0);
  expect(screen.getAllByText("Inverted").length).toBeGreaterThan(1);
  render(<EditPage id="41" />);
  await userEvent.click(await screen.findByLabelText("Inverted"));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(bodyOf("PUT", "/41")).toMatchObject({ config: { inverted: false } }));
});

test("an ordinary monitor sends no such field", async () => {
  render(<CreatePage />);
  await userEvent.click(screen.getByRole("radio", { name: "Another port" }));
  await userEvent.type(screen.getByLabelText("Host *"), "db.example");
  await userEvent.type(screen.getByLabelText("Port *"), "5432");
  await userEvent.click(screen.getByRole("button", { name: "Add monitor" }));
  const config = { host: "db.example", port: 5432 };
  await waitFor(() => expect(bodyOf("POST", "/monitors")).toMatchObject({ config }));
  expect(JSON.stringify(bodyOf("POST", "/monitors"))).not.toContain("inverted");
});

test("a domain is created with an hour's interval, and its probe shows the registrar and the days", async () => {
  const registration = {
    name: "shop.example",
    registrar: "Example Registrar",
    registered_at: null,
    expires_at: new Date(Date.now() + 100.5 * 86_400_000).toISOString(),
    statuses: [],
    asked_at: new Date().toISOString(),
  };
  const result = { ...refused, error: null, error_code: null, registration };
  fakeServer.answer(({ method }, path) => {
    if (path.endsWith("/probe")) return Response.json({ success: true, result });
    return method === "POST" ? Response.json({ success: true, monitor: closed }, { status: 201 }) : list();
  });
  render(<CreatePage />);
  await userEvent.click(screen.getByRole("radio", { name: "A domain" }));
  await userEvent.type(screen.getByLabelText("Domain *"), "https://Shop.example/cart");
  await userEvent.tab();
  expect((await screen.findByText(/Example Registrar/)).textContent).toContain("expires in 101 days");
  await userEvent.click(screen.getByRole("button", { name: "Add monitor" }));
  await waitFor(() =>
    expect(bodyOf("POST", "/monitors")).toMatchObject({
      name: "shop.example",
      kind: "domain",
      config: { domain: "shop.example", days: [30, 14, 7, 1] },
      interval: 3600,
      quick_recheck: false,
    }),
  );
});
