import { expect, it } from "bun:test";
import { authenticators, mails, recoveryCodes, securityLog, sessions } from "../../../db/schema";
import { MINUTE, SECOND } from "../../../shared/limits";
import { createTestApp, type TestApp } from "../../../testing/app";
import { addAuthenticator, codeOfSetup, PASSWORD, prove, type TestUser } from "../../../testing/fixtures/people";

const STEP = 30 * SECOND;

const start = async (env: Record<string, string> = {}) => {
  const app = await createTestApp({ env: { TRUST_PROXY: "1", ...env } });
  const people = await app.people();
  return { app, ...people, ask: app.as(people.bob) };
};

const login = (app: TestApp, { username }: TestUser, headers: Record<string, string> = {}) =>
  app.anybody.post("/api/auth/login", { username, password: PASSWORD }, headers);

const complete = (app: TestApp, body: object, headers: Record<string, string> = {}) =>
  app.anybody.post("/api/auth/second-factor", body, headers);

/** The same bytes in another text: the last of 43 base64url characters carries two unused bits. */
const otherSpelling = (ticket: string) => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return ticket.slice(0, -1) + alphabet[alphabet.indexOf(ticket.slice(-1)) + 1];
};

const kindsOf = async ({ db }: TestApp) =>
  (await db.select().from(securityLog).orderBy(securityLog.id)).map(({ kind }) => kind);

it("an authenticator app is added with a right code, and answers ten recovery codes once", async () => {
  const { app, ask } = await start();
  const { status, body } = await ask.post("/api/auth/totp");
  expect([status, body.secret]).toEqual([200, expect.stringMatching(/^[A-Z2-7]{32}$/)]);
  expect(body.uri).toContain(`secret=${body.secret}&`);
  // Nothing is added before a code was right.
  expect((await ask.get("/api/auth/factors")).body).toMatchObject({ totp: null, recovery_codes: 0 });
  const wrong = await ask.put("/api/auth/totp", { setup: body.setup, code: "12345" });
  expect([wrong.status, wrong.body.code]).toEqual([422, "wrong_code"]);
  const added = await ask.put("/api/auth/totp", { setup: body.setup, code: codeOfSetup(body.setup, app.clock.now()) });
  expect([added.status, new Set(added.body.recovery_codes).size]).toEqual([200, 10]);
  for (const code of added.body.recovery_codes) expect(code).toMatch(/^([A-Z2-9]{5}-){4}[A-Z2-9]{5}$/);
  expect((await ask.get("/api/auth/factors")).body).toMatchObject({
    totp: { created_at: new Date(app.clock.now()).toISOString() },
    recovery_codes: 10,
  });
});

it("neither the secret nor a recovery code is stored or logged as it is", async () => {
  const { app, bob } = await start();
  const offered = (await app.as(bob).post("/api/auth/totp")).body;
  const secret = Buffer.from(offered.setup.split(".")[0] ?? "", "base64url");
  const code = codeOfSetup(offered.setup, app.clock.now());
  const { recovery_codes } = (await app.as(bob).put("/api/auth/totp", { setup: offered.setup, code })).body;
  const stored = JSON.stringify([
    await app.db.select().from(authenticators),
    await app.db.select().from(recoveryCodes),
    await app.db.select().from(securityLog),
    app.logged,
  ]);
  for (const text of [offered.secret, secret.toString("base64url"), secret.toString("hex"), ...recovery_codes])
    expect(stored).not.toContain(text);
});

it("a set-up of another user, or of 15 minutes ago, adds no app", async () => {
  const { app, bob, charlie } = await start();
  const offered = (await app.as(charlie).post("/api/auth/totp")).body;
  const add = (user: TestUser, setup = offered.setup) =>
    app.as(user).put("/api/auth/totp", { setup, code: codeOfSetup(offered.setup, app.clock.now()) });
  expect((await add(bob)).body.code).toBe("setup_expired");
  expect((await add(charlie, `A${offered.setup}`)).body.code).toBe("setup_expired");
  expect((await add(charlie, "x".repeat(5000))).body.code).toBe("validation");
  expect(await app.db.$count(authenticators)).toBe(0);
  app.clock.set(app.clock.now() + 15 * MINUTE);
  await prove(app, charlie);
  expect((await add(charlie)).body.code).toBe("setup_expired");
});

