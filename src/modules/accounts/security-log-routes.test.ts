import { expect, it } from "bun:test";
import { securityLog } from "../../db/schema";
import { createTestApp, type TestApp } from "../../testing/app";
import { enrollAgent } from "../../testing/fixtures/agents";
import { telegramChannel } from "../../testing/fixtures/alerts";
import { PASSWORD, type TestUser } from "../../testing/fixtures/people";

const LOG = "/api/security-log";
const entries = async (app: TestApp, viewer: TestUser, query = "") =>
  (await app.as(viewer).get(`${LOG}${query}`)).body.entries;

it("the security log lists actions of administrators and users, latest first, with user, address and detail", async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  await app.db.delete(securityLog);
  const a = app.as(alice);
  const { key, data } = (await a.post("/api/keys", { name: "backups", scope: "read" })).body;
  await a.delete(`/api/keys/${data.id}`);
  await a.post("/api/agents/token/generate");
  const channel = (await a.post("/api/notifications/channels", telegramChannel())).body.data;
  await a.delete(`/api/notifications/channels/${channel.id}`);
  await a.put("/api/auth/registration", { open: false });
  const { user } = (await a.post("/api/users", { username: "dora", password: "a staple and more" })).body;
  await a.put(`/api/users/${user.id}`, { username: "dorothy", role: "admin" });
  await a.post(`/api/users/${user.id}/change-password`, { newPassword: "another staple" });
  await a.delete(`/api/users/${user.id}`);
  const change = { currentPassword: PASSWORD, newPassword: "another good password" };
  await app.as(bob).post(`/api/users/${bob.id}/change-password`, change);
  const shown = await entries(app, alice);
  expect(shown.map(({ kind, username, detail }) => [kind, username, detail])).toEqual([
    ["password_changed", "bob", ""],
    ["user_deleted", "alice", "dorothy"],
    ["password_reset", "alice", "dorothy"],
    ["role_changed", "alice", "dorothy: user → admin"],
    ["name_or_email_changed", "alice", "dora, dora → dorothy"],
    ["user_created", "alice", "dora (user)"],
    ["registration_switched", "alice", "closed"],
    ["channel_deleted", "alice", telegramChannel().name],
    ["channel_created", "alice", telegramChannel().name],
    ["enrollment_token_created", "alice", ""],
    ["key_deleted", "alice", "backups"],
    ["key_created", "alice", "backups (read)"],
  ]);
  expect(shown[0]).toMatchObject({ user_id: bob.id, at: new Date(app.clock.now()).toISOString() });
  expect(JSON.stringify(shown) + app.logged.join()).not.toContain(key);
});

it("the security log lists a registration with the new user and the caller's address", async () => {
  const app = await createTestApp({ env: { TRUST_PROXY: "1" } });
  const { alice } = await app.people();
  await app.as(alice).put("/api/auth/registration", { open: true });
  await app.db.delete(securityLog);
  const account = { username: "dora", password: "a staple and more" };
  const from = { "x-forwarded-for": "192.0.2.7" };
  expect((await app.anybody.post("/api/auth/register", account, from)).status).toBe(201);
  expect((await app.anybody.post("/api/auth/register", account, from)).status).toBe(409);
  const shown = await entries(app, alice);
  const dora = (await app.as(alice).get("/api/users")).body.users.find(({ username }) => username === "dora");
  expect(shown).toMatchObject([{ kind: "registered", user_id: dora?.id, username: "dora", address: "192.0.2.7" }]);
  expect(JSON.stringify(shown) + app.logged.join()).not.toContain(account.password);
});

it("the security log lists deleted servers and revoked enrollment tokens, and no refused attempt on another user's", async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  const agent = await enrollAgent(app, bob, { hostname: "db-7" });
  const { token } = (await app.as(bob).post("/api/agents/token/generate")).body;
  const [{ id }] = JSON.parse((await app.as(bob).get("/api/agents/tokens")).text).tokens;
  await app.db.delete(securityLog);
  expect((await app.as(charlie).delete(`/api/agents/${agent.id}`)).status).toBe(404);
  expect((await app.as(charlie).delete(`/api/agents/tokens/${id}`)).status).toBe(404);
  expect(await entries(app, alice)).toEqual([]);
  expect((await app.as(bob).delete(`/api/agents/${agent.id}`)).status).toBe(200);
  expect((await app.as(bob).delete(`/api/agents/tokens/${id}`)).status).toBe(200);
  const shown = await entries(app, alice);
  expect(shown.map(({ kind, username, detail }) => [kind, username, detail])).toEqual([
    ["enrollment_token_deleted", "bob", String(id)],
    ["agent_deleted", "bob", "db-7"],
  ]);
  for (const secret of [token, agent.key]) expect(JSON.stringify(shown) + app.logged.join()).not.toContain(secret);
});

it("the security log lists wrong current passwords of signed-in users, logged as warnings with the address first", async () => {
  const app = await createTestApp({ env: { TRUST_PROXY: "1" } });
  const { alice, bob } = await app.people();
  await app.db.delete(securityLog);
  app.logged.length = 0;
  const from = { "x-forwarded-for": "192.0.2.7" };
  const wrong = { currentPassword: "a guess", newPassword: "another good password" };
  await app.as(bob).post(`/api/users/${bob.id}/change-password`, wrong, from);
  await app.as(bob).put(`/api/users/${bob.id}`, { username: "bobby", currentPassword: "a guess" }, from);
  const entry = { kind: "wrong_password", user_id: bob.id, username: "bob", address: "192.0.2.7", detail: "" };
  expect(await entries(app, alice)).toMatchObject([entry, entry]);
  const lines = app.logged.filter((line) => line.includes('"security event"'));
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(JSON.parse(line).level).toBe("warn");
    expect(line).toInclude('"message":"security event","kind":"wrong_password","address":"192.0.2.7"');
    expect(line).not.toInclude("a guess");
  }
});

it("the security log is paged, and filtered by kind and by user", async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  for (const { username } of [alice, bob, charlie])
    await app.anybody.post("/api/auth/login", { username, password: PASSWORD });
  const first = (await app.as(alice).get(`${LOG}?limit=2`)).body;
  expect(first.entries.map(({ username }) => username)).toEqual(["charlie", "bob"]);
  const second = (await app.as(alice).get(`${LOG}?limit=2&before=${first.next}`)).body;
  expect([second.entries.map(({ username }) => username), second.next]).toEqual([["alice"], null]);
  expect((await entries(app, alice, "?user=bob")).map(({ username }) => username)).toEqual(["bob"]);
  expect(await entries(app, alice, "?kind=role_changed")).toEqual([]);
  for (const query of ["?limit=201", "?limit=0", "?kind=x", "?before=x"])
    expect((await app.as(alice).get(`${LOG}${query}`)).status).toBe(422);
});

it("the security log is readable by administrators with a session only", async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  const { key } = (await app.as(alice).post("/api/keys", { name: "all", scope: "full" })).body;
  expect((await app.anybody.get(LOG)).status).toBe(401);
  expect((await app.as(bob).get(LOG)).body.code).toBe("forbidden");
  expect((await app.as({ ...alice, token: key }).get(LOG)).body.code).toBe("session_required");
});
