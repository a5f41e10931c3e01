import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { resetResources } from "../../lib/resource";
import { setUpPage } from "../../testing/set-up";
import { cleanup, fakeServer, render, screen, userEvent } from "../../testing/test-page";
import DetailPage from "./detail/detail-page";
import { detail, monitor } from "./fixtures";
import { MonitorCard } from "./list/monitor-card";
import { MonitorRow, MonitorTable } from "./list/monitor-table";

setUpPage();

const ownerTags = () => screen.queryAllByTitle("Belongs to bob").map(({ textContent }) => textContent);

test("cards and rows of monitors name the owner where it is another user", () => {
  render(
    <>
      <MonitorCard monitor={monitor({ owner: "bob" })} />
      <MonitorTable
        sorting={{ sort: "status", order: "asc", onSort: () => {} }}
        states="words"
        body={
          <tbody>
            <MonitorRow monitor={monitor({ owner: "bob" })} onDelete={() => {}} />
            <MonitorRow monitor={monitor({ id: 2 })} onDelete={() => {}} />
          </tbody>
        }
      />
    </>,
  );
  expect(ownerTags()).toEqual(["bob’s", "bob’s"]);
});

test("a monitor's page links to the alerts of the viewer's own monitor, and names the owner of another's", async () => {
  const open = async (owner?: string) => {
    resetResources();
    fakeServer.answer(() => detail(monitor({ id: 16, ...(owner && { owner }) })));
    render(<DetailPage id="16" />);
    await screen.findByRole("heading", { name: "Website" });
  };
  const alerts = async () => {
    await userEvent.click(screen.getByRole("button", { name: "More actions" }));
    return screen.queryAllByRole("menuitem", { name: "Alerts" }).map((link) => link.getAttribute("href"));
  };
  await open();
  expect([ownerTags(), await alerts()]).toEqual([[], ["/monitors/16?tab=alerts"]]);
  await cleanup();
  await open("bob");
  expect([ownerTags(), await alerts()]).toEqual([["bob’s"], []]);
});
