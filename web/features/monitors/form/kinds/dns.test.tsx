import "../../../../testing/test-dom";

import { expect, test } from "bun:test";
import { setUpPage } from "../../../../testing/set-up";
import { fakeServer, render, screen, userEvent, waitFor } from "../../../../testing/test-page";
import DetailPage from "../../detail/detail-page";
import { detail, list, monitor } from "../../fixtures";
import CreatePage from "../create-page";
import EditPage from "../edit-page";

const saved = () => fakeServer.calls.find(({ method, path }) => method === "POST" && path.endsWith("/monitors"))?.body;
const config = {
  name: "example.com",
  type: "MX",
  server: "192.0.2.53",
  expect: { op: "equals", values: ["10 a.example.com", "20 b.example.com"] },
};
const mail = monitor({ id: 50, kind: "dns", target: "example.com MX @192.0.2.53", config });

setUpPage();

const create = (kind: string) => {
  history.replaceState(null, "", `/monitors/create?kind=${kind}`);
  fakeServer.answer(({ method }, path) => {
    if (path.endsWith("/probe")) return Response.json({ code: "hub_unavailable", message: "" }, { status: 503 });
    return method === "POST" ? Response.json({ success: true, monitor: mail }, { status: 201 }) : list();
  });
  render(<CreatePage />);
};

test("a DNS monitor is created with a type and expected records, one per line", async () => {
  create("dns");
  await userEvent.type(screen.getByLabelText("Domain name *"), "example.com");
  await userEvent.selectOptions(screen.getByLabelText("Record type"), "MX");
  expect(screen.queryByLabelText("Expected records *")).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText("Up if the MX records"), "are exactly these");
  await userEvent.type(screen.getByLabelText("Expected records *"), " 10 a.example.com {Enter}{Enter}20 b.example.com");
  await userEvent.click(screen.getByRole("button", { name: "Add monitor" }));
  await waitFor(() =>
    expect(saved()).toMatchObject({ name: "example.com MX", kind: "dns", config: { ...config, server: null } }),
  );
});

test("any records will do unless some are expected, and an address is asked for with PTR only", async () => {
  create("dns");
  await userEvent.type(screen.getByLabelText("Domain name *"), "192.0.2.1");
  await userEvent.click(screen.getByRole("button", { name: "Add monitor" }));
  await screen.findByText("Enter a host name; an IP address only for PTR records");
  await userEvent.selectOptions(screen.getByLabelText("Record type"), "PTR");
  await userEvent.click(screen.getByRole("button", { name: "Add monitor" }));
  await waitFor(() => expect(saved()).toMatchObject({ config: { name: "192.0.2.1", type: "PTR", expect: null } }));
});

test("what the hub refuses is shown at its field, also the name that is asked for", async () => {
  const errors = [
    { path: "config.name", message: "config.name: expected a host name" },
    { path: "config.expect", message: "config.expect: value 2: expected a host name" },
  ];
  fakeServer.answer(({ method }, path) => {
    if (path.endsWith("/probe")) return Response.json({ code: "hub_unavailable", message: "" }, { status: 503 });
    return method === "PUT"
      ? Response.json({ success: false, code: "validation", message: "", errors }, { status: 422 })
      : detail(mail);
  });
  render(<EditPage id="50" />);
  const values = await screen.findByLabelText<HTMLTextAreaElement>("Expected records *");
  expect(values.value).toBe("10 a.example.com\n20 b.example.com");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Value 2: expected a host name");
  const isInvalid = (label: string) => screen.getByLabelText(label).getAttribute("aria-invalid");
  expect([isInvalid("Domain name *"), isInvalid("Expected records *"), isInvalid("Name *")]).toEqual([
    "true",
    "true",
    null,
  ]);
});

test("a DNS monitor's page shows what is asked, of which server, and what is expected", async () => {
  fakeServer.answer(() => detail(mail));
  render(<DetailPage id="50" />);
  await userEvent.click(await screen.findByRole("tab", { name: "About" }));
  const shownAs = async (label: string) => (await screen.findByText(label)).nextElementSibling?.textContent;
  expect([
    await shownAs("Domain name"),
    await shownAs("Record type"),
    await shownAs("Name server"),
    await shownAs("Up if the MX records"),
  ]).toEqual(["example.com", "MX · mail servers", "192.0.2.53", "are exactly these10 a.example.com20 b.example.com"]);
});

test("a ping monitor is created with its host and the number of packets", async () => {
  create("ping");
  await userEvent.type(screen.getByLabelText("Host *"), "192.168.1.1");
  await userEvent.click(screen.getByText("Packets", { exact: false, selector: ".soft" }));
  expect(screen.getByLabelText<HTMLInputElement>("Packets *").value).toBe("3");
  await userEvent.click(screen.getByRole("button", { name: "Add monitor" }));
  await waitFor(() =>
    expect(saved()).toMatchObject({ name: "192.168.1.1", kind: "ping", config: { host: "192.168.1.1", count: 3 } }),
  );
});
