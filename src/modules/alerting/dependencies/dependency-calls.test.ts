import { describe, expect, it } from "bun:test";
import { dependencies } from "../../../db/schema";
import { createTestApp } from "../../../testing/app";
import { enrollAgent } from "../../../testing/fixtures/agents";
import { addMonitor } from "../../../testing/fixtures/monitors";

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  const add = (name: string, owner = bob) => addMonitor(app, owner, { url: `https://${name}.example/`, name });
  const [shop, api, router] = [await add("shop"), await add("api"), await add("router")];
  const server = await enrollAgent(app, bob, { hostname: "web-1" });
  const monitor = (id: number) => ({ type: "monitor" as const, id });
  const save = (id: number, parents: unknown[], caller = bob) =>
    app.as(caller).put(`/api/monitors/${id}/dependencies`, { parents });
  return { app, alice, bob, charlie, add, shop, api, router, server, monitor, save };
};

describe("the dependencies of a target", () => {
  it("are replaced as a whole, and shown at both ends by name", async () => {
    const { app, bob, shop, api, router, server, monitor, save } = await setUp();
    const web = { type: "agent" as const, id: server.id };
    const { status, body } = await save(shop, [web, monitor(router), monitor(api), monitor(api)]);
    expect([status, body.children]).toEqual([200, []]);
    expect(body.parents).toEqual([
      { ...monitor(api), name: "api", down: false },
      { ...monitor(router), name: "router", down: false },
      { ...web, name: "web-1", down: false },
    ]);
    await save(api, [web]);
    const { body: ofServer } = await app.as(bob).get(`/api/agents/${server.id}/dependencies`);
    expect([ofServer.parents, ofServer.children]).toEqual([
      [],
      [
        { ...monitor(api), name: "api", down: false },
        { ...monitor(shop), name: "shop", down: false },
      ],
    ]);
    expect((await save(shop, [])).body.parents).toEqual([]);
    expect((await app.as(bob).get(`/api/agents/${server.id}/dependencies`)).body.children).toHaveLength(1);
  });

  it("never form a cycle, and a refusal names the shortest one", async () => {
    const { app, bob, shop, api, router, server, monitor, save } = await setUp();
    await save(shop, [monitor(api)]);
    await save(api, [monitor(router)]);
    const own = await save(shop, [monitor(shop)]);
    expect([own.status, own.body.code, own.body.cycle]).toEqual([422, "dependency_cycle", ["shop", "shop"]]);
    const answer = await app
      .as(bob)
      .put(`/api/monitors/${router}/dependencies`, { parents: [{ type: "agent", id: server.id }, monitor(shop)] });
    expect([answer.status, answer.body.code]).toEqual([422, "dependency_cycle"]);
    expect(answer.body.cycle).toEqual(["router", "shop", "api", "router"]);
    expect(answer.body.errors).toEqual([
      { path: "parents", message: "parents: this would be a cycle: router → shop → api → router" },
    ]);
    expect((await app.as(bob).get(`/api/monitors/${router}/dependencies`)).body.parents).toEqual([]);
    // A server with the same id as a monitor is another target.
    await save(router, [{ type: "agent", id: server.id }]);
    expect((await app.as(bob).put(`/api/agents/${server.id}/dependencies`, { parents: [monitor(shop)] })).status).toBe(
      422,
    );
  });

  it("of two concurrent saves that together form a cycle are saved once", async () => {
    const { app, shop, api, monitor, save } = await setUp();
    for (let round = 0; round < 5; round++) {
      await app.db.delete(dependencies);
      const answers = await Promise.all([save(shop, [monitor(api)]), save(api, [monitor(shop)])]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
      expect(await app.db.$count(dependencies)).toBe(1);
    }
  });

  it("are of the same owner and exist, also when an administrator saves them", async () => {
    const { alice, charlie, add, shop, api, monitor, save } = await setUp();
    const foreign = await add("foreign", charlie);
    for (const id of [foreign, 99_999]) {
      const { status, body } = await save(shop, [monitor(api), monitor(id)], alice);
      expect([status, body.code]).toEqual([422, "validation"]);
      expect(body.errors).toEqual([
        { path: "parents.1", message: `parents.1: there is no monitor ${id} of the same owner` },
      ]);
    }
    expect((await save(shop, [monitor(foreign)], charlie)).status).toBe(404);
    expect((await save(shop, [monitor(api)], alice)).status).toBe(200);
  });

  it("are refused when they are malformed or more than five", async () => {
    const { add, shop, api, monitor, save } = await setUp();
    const many = [];
    for (const name of "abcdef") many.push(monitor(await add(name)));
    const bad = [many, [5], [{ type: "user", id: api }], [{ type: "monitor", id: 0 }], [{ id: api }], "x"];
    for (const parents of bad) {
      const { status, body } = await save(shop, parents as unknown[]);
      expect([parents, status, body.code]).toEqual([parents, 422, "validation"]);
    }
    expect((await save(shop, many.slice(1))).body.parents).toHaveLength(5);
  });

  it("are deleted with either end", async () => {
    const { app, bob, shop, api, router, server, monitor, save } = await setUp();
    await save(shop, [monitor(api), { type: "agent", id: server.id }]);
    await save(api, [monitor(router)]);
    await app.as(bob).delete(`/api/agents/${server.id}`);
    expect((await app.as(bob).get(`/api/monitors/${shop}/dependencies`)).body.parents).toHaveLength(1);
    await app.as(bob).delete(`/api/monitors/${api}`);
    expect(await app.db.$count(dependencies)).toBe(0);
  });
});
