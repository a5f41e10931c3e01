import "../../../testing/test-dom";

import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import i18next from "i18next";
import { outages } from "../../../../src/db/schema";
import { enrollAgent } from "../../../../src/testing/fixtures/agents";
import { addMonitor, recordOnly } from "../../../../src/testing/fixtures/monitors";
import { startHubAs } from "../../../testing/hub";
import { setUpPage } from "../../../testing/set-up";
import { render, screen, userEvent, waitFor } from "../../../testing/test-page";
import { ProblemBlock } from "../../problems/problem-block";
import { DependenciesCard } from "./dependencies-card";

setUpPage({ path: "/monitors/1" });

/** Bob's monitors shop and router, and his server web-1. */
const start = async () => {
  const hub = await startHubAs("bob");
  const add = (name: string) => addMonitor(hub, hub.bob, { url: `https://${name}.example/`, name });
  const [shop, router] = [await add("shop"), await add("router")];
  const server = await enrollAgent(hub, hub.bob, { hostname: "web-1" });
  return { ...hub, shop, router, server };
};

/** Waits until a change is saved: until then nothing else can be changed. */
const untilSaved = () =>
  waitFor(() =>
    expect(screen.getAllByRole("button", { name: /^Remove/ }).some((one) => one.hasAttribute("disabled"))).toBe(false),
  );

test("a monitor and a server are found by their names, added, shown as links and removed", async () => {
  const { as, bob, shop, server } = await start();
  render(<DependenciesCard target={{ type: "monitor", id: shop, name: "shop" }} />);
  const field = await screen.findByRole("combobox", { name: "Add monitor or server" });
  await userEvent.type(field, "web");
  await userEvent.click(await screen.findByRole("option", { name: /web-1/ }));
  expect((await screen.findByRole("link", { name: "web-1" })).getAttribute("href")).toBe(`/agents/${server.id}`);
  await untilSaved();
  await userEvent.type(await screen.findByRole("combobox"), "route");
  await screen.findByRole("option", { name: /router/ });
  await userEvent.keyboard("{Enter}");
  await screen.findByRole("link", { name: "router" });
  const read = async () => (await as(bob).get(`/api/monitors/${shop}/dependencies`)).body.parents;
  expect((await read()).map(({ name }) => name)).toEqual(["router", "web-1"]);
  await untilSaved();
  await userEvent.click(screen.getByRole("button", { name: "Remove: web-1" }));
  await waitFor(() => expect(screen.queryAllByRole("link", { name: "web-1" }).length).toBe(0));
  expect((await read()).map(({ name }) => name)).toEqual(["router"]);
});

test.each([
  ["en-US", "This would be a cycle: shop → router → shop"],
  ["zh-CN", "会形成循环依赖：shop → router → shop"],
])("a cycle is refused at the field, with its path, in %s", async (language, text) => {
  const { as, bob, shop, router } = await start();
  await as(bob).put(`/api/monitors/${router}/dependencies`, { parents: [{ type: "monitor", id: shop }] });
  await i18next.changeLanguage(language);
  render(<DependenciesCard target={{ type: "monitor", id: shop, name: "shop" }} />);
  await screen.findByRole("link", { name: "router" });
  await userEvent.type(await screen.findByRole("combobox"), "route");
  await screen.findByRole("option", { name: /router/ });
  await userEvent.keyboard("{Enter}");
  expect((await screen.findByRole("alert")).textContent).toBe(text);
  expect(screen.getByRole("combobox").getAttribute("aria-invalid")).toBe("true");
});

test("a problem that another outage explains says so, with a link to what is down", async () => {
  const hub = await start();
  const { shop, router, clock, db } = hub;
  await recordOnly(hub, router, [{ at: clock.now(), up: false }]);
  const [outage] = await db.select().from(outages);
  await recordOnly(hub, shop, [{ at: clock.now(), up: false }]);
  await db
    .update(outages)
    .set({ explainedBy: outage?.id ?? null })
    .where(eq(outages.targetId, shop));
  render(<ProblemBlock />);
  const mark = await screen.findByText(/^Caused by the outage of/);
  expect(mark.querySelector("a")?.getAttribute("href")).toBe(`/monitors/${router}`);
});
