import { expect, it } from "bun:test";
import { eq, getTableColumns, getTableName, is, Table } from "drizzle-orm";
import * as schema from "../../db/schema";
import { HOUR } from "../../shared/limits";
import { createTestApp, type TestApp } from "../../testing/app";
import { until } from "../../testing/clock";
import { enrollAgent, sampleAt } from "../../testing/fixtures/agents";
import {
  addChannel,
  drainDeliveries,
  readDeliveries,
  readEvents,
  recordDown,
  saveRule,
} from "../../testing/fixtures/alerts";
import { addMonitor, record } from "../../testing/fixtures/monitors";
import type { TestUser } from "../../testing/fixtures/people";
import { publish, readStatusData } from "../../testing/fixtures/status-page";
import { serveTelegram } from "../../testing/servers/providers";
import { serveHeld } from "../../testing/servers/targets";
import { createDelivery } from "../notifications/delivery/deliver";
import { deleteUser, purgeDeletedHistory } from "./delete";

const tables = Object.values(schema).filter((value) => is(value, Table));

/** The process itself is no user's, and entries of the security log outlive users. */
const KEPT: unknown[] = [schema.instances, schema.securityLog];

/** How many rows each table has, but for those that no user's deletion touches. */
const countRows = async ({ db }: TestApp) =>
  Object.fromEntries(
    await Promise.all(
      tables
        .filter((table) => !KEPT.includes(table))
        .map(async (table) => [getTableName(table), await db.$count(table)] as const),
    ),
  );

const setUp = async () => {
  const telegram = serveTelegram();
  const app = await createTestApp({ env: { TELEGRAM_API_URL: telegram.origin, PRIVATE_TARGETS: "all" } });
  return { app, telegram, delivery: createDelivery(app.deps), ...(await app.people()) };
};

/** Everything that a user can have, with a past of some days. */
const furnish = async (app: TestApp, owner: TestUser, secret: string) => {
  const channel = await addChannel(app, owner);
  await saveRule(app, owner, { target_type: "global-monitor", on_down: true, channels: [channel] });
  await app.as(owner).post("/api/keys", { name: "backups", scope: "read" });
  const now = app.clock.now();
  app.clock.set(now - 70 * HOUR);
  const monitor = await addMonitor(app, owner, { url: "http://192.0.2.1/", name: secret });
  app.clock.set(now);
  await record(app, monitor, [{ at: now - 70 * HOUR }, { at: now - 26 * HOUR }, { at: now - HOUR }]);
  await recordDown(app, monitor);
  await saveRule(app, owner, {
    target_type: "monitor",
    target_id: monitor,
    override_global: true,
    channels: [channel],
  });
  const agent = await enrollAgent(app, owner, { machine_id: secret, name: secret });
  await agent.report([sampleAt(now - 3 * HOUR), sampleAt(now)]);
  // As days are summed: of what this agent reported.
  const [{ bucket, ...sums }] = (await app.db
    .select()
    .from(schema.sampleHours)
    .where(eq(schema.sampleHours.agentId, agent.id))
    .limit(1)) as [typeof schema.sampleHours.$inferSelect];
  await app.db.insert(schema.sampleDays).values({ ...sums, bucket: Math.floor(bucket / 24) });
  await saveRule(app, owner, { target_type: "agent", target_id: agent.id, override_global: true, channels: [channel] });
  await publish(app, owner, { title: secret, monitors: [monitor], agents: [agent.id] });
  return { monitor, agent };
};

/** Waits until the past of what was deleted is cleared away. */
const cleared = ({ db }: TestApp) =>
  until(async () => (await db.$count(schema.pendingPurges)) === 0, "the past to be cleared");

it("tells beforehand what goes with a user", async () => {
  const { app, alice, bob, charlie } = await setUp();
  await furnish(app, bob, "bob's");
  const { status, body } = await app.as(alice).get(`/api/users/${bob.id}`);
  expect([status, body.owns]).toEqual([200, { monitors: 1, agents: 1, channels: 1 }]);
  expect((await app.as(charlie).get(`/api/users/${charlie.id}`)).body.owns).toEqual({
    monitors: 0,
    agents: 0,
    channels: 0,
  });
});

