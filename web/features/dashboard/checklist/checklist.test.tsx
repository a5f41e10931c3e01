import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { addMonitor } from "../../../../src/testing/fixtures/monitors";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { fakeServer, render, screen, userEvent, waitFor, within } from "../../../testing/test-page";
import { Toasts } from "../../../ui/feedback/toast";
import DashboardPage from "../dashboard-page";

setUpPage({ path: "/dashboard" });

const TITLES = ["Add and test a channel", "Turn on alerts", "Add a server", "Publish a status page"];

const start = async () => {
  const hub = await startHubAs("bob");
  const bob = hub.as(hub.bob);
  const shop = await addMonitor(hub, hub.bob, { url: "https://shop.example/", name: "Shop" });
  const open = async () => {
    render(
      <>
        <DashboardPage />
        <Toasts />
      </>,
    );
    return within(await screen.findByRole("region", { name: /Finish setting up|Everything is set up/ }));
  };
  return { hub, bob, shop, open };
};

test("a new user sees the steps that are left, each a link to its place, and how many are done", async () => {
  const { bob, shop, open } = await start();
  await bob.post("/api/status/config", { monitors: [shop] });
  const list = await open();
  const links = list.getAllByRole("link");
  expect(links.map((link) => link.querySelector("strong")?.textContent)).toEqual(TITLES.slice(0, 3));
  expect(links.map((link) => link.getAttribute("href"))).toEqual([
    "/notifications?tab=channels",
    "/notifications",
    "/agents/create",
  ]);
  list.getByText("1 of 4 done");
  expect(list.queryByText("Try a drill.")).toBeNull();
});

test("the checklist is hidden for good by its button, and stays while that fails", async () => {
  const { hub, bob, open } = await start();
  const list = await open();
  fakeServer.answer((request) =>
    request.method === "DELETE"
      ? Response.json({ success: false, code: "internal" }, { status: 500 })
      : hub.send(request),
  );
  await userEvent.click(list.getByRole("button", { name: "Don’t show again" }));
  await screen.findByText(/Couldn’t hide the checklist/);
  fakeServer.answer(hub.send);
  await userEvent.click(list.getByRole("button", { name: "Don’t show again" }));
  await waitFor(() => expect(screen.queryByText("Finish setting up")).toBeNull());
  expect((await bob.get("/api/dashboard")).body.checklist).toBeNull();
});

test("a drill is offered once alerts reach somebody", async () => {
  const { hub, open } = await start();
  fakeServer.answer(async (request, path) => {
    const answer = await hub.send(request);
    if (path !== "/api/dashboard") return answer;
    const steps = { channel: true, rule: true, server: true, page: true };
    const drill = { type: "monitor", id: 1, name: "Shop" };
    return Response.json({ ...(await answer.json()), checklist: { ...steps, drill } });
  });
  const list = await open();
  list.getByText("Everything is set up");
  expect(list.queryAllByRole("link")).toEqual([]);
  await userEvent.click(list.getByRole("button", { name: "Prepare a drill" }));
  await screen.findByRole("dialog", { name: "Drill: Shop" });
});
