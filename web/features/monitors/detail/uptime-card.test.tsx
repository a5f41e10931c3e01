import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { getDefaultStore } from "jotai";
import { START } from "../../../../src/testing/clock";
import { addMonitor, record } from "../../../../src/testing/fixtures/monitors";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { render, screen, within } from "../../../testing/test-page";
import { dashboardAtom } from "../../problems/api";
import DetailPage from "./detail-page";

setUpPage({ path: "/monitors" });

test("a new monitor has one uptime, since its creation", async () => {
  const hub = await startHubAs("bob");
  await addMonitor(hub, hub.bob, { url: "https://example.com/", name: "Website" });
  hub.clock.set(START + 300_000);
  await record(hub, 1, [{ at: START }, { at: START + 240_000 }]);
  await getDefaultStore().set(dashboardAtom);
  render(<DetailPage id="1" />);
  const uptimes = within(await screen.findByRole("region", { name: "Uptime" }));
  expect(uptimes.getAllByRole("term").map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^since \d\d:\d\d$/),
  ]);
  uptimes.getByText("100.00%");
});
