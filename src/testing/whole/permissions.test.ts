import { expect, it } from "bun:test";
import { createTestApp } from "../app";
import { call } from "../client";
import { forgedSessions } from "../fixtures/forged-sessions";
import { addUser, PASSWORD } from "../fixtures/people";
import { createWorld, NOWHERE, type World } from "../fixtures/seed-everything";
import { operationsOf, readDocument } from "../openapi";
import { serveTelegram } from "../servers/providers";

/*
 * The status that each actor gets from each route. Everything under `:id` belongs to bob; charlie is another user, alice
 * is the administrator. `reading` and `full` are bob's API keys, `alice's` is a full one of hers, `agent` is the key of
 * bob's server, and `anonymous` sends no credentials. Every new route needs a line here.
 */
const TABLE = `
                                          anonymous agent charlie bob alice reading full alice's
GET    /health                               200    200   200     200 200   200     200  200
GET    /install.sh                           200    200   200     200 200   200     200  200
GET    /agent.sh                             200    200   200     200 200   200     200  200
GET    /agent.sh.sha256                      200    200   200     200 200   200     200  200
GET    /downloads/:name                      404    404   404     404 404   404     404  404
GET    /badge/:file                          200    200   200     200 200   200     200  200
GET    /metrics                              401    401   200     200 200   200     200  200
GET    /api/openapi.json                     200    200   200     200 200   200     200  200
GET    /api/status/data                      200    200   200     200 200   200     200  200
GET    /api/status/style.css                 200    200   200     200 200   200     200  200
GET    /api/status/feed.xml                  404    404   404     404 404   404     404  404
GET    /api/auth/registration                200    200   200     200 200   200     200  200
PUT    /api/auth/registration                401    401   403     403 200   403     403  403
POST   /api/auth/register                    409    409   409     409 409   409     409  409
POST   /api/auth/login                       200    200   200     200 200   200     200  200
GET    /api/auth/me                          401    401   200     200 200   200     200  200
PUT    /api/auth/language                    401    401   200     200 200   403     200  200
PUT    /api/auth/time-zone                   401    401   200     200 200   403     200  200
POST   /api/auth/logout                      401    401   200     200 200   403     403  403
GET    /api/auth/sessions                    401    401   200     200 200   403     403  403
DELETE /api/auth/sessions                    401    401   200     200 200   403     403  403
DELETE /api/auth/sessions/:id                401    401   404     200 404   403     403  403
GET    /api/security-log                     401    401   403     403 200   403     403  403
GET    /api/users/                           401    401   403     403 200   403     403  200
POST   /api/users/                           401    401   403     403 409   403     403  403
GET    /api/users/:id                        401    401   404     200 200   200     200  200
PUT    /api/users/:id                        401    401   404     200 200   403     403  403
POST   /api/users/:id/change-password        401    401   404     422 422   403     403  403
DELETE /api/users/:id                        401    401   403     403 200   403     403  403
GET    /api/keys/                            401    401   200     200 200   403     403  403
POST   /api/keys/                            401    401   201     201 201   403     403  403
DELETE /api/keys/:id                         401    401   404     200 404   403     403  403
GET    /api/quotas/                          401    401   200     200 200   200     200  200
GET    /api/system/                          401    401   403     403 200   403     403  200
GET    /api/dashboard/                       401    401   200     200 200   200     200  200
GET    /api/wall/                            401    401   200     200 200   200     200  200
GET    /api/walls/                           401    401   200     200 200   403     403  403
POST   /api/walls/                           401    401   201     201 201   403     403  403
DELETE /api/walls/:id                        401    401   404     200 404   403     403  403
GET    /api/live                             401    401   200     200 200   200     200  200
GET    /api/monitors/                        401    401   200     200 200   200     200  200
POST   /api/monitors/                        401    401   201     201 201   403     201  201
POST   /api/monitors/probe                   401    401   200     200 200   403     200  200
POST   /api/monitors/bulk                    401    401   200     200 200   403     200  200
GET    /api/monitors/:id                     401    401   404     200 200   200     200  200
PUT    /api/monitors/:id                     401    401   404     200 200   403     200  200
DELETE /api/monitors/:id                     401    401   404     200 200   403     200  200
POST   /api/monitors/:id/pause               401    401   404     200 200   403     200  200
POST   /api/monitors/:id/resume              401    401   404     200 200   403     200  200
POST   /api/monitors/:id/mute                401    401   404     200 200   403     200  200
GET    /api/monitors/:id/dependencies        401    401   404     200 200   200     200  200
PUT    /api/monitors/:id/dependencies        401    401   404     200 200   403     200  200
DELETE /api/monitors/:id/mute                401    401   404     200 200   403     200  200
GET    /api/monitors/:id/alerts              401    401   404     200 404   200     200  404
GET    /api/monitors/:id/drill               401    401   404     200 404   200     200  404
POST   /api/monitors/:id/drill               401    401   404     409 404   403     409  404
POST   /api/monitors/:id/check               401    401   404     200 200   403     200  200
GET    /ping/:token                          404    404   404     404 404   404     404  404
POST   /ping/:token                          404    404   404     404 404   404     404  404
GET    /ping/:token/:action                  404    404   404     404 404   404     404  404
POST   /ping/:token/:action                  404    404   404     404 404   404     404  404
POST   /ping/:token/mute/:minutes            422    422   422     422 422   422     422  422
GET    /api/push/:token                      404    404   404     404 404   404     404  404
POST   /api/push/:token                      404    404   404     404 404   404     404  404
GET    /api/monitors/:id/pings               401    401   404     200 200   200     200  200
GET    /api/monitors/schedule                401    401   422     422 422   422     422  422
GET    /api/monitors/:id/checks              401    401   404     200 200   200     200  200
GET    /api/monitors/:id/runs                401    401   404     200 200   200     200  200
GET    /api/monitors/:id/objective           401    401   404     200 200   200     200  200
PUT    /api/monitors/:id/objective           401    401   404     200 200   403     200  200
DELETE /api/monitors/:id/objective           401    401   404     200 200   403     200  200
GET    /api/objectives                       401    401   200     200 200   200     200  200
PUT    /api/tags/:id/objective               401    401   404     200 404   403     200  404
DELETE /api/tags/:id/objective               401    401   404     200 404   403     200  404
GET    /api/monitors/:id/series              401    401   404     200 200   200     200  200
POST   /api/agents/register                  201    201   201     201 201   201     201  201
POST   /api/agents/report                    401    200   401     401 401   401     401  401
POST   /api/agents/live                      401    200   401     401 401   401     401  401
POST   /api/agents/token/generate            401    401   200     200 200   403     403  403
GET    /api/agents/tokens                    401    401   200     200 200   200     200  200
DELETE /api/agents/tokens/:id                401    401   404     200 404   403     403  403
GET    /api/agents/                          401    401   200     200 200   200     200  200
GET    /api/agents/:id                       401    401   404     200 200   200     200  200
PUT    /api/agents/:id                       401    401   404     200 200   403     200  200
DELETE /api/agents/:id                       401    401   404     200 200   403     200  200
POST   /api/agents/:id/mute                  401    401   404     200 200   403     200  200
GET    /api/agents/:id/dependencies          401    401   404     200 200   200     200  200
PUT    /api/agents/:id/dependencies          401    401   404     200 200   403     200  200
DELETE /api/agents/:id/mute                  401    401   404     200 200   403     200  200
GET    /api/agents/:id/alerts                401    401   404     200 404   200     200  404
GET    /api/agents/:id/drill                 401    401   404     200 404   200     200  404
POST   /api/agents/:id/drill                 401    401   404     409 404   403     409  404
GET    /api/agents/:id/metrics               401    401   404     200 200   200     200  200
GET    /api/agents/costs                     401    401   200     200 200   200     200  200
GET    /api/agents/:id/traffic               401    401   404     200 200   200     200  200
GET    /api/agents/:id/live                  401    401   404     200 200   200     200  200
GET    /api/tags/                            401    401   200     200 200   200     200  200
PUT    /api/tags/:id                         401    401   404     200 404   403     200  404
DELETE /api/tags/:id                         401    401   404     200 404   403     200  404
GET    /api/thresholds/                      401    401   200     200 200   200     200  200
POST   /api/thresholds/                      401    401   201     201 201   403     409  409
PUT    /api/thresholds/:id                   401    401   404     200 404   403     200  404
DELETE /api/thresholds/:id                   401    401   404     200 404   403     200  404
GET    /api/outages/                         401    401   200     200 200   200     200  200
POST   /api/outages/:id/acknowledge          401    401   404     200 200   403     200  200
DELETE /api/outages/:id/acknowledge          401    401   404     200 200   403     200  200
GET    /api/outages/acknowledge-link         422    422   422     422 422   422     422  422
POST   /api/outages/acknowledge-link         403    403   403     403 403   403     403  403
GET    /api/outages/:id                      401    401   404     200 200   200     200  200
PUT    /api/outages/:id/note                 401    401   404     200 200   403     200  200
GET    /api/outages/export                   401    401   200     200 200   200     200  200
GET    /api/outages/summary                  401    401   200     200 200   200     200  200
GET    /api/reports/                         401    401   200     200 200   200     200  200
GET    /api/reports/export                   401    401   200     200 200   200     200  200
GET    /api/reports/links                    401    401   200     200 200   200     200  200
POST   /api/reports/links                    401    401   201     201 201   403     201  201
DELETE /api/reports/links/:id                401    401   404     200 404   403     200  404
GET    /api/reports/shared/:token            200    200   200     200 200   200     200  200
GET    /api/notifications/                   401    401   200     200 200   200     200  200
GET    /api/notifications/history            401    401   200     200 200   200     200  200
GET    /api/notifications/exceptions         401    401   200     200 200   200     200  200
POST   /api/notifications/settings           401    401   200     200 200   403     200  200
POST   /api/notifications/channels           401    401   201     201 201   403     403  403
POST   /api/notifications/channels/test      401    401   200     200 200   403     403  403
POST   /api/notifications/channels/:id/test  401    401   404     200 404   403     200  404
PUT    /api/notifications/channels/:id       401    401   404     200 404   403     403  403
DELETE /api/notifications/channels/:id       401    401   404     200 404   403     403  403
GET    /api/notifications/policies           401    401   200     200 200   200     200  200
POST   /api/notifications/policies           401    401   422     201 422   403     201  422
PUT    /api/notifications/policies/:id       401    401   404     200 404   403     200  404
DELETE /api/notifications/policies/:id       401    401   404     200 404   403     200  404
POST   /api/notifications/templates/         401    401   201     201 201   403     409  409
POST   /api/notifications/templates/preview  401    401   200     200 200   403     200  200
PUT    /api/notifications/templates/:id      401    401   404     200 404   403     200  404
DELETE /api/notifications/templates/:id      401    401   404     200 404   403     200  404
GET    /api/status/config                    401    401   200     200 200   200     200  200
POST   /api/status/config                    401    401   200     200 200   403     200  200
POST   /api/status/preview                   401    401   200     200 200   403     200  200
GET    /api/export                           401    401   200     200 200   403     200  200
POST   /api/import                           401    401   200     200 200   403     200  200
`;

