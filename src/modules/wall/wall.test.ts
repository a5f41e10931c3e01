import { describe, expect, it } from "bun:test";
import { users, wallKeys } from "../../db/schema";
import { isoTime } from "../../lib/time";
import { checkError } from "../../shared/check-error";
import { LIMITS, MINUTE } from "../../shared/limits";
import { createTestApp, type TestApp } from "../../testing/app";
import { START, until } from "../../testing/clock";
import { enrollAgent, sampleAt } from "../../testing/fixtures/agents";
import { sessionOf } from "../../testing/fixtures/forged-sessions";
import { addMonitor, recordOnly } from "../../testing/fixtures/monitors";
import type { TestUser } from "../../testing/fixtures/people";
import { startTestServer } from "../../testing/servers/hub";
import { markOfflineServers } from "../servers/ingest/offline";
import { MAX_TILES } from "./read";

const error = checkError("timeout", { seconds: 10 });

const create = async (app: TestApp, user: TestUser, tag?: string) => {
  const { body } = await app.as(user).post("/api/walls", { name: "Office", ...(tag !== undefined && { tag }) });
  return { id: body.data.id, path: body.path, key: body.key, asWall: app.as({ ...user, token: body.key }) };
};

/** Bob's shop, which is down, his blog, which is well, both with tags, a paused monitor, and a server that is offline. */
const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  const tagged = (name: string) => ({ tags: [{ name, value: "" }] });
  const shop = await addMonitor(app, bob, { url: "https://shop.example/secret", name: "Shop", ...tagged("prod") });
  const blog = await addMonitor(app, bob, { url: "https://blog.example/", name: "Blog", ...tagged("web") });
  await addMonitor(app, bob, { url: "https://old.example/", name: "Old", active: false });
  await addMonitor(app, charlie, { url: "https://theirs.example/", name: "Theirs" });
  await recordOnly(app, shop, [{ at: START, up: false, error }]);
  await recordOnly(app, blog, [{ at: START }]);
  const server = await enrollAgent(app, bob, { hostname: "db.internal" });
  await server.report([sampleAt(START)]);
  app.clock.set(START + 60 * MINUTE);
  await markOfflineServers(app.deps);
  return { app, alice, bob, charlie, shop, blog };
};

describe("the wall", () => {
  it("shows the counts, the problems with reason and start, and the names of what is well", async () => {
    const { app, bob } = await setUp();
    const { body, headers } = await app.as(bob).get("/api/wall");
    expect(headers.get("cache-control")).toBeNull();
    expect(body).toMatchObject({
      success: true,
      now: isoTime(app.clock.now()),
      tag: null,
      unknown: null,
      monitors: { up: 1, down: 1, pending: 0, paused: 1, total: 3 },
      agents: { active: 0, inactive: 1, total: 1 },
      problems_total: 2,
      well: { total: 1, names: ["Blog"] },
    });
    expect(body.problems.map(({ target_name, kind }) => [target_name, kind])).toEqual([
      ["db.internal", "offline"],
      ["Shop", "down"],
    ]);
    expect(body.problems[1]).toMatchObject({ since: isoTime(START), error_code: "timeout", acknowledged: false });
  });

  it("of an administrator with a session shows the targets of all users", async () => {
    const { app, alice } = await setUp();
    const { monitors, problems_total } = (await app.as(alice).get("/api/wall")).body;
    expect([monitors.total, problems_total]).toEqual([4, 2]);
  });

  it("shows only targets with the tags in the address", async () => {
    const { app, bob } = await setUp();
    const shown = async (query: string) => {
      const { body } = await app.as(bob).get(`/api/wall?${query}`);
      return [body.monitors.total, body.agents.total, body.problems.map(({ target_name }) => target_name), body.well];
    };
    expect(await shown("tag=PROD")).toEqual([1, 0, ["Shop"], { total: 0, names: [] }]);
    expect(await shown("tag=web")).toEqual([1, 0, [], { total: 1, names: ["Blog"] }]);
    expect(await shown("tag=web&tag=prod")).toEqual([0, 0, [], { total: 0, names: [] }]);
    expect(await shown("tag=none")).toEqual([0, 0, [], { total: 0, names: [] }]);
  });

  it("counts more targets than fit on any screen, without their names", async () => {
    const app = await createTestApp();
    const { alice } = await app.people();
    for (let index = 0; index <= MAX_TILES; index++) {
      const id = await addMonitor(app, alice, { url: "https://example.com/", name: `Monitor ${index}` });
      await recordOnly(app, id, [{ at: START }]);
    }
    expect((await app.as(alice).get("/api/wall")).body.well).toEqual({ total: MAX_TILES + 1, names: [] });
  });

  it("answers 304 to the ETag of an answer until something changes", async () => {
    const { app, bob, shop } = await setUp();
    const etagOf = async () => (await app.as(bob).get("/api/wall")).headers.get("etag") ?? "";
    const etag = await etagOf();
    app.clock.set(START + 61 * MINUTE);
    expect((await app.as(bob).get("/api/wall", undefined, { "if-none-match": etag })).status).toBe(304);
    await recordOnly(app, shop, [{ at: START + 61 * MINUTE }]);
    const { status, body } = await app.as(bob).get("/api/wall", undefined, { "if-none-match": etag });
    expect([status, body.problems_total, body.well.total]).toEqual([200, 1, 2]);
  });
});

