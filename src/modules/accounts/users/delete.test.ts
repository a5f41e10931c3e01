import { expect, it } from "bun:test";
import { eq, getTableColumns, getTableName, is, Table } from "drizzle-orm";
import { madeBy } from "../../../db/owner";
import * as schema from "../../../db/schema";
import { HOUR } from "../../../shared/limits";
import { createTestApp, type TestApp } from "../../../testing/app";
import { until } from "../../../testing/clock";
import { enrollAgent, rollUpSamples, sampleAt } from "../../../testing/fixtures/agents";
import {
  addChannel,
  readDeliveries,
  readEvents,
  recordDown,
  runDeliveries,
  saveRule,
} from "../../../testing/fixtures/alerts";
import { addMonitor, record, rollUp } from "../../../testing/fixtures/monitors";
import { addSubscribers } from "../../../testing/fixtures/pages/subscribers";
import { addAuthenticator, addPasskey, PASSWORD, type TestUser } from "../../../testing/fixtures/people";
import { publish, readStatusData } from "../../../testing/fixtures/status-page";
import { serveTelegram } from "../../../testing/servers/providers";
import { serveHeld } from "../../../testing/servers/targets";
import { createDelivery } from "../../alerting/delivery/deliver";
import { purgeDeletedHistory } from "../teams/purge";
import { deleteUser } from "./service";

const tables = Object.values(schema).filter((value) => is(value, Table));

/** Tables whose rows belong to no user, or outlive them. */
const { instances, hubGaps, reportJournal, securityLog, loginFailures } = schema;
const UNRELATED: unknown[] = [instances, hubGaps, reportJournal, securityLog, loginFailures];

/** The number of rows of each table that the deletion of a user may change. */
const countRows = async ({ db }: TestApp) =>
  Object.fromEntries(
    await Promise.all(
      tables
        .filter((table) => !UNRELATED.includes(table))
        .map(async (table) => [getTableName(table), await db.$count(table)] as const),
    ),
  );

const setUp = async () => {
  const telegram = serveTelegram();
  const app = await createTestApp({ env: { TELEGRAM_API_URL: telegram.origin, PRIVATE_TARGETS: "all" } });
  const people = await app.people();
  // A sign-in also stores the client that it came from.
  for (const { username } of Object.values(people))
    await app.anybody.post("/api/auth/login", { username, password: PASSWORD });
  return { app, telegram, delivery: createDelivery(app.deps), ...people };
};

/** A row in each of the tables that say how alerts are sent. */
const addAlerting = async ({ db, clock }: TestApp, owner: TestUser, monitor: number, agent: number) => {
  const now = clock.now();
  // Of the server, so that they change nothing about the alerts of the monitor.
  const server = { ...madeBy(owner), targetType: "agent", targetId: agent } as const;
  const times = { createdAt: now, updatedAt: now };
  const steps = [{ afterMinutes: 0, channels: [] }];
  await db
    .insert(schema.alertPolicies)
    .values({ ...madeBy(owner), name: "x", steps, repeatMinutes: 0, repeatMax: 0, groupSeconds: 0, ...times });
  await db
    .insert(schema.messageTemplates)
    .values({ ...madeBy(owner), event: "cpu_high", title: "x", body: "x", updatedAt: now });
  await db
    .insert(schema.flappingTargets)
    .values({ ...server, eventId: 1, kind: "cpu", changes: 4, settlesAt: now + HOUR });
  await db.insert(schema.dependencies).values({ ...server, parentType: "monitor", parentId: monitor });
  const [event] = await db.select().from(schema.events).where(eq(schema.events.userId, owner.id)).limit(1);
  const [outage] = await db.select().from(schema.outages).where(eq(schema.outages.userId, owner.id)).limit(1);
  if (!event || !outage) throw new Error("an outage is missing");
  await db.insert(schema.maintenanceWindows).values({
    ...{ ...madeBy(owner), title: "x", schedule: { kind: "open", from: now }, ends: [], counted: false, ...times },
    ...{ targets: { all: false, monitors: [], agents: [agent], tags: [] }, validFrom: now, overAt: now },
  });
  const [channel] = await db.select().from(schema.channels).where(eq(schema.channels.userId, owner.id)).limit(1);
  await db.insert(schema.channelFollows).values({ ...madeBy(owner), channelId: channel?.id ?? 0 });
  await db.insert(schema.maintenanceHolds).values({ ...server, heldAt: now, endsAt: now + HOUR });
  const next = { startedAt: now, nextStep: 1, reminders: 0, remindedAt: now, nextAt: now + HOUR };
  await db.insert(schema.escalations).values({ outageId: outage.id, eventId: event.id, ...next });
};

