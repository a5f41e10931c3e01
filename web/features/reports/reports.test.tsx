import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import i18next from "i18next";
import { monitorStates } from "../../../src/db/schema";
import { DAY, HOUR } from "../../../src/shared/limits";
import { START } from "../../../src/testing/clock";
import { addMonitor } from "../../../src/testing/fixtures/monitors";
import { addOutage } from "../../../src/testing/fixtures/outages";
import { startHubAs } from "../../testing/hub";
import { setUpPage } from "../../testing/set-up";
import { render, screen, userEvent, within } from "../../testing/test-page";
import ReportsPage from "./report-page";
import SharedReportPage from "./shared-page";

setUpPage({ path: "/reports?from=2025-12-01&to=2025-12-31&target=99.9" });

/** A hub with bob's shop, which is watched since November and was down for two hours in December, and a blog. */
const start = async () => {
  const hub = await startHubAs("bob");
  for (const name of ["Shop", "Blog"]) {
    const id = await addMonitor(hub, hub.bob, { url: "https://example.com/", name });
    await hub.db
      .update(monitorStates)
      .set({ firstCheckedAt: START - 60 * DAY })
      .where(eq(monitorStates.monitorId, id));
    if (name === "Shop")
      await addOutage(hub, hub.bob, {
        targetId: id,
        startedAt: START - 30 * DAY,
        endedAt: START - 30 * DAY + 2 * HOUR,
      });
  }
  return hub;
};

const cellsOf = async (name: string) => {
  const row = within(await screen.findByRole("table")).getByRole("row", { name: new RegExp(name) });
  return [...row.children].map(({ textContent }) => textContent);
};

test.each([
  ["en-US", "December 2025", "2 h", "target 99.9% missed", "Notable outages"],
  ["zh-CN", "2025年12月", "2 小时", "未达到 99.9% 目标", "主要故障"],
] as const)("a report of a month has its figures and each target, the worst first, in %s", async (...expected) => {
  const [language, month, down, missed, mattered] = expected;
  await i18next.changeLanguage(language);
  await start();
  render(<ReportsPage />);
  await screen.findByRole("heading", { name: month });
  const shop = await cellsOf("Shop");
  expect([shop[1], shop[3], shop[4]]).toEqual(["99.73%", "1", down]);
  expect((await cellsOf("Blog"))[1]).toBe("100.00%");
  await screen.findByText(missed);
  const outages = (await screen.findByRole("heading", { name: mattered })).parentElement as HTMLElement;
  expect(within(outages).getByRole("listitem").textContent).toInclude(down.replace(" ", "\u00a0"));
});

test("arrows, presets, the scope and the target are in the address", async () => {
  await start();
  render(<ReportsPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Earlier: November 2025" }));
  await screen.findByRole("heading", { name: "November 2025" });
  expect(location.search).toBe("?from=2025-11-01&to=2025-11-30&target=99.9");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Target" }), "None");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Scope" }), "What the status page shows");
  expect(location.search).toBe("?from=2025-11-01&to=2025-11-30&scope=page");
  await screen.findByText("Nothing here yet");
  await userEvent.click(screen.getByRole("button", { name: "Last 7 days" }));
  expect(location.search).toBe("?range=week&scope=page");
});

test("a link is created for others, shows the report without links to screens, and is revoked", async () => {
  const hub = await start();
  const page = render(<ReportsPage />);
  await userEvent.click(await screen.findByRole("button", { name: "Share" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.type(dialog.getByRole("textbox"), "Acme");
  await userEvent.click(dialog.getByRole("button", { name: "Create link" }));
  const address = (await dialog.findByText(/\/reports\/shared\/wkr_/)).textContent ?? "";
  await dialog.findByText("Acme");
  page.unmount();
  const token = address.split("/").at(-1) ?? "";
  const shared = render(<SharedReportPage id={token} />);
  await screen.findByText("Acme");
  await screen.findByRole("heading", { name: "December 2025" });
  expect(screen.queryAllByRole("link")).toEqual([]);
  shared.unmount();
  const client = hub.as(hub.bob);
  const { links } = (await client.get("/api/reports/links")).body;
  await client.delete(`/api/reports/links/${links[0]?.id}`);
  render(<SharedReportPage id={`${token}`.replace(/.$/, "_")} />);
  await screen.findByText("This report is not available");
});

test("what the days mean is below the table, and a longer time down has a stronger colour", async () => {
  await start();
  render(<ReportsPage />);
  const down = await screen.findByTitle("Dec 16: down for 2 h");
  expect(down.className).toBe("report-tone down");
  screen.getByText("15 min to 3 h");
  screen.getByText("Nov: 0");
});

test("a report opens on this month if nothing was watched in the last one, which can still be chosen", async () => {
  history.replaceState(null, "", "/reports");
  const hub = await startHubAs("bob");
  await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Shop" });
  render(<ReportsPage />);
  await screen.findByRole("button", { name: "This month", pressed: true });
  await userEvent.click(screen.getByRole("button", { name: "Last month" }));
  await screen.findByRole("button", { name: "Last month", pressed: true });
  await screen.findByText("Nothing was watched in this period.");
});

test("without monitors and servers there is one sentence and the button that adds a monitor", async () => {
  history.replaceState(null, "", "/reports");
  await startHubAs("bob");
  render(<ReportsPage />);
  await screen.findByRole("heading", { name: "Nothing is monitored yet" });
  screen.getByRole("link", { name: "Add monitor" });
  expect(screen.queryAllByRole("button")).toEqual([]);
});

test("the legend of the days stands above them", async () => {
  await start();
  render(<ReportsPage />);
  const legend = (await screen.findByText("Under 15 min down")).closest("ul");
  expect(legend?.nextElementSibling?.tagName).toBe("TABLE");
});
