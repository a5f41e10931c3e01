import { expect, it } from "bun:test";
import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import { SignJWT, UnsecuredJWT } from "jose";
import { users } from "../../../db/schema";
import { DAY } from "../../../shared/limits";
import { createTestApp, type TestApp } from "../../../testing/app";
import type { TestUser } from "../../../testing/fixtures/people";
import { setPassword } from "../account/service";

const ME = "/api/auth/me";
const me = (app: TestApp, authorization?: string) =>
  app.anybody.get(ME, undefined, authorization === undefined ? {} : { authorization });
const key = (secret: string) => new TextEncoder().encode(secret);
const sign = (app: TestApp, claims: Record<string, unknown>, secret = app.deps.jwtSecret, alg = "HS256") =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(key(secret));
const nowOf = (app: TestApp) => Math.floor(app.clock.now() / 1000);
/** The claims of a user's own token, to sign others like it. */
const claimsOf = ({ token }: TestUser) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

const expectRefused = async (app: TestApp, authorization?: string) => {
  const { status, body } = await me(app, authorization);
  expect([status, body.success, body.code]).toEqual([401, false, "unauthorized"]);
};

it("/me returns the user without the password hash", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const { status, body } = await app.as(bob).get(ME);
  expect(status).toBe(200);
  expect(Object.keys(body.user).sort()).toEqual(["created_at", "email", "id", "role", "username"]);
});

it("a session token signed with JWT_SECRET is accepted", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const token = await sign(app, claimsOf(bob));
  expect((await me(app, `Bearer ${token}`)).status).toBe(200);
  expect((await me(app, `bearer ${token}`)).status).toBe(200);
});

it("a session token lasts seven days", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  expect(Object.keys(claimsOf(bob)).toSorted()).toEqual(["exp", "iss", "renewals", "sid", "sub", "version"]);
  expect(claimsOf(bob).exp).toBe(nowOf(app) + 7 * 86_400);
  await app.clock.advance(7 * DAY - 1000);
  expect((await me(app, `Bearer ${bob.token}`)).status).toBe(200);
  await app.clock.advance(1000);
  await expectRefused(app, `Bearer ${bob.token}`);
});

it("a malformed token is refused", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  await expectRefused(app);
  const broken = [
    bob.token,
    "Bearer",
    "Bearer ",
    "Bearer x",
    "Bearer a.b.c",
    `Basic ${bob.token}`,
    `Bearer ${bob.token}x`,
    `Bearer ${bob.token}=`,
    `Bearer ${bob.token}.x`,
    `Bearer ${bob.token.split(".").slice(0, 2).join(".")}`,
    `Bearer ${"x".repeat(100_000)}`,
    `Bearer e30.e30.${createHmac("sha256", app.deps.jwtSecret).update("e30.e30").digest("base64url")}`,
    `Bearer bnVsbA.bnVsbA.${createHmac("sha256", app.deps.jwtSecret).update("bnVsbA.bnVsbA").digest("base64url")}`,
  ];
  for (const authorization of broken) await expectRefused(app, authorization);
});

it("a token signed with another key, another algorithm, or none is refused", async () => {
  const app = await createTestApp();
  const { alice } = await app.people();
  const claims = claimsOf(alice);
  await expectRefused(app, `Bearer ${await sign(app, claims, "another secret that is long enough too")}`);
  await expectRefused(app, `Bearer ${await sign(app, claims, app.deps.jwtSecret.repeat(2), "HS512")}`);
  await expectRefused(app, `Bearer ${new UnsecuredJWT(claims).encode()}`);
  // Also with the right key.
  for (const alg of ["HS384", "HS512"]) await expectRefused(app, `Bearer ${await sign(app, claims, undefined, alg)}`);
  const [, payload] = alice.token.split(".");
  const none = Buffer.from(JSON.stringify({ alg: "none", typ: "JWT" })).toString("base64url");
  await expectRefused(app, `Bearer ${none}.${payload}.`);
});

it("a token that has expired, never expires, or is not valid yet is refused", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const { exp, ...claims } = claimsOf(bob);
  await expectRefused(app, `Bearer ${await sign(app, { ...claims, exp: nowOf(app) })}`);
  await expectRefused(app, `Bearer ${await sign(app, { ...claims, exp, nbf: nowOf(app) + 60 })}`);
  await expectRefused(app, `Bearer ${await sign(app, { ...claims, exp: String(exp) } as never)}`);
  await expectRefused(app, `Bearer ${await sign(app, claims)}`);
});

it("a token without an existing user or a version is refused", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  for (const sub of ["999", "0", "-1", "x", "1.5", "1e99", "NaN", ""]) {
    await expectRefused(app, `Bearer ${await sign(app, { ...claimsOf(bob), sub })}`);
  }
  const { sub: _, ...withoutUser } = claimsOf(bob);
  await expectRefused(app, `Bearer ${await sign(app, withoutUser)}`);
  for (const version of [undefined, 1, -1, "0", null]) {
    await expectRefused(app, `Bearer ${await sign(app, { ...claimsOf(bob), version })}`);
  }
});

it("a token of another installation, of another user's session, or without a session is refused", async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  for (const change of [
    { iss: "another installation" },
    { iss: undefined },
    { sid: undefined },
    { sid: "A".repeat(22) },
    { sid: claimsOf(alice).sid },
    { sub: String(alice.id) },
  ]) {
    await expectRefused(app, `Bearer ${await sign(app, { ...claimsOf(bob), ...change })}`);
  }
});

it("a token is refused by another installation with the same JWT_SECRET", async () => {
  const [one, other] = [await createTestApp(), await createTestApp()];
  const { alice } = await one.people();
  await other.people();
  other.deps.installationId = "another";
  await expectRefused(other, `Bearer ${alice.token}`);
});

it("a session token is refused after its user's password changed or the user was deleted", async () => {
  const app = await createTestApp();
  const { bob, charlie } = await app.people();
  await setPassword(app.deps, bob.id, "another good password");
  await expectRefused(app, `Bearer ${bob.token}`);
  await app.db.delete(users).where(eq(users.id, charlie.id));
  await expectRefused(app, `Bearer ${charlie.token}`);
});

it("every route that is not public requires a session token", async () => {
  const { anybody } = await createTestApp();
  const guarded = ["/api/auth/me", "/api/dashboard", "/api/monitors", "/api/monitors/1", "/api/monitors/1/checks"];
  for (const path of [...guarded, "/api/monitors/1/series"]) expect((await anybody.get(path)).status).toBe(401);
  for (const path of ["/api/monitors/1/pause", "/api/monitors/1/resume", "/api/monitors/1/check"]) {
    expect((await anybody.post(path)).status).toBe(401);
  }
  expect((await anybody.delete("/api/monitors/1")).status).toBe(401);
});

it("a request is authenticated before its body is validated", async () => {
  const { anybody } = await createTestApp();
  expect((await anybody.post("/api/monitors", { name: "x" })).status).toBe(401);
  expect((await anybody.put("/api/monitors/1", {})).status).toBe(401);
  expect((await anybody.get("/api/monitors/x")).status).toBe(401);
});
