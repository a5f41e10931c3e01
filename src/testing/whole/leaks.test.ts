import { expect, it } from "bun:test";
import { and, eq } from "drizzle-orm";
import { members } from "../../db/schema";
import { isoTime } from "../../lib/time";
import { createTestApp, type TestApp } from "../app";
import { call } from "../client";
import { readEvents } from "../event-stream";
import { sessionOf } from "../fixtures/forged-sessions";
import { addHeartbeat } from "../fixtures/heartbeats";
import { addMonitor, recordOnly } from "../fixtures/monitors";
import { addMember, addUser, type TestUser } from "../fixtures/people";
import { createWorld } from "../fixtures/seed-everything";

/** Part of every name in bob's team. */
const NAME = "quartz";
/** Part of every secret there. */
const SECRET = "opensesame";

/** A team with one of everything, whose names and secrets are recognized. */
const setUp = async (env: Record<string, string> = {}) => {
  const app = await createTestApp({ env });
  const world = await createWorld(app);
  const bob = app.as(world.bob);
  const shop = await addMonitor(app, world.bob, {
    name: NAME,
    url: `http://${NAME}.example/?token=${SECRET}`,
    headers: { "x-token": SECRET },
    body: SECRET,
    tags: [{ name: NAME, value: "" }],
  });
  const job = await addHeartbeat(app, world.bob);
  await recordOnly(app, shop, [{ at: app.clock.now(), up: false }]);
  await bob.post("/api/notifications/channels", {
    name: NAME,
    type: "webhook",
    config: { url: `https://hooks.example/${SECRET}` },
  });
  await bob.post("/api/notifications/policies", { ...world.policy, name: NAME });
  await bob.post("/api/notifications/templates", { event: "down", title: NAME, body: NAME });
  await bob.post("/api/walls", { name: NAME });
  await bob.put(`/api/monitors/${shop}/objective`, { target: 99.9, period: "30d" });
  return { app, world, shop, job };
};

/** The answers of every call of a user that reads, to those in `query`, by route. */
const readAll = async (app: TestApp, world: Awaited<ReturnType<typeof createWorld>>, user: TestUser, query = "") => {
  const paths = app.app.routes.filter(({ method }) => method === "GET").map(({ path }) => path);
  const answers: { path: string; text: string }[] = [];
  // One for all calls: a user has at most 50 sessions, and the tokens of the world have to stay valid.
  const headers = { authorization: `Bearer ${await sessionOf(app, user)}` };
  for (const path of paths) {
    const target = `${await world.fill("GET", path)}${query}`;
    // What everyone may read shows what a team publishes.
    if ((await call(app.send, target, { method: "GET", headers: {}, body: null })).status !== 401) continue;
    const { text } = await call(app.send, target, { method: "GET", headers, body: null });
    answers.push({ path, text: text.toLowerCase() });
  }
  return answers;
};

const pathsWith = (answers: readonly { path: string; text: string }[], word: string) =>
  answers.filter(({ text }) => text.includes(word)).map(({ path }) => path);

it("no call shows anything of a team to others: users, members of other teams, former ones, and administrators with ADMIN_SEES=teams", async () => {
  const { app, world } = await setUp({ ADMIN_SEES: "teams" });
  const { bob, charlie, alice } = world;
  expect(pathsWith(await readAll(app, world, bob), NAME).length).toBeGreaterThan(15);
  const former = await addUser(app.deps, "former");
  await app.db.insert(members).values({ teamId: bob.teamId, userId: former.id, role: "editor" });
  await app.db.insert(members).values({ teamId: charlie.teamId, userId: former.id, role: "editor" });
  expect(pathsWith(await readAll(app, world, former), NAME).length).toBeGreaterThan(5);
  await app.db.delete(members).where(and(eq(members.userId, former.id), eq(members.teamId, bob.teamId)));
  for (const user of [charlie, former]) expect(pathsWith(await readAll(app, world, user), NAME)).toEqual([]);
  expect(pathsWith(await readAll(app, world, alice), NAME)).toEqual(["/api/security-log"]);
  const inOwn = await readAll(app, world, former, `?team=${charlie.teamId}`);
  expect(pathsWith(inOwn, NAME)).toEqual([]);
});

it("a viewer of a team reads everything of it but secrets", async () => {
  const { app, world, shop, job } = await setUp();
  const query = `?team=${world.bob.teamId}`;
  const answers = await readAll(app, world, world.viewer, query);
  expect(pathsWith(answers, NAME).length).toBeGreaterThan(10);
  expect(pathsWith(answers, SECRET)).toEqual([]);
  expect(pathsWith(answers, job.token.toLowerCase())).toEqual([]);
  for (const id of [shop, job.id]) {
    const { status, text } = await app.as(world.viewer).get(`/api/monitors/${id}`);
    expect([status, text.includes(SECRET), text.includes(job.token)]).toEqual([200, false, false]);
  }
  expect((await app.as(world.viewer).get(`/api/monitors?search=${SECRET}`)).body.total).toBe(0);
  expect((await app.as(world.editor).get(`/api/monitors?search=${SECRET}`)).body.total).toBe(1);
  expect((await app.as(world.editor).get(`/api/monitors/${shop}`)).text).toContain(SECRET);
});

it("a stream has events of the teams of its user only, and ends when a membership does", async () => {
  const { app, world } = await setUp();
  const { bob, charlie } = world;
  const both = await addMember(app, bob.teamId, "owner");
  const open = async (user: TestUser, query = "") => {
    const headers = { authorization: `Bearer ${await sessionOf(app, user)}` };
    const response = await app.send(new Request(`http://localhost/api/live${query}`, { headers }));
    return readEvents(response.body);
  };
  const streams = {
    bob: await open(bob),
    charlie: await open(charlie),
    both: await open(both),
    ofOwn: await open(both, `?team=${both.teamId}`),
  };
  const data = { id: 7, status: "down" as const, response_time: null, last_checked: isoTime(app.clock.now()) };
  app.deps.live.publish([{ event: "monitor", teamId: bob.teamId, changed: true, data }]);
  for (const stream of [streams.bob, streams.both]) await stream.next("monitor");
  const others = [...streams.charlie.received, ...streams.ofOwn.received];
  expect(others.filter(({ event }) => event === "monitor" || event === "outage")).toEqual([]);

  await app.db.delete(members).where(and(eq(members.userId, both.id), eq(members.teamId, bob.teamId)));
  await app.deps.live.recheck();
  expect(await streams.both.ended()).toBe("closed");
  expect(app.deps.live.streams()).toBe(3);
});
