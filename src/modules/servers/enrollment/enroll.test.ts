import { describe, expect, it } from "bun:test";
import { agentStates, agents, enrollmentTokens, users } from "../../../db/schema";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent, machine, reportOf, sampleAt, sendReport } from "../../../testing/fixtures/agents";
import { deleteExpiredTokens } from "./tokens";

const DAY = 86_400_000;

const setUp = async () => {
  const app = await createTestApp();
  const people = await app.people();
  const makeToken = async (user = people.bob) => (await app.as(user).post("/api/agents/token/generate")).body.token;
  const register = (token: string, fields: Parameters<typeof machine>[0] = {}) =>
    app.anybody.post("/api/agents/register", { token, ...machine(fields) });
  const report = (key: string) => sendReport(app, key, reportOf([sampleAt(app.clock.now())]));
  return { app, ...people, makeToken, register, report };
};

describe("a token", () => {
  it("is 256 random bits, shown once, valid for 24 hours, and stored as a hash only", async () => {
    const { app, bob } = await setUp();
    const answers = await Promise.all([1, 2].map(() => app.as(bob).post("/api/agents/token/generate")));
    const tokens = answers.map(({ body }) => body.token);
    expect(new Set(tokens).size).toBe(2);
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toMatchObject({ success: true, expires_at: new Date(START + DAY).toISOString() });
      expect(Buffer.from(body.token.replace(/^wkt_/, ""), "base64url")).toHaveLength(32);
    }
    const stored = JSON.stringify(await app.db.select().from(enrollmentTokens));
    for (const token of tokens) expect(stored).not.toInclude(token.slice(4, 20));
  });

  it("is created for signed-in users only", async () => {
    const { app, makeToken, register } = await setUp();
    const { key } = (await register(await makeToken())).body;
    for (const authorization of ["", "Bearer ", `Bearer ${key}`]) {
      const { status } = await app.anybody.post("/api/agents/token/generate", undefined, { authorization });
      expect(status).toBe(401);
    }
  });

  it("is listed for its owner without its value until it expires, and whether it was used", async () => {
    const { app, bob, charlie, makeToken, register } = await setUp();
    const [unused, used] = [await makeToken(), await makeToken()];
    await register(used);
    await makeToken(charlie);
    const { body, text } = await app.as(bob).get("/api/agents/tokens");
    const times = { created_at: new Date(START).toISOString(), expires_at: new Date(START + DAY).toISOString() };
    const server = { id: expect.any(Number), name: "db-1", enrolled_at: new Date(START).toISOString() };
    expect(body.tokens).toEqual([
      { id: expect.any(Number), ...times, used: true, uses: 1, uses_left: 0, servers: [server] },
      { id: expect.any(Number), ...times, used: false, uses: 1, uses_left: 1, servers: [] },
    ]);
    for (const token of [unused, used]) expect(text).not.toInclude(token.slice(4, 20));
    app.clock.set(START + DAY);
    expect((await app.as(bob).get("/api/agents/tokens")).body.tokens).toHaveLength(0);
  });

  it("is revoked by its owner only, and then enrolls no machine", async () => {
    const { app, alice, bob, charlie, makeToken, register } = await setUp();
    const token = await makeToken();
    const id = (await app.as(bob).get("/api/agents/tokens")).body.tokens[0]?.id;
    for (const other of [alice, charlie])
      expect((await app.as(other).delete(`/api/agents/tokens/${id}`)).status).toBe(404);
    expect((await app.as(bob).delete(`/api/agents/tokens/${id}`)).status).toBe(200);
    expect((await app.as(bob).delete(`/api/agents/tokens/${id}`)).status).toBe(404);
    expect((await register(token)).body.code).toBe("token_invalid");
  });

  it("is deleted a day after it expired, and its agent stays", async () => {
    const { app, makeToken, register } = await setUp();
    await register(await makeToken());
    app.clock.set(START + 2 * DAY);
    await deleteExpiredTokens(app.deps);
    expect(await app.db.$count(enrollmentTokens)).toBe(1);
    app.clock.set(START + 2 * DAY + 1);
    await deleteExpiredTokens(app.deps);
    expect([await app.db.$count(enrollmentTokens), await app.db.$count(agents)]).toEqual([0, 1]);
  });

  it("is purged when a user creates, uses and deletes many", async () => {
    const { app, bob, charlie, makeToken, register } = await setUp();
    await register(await makeToken(charlie));
    for (let round = 0; round < 30; round++) {
      const { agent } = (await register(await makeToken(), { machine_id: `machine ${round}` })).body;
      await app.as(bob).delete(`/api/agents/${agent.id}`);
    }
    await makeToken();
    expect(await deleteExpiredTokens(app.deps)).toBe(false);
    const { tokens } = (await app.as(bob).get("/api/agents/tokens")).body;
    expect(tokens.map(({ used }) => used)).toEqual([false, ...Array(20).fill(true)]);
    expect(await app.db.$count(enrollmentTokens)).toBe(22);
  });

  it("is kept until the first report of its server, also after many later ones were used", async () => {
    const { app, makeToken, register, report } = await setUp();
    const [first, second] = [await makeToken(), await makeToken()];
    await register(first, { machine_id: "first" });
    await report((await register(second, { machine_id: "second" })).body.key);
    for (let round = 0; round < 20; round++) await register(await makeToken(), { machine_id: `machine ${round}` });
    await deleteExpiredTokens(app.deps);
    expect((await register(second, { machine_id: "second" })).body.code).toBe("token_invalid");
    const again = await register(first, { machine_id: "first" });
    expect(again.status).toBe(201);
    await report(again.body.key);
    await deleteExpiredTokens(app.deps);
    expect((await register(first, { machine_id: "first" })).body.code).toBe("token_invalid");
  });
});