it("a password then asks for a code, which completes the sign-in", async () => {
  const { app, bob } = await start();
  const { code } = await addAuthenticator(app, bob);
  app.clock.set(app.clock.now() + STEP);
  const { status, body } = await login(app, bob);
  expect([status, body.token, body.second_factor]).toEqual([200, undefined as never, ["totp", "recovery"]]);
  const signedIn = await complete(app, { ticket: body.ticket, totp: code() });
  expect([signedIn.status, signedIn.body.user]).toMatchObject([200, { username: "bob" }]);
  expect((await app.as({ ...bob, token: signedIn.body.token }).get("/api/auth/me")).status).toBe(200);
  const [last] = (await app.db.select().from(securityLog)).slice(-1);
  expect(last).toMatchObject({ kind: "signed_in", username: "bob", detail: "totp" });
});

it("a wrong password is refused as before, and says nothing of second factors", async () => {
  const { app, bob } = await start();
  await addAuthenticator(app, bob);
  const { status, text } = await app.anybody.post("/api/auth/login", { username: "bob", password: "a guess" });
  expect([status, text.includes("factor")]).toEqual([401, false]);
});

it("a code works once, in sign-ins one after the other and at the same moment", async () => {
  const { app, bob } = await start();
  const { code } = await addAuthenticator(app, bob);
  const ticket = async () => (await login(app, bob)).body.ticket;
  // The code that added the app.
  const again = await complete(app, { ticket: await ticket(), totp: code() });
  expect([again.status, again.body.code]).toEqual([422, "code_used"]);
  app.clock.set(app.clock.now() + STEP);
  const tickets = [await ticket(), await ticket()];
  const answers = await Promise.all(tickets.map((each) => complete(app, { ticket: each, totp: code() })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  expect(await app.db.$count(sessions)).toBe(4);
});

it("a code of a clock that is two minutes off is refused with a reason", async () => {
  const { app, bob } = await start();
  const { code } = await addAuthenticator(app, bob);
  const early = code();
  app.clock.set(app.clock.now() + 2 * MINUTE);
  const { ticket } = (await login(app, bob)).body;
  const refused = await complete(app, { ticket, totp: early });
  expect([refused.status, refused.body.code]).toEqual([422, "clock_off"]);
  expect(refused.body.message).toContain("the clock of your phone");
});

it("a recovery code works once, in any case and with spaces, and only for its user", async () => {
  const { app, alice, bob } = await start();
  const [{ recoveryCodes: codes }, others] = [await addAuthenticator(app, bob), await addAuthenticator(app, alice)];
  const use = async (recovery: string | undefined) =>
    complete(app, { ticket: (await login(app, bob)).body.ticket, recovery });
  const typed = ` ${codes[0]?.toLowerCase().replaceAll("-", " ")} `;
  expect((await use(others.recoveryCodes[0])).body.code).toBe("wrong_code");
  expect((await use(typed)).status).toBe(200);
  expect((await use(typed)).body.code).toBe("wrong_code");
  expect((await app.as(bob).get("/api/auth/factors")).body.recovery_codes).toBe(9);
  const atOnce = await Promise.all([use(codes[1]), use(codes[1])]);
  expect(atOnce.map(({ status }) => status).toSorted()).toEqual([200, 422]);
});

it("new recovery codes end the earlier ones, and none exist without a factor", async () => {
  const { app, bob, ask } = await start();
  expect((await ask.post("/api/auth/recovery-codes")).body.code).toBe("no_second_factor");
  const { recoveryCodes: earlier } = await addAuthenticator(app, bob);
  const { recovery_codes } = (await app.as(bob).post("/api/auth/recovery-codes")).body;
  const use = async (recovery: string | undefined) =>
    complete(app, { ticket: (await login(app, bob)).body.ticket, recovery });
  expect((await use(earlier[0])).body.code).toBe("wrong_code");
  expect((await use(recovery_codes[0])).status).toBe(200);
});

it("a ticket is valid for one sign-in, five minutes, one network and one password", async () => {
  const { app, alice, bob } = await start();
  const { code, recoveryCodes: codes } = await addAuthenticator(app, bob);
  const ticket = async (headers = {}) => (await login(app, bob, headers)).body.ticket;
  const used = await ticket();
  expect((await complete(app, { ticket: used, recovery: codes[0] })).status).toBe(200);
  const refusals = async (sent: string, headers = {}) => {
    app.clock.set(app.clock.now() + STEP);
    const { status, body } = await complete(app, { ticket: sent, totp: code() }, headers);
    return [status, body.code];
  };
  const expired = [403, "sign_in_expired"];
  expect(await refusals(used)).toEqual(expired);
  expect(await refusals(await ticket({ "x-forwarded-for": "192.0.2.1" }))).toEqual(expired);
  const valid = await ticket();
  const ofAnother = valid.replace(/^\d+/, String(alice.id));
  for (const forged of [ofAnother, otherSpelling(valid), `${valid.slice(0, -4)}0000`, "", "x", "1.2.3.4"])
    expect(await refusals(forged)).toEqual(expired);
  const late = await ticket();
  app.clock.set(app.clock.now() + 5 * MINUTE);
  expect(await refusals(late)).toEqual(expired);
  const before = await ticket();
  await prove(app, alice);
  await app.as(alice).post(`/api/users/${bob.id}/change-password`, { newPassword: "another good password" });
  expect(await refusals(before)).toEqual(expired);
});

it("a link to reset a password is no ticket, and a ticket no session", async () => {
  const { app, bob } = await start();
  await addAuthenticator(app, bob);
  const { ticket } = (await login(app, bob)).body;
  expect((await app.as({ ...bob, token: ticket }).get("/api/auth/me")).status).toBe(401);
  const reset = await app.anybody.post("/api/auth/reset", { token: ticket, password: "another good password" });
  expect(reset.body.code).toBe("reset_link_invalid");
});

it("five wrong codes in 15 minutes refuse right ones, but not from a network where the user signed in", async () => {
  const { app, bob } = await start();
  const { code, recoveryCodes: codes } = await addAuthenticator(app, bob);
  const [home, elsewhere] = [{ "x-forwarded-for": "192.0.2.1" }, { "x-forwarded-for": "198.51.100.1" }];
  const tryAt = async (headers: Record<string, string>, sent: object) =>
    complete(app, { ticket: (await login(app, bob, headers)).body.ticket, ...sent }, headers);
  expect((await tryAt(home, { recovery: codes[0] })).status).toBe(200);
  for (let attempt = 0; attempt < 5; attempt++)
    expect((await tryAt(elsewhere, { totp: "000000" })).body.code).toBe("wrong_code");
  app.clock.set(app.clock.now() + STEP);
  for (const address of ["198.51.100.1", "203.0.113.1"])
    expect((await tryAt({ "x-forwarded-for": address }, { totp: code() })).status).toBe(429);
  expect((await tryAt(home, { totp: code() })).status).toBe(200);
  const kinds = await kindsOf(app);
  expect(kinds.filter((kind) => kind === "second_factor_failed")).toHaveLength(5);
  expect(kinds).toContain("sign_in_refused");
});

it("a right password alone makes no network known", async () => {
  const { app, bob } = await start();
  await addAuthenticator(app, bob);
  const headers = { "x-forwarded-for": "198.51.100.1" };
  for (let attempt = 0; attempt < 5; attempt++) {
    const { ticket } = (await login(app, bob, headers)).body;
    await complete(app, { ticket, totp: "000000" }, headers);
  }
  const { ticket } = (await login(app, bob, headers)).body;
  expect((await complete(app, { ticket, totp: "000000" }, headers)).status).toBe(429);
});

it("a sign-in sends one factor, and nothing that is huge or of another type", async () => {
  const { app, bob } = await start();
  await addAuthenticator(app, bob);
  const { ticket } = (await login(app, bob)).body;
  const bad = [
    {},
    { totp: "123456", recovery: "x" },
    { totp: 123_456 },
    { totp: "1".repeat(21) },
    { recovery: [] },
    { recovery: "x".repeat(20_000) },
  ];
  for (const sent of bad) expect((await complete(app, { ticket, ...sent })).body.code).toBe("validation");
  expect((await complete(app, { ticket: ["x"], totp: "123456" })).body.code).toBe("validation");
});

it("a factor is removed by its user, and the password is enough again", async () => {
  const { app, bob, ask } = await start();
  expect((await ask.delete("/api/auth/totp")).status).toBe(404);
  await addAuthenticator(app, bob);
  expect((await app.as(bob).delete("/api/auth/totp")).status).toBe(200);
  expect((await login(app, bob)).body.token).toBeString();
  expect([await app.db.$count(authenticators), await app.db.$count(recoveryCodes)]).toEqual([0, 0]);
  expect(await kindsOf(app)).toEqual(["totp_added", "totp_removed", "signed_in"]);
});

it("another app replaces the first, and the recovery codes stay", async () => {
  const { app, bob } = await start();
  const first = await addAuthenticator(app, bob);
  const second = await addAuthenticator(app, bob);
  expect([first.recoveryCodes.length, second.recoveryCodes]).toEqual([10, []]);
  app.clock.set(app.clock.now() + STEP);
  const ticket = async () => (await login(app, bob)).body.ticket;
  expect((await complete(app, { ticket: await ticket(), totp: first.code() })).body.code).toBe("wrong_code");
  expect((await complete(app, { ticket: await ticket(), totp: second.code() })).status).toBe(200);
});

it("an administrator removes the factors of a user, whose sessions end and who is told by mail", async () => {
  const { app, alice, bob } = await start({ SMTP_URL: "smtp://127.0.0.1:1?security=none", MAIL_FROM: "w@example.com" });
  await app.as(alice).put(`/api/users/${bob.id}`, { email: "bob@example.com" });
  const path = `/api/users/${bob.id}/second-factors` as const;
  expect((await app.as(alice).delete(path)).status).toBe(404);
  await addAuthenticator(app, bob);
  expect((await app.as(alice).get(`/api/users/${bob.id}`)).body).toMatchObject({
    second_factors: ["totp", "recovery"],
  });
  expect((await app.as(bob).delete(path)).body.code).toBe("forbidden");
  expect((await app.as(alice).delete(path)).status).toBe(200);
  expect((await app.as(bob).get("/api/auth/me")).status).toBe(401);
  expect((await app.db.select().from(mails)).map(({ kind }) => kind)).toEqual(["factors_changed", "factors_reset"]);
  expect((await login(app, bob)).body.token).toBeString();
  expect(await kindsOf(app)).toContain("second_factors_reset");
});

it("an API key neither reads nor changes second factors, and needs none", async () => {
  const { app, bob, ask } = await start();
  const { key } = (await ask.post("/api/keys", { name: "backups", scope: "full" })).body;
  await addAuthenticator(app, bob);
  const byKey = app.as({ ...bob, token: key });
  expect((await byKey.get("/api/auth/me")).status).toBe(200);
  for (const answer of [await byKey.get("/api/auth/factors"), await byKey.post("/api/auth/totp")])
    expect(answer.body.code).toBe("session_required");
});

it("an app whose secret was sealed with another session secret is refused, and the log says why", async () => {
  const { app, bob } = await start();
  const { code, recoveryCodes: codes } = await addAuthenticator(app, bob);
  app.deps.jwtSecret = "another secret of the tests, long enough to sign";
  app.clock.set(app.clock.now() + STEP);
  const { ticket } = (await login(app, bob)).body;
  expect((await complete(app, { ticket, totp: code() })).body.code).toBe("wrong_code");
  expect(app.logged.join()).toContain("JWT_SECRET was changed");
  expect((await complete(app, { ticket, recovery: codes[0] })).status).toBe(200);
});
