import { expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { securityLog, sessions, users } from "../../../db/schema";
import { MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { createAuthenticator } from "../../../testing/fixtures/factors/authenticator";
import { addPasskey, PASSWORD, type TestUser } from "../../../testing/fixtures/people";
import { type serveIssuer, signWithPublicKey } from "../../../testing/oidc/issuer";
import { startWithIssuer, startWithPeople } from "../../../testing/oidc/issuer-hub";

it("a user of the issuer gets an account at the first sign-in and has it at every later one, whatever their name is then", async () => {
  const { app, issuer, signIn } = await startWithPeople();
  Object.assign(issuer.lies.user, { sub: "dora-1", preferred_username: "dora", email: "dora@example.com" });
  const first = await signIn();
  expect(first.body).toMatchObject({ user: { username: "dora", email: "dora@example.com", role: "user" } });
  expect(
    (await app.as({ ...first.body.user, token: first.body.token, teamId: 0 }).get("/api/auth/me")).body,
  ).toMatchObject({
    ...{ user: { username: "dora" }, email_verified: true, has_password: false },
  });
  const created = await app.db.select().from(securityLog).where(eq(securityLog.kind, "registered"));
  expect(created).toMatchObject([{ userId: first.body.user.id, username: "dora", action: "created" }]);
  Object.assign(issuer.lies.user, { preferred_username: "dora-married", email: "new@example.com" });
  const second = await signIn();
  expect(second.body.user).toEqual(first.body.user);
  expect(await app.db.$count(users)).toBe(4);
});

it("the issuer is asked for a code with PKCE, state and nonce, and takes the client by its secret", async () => {
  const { issuer, begin, signIn } = await startWithPeople();
  const { searchParams } = new URL((await begin()).url);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    ...{ response_type: "code", client_id: "wakeful", scope: "openid profile email", code_challenge_method: "S256" },
    redirect_uri: "https://watch.example/login/oidc",
  });
  for (const name of ["state", "nonce", "code_challenge"]) expect(searchParams.get(name)).toHaveLength(43);
  await signIn();
  const exchange = issuer.requests.find(({ path }) => path === "/token");
  expect(exchange?.headers.authorization).toBe(`Basic ${btoa("wakeful:a+secret")}`);
});

it("a name and an address that other users have are not taken over", async () => {
  const { app, issuer, alice, signIn } = await startWithPeople();
  await app.as(alice).put(`/api/users/${alice.id}`, { email: "alice@example.com", currentPassword: PASSWORD });
  expect((await signIn()).body.user).toMatchObject({ username: "alice-2", email: null, role: "user" });
  Object.assign(issuer.lies.user, { sub: "x", preferred_username: "\u202eadmin", email: "no address" });
  expect((await signIn()).body.user).toMatchObject({ username: "user", email: null });
});

it("without OIDC_AUTO_CREATE only linked users sign in", async () => {
  const { app, bob, signIn, link } = await startWithPeople({ OIDC_AUTO_CREATE: "0" });
  expect((await signIn()).body.code).toBe("no_account");
  expect((await link(bob)).status).toBe(200);
  expect((await signIn()).body.user).toMatchObject({ username: "bob" });
  expect((await app.as(bob).get("/api/auth/oidc/identity")).body).toMatchObject({
    identity: { linked_at: expect.any(String) },
  });
});

it("no one becomes the first administrator by an account at the issuer alone", async () => {
  const { app, issuer, signIn } = await startWithIssuer();
  expect((await signIn()).body.code).toBe("setup_code_required");
  expect(await app.db.$count(users)).toBe(0);
  const byGroup = await startWithIssuer({ OIDC_ADMIN_GROUP: "admins" });
  byGroup.issuer.lies.user = { ...issuer.lies.user, groups: ["admins"] };
  expect((await byGroup.signIn()).body.user).toMatchObject({ username: "alice", role: "admin" });
});

const now = () => Math.floor(Date.now() / 1000);
type Lies = ReturnType<typeof serveIssuer>["lies"];
const claims = (change: object): Partial<Lies> => ({ claims: (right) => ({ ...right, ...change }) });