describe("a machine that enrolls", () => {
  it("becomes an agent of the token's user, and gets a key of which only the hash is stored", async () => {
    const { app, bob, makeToken, register } = await setUp();
    const { status, body } = await register(await makeToken());
    expect([status, Object.keys(body).toSorted()]).toEqual([201, ["agent", "key", "success"]]);
    const facts = machine();
    const { agent } = (await app.as(bob).get(`/api/agents/${body.agent.id}`)).body;
    expect(agent).toMatchObject({
      name: "db-1",
      hostname: facts.hostname,
      ip_addresses: facts.ip_addresses,
      os: facts.os,
      version: facts.version,
      status: "connecting",
      cpu_usage: null,
      memory_total: null,
      disk_used: null,
      network_rx: null,
      created_at: new Date(START).toISOString(),
      updated_at: null,
    });
    expect(Buffer.from(body.key.replace(/^wka_/, ""), "base64url")).toHaveLength(32);
    const stored = JSON.stringify([await app.db.select().from(agentStates), await app.db.select().from(agents)]);
    expect(stored).not.toInclude(body.key.slice(4, 20));
    expect(stored).not.toInclude("machine-1");
  });

  it("may send a name", async () => {
    const { app, bob } = await setUp();
    await enrollAgent(app, bob, { name: "  Database  " });
    await enrollAgent(app, bob, { name: "   " });
    const { agents: found } = (await app.as(bob).get("/api/agents")).body;
    expect(found.map(({ name }) => name)).toEqual(["Database", "db-1"]);
  });

  it("may use its token again until its first report: it stays the same agent and gets a new key, and the old key is refused", async () => {
    const { app, bob, makeToken, register, report } = await setUp();
    const token = await makeToken();
    const first = (await register(token)).body;
    await app.as(bob).put(`/api/agents/${first.agent.id}`, { name: "renamed" });
    app.clock.set(START + DAY - 1);
    const second = (await register(token, { hostname: "db-2" })).body;
    expect(second.agent.id).toBe(first.agent.id);
    expect(await app.db.$count(agents)).toBe(1);
    expect([(await report(first.key)).status, (await report(second.key)).status]).toEqual([401, 200]);
    const { agent } = (await app.as(bob).get(`/api/agents/${first.agent.id}`)).body;
    expect(agent).toMatchObject({ name: "renamed", status: "active" });
    const third = await register(token);
    expect([third.status, third.body.code]).toEqual([401, "token_used"]);
    expect((await report(second.key)).status).toBe(200);
  });

  it("keeps its server when it enrolls with a new token, which its first report ends as well", async () => {
    const { app, bob, makeToken, register, report } = await setUp();
    const first = (await register(await makeToken())).body;
    await report(first.key);
    const token = await makeToken();
    const second = (await register(token, { name: "other" })).body;
    const again = (await register(token)).body;
    expect([second.agent.id, again.agent.id]).toEqual([first.agent.id, first.agent.id]);
    const statuses = [];
    for (const key of [first.key, second.key, again.key]) statuses.push((await report(key)).status);
    expect(statuses).toEqual([401, 401, 200]);
    expect((await register(token)).body.code).toBe("token_used");
    const { agents: found } = (await app.as(bob).get("/api/agents")).body;
    expect(found.map(({ name, status }) => [name, status])).toEqual([["db-1", "active"]]);
  });

  it("is another server of each user that it enrolls for", async () => {
    const { bob, charlie, makeToken, register, report } = await setUp();
    const first = (await register(await makeToken(bob))).body;
    const second = (await register(await makeToken(charlie))).body;
    expect(second.agent.id).not.toBe(first.agent.id);
    expect([(await report(first.key)).status, (await report(second.key)).status]).toEqual([200, 200]);
  });

  it("can't enroll again with its token after its server was deleted, and its key is answered agent_deleted", async () => {
    const { app, bob, makeToken, register, report } = await setUp();
    const token = await makeToken();
    const first = (await register(token)).body;
    await app.as(bob).delete(`/api/agents/${first.agent.id}`);
    const again = await register(token);
    expect([again.status, again.body.code]).toEqual([401, "token_used"]);
    const refused = await report(first.key);
    expect([refused.status, refused.body.code]).toEqual([401, "agent_deleted"]);
    const second = (await register(await makeToken())).body;
    expect(second.agent.id).not.toBe(first.agent.id);
    expect((await report(second.key)).status).toBe(200);
  });

  it("is refused with a token that another machine used, that expired or that does not exist", async () => {
    const { app, bob, makeToken, register } = await setUp();
    const [used, late] = [await makeToken(), await makeToken()];
    await register(used);
    const refused = async (...answer: Parameters<typeof register>) => {
      const { status, body } = await register(...answer);
      return [status, body.code, "key" in body];
    };
    expect(await refused(used, { machine_id: "machine-2" })).toEqual([401, "token_used", false]);
    for (const token of ["", "wkt_", `${used}x`, used.slice(0, -1), used.toUpperCase()])
      expect(await refused(token)).toEqual([401, "token_invalid", false]);
    app.clock.set(START + DAY);
    for (const token of [used, late]) expect(await refused(token)).toEqual([401, "token_expired", false]);
    expect((await app.as(bob).get("/api/agents")).body.total).toBe(1);
  });

  it("is refused after the token's user was deleted", async () => {
    const { app, bob, makeToken, register } = await setUp();
    const token = await makeToken(bob);
    await app.db.delete(users);
    expect((await register(token)).body.code).toBe("token_invalid");
  });

  it("gets an error for each field that is missing or invalid", async () => {
    const { app, makeToken } = await setUp();
    const token = await makeToken();
    const wrong = { ...machine(), token, hostname: "", machine_id: "", ip_addresses: Array(17).fill("10.0.0.1") };
    const { status, body } = await app.anybody.post("/api/agents/register", wrong);
    expect([status, body.code]).toEqual([422, "validation"]);
    expect(body.errors.map(({ path }) => path).toSorted()).toEqual(["hostname", "ip_addresses", "machine_id"]);
    expect(await app.db.$count(agents)).toBe(0);
  });
});

it("one of two machines that use one token at the same time becomes an agent, and the other is refused", async () => {
  const { app, bob, makeToken, register, report } = await setUp();
  for (let round = 0; round < 10; round++) {
    const token = await makeToken();
    const answers = await Promise.all(
      ["one", "two", "one", "two"].map((which) => register(token, { machine_id: `${which} ${round}` })),
    );
    const won = answers.filter(({ status }) => status === 201);
    const lost = answers.filter(({ status }) => status === 401);
    expect([won.length, lost.length]).toEqual([2, 2]);
    expect(lost.map(({ body }) => body.code)).toEqual(["token_used", "token_used"]);
    expect(new Set(won.map(({ body }) => body.agent.id)).size).toBe(1);
    // The enrolled machine has two keys; only the latest is valid.
    const alive = await Promise.all(won.map(({ body }) => report(body.key)));
    expect(alive.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  }
  expect((await app.as(bob).get("/api/agents")).body.total).toBe(10);
});
