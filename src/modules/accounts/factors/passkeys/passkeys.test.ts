import { expect, it } from "bun:test";
import { passkeys, recoveryCodes, securityLog, sessions } from "../../../../db/schema";
import { LIMITS, MINUTE } from "../../../../shared/limits";
import { createTestApp, type TestApp } from "../../../../testing/app";
import { createAuthenticator } from "../../../../testing/fixtures/factors/authenticator";
import { addAuthenticator, addPasskey, PASSWORD, prove, type TestUser } from "../../../../testing/fixtures/people";

const SITE = { origin: "https://watch.example", host: "watch.example" };
const NEXT = { "x-forwarded-for": "192.0.2.9" };

const start = async (env: Record<string, string> = {}) => {
  const app = await createTestApp({ env: { PUBLIC_URL: SITE.origin, TRUST_PROXY: "1", ...env } });
  return { app, ...(await app.people()) };
};

const withPasskey = async (options: Parameters<typeof createAuthenticator>[1] = {}) => {
  const all = await start();
  const key = createAuthenticator(SITE, options);
  const { body } = await addPasskey(all.app, all.bob, key);
  return { ...all, key, id: body.passkey.id, recoveryCodes: body.recovery_codes };
};

const login = (app: TestApp, { username }: TestUser) =>
  app.anybody.post("/api/auth/login", { username, password: PASSWORD });
const begin = async (app: TestApp) => (await app.anybody.post("/api/auth/passkey/options")).body.options;
const signIn = (app: TestApp, passkey: object, headers: Record<string, string> = {}) =>
  app.anybody.post("/api/auth/passkey", { passkey }, headers);
const factorsOf = async (app: TestApp, user: TestUser) => (await app.as(user).get("/api/auth/factors")).body;
const lastEvent = async ({ db }: TestApp) => (await db.select().from(securityLog).orderBy(securityLog.id)).at(-1);