it("deletes a user with all that was theirs, and nothing else", async () => {
  const { app, alice, bob, charlie, delivery } = await setUp();
  await furnish(app, bob, "bob's");
  await delivery.run();
  await drainDeliveries(app, delivery);
  const before = await countRows(app);
  const theirs = await furnish(app, charlie, "charlie's");
  await drainDeliveries(app, delivery);
  // Nothing that can belong to somebody is left out of what this test furnishes.
  const after = await countRows(app);
  const ownerless = [
    "app_settings",
    "users",
    "login_failures",
    "trusted_clients",
    "pending_purges",
    "sessions",
    "deleted_agents",
  ];
  expect(Object.keys(after).filter((name) => after[name] === before[name] && !ownerless.includes(name))).toEqual([]);

  expect((await app.as(alice).delete(`/api/users/${charlie.id}`)).body).toEqual({ success: true } as never);
  await cleared(app);
  expect(await countRows(app)).toEqual({ ...before, users: 2, trusted_clients: 2, sessions: 2, deleted_agents: 1 });
  expect((await app.as(charlie).get("/api/auth/me")).status).toBe(401);
  expect((await theirs.agent.report([sampleAt(app.clock.now())])).status).toBe(401);
  expect((await app.anybody.get("/api/status/data?page=charlie")).status).toBe(404);
  expect((await readStatusData(app, "bob")).monitors.map(({ name }) => name)).toEqual(["bob's"]);
  expect((await app.as(alice).delete(`/api/users/${charlie.id}`)).status).toBe(404);
});

it("leaves nothing of a check that was under way", async () => {
  const { app, alice, bob } = await setUp();
  const before = await countRows(app);
  const held = serveHeld();
  await addMonitor(app, bob, { url: held.url });
  await app.engine.tick();
  await until(() => held.requests.length === 1, "the check to be under way");
  expect((await app.as(alice).delete(`/api/users/${bob.id}`)).status).toBe(200);
  held.release();
  await until(async () => {
    await app.engine.tick();
    return app.engine.inFlight() === 0;
  }, "the check to end");
  await cleared(app);
  expect(await countRows(app)).toEqual({ ...before, users: 2, trusted_clients: 2, sessions: 2 });
});

it("clears away what a process that ended had left", async () => {
  const { app, bob } = await setUp();
  const before = await countRows(app);
  await furnish(app, bob, "bob's");
  // As if the process had died right after its answer.
  expect(await deleteUser(app.deps, bob.id)).toBe(true);
  expect(await app.db.$count(schema.checks)).toBeGreaterThan(0);
  await purgeDeletedHistory(app.deps);
  expect(await countRows(app)).toEqual({ ...before, users: 2, trusted_clients: 2, sessions: 2, deleted_agents: 1 });
  await purgeDeletedHistory(app.deps);
});

it("goes on delivering what others are to be told", async () => {
  const { app, alice, bob, charlie, delivery, telegram } = await setUp();
  await furnish(app, charlie, "charlie's");
  await furnish(app, bob, "bob's");
  expect((await readEvents(app)).length).toBe(2);
  await app.as(alice).delete(`/api/users/${charlie.id}`);
  await drainDeliveries(app, delivery);
  expect(telegram.texts().join()).toContain("bob's");
  expect(telegram.texts().join()).not.toContain("charlie's");
  expect((await readDeliveries(app)).map(({ state }) => state)).toEqual(["sent"]);
});

it("deletes an administrator whom another one survives", async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  await app.as(alice).put(`/api/users/${bob.id}`, { role: "admin" });
  expect((await app.as(alice).delete(`/api/users/${bob.id}`)).status).toBe(200);
  expect((await app.as(alice).get("/api/users")).body.users.map(({ username }) => username)).toEqual([
    "alice",
    "charlie",
  ]);
});

it("knows of every table to whom its rows belong", () => {
  const columns = (table: Table) => Object.keys(getTableColumns(table));
  const owners = ["userId", "monitorId", "agentId", "eventId"];
  const without = tables.filter((table) => !columns(table).some((name) => owners.includes(name)));
  expect(without.map(getTableName).sort()).toEqual([
    "app_settings",
    "deleted_agents",
    "instances",
    "login_failures",
    "pending_purges",
    "users",
  ]);
});

it("answers 401 to a request of a user who is deleted while it runs", async () => {
  const { app, bob } = await setUp();
  const { atomically } = app.db;
  // Between the look at the session and the write.
  app.db.atomically = async (build) => {
    app.db.atomically = atomically;
    await deleteUser(app.deps, bob.id);
    return atomically(build);
  };
  const { status, body } = await app
    .as(bob)
    .post("/api/monitors", { name: "late", url: "http://192.0.2.1/", interval: 60 });
  expect([status, body.code]).toEqual([401, "unauthorized"]);
  expect(await app.db.$count(schema.monitors)).toBe(0);
});
