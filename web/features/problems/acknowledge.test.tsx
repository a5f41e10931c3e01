import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { linkOf, signLink } from "../../../src/modules/alerting/outages/acknowledge/link";
import { checkError } from "../../../src/shared/check-error";
import { DAY, HOUR } from "../../../src/shared/limits";
import { START } from "../../../src/testing/clock";
import { addChannel } from "../../../src/testing/fixtures/alerts";
import { addMonitor, recordOnly } from "../../../src/testing/fixtures/monitors";
import { changes, startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { render, screen, userEvent, within } from "../../testing/test-page";
import { tomorrowAtNine } from "./acknowledge";
import AcknowledgePage from "./acknowledge-page";
import { ProblemBlock } from "./problem-block";

setUpPage({ path: "/dashboard" });

const start = async () => {
  const hub = await startHubAs("bob");
  const monitor = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  const down = { at: START, up: false, error: checkError("timeout", { seconds: 20 }) };
  await recordOnly(hub, monitor, [down]);
  const { id = 0 } = (await hub.as(hub.bob).get("/api/outages")).body.outages[0] ?? {};
  return { ...hub, monitor, id };
};

test("a problem is acknowledged for a time with a note, and that is undone", async () => {
  const hub = await start();
  render(<ProblemBlock />);
  await userEvent.click(await screen.findByRole("button", { name: "Acknowledge: Shop" }));
  const dialog = within(screen.getByRole("dialog", { name: "Acknowledge: Shop" }));
  await userEvent.selectOptions(dialog.getByLabelText("For how long"), "1 hour");
  await userEvent.type(dialog.getByLabelText(/^Note/), "on it");
  await userEvent.click(dialog.getByRole("button", { name: "Acknowledge" }));
  await screen.findByText(/^Acknowledged by bob · until .* · on it$/);
  const [sent] = changes();
  expect(sent).toMatchObject({ method: "POST", path: `/api/outages/${hub.id}/acknowledge`, body: { note: "on it" } });
  const until = Date.parse(String((sent?.body as { until?: string } | undefined)?.until));
  expect(until - hub.clock.now()).toBeGreaterThan(HOUR - 10_000);
  expect(until - hub.clock.now()).toBeLessThanOrEqual(HOUR + 10_000);
  await userEvent.click(screen.getByRole("button", { name: "Undo acknowledgement: Shop" }));
  await screen.findByRole("button", { name: "Acknowledge: Shop" });
  expect(screen.queryByText(/^Acknowledged by bob/)).toBeNull();
});

test("tomorrow is nine o'clock of the next day", () => {
  expect(tomorrowAtNine(new Date(2026, 0, 15, 23, 59).getTime())).toBe(new Date(2026, 0, 16, 9).getTime());
  expect(tomorrowAtNine(new Date(2026, 0, 15, 1).getTime())).toBe(new Date(2026, 0, 16, 9).getTime());
});

/** Opens the page of an acknowledgement link for the outage of bob's monitor. */
const openLink = async (valid = DAY) => {
  const hub = await start();
  const channelId = await addChannel(hub, hub.bob);
  const token = signLink(hub.deps, { outageIds: [hub.id], channelId, expiresAt: hub.clock.now() + valid });
  history.replaceState(null, "", `/acknowledge/${hub.id}?t=${token}`);
  const { unmount } = render(<AcknowledgePage id={String(hub.id)} />);
  return { ...hub, unmount };
};

test("the page of a link says what is wrong, and its button acknowledges with a name", async () => {
  const hub = await openLink();
  await screen.findByRole("heading", { name: "Shop" });
  screen.getByText(/20 s/);
  expect(changes()).toEqual([]);
  await userEvent.type(screen.getByLabelText(/^Your name/), "Robin");
  await userEvent.click(screen.getByRole("button", { name: "Acknowledge" }));
  await screen.findByText(/^Acknowledged by Robin, with the link in “chat”/);
  expect(screen.queryByRole("button")).toBeNull();
  hub.unmount();
  render(<AcknowledgePage id={String(hub.id)} />);
  await screen.findByText(/^Acknowledged by Robin/);
});

test("the page of a link of several outages lists them, and its button acknowledges those that are left", async () => {
  const hub = await start();
  const down = { at: START, up: false, error: checkError("refused") };
  const ids = [hub.id];
  for (const name of ["Blog", "Mail"]) {
    const monitor = await addMonitor(hub, hub.bob, { url: "https://example.org/", name });
    await recordOnly(hub, monitor, [down]);
    ids.push((await hub.as(hub.bob).get(`/api/outages?target=monitor:${monitor}`)).body.outages[0]?.id ?? 0);
  }
  await recordOnly(hub, hub.monitor, [{ at: START + 60_000 }]);
  const grant = { outageIds: ids, channelId: await addChannel(hub, hub.bob), expiresAt: hub.clock.now() + DAY };
  history.replaceState(null, "", linkOf(hub.deps, location.origin, grant));
  const { unmount } = render(<AcknowledgePage id={String(hub.id)} />);
  await screen.findByRole("heading", { name: "2 outages" });
  for (const text of ["Blog", "Mail", "1 more from this message has ended already."]) screen.getByText(text);
  await userEvent.click(screen.getByRole("button", { name: "Acknowledge all 2" }));
  expect(await screen.findAllByText(/^Acknowledged with the link in “chat”/)).toHaveLength(2);
  expect(screen.queryByRole("button")).toBeNull();
  unmount();
});

test("the page says that the outage has ended, also when that happened before the button was pressed", async () => {
  const hub = await openLink();
  const button = await screen.findByRole("button", { name: "Acknowledge" });
  await recordOnly(hub, hub.monitor, [{ at: START + 60_000 }]);
  await userEvent.click(button);
  await screen.findByRole("heading", { name: "It has ended" });
});

test("the page says that a link is too old or was changed", async () => {
  const hub = await openLink(-1);
  await screen.findByText("This link is too old. Open the outage in Wakeful.");
  hub.unmount();
  history.replaceState(null, "", `/acknowledge/${hub.id}?t=x`);
  render(<AcknowledgePage id={String(hub.id)} />);
  await screen.findByText("This link is not valid. Open the outage in Wakeful.");
});
