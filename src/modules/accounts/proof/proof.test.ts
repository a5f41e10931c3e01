import { expect, it } from "bun:test";
import { securityLog, sessions } from "../../../db/schema";
import { MINUTE, SECOND } from "../../../shared/limits";
import { createTestApp, type TestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { addAuthenticator, PASSWORD, type TestUser } from "../../../testing/fixtures/people";

const start = async () => {
  const app = await createTestApp();
  return { app, ...(await app.people()) };
};

/** The calls that need a proof, by an administrator, and their codes. */
const tryAll = async (app: TestApp, user: TestUser, other: TestUser) => {
  const client = app.as(user);
  const answers = [
    await client.post("/api/keys", { name: "backups", scope: "read" }),
    await client.post("/api/users", { username: "dora", password: "long enough" }),
    await client.put(`/api/users/${other.id}`, { role: "admin" }),
    await client.put(`/api/users/${user.id}`, { email: "me@example.com" }),
    await client.post(`/api/users/${other.id}/change-password`, { newPassword: "another good password" }),
    await client.post("/api/auth/totp"),
    await client.delete("/api/auth/sessions"),
    await client.delete("/api/auth/sessions/2v5oVNGTCWlOM5y8TnX0Jw"),
    await client.delete(`/api/users/${other.id}/second-factors`),
    await client.delete(`/api/users/${other.id}`),
  ];
  return answers.map(({ status, body }) => (status < 300 ? "done" : body.code));
};

it("ten minutes after a sign-in, keys, users, sessions and second factors ask for a new proof", async () => {
  const { app, alice, bob } = await start();
  app.clock.set(START + 10 * MINUTE);
  expect(new Set(await tryAll(app, alice, bob))).toEqual(new Set(["proof_required"]));
  expect((await app.as(alice).post("/api/auth/proof", { password: "a guess" })).body.code).toBe("wrong_password");
  expect(new Set(await tryAll(app, alice, bob))).toEqual(new Set(["proof_required"]));
  const { status, body } = await app.as(alice).post("/api/auth/proof", { password: PASSWORD });
  expect([status, body.until]).toEqual([200, new Date(START + 20 * MINUTE).toISOString()]);
  expect((await tryAll(app, { ...alice, token: body.token }, bob)).filter((code) => code !== "done")).toEqual([
    "not_found",
    "not_found",
  ]);
  const kinds = (await app.db.select().from(securityLog)).map(({ kind }) => kind);
  expect(kinds).toContain("wrong_password");
});

it("a proof is of one session, and ends after ten minutes or when the clock is set back before it", async () => {
  const { app, alice } = await start();
  app.clock.set(START + 10 * MINUTE);
  const { token } = (await app.anybody.post("/api/auth/login", { username: "alice", password: PASSWORD })).body;
  const add = async (user: TestUser) =>
    (await app.as(user).post("/api/keys", { name: "backups", scope: "read" })).status;
  expect([await add(alice), await add({ ...alice, token })]).toEqual([403, 201]);
  app.clock.set(START + 20 * MINUTE - 1);
  expect(await add({ ...alice, token })).toBe(201);
  app.clock.set(START + 20 * MINUTE);
  expect(await add({ ...alice, token })).toBe(403);
  app.clock.set(START + 10 * MINUTE - 1);
  expect(await add({ ...alice, token })).toBe(403);
});

it("a session of an earlier version has no proof", async () => {
  const { app, bob } = await start();
  await app.db.update(sessions).set({ provedAt: null });
  const { status, body } = await app.as(bob).post("/api/keys", { name: "backups", scope: "read" });
  expect([status, body.code]).toEqual([403, "proof_required"]);
});

it("a code of the authenticator app proves it as well, once", async () => {
  const { app, bob } = await start();
  const { code, recoveryCodes } = await addAuthenticator(app, bob);
  app.clock.set(START + 10 * MINUTE);
  const prove = (sent: object) => app.as(bob).post("/api/auth/proof", sent);
  expect((await prove({ totp: "000000" })).body.code).toBe("wrong_code");
  expect((await prove({ totp: code() })).status).toBe(200);
  expect((await prove({ totp: code() })).body.code).toBe("code_used");
  for (const sent of [{}, { recovery: recoveryCodes[0] }, { password: 5 }, { password: "x".repeat(1001) }])
    expect((await prove(sent)).body.code).toBe("validation");
});

it("an account without an app proves nothing with a code", async () => {
  const { app, bob } = await start();
  expect((await app.as(bob).post("/api/auth/proof", { totp: "123456" })).body.code).toBe("wrong_code");
});

it("an API key can't prove anything, and needs no proof for what it may do", async () => {
  const { app, bob } = await start();
  const { key } = (await app.as(bob).post("/api/keys", { name: "backups", scope: "full" })).body;
  const byKey = app.as({ ...bob, token: key });
  expect((await byKey.post("/api/auth/proof", { password: PASSWORD })).body.code).toBe("session_required");
});

it("reading second factors and sessions, and signing out, need no proof", async () => {
  const { app, bob } = await start();
  app.clock.set(START + 10 * MINUTE);
  const client = app.as(bob);
  const answers = [await client.get("/api/auth/factors"), await client.get("/api/auth/sessions")];
  expect([...answers, await client.post("/api/auth/logout")].map(({ status }) => status)).toEqual([200, 200, 200]);
});

it("a proof and a change of second factors replace the token: the earlier one proves nothing, and is refused after ten seconds", async () => {
  const { app, bob } = await start();
  const [work, code] = [
    async (token: string) => (await app.as({ ...bob, token }).get("/api/auth/me")).status,
    async (token: string) => (await app.as({ ...bob, token }).post("/api/auth/totp")).body.code,
  ];
  const before = bob.token;
  const { token } = (await app.as(bob).post("/api/auth/proof", { password: PASSWORD })).body;
  expect([await work(before), await code(before)]).toEqual([200, "proof_required"]);
  expect([await work(token), await code(token)]).toEqual([200, undefined as never]);
  app.clock.set(START + 10 * SECOND - 1);
  expect(await work(before)).toBe(200);
  app.clock.set(START + 10 * SECOND);
  expect([await work(before), await work(token)]).toEqual([401, 200]);
  const changed = { ...bob, token };
  await addAuthenticator(app, changed);
  expect([await work(changed.token), await work(token)]).toEqual([200, 200]);
  // Of two renewals in a row, only the last token but one is still accepted.
  const { recovery_codes: _, ...renewed } = (await app.as(changed).post("/api/auth/recovery-codes")).body;
  expect([await work(token), await work(changed.token), await work(renewed.token)]).toEqual([401, 200, 200]);
  expect(await app.db.$count(sessions)).toBe(3);
});
