import { describe, expect, it, spyOn } from "bun:test";
import { apiKeys, channels, users } from "../../../db/schema";
import { DAY } from "../../../shared/limits";
import { createTestApp, type TestApp } from "../../../testing/app";
import { until } from "../../../testing/clock";
import { telegramChannel } from "../../../testing/fixtures/alerts";
import type { TestUser } from "../../../testing/fixtures/people";
import { createKey, listKeys, purgeKeys } from "./service";

const KEYS = "/api/keys";
const MINUTE = 60_000;

const makeKey = async (app: TestApp, user: TestUser, scope: "read" | "full") => {
  const { body } = await app.as(user).post(KEYS, { name: "backups", scope });
  return { ...user, token: body.key, keyId: body.data.id };
};

const MONITOR = { name: "shop", url: "http://192.0.2.1/", interval: 60, active: false };

it("an API key is returned once, and only its hash is stored", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const { status, body } = await app.as(bob).post(KEYS, { name: " backups ", scope: "read" });
  expect([status, body.success]).toEqual([201, true]);
  expect(body.key).toMatch(/^wk_[\w-]{43}$/);
  expect(Object.keys(body.data).sort()).toEqual([
    "created_at",
    "expires_at",
    "id",
    "name",
    "scope",
    "scopes",
    "team_id",
  ]);
  const list = await app.as(bob).get(KEYS);
  expect(list.body.keys).toEqual([
    { ...body.data, name: "backups", scope: "read", scopes: ["read"], last_used_at: null },
  ] as never);
  const stored = JSON.stringify(await app.db.select().from(apiKeys));
  for (const text of [list.text, stored, app.logged.join()]) expect(text).not.toContain(body.key.slice(3));
});

it("an API key has access to its user's data only", async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  const key = await makeKey(app, bob, "full");
  const { monitor } = (await app.as(key).post("/api/monitors", MONITOR)).body;
  expect((await app.as(bob).get(`/api/monitors/${monitor.id}`)).status).toBe(200);
  expect((await app.as(key).get("/api/auth/me")).body.user.username).toBe("bob");
  const { id } = (await app.as(alice).post("/api/monitors", MONITOR)).body.monitor;
  expect((await app.as(key).get(`/api/monitors/${id}`)).status).toBe(404);
  expect((await app.as(key).get("/api/users")).status).toBe(403);
});

it("a read-only API key cannot change anything", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const key = await makeKey(app, bob, "read");
  expect((await app.as(key).get("/api/monitors")).status).toBe(200);
  const refused = await app.as(key).post("/api/monitors", MONITOR);
  expect([refused.status, refused.body.code]).toEqual([403, "read_only_key"]);
  expect((await app.as(key).delete("/api/monitors/1")).body.code).toBe("read_only_key");
});