/** False answers of the issuer, which are refused. */
const LIES: [what: string, lies: Partial<Lies>][] = [
  ["another issuer", claims({ iss: "https://evil.example" })],
  ["another audience", claims({ aud: "shop" })],
  ["another audience besides, without an authorized party", claims({ aud: ["wakeful", "shop"] })],
  ["another nonce", claims({ nonce: "x".repeat(43) })],
  ["no nonce", claims({ nonce: undefined })],
  ["no expiry", claims({ exp: undefined })],
  ["an expired token", claims({ exp: now() - 61 })],
  ["a token of a clock that is 5 minutes late", claims({ iat: now() - 300, exp: now() - 300 + 120 })],
  ["a token that is valid in 5 minutes", claims({ nbf: now() + 300 })],
  ["no subject", claims({ sub: undefined })],
  ["a subject that is a number", claims({ sub: 7 })],
  ["a subject of 256 characters", { user: { sub: "x".repeat(256), preferred_username: "x" } }],
  ["a subject of 1 MB", { user: { sub: "x".repeat(1_000_000), preferred_username: "x" } }],
  ["alg none", { header: { alg: "none" }, sign: () => "" }],
  ["alg none with a signature", { header: { alg: "none" } }],
  ["HS256 by the public key", { header: { alg: "HS256" }, sign: signWithPublicKey }],
  ["a signature of another key under the same name", { signedBy: 1, header: { kid: "first" } }],
  ["a key that was rotated away", { signedBy: 0, published: [1] }],
  ["a changed signature", { sign: () => "x".repeat(342) }],
  ["keys of 1 MB", { answers: { "/jwks": () => Response.json({ keys: [], more: "x".repeat(1_000_000) }) } }],
  ["a redirect in place of the keys", { answers: { "/jwks": () => Response.redirect("http://192.0.2.1/keys") } }],
  ["a redirect in place of the token", { answers: { "/token": () => Response.redirect("http://192.0.2.1/token") } }],
  ["a page in place of the token", { answers: { "/token": () => new Response("<html>") } }],
  ["no token", { answers: { "/token": () => Response.json({ access_token: "x", token_type: "Bearer" }) } }],
  ["an error", { answers: { "/token": () => new Response(null, { status: 500 }) } }],
  ["details of another user", { userinfo: { sub: "bob-1" } }],
  ["no details", { answers: { "/userinfo": () => new Response(null, { status: 403 }) } }],
];

it("no one signs in by a token that is not the issuer's for this sign-in", async () => {
  const { app, issuer, signIn } = await startWithPeople();
  const before = await app.db.$count(sessions);
  for (const [what, lies] of LIES) {
    issuer.tellTruth();
    Object.assign(issuer.lies, lies);
    const { status, body } = await signIn();
    expect([what, status, body.code]).toEqual([what, 403, "oidc_failed"]);
  }
  expect([await app.db.$count(sessions), await app.db.$count(users)]).toEqual([before, 3]);
  const failed = await app.db.select().from(securityLog).where(eq(securityLog.kind, "sign_in_failed"));
  expect(failed).toHaveLength(LIES.length);
  issuer.tellTruth();
  expect((await signIn()).status).toBe(200);
});

it("an issuer cannot allow tokens that are signed with a shared secret, or not at all", async () => {
  const { issuer, signIn } = await startWithPeople();
  issuer.lies.metadata = { id_token_signing_alg_values_supported: ["RS256", "HS256", "none"] };
  for (const lies of [
    { header: { alg: "HS256" }, sign: signWithPublicKey },
    { header: { alg: "none" }, sign: () => "" },
  ]) {
    Object.assign(issuer.lies, lies);
    expect((await signIn()).body.code).toBe("oidc_failed");
  }
});

it("differences between issuers are accepted: new keys at once, clocks that differ by a minute, lists of audiences", async () => {
  const { issuer, signIn } = await startWithPeople();
  expect((await signIn()).status).toBe(200);
  for (const lies of [
    { signedBy: 1, published: [1] },
    claims({ iat: now() - 300, exp: now() - 30 }),
    claims({ iat: now() + 300, exp: now() + 600 }),
    claims({ aud: ["wakeful"] }),
    claims({ aud: ["wakeful", "shop"], azp: "wakeful" }),
    { metadata: { userinfo_endpoint: undefined } },
    { metadata: { token_endpoint_auth_methods_supported: ["client_secret_post"] } },
  ]) {
    issuer.tellTruth();
    Object.assign(issuer.lies, lies);
    expect((await signIn()).status).toBe(200);
  }
});

it("the metadata leads to no private address other than the issuer's own host, and its issuer is the one of the settings", async () => {
  const { app, issuer, signIn, begin } = await startWithPeople();
  issuer.lies.metadata = { token_endpoint: `http://localhost:${issuer.port}/token` };
  expect((await signIn()).body.code).toBe("oidc_failed");
  expect(issuer.requests.filter(({ path }) => path === "/token")).toEqual([]);
  issuer.lies.metadata = { issuer: "https://evil.example" };
  app.clock.set(app.clock.now() + 2 * MINUTE);
  expect(await begin()).toMatchObject({ code: "oidc_unreachable" });
});

