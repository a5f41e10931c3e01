import { describe, expect, it } from "bun:test";
import { eq, getTableColumns, getTableName, is, Table } from "drizzle-orm";
import * as schema from "../../../db/schema";
import { HOUR, MINUTE, SECOND } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { until } from "../../../testing/clock";
import { enrollAgent, sampleAt, writeReports } from "../../../testing/fixtures/agents";
import { readDeliveries, recordDown, runDeliveries, telegramChannel } from "../../../testing/fixtures/alerts";
import { addMonitor } from "../../../testing/fixtures/monitors";
import { serveTelegram, telegramError } from "../../../testing/servers/providers";
import { serveHeld } from "../../../testing/servers/targets";
import { createDelivery } from "../../alerting/delivery/deliver";

/** The tables whose rows belong to a team, or to a monitor, a server or an event. */
const OWNED = Object.values(schema)
  .filter((value): value is Table & typeof schema.monitors => is(value, Table))
  .filter((table) => ["teamId", "monitorId", "agentId", "eventId"].some((name) => name in getTableColumns(table)));

/** A team of bob's, and a call that deletes it. Nothing else has monitors or servers. */
const setUp = async (answer?: Parameters<typeof serveTelegram>[0]) => {
  const telegram = serveTelegram(answer);
  const app = await createTestApp({ env: { TELEGRAM_API_URL: telegram.origin, PRIVATE_TARGETS: "all" } });
  const { bob } = await app.people();
  const client = app.as(bob);
  const { team } = (await client.post("/api/teams", { name: "Shop" })).body;
  const remove = async () => {
    app.logged.length = 0;
    expect((await client.delete(`/api/teams/${team.id}`)).status).toBe(200);
  };
  /** Asserts that nothing of the team is stored and that nothing went wrong since its deletion. */
  const expectNothingLeft = async () => {
    await until(async () => (await app.db.$count(schema.pendingPurges)) === 0, "the history to be purged");
    const left: string[] = [];
    for (const table of OWNED) {
      const ofTeam = "teamId" in getTableColumns(table) ? eq(table.teamId, team.id) : undefined;
      if ((await app.db.$count(table, ofTeam)) > 0) left.push(getTableName(table));
    }
    expect(left).toEqual([]);
    expect(app.logged.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([]);
  };
  const owner = { ...bob, teamId: team.id };
  const query = `?team=${team.id}`;
  return { app, client, owner, query, telegram, delivery: createDelivery(app.deps), remove, expectNothingLeft };
};

describe("deleting a team", () => {
  it("leaves no result of a check that is in flight", async () => {
    const { app, owner, remove, expectNothingLeft } = await setUp();
    const held = serveHeld();
    await addMonitor(app, owner, { url: held.url });
    await app.engine.tick();
    await until(() => held.requests.length === 1, "the check to start");
    await remove();
    held.release();
    await until(async () => {
      await app.engine.tick();
      return app.engine.inFlight() === 0;
    }, "the check to end");
    await expectNothingLeft();
  });

  it("leaves no report that its servers send at the same time", async () => {
    const { app, owner, client, query, remove, expectNothingLeft } = await setUp();
    const { token } = (await client.post(`/api/agents/token/generate${query}`)).body;
    const { report } = await enrollAgent(app, owner, { token });
    const send = (seconds: number) => report([sampleAt(app.clock.now() - seconds * SECOND)]);
    expect((await send(60)).status).toBe(200);
    const [, ...answers] = await Promise.all([remove(), ...[30, 20, 10].map(send)]);
    expect(answers.filter(({ status }) => status !== 200 && status !== 401)).toEqual([]);
    await writeReports(app);
    expect((await send(0)).status).toBe(401);
    await expectNothingLeft();
  });

  it("answers readers of its status page with the page or with 404, and with 404 once it is no longer cached", async () => {
    const { app, owner, client, query, remove, expectNothingLeft } = await setUp();
    const monitor = await addMonitor(app, owner, { url: "http://192.0.2.1/" });
    await client.post(`/api/status/config${query}`, { title: "Shop", monitors: [monitor] });
    const { slug } = (await app.db.select().from(schema.statusPages))[0] ?? {};
    const paths = [`/api/status/data?page=${slug}`, `/api/status/feed.xml?page=${slug}`, `/badge/${monitor}.svg`];
    const read = () =>
      Promise.all(paths.map(async (path) => (await app.anybody.get(path as "/api/status/data")).status));
    expect(await read()).toEqual([200, 200, 200]);
    await app.clock.advance(5 * SECOND);
    const [, ...statuses] = await Promise.all([remove(), ...Array.from({ length: 10 }, read)]);
    expect(statuses.flat().filter((status) => status !== 200 && status !== 404)).toEqual([]);
    await app.clock.advance(5 * SECOND);
    expect(await read()).toEqual([404, 404, 404]);
    await expectNothingLeft();
  });
});

describe("alerts of a deleted team", () => {
  /** A monitor of the team that goes down, whose alerts go to a chat, also ten minutes later. */
  const goDown = async ({ app, client, owner, query }: Awaited<ReturnType<typeof setUp>>) => {
    const { data } = (await client.post(`/api/notifications/channels${query}`, telegramChannel())).body;
    const steps = [0, 10].map((after_minutes) => ({ after_minutes, channels: [data.id] }));
    const policy = (
      await client.post(`/api/notifications/policies${query}`, { name: "night", steps, group_seconds: 0 })
    ).body.data.id;
    const rule = { target_type: "global-monitor", enabled: true, on_down: true, policy_id: policy };
    await client.post(`/api/notifications/settings${query}`, rule);
    await recordDown(app, await addMonitor(app, owner, { url: "http://192.0.2.1/" }));
  };

  /** Deletes the team, and runs deliveries for an hour. Returns the messages that were sent afterwards. */
  const messagesAfter = async ({ app, delivery, telegram, remove }: Awaited<ReturnType<typeof setUp>>) => {
    await remove();
    const sent = telegram.messages.length;
    for (const pause of [0, MINUTE, 10 * MINUTE, HOUR]) {
      await app.clock.advance(pause);
      await runDeliveries(app, delivery);
    }
    return telegram.messages.slice(sent);
  };

  it("are not sent when they were not planned", async () => {
    const made = await setUp();
    await goDown(made);
    expect(await messagesAfter(made)).toEqual([]);
    await made.expectNothingLeft();
  });

  it("are not sent by later steps of their policy", async () => {
    const made = await setUp();
    await goDown(made);
    await runDeliveries(made.app, made.delivery);
    expect(made.telegram.messages).toHaveLength(1);
    expect(await messagesAfter(made)).toEqual([]);
    await made.expectNothingLeft();
  });

  it("are not sent again after a failure", async () => {
    const made = await setUp(() => telegramError(500, "Internal Server Error"));
    await goDown(made);
    await runDeliveries(made.app, made.delivery);
    expect((await readDeliveries(made.app)).map(({ state }) => state)).toEqual(["pending"]);
    expect(await messagesAfter(made)).toEqual([]);
    await made.expectNothingLeft();
  });

  it("are not sent again when they were being sent", async () => {
    const held = Promise.withResolvers<Response>();
    const made = await setUp(() => held.promise as never);
    await goDown(made);
    await made.delivery.run();
    await until(() => made.telegram.messages.length === 1, "the message to be sent");
    await made.remove();
    held.resolve(Response.json({ ok: true, result: { message_id: 1 } }));
    expect(await messagesAfter({ ...made, remove: async () => {} })).toEqual([]);
    await made.expectNothingLeft();
  });

  it("are logged as dropped, and not as retried, when they fail after the team was deleted", async () => {
    const held = Promise.withResolvers<Response>();
    const made = await setUp(() => held.promise as never);
    await goDown(made);
    await made.delivery.run();
    await until(() => made.telegram.messages.length === 1, "the message to be sent");
    await made.remove();
    held.resolve(telegramError(500, "Internal Server Error"));
    await until(() => made.app.logged.some((line) => line.includes("delivery dropped")), "the message to be dropped");
    expect(made.app.logged.filter((line) => line.includes("will retry"))).toEqual([]);
    expect(await messagesAfter({ ...made, remove: async () => {} })).toEqual([]);
  });
});
