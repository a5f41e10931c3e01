import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { securityLog, sessions, users } from "../../../db/schema";
import { DAY, MINUTE } from "../../../shared/limits";
import { createTestApp, type TestApp } from "../../../testing/app";
import { until } from "../../../testing/clock";
import { addUser, PASSWORD, type TestUser } from "../../../testing/fixtures/people";
import { listSessions, MAX_SESSIONS, purgeSessions } from "./service";

const SESSIONS = "/api/auth/sessions";
const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

const signIn = async (app: TestApp, user: TestUser, headers: Record<string, string> = {}): Promise<TestUser> => {
  const { body } = await app.anybody.post(
    "/api/auth/login",
    { username: user.username, password: PASSWORD },
    { "user-agent": FIREFOX, ...headers },
  );
  return { ...user, token: body.token };
};
const list = async (app: TestApp, user: TestUser) => (await app.as(user).get(SESSIONS)).body.sessions;
const works = async (app: TestApp, user: TestUser) => (await app.as(user).get("/api/auth/me")).status === 200;
const kinds = async (app: TestApp) =>
  (await app.db.select().from(securityLog).orderBy(securityLog.id)).map(({ kind, detail }) => [kind, detail]);

describe("signing out", () => {
  it("ends this session only", async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    const elsewhere = await signIn(app, bob);
    const { status, body } = await app.as(bob).post("/api/auth/logout");
    expect([status, body.success]).toEqual([200, true]);
    expect([await works(app, bob), await works(app, elsewhere)]).toEqual([false, true]);
    expect((await app.as(bob).post("/api/auth/logout")).status).toBe(401);
    expect((await kinds(app)).at(-1)).toEqual(["signed_out", ""]);
  });
});

describe("the list of sessions", () => {
  it("shows each session's user agent, address and times, and which one is the current", async () => {
    const app = await createTestApp({ env: { TRUST_PROXY: "1" } });
    const { bob } = await app.people();
    await app.clock.advance(MINUTE);
    const phone = await signIn(app, bob, { "x-forwarded-for": "192.0.2.1" });
    const shown = await list(app, phone);
    const now = new Date(app.clock.now()).toISOString();
    expect(shown).toHaveLength(2);
    expect(shown[0]).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      user_agent: FIREFOX,
      address: "192.0.2.1",
      created_at: now,
      last_seen_at: now,
      current: true,
    });
    expect(shown[1]?.current).toBe(false);
  });

  it("contains no other user's session and no expired one", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    await app.clock.advance(7 * DAY);
    const later = await signIn(app, bob);
    expect(await list(app, later)).toHaveLength(1);
    expect(await works(app, alice)).toBe(false);
  });

  it("keeps 200 characters of the user agent, without control characters", async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    const odd = await signIn(app, bob, { "user-agent": `Agent\u0085\u009b${"x".repeat(5000)}` });
    const shown = (await list(app, odd)).find(({ current }) => current);
    expect(shown?.user_agent).toHaveLength(200);
    expect(shown?.user_agent).not.toMatch(/\p{Cc}/u);
  });

  it("shows the time of the last use to the minute, and its address", async () => {
    const app = await createTestApp({ env: { TRUST_PROXY: "1" } });
    const { bob } = await app.people();
    const row = async () => (await app.db.select().from(sessions).where(eq(sessions.userId, bob.id)))[0];
    const use = () => app.as(bob).get("/api/auth/me", undefined, { "x-forwarded-for": "192.0.2.8" });
    const start = app.clock.now();
    await app.clock.advance(MINUTE - 1);
    await use();
    await app.clock.advance(1);
    await use();
    await until(async () => (await row())?.lastSeenAt === start + MINUTE, "the last use to be written");
    expect((await row())?.address).toBe("192.0.2.8");
  });

  it("contains at most 50 of one user: the oldest ends when another one starts", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    const started: TestUser[] = [];
    for (let time = 0; time < MAX_SESSIONS; time++) {
      await app.clock.advance(1000);
      started.push(await signIn(app, bob));
    }
    expect([await works(app, bob), await works(app, started[0] as TestUser), await works(app, alice)]).toEqual([
      false,
      true,
      true,
    ]);
    expect(await list(app, started[3] as TestUser)).toHaveLength(MAX_SESSIONS);
  });
});

