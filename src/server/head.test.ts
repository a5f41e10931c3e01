import { expect, it } from "bun:test";
import { createWorld } from "../testing/fixtures/seed-everything";
import { startTestServer } from "../testing/servers/hub";

it("HEAD is answered as GET without a body on every path that GET has, and ends", async () => {
  const hub = await startTestServer();
  const world = await createWorld(hub);
  const routes = hub.app.routes.filter(({ method }) => method === "GET").map(({ path }) => path);
  const pages = ["/", "/login", "/status", "/robots.txt", "/api/docs", "/nothing.js", "/api/nothing"];
  for (const route of [...routes, ...pages]) {
    const path = await world.fill("GET", route);
    for (const actor of ["bob", "reading", "anonymous"]) {
      const headers = { authorization: await world.authorization(actor) };
      const head = await hub.call(path, { method: "HEAD", headers });
      const get = await hub.call(path, { headers });
      expect([path, actor, head.status, head.text]).toEqual([path, actor, get.status, ""]);
      expect([path, head.headers.get("content-type")]).toEqual([path, get.headers.get("content-type")]);
    }
  }
  expect(hub.deps.live.streams()).toBe(0);
});
