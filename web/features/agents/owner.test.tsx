import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { resetResources } from "../../lib/resource";
import { setUpPage } from "../../testing/set-up";
import { cleanup, render, screen } from "../../testing/test-page";
import DetailPage from "./detail/detail-page";
import { agent, detail } from "./fixtures";
import { AgentCard } from "./list/agent-card";
import { AgentTable } from "./list/agent-table";

setUpPage({ language: "zh-CN" });

const told = () => screen.queryAllByTitle("属于 bob").map(({ textContent }) => textContent);

test("cards and rows say whose a server is, where it is somebody else's", () => {
  render(
    <>
      <AgentCard agent={agent({ owner: "bob" })} />
      <AgentTable agents={[agent({ owner: "bob" }), agent({ id: 2 })]} onDelete={() => {}} />
    </>,
  );
  expect(told()).toEqual(["bob 的", "bob 的"]);
});

test("a server's page leads to the alerts of one's own, and says whose another is", async () => {
  const open = async (owner?: string) => {
    resetResources();
    detail({ id: 5, ...(owner && { owner }) });
    render(<DetailPage id="5" />);
    await screen.findByRole("heading", { name: "Web server" });
  };
  const alerts = () =>
    screen
      .queryAllByRole("link")
      .map((link) => link.getAttribute("href"))
      .filter((href) => href?.startsWith("/notifications"));
  await open();
  expect([told(), alerts()]).toEqual([[], ["/notifications?tab=agents&id=5"]]);
  await cleanup();
  await open("bob");
  expect([told(), alerts()]).toEqual([["bob 的"], []]);
});
