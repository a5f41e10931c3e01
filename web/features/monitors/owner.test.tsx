import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { resetResources } from "../../lib/resource";
import { setUpPage } from "../../testing/set-up";
import { cleanup, fakeServer, render, screen } from "../../testing/test-page";
import DetailPage from "./detail/detail-page";
import { detail, monitor } from "./fixtures";
import { MonitorCard } from "./list/monitor-card";
import { MonitorTable } from "./list/monitor-table";

setUpPage();

const told = () => screen.queryAllByTitle("Belongs to bob").map(({ textContent }) => textContent);

test("cards and rows say whose a monitor is, where it is somebody else's", () => {
  render(
    <>
      <MonitorCard monitor={monitor({ owner: "bob" })} />
      <MonitorTable monitors={[monitor({ owner: "bob" }), monitor({ id: 2 })]} onDelete={() => {}} />
    </>,
  );
  expect(told()).toEqual(["bob’s", "bob’s"]);
});

test("a monitor's page leads to the alerts of one's own, and says whose another is", async () => {
  const open = async (owner?: string) => {
    resetResources();
    fakeServer.answer(() => detail(monitor({ id: 16, ...(owner && { owner }) })));
    render(<DetailPage id="16" />);
    await screen.findByRole("heading", { name: "Website" });
  };
  const alerts = () => screen.queryAllByRole("link", { name: "Alerts" }).map((link) => link.getAttribute("href"));
  await open();
  expect([told(), alerts()]).toEqual([[], ["/notifications?tab=monitors&id=16"]]);
  await cleanup();
  await open("bob");
  expect([told(), alerts()]).toEqual([["bob’s"], []]);
});
