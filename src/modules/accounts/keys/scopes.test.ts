import { expect, it } from "bun:test";
import { apiKeys, channels, enrollmentTokens, users } from "../../../db/schema";
import { KEY_SCOPES } from "../../../shared/accounts/key-scopes";
import { createTestApp } from "../../../testing/app";
import { machine } from "../../../testing/fixtures/agents";
import { telegramChannel } from "../../../testing/fixtures/alerts";
import type { TestUser } from "../../../testing/fixtures/people";

const MONITOR = { name: "shop", url: "http://192.0.2.1/", interval: 60, active: false };

const setUp = async () => {
  const app = await createTestApp();
  const people = await app.people();
  const withKey = async (scopes: string[], user: TestUser = people.bob) => {
    const { body } = await app.as(user).post("/api/keys", { name: "key", scopes });
    return app.as({ ...user, token: body.key });
  };
  return { app, ...people, withKey };
};

const outcome = ({ status, body }: { status: number; body: object }) => [
  status,
  (body as { code?: string }).code,
  (body as { scope?: string }).scope,
];

it("a key with narrow scopes is refused everything else, with a code and the scope that it lacks", async () => {
  const { withKey } = await setUp();
  for (const scope of ["ping", "publish", "enroll", "channels", "maintain", "apply", "ack"]) {
    const key = await withKey([scope]);
    expect(outcome(await key.get("/api/monitors"))).toEqual([403, "insufficient_scope", "read"]);
    expect(outcome(await key.get("/api/auth/me"))).toEqual([403, "insufficient_scope", "read"]);
    expect(outcome(await key.post("/api/monitors", MONITOR))).toEqual([403, "insufficient_scope", "write"]);
  }
  const reading = await withKey(["read", "ack"]);
  expect((await reading.get("/api/monitors")).status).toBe(200);
  expect(outcome(await reading.post("/api/monitors", MONITOR))).toEqual([403, "insufficient_scope", "write"]);
  expect(outcome(await reading.post("/api/outages/99/acknowledge", {}))).toEqual([404, "not_found", undefined]);
});

it("a key for enrollment creates and revokes tokens, with which machines of its user enroll", async () => {
  const { app, bob, withKey } = await setUp();
  const key = await withKey(["enroll"]);
  const { body } = await key.post("/api/agents/token/generate", { uses: 50 });
  const registered = await app.anybody.post("/api/agents/register", { token: body.token, ...machine() });
  expect(registered.status).toBe(201);
  expect((await app.as(bob).get("/api/agents")).body.total).toBe(1);
  expect(outcome(await key.get("/api/agents/tokens"))).toEqual([403, "insufficient_scope", "read"]);
  expect((await key.delete(`/api/agents/tokens/${body.id}`)).status).toBe(200);
  expect(await app.db.$count(enrollmentTokens)).toBe(0);
});

it("a key for maintenance starts and ends windows, and neither plans nor lists them", async () => {
  const { withKey } = await setUp();
  const key = await withKey(["maintain"]);
  const started = await key.post("/api/windows/start", { minutes: 20, all: true });
  expect(started.status).toBe(201);
  expect((await key.post(`/api/windows/${started.body.id}/end`)).status).toBe(200);
  expect(outcome(await key.get("/api/windows"))).toEqual([403, "insufficient_scope", "read"]);
  expect(outcome(await key.delete(`/api/windows/${started.body.id}`))).toEqual([403, "insufficient_scope", "write"]);
});

it("a key for channels creates, changes, tests and deletes them, but sends no stored secret to another address", async () => {
  const { app, withKey } = await setUp();
  const key = await withKey(["channels"]);
  const channel = telegramChannel();
  const { data } = (await key.post("/api/notifications/channels", channel)).body;
  expect((await key.put(`/api/notifications/channels/${data.id}`, { ...channel, name: "ops" })).status).toBe(200);
  expect((await key.post("/api/notifications/channels/test", channel)).body.code).toBe("session_required");
  expect((await key.delete(`/api/notifications/channels/${data.id}`)).status).toBe(200);
  expect(await app.db.$count(channels)).toBe(0);
});

