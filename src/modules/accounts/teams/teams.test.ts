import { expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { insertMany } from "../../../db/insert-many";
import { channels, events, members, monitors, outages, teams, users } from "../../../db/schema";
import { reserveIds } from "../../../db/sql";
import { createTestApp, type TestApp } from "../../../testing/app";
import { addChannel, recordDown } from "../../../testing/fixtures/alerts";
import { addMonitor } from "../../../testing/fixtures/monitors";
import { joinTeam, type TestUser } from "../../../testing/fixtures/people";

const NOWHERE = "http://192.0.2.1/";
const codeOf = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code] as const;

const start = async (env: Record<string, string> = {}) => {
  const app = await createTestApp({ env });
  const people = await app.people();
  const bob = app.as(people.bob);
  const { team } = (await bob.post("/api/teams", { name: " Shop " })).body;
  const rolesOf = async (id = team.id) =>
    Object.fromEntries((await bob.get(`/api/teams/${id}/members`)).body.members.map((one) => [one.username, one.role]));
  return { app, ...people, shop: team.id, team, rolesOf };
};

it("every account has a personal team, and the teams that it creates", async () => {
  const { app, bob, team } = await start();
  expect(team).toMatchObject({ name: "Shop", personal: false, role: "owner", members: 1 });
  const listed = (await app.as(bob).get("/api/teams")).body.teams;
  expect(listed.map(({ id, name, personal }) => [id, name, personal])).toEqual([
    [bob.teamId, "bob", true],
    [team.id, "Shop", false],
  ]);
});

it("a personal team can be named, and goes by its user's name until then", async () => {
  const { app, alice, bob } = await start();
  await app.as(alice).put(`/api/users/${bob.id}`, { username: "robert" });
  expect((await app.as(bob).get(`/api/teams/${bob.teamId}`)).body.team.name).toBe("robert");
  await app.as(bob).put(`/api/teams/${bob.teamId}`, { name: "Family" });
  expect((await app.as(bob).get(`/api/teams/${bob.teamId}`)).body.team.name).toBe("Family");
});

it("names that are empty, too long or invisible are refused", async () => {
  const { app, bob } = await start();
  for (const name of ["", " ", "x".repeat(65), "\u200b", "a\nb"])
    expect(codeOf(await app.as(bob).post("/api/teams", { name }))).toEqual([422, "validation"]);
});

it("a user owns as many teams as QUOTA_TEAMS, an administrator any number", async () => {
  const { app, alice, bob } = await start({ QUOTA_TEAMS: "2" });
  expect((await app.as(bob).post("/api/teams", { name: "2" })).status).toBe(201);
  expect(codeOf(await app.as(bob).post("/api/teams", { name: "3" }))).toEqual([409, "too_many_teams"]);
  for (const name of ["1", "2", "3"]) expect((await app.as(alice).post("/api/teams", { name })).status).toBe(201);
});

it("a user of 1,000 teams, more than the limit of 200, sees all of them and joins no further one", async () => {
  const { app, bob, charlie } = await start();
  const ids = await app.db.transact((tx) => reserveIds(tx, teams, 1000));
  await insertMany(
    app.db,
    teams,
    ids.map((id) => ({ id, name: `team ${id}`, createdAt: 0 })),
  );
  await insertMany(
    app.db,
    members,
    ids.map((teamId) => ({ teamId, userId: bob.id, role: "editor" as const })),
  );
  const found: number[] = [];
  for (const teamId of [ids[0], ids[999]] as number[])
    found.push(await addMonitor(app, { ...bob, teamId }, { url: NOWHERE }));
  const client = app.as(bob);
  expect((await client.get("/api/teams")).body.teams).toHaveLength(1002);
  expect((await client.get("/api/monitors")).body.monitors.map(({ id }) => id)).toEqual(found);
  expect((await client.get(`/api/monitors?team=${ids[999]}`)).body.monitors.map(({ id }) => id)).toEqual(
    found.slice(1),
  );
  expect((await client.get("/api/audit")).status).toBe(200);
  const { token } = (await app.as(charlie).post(`/api/teams/${charlie.teamId}/invitations`, { role: "viewer" })).body;
  expect(codeOf(await client.post(`/api/invitations/${token}/accept`))).toEqual([409, "too_many_teams"]);
});