it("a passkey is added with its name, and recovery codes come with the first factor", async () => {
  const { app, bob } = await start();
  const { body } = await app.as(bob).post("/api/auth/passkeys/options");
  expect(body.options).toMatchObject({
    rp: { id: "watch.example", name: "Wakeful" },
    user: { name: "bob" },
    excludeCredentials: [],
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
  const key = createAuthenticator(SITE);
  const added = await addPasskey(app, bob, key);
  const passkey = {
    ...{ id: expect.any(Number), name: "Laptop", host: "watch.example", transports: ["internal"], backed_up: false },
    created_at: new Date(app.clock.now()).toISOString(),
    last_used_at: null,
  };
  expect([added.status, added.body.passkey]).toEqual([201, passkey]);
  expect(new Set(added.body.recovery_codes).size).toBe(10);
  expect(await factorsOf(app, bob)).toMatchObject({ totp: null, passkeys: [passkey], recovery_codes: 10 });
  expect(await lastEvent(app)).toMatchObject({ kind: "passkey_added", username: "bob", detail: "Laptop" });
  const next = (await app.as(bob).post("/api/auth/passkeys/options")).body.options;
  expect(next.excludeCredentials).toEqual([{ type: "public-key", id: key.id, transports: ["internal"] }]);
  expect((await addPasskey(app, bob, createAuthenticator(SITE), "Phone")).body.recovery_codes).toEqual([]);
});

it("a passkey completes a sign-in with the password, and the sign-in answers what it has to sign", async () => {
  const { app, bob, key } = await withPasskey();
  const { body } = await login(app, bob);
  expect([body.token, body.second_factor]).toEqual([undefined as never, ["passkey", "recovery"]]);
  expect(body.passkey_options).toMatchObject({
    rpId: "watch.example",
    userVerification: "preferred",
    allowCredentials: [{ id: key.id }],
  });
  const { ticket, passkey_options: options } = body;
  const complete = (passkey: object) => app.anybody.post("/api/auth/second-factor", { ticket, passkey });
  // An authenticator without a PIN is enough beside a password.
  const { status, body: signed } = await complete(key.get(options, { userVerified: false }));
  expect([status, signed.user]).toMatchObject([200, { username: "bob" }]);
  expect(await lastEvent(app)).toMatchObject({ kind: "signed_in", username: "bob", detail: "passkey" });
  expect((await factorsOf(app, bob)).passkeys[0]?.last_used_at).toBe(new Date(app.clock.now()).toISOString());
  expect((await complete(key.get(options))).body.code).toBe("wrong_passkey");
});

it("a passkey signs in alone, without a username, where its device has verified the user", async () => {
  for (const algorithm of ["ES256", "RS256", "EdDSA"] as const) {
    const { app, key } = await withPasskey({ algorithm });
    const options = await begin(app);
    expect([options.allowCredentials, options.userVerification]).toEqual([[], "required"]);
    expect((await signIn(app, key.get(options, { userVerified: false }))).body.code).toBe("wrong_passkey");
    const { status, body } = await signIn(app, key.get(options));
    expect([status, body.user]).toMatchObject([200, { username: "bob" }]);
    expect((await app.as({ ...body.user, teamId: 0, token: body.token }).get("/api/auth/me")).status).toBe(200);
  }
});

it("a challenge is answered once, within five minutes, and from the network that asked for it", async () => {
  const { app, key } = await withPasskey();
  const options = await begin(app);
  expect((await signIn(app, key.get(options), NEXT)).body.code).toBe("wrong_passkey");
  const answers = await Promise.all([signIn(app, key.get(options)), signIn(app, key.get(options))]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  const late = await begin(app);
  app.clock.set(app.clock.now() + 5 * MINUTE);
  expect((await signIn(app, key.get(late))).body.code).toBe("wrong_passkey");
});

it("a challenge of one use or session answers no other one", async () => {
  const { app, bob, key } = await withPasskey();
  const { ticket, passkey_options: second } = (await login(app, bob)).body;
  const proof = (await app.as(bob).post("/api/auth/proof/options")).body.options;
  const complete = (options: { challenge: string }) =>
    app.anybody.post("/api/auth/second-factor", { ticket, passkey: key.get(options) });
  const prove = (user: TestUser, options: { challenge: string }) =>
    app.as(user).post("/api/auth/proof", { passkey: key.get(options) });
  const { token } = (await signIn(app, key.get(await begin(app)))).body;
  const codes = [
    (await signIn(app, key.get(second))).body.code,
    (await signIn(app, key.get(proof))).body.code,
    (await complete(proof)).body.code,
    (await complete(await begin(app))).body.code,
    (await prove(bob, second)).body.code,
    (await prove({ ...bob, token }, proof)).body.code,
  ];
  expect(new Set(codes)).toEqual(new Set(["wrong_passkey"]));
  expect((await prove(bob, proof)).status).toBe(200);
});

it("a passkey gives a fresh proof", async () => {
  const { app, bob, charlie, key } = await withPasskey();
  app.clock.set(app.clock.now() + 10 * MINUTE);
  const addKey = () => app.as(bob).post("/api/keys", { name: "backups", scope: "read" });
  expect((await addKey()).body.code).toBe("proof_required");
  const { options } = (await app.as(bob).post("/api/auth/proof/options")).body;
  expect((await app.as(charlie).post("/api/auth/proof", { passkey: key.get(options) })).body.code).toBe(
    "wrong_passkey",
  );
  const { body } = await app.as(bob).post("/api/auth/proof", { passkey: key.get(options) });
  bob.token = body.token;
  expect((await addKey()).status).toBe(201);
});

it("what is signed for another site, in a frame of another page, or without a touch is refused", async () => {
  const { app, bob, key } = await withPasskey();
  const elsewhere = createAuthenticator({ origin: "https://evil.example", host: "evil.example" });
  const options = await begin(app);
  const attempts = [
    key.get(options, {}, { origin: "https://evil.example" }),
    key.get(options, {}, { origin: "http://watch.example" }),
    key.get(options, {}, { crossOrigin: true }),
    key.get(options, {}, { type: "webauthn.create" }),
    key.get(options, {}, { challenge: "bm9uZQ" }),
    key.get(options, { userPresent: false }),
    { ...elsewhere.get(options), id: key.id },
    { ...createAuthenticator(SITE).get(options), id: key.id },
    createAuthenticator(SITE).get(options),
  ];
  for (const attempt of attempts) expect((await signIn(app, attempt)).body.code).toBe("wrong_passkey");
  expect((await signIn(app, { ...key.get(options), id: "x".repeat(2000) })).body.code).toBe("validation");
  const creation = (await app.as(bob).post("/api/auth/passkeys/options")).body.options;
  const other = createAuthenticator(SITE);
  const made = other.create(creation);
  const created = [
    other.create(creation, {}, { origin: "https://evil.example" }),
    other.create(creation, { userPresent: false }),
    elsewhere.create({ ...creation, rp: { id: "evil.example" } }),
    { ...made, id: "AAAA" },
    { ...made, response: { ...made.response, publicKey: "AAAA" } },
    { ...made, response: { ...made.response, authenticatorData: "AAAA" } },
    other.create(await begin(app).then((wrong) => ({ ...wrong, rp: creation.rp }))),
  ];
  for (const credential of created)
    expect((await app.as(bob).post("/api/auth/passkeys", { name: "x", credential })).body.code).toBe("wrong_passkey");
  expect(await app.db.$count(passkeys)).toBe(1);
});

it("a passkey whose counter goes back is refused and written to the security log", async () => {
  const { app, key } = await withPasskey({ counter: 7 });
  expect((await signIn(app, key.get(await begin(app)))).status).toBe(200);
  for (const counter of [7, 0]) {
    key.setCounter(counter);
    expect((await signIn(app, key.get(await begin(app)))).body.code).toBe("passkey_copied");
    expect(await lastEvent(app)).toMatchObject({ kind: "passkey_refused", username: "bob", detail: "passkey" });
  }
  key.setCounter(8);
  expect((await signIn(app, key.get(await begin(app)))).status).toBe(200);
});

it("a passkey that is not known is refused like a wrong signature, and too many of them for a while", async () => {
  const { app, key } = await withPasskey();
  const unknown = createAuthenticator(SITE);
  const answers = new Set<string>();
  for (let time = 0; time < 30; time++) {
    answers.add((await signIn(app, unknown.get(await begin(app)))).text);
    answers.add((await signIn(app, { ...unknown.get(await begin(app)), id: key.id })).text);
  }
  expect(answers.size).toBe(1);
  expect((await signIn(app, key.get(await begin(app)))).body.code).toBe("rate_limited");
  expect((await signIn(app, key.get(await begin(app)), NEXT)).body.code).toBe("wrong_passkey");
});

it("a user has at most ten passkeys, and none of another user", async () => {
  const { app, charlie, bob, key } = await withPasskey();
  expect((await addPasskey(app, charlie, key)).body.code).toBe("wrong_passkey");
  for (let count = 1; count < LIMITS.passkeys; count++)
    expect((await addPasskey(app, bob, createAuthenticator(SITE))).status).toBe(201);
  expect((await addPasskey(app, bob, createAuthenticator(SITE))).body.code).toBe("too_many_passkeys");
});

it("a passkey is renamed and removed by its user, and recovery codes end with the last factor", async () => {
  const { app, bob, charlie, id } = await withPasskey();
  const path = `/api/auth/passkeys/${id}` as const;
  expect((await app.as(charlie).put(path, { name: "Mine" })).body.code).toBe("not_found");
  expect((await app.as(charlie).delete(path)).body.code).toBe("not_found");
  expect((await app.as(bob).put(path, { name: " " })).body.code).toBe("validation");
  expect((await app.as(bob).put(path, { name: "Work laptop" })).body.passkey).toMatchObject({ name: "Work laptop" });
  await addAuthenticator(app, bob);
  expect((await app.as(bob).delete(path)).status).toBe(200);
  expect(await lastEvent(app)).toMatchObject({ kind: "passkey_removed", detail: "Work laptop" });
  expect(await app.db.$count(recoveryCodes)).toBe(10);
  await prove(app, bob);
  await addPasskey(app, bob, createAuthenticator(SITE));
  await app.as(bob).delete("/api/auth/totp");
  expect(await app.db.$count(recoveryCodes)).toBe(10);
  await prove(app, bob);
  const [left] = (await factorsOf(app, bob)).passkeys;
  await app.as(bob).delete(`/api/auth/passkeys/${left?.id}`);
  expect(await app.db.$count(recoveryCodes)).toBe(0);
  expect((await login(app, bob)).body.token).toBeString();
});

it("an administrator removes the passkeys of a user, which ends the sessions", async () => {
  const { app, alice, bob } = await withPasskey();
  expect((await app.as(alice).delete(`/api/users/${bob.id}/second-factors`)).status).toBe(200);
  expect([await app.db.$count(passkeys), await app.db.$count(recoveryCodes)]).toEqual([0, 0]);
  expect((await app.as(bob).get("/api/auth/me")).status).toBe(401);
  expect((await login(app, bob)).body.token).toBeString();
});

it("without PUBLIC_URL, passkeys belong to the host of the page, over https or on localhost", async () => {
  const { app, bob } = await start({ PUBLIC_URL: "" });
  const ask = async (host: string, origin: string) => {
    const { body } = await app.as(bob).post("/api/auth/passkeys/options", undefined, { host, origin });
    return body.options?.rp.id ?? body.code;
  };
  expect(await ask("watch.example", "https://watch.example")).toBe("watch.example");
  expect(await ask("localhost:3000", "http://localhost:3000")).toBe("localhost");
  for (const [host, origin] of [
    ["watch.example", "http://watch.example"],
    ["watch.example", "https://evil.example"],
    ["192.0.2.1", "https://192.0.2.1"],
    ["[::1]", "https://[::1]"],
    ["watch.example", "null"],
  ] as const)
    expect(await ask(host, origin)).toBe("passkeys_unavailable");
});

it("passkeys of an earlier address are listed with it, and can't be used: a recovery code signs in", async () => {
  const { app, bob, recoveryCodes: codes } = await withPasskey();
  const moved = await createTestApp({ env: { PUBLIC_URL: "https://new.example" }, db: app.db, clock: app.clock });
  expect((await factorsOf(moved, bob)).passkeys).toMatchObject([{ host: "watch.example" }]);
  const { second_factor, ticket, passkey_options } = (await login(moved, bob)).body;
  expect([second_factor, passkey_options]).toEqual([["recovery"], undefined as never]);
  const { status } = await moved.anybody.post("/api/auth/second-factor", { ticket, recovery: codes[0] });
  expect(status).toBe(200);
  await app.db.delete(recoveryCodes);
  const none = (await login(moved, bob)).body;
  expect([none.token, none.second_factor]).toEqual([undefined as never, []]);
});

it("the sign-in page knows whether there is a passkey", async () => {
  const { app, bob } = await start();
  const known = async () => (await app.anybody.get("/api/auth/registration")).body.passkeys;
  expect(await known()).toBe(false);
  await addPasskey(app, bob, createAuthenticator(SITE));
  expect(await known()).toBe(true);
});

it("a sign-in by a passkey starts a session of its own", async () => {
  const { app, key } = await withPasskey();
  const before = await app.db.$count(sessions);
  await signIn(app, key.get(await begin(app)));
  expect(await app.db.$count(sessions)).toBe(before + 1);
});
