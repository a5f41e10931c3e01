import { expect, it } from "bun:test";
import { and, eq } from "drizzle-orm";
import { apiKeys, members } from "../../../db/schema";
import type { TeamRole } from "../../../shared/accounts/teams";
import { createTestApp, type TestApp } from "../../../testing/app";
import type { TestUser } from "../../../testing/fixtures/people";

const MONITOR = { name: "shop", url: "http://192.0.2.1/", interval: 60, active: false };

const join = ({ db }: TestApp, teamId: number, { id: userId }: TestUser, role: TeamRole) =>
  db.insert(members).values({ teamId, userId, role });

/** bob owns the team Shop, and charlie is an editor of it. */
const start = async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  const { id: shop } = (await app.as(bob).post("/api/teams", { name: "Shop" })).body.team;
  await join(app, shop, charlie, "editor");
  const keyOf = async (user: TestUser, team_id: unknown, scopes = ["write"]) => {
    const { status, body } = await app.as(user).post("/api/keys", { name: "deploy", scopes, team_id });
    return { status, body, id: body.data?.id, ask: app.as({ ...user, token: body.key }) };
  };
  const create = async (ask: ReturnType<TestApp["as"]>, query = "") =>
    (await ask.post(`/api/monitors${query}`, MONITOR)).body.monitor;
  return { app, alice, bob, charlie, shop, keyOf, create };
};

it("a key of a team sees and makes things of that team alone", async () => {
  const { app, bob, charlie, shop, keyOf, create } = await start();
  const own = await create(app.as(charlie));
  const shared = await create(app.as(bob), `?team=${shop}`);
  const { ask, body } = await keyOf(charlie, shop);
  expect(body.data.team_id).toBe(shop);
  const listed = async () => (await ask.get("/api/monitors")).body.monitors.map(({ id }) => id);
  expect(await listed()).toEqual([shared.id]);
  expect((await ask.get(`/api/monitors/${own.id}`)).status).toBe(404);
  expect((await ask.get(`/api/monitors?team=${charlie.teamId}`)).status).toBe(404);
  const made = await create(ask);
  expect((await app.as(bob).get(`/api/monitors/${made.id}?team=${shop}`)).status).toBe(200);
  expect((await ask.get("/api/teams")).body.teams.map(({ id }) => id)).toEqual([shop]);
});

it("a key of a team moves nothing out of it", async () => {
  const { app, charlie, bob, shop, keyOf, create } = await start();
  const shared = await create(app.as(bob), `?team=${shop}`);
  const move = { team: charlie.teamId };
  const { ask } = await keyOf(charlie, shop);
  expect((await ask.post(`/api/monitors/${shared.id}/move`, move)).status).toBe(404);
  const unlimited = await keyOf(charlie, null);
  expect((await unlimited.ask.post(`/api/monitors/${shared.id}/move?team=${shop}`, move)).status).toBe(200);
});

it("a key of a team has the present role of its user, and ends with the membership and with the team", async () => {
  const { app, bob, charlie, shop, keyOf, create } = await start();
  const { ask } = await keyOf(charlie, shop);
  const membership = and(eq(members.teamId, shop), eq(members.userId, charlie.id));
  await app.db.update(members).set({ role: "viewer" }).where(membership);
  expect((await ask.post("/api/monitors", MONITOR)).body.code).toBe("role_insufficient");
  await app.db.delete(members).where(membership);
  expect((await ask.get("/api/monitors")).status).toBe(401);
  await join(app, shop, charlie, "editor");
  expect(await create(ask)).toBeDefined();
  expect((await app.as(bob).delete(`/api/teams/${shop}`)).status).toBe(200);
  expect((await ask.get("/api/monitors")).status).toBe(401);
  expect(await app.db.$count(apiKeys)).toBe(0);
});

it("a key of a team has no rights of an administrator", async () => {
  const { app, alice, bob, shop, keyOf, create } = await start();
  await create(app.as(bob));
  const own = await keyOf(alice, alice.teamId);
  expect((await own.ask.get("/api/monitors")).body.total).toBe(0);
  expect((await own.ask.get("/api/users")).status).toBe(403);
  expect((await own.ask.get("/api/system")).status).toBe(403);
  expect((await keyOf(alice, shop)).status).toBe(404);
});

it("owners of a team list and revoke its keys, and see no others", async () => {
  const { app, alice, bob, charlie, shop, keyOf } = await start();
  const limited = await keyOf(charlie, shop, ["ping"]);
  const personal = await keyOf(charlie, undefined, ["ping"]);
  const path = `/api/teams/${shop}/keys`;
  const { keys } = (await app.as(bob).get(path)).body;
  expect(keys).toMatchObject([{ id: limited.id, username: "charlie", team_id: shop, scopes: ["ping"] }] as never);
  expect((await app.as(charlie).get(path)).body.code).toBe("role_insufficient");
  expect((await app.as(alice).get("/api/teams/99/keys")).status).toBe(404);
  expect((await app.as(charlie).get("/api/keys")).body.keys.map(({ team_id }) => team_id)).toEqual([null, shop]);
  expect((await app.as(bob).delete(`/api/keys/${personal.id}`)).status).toBe(404);
  expect((await app.as(bob).delete(`/api/keys/${limited.id}`)).status).toBe(200);
  expect((await app.as(bob).get(path)).body.keys).toEqual([]);
});

it("a key is limited to no team that its user is not in", async () => {
  const { bob, charlie, keyOf } = await start();
  expect((await keyOf(charlie, bob.teamId)).status).toBe(404);
  for (const wrong of [0, -1, 1.5, "x", {}, 2 ** 53]) expect((await keyOf(charlie, wrong)).status).toBe(422);
});