/** A row in each of the tables that say more of a monitor. */
const addExtras = async ({ db, clock }: TestApp, owner: TestUser, monitor: number) => {
  const at = clock.now();
  await db.insert(schema.certificateAlerts).values({ monitorId: monitor, fingerprint: "00", days: 7, at });
  await db.insert(schema.heartbeats).values({ monitorId: monitor, token: `token of ${monitor}` });
  await db.insert(schema.pings).values({ monitorId: monitor, at, kind: "success" });
  await db.insert(schema.lostPings).values({ monitorId: monitor, startedAt: at, endedAt: at + 1 });
  const [tag] = await db
    .insert(schema.tags)
    .values({ ...madeBy(owner), name: "x", colour: "blue" })
    .returning();
  if (tag)
    await db
      .insert(schema.targetTags)
      .values({ targetType: "monitor", targetId: monitor, tagId: tag.id, ...madeBy(owner) });
};

/** Creates one of everything that a user can own, with a history of some days. */
const addServerExtras = async ({ db }: TestApp, owner: TestUser, agentId: number) => {
  await db.insert(schema.trafficDays).values({ agentId, day: 20_000, rx: 1, tx: 2 });
  await db.insert(schema.planAlerts).values({ agentId, kind: "traffic", day: 20_000, level: 80, at: 1 });
  await db
    .insert(schema.thresholds)
    .values({ ...madeBy(owner), agentId, scope: "agent", metric: "swap", threshold: 50, clear: 40, minutes: 5 });
};

