import { expect, it } from "bun:test";
import { hashSecret } from "../../core/secrets";
import { heartbeats, reportLinks } from "../../db/schema";
import { checkError } from "../../shared/check-error";
import { call } from "../../testing/client";
import {
  type Documented,
  importByDocument,
  maintainByDocument,
  openMailedLinks,
  publishByDocument,
  publishIncidentsByDocument,
  signInByDocument,
  signInElsewhere,
  startDocumentedApp,
  teamByDocument,
} from "../../testing/documented-app";
import { machine, reportOf, sampleAt } from "../../testing/fixtures/agents";
import { sessionOf } from "../../testing/fixtures/forged-sessions";
import { recordOnly } from "../../testing/fixtures/monitors";
import { addUser } from "../../testing/fixtures/people";
import { bodyExampleOf, mismatches } from "../../testing/openapi";
import { serveStatus } from "../../testing/servers/targets";
import { startSession } from "../accounts/sessions/service";
import { LINK_AGE, signLink } from "../alerting/outages/acknowledge/link";

/** The first administrator, signed in by the document's own examples. */
const signUp = async (callAs: Documented["callAs"]) => {
  await callAs("POST /api/auth/register");
  return (await callAs("POST /api/auth/login")).body;
};

/** Acknowledges an outage of a monitor by a call, and by a link in a message to a channel. */
const acknowledgeByDocument = async (
  { app, callAs }: Documented,
  { token, monitor, channel }: { token: string; monitor: number; channel: number },
) => {
  await recordOnly(app, monitor, [
    { at: app.clock.now() + 1, up: false, error: checkError("timeout", { seconds: 20 }) },
  ]);
  const { id } = (await callAs("GET /api/outages", token, { query: "open=1" })).body.outages[0] ?? { id: 0 };
  await callAs("POST /api/outages/{id}/acknowledge", token, { id });
  await callAs("PUT /api/outages/{id}/note", token, { id });
  await callAs("GET /api/outages", token, { query: "open=1" });
  await callAs("GET /api/dashboard", token);
  await callAs("DELETE /api/outages/{id}/acknowledge", token, { id });
  const link = signLink(app.deps, { outageIds: [id], channelId: channel, expiresAt: app.clock.now() + LINK_AGE });
  await callAs("GET /api/outages/acknowledge-link", "", { query: `id=${id}&token=${link}` });
  await callAs("POST /api/outages/acknowledge-link", "", { body: { id, token: link, name: "Bob" } });
};

