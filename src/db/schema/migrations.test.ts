import { Database as Sqlite } from "bun:sqlite";
import { expect, it, onTestFinished } from "bun:test";
import { SQL } from "bun";
import { asc, eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { processDialect, readConfig } from "../../core/config";
import { ingest } from "../../modules/servers/ingest/ingest";
import { MINUTE } from "../../shared/limits";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { reportOf, sampleAt } from "../../testing/fixtures/agents";
import type { Database } from "../database";
import { migrateDatabase } from "../migrate";
import { openDatabase, openMemoryDatabase } from "../open";
import { migratePostgres } from "../postgres/migrate";
import {
  agentStates,
  enrolledMachines,
  enrollmentTokens,
  events,
  members,
  notificationRules,
  outages,
  pageComponents,
  statusPages,
  tags,
  teams,
  thresholds,
  users,
} from "../schema";

const all = readMigrationFiles({ migrationsFolder: `migrations/${processDialect}` });

/** Makes a database with the first `count` migrations and these rows, then opens it, which runs the other ones. */
const openOld = async (count: number, rows: string[]): Promise<Database> => {
  const before = all.slice(0, count);
  if (processDialect === "sqlite") {
    const client = new Sqlite(":memory:");
    await migrateDatabase("sqlite", drizzle(client), before);
    for (const row of rows) client.run(row);
    const db = await openMemoryDatabase(client.serialize());
    onTestFinished(() => db.close());
    return db;
  }
  const server = readConfig(process.env).databaseUrl;
  const name = `wakeful_old_${crypto.randomUUID().slice(0, 8)}`;
  const url = Object.assign(new URL(server), { pathname: name }).href;
  const admin = new SQL({ url: server, max: 1 });
  await admin.unsafe(`create database ${name}`);
  await migratePostgres(url, before);
  const client = new SQL({ url, max: 1 });
  for (const row of rows) await client.unsafe(row);
  await client.close();
  const db = await openDatabase({ databaseUrl: url, dataDir: "" });
  onTestFinished(async () => {
    await db.close();
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.close();
  });
  return db;
};

const USER = `insert into users (id, username, username_key, password_hash, role, created_at) values (1, 'bob', 'bob', '', 'user', 0)`;

it("the switches of notification rules become the groups of events that they select", async () => {
  const insert = `insert into notification_rules (user_id, target_type, target_id, enabled, override_global, on_down,
    on_recovery, on_slow, on_certificate, on_offline, on_cpu_threshold, cpu_threshold, on_memory_threshold,
    memory_threshold, on_disk_threshold, disk_threshold, on_problem, on_plan, channels, policy_id, critical) values`;
  const db = await openOld(1, [
    USER,
    `${insert} (1, 'agent', 0, true, false, true, true, true, true, true, true, 70.5, false, 85, true, 95, false, true, '[2,0]', null, false)`,
    `${insert} (1, 'agent', 5, false, true, false, false, false, false, false, false, 90, false, 85, false, 90, false, false, '[]', null, true)`,
  ]);
  const rules = await db.select().from(notificationRules).orderBy(asc(notificationRules.targetId));
  expect(rules).toMatchObject([
    {
      targetId: 0,
      enabled: true,
      events: ["down", "recovery", "slow", "certificate", "offline", "cpu", "disk", "plan"],
      channels: [2, 0],
      critical: false,
    },
    { targetId: 5, enabled: false, overrideGlobal: true, events: [], channels: [], critical: true },
  ]);
});

it("the thresholds of notification rules become rows of thresholds, and alerts about them go on", async () => {
  const rule = (type: string, id: number, switches: string, events: string, figures: string) =>
    `insert into notification_rules (user_id, target_type, target_id, enabled, override_global, events, cpu_threshold, memory_threshold,
      disk_threshold, channels, critical) values (1, '${type}', ${id}, ${switches}, '${events}', ${figures}, '[]', false)`;
  const agent = (id: number, levels: number, alarms: string) => [
    `insert into agents (id, user_id, enrollment, name, hostname, ip_addresses, os, version, created_at)
      values (${id}, 1, '${id}', 'a', 'a', '[]', '', '', 0)`,
    `insert into agent_states (agent_id, key_hash, status, sampled_at, levels, alarms)
      values (${id}, '${id}', 'active', 5000, ${levels}, ${alarms})`,
  ];
  const event = (id: number, at: number, mount: string) =>
    `insert into events (user_id, kind, target_type, target_id, target_name, at, mount)
      values (1, 'disk_high', 'agent', ${id}, 'a', ${at}, ${mount})`;
  const other = { metric: "load", subject: "", alerting: true, since: null };
  const db = await openOld(2, [
    USER,
    ...agent(5, 0, "null"),
    // CPU is below once, memory above once, and the disk alerts.
    ...agent(6, 3 + (1 << 2) + (2 << 4), `'[${JSON.stringify(other)}]'`),
    // The disks of this server are not reported separately.
    ...agent(7, 2 << 4, "null"),
    event(6, 1000, "'/old'"),
    event(6, 2000, "'/var'"),
    event(7, 2000, "null"),
    rule("monitor", 0, "true, false", "[]", "90, 85, 90"),
    rule("agent", 0, "true, false", '["cpu","disk"]', "70.5, 3, 90"),
    rule("agent", 5, "false, true", '["cpu"]', "60, 61, 62"),
    rule("agent", 6, "true, false", '["cpu"]', "10, 11, 12"),
    `insert into thresholds (user_id, scope, agent_id, metric, threshold, clear, minutes) values (1, 'agent', 5, 'load', 2, 1, 5)`,
  ]);
  const rows = await db.select().from(thresholds).orderBy(asc(thresholds.minutes), asc(thresholds.agentId));
  const shown = rows.map(({ scope, agentId, metric, threshold, clear, minutes, enabled }) =>
    [scope, agentId, metric, threshold, clear, minutes, enabled].join(" "),
  );
  expect(shown.toSorted()).toEqual([
    "agent 5 cpu 60 55  false",
    "agent 5 disk 62 57  false",
    "agent 5 load 2 1 5 true",
    "agent 5 memory 61 56  false",
    "agent 6 cpu 10 5  ",
    "agent 6 disk 12 7  ",
    "agent 6 memory 11 6  ",
    "all  cpu 70.5 65.5  true",
    "all  disk 90 85  true",
    "all  memory 3 0  false",
  ]);
  const states = await db.select().from(agentStates).orderBy(asc(agentStates.agentId));
  const ofRule = { subject: "", ofRule: true };
  expect(states.map(({ alarms }) => alarms)).toEqual([
    null,
    [
      other,
      { ...ofRule, metric: "cpu", alerting: true, since: 5000 },
      { ...ofRule, metric: "memory", alerting: false, since: 5000 },
      { ...ofRule, metric: "disk", alerting: true, since: null, mount: "/var" },
    ],
    [{ ...ofRule, metric: "disk", alerting: true, since: null }],
  ] as never);
});

it("a disk alert that was open before the migration ends with one message and is not sent again", async () => {
  const db = await openOld(2, [
    USER,
    `insert into agents (id, user_id, enrollment, name, hostname, ip_addresses, os, version, created_at)
      values (6, 1, '6', 'a', 'db-1', '[]', '', '', 0)`,
    `insert into agent_states (agent_id, key_hash, status, sampled_at, reported_at, levels)
      values (6, 'key', 'active', ${START}, ${START}, ${2 << 4})`,
    `insert into notification_rules (user_id, target_type, target_id, enabled, override_global, events, cpu_threshold, memory_threshold,
      disk_threshold, channels, critical) values (1, 'agent', 0, true, false, '["recovery","disk"]', 90, 85, 90, '[]', false)`,
    `insert into events (user_id, kind, target_type, target_id, target_name, at, figure, threshold, mount, planned_at)
      values (1, 'disk_high', 'agent', 6, 'a', ${START}, 95, 90, '/var', ${START})`,
    `insert into outages (user_id, target_type, target_id, kind, started_at) values (1, 'agent', 6, 'disk', ${START})`,
  ]);
  const app = await createTestApp({ db });
  const play = async (root: number, used: number) => {
    await app.clock.advance(MINUTE);
    const disk = (mount: string, percent: number) => ({ mount, total: 100, used: percent });
    const report = reportOf([sampleAt(app.clock.now(), { disks: [disk("/", root), disk("/var", used)] })]);
    await ingest(app.deps, [{ keyHash: "key", report }], app.clock.now());
  };
  for (const used of [96, 96, 10, 10]) await play(50, used);
  const stored = await db.select().from(events).orderBy(asc(events.id));
  expect(stored.map(({ kind, mount, since }) => [kind, mount, since])).toEqual([
    ["disk_high", "/var", null],
    ["disk_normal", "/var", START],
  ]);
  expect((await db.select().from(outages)).map(({ endedAt }) => endedAt)).toEqual([START + 4 * MINUTE]);
});

it("a server that reported before the migration is watched since it was enrolled", async () => {
  const agent = (
    id: number,
  ) => `insert into agents (id, user_id, enrollment, name, hostname, ip_addresses, os, version, created_at)
    values (${id}, 1, '${id}', 'a', 'db-1', '[]', '', '', ${START})`;
  const state = (id: number, status: string) =>
    `insert into agent_states (agent_id, key_hash, status) values (${id}, 'key ${id}', '${status}')`;
  const db = await openOld(12, [USER, agent(6), agent(7), state(6, "inactive"), state(7, "connecting")]);
  const rows = await db.select().from(agentStates).orderBy(asc(agentStates.agentId));
  expect(rows.map(({ firstReportedAt }) => firstReportedAt)).toEqual([START, null]);
});

it("a token that was used before the migration stays used", async () => {
  const token = (id: number, machine: string) =>
    `insert into enrollment_tokens (id, hash, user_id, team_id, created_at, expires_at, machine_hash)
      values (${id}, 'hash ${id}', 1, 1, 5, 9, ${machine})`;
  const db = await openOld(23, [
    `insert into teams (id, created_at) values (1, 0)`,
    `insert into users (id, team_id, username, username_key, password_hash, role, created_at) values (1, 1, 'bob', 'bob', '', 'user', 0)`,
    token(1, "'machine'"),
    token(2, "null"),
  ]);
  expect(await db.select().from(enrolledMachines)).toEqual([
    { tokenId: 1, machineHash: "machine", agentId: null, enrolledAt: 5 },
  ]);
  const tokens = await db.select().from(enrollmentTokens).orderBy(asc(enrollmentTokens.id));
  expect(tokens.map(({ uses }) => uses)).toEqual([1, 1]);
});

it("each account gets a personal team, which what it owns belongs to", async () => {
  const user = (id: number) =>
    `insert into users (id, username, username_key, password_hash, role, created_at) values (${id}, 'u${id}', 'u${id}', '', 'user', ${id})`;
  const db = await openOld(19, [
    user(3),
    user(7),
    `insert into tags (id, user_id, name, colour) values (1, 7, 'x', 'blue')`,
    `insert into status_pages (user_id, slug, title, description, logo_url, custom_css, monitors, agents, groups, updated_at)
      values (3, 'u3', '', '', '', '', '[]', '[]', '[]', 0)`,
  ]);
  expect(await db.select().from(teams).orderBy(asc(teams.id))).toEqual([
    { id: 3, name: null, createdAt: 3 },
    { id: 7, name: null, createdAt: 7 },
  ]);
  expect(await db.select().from(members).orderBy(asc(members.userId))).toEqual([
    { userId: 3, teamId: 3, role: "owner" },
    { userId: 7, teamId: 7, role: "owner" },
  ]);
  expect((await db.select().from(users).orderBy(asc(users.id))).map(({ teamId }) => teamId)).toEqual([3, 7]);
  expect(await db.select().from(tags)).toMatchObject([{ userId: 7, teamId: 7 }]);
  expect(await db.select().from(statusPages)).toMatchObject([{ userId: 3, teamId: 3 }]);
  // Ids of further teams are new.
  const created = await db.insert(teams).values({ name: "Shop", createdAt: 0 }).returning({ id: teams.id });
  expect(created[0]?.id).toBeGreaterThan(7);
  await db.delete(users).where(eq(users.id, 7));
  await db.insert(tags).values({ userId: 3, teamId: 7, name: "y", colour: "blue" });
  await db.delete(teams).where(eq(teams.id, 7));
  expect(await db.$count(tags)).toBe(0);
});

it("the pages and what their lists name get keys, and a team can have several pages", async () => {
  const user = (id: number) => [
    `insert into teams (id, created_at) values (${id}, 0)`,
    `insert into users (id, team_id, username, username_key, password_hash, role, created_at) values (${id}, ${id}, 'u${id}', 'u${id}', '', 'user', 0)`,
  ];
  const page = (id: number, lists: string) =>
    `insert into status_pages (team_id, user_id, slug, title, description, logo_url, custom_css, monitors, agents, groups, updated_at)
      values (${id}, ${id}, 'u${id}', 'Acme', 'x', '', 'h1 {}', ${lists}, 7)`;
  const group = (tag: object) => ({ name: "Shop", monitors: [4], agents: [], ...tag });
  const groups = JSON.stringify([group({ tag: "db:eu" }), group({}), group({ tag: "db:eu" }), group({ tag: "" })]);
  const db = await openOld(34, [
    ...[...user(3), ...user(7)],
    page(3, `'[4,2]', '[5]', '${groups}'`),
    page(7, "'[]', '[]', '[]'"),
  ]);
  const [first, second] = await db.select().from(statusPages).orderBy(asc(statusPages.id));
  const kept = { title: "Acme", description: "x", customCss: "h1 {}", theme: "light", historyDays: 90, noindex: false };
  expect([first, second]).toMatchObject([
    { ...kept, slug: "u3", teamId: 3, userId: 3, monitors: [4, 2], agents: [5], updatedAt: 7 },
    { ...kept, slug: "u7", teamId: 7, userId: 7 },
  ]);
  const components = await db.select().from(pageComponents).orderBy(asc(pageComponents.id));
  const one = { monitors: [], agents: [], tag: null, mode: "all" as const, n: 1 };
  expect(components.map(({ target }) => target)).toEqual([
    { ...one, monitors: [4] },
    { ...one, monitors: [2] },
    { ...one, agents: [5] },
    { ...one, tag: "db:eu" },
  ]);
  for (const { pageId, teamId, listed, name, fixedStatus } of components)
    expect([pageId, teamId, listed, name, fixedStatus]).toEqual([first?.id ?? 0, 3, true, null, null]);
  const keys = [first, second, ...components].map((row) => row?.key ?? "");
  for (const key of keys) expect(key).toMatch(/^[a-z]{12}$/);
  expect(new Set(keys).size).toBe(6);
  const [added] = await db
    .insert(statusPages)
    .values({ ...(first as typeof statusPages.$inferInsert), id: undefined, key: "key", slug: "more" })
    .returning();
  expect(added?.id).toBeGreaterThan(Math.max(first?.id ?? 0, second?.id ?? 0));
  await db.delete(statusPages).where(eq(statusPages.id, first?.id ?? 0));
  expect(await db.$count(pageComponents)).toBe(0);
});

it("rows that belong to no team are refused", async () => {
  const db = await openOld(19, [USER]);
  const insert = sql`insert into tags (user_id, name, colour) values (1, 'x', 'blue')`;
  expect(await db.rows(insert).then(null, () => "refused")).toBe("refused");
});
