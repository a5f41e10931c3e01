import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { resetResources } from "../../lib/resource";
import { setUpPage } from "../../testing/set-up";
import { cleanup, render, screen, userEvent } from "../../testing/test-page";
import DetailPage from "./detail/detail-page";
import { agent, detail } from "./fixtures";
import { AgentCard } from "./list/agent-card";
import { AgentRow, AgentTable } from "./list/agent-table";
import { columnsOf } from "./list/columns";

setUpPage({ language: "zh-CN" });

const ownerTags = () => screen.queryAllByTitle("属于 bob").map(({ textContent }) => textContent);

test("cards and rows of servers name the owner where it is another user", () => {
  render(
    <>
      <AgentCard agent={agent({ owner: "bob" })} />
      <AgentTable
        columns={columnsOf(61, [])}
        sorting={{ sort: "name", order: "asc", onSort: () => {} }}
        body={
          <tbody>
            <AgentRow agent={agent({ owner: "bob" })} columns={columnsOf(61, [])} onDelete={() => {}} />
            <AgentRow agent={agent({ id: 2 })} columns={columnsOf(61, [])} onDelete={() => {}} />
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
      .filter((href) => href?.startsWith("/notifications"));
  };
  await open();
  expect([ownerTags(), await alerts()]).toEqual([[], ["/notifications?tab=agents&id=5"]]);
  await cleanup();
  await open("bob");
  expect([ownerTags(), await alerts()]).toEqual([["bob 的"], []]);
});
