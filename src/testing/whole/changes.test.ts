import { expect, it } from "bun:test";
import { gt } from "drizzle-orm";
import { securityLog } from "../../db/schema";
import { LINK_AGE, signLink } from "../../modules/alerting/outages/acknowledge/link";
import { createTestApp, type TestApp } from "../app";
import { call } from "../client";
import { createKuma, SHOP, uploadOf } from "../fixtures/imports/kuma";
import { PASSWORD } from "../fixtures/people";
import { createWorld, NOWHERE, type World } from "../fixtures/seed-everything";
import { serveTelegram } from "../servers/providers";

/** Calls that change no object, with the reason. Every other POST, PUT and DELETE leaves an entry in the log of changes. */
const UNLOGGED: Record<string, string> = {
  "POST /api/auth/login": "a sign-in is a security event",
  "POST /api/auth/second-factor": "a sign-in is a security event",
  "POST /api/auth/passkey/options": "changes nothing",
  "POST /api/auth/passkey": "a sign-in is a security event",
  "POST /api/auth/proof/options": "changes nothing",
  "POST /api/auth/oidc/start": "changes nothing",
  "POST /api/auth/oidc/callback": "a sign-in is a security event",
  "POST /api/auth/header": "a sign-in is a security event",
  "POST /api/auth/oidc/link/start": "changes nothing",
  "POST /api/auth/oidc/link/callback": "a security event",
  "DELETE /api/auth/oidc/identity": "a security event",
  "POST /api/auth/verify-email": "a security event",
  "POST /api/auth/verify-email/send": "sends a mail",
  "POST /api/auth/proof": "changes nothing but the session",
  "POST /api/auth/passkeys/options": "changes nothing",
  "POST /api/auth/passkeys/": "a security event",
  "PUT /api/auth/passkeys/:id": "a preference of the user",
  "DELETE /api/auth/passkeys/:id": "a security event",
  "POST /api/auth/totp": "a secret that is not confirmed",
  "PUT /api/auth/totp": "a security event",
  "DELETE /api/auth/totp": "a security event",
  "POST /api/auth/recovery-codes": "a security event",
  "DELETE /api/users/:id/second-factors": "a security event",
  "POST /api/auth/logout": "a security event",
  "POST /api/auth/forgot": "sends a mail",
  "POST /api/auth/reset": "a password is a security event",
  "POST /api/users/:id/change-password": "a password is a security event",
  "DELETE /api/auth/sessions": "a security event",
  "DELETE /api/auth/sessions/:id": "a security event",
  "POST /api/teams/:id/invitations": "an invitation that was not accepted, and a security event",
  "DELETE /api/teams/:id/invitations/:invitation": "an invitation that was not accepted",
  "POST /api/invitations/preview": "changes nothing",
  "PUT /api/auth/language": "a preference of the user",
  "PUT /api/auth/time-zone": "a preference of the user",
  "DELETE /api/dashboard/checklist": "a preference of the user",
  "POST /api/system/mail/test": "sends a mail",
  "POST /api/monitors/probe": "changes nothing",
  "POST /api/monitors/:id/check": "a result",
  "POST /api/monitors/:id/drill": "sends messages",
  "POST /api/agents/:id/drill": "sends messages",
  "POST /api/monitors/:id/pings": "a result",
  "POST /ping/:token": "a result",
  "POST /ping/:token/:slug": "a result",
  "POST /ping/:token/:slug/:action": "a result",
  "POST /ping/:token/:slug/mute/:minutes": "a result",
  "POST /ping/:token/mute/:minutes": "a result",
  "POST /api/push/:token": "a result",
  "POST /api/agents/report": "a result",
  "POST /api/agents/live": "a result",
  "POST /api/reports/schedules/:id/send": "sends messages",
  "POST /api/notifications/channels/test": "sends a message",
  "POST /api/notifications/channels/:id/test": "sends a message",
  "POST /api/notifications/templates/preview": "changes nothing",
  "POST /api/windows/preview": "changes nothing",
  "POST /api/status/preview": "changes nothing",
  "POST /api/pages/:id/preview": "changes nothing",
  "POST /api/status/subscribe": "a visitor's address, which no log keeps",
  "POST /api/status/session/": "sets a cookie",
  "POST /api/import/preview": "changes nothing",
};

