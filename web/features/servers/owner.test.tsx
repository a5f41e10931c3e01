import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { resetResources } from "../../lib/resource";
import { setUpPage } from "../../testing/set-up";
import { cleanup, render, screen, userEvent } from "../../testing/test-page";
import DetailPage from "./detail/detail-page";
import { agent, detail } from "./fixtures";
import { columnsOf } from "./list/columns";
import { ServerCard } from "./list/server-card";
import { ServerRow, ServerTable } from "./list/server-table";

setUpPage({ language: "zh-CN" });

const ownerTags = () => screen.queryAllByTitle("属于 bob").map(({ textContent }) => textContent);

test("cards and rows of servers name the owner where it is another user", () => {
  render(
    <>
      <ServerCard agent={agent({ owner: "bob" })} />
      <ServerTable
        columns={columnsOf(61, [])}
        sorting={{ sort: "name", order: "asc", onSort: () => {} }}
        body={
          <tbody>
            <ServerRow agent={agent({ owner: "bob" })} columns={columnsOf(61, [])} onDelete={() => {}} />
            <ServerRow agent={agent({ id: 2 })} columns={columnsOf(61, [])} onDelete={() => {}} />
          </tbody>
        }
      />
    </>,
  );
  expect(ownerTags()).toEqual(["bob 的", "bob 的"]);
});

test("a server's page links to the alerts of the viewer's own server, and names the owner of another's", async () => {
  const open = async (owner?: string) => {
    resetResources();
    detail({ id: 5, ...(owner && { owner }) });
    render(<DetailPage id="5" />);
    await screen.findByRole("heading", { name: "Web server" });
  };
  const alerts = async () => {
    await userEvent.click(screen.getByRole("button", { name: "更多操作" }));
    return screen
      .queryAllByRole("menuitem")
      .map((link) => link.getAttribute("href"))
      .filter((href) => href?.endsWith("?tab=alerts"));
  };
  await open();
  expect([ownerTags(), await alerts()]).toEqual([[], ["/agents/5?tab=alerts"]]);
  await cleanup();
  await open("bob");
  expect([ownerTags(), await alerts()]).toEqual([["bob 的"], []]);
});
