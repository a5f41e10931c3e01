import { expect, it } from "bun:test";
import { START } from "../testing/clock";
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

const SECURITY_TEXT = "/.well-known/security.txt";

it("security.txt has the contact of the operator and an end, and does not exist without a contact", async () => {
  const hub = await startTestServer({
    SECURITY_CONTACT: "mailto:security@shop.example",
    PUBLIC_URL: "https://watch.example",
  });
  const { status, text, headers } = await hub.call(SECURITY_TEXT);
  expect([status, headers.get("content-type")]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(text.split("\n")).toEqual([
    "Contact: mailto:security@shop.example",
    `Expires: ${new Date(START + 180 * 86_400_000).toISOString()}`,
    "Preferred-Languages: en, zh",
    "Canonical: https://watch.example/.well-known/security.txt",
    "",
  ]);
  expect((await (await startTestServer()).call(SECURITY_TEXT)).status).toBe(404);
});
