import { describe, expect, it, onTestFinished } from "bun:test";
import { sql } from "drizzle-orm";
import { processDialect, readConfig } from "../../core/config";
import { madeBy, viewerOf } from "../../db/owner";
import { createListen, type Listen } from "../../db/postgres/listen";
import type { Sample } from "../../shared/agents/report";
import { createTestApp, type TestApp } from "../../testing/app";
import { until } from "../../testing/clock";
import { readEvents } from "../../testing/event-stream";
import { enrollAgent, sampleAt } from "../../testing/fixtures/agents";
import { createRelay, inPayloads } from "./relay";

const changeOf = (id: number) => ({
  event: "monitor" as const,
  teamId: 1,
  data: { id, status: "up" as const, response_time: 84.2, last_checked: "2026-01-15T12:20:00.000Z" },
});

it("changes are split so that each part fits into a notification", () => {
  const changes = Array.from({ length: 500 }, (_, index) => changeOf(index + 1));
  const parts = inPayloads(changes);
  expect(parts.flat()).toEqual(changes);
  expect(Math.max(...parts.map((part) => Buffer.byteLength(JSON.stringify(part))))).toBeLessThan(7600);
  expect(inPayloads([])).toEqual([]);
});

/** The address of the database of an app. */
const urlOf = async (app: TestApp): Promise<string> => {
  const [row] = await app.db.rows<{ name: string }>(sql`select current_database() as name`);
  const url = new URL(readConfig(process.env).databaseUrl);
  url.pathname = `/${row?.name}`;
  return url.href;
};

const relayOf = async (app: TestApp, listen: Listen) => {
  const relay = createRelay(app.deps, listen);
  onTestFinished(relay.stop);
  await relay.start();
  return relay;
};

describe.if(processDialect === "postgres")("two instances on one PostgreSQL database", () => {
  it("pass each other's changes to their open pages", async () => {
    const first = await createTestApp();
    const second = await createTestApp({ db: first.db });
    const listen = createListen(await urlOf(first));
    await relayOf(first, listen);
    await relayOf(second, listen);
    // Its routes count for open pages.
    void first.app;
    const bob = (await first.people()).bob;
    const agent = await enrollAgent(second, bob);
    const stream = readEvents(first.deps.live.open(viewerOf(madeBy(bob)), null, { isValid: async () => true }));
    const other = readEvents(
      first.deps.live.open(viewerOf({ userId: 99, teamId: 99 }), null, { isValid: async () => true }),
    );
    await until(() => second.deps.live.watched(), "the other instance to know of the page");
    await agent.report([sampleAt(second.clock.now(), { cpu: 42 })]);
    expect((await stream.next("agent")).data).toMatchObject({ id: agent.id, cpu_usage: 42 });
    await stream.next("counts", ({ agents }) => agents.active === 1);
    expect(other.received.some(({ event }) => event === "agent")).toBe(false);
  });

  it("pass the samples of a watched server to the page that shows it", async () => {
    const first = await createTestApp();
    const second = await createTestApp({ db: first.db });
    const listen = createListen(await urlOf(first));
    await relayOf(first, listen);
    await relayOf(second, listen);
    const { bob } = await first.people();
    const agent = await enrollAgent(second, bob);
    const call = async (taken: Sample[]) =>
      (await second.anybody.post("/api/agents/live", { samples: taken }, { authorization: `Bearer ${agent.key}` }))
        .body;
    const stream = readEvents(first.deps.live.open(viewerOf(madeBy(bob)), null, { isValid: async () => true }));
    await first.as(bob).get(`/api/agents/${agent.id}/live`);
    await until(async () => (await call([])).seconds === 35, "the other instance to know of the page");
    await call([sampleAt(second.clock.now(), { cpu: 42 })]);
    expect((await stream.next("sample")).data).toMatchObject({ id: agent.id, cpu_usage: 42 });
  });

  it("end the streams of a session that ended at the other one", async () => {
    const first = await createTestApp();
    const second = await createTestApp({ db: first.db });
    const listen = createListen(await urlOf(first));
    await relayOf(first, listen);
    await relayOf(second, listen);
    const { bob } = await first.people();
    const response = await first.send(
      new Request("http://localhost/api/live", { headers: { authorization: `Bearer ${bob.token}` } }),
    );
    const stream = readEvents(response.body);
    await until(() => second.deps.live.watched(), "the other instance to know of the page");
    await second.as(bob).post("/api/auth/logout");
    expect(await stream.ended()).toBe("closed");
  });

  it("report that events may be missing until notifications arrive, and after the connection was lost", async () => {
    const app = await createTestApp();
    const url = await urlOf(app);
    const stream = readEvents(
      app.deps.live.open(viewerOf({ userId: 1, teamId: 1 }), null, { isValid: async () => true }),
    );
    await stream.next("ready");
    await relayOf(app, createListen(url));
    await stream.next("reset", ({ complete }) => complete);
    const before = stream.received.length;
    await app.db.rows(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query ilike 'listen%'`);
    await until(
      () => stream.received.slice(before).some(({ event }) => event === "reset"),
      "the page to load everything again",
    );
  });

  it("behind a transaction pooler report that pages have to poll", async () => {
    const app = await createTestApp();
    const stream = readEvents(
      app.deps.live.open(viewerOf({ userId: 1, teamId: 1 }), null, { isValid: async () => true }),
    );
    const relay = await relayOf(app, async (_channel, _onMessage, onListening) => {
      onListening();
      return async () => {};
    });
    await app.clock.advance(5000);
    await relay.beat();
    await stream.next("reset", ({ complete }) => !complete);
    for (let round = 0; round < 5; round++) {
      await app.clock.advance(20_000);
      await relay.beat();
      await app.clock.advance(5000);
      await relay.beat();
    }
    expect(app.logged.filter((line) => line.includes("LISTEN_DATABASE_URL"))).toHaveLength(1);
  });
});
