import { expect } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findUser } from "../modules/accounts/account/service";
import { resetLink } from "../modules/accounts/reset/token";
import { verificationLink } from "../modules/accounts/verification/link";
import { temporaryFolder } from "./agent-program";
import { createTestApp } from "./app";
import { call, createClient, type TestResponse } from "./client";
import { createAuthenticator } from "./fixtures/factors/authenticator";
import { createKuma, SHOP, uploadOf } from "./fixtures/imports/kuma";
import { addAuthenticator, addUser, codeOfSetup, PASSWORD } from "./fixtures/people";
import { serveIssuer } from "./oidc/issuer";
import { bodyExampleOf, mismatches, operationsOf, readDocument } from "./openapi";
import { serveTelegram } from "./servers/providers";
import { serveSmtp } from "./servers/smtp";

type Input = {
  id?: number | string;
  /** The other parameters of the path, in place of the document's examples. */
  params?: Record<string, number | string>;
  body?: object | string;
  /** In place of a body. */
  form?: FormData;
  headers?: Record<string, string>;
  query?: string;
};

/** Calls are made from the document, with its examples by default, and their answers are compared with it. */
export const startDocumentedApp = async () => {
  const telegram = serveTelegram();
  const folder = temporaryFolder();
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "wakeful-linux-amd64"), "a program");
  const { port } = await serveSmtp();
  const issuer = serveIssuer();
  const app = await createTestApp({
    env: {
      ...{ TELEGRAM_API_URL: telegram.origin, DOWNLOADS_DIR: folder, PUBLIC_URL: "http://localhost" },
      ...{ SMTP_URL: `smtp://127.0.0.1:${port}?security=none`, MAIL_FROM: "wakeful@example.com" },
      ...{ OIDC_ISSUER: issuer.origin, OIDC_CLIENT_ID: "wakeful", OIDC_AUTO_CREATE: "1" },
    },
  });
  const document = await readDocument(app);
  const operations = new Map(operationsOf(document).map((found) => [found.key, found.operation]));
  const answered = new Map<string, Set<number>>();
  const callAs = async (
    key: string,
    token = "",
    { id = "", params = {}, body, form, headers, query }: Input = {},
  ): Promise<TestResponse> => {
    const operation = operations.get(key);
    const [method = "", template = ""] = key.split(" ");
    const given: Input["params"] = { id, ...params };
    const path = template.replace(/\{(\w+)\}/g, (_, name) =>
      String(given[name] ?? operation?.parameters?.find((one) => one.name === name)?.example),
    );
    const search = operation?.parameters?.flatMap((one) =>
      one.in === "query" && one.example !== undefined ? [`${one.name}=${one.example}`] : [],
    );
    const sent = body ?? bodyExampleOf(operation);
    const client = createClient(app.send, token);
    const send = client[method.toLowerCase() as keyof typeof client];
    const address = `${path}?${query ?? search?.join("&") ?? ""}`;
    const answer = form
      ? await call(app.send, address, { method, headers: { authorization: `Bearer ${token}` }, body: form })
      : await send(address, sent, headers);
    expect(mismatches(document, key, answer)).toEqual([]);
    answered.set(key, (answered.get(key) ?? new Set()).add(answer.status));
    return answer;
  };
  return { app, issuer, document, operations, callAs, answered };
};

export type Documented = Awaited<ReturnType<typeof startDocumentedApp>>;

/** Creates a team, invites a member by a link, and moves what is there to the team and back. */
export const teamByDocument = async (
  { app, callAs }: Documented,
  owner: string,
  targets: Record<"monitors" | "agents" | "channels", number>,
) => {
  const { id: user, token: member } = await addUser(app.deps, "carla");
  const { id } = JSON.parse((await callAs("POST /api/teams", owner)).text).team;
  const invite = async () => JSON.parse((await callAs("POST /api/teams/{id}/invitations", owner, { id })).text);
  const { token } = await invite();
  await callAs("GET /api/teams/{id}/invitations", owner, { id });
  await callAs("POST /api/invitations/preview", "", { body: { token } });
  await callAs("POST /api/invitations/{token}/accept", member, { params: { token } });
  const { invitation } = await invite();
  await callAs("DELETE /api/teams/{id}/invitations/{invitation}", owner, { id, params: { invitation: invitation.id } });
  await callAs("PUT /api/teams/{id}/members/{user}", owner, { id, params: { user } });
  for (const key of ["GET /api/teams/{id}", "GET /api/teams/{id}/members", "PUT /api/teams/{id}"])
    await callAs(key, owner, { id });
  await callAs("PUT /api/notifications/follows/{id}", owner, { id, body: { channels: [targets.channels] } });
  await callAs("GET /api/notifications/follows", owner);
  await callAs("DELETE /api/teams/{id}/members/{user}", owner, { id, params: { user } });
  for (const [kind, target] of Object.entries(targets))
    await callAs(`POST /api/${kind}/{id}/move`, owner, { id: target, body: { team: id, drop: true } });
  const [personal] = JSON.parse((await callAs("GET /api/teams", owner)).text).teams;
  for (const [kind, target] of Object.entries(targets))
    await callAs(`POST /api/${kind}/{id}/move`, owner, { id: target, body: { team: personal.id } });
  await callAs("DELETE /api/teams/{id}", owner, { id });
};