/** The secrets in the bodies below. */
const SECRETS = ["a secret header", "a secret body", "a-secret-token", "a secret password", "987654321:AAF"];

/** Bodies of calls that change something; other calls send none. */
const bodiesOf = ({ registration, channel, policy, schedule, bob }: World): Record<string, unknown> => ({
  "PUT /api/auth/registration": { open: false },
  "POST /api/auth/register": { username: "erin", password: `${SECRETS[3]} of erin` },
  "POST /api/users/": { username: "frank", password: `${SECRETS[3]} of frank` },
  "PUT /api/users/:id": { email: "bob@elsewhere.example", currentPassword: PASSWORD },
  "POST /api/teams/": { name: "Team" },
  "PUT /api/teams/:id": { name: "Shop" },
  "POST /api/keys/": { name: "backups", scope: "full" },
  "POST /api/ping-keys/": {},
  "POST /api/walls/": { name: "Office" },
  "POST /api/monitors/": {
    ...{ name: "secret", url: `${NOWHERE}?token=${SECRETS[2]}`, method: "POST", interval: 60, active: false },
    ...{ headers: { authorization: SECRETS[0] }, body: SECRETS[1] },
  },
  "PUT /api/monitors/:id": {
    ...{
      name: "shop",
      url: `http://u:${SECRETS[2]}@127.0.0.1:1/`,
      method: "PUT",
      interval: 60,
      retries: 3,
      active: false,
    },
    ...{ headers: { authorization: SECRETS[0] }, body: SECRETS[1] },
  },
  "POST /api/monitors/bulk": { filter: {}, set: { interval: 900 } },
  "POST /api/monitors/:id/mute": { until_recovery: true },
  "POST /api/agents/:id/mute": { until_recovery: true },
  "POST /api/outages/:id/acknowledge": { note: SECRETS[1] },
  "PUT /api/outages/:id/note": { text: SECRETS[1] },
  "POST /api/reports/links": { period: "last_month" },
  "POST /api/windows/": { title: "Upgrade", all: true, schedule: { kind: "open", from: "2026-01-15T12:00:00Z" } },
  "PUT /api/windows/:id": { title: "Later", all: true, schedule: { kind: "open", from: "2026-01-15T12:00:00Z" } },
  "POST /api/windows/start": { minutes: 20, all: true },
  "POST /api/incidents/": { title: "Payments fail", body: "We are looking into it." },
  "PUT /api/incidents/:id": { impact: "major" },
  "POST /api/incidents/:id/updates": { status: "identified", body: "A disk is full." },
  "PUT /api/incidents/:id/updates/:update": { body: "A disk was full." },
  "POST /api/incidents/texts/": { name: "x", status: "investigating", title: "", body: "x" },
  "PUT /api/incidents/texts/:id": { name: "y", status: "investigating", title: "", body: "x" },
  "POST /api/reports/schedules/": schedule,
  "PUT /api/reports/schedules/:id": { ...schedule, hour: 9 },
  "POST /api/agents/register": registration,
  "PUT /api/agents/:id": { name: "db-2" },
  "PUT /api/tags/:id": { color: "pink" },
  "PUT /api/monitors/:id/objective": { target: 99.9, period: "30d" },
  "PUT /api/tags/:id/objective": { target: 99.5, period: "month" },
  "POST /api/thresholds/": { scope: "all", metric: "load", threshold: 2, minutes: 5 },
  "PUT /api/thresholds/:id": { scope: "all", metric: "swap", threshold: 80, minutes: 5 },
  "POST /api/notifications/settings": { target_type: "global-monitor", enabled: true, on_down: true },
  "POST /api/notifications/channels": {
    ...Object(channel),
    config: { botToken: `${SECRETS[4]}${"x".repeat(32)}`, chatId: "1" },
  },
  "PUT /api/notifications/channels/:id": {
    ...Object(channel),
    config: { botToken: `${SECRETS[4]}${"y".repeat(32)}`, chatId: "1" },
  },
  "POST /api/notifications/policies": policy,
  "PUT /api/notifications/policies/:id": policy,
  "POST /api/notifications/templates/": { event: "down", title: SECRETS[1], body: "" },
  "PUT /api/notifications/templates/:id": { title: SECRETS[1], body: "" },
  "POST /api/pages/": { slug: "more", title: "More", custom_css: `.a { content: "${SECRETS[1]}" }` },
  "PUT /api/pages/:id": {
    title: "Further",
    access: "password",
    password: SECRETS[0],
    components: [{ name: "Fixed", fixed_status: "operational" }],
  },
  "POST /api/status/config": { title: `${bob.username}'s page`, custom_css: `.a { content: "${SECRETS[1]}" }` },
  "POST /api/import": {
    ...{ format: "wakeful-configuration", version: 1 },
    monitors: [{ name: "imported", url: `${NOWHERE}?token=${SECRETS[2]}`, interval: 60, headers: { a: SECRETS[0] } }],
  },
  "POST /api/import/preview/:id/apply": {},
});

