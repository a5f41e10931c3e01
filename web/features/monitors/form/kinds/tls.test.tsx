import "../../../../testing/test-dom";

import { expect, test } from "bun:test";
import { resetResources } from "../../../../lib/resource";
import { setUpPage } from "../../../../testing/set-up";
import { cleanup, fakeServer, render, screen, userEvent, waitFor } from "../../../../testing/test-page";
import DetailPage from "../../detail/detail-page";
import { detail, list, monitor } from "../../fixtures";
import CreatePage from "../create-page";
import EditPage from "../edit-page";

const sentBy = (wanted: string) =>
  fakeServer.calls.find(({ method, path }) => method === wanted && /monitors(\/\d+)?$/.test(path))?.body;
const config = {
  host: "mail.example",
  port: 587,
  starttls: "smtp",
  server_name: null,
  fingerprint: null,
  days: [14, 3],
};
const mail = monitor({ id: 60, kind: "tls", target: "mail.example:587", config });
const DAY = 86_400_000;

setUpPage();

test("a certificate monitor is created with the usual port of its protocol, and numbers of days", async () => {
  history.replaceState(null, "", "/monitors/create?kind=tls");
  fakeServer.answer(({ method }, path) => {
    if (path.endsWith("/probe")) return Response.json({ code: "hub_unavailable", message: "" }, { status: 503 });
    return method === "POST" ? Response.json({ success: true, monitor: mail }, { status: 201 }) : list();
  });
  render(<CreatePage />);
  await userEvent.click(screen.getByLabelText("Host *"));
  await userEvent.paste("mail.example:465");
  await userEvent.tab();
  const port = () => screen.getByLabelText<HTMLInputElement>("Port *").value;
  expect(port()).toBe("465");
  await userEvent.selectOptions(screen.getByLabelText("How TLS begins"), "After STARTTLS (SMTP)");
  expect(port()).toBe("465");
  await userEvent.clear(screen.getByLabelText("Port *"));
  await userEvent.selectOptions(screen.getByLabelText("How TLS begins"), "After STARTTLS (IMAP)");
  expect(port()).toBe("143");
  await userEvent.selectOptions(screen.getByLabelText("How TLS begins"), "After STARTTLS (SMTP)");
  expect(port()).toBe("587");
  const days = screen.getByLabelText("Alert before the certificate expires");
  await userEvent.clear(days);
  await userEvent.type(days, "14 days");
  await userEvent.click(screen.getByRole("button", { name: "Add monitor" }));
  await screen.findByText("Enter at most 10 numbers of days from 1 to 365, such as 21, 7, 1");
  await userEvent.clear(days);
  await userEvent.type(days, "14，3");
  await userEvent.click(screen.getByRole("button", { name: "Add monitor" }));
  await waitFor(() => expect(sentBy("POST")).toMatchObject({ name: "mail.example", kind: "tls", config }));
});

test("a pasted fingerprint loses its colons, and a wrong one is named", async () => {
  fakeServer.answer(({ method }, path) => {
    if (path.endsWith("/probe")) return Response.json({ code: "hub_unavailable", message: "" }, { status: 503 });
    return method === "PUT" ? Response.json({ success: true, monitor: mail }) : detail(mail);
  });
  render(<EditPage id="60" />);
  const field = await screen.findByLabelText("SHA-256 fingerprint optional");
  await userEvent.type(field, "AB:CD");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("A fingerprint has 64 digits from 0 to 9 and a to f");
  await userEvent.clear(field);
  await userEvent.type(field, "AB:".repeat(31).concat("CD"));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  const fingerprint = "ab".repeat(31).concat("cd");
  await waitFor(() => expect(sentBy("PUT")).toMatchObject({ config: { ...config, fingerprint } }));
});

test("the page of a monitor marks a certificate that has reached a threshold, and says so above", async () => {
  const expiring = { ...mail, cert_expires_at: new Date(Date.now() + 10 * DAY).toISOString() };
  const outage = {
    id: 7,
    target_type: "monitor",
    target_id: 60,
    target_name: "Website",
    kind: "certificate",
    started_at: "2026-01-01T00:00:00.000Z",
    ended_at: null,
    error_code: "certificate_expiring",
    error_detail: { days: 10 },
    last_error_code: "certificate_expiring",
    checks_failed: null,
    cause: null,
    explained_by: null,
    explaining: null,
    acknowledged: null,
    flapping: false,
  };
  const answer = (outages: object[], change = {}) =>
    fakeServer.answer(async () => {
      const body = await detail({ ...expiring, ...change }).json();
      return Response.json({ ...body, monitor: { ...body.monitor, outages } });
    });
  answer([outage]);
  render(<DetailPage id="60" />);
  await screen.findByRole("region", { name: "Certificate expires soon" });
  expect(screen.getByText("14, 3 days before")).toBeDefined();
  expect(document.querySelectorAll(".key-figures .expiring")).toHaveLength(1);
  await cleanup();
  resetResources();
  answer([outage], { active: false, cert_expires_at: new Date(Date.now() + 15 * DAY).toISOString() });
  render(<DetailPage id="60" />);
  await screen.findByText("14, 3 days before");
  expect(screen.queryByRole("region", { name: "Certificate expires soon" })).toBeNull();
  expect(document.querySelector(".expiring")).toBeNull();
});