const words = (line: string) => line.trim().split(/\s+/);
const [heading, ...lines] = TABLE.split("\n").filter((line) => line.trim() !== "");
const actors = words(heading ?? "");
const rows = lines.map((line) => {
  const [method = "", path = "", ...statuses] = words(line);
  return { route: `${method} ${path}`, method, path, statuses: statuses.map(Number) };
});

/** The bodies of calls; other calls send none. */
const bodiesOf = ({ registration, report, channel, policy }: World): Record<string, unknown> => ({
  "PUT /api/auth/registration": { open: true },
  // A taken name and a missing password are refused before a password is hashed, which would take long.
  "POST /api/auth/register": { username: "bob", password: PASSWORD },
  "POST /api/users/": { username: "bob", password: PASSWORD },
  "POST /api/users/:id/change-password": {},
  "POST /api/auth/login": { username: "bob", password: PASSWORD },
  "PUT /api/auth/language": { language: "en-US" },
  "PUT /api/auth/time-zone": { time_zone: "Europe/Berlin" },
  "PUT /api/users/:id": { email: "bob@example.com", currentPassword: PASSWORD },
  "POST /api/keys/": { name: "backups", scope: "full" },
  "POST /api/walls/": { name: "Office" },
  "POST /api/monitors/probe": { url: NOWHERE },
  "POST /api/monitors/": { name: "shop", url: NOWHERE, interval: 60, active: false },
  "PUT /api/monitors/:id": { name: "shop", url: NOWHERE, interval: 60, retries: 0, active: false },
  "POST /api/monitors/bulk": { filter: {}, action: "pause", dry_run: true },
  "POST /api/monitors/:id/mute": { until_recovery: true },
  "PUT /api/monitors/:id/dependencies": { parents: [] },
  "POST /api/agents/:id/mute": { until_recovery: true },
  "PUT /api/agents/:id/dependencies": { parents: [] },
  "POST /api/outages/:id/acknowledge": { note: "on it" },
  "PUT /api/outages/:id/note": { text: "The disk was full." },
  "POST /api/reports/links": { period: "last_month" },
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
  "POST /api/status/config": { title: "Shop" },
  "POST /api/status/preview": { title: "Shop" },
  "POST /api/import": { format: "wakeful-configuration", version: 1 },
});

