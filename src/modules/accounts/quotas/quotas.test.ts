import { describe, expect, it } from "bun:test";
import { agents, apiKeys, channels, enrollmentTokens, monitors } from "../../../db/schema";
import { createTestApp, type TestApp } from "../../../testing/app";
import type { TestUser } from "../../../testing/fixtures/people";

const LIMIT = 3;
const env = {
  QUOTA_MONITORS: String(LIMIT),
  QUOTA_SERVERS: String(LIMIT),
  QUOTA_CHANNELS: String(LIMIT),
  QUOTA_KEYS: String(LIMIT),
  QUOTA_ENROLLMENT_TOKENS: String(LIMIT),
};
const MONITOR = { name: "shop", url: "http://192.0.2.1/", interval: 60, active: false };
const CHANNEL = { name: "ops", type: "telegram", config: { botToken: `123:${"a".repeat(35)}`, chatId: "1" } };
const DOCUMENT = { format: "wakeful-configuration", version: 1 };

/** Each kind of item that a user creates with one call, with its table. */
const CREATED = [
  ["monitors", monitors, "/api/monitors", MONITOR],
  ["channels", channels, "/api/notifications/channels", CHANNEL],
  ["keys", apiKeys, "/api/keys", { name: "backups", scope: "read" }],
  ["enrollment_tokens", enrollmentTokens, "/api/agents/token/generate", undefined],
] as const;

const enroll = (app: TestApp, token: string, machine: string) =>
  app.anybody.post("/api/agents/register", {
    token,
    machine_id: machine,
    hostname: machine,
    ip_addresses: [],
    os: "Debian",
    version: "6.1",
  });
const tokenOf = async (app: TestApp, user: TestUser) =>
  (await app.as(user).post("/api/agents/token/generate")).body.token;
const quotasOf = async (app: TestApp, user: TestUser) => (await app.as(user).get("/api/quotas")).body.quotas;

describe("a user", () => {
  for (const [name, table, path, body] of CREATED) {
    it(`creates as many ${name} as the quota allows, however many requests come at once`, async () => {
      const app = await createTestApp({ env });
      const { bob, charlie } = await app.people();
      const create = () => app.as(bob).post(path, body);
      const answers = await Promise.all(Array.from({ length: LIMIT + 4 }, create));
      const refused = answers.filter(({ status }) => status === 409);
      expect([answers.filter(({ body }) => body.success).length, refused.length]).toEqual([LIMIT, 4]);
      for (const { body } of refused) {
        expect([body.code, body.quota, body.limit]).toEqual(["quota_reached", name, LIMIT]);
        expect(body.message).toContain(String(LIMIT));
      }
      expect(await app.db.$count(table)).toBe(LIMIT);
      expect((await app.as(charlie).post(path, body)).body.success).toBe(true);
    });
  }

  it("deletes one and creates another", async () => {
    const app = await createTestApp({ env });
    const { bob } = await app.people();
    const ids: number[] = [];
    for (let index = 0; index < LIMIT; index++)
      ids.push((await app.as(bob).post("/api/monitors", MONITOR)).body.monitor.id);
    expect((await app.as(bob).post("/api/monitors", MONITOR)).status).toBe(409);
    await app.as(bob).delete(`/api/monitors/${ids[0]}`);
    expect((await app.as(bob).post("/api/monitors", MONITOR)).status).toBe(201);
  });

  it("creates new enrollment tokens after the old ones have expired", async () => {
    const app = await createTestApp({ env });
    const { bob } = await app.people();
    for (let index = 0; index < LIMIT; index++) await tokenOf(app, bob);
    expect((await app.as(bob).post("/api/agents/token/generate")).body.code).toBe("quota_reached");
    await app.clock.advance(24 * 3_600_000 + 1);
    expect((await app.as(bob).get("/api/auth/me")).status).toBe(200);
    expect((await app.as(bob).post("/api/agents/token/generate")).status).toBe(200);
  });

  it("reads their own limits and usage", async () => {
    const app = await createTestApp({ env });
    const { alice, bob, charlie } = await app.people();
    await app.as(charlie).post("/api/monitors", MONITOR);
    await app.as(bob).post("/api/monitors", MONITOR);
    await app.as(bob).post("/api/monitors", MONITOR);
    await enroll(app, await tokenOf(app, bob), "db-1");
    await tokenOf(app, bob);
    expect(await quotasOf(app, bob)).toEqual({
      monitors: { limit: LIMIT, used: 2 },
      servers: { limit: LIMIT, used: 1 },
      channels: { limit: LIMIT, used: 0 },
      keys: { limit: LIMIT, used: 0 },
      enrollment_tokens: { limit: LIMIT, used: 1 },
    });
    expect(await quotasOf(app, alice)).toBeNull();
  });
});

