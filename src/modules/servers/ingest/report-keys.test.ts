import { expect, it } from "bun:test";
import { sql } from "drizzle-orm";
import { randomSecret } from "../../../core/secrets";
import { createTestApp, type TestApp } from "../../../testing/app";
import { START, until } from "../../../testing/clock";
import { enrollAgent, reportOf, sampleAt, sendReport } from "../../../testing/fixtures/agents";
import { startTestServer } from "../../../testing/servers/hub";

const [SECOND, MINUTE] = [1000, 60_000];
const unknownKey = () => randomSecret("wka");

/** Counts the lookups of keys from now on. */
const countLookups = ({ db }: TestApp) => {
  const { select } = db;
  const lookups = { count: 0 };
  db.select = ((...fields: Parameters<typeof select>) => {
    if (Object.keys(Object(fields[0])).join() === "id,userId") lookups.count++;
    return select.apply(db, fields);
  }) as typeof select;
  return lookups;
};

it("a report with an unknown key is refused before its body is read", async () => {
  const app = await createTestApp();
  for (const body of ["{", JSON.stringify(reportOf([sampleAt(START)]))]) {
    const request = new Request("http://console.test/api/agents/report", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${unknownKey()}` },
      body,
    });
    const answer = await app.send(request);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([401, "unauthorized"]);
    expect(request.bodyUsed).toBe(false);
  }
});

it("an agent is answered while 50 connections send full reports with unknown keys", async () => {
  const server = await startTestServer();
  const { bob } = await server.people();
  const agent = await enrollAgent(server, bob);
  const flood = JSON.stringify(reportOf(Array.from({ length: 1000 }, (_, nth) => sampleAt(START - nth * SECOND))));
  const send = (key: string, body: string) =>
    server.call("/api/agents/report", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
      body,
    });
  const report = async (nth: number) =>
    (await send(agent.key, JSON.stringify(reportOf([sampleAt(START + nth * SECOND)])))).status;
  // The agent's key is known before the other reports begin: unknown ones are rate limited by their address.
  const statuses = [await report(0)];
  let flooding = true;
  const refusals = new Set<number>();
  const floods = Array.from({ length: 50 }, async () => {
    while (flooding) refusals.add((await send(unknownKey(), flood)).status);
  });
  try {
    await until(() => refusals.has(429), "the flood");
    for (let nth = 1; nth < 5; nth++) statuses.push(await report(nth));
  } finally {
    flooding = false;
    await Promise.all(floods);
  }
  expect(statuses).toEqual(Array(5).fill(200));
  expect([...refusals].filter((status) => status !== 401 && status !== 429)).toEqual([]);
});

it("the lookup of a key is cached, known or not, and a malformed key is not looked up", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  const lookups = countLookups(app);
  const key = unknownKey();
  for (let nth = 0; nth < 5; nth++) {
    expect((await sendReport(app, key, {})).status).toBe(401);
    expect((await agent.report([sampleAt(START + nth * SECOND)])).status).toBe(200);
    expect((await sendReport(app, `wk_${key}`, {})).status).toBe(401);
    expect((await sendReport(app, "a".repeat(8000), {})).status).toBe(401);
  }
  expect(lookups.count).toBe(2);
  app.clock.set(START + 11 * SECOND);
  await sendReport(app, key, {});
  expect(lookups.count).toBe(3);
});

it("an agent whose reports are stored each minute is looked up once, and again after a longer pause", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  const lookups = countLookups(app);
  for (let nth = 0; nth < 4; nth++) {
    app.clock.set(START + nth * MINUTE);
    expect((await agent.report([sampleAt(START + nth * MINUTE)])).status).toBe(200);
  }
  expect(lookups.count).toBe(1);
  app.clock.set(START + 5 * MINUTE);
  expect((await agent.report([sampleAt(START + 5 * MINUTE)])).status).toBe(200);
  expect(lookups.count).toBe(2);
});

it("an address that sends many unknown keys is rate limited for a minute, and its agents are not", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  const statuses: number[] = [];
  for (let nth = 0; nth < 70; nth++) statuses.push((await sendReport(app, unknownKey(), {})).status);
  expect(statuses).toEqual([...Array(60).fill(401), ...Array(10).fill(429)]);
  const refused = await sendReport(app, unknownKey(), {});
  expect([refused.body.code, refused.headers.get("retry-after")]).toEqual(["rate_limited", "60"]);
  expect((await agent.report([sampleAt(START)])).status).toBe(200);
  app.clock.set(START + MINUTE);
  expect((await sendReport(app, unknownKey(), {})).status).toBe(401);
});

it("a key that can't be looked up is answered 503, and is not cached as unknown", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  const { select } = app.db;
  app.db.select = (() => {
    throw new Error("the database is away");
  }) as unknown as typeof select;
  const { status, body, text } = await agent.report([sampleAt(START)]);
  expect([status, body.code]).toEqual([503, "unavailable"]);
  expect(text).not.toInclude("away");
  app.db.select = select;
  expect((await agent.report([sampleAt(START)])).status).toBe(200);
});

it("an agent that enrolled again can report with its new key at once, and not with the old one", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  expect((await agent.report([sampleAt(START)])).status).toBe(200);
  await app.db.rows(sql`update agent_states set key_hash = 'another' where agent_id = ${agent.id}`);
  expect((await agent.report([sampleAt(START + SECOND)])).status).toBe(401);
});

it("a key that sends more than its rate is refused before its body is read, and may go on after some time", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const [flooding, other] = [await enrollAgent(app, bob), await enrollAgent(app, bob, { hostname: "another" })];
  const statuses: number[] = [];
  for (let nth = 0; nth < 61; nth++) statuses.push((await sendReport(app, flooding.key, "{")).status);
  // A body that is read is refused as no report.
  expect(statuses).toEqual([...Array(60).fill(422), 429]);
  expect((await other.report([sampleAt(START)])).status).toBe(200);
  await app.clock.advance(SECOND);
  const later: number[] = [];
  for (let nth = 0; nth < 5; nth++) later.push((await sendReport(app, flooding.key, "{")).status);
  expect(later).toEqual([422, 422, 422, 422, 429]);
});
