import { expect, it } from "bun:test";
import { and, eq } from "drizzle-orm";
import { members } from "../../db/schema";
import { scopesOf } from "../../server/route-scopes";
import { hasScope, isKeyScope, KEY_SCOPES } from "../../shared/accounts/key-scopes";
import { createTestApp } from "../app";
import { call } from "../client";
import { forgedSessions, sessionOf } from "../fixtures/forged-sessions";
import { addUser, PASSWORD } from "../fixtures/people";
import { createWorld, NOWHERE, type World } from "../fixtures/seed-everything";
import { operationsOf, readDocument } from "../openapi";
import { serveTelegram } from "../servers/providers";
import { PERMISSIONS } from "./permissions";

const words = (line: string) => line.trim().split(/\s+/);
const [heading, ...lines] = PERMISSIONS.split("\n").filter((line) => line.trim() !== "");
const actors = words(heading ?? "").slice(0, -1);
const rows = lines.map((line) => {
  const [method = "", path = "", ...cells] = words(line);
  const scopes = (cells.pop() ?? "").split(",").filter(isKeyScope);
  return { route: `${method} ${path}`, method, path, statuses: cells.map(Number), scopes };
});

const ASSERTION = { id: "x", response: { clientDataJSON: "x", authenticatorData: "x", signature: "x" } };
const ATTESTATION = { id: "x", response: { clientDataJSON: "x", authenticatorData: "x", publicKey: "x" } };