it("a key that may write has every other scope, and manages no users, sessions and keys", async () => {
  const { app, alice, bob, withKey } = await setUp();
  const key = await withKey(["write"], alice);
  expect((await key.post("/api/monitors", MONITOR)).status).toBe(201);
  expect((await key.post("/api/notifications/channels", telegramChannel())).status).toBe(201);
  expect((await key.post("/api/agents/token/generate")).status).toBe(200);
  const answers = [
    await key.get("/api/keys"),
    await key.post("/api/keys", { name: "more", scopes: ["read"] }),
    await key.get("/api/auth/sessions"),
    await key.delete("/api/auth/sessions"),
    await key.post("/api/users", { username: "dora", password: "long enough" }),
    await key.put(`/api/users/${bob.id}`, { role: "admin" }),
    await key.delete(`/api/users/${bob.id}`),
    await key.get("/api/security-log"),
    await key.post("/api/walls", { name: "office" }),
  ];
  for (const answer of answers) expect(outcome(answer)).toEqual([403, "session_required", undefined]);
  expect([await app.db.$count(users), await app.db.$count(apiKeys)]).toEqual([3, 1]);
});

it("a key that may not write sees secrets masked, whatever else it may do", async () => {
  const { app, bob, withKey } = await setUp();
  const headers = { "X-Token": "secret" };
  const { id } = (await app.as(bob).post("/api/monitors", { ...MONITOR, headers })).body.monitor;
  for (const scopes of [["read"], ["read", "ack", "channels"]])
    expect((await (await withKey(scopes)).get(`/api/monitors/${id}`)).text).not.toContain("secret");
  expect((await (await withKey(["write"])).get(`/api/monitors/${id}`)).text).toContain("secret");
});

it("an import with channels needs the scope of channels, too", async () => {
  const { app, withKey } = await setUp();
  const file = { format: "wakeful-configuration", version: 1, channels: [{ id: 1, ...telegramChannel("ops") }] };
  expect(outcome(await (await withKey(["apply"])).post("/api/import", file))).toEqual([
    ...[403, "insufficient_scope", "channels"],
  ]);
  expect((await (await withKey(["apply", "channels"])).post("/api/import", file)).status).toBe(200);
  expect(await app.db.$count(channels)).toBe(1);
});

it("a key has its scopes once and in one order, and those that were made with scope keep their form", async () => {
  const { app, bob } = await setUp();
  const create = async (sent: object) => (await app.as(bob).post("/api/keys", { name: "key", ...sent })).body.data;
  expect(await create({ scopes: ["ack", "read", "ack"] })).toMatchObject({
    scope: "read ack",
    scopes: ["read", "ack"],
  });
  expect(await create({ scopes: ["read"] })).toMatchObject({ scope: "read", scopes: ["read"] });
  expect(await create({ scope: "read" })).toMatchObject({ scope: "read", scopes: ["read"] });
  expect(await create({ scope: "full" })).toMatchObject({ scope: "full", scopes: ["full"] });
  expect((await app.db.select().from(apiKeys)).map(({ scope }) => scope)).toEqual(["read ack", "read", "read", "full"]);
});

it("a key needs either scopes or scope, and scopes are known words", async () => {
  const { app, bob } = await setUp();
  const refused = async (sent: object) => {
    const { status, body } = await app.as(bob).post("/api/keys", { name: "key", ...sent });
    return [status, ...body.errors.map(({ path }) => path)];
  };
  for (const sent of [{}, { scopes: ["read"], scope: "read" }, { scopes: [] }, { scopes: "read" }, { scopes: null }])
    expect(await refused(sent)).toEqual([422, "scopes"]);
  expect(await refused({ scopes: [...KEY_SCOPES, "read"] })).toEqual([422, "scopes"]);
  expect((await refused({ scopes: ["read", "full"] }))[0]).toBe(422);
  expect((await app.as(bob).post("/api/keys", { name: "all", scopes: [...KEY_SCOPES] })).status).toBe(201);
});