/** Plans a maintenance window, starts another one and ends it. */
export const maintainByDocument = async ({ callAs }: Documented, owner: string): Promise<void> => {
  await callAs("POST /api/windows/start", owner, { body: { minutes: 20, all: true } });
  const { id } = JSON.parse((await callAs("POST /api/windows", owner)).text).window;
  await callAs("POST /api/windows/preview", owner);
  await callAs("GET /api/windows", owner);
  const calls = [
    "GET /api/windows/{id}",
    "PUT /api/windows/{id}",
    "POST /api/windows/{id}/end",
    "DELETE /api/windows/{id}",
  ];
  for (const key of calls) await callAs(key, owner, { id });
};

/** Creates a status page, changes and deletes it. */
export const publishByDocument = async ({ callAs }: Documented, owner: string): Promise<void> => {
  const { id } = JSON.parse((await callAs("POST /api/pages", owner)).text).page;
  await callAs("GET /api/pages", owner);
  for (const method of ["GET", "PUT"]) await callAs(`${method} /api/pages/{id}`, owner, { id });
  await callAs("POST /api/pages/{id}/preview", owner, { id });
  const { slug } = JSON.parse((await callAs("GET /api/pages/{id}", owner, { id })).text).page;
  await callAs("GET /api/status/subscribe", "", { query: `page=${slug}` });
  await callAs("POST /api/status/subscribe", "", { query: `page=${slug}` });
  const { subscribers } = JSON.parse((await callAs("GET /api/pages/{id}/subscribers", owner, { id, query: "" })).text);
  await callAs("GET /api/pages/{id}/subscribers/export", owner, { id });
  const params = { subscriber: subscribers[0].id };
  await callAs("DELETE /api/pages/{id}/subscribers/{subscriber}", owner, { id, params });
  await callAs("GET /api/status/badge/{file}", "", { query: `page=${slug}` });
  await callAs("PUT /api/pages/{id}", owner, { id, body: { access: "members" } });
  await callAs("POST /api/status/session", owner, { query: `page=${slug}` });
  for (const method of ["POST", "DELETE"]) await callAs(`${method} /api/pages/{id}/key`, owner, { id });
  await callAs("DELETE /api/pages/{id}", owner, { id });
};

/** Publishes an incident on the status page, writes about it, and writes a template. */
export const publishIncidentsByDocument = async ({ callAs }: Documented, owner: string): Promise<void> => {
  const { incident } = JSON.parse((await callAs("POST /api/incidents", owner)).text);
  const id = incident.id;
  await callAs("GET /api/incidents", owner);
  await callAs("GET /api/incidents/{id}", owner, { id });
  await callAs("PUT /api/incidents/{id}", owner, { id });
  await callAs("POST /api/incidents/{id}/updates", owner, {
    id,
    body: { status: "identified", body: "A disk is full." },
  });
  const update = incident.updates[0].id;
  await callAs("PUT /api/incidents/{id}/updates/{update}", owner, { id, params: { update } });
  await callAs("GET /api/status/incidents/{key}", "", { params: { key: incident.key }, query: "" });
  await callAs("DELETE /api/incidents/{id}", owner, { id });
  const { text } = JSON.parse((await callAs("POST /api/incidents/texts", owner)).text);
  await callAs("GET /api/incidents/texts", owner);
  await callAs("PUT /api/incidents/texts/{id}", owner, { id: text.id });
  await callAs("DELETE /api/incidents/texts/{id}", owner, { id: text.id });
};

/** Calls as a user, who goes on with the token of an answer. */
const askAs =
  ({ callAs }: Documented, user: { token: string }) =>
  async (key: string, body?: object, id = 0) => {
    const answer = JSON.parse((await callAs(key, user.token, { body, id })).text);
    if (answer.token) user.token = answer.token;
    return answer;
  };