describe("an API key", () => {
  it("manages neither API keys nor passwords", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    const key = await makeKey(app, alice, "full");
    const change = { newPassword: "another good password" };
    const answers = [
      await app.as(key).get(KEYS),
      await app.as(key).post(KEYS, { name: "more", scope: "full" }),
      await app.as(key).delete(`${KEYS}/${key.keyId}`),
      await app.as(key).post(`/api/users/${alice.id}/change-password`, change),
      await app.as(key).post(`/api/users/${bob.id}/change-password`, change),
    ];
    for (const { status, body } of answers) expect([status, body.code]).toEqual([403, "session_required"]);
    expect(await app.db.$count(apiKeys)).toBe(1);
  });

  it("with full access creates and changes no users, tokens and channels, and does not open or close registration", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    const key = app.as(await makeKey(app, alice, "full"));
    const channel = telegramChannel();
    const { id } = (await app.as(alice).post("/api/notifications/channels", channel)).body.data;
    const answers = [
      await key.post("/api/users", { username: "dora", password: "long enough" }),
      await key.put(`/api/users/${bob.id}`, { role: "admin" }),
      await key.put(`/api/users/${bob.id}`, { email: "mine@example.com" }),
      await key.put(`/api/users/${alice.id}`, { username: "mallory" }),
      await key.delete(`/api/users/${bob.id}`),
      await key.put("/api/auth/registration", { open: true }),
      await key.post("/api/agents/token/generate"),
      await key.delete("/api/agents/tokens/1"),
      await key.post("/api/notifications/channels", channel),
      await key.put(`/api/notifications/channels/${id}`, channel),
      await key.delete(`/api/notifications/channels/${id}`),
      await key.post("/api/import", {
        format: "wakeful-configuration",
        version: 1,
        channels: [{ name: "mine", type: "telegram", config: {} }],
      }),
    ];
    for (const { status, body } of answers) expect([status, body.code]).toEqual([403, "session_required"]);
    expect(await app.db.$count(users)).toBe(3);
    expect(await app.db.$count(channels)).toBe(1);
  });

  it("with an expiry is refused after it, listed for 30 days more and then purged", async () => {
    const app = await createTestApp();
    const { bob, charlie } = await app.people();
    const { body } = await app.as(bob).post(KEYS, { name: "month", scope: "read", expires_in_days: 30 });
    const client = app.as({ ...bob, token: body.key });
    const end = app.clock.now() + 30 * DAY;
    expect(body.data.expires_at).toBe(new Date(end).toISOString());
    app.clock.set(end - 1);
    expect((await client.get("/api/auth/me")).status).toBe(200);
    app.clock.set(end);
    expect((await client.get("/api/auth/me")).status).toBe(401);
    app.clock.set(end + 30 * DAY - 1);
    await purgeKeys(app.deps);
    expect((await listKeys(app.deps, bob.id)).map(({ expires_at }) => expires_at)).toEqual([
      new Date(end).toISOString(),
    ]);
    await createKey(app.deps, charlie, { name: "for good", scopes: ["read"] });
    app.clock.set(end + 30 * DAY);
    await purgeKeys(app.deps);
    expect((await app.db.select().from(apiKeys)).map(({ name }) => name)).toEqual(["for good"]);
  });

  it("lasts 1 to 3650 days, or does not expire", async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    for (const days of [0, -1, 1.5, 3651, "x", {}]) {
      const { status, body } = await app.as(bob).post(KEYS, { name: "x", scope: "read", expires_in_days: days });
      expect([status, body.errors.map(({ path }) => path)]).toEqual([422, ["expires_in_days"]]);
    }
    const { body } = await app.as(bob).post(KEYS, { name: "x", scope: "read", expires_in_days: null });
    expect(body.data.expires_at).toBeNull();
  });

  it("is refused after it was revoked, and only its user can revoke it", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    const key = await makeKey(app, bob, "full");
    expect((await app.as(alice).delete(`${KEYS}/${key.keyId}`)).status).toBe(404);
    expect((await app.as(key).get("/api/monitors")).status).toBe(200);
    expect((await app.as(bob).delete(`${KEYS}/${key.keyId}`)).status).toBe(200);
    expect((await app.as(key).get("/api/monitors")).status).toBe(401);
    expect((await app.as(bob).delete(`${KEYS}/${key.keyId}`)).status).toBe(404);
  });

  it("has the present role of its user", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    const key = await makeKey(app, bob, "read");
    expect((await app.as(key).get("/api/users")).status).toBe(403);
    await app.as(alice).put(`/api/users/${bob.id}`, { role: "admin" });
    expect((await app.as(key).get("/api/users")).status).toBe(200);
    await app.as(alice).put(`/api/users/${bob.id}`, { role: "user" });
    expect((await app.as(key).get("/api/users")).status).toBe(403);
  });

  it("stays valid after a password change, and is deleted with its user", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    const key = await makeKey(app, bob, "read");
    await app.as(alice).post(`/api/users/${bob.id}/change-password`, { newPassword: "another good password" });
    expect((await app.as(key).get("/api/auth/me")).status).toBe(200);
    await app.as(alice).delete(`/api/users/${bob.id}`);
    expect((await app.as(key).get("/api/auth/me")).status).toBe(401);
    expect(await app.db.$count(apiKeys)).toBe(0);
  });

  it("records its last use at most once a minute", async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    const key = await makeKey(app, bob, "read");
    const used = async () => (await app.as(bob).get(KEYS)).body.keys[0]?.last_used_at ?? null;
    const now = () => new Date(app.clock.now()).toISOString();
    const update = spyOn(app.db, "update");
    const writes = () => update.mock.calls.filter(([table]) => table === apiKeys).length;
    const first = now();
    await app.as(key).get("/api/auth/me");
    await until(async () => (await used()) === first, "the first use to be recorded");
    await app.clock.advance(MINUTE - 1);
    await app.as(key).get("/api/auth/me");
    // A use that is recorded starts its write before the request is answered.
    expect([writes(), await used()]).toEqual([1, first]);
    await app.clock.advance(1);
    await app.as(key).get("/api/auth/me");
    await until(async () => (await used()) === now(), "the later use to be recorded");
    expect(writes()).toBe(2);
  });
});

it("a secret in the format of an API key that is not stored is refused", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const { token } = await makeKey(app, bob, "full");
  const others = [`${token}x`, token.slice(0, -1), token.toLowerCase(), token.slice(3), "wk_", `wka_${token.slice(3)}`];
  for (const other of others) expect((await app.as({ ...bob, token: other }).get("/api/auth/me")).status).toBe(401);
});

it("a new API key requires a name and a scope", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const { status, body } = await app.as(bob).post(KEYS, { name: " ", scope: "admin" });
  expect([status, body.errors.map(({ path }) => path).sort()]).toEqual([422, ["name", "scope"]]);
});