const createOneOfEach = async (app: TestApp, owner: TestUser, secret: string) => {
  const channel = await addChannel(app, owner);
  await saveRule(app, owner, { target_type: "global-monitor", on_down: true, channels: [channel] });
  await app.as(owner).post("/api/keys", { name: "backups", scope: "read" });
  const now = app.clock.now();
  app.clock.set(now - 70 * HOUR);
  const monitor = await addMonitor(app, owner, { url: "http://192.0.2.1/", name: secret });
  app.clock.set(now);
  await record(app, monitor, [{ at: now - 70 * HOUR }, { at: now - 26 * HOUR }, { at: now - HOUR }]);
  await recordDown(app, monitor);
  await app.db
    .insert(schema.monitorPauses)
    .values({ monitorId: monitor, startedAt: now - 3 * HOUR, endedAt: now - 2 * HOUR });
  await saveRule(app, owner, {
    target_type: "monitor",
    target_id: monitor,
    override_global: true,
    channels: [channel],
  });
  const agent = await enrollAgent(app, owner, { machine_id: secret, name: secret });
  await agent.report([sampleAt(now - 3 * HOUR), sampleAt(now)]);
  await rollUpSamples(app);
  // A daily sum, copied from an hourly one of this agent.
  const [{ bucket, ...sums }] = (await app.db
    .select()
    .from(schema.sampleHours)
    .where(eq(schema.sampleHours.agentId, agent.id))
    .limit(1)) as [typeof schema.sampleHours.$inferSelect];
  await app.db.insert(schema.sampleDays).values({ ...sums, bucket: Math.floor(bucket / 24) });
  await addServerExtras(app, owner, agent.id);
  await saveRule(app, owner, { target_type: "agent", target_id: agent.id, override_global: true, channels: [channel] });
  await app.as(owner).post(`/api/agents/${agent.id}/mute`, {});
  await addAlerting(app, owner, monitor, agent.id);
  await addExtras(app, owner, monitor);
  await app.as(owner).put(`/api/monitors/${monitor}/objective`, { target: 99.9, period: "30d" });
  await app.as(owner).post("/api/walls", { name: secret });
  await app.as(owner).post("/api/ping-keys", {});
  await app.as(owner).post("/api/reports/links", { name: secret, period: "last_month" });
  await app.as(owner).post("/api/reports/schedules", { every: "month", hour: 8, channels: [channel] });
  await publish(app, owner, { title: secret, monitors: [monitor], agents: [agent.id] });
  const { components } = (await app.as(owner).get("/api/incidents")).body.pages[0] ?? { components: [] };
  const affected = components.slice(0, 1).map(({ id }) => ({ id, status: "major_outage" }));
  await app.as(owner).post("/api/incidents", { title: secret, body: secret, components: affected });
  const [page] = (await app.as(owner).get("/api/incidents")).body.pages;
  await app.db.insert(schema.pageDomains).values({ pageId: page?.id ?? 0, domain: `${owner.username}.example.com` });
  const [subscriberId = 0] = await addSubscribers(app, page?.id ?? 0, [`${owner.username}@example.com`]);
  const update = { status: "identified", body: secret };
  const [incident] = (await app.as(owner).get("/api/incidents")).body.incidents;
  await app.as(owner).post(`/api/incidents/${incident?.id}/updates`, update);
  const notice = { channel: "email", kind: "confirm", part: 0, createdAt: now, dueAt: now } as const;
  await app.db.insert(schema.notices).values({ ...notice, subscriberId });
  await app.as(owner).post("/api/incidents/texts", { name: secret, status: "resolved", title: secret, body: secret });
  const imported = { source: "csv", sourceId: "", externalId: secret, targetType: "monitors", digest: "00" } as const;
  await app.db.insert(schema.imports).values({ ...imported, ...madeBy(owner), targetId: monitor, importedAt: now });
  await app.db.insert(schema.mails).values({ userId: owner.id, kind: "password_changed", createdAt: now, dueAt: now });
  await addAuthenticator(app, owner);
  await addPasskey(app, owner);
  const identity = { issuer: "https://auth.example", subject: secret, userId: owner.id };
  await app.db.insert(schema.identities).values({ ...identity, createdAt: now, lastSignInAt: now });
  return { monitor, agent };
};

/** Waits until the history of deleted monitors and agents is purged. */
const untilPurged = ({ db }: TestApp) =>
  until(async () => (await db.$count(schema.pendingPurges)) === 0, "the history to be purged");

it("a user's details count what is deleted with them", async () => {
  const { app, alice, bob, charlie } = await setUp();
  await createOneOfEach(app, bob, "bob's");
  const { status, body } = await app.as(alice).get(`/api/users/${bob.id}`);
  expect([status, body.owns]).toEqual([200, { monitors: 1, agents: 1, channels: 1, teams: 0 }]);
  const none = { monitors: 0, agents: 0, channels: 0, teams: 0 };
  expect((await app.as(charlie).get(`/api/users/${charlie.id}`)).body.owns).toEqual(none);
});

/** Rows of the two other users. */
const REMAINING = { users: 2, teams: 2, members: 2, trusted_clients: 4, sessions: 4 };

it("deleting a user deletes everything that belongs to them, and nothing else", async () => {
  const { app, alice, bob, charlie, delivery } = await setUp();
  await createOneOfEach(app, bob, "bob's");
  await delivery.run();
  await runDeliveries(app, delivery);
  const before = await countRows(app);
  const charlies = await createOneOfEach(app, charlie, "charlie's");
  await runDeliveries(app, delivery);
  // Every table whose rows can belong to a user has some of charlie's.
  const after = await countRows(app);
  const ownerless =
    "app_settings users teams members invitations trusted_clients pending_purges sessions deleted_agents".split(" ");
  expect(Object.keys(after).filter((name) => after[name] === before[name] && !ownerless.includes(name))).toEqual([]);

  expect((await app.as(alice).delete(`/api/users/${charlie.id}`)).body).toEqual({ success: true } as never);
  await untilPurged(app);
  expect(await countRows(app)).toEqual({ ...before, ...REMAINING, deleted_agents: 1 });
  expect((await app.as(charlie).get("/api/auth/me")).status).toBe(401);
  expect((await charlies.agent.report([sampleAt(app.clock.now())])).status).toBe(401);
  expect((await app.anybody.get("/api/status/data?page=charlie")).status).toBe(404);
  expect((await readStatusData(app, "bob")).monitors.map(({ name }) => name)).toEqual(["bob's"]);
  expect((await app.as(alice).delete(`/api/users/${charlie.id}`)).status).toBe(404);
});