it("only owners rename, delete and invite, and other users do not find the team", async () => {
  const { app, bob, charlie, shop } = await start();
  const calls = async () => {
    const client = app.as(charlie);
    return [
      codeOf(await client.put(`/api/teams/${shop}`, { name: "Mine" })),
      codeOf(await client.post(`/api/teams/${shop}/invitations`, { role: "viewer" })),
      codeOf(await client.get(`/api/teams/${shop}/invitations`)),
      codeOf(await client.put(`/api/teams/${shop}/members/${bob.id}`, { role: "viewer" })),
      codeOf(await client.delete(`/api/teams/${shop}/members/${bob.id}`)),
      codeOf(await client.delete(`/api/teams/${shop}`)),
    ];
  };
  const six = <T>(answer: T) => Array(6).fill(answer) as T[];
  expect(await calls()).toEqual(six([404, "not_found"]));
  expect((await app.as(charlie).get(`/api/teams/${shop}/members`)).status).toBe(404);
  await joinTeam(app, bob, charlie, { id: shop, role: "editor" });
  expect(await calls()).toEqual(six([403, "role_insufficient"]));
  expect((await app.as(charlie).get(`/api/teams/${shop}/members`)).status).toBe(200);
});

it("administrators act as owners of every team, and with ADMIN_SEES=teams of their own only", async () => {
  for (const [sees, status] of [
    ["all", 200],
    ["teams", 404],
  ] as const) {
    const { app, alice, shop } = await start({ ADMIN_SEES: sees });
    expect((await app.as(alice).put(`/api/teams/${shop}`, { name: "Store" })).status).toBe(status);
    expect((await app.as(alice).get("/api/teams/999")).status).toBe(404);
    expect((await app.as(alice).put("/api/teams/999", { name: "x" })).status).toBe(404);
  }
});

it("the last owner of a team neither leaves nor is demoted, and another owner may do both", async () => {
  const { app, bob, charlie, shop, rolesOf } = await start();
  const own = `/api/teams/${shop}/members/${bob.id}`;
  await joinTeam(app, bob, charlie, { id: shop, role: "editor" });
  expect(codeOf(await app.as(bob).put(own, { role: "editor" }))).toEqual([409, "last_owner"]);
  expect(codeOf(await app.as(bob).delete(own))).toEqual([409, "last_owner"]);
  await app.as(bob).put(`/api/teams/${shop}/members/${charlie.id}`, { role: "owner" });
  expect((await app.as(bob).put(own, { role: "viewer" })).status).toBe(200);
  expect(await rolesOf()).toEqual({ bob: "viewer", charlie: "owner" });
  expect((await app.as(bob).delete(own)).status).toBe(200);
  expect((await app.as(bob).get(`/api/teams/${shop}`)).status).toBe(404);
});

