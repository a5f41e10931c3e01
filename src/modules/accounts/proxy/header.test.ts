import { expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { securityLog, sessions, users } from "../../../db/schema";
import { createTestApp } from "../../../testing/app";
import { PASSWORD } from "../../../testing/fixtures/people";

const start = async (env: Record<string, string> = {}) => {
  const app = await createTestApp({
    env: {
      ...{ AUTH_HEADER: "Remote-User", AUTH_HEADER_EMAIL: "Remote-Email", AUTH_HEADER_GROUPS: "Remote-Groups" },
      ...{ AUTH_HEADER_SIGN_OUT_URL: "https://auth.example/logout", TRUSTED_PROXIES: "10.0.0.1", ...env },
    },
  });
  const peer = { address: "10.0.0.1" };
  app.app.server = { requestIP: () => peer, timeout: () => {} } as unknown as typeof app.app.server;
  const signIn = (headers: Record<string, string>, from = "10.0.0.1") => {
    peer.address = from;
    return app.anybody.post("/api/auth/header", {}, headers);
  };
  return { app, peer, signIn };
};

it("a user whom the proxy names gets an account at the first sign-in and has it at every later one", async () => {
  const { app, signIn } = await start();
  const first = await signIn({ "remote-user": "alice", "remote-email": "alice@example.com" });
  expect(first.body).toMatchObject({
    ...{ user: { username: "alice", email: "alice@example.com", role: "admin" }, token: expect.any(String) },
    sign_out_url: "https://auth.example/logout",
  });
  expect((await signIn({ "remote-user": "ALICE" })).body.user).toEqual(first.body.user);
  // Only the first becomes administrator, and an address stays with the account that has it.
  expect((await signIn({ "remote-user": "bob", "remote-email": "alice@example.com" })).body.user).toMatchObject({
    ...{ username: "bob", email: null, role: "user" },
  });
  expect(await app.db.$count(users)).toBe(2);
});

it("accounts that existed before are found by their names", async () => {
  const { app, signIn } = await start();
  const { bob } = await app.people();
  expect((await signIn({ "remote-user": "bob" })).body.user.id).toBe(bob.id);
});

it("the header of a client that is no proxy counts nowhere, and its attempt is in the security log", async () => {
  const { app, signIn, peer } = await start();
  const { alice, bob } = await app.people();
  const before = await app.db.$count(sessions);
  for (const headers of [{}, { "x-forwarded-for": "10.0.0.1" }, { "remote-groups": "admins" }] as Record<
    string,
    string
  >[]) {
    const { status, body } = await signIn({ "remote-user": "alice", ...headers }, "203.0.113.9");
    expect([status, body.code]).toEqual([403, "proxy_required"]);
  }
  expect(await app.db.$count(sessions)).toBe(before);
  const logged = await app.db.select().from(securityLog).where(eq(securityLog.kind, "sign_in_failed"));
  expect(logged[0]).toMatchObject({ username: "alice", address: "203.0.113.9", userId: null });
  expect(logged).toHaveLength(3);
  // Neither does it sign anyone in at other calls, nor out.
  const me = (token: string) => app.as({ ...bob, token }).get("/api/auth/me", undefined, { "remote-user": "alice" });
  expect([(await me("")).status, (await me(bob.token)).status]).toEqual([401, 200]);
  peer.address = "10.0.0.1";
  expect((await me("")).status).toBe(401);
  expect(alice.username).toBe("alice");
});

it("a session ends where the proxy names another user", async () => {
  const { app, signIn } = await start();
  const { body } = await signIn({ "remote-user": "alice" });
  const alice = app.as({ ...body.user, token: body.token, teamId: 0 });
  const statuses = [];
  for (const name of ["alice", " Alice ", "", "bob"])
    statuses.push((await alice.get("/api/auth/me", undefined, { "remote-user": name })).status);
  expect(statuses).toEqual([200, 200, 200, 401]);
});

it("names that could be another's are refused, and so are two headers", async () => {
  const { app, signIn } = await start();
  for (const name of ["alice, mallory", "a\u0000b", "x".repeat(65), "\u00c3(\u202e", "  "]) {
    const answer = await signIn({ "remote-user": name }).catch(() => null);
    expect(answer?.status ?? 400).toBeGreaterThanOrEqual(400);
  }
  expect(await app.db.$count(users)).toBe(0);
  // Proxies send names in UTF-8.
  const name = Buffer.from("张伟").toString("latin1");
  expect((await signIn({ "remote-user": name })).body.user.username).toBe("张伟");
});

it("groups that the proxy sends give and take the role of an administrator, but not from the last one", async () => {
  const { signIn } = await start({ AUTH_HEADER_ADMIN_GROUP: "admins" });
  const roleWith = async (username: string, groups: string) =>
    (await signIn({ "remote-user": username, "remote-groups": groups })).body.user.role;
  expect(await roleWith("alice", "staff, admins")).toBe("admin");
  expect(await roleWith("bob", "staff|admins")).toBe("admin");
  expect(await roleWith("bob", "not-admins")).toBe("user");
  expect(await roleWith("alice", "")).toBe("admin");
});

it("groups that the proxy sends give and take roles in teams", async () => {
  const { app, signIn } = await start();
  const { alice } = await app.people();
  const { team } = (await app.as(alice).post("/api/teams", { name: "Shop" })).body;
  Object.assign(app.deps.config.authHeader, { teams: [{ group: "ops", teamId: team.id, role: "editor" }] });
  const roleWith = async (groups: Record<string, string>) => {
    const { token, user } = (await signIn({ "remote-user": "carol", ...groups })).body;
    const { teams } = (await app.as({ ...user, teamId: 0, token }).get("/api/teams")).body;
    return teams.find(({ id }: { id: number }) => id === team.id)?.role ?? null;
  };
  expect(await roleWith({ "remote-groups": "staff" })).toBeNull();
  expect(await roleWith({ "remote-groups": "staff, ops" })).toBe("editor");
  expect(await roleWith({})).toBeNull();
  const logged = await app.db.select().from(securityLog).where(eq(securityLog.kind, "member_changed"));
  expect(logged.map(({ username, detail }) => [username, detail])).toEqual([
    ["Remote-User", "Shop, carol: – → editor"],
  ]);
});

it("passwords and registration are off where a proxy signs users in", async () => {
  const { app } = await start();
  await app.people();
  expect((await app.anybody.post("/api/auth/login", { username: "alice", password: PASSWORD })).body.code).toBe(
    "password_login_off",
  );
  expect((await app.anybody.post("/api/auth/register", { username: "eve", password: "long enough" })).body.code).toBe(
    "registration_closed",
  );
  expect((await app.anybody.get("/api/auth/registration")).body).toMatchObject({
    ...{ open: false, reset: false, password_login: "off", single_sign_on: { kind: "proxy" } },
  });
});

it("without AUTH_HEADER no proxy signs anyone in", async () => {
  const { signIn } = await start({ AUTH_HEADER: "" });
  expect((await signIn({ "remote-user": "alice" })).body.code).toBe("proxy_required");
});