const setUp = async () => {
  const telegram = serveTelegram();
  const app = await createTestApp({ env: { TELEGRAM_API_URL: telegram.origin } });
  const world = await createWorld(app);
  const bodies = bodiesOf(world);
  const ask = async ({ route, method, path }: (typeof rows)[number], authorization: string): Promise<number> => {
    const body = bodies[route];
    const headers = {
      ...(authorization && { authorization }),
      ...(body ? { "content-type": "application/json" } : {}),
    };
    const target = await world.fill(method, path);
    // Manual checks of one monitor are 10 seconds apart.
    if (route.endsWith("/check")) await app.clock.advance(10_000);
    // Test messages of one user to one host are a second apart.
    if (route.endsWith("/test")) await app.clock.advance(1000);
    return (await call(app.send, target, { method, headers, body: body ? JSON.stringify(body) : null })).status;
  };
  return { app, world, ask };
};

it("the table has a line for every route, with a status for each actor", async () => {
  const { app } = await createTestApp();
  const routes = app.routes.map(({ method, path }) => `${method} ${path}`);
  expect(rows.map(({ route }) => route).toSorted()).toEqual(routes.toSorted());
  expect(rows.filter(({ statuses }) => statuses.length !== actors.length)).toEqual([]);
});

it("the API document states for every call the credentials that the table accepts, and its errors", async () => {
  const operations = operationsOf(await readDocument(await createTestApp()));
  const documented = new Map(operations.map(({ key, operation }) => [key, operation]));
  const differing = rows.flatMap(({ method, path, statuses }) => {
    const key = `${method} ${path.replace(/:(\w+)/g, "{$1}").replace(/(?<=.)\/$/, "")}`;
    const { security = [], responses = {} } = documented.get(key) ?? {};
    const of = (actor: string) => statuses[actors.indexOf(actor)] ?? 0;
    const isOpen = of("anonymous") !== 401;
    const accepted = {
      session: !isOpen && of("alice") !== 401,
      apiKey: !isOpen && ![401, 403].includes(of("alice's")),
      agentKey: !isOpen && of("agent") !== 401,
      metricsToken: path === "/metrics",
    };
    const expected = Object.entries(accepted).flatMap(([scheme, isAccepted]) => (isAccepted ? [scheme] : []));
    const found = security.flatMap((scheme) => Object.keys(scheme));
    const missing = [...new Set(statuses)].filter((status) => status >= 400 && !(status in responses));
    return found.join() === expected.join() && missing.length === 0
      ? []
      : [`${key}: documented ${found}, accepted ${expected}, undocumented ${missing}`];
  });
  expect(differing).toEqual([]);
});

it("every actor gets the status in the table for every route", async () => {
  const { world, ask } = await setUp();
  const differing: string[] = [];
  for (const row of rows) {
    const got: number[] = [];
    for (const actor of actors) got.push(await ask(row, await world.authorization(actor)));
    if (got.join() !== row.statuses.join()) differing.push(`${row.route}: ${got.join(" ")}`);
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
  const { app, world, ask } = await setUp();
  const dora = await addUser(app.deps, "dora", "admin");
  await app.as(world.alice).delete(`/api/users/${dora.id}`);
  const guarded = rows.filter(({ statuses }) => statuses[0] === 401);
  const opened: string[] = [];
  for (const [what, header] of Object.entries(await forgedSessions(app, world.alice, dora))) {
    for (const row of guarded) if ((await ask(row, header)) !== 401) opened.push(`${row.route}: ${what}`);
  }
  expect(opened).toEqual([]);
});