/** Adds a passkey to an account, and signs in, proves who it is, and changes it with it. */
const passkeyByDocument = async (documented: Documented): Promise<void> => {
  const user = await addUser(documented.app.deps, "fay");
  const ask = askAs(documented, user);
  const key = createAuthenticator({ origin: "http://localhost", host: "localhost" });
  const { options } = await ask("POST /api/auth/passkeys/options");
  const { passkey } = await ask("POST /api/auth/passkeys", { name: "Laptop", credential: key.create(options) });
  await ask("PUT /api/auth/passkeys/{id}", undefined, passkey.id);
  await ask("GET /api/auth/factors");
  const proof = await ask("POST /api/auth/proof/options");
  await ask("POST /api/auth/proof", { passkey: key.get(proof.options) });
  await ask("POST /api/auth/login", { username: user.username, password: PASSWORD });
  const request = await ask("POST /api/auth/passkey/options");
  await ask("POST /api/auth/passkey", { passkey: key.get(request.options) });
  await ask("DELETE /api/auth/passkeys/{id}", undefined, passkey.id);
};

/** Adds second factors to accounts, signs in with them, and lets an administrator remove them. */
export const signInByDocument = async (documented: Documented, admin: string): Promise<void> => {
  await passkeyByDocument(documented);
  const { app, callAs } = documented;
  const user = await addUser(app.deps, "dora");
  const ask = askAs(documented, user);
  await ask("POST /api/auth/proof", { password: PASSWORD });
  const { setup } = await ask("POST /api/auth/totp");
  await ask("PUT /api/auth/totp", { setup, code: codeOfSetup(setup, app.clock.now()) });
  const { recovery_codes } = await ask("POST /api/auth/recovery-codes");
  const { ticket } = await ask("POST /api/auth/login", { username: user.username, password: PASSWORD });
  await ask("POST /api/auth/second-factor", { ticket, recovery: recovery_codes[0] });
  await callAs("GET /api/users/{id}", admin, { id: user.id });
  await ask("DELETE /api/auth/totp");
  await addAuthenticator(app, user);
  await callAs("DELETE /api/users/{id}/second-factors", admin, { id: user.id });
  await callAs("DELETE /api/users/{id}", admin, { id: user.id });
};

/** Verifies the address of a user and sets a new password, by links as mails have them. */
export const openMailedLinks = async ({ app, callAs }: Documented, userId: number) => {
  const user = await findUser(app.deps, userId);
  if (!user) throw new Error("the user does not exist");
  const tokenOf = (link: string) => link.split("#")[1];
  await callAs("POST /api/auth/verify-email", "", { body: { token: tokenOf(verificationLink(app.deps, user)) } });
  const password = "another good password";
  await callAs("POST /api/auth/reset", "", { body: { token: tokenOf(resetLink(app.deps, user)), password } });
};

/** Signs in at an issuer, links an account to it, and signs in by a proxy. */
export const signInElsewhere = async ({ app, issuer, callAs }: Documented, token: string) => {
  const path = "/api/auth/oidc";
  for (const [start, callback, as, sub] of [
    ["start", "callback", "", "frank"],
    ["link/start", "link/callback", token, "alice"],
  ] as const) {
    issuer.lies.user = { sub, preferred_username: sub };
    const { url, ticket } = JSON.parse((await callAs(`POST ${path}/${start}`, as)).text);
    await callAs(`POST ${path}/${callback}`, as, { body: { ticket, query: issuer.authorize(url) } });
  }
  await callAs(`GET ${path}/identity`, token);
  await callAs(`DELETE ${path}/identity`, token);
  const { config } = app.deps;
  const before = { authHeader: config.authHeader, trustedProxies: config.trustedProxies };
  Object.assign(config, { authHeader: { ...before.authHeader, name: "Remote-User" }, trustedProxies: ["127.0.0.1"] });
  await callAs("POST /api/auth/header", "", { headers: { "remote-user": "erin" } });
  Object.assign(config, before);
};

/** Previews and imports a file of another product, and reads the report. */
export const importByDocument = async ({ callAs }: Documented, token: string) => {
  const form = uploadOf(createKuma(2, SHOP));
  const { id } = JSON.parse((await callAs("POST /api/import/preview", token, { form })).text);
  await callAs("POST /api/import/preview/{id}/apply", token, { id });
  for (const ending of ["", ".csv"]) await callAs(`GET /api/import/preview/{id}/report${ending}`, token, { id });
};
