import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { joinTeam } from "../../../src/testing/fixtures/people";
import { addTexts } from "../../i18n";
import { chooseTeam } from "../../lib/storage";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { fireEvent, render, screen, userEvent, waitFor, within } from "../../testing/test-page";
import { Toasts } from "../../ui/feedback/toast";
import MaintenancePage from "./maintenance-page";
import { texts } from "./texts";

setUpPage({ path: "/status/config/maintenance" });

const startMaintenance = async (name: "bob" | "charlie" = "bob") => {
  const hub = await startHubAs(name);
  addTexts({ maintenance: texts });
  return hub;
};

const show = () =>
  render(
    <>
      <MaintenancePage />
      <Toasts />
    </>,
  );
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const choose = (label: string, value: string) => userEvent.selectOptions(screen.getByLabelText(label), value);

const WEEKLY = { kind: "weekly", days: [7], at: "03:30", minutes: 60, zone: "Europe/Berlin" };
const windowsOf = async (client: Awaited<ReturnType<typeof startMaintenance>>["client"]) =>
  (await client.get("/api/windows")).body.windows;

test("windows are listed by what they do now, with what they are about and when, in words", async () => {
  const { client } = await startMaintenance();
  await client.post("/api/monitors", { name: "Shop", url: "https://shop.test/", interval: 60 });
  const [shop] = (await client.get("/api/monitors")).body.monitors;
  await client.post("/api/windows/start", { minutes: 60, monitors: [shop?.id ?? 0], title: "Deploy" });
  await client.post("/api/windows", { title: "Restart", tags: ["db"], counted: true, schedule: WEEKLY });
  show();
  const running = (await screen.findByRole("heading", { name: "Running now 1" })).closest("section");
  expect(running?.textContent).toContain("Deploy");
  expect(within(running as HTMLElement).getByRole("link", { name: "Shop" })).toBeTruthy();
  const recurring = screen.getByRole("heading", { name: "Recurring 1" }).closest("section");
  expect(recurring?.textContent).toContain("Every Sunday at 03:30 for 1 hour (Europe/Berlin) · counts in uptime");
  expect(recurring?.textContent).toContain("db");
});

test("a row has the time zone of its window once, and the viewer's time as the second where it differs", async () => {
  const { client } = await startMaintenance();
  const add = (title: string, zone: string) =>
    client.post("/api/windows", { title, all: true, schedule: { ...WEEKLY, zone } });
  await add("Berlin", "Europe/Berlin");
  // The tests run in UTC.
  await add("Abidjan", "Africa/Abidjan");
  await add("London", "UTC");
  show();
  const textOf = async (title: string) =>
    (await screen.findByRole("heading", { name: title })).closest("li")?.textContent;
  const berlin = await textOf("Berlin");
  expect(berlin).toContain("at 03:30 for 1 hour (Europe/Berlin)");
  expect(berlin).toMatch(/next Sun, \w+ \d+, 03:30Sun, \w+ \d+, 02:30 your time/);
  expect(berlin?.match(/Europe/g)).toHaveLength(1);
  for (const title of ["Abidjan", "London"]) {
    const text = await textOf(title);
    expect(text).toMatch(/next \w+ \d+, 03:30/);
    expect(text).not.toContain("your time");
  }
});

test("a weekly window is created for a tag, after a preview of its occurrences", async () => {
  const { client } = await startMaintenance();
  show();
  await press("Schedule maintenance");
  await userEvent.type(await screen.findByLabelText("Title *"), "Restart");
  await userEvent.type(screen.getByLabelText("Everything with one of these tags"), "env:prod{Enter}");
  await choose("When", "weekly");
  await userEvent.click(screen.getByLabelText("Sat"));
  await screen.findByText(/^Next occurrences/);
  await waitFor(() =>
    expect(screen.getByText(/^Next occurrences/).parentElement?.querySelectorAll("li")).toHaveLength(5),
  );
  await press("Save");
  await screen.findByText("Restart");
  expect(await windowsOf(client)).toMatchObject([
    { title: "Restart", tags: ["env:prod"], schedule: { kind: "weekly", days: [6, 7], at: "03:00", minutes: 60 } },
  ]);
});

test("a form without a title and targets, and a cron expression that never comes, are refused at their fields", async () => {
  const { client } = await startMaintenance();
  show();
  await press("Schedule maintenance");
  await choose("When", "cron");
  fireEvent.change(screen.getByLabelText("Cron expression *"), { target: { value: "0 3 31 2 *" } });
  await screen.findByText("These days never come, such as 30 February");
  await press("Save");
  expect(screen.getByLabelText("Title *").getAttribute("aria-invalid")).toBe("true");
  await screen.findByText("Choose monitors, servers or tags, or all of them");
  expect(await windowsOf(client)).toEqual([]);
});

test("a length that reaches the next start is refused at its field when the window is saved", async () => {
  await startMaintenance();
  show();
  await press("Schedule maintenance");
  await userEvent.type(await screen.findByLabelText("Title *"), "Long");
  await userEvent.click(screen.getByRole("switch", { name: /^All monitors and servers/ }));
  await choose("When", "weekly");
  await choose("Unit of the length", "days");
  fireEvent.change(screen.getByLabelText("Length *"), { target: { value: "7" } });
  await press("Save");
  await screen.findByText("It has to be shorter than the time until the next one");
  expect(screen.getByLabelText("Length *").getAttribute("aria-invalid")).toBe("true");
});

test("a window is changed, ended and deleted", async () => {
  const { client } = await startMaintenance();
  await client.post("/api/windows", { title: "Restart", all: true, schedule: WEEKLY });
  await client.post("/api/windows/start", { minutes: 60, all: true, title: "Deploy" });
  show();
  await press("End now");
  await screen.findByText("“Deploy” has ended");
  await press("Edit: Restart");
  const title = await screen.findByLabelText("Title *");
  await userEvent.clear(title);
  await userEvent.type(title, "Reboot");
  await press("Save");
  await waitFor(async () =>
    expect(await windowsOf(client)).toMatchObject([{ title: "Reboot", all: true, schedule: WEEKLY }]),
  );
  await press("Delete: Reboot");
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Delete" }));
  await screen.findByText("No maintenance windows yet");
  expect(await windowsOf(client)).toEqual([]);
});

test("a viewer sees the windows of the team and changes nothing", async () => {
  const hub = await startMaintenance("charlie");
  await joinTeam(hub, hub.bob, hub.charlie, { id: hub.bob.teamId, role: "viewer" });
  await hub.as(hub.bob).post("/api/windows/start", { minutes: 60, all: true, title: "Deploy" });
  chooseTeam(String(hub.bob.teamId));
  show();
  await screen.findByText("Deploy");
  await screen.findByText(/^You are a viewer in this team/);
  expect(screen.queryAllByRole("button")).toEqual([]);
});