/** The bodies of calls; other calls send none. */
const bodiesOf = ({ bob, registration, report, channel, policy, schedule }: World): Record<string, unknown> => ({
  "PUT /api/auth/registration": { open: true },
  "PUT /api/notifications/follows/:id": { channels: [] },
  // A taken name and a missing password are refused before a password is hashed, which would take long.
  "POST /api/auth/register": { username: "bob", password: PASSWORD },
  "POST /api/users/": { username: "bob", password: PASSWORD },
  "POST /api/users/:id/change-password": {},
  "POST /api/auth/login": { username: "bob", password: PASSWORD },
  "POST /api/auth/second-factor": { ticket: "x", totp: "123456" },
  "POST /api/auth/proof": { password: PASSWORD },
  "PUT /api/auth/totp": { setup: "x", code: "123456" },
  "POST /api/auth/passkey": { passkey: ASSERTION },
  "POST /api/auth/passkeys/": { name: "x", credential: ATTESTATION },
  "PUT /api/auth/passkeys/:id": { name: "x" },
  "POST /api/auth/forgot": { email: "bob@example.com" },
  "POST /api/auth/reset": { token: "x", password: PASSWORD },
  "POST /api/auth/verify-email": { token: "x" },
  "POST /api/auth/header": {},
  "POST /api/auth/oidc/callback": { ticket: "x", query: "" },
  "POST /api/auth/oidc/link/callback": { ticket: "x", query: "" },
  "PUT /api/auth/language": { language: "en-US" },
  "PUT /api/auth/time-zone": { time_zone: "Europe/Berlin" },
  "PUT /api/users/:id": { email: "bob@example.com", currentPassword: PASSWORD },
  "POST /api/teams/": { name: "Shop" },
  "PUT /api/teams/:id": { name: "Shop" },
  "PUT /api/teams/:id/members/:user": { role: "viewer" },
  "POST /api/teams/:id/invitations": { role: "viewer" },
  "POST /api/invitations/preview": { token: "x" },
  "POST /api/monitors/:id/move": { team: bob.teamId },
  "POST /api/agents/:id/move": { team: bob.teamId },
  "POST /api/channels/:id/move": { team: bob.teamId },
  "POST /api/keys/": { name: "backups", scope: "full" },
  "POST /api/walls/": { name: "Office" },
  "POST /api/ping-keys/": {},
  "POST /api/monitors/probe": { url: NOWHERE },
  "POST /api/monitors/": { name: "shop", url: NOWHERE, interval: 60, active: false },
  "PUT /api/monitors/:id": { name: "shop", url: NOWHERE, interval: 60, retries: 0, active: false },
  "POST /api/monitors/bulk": { filter: {}, action: "pause", dry_run: true },
  "POST /api/monitors/:id/mute": { minutes: 30 },
  "PUT /api/monitors/:id/dependencies": { parents: [] },
  "POST /api/agents/:id/mute": { minutes: 30 },
  "PUT /api/agents/:id/dependencies": { parents: [] },
  "POST /api/outages/:id/acknowledge": { note: "on it" },
  "PUT /api/outages/:id/note": { text: "The disk was full." },
  "POST /api/reports/links": { period: "last_month" },
  "POST /api/windows/": { title: "x", all: true, schedule: { kind: "open", from: "2026-01-15T12:00:00Z" } },
  "PUT /api/windows/:id": { title: "x", all: true, schedule: { kind: "open", from: "2026-01-15T12:00:00Z" } },
  "POST /api/windows/preview": { schedule: { kind: "open", from: "2026-01-15T12:00:00Z" } },
  "POST /api/windows/start": { minutes: 20, all: true },
  "POST /api/incidents/": { title: "Payments fail", body: "We are looking into it." },
  "PUT /api/incidents/:id": { impact: "major" },
  "POST /api/incidents/:id/updates": { status: "identified", body: "A disk is full." },
  "PUT /api/incidents/:id/updates/:update": { body: "A disk was full." },
  "POST /api/incidents/texts/": { name: "x", status: "investigating", title: "", body: "x" },
  "PUT /api/incidents/texts/:id": { name: "y", status: "investigating", title: "", body: "x" },
  "POST /api/reports/schedules/": schedule,
  "PUT /api/reports/schedules/:id": schedule,
  "POST /api/outages/acknowledge-link": { id: 1, token: "x" },
  "POST /api/agents/register": registration,
  "POST /api/agents/report": report,
  "POST /api/agents/live": { samples: [] },
  "PUT /api/agents/:id": { name: "db" },
  "PUT /api/tags/:id": { color: "blue" },
  "PUT /api/monitors/:id/objective": { target: 99.9, period: "30d" },
  "PUT /api/tags/:id/objective": { target: 99.5, period: "month" },
  "POST /api/thresholds/": { scope: "all", metric: "load", threshold: 2, minutes: 5 },
  "PUT /api/thresholds/:id": { scope: "all", metric: "swap", threshold: 80, minutes: 5 },
  "POST /api/notifications/settings": { target_type: "global-monitor", enabled: false },
  "POST /api/notifications/channels": channel,
  "POST /api/notifications/channels/test": channel,
  "PUT /api/notifications/channels/:id": channel,
  "POST /api/notifications/policies": policy,
  "PUT /api/notifications/policies/:id": policy,
  "POST /api/notifications/templates/": { event: "down", title: "x", body: "" },
  "POST /api/notifications/templates/preview": { title: "x", body: "" },
  "PUT /api/notifications/templates/:id": { title: "x", body: "" },
  "POST /api/pages/": { slug: { toJSON: () => crypto.randomUUID() }, title: "Shop" },
  "PUT /api/pages/:id": { title: "Shop" },
  "POST /api/pages/:id/preview": { title: "Shop" },
  "POST /api/status/config": { title: "Shop" },
  "POST /api/status/subscribe": { url: NOWHERE },
  "POST /api/status/preview": { title: "Shop" },
  "POST /api/import": { format: "wakeful-configuration", version: 1 },
  "POST /api/import/preview/:id/apply": {},
});

type Row = (typeof rows)[number];

/** The members of bob's team, who choose it in their calls. */
const MEMBERS = ["viewer", "editor"];
/** Calls that are about no team. */
const isAboutAccounts = ({ path }: Row) =>
  /^\/api\/(auth|users|keys|security-log|system|dashboard\/checklist)/.test(path);
/** Calls of a user or a key, which others answer 401. */
const isGuarded = ({ statuses }: Row) => statuses[0] === 401 && statuses[actors.indexOf("charlie")] !== 401;