describe("a user", () => {
  it("ends one of their sessions, and none of another user's", async () => {
    const app = await createTestApp();
    const { bob, charlie } = await app.people();
    const lost = await signIn(app, bob);
    const id = (await list(app, lost)).find(({ current }) => current)?.id;
    expect((await app.as(charlie).delete(`${SESSIONS}/${id}`)).status).toBe(404);
    expect(await works(app, lost)).toBe(true);
    expect((await app.as(bob).delete(`${SESSIONS}/${id}`)).status).toBe(200);
    expect([await works(app, bob), await works(app, lost)]).toEqual([true, false]);
    expect((await app.as(bob).delete(`${SESSIONS}/${id}`)).status).toBe(404);
    for (const malformed of ["x".repeat(5000), "%", "%00", "1"])
      expect((await app.as(bob).delete(`${SESSIONS}/${malformed}`)).body.code).toBe("not_found");
  });

  it("ends all other sessions, or all of them with ?all=1", async () => {
    const app = await createTestApp();
    const { bob, charlie } = await app.people();
    const [first, second] = [await signIn(app, bob), await signIn(app, bob)];
    const { status, body } = await app.as(bob).delete(SESSIONS);
    expect([status, body.ended]).toEqual([200, 2]);
    expect([await works(app, bob), await works(app, first), await works(app, second)]).toEqual([true, false, false]);
    expect((await kinds(app)).at(-1)).toEqual(["sessions_ended", "2"]);
    expect((await app.as(bob).delete(`${SESSIONS}?all=1`)).body.ended).toBe(1);
    expect([await works(app, bob), await works(app, charlie)]).toEqual([false, true]);
  });

  it("keeps this session and no other when their password or role changes", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    await signIn(app, bob);
    const change = { currentPassword: PASSWORD, newPassword: "another good password" };
    const { token } = (await app.as(bob).post(`/api/users/${bob.id}/change-password`, change)).body;
    expect(await list(app, { ...bob, token })).toHaveLength(1);
    await app.as(alice).put(`/api/users/${bob.id}`, { role: "admin" });
    expect(await app.db.$count(sessions, eq(sessions.userId, bob.id))).toBe(0);
  });
});

it("a token of a user removed by a restore is refused when another user gets the same id", async () => {
  const app = await createTestApp();
  await app.people();
  const carol = await addUser(app.deps, "carol");
  // The database as it was before carol registered, with the same installation and the same secret.
  await app.db.delete(users).where(eq(users.id, carol.id));
  const [dave] = await app.db
    .insert(users)
    .values({
      id: carol.id,
      teamId: carol.teamId,
      username: "dave",
      usernameKey: "dave",
      passwordHash: "",
      role: "user",
      createdAt: 0,
    })
    .returning();
  expect(dave?.tokenVersion).toBe(0);
  expect((await app.as(carol).get("/api/auth/me")).status).toBe(401);
});

it("an API key neither lists nor ends sessions", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const { key } = (await app.as(bob).post("/api/keys", { name: "all", scope: "full" })).body;
  const client = app.as({ ...bob, token: key });
  const [shown] = await list(app, bob);
  for (const answer of [
    await client.get(SESSIONS),
    await client.post("/api/auth/logout"),
    await client.delete(SESSIONS),
    await client.delete(`${SESSIONS}/${shown?.id}`),
  ])
    expect([answer.status, answer.body.code]).toEqual([403, "session_required"]);
  expect(await works(app, bob)).toBe(true);
});

it("expired sessions are purged", async () => {
  const app = await createTestApp();
  await app.people();
  await app.clock.advance(7 * DAY - 1);
  await purgeSessions(app.deps);
  expect(await app.db.$count(sessions)).toBe(3);
  await app.clock.advance(1);
  await purgeSessions(app.deps);
  expect(await app.db.$count(sessions)).toBe(0);
});

it("a session ends when it is not used for as many days as SESSION_IDLE_DAYS says", async () => {
  const app = await createTestApp({ env: { SESSION_IDLE_DAYS: "2" } });
  const { bob } = await app.people();
  const elsewhere = await signIn(app, bob);
  for (let day = 0; day < 3; day++) {
    app.clock.set(app.clock.now() + 2 * DAY - MINUTE);
    const seenAt = app.clock.now();
    expect(await works(app, bob)).toBe(true);
    await until(async () => {
      const rows = await app.db.select().from(sessions).where(eq(sessions.userId, bob.id));
      return rows.some(({ lastSeenAt }) => lastSeenAt === seenAt);
    });
  }
  expect(await works(app, elsewhere)).toBe(false);
  expect(await listSessions(app.deps, bob.id, "")).toHaveLength(1);
  await purgeSessions(app.deps);
  expect(await app.db.$count(sessions, eq(sessions.userId, bob.id))).toBe(1);
});