it("a check in flight leaves no rows of its deleted owner", async () => {
  const { app, alice, bob } = await setUp();
  const before = await countRows(app);
  const held = serveHeld();
  await addMonitor(app, bob, { url: held.url });
  await app.engine.tick();
  await until(() => held.requests.length === 1, "the check to start");
  expect((await app.as(alice).delete(`/api/users/${bob.id}`)).status).toBe(200);
  held.release();
  await until(async () => {
    await app.engine.tick();
    return app.engine.inFlight() === 0;
  }, "the check to end");
  await untilPurged(app);
  expect(await countRows(app)).toEqual({ ...before, ...REMAINING });
});

it("the next process purges the history that an interrupted one has left", async () => {
  const { app, bob } = await setUp();
  const before = await countRows(app);
  await createOneOfEach(app, bob, "bob's");
  // The process ends right after its answer.
  await deleteUser(app.deps, bob.id);
  await rollUp(app, "now");
  expect(await app.db.$count(schema.checkBlocks)).toBeGreaterThan(0);
  await purgeDeletedHistory(app.deps);
  expect(await countRows(app)).toEqual({ ...before, ...REMAINING, deleted_agents: 1 });
  await purgeDeletedHistory(app.deps);
});

it("deliveries of other users continue", async () => {
  const { app, alice, bob, charlie, delivery, telegram } = await setUp();
  await createOneOfEach(app, charlie, "charlie's");
  await createOneOfEach(app, bob, "bob's");
  expect((await readEvents(app)).length).toBe(2);
  await app.as(alice).delete(`/api/users/${charlie.id}`);
  await runDeliveries(app, delivery);
  expect(telegram.texts().join()).toContain("bob's");
  expect(telegram.texts().join()).not.toContain("charlie's");
  expect((await readDeliveries(app)).map(({ state }) => state)).toEqual(["sent"]);
});

it("an administrator can be deleted while there is another one", async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  await app.as(alice).put(`/api/users/${bob.id}`, { role: "admin" });
  expect((await app.as(alice).delete(`/api/users/${bob.id}`)).status).toBe(200);
  expect((await app.as(alice).get("/api/users")).body.users.map(({ username }) => username)).toEqual([
    "alice",
    "charlie",
  ]);
});

it("every table refers to the owner of its rows, except those listed", () => {
  const columns = (table: Table) => Object.keys(getTableColumns(table));
  const owners = ["userId", "monitorId", "agentId", "eventId", "incidentId", "pageId", "subscriberId"];
  const without = tables.filter((table) => !columns(table).some((name) => owners.includes(name)));
  expect(without.map(getTableName).sort()).toEqual([
    "app_settings",
    "deleted_agents",
    "hub_gaps",
    "instances",
    "login_failures",
    "pending_purges",
    "report_journal",
    "teams",
    "users",
  ]);
  const withoutTeam = tables.filter((table) => columns(table).includes("userId") && !columns(table).includes("teamId"));
  // These are a user's own.
  const own = "authenticators identities mails passkeys recovery_codes sessions trusted_clients";
  expect(withoutTeam.map(getTableName).sort().join(" ")).toBe(own);
});

it("a request is answered with 401 if its user is deleted while it runs", async () => {
  const { app, bob } = await setUp();
  const { transact } = app.db;
  // Between the session check and the write.
  app.db.transact = async (body) => {
    app.db.transact = transact;
    await deleteUser(app.deps, bob.id);
    return transact(body);
  };
  const { status, body } = await app
    .as(bob)
    .post("/api/monitors", { name: "late", url: "http://192.0.2.1/", interval: 60 });
  expect([status, body.code]).toEqual([401, "unauthorized"]);
  expect(await app.db.$count(schema.monitors)).toBe(0);
});