it("an answer of the issuer counts once, within 10 minutes, in the tab that began the sign-in", async () => {
  const { app, issuer, begin } = await startWithPeople();
  const finish = async (ticket: string, query: string) =>
    (await app.anybody.post("/api/auth/oidc/callback", { ticket, query })).body.code ?? "signed in";
  const [mine, theirs] = [await begin(), await begin()];
  // Another browser was led to the address of this sign-in.
  expect(await finish(theirs.ticket, issuer.authorize(mine.url))).toBe("oidc_failed");
  expect(await finish(theirs.ticket, issuer.authorize(theirs.url))).toBe("oidc_expired");
  expect(await finish(mine.ticket, issuer.authorize(mine.url))).toBe("signed in");
  expect(await finish(mine.ticket, issuer.authorize(mine.url))).toBe("oidc_expired");
  for (const ticket of ["", "0", `${mine.ticket}x`, mine.ticket.replace(/^0/, "1"), "x".repeat(200)])
    expect(await finish(ticket, issuer.authorize(mine.url))).toBe("oidc_expired");
  const late = await begin();
  const query = issuer.authorize(late.url);
  for (const wrong of [
    "",
    "code=x",
    query.replace(/state=[^&]*/, "state=x"),
    `error=access_denied&${query.split("&")[1]}`,
  ]) {
    const { ticket } = await begin();
    expect(await finish(ticket, wrong)).toBe("oidc_failed");
  }
  app.clock.set(app.clock.now() + 10 * MINUTE);
  expect(await finish(late.ticket, query)).toBe("oidc_expired");
});

it("passwords are off with PASSWORD_LOGIN, but for administrators while the issuer cannot be reached", async () => {
  const { app, issuer, alice } = await startWithPeople({ PASSWORD_LOGIN: "off" });
  const login = async (username: string) =>
    (await app.anybody.post("/api/auth/login", { username, password: PASSWORD })).body.code ?? "signed in";
  const status = async () => (await app.anybody.get("/api/auth/registration")).body;
  expect([await login("alice"), await login("bob")]).toEqual(["password_login_off", "password_login_off"]);
  expect(await status()).toMatchObject({
    ...{ open: false, reset: false, password_login: "off" },
    single_sign_on: { kind: "oidc", name: "Authentik", available: true },
  });
  issuer.lies.answers = { "/.well-known/openid-configuration": () => new Response(null, { status: 502 }) };
  app.clock.set(app.clock.now() + 2 * MINUTE);
  expect(await status()).toMatchObject({ password_login: "admins", single_sign_on: { available: false } });
  expect([await login("alice"), await login("bob")]).toEqual(["signed in", "password_login_off"]);
  expect((await app.anybody.post("/api/auth/oidc/start")).body).toMatchObject({
    ...{ code: "oidc_unreachable", message: "Authentik can't be reached now. Try again soon." },
  });
  issuer.tellTruth();
  app.clock.set(app.clock.now() + MINUTE);
  expect(await status()).toMatchObject({ password_login: "off", single_sign_on: { available: true } });
  expect((await app.as(alice).get("/api/auth/me")).status).toBe(200);
});

it("with PASSWORD_LOGIN=admins only administrators have passwords and passkeys", async () => {
  const { app, alice, bob } = await startWithPeople({ PASSWORD_LOGIN: "admins" });
  const byPasskey = async (user: TestUser) => {
    const key = createAuthenticator({ origin: "https://watch.example", host: "watch.example" });
    await addPasskey(app, user, key);
    const { options } = (await app.anybody.post("/api/auth/passkey/options")).body;
    return (await app.anybody.post("/api/auth/passkey", { passkey: key.get(options) })).body.code ?? "signed in";
  };
  const login = async (username: string, password = PASSWORD) =>
    (await app.anybody.post("/api/auth/login", { username, password })).body.code ?? "signed in";
  expect([await login("alice"), await login("bob")]).toEqual(["signed in", "password_login_off"]);
  expect([await byPasskey(alice), await byPasskey(bob)]).toEqual(["signed in", "password_login_off"]);
  expect(await login("bob", "a guess")).toBe("invalid_credentials");
  const register = await app.anybody.post("/api/auth/register", { username: "eve", password: "long enough" });
  expect(register.body.code).toBe("registration_closed");
});

it("without OIDC_ISSUER there is nothing to begin", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  expect((await app.anybody.post("/api/auth/oidc/start")).status).toBe(404);
  expect((await app.anybody.post("/api/auth/oidc/callback", { ticket: "x", query: "" })).status).toBe(404);
  expect((await app.as(bob).post("/api/auth/oidc/link/start")).status).toBe(404);
  expect((await app.anybody.get("/api/auth/registration")).body).toMatchObject({
    ...{ password_login: "on", single_sign_on: null },
  });
});

it("REQUIRE_2FA asks no second factor of users without a password", async () => {
  const { app, signIn } = await startWithPeople({ REQUIRE_2FA: "all" });
  const { token, user } = (await signIn()).body;
  expect((await app.as({ ...user, token, teamId: 0 }).get("/api/monitors")).status).toBe(200);
});