/** Calls of administrators, and calls without credentials. */
const BY_ALICE = ["PUT /api/auth/registration", "POST /api/users/", "DELETE /api/users/:id"];
const ANONYMOUS = ["POST /api/auth/register", "POST /api/agents/register", "POST /api/outages/acknowledge-link"];

/** Creates the object that a call changes. Returns the path or body that names it, where the world has none. */
const prepare = async (app: TestApp, world: World, route: string): Promise<{ path?: string; body?: unknown }> => {
  const client = app.as(world.bob);
  const target = async (of: "monitors" | "agents") => world.fill("PUT", `/api/${of}/:id`);
  if (route.endsWith("/:id/mute") && route.startsWith("DELETE")) {
    const path = await target(route.includes("agents") ? "agents" : "monitors");
    await client.post(`${path}/mute`, { until_recovery: true });
    return { path: `${path}/mute` };
  }
  if (route.endsWith("/pages/:id/key")) {
    const path = await world.fill("PUT", "/api/pages/:id");
    await client.put(path, { access: "members" });
    if (route.startsWith("DELETE")) await client.post(`${path}/key`);
    return { path: `${path}/key` };
  }
  if (/DELETE \/api\/(monitors|tags)\/:id\/objective/.test(route)) {
    const path = await world.fill("PUT", route.split(" ")[1] ?? "");
    await client.put(path, { target: 99, period: "30d" });
    return { path };
  }
  if (route.endsWith("/members/:user"))
    return { path: `/api/teams/${world.bob.teamId}/members/${world.viewer.id}`, body: { role: "editor" } };
  if (route === "POST /api/invitations/:token/accept") {
    const invite = `/api/teams/${world.charlie.teamId}/invitations` as const;
    const { token } = (await app.as(world.charlie).post(invite, { role: "viewer" })).body;
    return { path: `/api/invitations/${token}/accept` };
  }
  if (route === "PUT /api/notifications/follows/:id") {
    const { team } = (await client.post("/api/teams", { name: "Followed" })).body;
    const channel = Number((await world.fill("PUT", "/api/channels/:id")).split("/").at(-1));
    return { path: `/api/notifications/follows/${team.id}`, body: { channels: [channel] } };
  }
  if (route.endsWith("/move")) {
    const { team } = (await client.post("/api/teams", { name: `team ${route}` })).body;
    return { path: await world.fill("DELETE", route.split(" ")[1] ?? ""), body: { team: team.id, drop: true } };
  }
  if (route.endsWith("/dependencies")) {
    const [path, parent] = [
      await target(route.includes("agents") ? "agents" : "monitors"),
      await world.fill("DELETE", "/api/monitors/:id"),
    ];
    return {
      path: `${path}/dependencies`,
      body: { parents: [{ type: "monitor", id: Number(parent.split("/").at(-1)) }] },
    };
  }
  if (route.endsWith("/pause") || route.endsWith("/resume")) {
    const path = await target("monitors");
    await client.post(`${path}/${route.endsWith("/pause") ? "resume" : "pause"}`);
    return { path: `${path}/${route.split("/").at(-1)}` };
  }
  if (route === "POST /api/windows/:id/end") return { path: `${await world.fill("DELETE", "/api/windows/:id")}/end` };
  const outage = async () => Number((await world.fill("DELETE", "/api/outages/:id")).split("/").at(-1));
  if (route === "DELETE /api/outages/:id/acknowledge") {
    const path = `/api/outages/${await outage()}/acknowledge`;
    await client.post(path, {});
    return { path };
  }
  if (route === "POST /api/outages/acknowledge-link") {
    const [id, channelId] = [await outage(), Number((await world.fill("PUT", "/api/channels/:id")).split("/").at(-1))];
    const token = signLink(app.deps, { outageIds: [id], channelId, expiresAt: app.clock.now() + LINK_AGE });
    return { body: { id, token, name: "Bob" } };
  }
  if (route === "POST /api/import/preview/:id/apply") {
    const headers = { authorization: `Bearer ${world.bob.token}` };
    const sent = { method: "POST", headers, body: uploadOf(createKuma(2, SHOP)) };
    const { id } = JSON.parse((await call(app.send, "/api/import/preview", sent)).text);
    return { path: `/api/import/preview/${id}/apply` };
  }
  return {};
};