describe("an administrator", () => {
  for (const [name, table, path, body] of CREATED) {
    it(`creates any number of ${name}`, async () => {
      const app = await createTestApp({ env });
      const { alice } = await app.people();
      for (let index = 0; index < LIMIT + 2; index++)
        expect((await app.as(alice).post(path, body)).body.success).toBe(true);
      expect(await app.db.$count(table)).toBe(LIMIT + 2);
    });
  }

  it("who becomes a user keeps existing items and cannot create more", async () => {
    const app = await createTestApp({ env });
    const { alice, bob } = await app.people();
    await app.as(alice).put(`/api/users/${bob.id}`, { role: "admin" });
    const signIn = async () => {
      const password = "correct horse battery staple";
      return { ...bob, token: (await app.anybody.post("/api/auth/login", { username: "bob", password })).body.token };
    };
    const admin = await signIn();
    for (let index = 0; index < LIMIT + 2; index++) await app.as(admin).post("/api/monitors", MONITOR);
    await app.as(alice).put(`/api/users/${bob.id}`, { role: "user" });
    const user = await signIn();
    expect((await app.as(user).post("/api/monitors", MONITOR)).body.code).toBe("quota_reached");
    expect((await app.as(user).get("/api/monitors")).body.total).toBe(LIMIT + 2);
    const [first] = (await app.as(user).get("/api/monitors")).body.monitors;
    expect((await app.as(user).put(`/api/monitors/${first?.id}`, { ...MONITOR, name: "mine" })).status).toBe(200);
  });
});

describe("an import", () => {
  const file = (count: number) => ({
    ...DOCUMENT,
    monitors: Array.from({ length: count }, (_, index) => ({ ...MONITOR, name: `shop ${index}` })),
  });

  it("that exceeds the quota is refused as a whole", async () => {
    const app = await createTestApp({ env });
    const { bob } = await app.people();
    await app.as(bob).post("/api/monitors", MONITOR);
    const { status, body } = await app.as(bob).post("/api/import", { ...file(LIMIT), channels: [CHANNEL] });
    expect([status, body.code, body.quota, body.limit]).toEqual([409, "quota_reached", "monitors", LIMIT]);
    expect([await app.db.$count(monitors), await app.db.$count(channels)]).toEqual([1, 0]);
    expect((await app.as(bob).post("/api/import", file(LIMIT - 1))).status).toBe(200);
  });

  it("that exceeds the quota of channels is refused too", async () => {
    const app = await createTestApp({ env });
    const { bob } = await app.people();
    const many = Array.from({ length: LIMIT + 1 }, (_, index) => ({ ...CHANNEL, name: `ops ${index}` }));
    const { body } = await app.as(bob).post("/api/import", { ...file(1), channels: many });
    expect([body.code, body.quota]).toEqual(["quota_reached", "channels"]);
    expect([await app.db.$count(monitors), await app.db.$count(channels)]).toEqual([0, 0]);
  });

  it("of existing items is accepted at the quota", async () => {
    const app = await createTestApp({ env });
    const { bob } = await app.people();
    await app.as(bob).post("/api/import", file(LIMIT));
    expect((await app.as(bob).post("/api/import", file(LIMIT))).body.success).toBe(true);
    expect(await app.db.$count(monitors)).toBe(LIMIT);
  });

  it("and concurrent single requests stay within the quota together", async () => {
    const app = await createTestApp({ env });
    const { bob } = await app.people();
    await Promise.all([
      app.as(bob).post("/api/import", file(LIMIT - 1)),
      ...Array.from({ length: LIMIT }, () => app.as(bob).post("/api/monitors", MONITOR)),
      app.as(bob).post("/api/import", { ...file(0), monitors: [{ ...MONITOR, name: "another" }] }),
    ]);
    expect(await app.db.$count(monitors)).toBeLessThanOrEqual(LIMIT);
  });
});

describe("a server", () => {
  it("is refused at the quota with a message, and its token stays valid", async () => {
    const app = await createTestApp({ env: { ...env, QUOTA_ENROLLMENT_TOKENS: "20" } });
    const { bob } = await app.people();
    const tokens: string[] = [];
    for (let index = 0; index < LIMIT + 3; index++) tokens.push(await tokenOf(app, bob));
    const answers = await Promise.all(tokens.map((token, index) => enroll(app, token, `db-${index}`)));
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.map(({ body }) => [body.code, body.quota, body.limit])).toEqual(
      Array.from({ length: 3 }, () => ["quota_reached", "servers", LIMIT]),
    );
    expect(await app.db.$count(agents)).toBe(LIMIT);

    const [first] = (await app.as(bob).get("/api/agents")).body.agents;
    await app.as(bob).delete(`/api/agents/${first?.id}`);
    const index = answers.findIndex(({ status }) => status === 409);
    expect((await enroll(app, tokens[index] as string, `db-${index}`)).status).toBe(201);
  });

  it("enrolls again with its token at the quota", async () => {
    const app = await createTestApp({ env: { ...env, QUOTA_SERVERS: "1" } });
    const { bob } = await app.people();
    const token = await tokenOf(app, bob);
    const { body } = await enroll(app, token, "db-1");
    const again = await enroll(app, token, "db-1");
    expect([again.status, again.body.agent.id]).toEqual([201, body.agent.id]);
  });

  it("that was deleted does not enroll again beyond the quota", async () => {
    const app = await createTestApp({ env: { ...env, QUOTA_SERVERS: "1" } });
    const { bob } = await app.people();
    const [one, other] = [await tokenOf(app, bob), await tokenOf(app, bob)];
    const { body } = await enroll(app, one, "db-1");
    await app.as(bob).delete(`/api/agents/${body.agent.id}`);
    await enroll(app, other, "db-2");
    expect((await enroll(app, one, "db-1")).body.success).toBe(false);
    expect(await app.db.$count(agents)).toBe(1);
  });
});