const setUp = async () => {
  const telegram = serveTelegram();
  const app = await createTestApp({ env: { TELEGRAM_API_URL: telegram.origin } });
  const world = await createWorld(app);
  const bodies = bodiesOf(world);
  /** The status that a call of a route at an address gets. */
  const askAt = async ({ route, method }: Row, target: string, authorization: string): Promise<number> => {
    const body = bodies[route];
    const headers = {
      ...(authorization && { authorization }),
      ...(body ? { "content-type": "application/json" } : {}),
    };
    // Manual checks of one monitor are 10 seconds apart.
    if (route.endsWith("/check")) await app.clock.advance(10_000);
    // Test messages of one user to one host are a second apart.
    if (route.endsWith("/test")) await app.clock.advance(1000);
    // Reports of one schedule that are sent on request are a minute apart.
    if (route.endsWith("/send")) await app.clock.advance(60_000);
    return (await call(app.send, target, { method, headers, body: body ? JSON.stringify(body) : null })).status;
  };
  const ask = async (row: Row, authorization: string, query = ""): Promise<number> =>
    askAt(row, `${await world.fill(row.method, row.path)}${query}`, authorization);
  return { app, world, ask, askAt };
};

it("the table has a line for every route, with a status for each actor", async () => {
  const { app } = await createTestApp();
  const routes = app.routes.map(({ method, path }) => `${method} ${path}`);
  expect(rows.map(({ route }) => route).toSorted()).toEqual(routes.toSorted());
  expect(rows.filter(({ statuses }) => statuses.length !== actors.length)).toEqual([]);
});

it("the guard takes API keys with the scopes of the table, and full keys where they may do what they always could", () => {
  const differing = rows.filter(({ method, path, scopes }) => scopesOf(method, path).join() !== scopes.join());
  expect(differing.map(({ route }) => route)).toEqual([]);
  const full = actors.indexOf("alice's");
  const changed = rows.filter(
    (row) => isGuarded(row) && ![401, 403].includes(row.statuses[full] ?? 0) !== hasScope(["full"], row.scopes),
  );
  expect(changed.map(({ route }) => route)).toEqual([]);
});

it("the API document states for every call the credentials that the table accepts, and its errors", async () => {
  const operations = operationsOf(await readDocument(await createTestApp()));
  const documented = new Map(operations.map(({ key, operation }) => [key, operation]));
  const differing = rows.flatMap(({ method, path, statuses, scopes }) => {
    const key = `${method} ${path.replace(/:(\w+)/g, "{$1}").replace(/(?<=.)\/$/, "")}`;
    const { security = [], responses = {}, "x-scopes": stated = [] } = documented.get(key) ?? {};
    const of = (actor: string) => statuses[actors.indexOf(actor)] ?? 0;
    const isOpen = of("anonymous") !== 401;
    const accepted = {
      session: !isOpen && of("alice") !== 401,
      apiKey: scopes.length > 0,
      agentKey: !isOpen && of("agent") !== 401,
      metricsToken: path === "/metrics",
    };
    const expected = Object.entries(accepted).flatMap(([scheme, isAccepted]) => (isAccepted ? [scheme] : []));
    const found = security.flatMap((scheme) => Object.keys(scheme));
    const named = stated.join();
    const missing = [...new Set(statuses)].filter((status) => status >= 400 && !(status in responses));
    return found.join() === expected.join() && named === scopes.join() && missing.length === 0
      ? []
      : [`${key}: documented ${found} (${named}), accepted ${expected}, undocumented ${missing}`];
  });
  expect(differing).toEqual([]);
});

it("every actor gets the status in the table for every route", async () => {
  const { world, ask } = await setUp();
  const differing: string[] = [];
  for (const row of rows) {
    const got: number[] = [];
    for (const actor of actors) {
      const query = MEMBERS.includes(actor) ? `?team=${world.bob.teamId}` : "";
      got.push(await ask(row, await world.authorization(actor), query));
    }
    if (got.join() !== row.statuses.join()) differing.push(`${row.route}: ${got.join(" ")}`);
  }
  expect(differing).toEqual([]);
});

