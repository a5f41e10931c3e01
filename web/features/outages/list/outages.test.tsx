import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import i18next from "i18next";
import { checkError } from "../../../../src/shared/check-error";
import { DAY, HOUR, MINUTE } from "../../../../src/shared/limits";
import { START } from "../../../../src/testing/clock";
import { enrollAgent } from "../../../../src/testing/fixtures/agents";
import { addMonitor } from "../../../../src/testing/fixtures/monitors";
import { addOutage } from "../../../../src/testing/fixtures/outages";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { render, screen, userEvent, within } from "../../../testing/test-page";
import OutagesPage from "./list-page";

setUpPage({ path: "/outages?from=2026-01-14&to=2026-01-15" });

const { code: errorCode, detail: errorDetail } = checkError("status", { actual: 503, expected: "200" });

/** A hub with an outage of bob's monitor that has ended, one of his server that has not, and an older one. */
const start = async () => {
  const hub = await startHubAs("bob");
  const shop = await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  const { id: server } = await enrollAgent(hub, hub.bob, { hostname: "web-1" });
  const ended = { targetId: shop, errorCode, errorDetail, startedAt: START - HOUR, endedAt: START - 44 * MINUTE };
  await addOutage(hub, hub.bob, { ...ended, acknowledgedAt: START - 50 * MINUTE, acknowledgedBy: "bob" });
  await addOutage(hub, hub.bob, {
    targetType: "agent",
    targetId: server,
    kind: "offline",
    startedAt: START - 2 * HOUR,
  });
  await addOutage(hub, hub.bob, { targetId: shop, startedAt: START - 40 * DAY, endedAt: START - 39 * DAY });
  return hub;
};

const rows = async () => {
  const table = within(await screen.findByRole("table"));
  return table
    .getAllByRole("row")
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));
};

const findRows = (count: number) =>
  screen.findByText((_, element) => element?.tagName === "TBODY" && element.childElementCount === count);

test.each([
  ["en-US", "web-1", "No reports", /^ongoing · \d/, "Status 503, expected 200", "16 min"],
  ["zh-CN", "web-1", "没有上报", /^进行中 · \d/, "状态码 503，期望 200", "16 分钟"],
] as const)("the list has open outages first, with reasons and durations, in %s", async (...expected) => {
  const [language, server, silent, ongoing, reason, lasted] = expected;
  await i18next.changeLanguage(language);
  await start();
  render(<OutagesPage />);
  const [open, ended, ...rest] = await rows();
  expect(rest).toEqual([]);
  expect([open?.[0], open?.[1], open?.[3]]).toEqual([
    expect.stringContaining(server),
    silent,
    expect.stringMatching(ongoing),
  ]);
  expect([ended?.[0], ended?.[1], ended?.[3]]).toEqual([expect.stringContaining("Shop"), reason, lasted]);
  expect(ended?.[5]).toMatch(/^bob, /);
});

test("the totals and the days are of what is shown, and a day is chosen by its bar", async () => {
  await start();
  render(<OutagesPage />);
  await rows();
  const total = (await screen.findByText("Down in total")).nextElementSibling;
  expect(total?.textContent).toMatch(/^\d+ h/);
  const day = await screen.findByRole("button", { name: /Jan 15, 2026: 2 outages, / });
  await userEvent.click(day);
  expect(location.search).toBe("?from=2026-01-15&to=2026-01-15");
  await screen.findByRole("button", { name: /Jan 15, 2026: 2 outages/, pressed: true });
});

test("a kind, a range and what is not acknowledged are chosen, and are in the address", async () => {
  await start();
  render(<OutagesPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Offline" }));
  await findRows(1);
  // The filters stay while the rows are loaded.
  await userEvent.click(screen.getByRole("button", { name: "All kinds" }));
  await userEvent.click(screen.getByRole("button", { name: "Not acknowledged" }));
  expect(location.search).toBe("?from=2026-01-14&to=2026-01-15&acknowledged=0");
  await userEvent.click(screen.getByRole("button", { name: "Not acknowledged" }));
  await userEvent.click(screen.getByRole("button", { name: "Last month" }));
  expect(location.search).toBe("?range=lastMonth");
});

test("a range that ends before it begins is refused with a sentence, and nothing is loaded", async () => {
  history.replaceState(null, "", "/outages?from=2026-01-20&to=2026-01-10");
  await start();
  render(<OutagesPage />);
  await screen.findByText("The first day has to be before the last one.");
  expect(screen.queryByRole("table")).toBeNull();
});

test("a time without outages says so, and a filter without a match offers a way on", async () => {
  const hub = await startHubAs("bob");
  await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  const { unmount } = render(<OutagesPage />);
  await screen.findByRole("heading", { name: "No outages" });
  unmount();
  history.replaceState(null, "", "/outages?from=2026-01-14&to=2026-01-15&kind=dates");
  render(<OutagesPage />);
  await screen.findByRole("heading", { name: "No outage matches" });
});

test("without monitors and servers there is one sentence and the button that adds a monitor", async () => {
  await startHubAs("bob");
  render(<OutagesPage />);
  await screen.findByRole("heading", { name: "Nothing is monitored yet" });
  screen.getByRole("link", { name: "Add monitor" });
  expect(screen.queryAllByRole("button")).toEqual([]);
});

test("further pages follow the first one without a row twice", async () => {
  const hub = await start();
  for (let number = 0; number < 55; number++)
    await addOutage(hub, hub.bob, { targetId: 1, startedAt: START - 3 * HOUR + number, endedAt: START - HOUR });
  render(<OutagesPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Show more" }));
  await findRows(57);
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});