it("every call that changes an object leaves an entry that names the user and the address, and no secret is in any", async () => {
  const telegram = serveTelegram();
  const app = await createTestApp({ env: { TELEGRAM_API_URL: telegram.origin, TRUST_PROXY: "1" } });
  const world = await createWorld(app);
  await app.as(world.alice).put("/api/auth/registration", { open: true });
  const bodies = bodiesOf(world);
  const routes = app.app.routes
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => ({ method, path, route: `${method} ${path}` }));
  const known = new Set(routes.map(({ route }) => route));
  expect(Object.keys(UNLOGGED).filter((route) => !known.has(route))).toEqual([]);
  const wrong: string[] = [];
  // The account of bob is deleted last, and registration closed after the account of erin was made.
  const isLate = (route: string) => Number(BY_ALICE.includes(route));
  for (const { method, path, route } of routes.toSorted((one, other) => isLate(one.route) - isLate(other.route))) {
    if (UNLOGGED[route]) continue;
    const prepared = await prepare(app, world, route);
    const latest = Math.max(0, ...(await app.db.select({ id: securityLog.id }).from(securityLog)).map(({ id }) => id));
    const target = prepared.path ?? (await world.fill(method, path));
    const body = prepared.body ?? bodies[route];
    const actor = BY_ALICE.includes(route) ? "alice" : "bob";
    const headers = {
      ...{ "x-forwarded-for": "192.0.2.9" },
      ...(!ANONYMOUS.includes(route) && { authorization: await world.authorization(actor) }),
      ...(body !== undefined && { "content-type": "application/json" }),
    };
    const answer = await call(app.send, target, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    const rows = await app.db.select().from(securityLog).where(gt(securityLog.id, latest));
    const named = rows.filter(
      ({ action, username, address }) =>
        action !== null && address === "192.0.2.9" && (ANONYMOUS.includes(route) || username === actor),
    );
    if (answer.status >= 300 || named.length === 0) wrong.push(`${route}: ${answer.status}, ${rows.length} entries`);
  }
  expect(wrong).toEqual([]);
  const everything = JSON.stringify(await app.db.select().from(securityLog));
  const answered = (await app.as(world.alice).get("/api/audit?limit=200")).text;
  for (const secret of SECRETS) expect(everything + answered).not.toContain(secret);
});