/** Creates a heartbeat with the token of the document's examples, and reads its pings. */
const pingByDocument = async ({ app, operations, callAs }: Documented, token: string) => {
  const config = { cron: "0 3 * * *", tz: "Europe/Berlin", grace: 3600, slug: "nightly-backup" };
  const body = { name: "backup", kind: "heartbeat", config };
  const { id } = (await callAs("POST /api/monitors", token, { body })).body.monitor;
  const example = operations.get("GET /ping/{token}")?.parameters?.find(({ name }) => name === "token")?.example;
  await app.db.update(heartbeats).set({ token: String(example) });
  const { key } = JSON.parse((await callAs("POST /api/ping-keys", token)).text);
  await callAs("GET /api/ping-keys", token);
  await callAs("GET /api/monitors/{id}", token, { id });
  for (const key of operations.keys()) if (/ \/(ping|api\/push)\//.test(key)) await callAs(key);
  await callAs("GET /api/monitors/{id}", token, { id });
  await callAs("POST /api/monitors/{id}/pings", token, { id });
  await callAs("GET /api/monitors/{id}/pings", token, { id, query: "" });
  await callAs("DELETE /api/ping-keys/{id}", token, { id: key.id });
};

/** Opens a link to a report with the token of the document's examples, and revokes it. */
const openReportLink = async ({ app, operations, callAs }: Documented, token: string) => {
  const { link } = JSON.parse((await callAs("POST /api/reports/links", token)).text);
  const path = "GET /api/reports/shared/{token}";
  const example = operations.get(path)?.parameters?.find(({ name }) => name === "token")?.example;
  await app.db.update(reportLinks).set({ hash: hashSecret(String(example)) });
  await callAs(path);
  await callAs("DELETE /api/reports/links/{id}", token, { id: link.id });
};

it("every successful call answers as the document describes, with the examples of the document", async () => {
  const documented = await startDocumentedApp();
  const { app, operations, callAs, answered } = documented;
  const target = serveStatus();
  const { token: alice, user } = await signUp(callAs);
  const monitor = { name: "shop", url: target.url, interval: 60 };
  const { id: shop } = (await callAs("POST /api/monitors", alice)).body.monitor;
  await callAs("PUT /api/monitors/{id}", alice, { id: shop, body: monitor });
  for (const status of [503, 200]) {
    target.answer.status = status;
    await callAs("POST /api/monitors/{id}/check", alice, { id: shop });
  }
  await callAs("POST /api/monitors/bulk", alice, {
    body: { ids: [shop, 999_999], set: { retries: 2 }, dry_run: true },
  });
  await callAs("POST /api/monitors/{id}/pause", alice, { id: shop });
  await callAs("POST /api/monitors/{id}/resume", alice, { id: shop });
  await callAs("POST /api/monitors/{id}/mute", alice, { id: shop, body: { minutes: 60 } });
  await callAs("GET /api/monitors/{id}", alice, { id: shop });
  await callAs("DELETE /api/monitors/{id}/mute", alice, { id: shop });

  await pingByDocument(documented, alice);

  const { token } = (await callAs("POST /api/agents/token/generate", alice)).body;
  const enrolled = (await callAs("POST /api/agents/register", "", { body: { token, ...machine() } })).body;
  const { id: server } = enrolled.agent;
  await callAs("GET /api/agents/{id}", alice, { id: server });
  const full = sampleAt(app.clock.now(), {
    disks: [{ mount: "/", total: 100, used: 95 }],
    swap: { total: 10, used: 1 },
    load: [0.5, 0.4, 0.3],
    boot_time: "2026-01-02T08:00:00Z",
  });
  await callAs("POST /api/agents/report", enrolled.key, { body: reportOf([full]) });
  await callAs("POST /api/agents/report", enrolled.key);
  await callAs("GET /api/agents/{id}/live", alice, { id: server });
  await callAs("POST /api/agents/live", enrolled.key);
  await callAs("PUT /api/agents/{id}", alice, { id: server });
  const [tag] = (await callAs("GET /api/tags", alice)).body.tags;
  await callAs("PUT /api/tags/{id}", alice, { id: tag?.id ?? 0 });
  await callAs("PUT /api/tags/{id}/objective", alice, { id: tag?.id ?? 0 });
  await callAs("GET /api/objectives", alice);
  await callAs("DELETE /api/tags/{id}/objective", alice, { id: tag?.id ?? 0 });
  await callAs("DELETE /api/tags/{id}", alice, { id: tag?.id ?? 0 });
  await callAs("PUT /api/monitors/{id}/objective", alice, { id: shop });
  await callAs("GET /api/monitors/{id}/objective", alice, { id: shop });
  await callAs("DELETE /api/monitors/{id}/objective", alice, { id: shop });
  await callAs("POST /api/agents/{id}/mute", alice, { id: server });
  await callAs("GET /api/agents/{id}", alice, { id: server });
  await callAs("DELETE /api/agents/{id}/mute", alice, { id: server });
  await callAs("PUT /api/agents/{id}/dependencies", alice, { id: server });
  const parents = [{ type: "agent", id: server }];
  await callAs("PUT /api/monitors/{id}/dependencies", alice, { id: shop, body: { parents } });

  const figure = { scope: "agent", agent_id: server, metric: "temperature", subject: "cpu", threshold: 80, minutes: 5 };
  const { id: threshold } = (await callAs("POST /api/thresholds", alice, { body: figure })).body.threshold;
  await callAs("PUT /api/thresholds/{id}", alice, { id: threshold, body: { ...figure, scope: "all" } });
  await callAs("GET /api/thresholds", alice);
  await callAs("DELETE /api/thresholds/{id}", alice, { id: threshold });

  const { id: channel } = (await callAs("POST /api/notifications/channels", alice)).body.data;
  await callAs("PUT /api/notifications/channels/{id}", alice, { id: channel });
  await callAs("POST /api/notifications/channels/test", alice);
  await callAs("POST /api/notifications/channels/{id}/test", alice, { id: channel });
  await acknowledgeByDocument(documented, { token: alice, monitor: shop, channel });
  await callAs("POST /api/notifications/templates/preview", alice);
  const { id: template } = (await callAs("POST /api/notifications/templates", alice)).body.data;
  await callAs("PUT /api/notifications/templates/{id}", alice, { id: template });
  await callAs("GET /api/notifications", alice);
  await callAs("DELETE /api/notifications/templates/{id}", alice, { id: template });
  for (const target of [{}, { target_type: "monitor", target_id: shop }, { target_type: "agent", target_id: server }])
    await callAs("POST /api/notifications/settings", alice, {
      body: { target_type: "global-agent", enabled: true, channels: [channel], override_global: true, ...target },
    });
  const night = { name: "Night", steps: [{ after_minutes: 0, channels: [channel] }] };
  const { id: policy } = (await callAs("POST /api/notifications/policies", alice, { body: night })).body.data;
  await callAs("PUT /api/notifications/policies/{id}", alice, { id: policy, body: night });
  const withPolicy = { target_type: "global-monitor", policy_id: policy };
  await callAs("POST /api/notifications/settings", alice, { body: withPolicy });
  for (const [path, id] of [
    ["/api/monitors/{id}/drill", shop],
    ["/api/agents/{id}/drill", server],
  ] as const)
    for (const method of ["GET", "POST"]) await callAs(`${method} ${path}`, alice, { id });
  await openReportLink(documented, alice);
  const schedule = { every: "month", hour: 8, channels: [channel] };
  const { id: sent } = JSON.parse(
    (await callAs("POST /api/reports/schedules", alice, { body: schedule })).text,
  ).schedule;
  await callAs("PUT /api/reports/schedules/{id}", alice, { id: sent, body: schedule });
  await callAs("POST /api/reports/schedules/{id}/send", alice, { id: sent });
  await callAs("GET /api/reports/schedules", alice);
  await maintainByDocument(documented, alice);
  await publishByDocument(documented, alice);
  await callAs("GET /api/notifications/history", alice, { query: "" });
  await callAs("DELETE /api/reports/schedules/{id}", alice, { id: sent });
  await callAs("POST /api/status/config", alice);
  await callAs("POST /api/status/config", alice, { body: { title: "Acme", monitors: [shop], agents: [server] } });
  await publishIncidentsByDocument(documented, alice);
  const { etag } = Object.fromEntries((await callAs("GET /api/status/data")).headers);
  expect((await callAs("GET /api/status/data", "", { headers: { "if-none-match": String(etag) } })).status).toBe(304);

  const bob = (await callAs("POST /api/users", alice)).body.user;
  const person = bodyExampleOf(operations.get("POST /api/users"));
  const { token: bobs } = (await callAs("POST /api/auth/login", "", { body: person })).body;
  // An administrator sees the owner.
  const { id: theirs } = (await callAs("POST /api/monitors", bobs)).body.monitor;
  expect((await callAs("GET /api/monitors/{id}", alice, { id: theirs })).body.monitor.owner).toBe(bob.username);
  const key = (await callAs("POST /api/keys", alice)).body;
  for (const [read, operation] of operations) {
    if (!read.startsWith("GET ")) continue;
    const id = read.includes("/monitors/") ? shop : read.includes("/agents/") ? server : user.id;
    const asked = operation.security.length > 0 ? alice : "";
    for (const query of [undefined, ""]) await callAs(read, asked, { id, query });
  }
  await callAs("GET /api/monitors", key.key);
  await callAs("PUT /api/auth/language", alice);
  await callAs("PUT /api/auth/time-zone", alice);
  await callAs("PUT /api/users/{id}", alice, { id: bob.id });
  await callAs("POST /api/users/{id}/change-password", alice, { id: bob.id });
  await teamByDocument(documented, alice, { monitors: shop, agents: server, channels: channel });
  await callAs("DELETE /api/notifications/policies/{id}", alice, { id: policy });
  await callAs("DELETE /api/notifications/channels/{id}", alice, { id: channel });
  await callAs("DELETE /api/monitors/{id}", alice, { id: shop });
  await callAs("DELETE /api/agents/{id}", alice, { id: server });
  await callAs("POST /api/agents/token/generate", alice);
  const { tokens } = (await callAs("GET /api/agents/tokens", alice)).body;
  await callAs("DELETE /api/agents/tokens/{id}", alice, { id: tokens[0].id });
  await openMailedLinks(documented, bob.id);
  await signInElsewhere(documented, alice);
  await callAs("DELETE /api/users/{id}", alice, { id: bob.id });
  await callAs("DELETE /api/keys/{id}", alice, { id: key.data.id });
  const wall = (await callAs("POST /api/walls", alice)).body;
  const shown = await callAs("GET /api/wall", wall.key, { query: "" });
  const known = { headers: { "if-none-match": String(shown.headers.get("etag")) }, query: "" };
  expect((await callAs("GET /api/wall", wall.key, known)).status).toBe(304);
  await callAs("DELETE /api/walls/{id}", alice, { id: wall.data.id });
  await importByDocument(documented, alice);
  await callAs("PUT /api/auth/registration", alice);
  await signInByDocument(documented, alice);

  const elsewhere = await startSession(app.deps, { ...user, tokenVersion: 0 }, { userAgent: "", address: "" });
  await callAs("DELETE /api/auth/sessions/{id}", alice, { id: elsewhere.sid });
  await callAs("DELETE /api/auth/sessions", alice, { query: "" });
  // All calls that depend on nothing created before.
  for (const key of operations.keys()) if (!answered.has(key) && !key.endsWith("/logout")) await callAs(key, alice);
  await callAs("POST /api/auth/logout", alice);

  const well = [...answered].filter(([, statuses]) => [...statuses].some((status) => status < 300));
  expect(well.map(([key]) => key).toSorted()).toEqual([...operations.keys()].toSorted());
});

it("every refused call answers as the document describes", async () => {
  const { app, document, operations, callAs } = await startDocumentedApp();
  const { token: alice, user } = await signUp(callAs);
  const bob = (await callAs("POST /api/users", alice)).body.user;
  const credentials = { username: "bob", password: "correct horse battery" };
  const { token: asBob } = (await callAs("POST /api/auth/login", "", { body: credentials })).body;
  const reading = (await callAs("POST /api/keys", alice)).body.key;
  const carol = await addUser(app.deps, "carol");
  const codes = new Set<string>();
  const refusedCall = async (...call: Parameters<typeof callAs>) => {
    const { status, body } = await callAs(...call);
    codes.add(body.code);
    return status;
  };
  for (const [key, { security, requestBody }] of operations) {
    // Some calls end the sessions of the user who makes them, or replace their tokens.
    const ends = /\/auth\/(logout|sessions|proof|totp|passkeys|recovery-codes)/.test(key);
    const session = ends ? await sessionOf(app, carol) : alice;
    const secret = security.length > 0 ? session : "";
    if (security.length > 0) expect([key, await refusedCall(key, "", { id: 1 })]).toEqual([key, 401]);
    if (security.some((scheme) => "session" in scheme)) {
      await refusedCall(key, reading, { id: 99_999 });
      await refusedCall(key, asBob, { id: user.id });
    }
    if (key.includes("{id}")) for (const id of ["x", 0, 99_999]) await refusedCall(key, secret, { id });
    if (requestBody) for (const body of [{}, [], "text"]) await refusedCall(key, secret, { id: bob.id, body });
    await refusedCall(key, secret, { id: 99_999, query: "limit=x&status=x&range=x&page=x&type=x" });
  }
  await refusedCall("POST /api/auth/register");
  await refusedCall("POST /api/users", alice, {
    body: { username: "dora", password: "long enough", email: "ALICE@example.com" },
  });
  await refusedCall("PUT /api/users/{id}", alice, { id: user.id, body: { role: "user" } });
  await refusedCall("DELETE /api/users/{id}", alice, { id: user.id });
  const wrong = { currentPassword: "something else", newPassword: "long enough" };
  await refusedCall("POST /api/users/{id}/change-password", alice, { id: user.id, body: wrong });
  await refusedCall("POST /api/auth/login", "", { body: { username: "alice", password: "something else" } });
  await refusedCall("PUT /api/auth/registration", alice);
  await refusedCall("POST /api/auth/register");
  // Callers are authenticated before their body is parsed, and an agent's report needs a key of its own.
  const headers = { authorization: `Bearer ${alice}`, "content-type": "application/json" };
  for (const [key, { requestBody }] of operations) {
    const [method = "", path = ""] = key.split(" ");
    if (!requestBody || /\/(report|live)$/.test(key)) continue;
    const broken = await call(app.send, path.replace("{id}", "1"), { method, headers, body: "{" });
    expect([key, broken.body.code, mismatches(document, key, broken)]).toEqual([key, "malformed_json", []]);
  }
  expect([...codes]).toEqual(
    expect.arrayContaining([
      "unauthorized",
      "forbidden",
      "read_only_key",
      "session_required",
      "not_found",
      "invalid_id",
      "validation",
      "username_taken",
      "email_taken",
      "last_admin",
      "cannot_delete_self",
      "wrong_password",
      "registration_closed",
      "invalid_credentials",
      "token_invalid",
    ]),
  );
});