it("of two owners who remove each other, one after the other or at once, one stays", async () => {
  const { app, bob, charlie, shop } = await start();
  const meet = async () => {
    const [stays] = await app.db.select().from(members).where(eq(members.teamId, shop));
    const [inviter, other] = stays?.userId === charlie.id ? [charlie, bob] : [bob, charlie];
    await joinTeam(app, inviter, other, { id: shop, role: "owner" });
  };
  const remove = (by: TestUser, user: TestUser) => app.as(by).delete(`/api/teams/${shop}/members/${user.id}`);
  const demote = (by: TestUser, user: TestUser) =>
    app.as(by).put(`/api/teams/${shop}/members/${user.id}`, { role: "viewer" });
  await meet();
  expect([(await remove(bob, charlie)).status, (await remove(charlie, bob)).status]).toEqual([200, 404]);
  for (let round = 0; round < 3; round++) {
    await meet();
    const removed = await Promise.all([remove(bob, charlie), remove(charlie, bob)]);
    expect(removed.map(({ status }) => status).toSorted()).toEqual([200, 404]);
    await meet();
    const left = await Promise.all([remove(bob, bob), remove(charlie, charlie)]);
    expect(left.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await meet();
    const demoted = await Promise.all([demote(bob, charlie), demote(charlie, bob)]);
    expect(demoted.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    const owners = (await app.db.select().from(members).where(eq(members.teamId, shop))).filter(
      ({ role }) => role === "owner",
    );
    expect(owners).toHaveLength(1);
    const [owner] = owners;
    const viewer = owner?.userId === bob.id ? charlie : bob;
    await remove(viewer, viewer);
  }
});

it("the user of a personal team stays its owner, and it is not deleted", async () => {
  const { app, bob, charlie } = await start();
  await joinTeam(app, bob, charlie, { id: bob.teamId, role: "owner" });
  const personal = `/api/teams/${bob.teamId}` as const;
  for (const client of [app.as(bob), app.as(charlie)]) {
    expect(codeOf(await client.put(`${personal}/members/${bob.id}`, { role: "viewer" }))).toEqual([
      409,
      "personal_team",
    ]);
    expect(codeOf(await client.delete(`${personal}/members/${bob.id}`))).toEqual([409, "personal_team"]);
    expect(codeOf(await client.delete(personal))).toEqual([409, "personal_team"]);
  }
  const listed = (await app.as(bob).get(`${personal}/members`)).body.members;
  expect(listed.map(({ username, permanent }) => [username, permanent])).toEqual([
    ["bob", true],
    ["charlie", false],
  ]);
});

it("a removed member's calls, keys and streams end at the next call", async () => {
  const { app, bob, charlie, shop } = await start();
  await joinTeam(app, bob, charlie, { id: shop, role: "editor" });
  const { key } = (await app.as(charlie).post("/api/keys", { name: "x", scope: "full" })).body;
  const withKey = app.as({ ...charlie, token: key });
  expect((await withKey.get(`/api/teams/${shop}`)).status).toBe(200);
  await app.as(bob).delete(`/api/teams/${shop}/members/${charlie.id}`);
  for (const client of [withKey, app.as(charlie)]) expect((await client.get(`/api/teams/${shop}`)).status).toBe(404);
});

/** Moves a monitor to a team without a call. */
const moveTo = (app: TestApp, monitor: number, teamId: number) =>
  app.db.update(monitors).set({ teamId }).where(eq(monitors.id, monitor));

it("an owner takes over what a member made, whose invitations and tokens are revoked", async () => {
  const { app, bob, charlie, shop } = await start();
  await joinTeam(app, bob, charlie, { id: shop, role: "owner" });
  const [theirs, own] = [
    await addMonitor(app, charlie, { url: NOWHERE }),
    await addMonitor(app, charlie, { url: NOWHERE }),
  ];
  await moveTo(app, theirs, shop);
  await recordDown(app, theirs);
  await app.as(charlie).post(`/api/teams/${shop}/invitations`, { role: "owner" });
  await app.as(bob).delete(`/api/teams/${shop}/members/${charlie.id}`);
  expect((await app.as(bob).get(`/api/teams/${shop}/invitations`)).body.invitations).toEqual([]);
  const makers = async (id: number) => [
    (await app.db.select().from(monitors).where(eq(monitors.id, id)))[0]?.userId,
    ...(await app.db.select().from(events).where(eq(events.targetId, id))).map(({ userId }) => userId),
    ...(await app.db.select().from(outages).where(eq(outages.targetId, id))).map(({ userId }) => userId),
  ];
  expect(await makers(theirs)).toEqual([bob.id, bob.id, bob.id]);
  expect(await makers(own)).toEqual([charlie.id]);
});

it("a demoted owner's invitations are revoked", async () => {
  const { app, bob, charlie, shop } = await start();
  await joinTeam(app, bob, charlie, { id: shop, role: "owner" });
  const { token } = (await app.as(charlie).post(`/api/teams/${shop}/invitations`, { role: "owner" })).body;
  await app.as(bob).put(`/api/teams/${shop}/members/${charlie.id}`, { role: "viewer" });
  expect(codeOf(await app.as(charlie).post(`/api/invitations/${token}/accept`))).toEqual([403, "invitation_invalid"]);
});

it("deleting a user deletes the teams that have no one else, and hands over what they made for others", async () => {
  const { app, alice, bob, charlie, shop } = await start();
  const { team: empty } = (await app.as(charlie).post("/api/teams", { name: "Empty" })).body;
  await joinTeam(app, bob, charlie, { id: shop, role: "editor" });
  const [shared, personal, alone] = [
    await addMonitor(app, charlie, { url: NOWHERE }),
    await addMonitor(app, charlie, { url: NOWHERE }),
    await addMonitor(app, charlie, { url: NOWHERE }),
  ];
  await moveTo(app, shared, shop);
  await moveTo(app, alone, empty.id);
  await recordDown(app, shared);
  const channel = await addChannel(app, charlie);
  await app.db.update(channels).set({ teamId: shop }).where(eq(channels.id, channel));
  const { owns } = (await app.as(alice).get(`/api/users/${charlie.id}`)).body;
  expect(owns).toEqual({ monitors: 2, agents: 0, channels: 0, teams: 1 });
  expect((await app.as(alice).delete(`/api/users/${charlie.id}`)).status).toBe(200);
  const left = await app.db.select({ id: monitors.id, userId: monitors.userId }).from(monitors);
  expect(left).toEqual([{ id: shared, userId: bob.id }]);
  expect((await app.db.select().from(channels)).map(({ userId }) => userId)).toEqual([bob.id]);
  expect((await app.db.select().from(outages)).map(({ userId }) => userId)).toEqual([bob.id]);
  expect((await app.db.select().from(teams).where(eq(teams.id, empty.id))).length).toBe(0);
  expect([personal, alone].length).toBe(2);
});

it("a personal team stays with its other owners, under the name that it had", async () => {
  const { app, alice, bob, charlie } = await start();
  await joinTeam(app, bob, charlie, { id: bob.teamId, role: "owner" });
  const monitor = await addMonitor(app, bob, { url: NOWHERE });
  expect((await app.as(alice).get(`/api/users/${bob.id}`)).body.owns).toMatchObject({ monitors: 0, teams: 1 });
  await app.as(alice).delete(`/api/users/${bob.id}`);
  expect((await app.as(charlie).get(`/api/teams/${bob.teamId}`)).body.team).toMatchObject({ name: "bob", members: 1 });
  expect((await app.db.select().from(monitors)).map(({ id, userId }) => [id, userId])).toEqual([[monitor, charlie.id]]);
  expect((await app.as(charlie).delete(`/api/teams/${bob.teamId}`)).status).toBe(200);
  expect(await app.db.$count(users)).toBe(2);
});

it("members see what belongs to their teams, and administrators count a team's quotas for what they add", async () => {
  const { app, bob, charlie, shop } = await start();
  await joinTeam(app, bob, charlie, { id: shop, role: "viewer" });
  const monitor = await addMonitor(app, bob, { url: NOWHERE });
  await moveTo(app, monitor, shop);
  expect((await app.as(charlie).get("/api/monitors")).body.monitors.map(({ id }) => id)).toEqual([monitor]);
  const { owns, quotas } = (await app.as(charlie).get(`/api/teams/${shop}`)).body;
  expect([owns, quotas?.monitors]).toEqual([
    { monitors: 1, agents: 0, channels: 0 },
    { limit: 200, used: 1 },
  ]);
});

it("what happens to teams is in the security log", async () => {
  const { app, alice, bob, charlie, shop } = await start();
  await joinTeam(app, bob, charlie, { id: shop, role: "editor" });
  await app.as(bob).put(`/api/teams/${shop}/members/${charlie.id}`, { role: "owner" });
  await app.as(charlie).delete(`/api/teams/${shop}/members/${bob.id}`);
  await app.as(charlie).delete(`/api/teams/${shop}`);
  const { entries } = (await app.as(alice).get("/api/security-log")).body;
  expect(entries.map(({ username, kind, detail }) => `${username} ${kind} ${detail}`)).toEqual([
    "charlie team_deleted Shop",
    "charlie member_removed Shop, bob",
    "bob member_changed Shop, charlie: editor → owner",
    "charlie invitation_accepted Shop (editor)",
    "bob member_invited Shop (editor)",
    "bob team_created Shop",
  ]);
});