describe("the key of a wall", () => {
  it("is returned once, and only its hash is stored", async () => {
    const { app, bob } = await setUp();
    const { status, body } = await app.as(bob).post("/api/walls", { name: " Office ", tag: " prod " });
    expect([status, body.path]).toEqual([201, `/wall?key=${body.key}`]);
    expect(body.key).toMatch(/^wall_[\w-]{43}$/);
    expect(body.data).toMatchObject({ name: "Office", tag: "prod", last_used_at: null });
    const list = await app.as(bob).get("/api/walls");
    expect(list.body.walls).toEqual([body.data]);
    const stored = JSON.stringify(await app.db.select().from(wallKeys));
    for (const text of [list.text, stored, app.logged.join()]) expect(text).not.toContain(body.key.slice(5));
  });

  it("shows its owner's targets without addresses, also those of an administrator", async () => {
    const { app, alice, bob } = await setUp();
    const { asWall } = await create(app, bob);
    const { status, text, body } = await asWall.get("/api/wall");
    expect([status, body.monitors.total, body.problems_total]).toEqual([200, 3, 2]);
    for (const secret of ["shop.example", "https://", "ip_addresses", "target_id", "bob"])
      expect(text).not.toContain(secret);
    const ofAdmin = await create(app, alice);
    expect((await ofAdmin.asWall.get("/api/wall")).body.monitors.total).toBe(0);
  });

  it("with a tag shows that tag only, whatever the address asks for", async () => {
    const { app, bob } = await setUp();
    const { asWall } = await create(app, bob, "prod");
    expect((await asWall.get("/api/wall")).body).toMatchObject({ tag: "prod", monitors: { total: 1 } });
    expect((await asWall.get("/api/wall?tag=web")).body).toMatchObject({ monitors: { total: 0 }, problems: [] });
  });

  it("follows the new name of its tag", async () => {
    const { app, bob } = await setUp();
    const { asWall } = await create(app, bob, "prod:");
    const tag = (await app.as(bob).get("/api/tags")).body.tags.find(({ name }) => name === "prod");
    await app.as(bob).put(`/api/tags/${tag?.id}`, { name: "live" });
    expect((await asWall.get("/api/wall")).body).toMatchObject({ tag: "live", monitors: { total: 1 } });
  });

  it("opens nothing else", async () => {
    const { app, bob } = await setUp();
    const { asWall, id } = await create(app, bob);
    for (const path of ["/api/dashboard", "/api/monitors", "/api/auth/me", "/api/live", "/api/walls", "/metrics"])
      expect([path, (await asWall.get(path)).status]).toEqual([path, 401]);
    expect((await asWall.post("/api/walls", { name: "more" })).status).toBe(401);
    expect((await asWall.delete(`/api/walls/${id}`)).status).toBe(401);
    expect((await asWall.post("/api/wall")).status).toBe(405);
  });

  it("is answered 404 at once after it was revoked, which only its owner can do, and when its owner is deleted", async () => {
    const { app, alice, bob, charlie } = await setUp();
    const [first, second] = [await create(app, bob), await create(app, bob)];
    expect((await app.as(charlie).delete(`/api/walls/${first.id}`)).status).toBe(404);
    const { headers } = await first.asWall.get("/api/wall");
    expect((await app.as(bob).delete(`/api/walls/${first.id}`)).status).toBe(200);
    const known = { "if-none-match": headers.get("etag") ?? "" };
    const { status, body } = await first.asWall.get("/api/wall", undefined, known);
    expect([status, body.code]).toEqual([404, "not_found"]);
    expect((await app.as(bob).delete(`/api/walls/${first.id}`)).status).toBe(404);
    const fresh = { ...alice, token: await sessionOf(app, alice) };
    expect((await app.as(fresh).delete(`/api/users/${bob.id}`)).status).toBe(200);
    expect((await second.asWall.get("/api/wall")).status).toBe(404);
    expect(await app.db.$count(wallKeys)).toBe(0);
    expect(await app.db.$count(users)).toBe(2);
  });

  it("that does not exist is answered 404", async () => {
    const { app, bob } = await setUp();
    const { key } = await create(app, bob);
    for (const other of [`${key}x`, key.slice(0, -1), key.toLowerCase(), "wall_"])
      expect((await app.as({ ...bob, token: other }).get("/api/wall")).status).toBe(404);
  });

  it("records its last use at most once a minute", async () => {
    const { app, bob } = await setUp();
    const { asWall } = await create(app, bob);
    const used = async () => (await app.as(bob).get("/api/walls")).body.walls[0]?.last_used_at ?? null;
    const first = isoTime(app.clock.now());
    await asWall.get("/api/wall");
    await until(async () => (await used()) === first, "the first use to be recorded");
    app.clock.set(app.clock.now() + MINUTE);
    await asWall.get("/api/wall");
    await until(async () => (await used()) === isoTime(app.clock.now()), "the later use to be recorded");
  });

  it("requires a name, and a user has a limited number of them", async () => {
    const { app, bob } = await setUp();
    for (const sent of [{ name: " " }, {}, { name: "x".repeat(101) }, { name: "x", tag: "x".repeat(200) }])
      expect((await app.as(bob).post("/api/walls", sent)).status).toBe(422);
    for (let count = 0; count < LIMITS.wallKeys; count++) await create(app, bob);
    const { status, body } = await app.as(bob).post("/api/walls", { name: "one more" });
    expect([status, body.code]).toEqual([409, "too_many_walls"]);
  });
});

it("the document of a wall is not kept, sends no Referer, and is answered 404 for a key that was revoked", async () => {
  const hub = await startTestServer();
  const { bob } = await hub.people();
  const { path, id } = await create(hub as unknown as TestApp, bob);
  const { status, headers } = await hub.call(path);
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  await hub.as(bob).delete(`/api/walls/${id}`);
  expect((await hub.call(path)).status).toBe(404);
  const answer = await hub.call("/api/wall", { headers: { authorization: "Bearer wall_x" } });
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([404, "no-store"]);
});
