import "../../../../testing/test-dom";

import { expect, test } from "bun:test";
import { addMonitor } from "../../../../../src/testing/fixtures/monitors";
import { startHubAs } from "../../../../testing/hub";
import { setUpPage } from "../../../../testing/set-up";
import { fireEvent, render, screen, userEvent, waitFor } from "../../../../testing/test-page";
import DetailPage from "../../detail/detail-page";
import EditPage from "../edit-page";

const FORM = "/monitors/form";
setUpPage({ path: FORM });

const ASSERTIONS = [
  { on: "json", path: "data.items[0].status", op: "=", value: "ok", ignore_case: false },
  { on: "header", path: "X-Cache", op: "exists", value: "", ignore_case: false },
  { on: "time", path: "", op: "<", value: "800", ignore_case: false },
] as const;

const edit = async () => {
  const hub = await startHubAs("bob");
  const id = await addMonitor(hub, hub.user, { url: "https://example.com/", active: false });
  const path = `/api/monitors/${id}`;
  const change = async (fields: object) => {
    const { name, url, interval } = (await hub.client.get(path)).body.monitor;
    await hub.client.put(path, { name, url, interval, ...fields });
  };
  const save = async () => {
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(location.pathname).not.toBe(FORM));
    return (await hub.client.get(path)).body.monitor;
  };
  return { change, save };
};

test("conditions are added, changed and removed as sentences", async () => {
  const { save, change } = await edit();
  await change({ assertions: ASSERTIONS });
  render(<EditPage id="1" />);
  expect((await screen.findByLabelText<HTMLInputElement>("Condition 1: Path")).value).toBe("data.items[0].status");
  await userEvent.click(screen.getByRole("button", { name: "Remove condition 2" }));
  await userEvent.click(screen.getByRole("button", { name: "Add condition" }));
  await userEvent.type(screen.getByLabelText("Condition 3: Value"), "Welcome");
  await userEvent.click(screen.getAllByLabelText("Ignore case").at(-1) as HTMLElement);
  await userEvent.selectOptions(screen.getByLabelText("Condition 1: Comparison"), "is not");
  const saved = [
    { ...ASSERTIONS[0], op: "!=" },
    ASSERTIONS[2],
    { on: "body", path: "", op: "contains", value: "Welcome", ignore_case: true },
  ];
  expect((await save()).assertions as unknown).toEqual(saved);
});

test("an incomplete condition is refused at the conditions, and one that the server refuses has its reason", async () => {
  await edit();
  render(<EditPage id="1" />);
  await userEvent.click(await screen.findByRole("button", { name: "Add condition" }));
  await userEvent.selectOptions(screen.getByLabelText("Condition 1: Part of the answer"), "JSON value");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Complete the conditions: a path or the name of a header, and what it is compared with");
  fireEvent.change(screen.getByLabelText("Condition 1: Path"), { target: { value: "a..b" } });
  await userEvent.type(screen.getByLabelText("Condition 1: Value"), "x");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText(/^Expected a path such as data\.items\[0\]\.status/);
});

test("several status codes, the IP version and self-signed certificates are saved and shown", async () => {
  const { save } = await edit();
  render(<EditPage id="1" />);
  await userEvent.selectOptions(await screen.findByLabelText("Expected status *"), "Several codes…");
  await userEvent.type(screen.getByLabelText("Status codes *"), "2xx, 401");
  await userEvent.selectOptions(screen.getByLabelText("IP version"), "IPv6 only");
  await userEvent.click(screen.getByLabelText("Accept self-signed certificates"));
  const fields = { expected_status: 200, expected_statuses: "200-299,401", ip_family: "6", accept_self_signed: true };
  expect(await save()).toMatchObject(fields);
});

test("the page of a monitor shows its conditions as sentences", async () => {
  const { change } = await edit();
  await change({ assertions: ASSERTIONS, expected_statuses: "200-299,401" });
  render(<DetailPage id="1" />);
  await userEvent.click(await screen.findByRole("tab", { name: "About" }));
  await screen.findByText("JSON data.items[0].status is “ok”");
  for (const text of ["Header X-Cache exists", "Slow from 800 ms", "200-299,401"]) screen.getByText(text);
});