it("a role counts in calls about a row of a team that is not chosen", async () => {
  const { world, ask } = await setUp();
  const differing: string[] = [];
  // The preview of an import is its user's own.
  const isAboutRow = ({ path }: Row) => path.includes(":id") && !path.includes("/preview/");
  for (const row of rows.filter((row) => isAboutRow(row) && isGuarded(row) && !isAboutAccounts(row))) {
    for (const actor of MEMBERS) {
      const got = await ask(row, await world.authorization(actor));
      const expected = row.statuses[actors.indexOf(actor)];
      if (got !== expected) differing.push(`${row.route}: ${actor} ${got}`);
    }
  }
  expect(differing).toEqual([]);
});

it("a member who was removed a moment ago gets what users of other teams get, also for the team by its id", async () => {
  const { app, world, ask } = await setUp();
  const removed = await addUser(app.deps, "removed");
  await app.db.insert(members).values({ teamId: world.bob.teamId, userId: removed.id, role: "owner" });
  expect((await app.as(removed).get(`/api/monitors?team=${world.bob.teamId}`)).body.total).toBe(2);
  await app.db.delete(members).where(and(eq(members.userId, removed.id), eq(members.teamId, world.bob.teamId)));
  const team = `?team=${world.bob.teamId}`;
  const differing: string[] = [];
  for (const row of rows.filter(isGuarded)) {
    const alone = await ask(row, `Bearer ${await sessionOf(app, removed)}`);
    const chosen = await ask(row, `Bearer ${await sessionOf(app, removed)}`, team);
    if (alone !== row.statuses[actors.indexOf("charlie")] || chosen !== 404)
      differing.push(`${row.route}: ${alone} ${chosen}`);
  }
  expect(differing).toEqual([]);
});

it("a key with one scope may call the routes of this scope, and gets 403 from all others", async () => {
  const { world, askAt } = await setUp();
  const differing: string[] = [];
  for (const row of rows.filter(isGuarded)) {
    // What a refused call would delete is still there for the next key.
    let target = "";
    for (const scope of KEY_SCOPES) {
      const isAllowed = row.scopes.length > 0 && hasScope([scope], row.scopes);
      if (isAllowed || !target) target = await world.fill(row.method, row.path);
      const status = await askAt(row, target, await world.authorization(scope));
      if (![401, 403].includes(status) !== isAllowed) differing.push(`${scope}: ${row.route} ${status}`);
      if (isAllowed) target = "";
    }
  }
  expect(differing).toEqual([]);
});

it("a guarded route answers 401 before it parses the body", async () => {
  const { world, app } = await setUp();
  const guarded = rows.filter(({ method, statuses }) => method !== "GET" && statuses[0] === 401);
  const parsed: string[] = [];
  for (const { route, method, path } of guarded) {
    const headers = { authorization: "Bearer x", "content-type": "application/json" };
    const { status } = await call(app.send, await world.fill(method, path), { method, headers, body: "[{" });
    if (status !== 401) parsed.push(`${route}: ${status}`);
  }
  expect(parsed).toEqual([]);
});

it("every guarded route answers 401 to a forged session", async () => {
  const { app, world, askAt } = await setUp();
  const dora = await addUser(app.deps, "dora", "admin");
  await app.as(world.alice).delete(`/api/users/${dora.id}`);
  const guarded = rows.filter(({ statuses }) => statuses[0] === 401);
  const forged = Object.entries(await forgedSessions(app, world.alice, dora));
  const opened: string[] = [];
  for (const row of guarded) {
    const target = await world.fill(row.method, row.path);
    for (const [what, header] of forged)
      if ((await askAt(row, target, header)) !== 401) opened.push(`${row.route}: ${what}`);
  }
  expect(opened).toEqual([]);
});
