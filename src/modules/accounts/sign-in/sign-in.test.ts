import { describe, expect, it } from "bun:test";
import { purgeAttempts } from "../../../cluster/rate-limit";
import { loginFailures } from "../../../db/schema";
import { createTestApp, type TestApp } from "../../../testing/app";
import { PASSWORD } from "../../../testing/fixtures/people";

const LOGIN = "/api/auth/login";
const MINUTE = 60_000;

const wrong = (app: TestApp, username: string, headers: Record<string, string> = {}) =>
  app.anybody.post(LOGIN, { username, password: "not this one" }, headers);
const right = (app: TestApp, username: string, headers: Record<string, string> = {}) =>
  app.anybody.post(LOGIN, { username, password: PASSWORD }, headers);

it("a sign-in returns a token and the user, regardless of the case of the name", async () => {
  const app = await createTestApp();
  const { alice } = await app.people();
  const { status, body } = await right(app, " ALICE ");
  expect(status).toBe(200);
  expect(body).toMatchObject({ success: true, user: { id: alice.id, username: "alice", role: "admin", email: null } });
  expect(body.message).toBeString();
  expect((await app.as({ ...alice, token: body.token }).get("/api/auth/me")).body.user).toEqual(body.user);
});

it("a sign-in answers the same for a wrong password and an unknown name", async () => {
  const app = await createTestApp();
  await app.people();
  const answers = [await wrong(app, "alice"), await wrong(app, "nobody")];
  for (const { status, body } of answers) {
    expect(status).toBe(401);
    expect(body).toEqual({
      success: false,
      code: "invalid_credentials",
      message: "Username or password is incorrect",
    } as typeof body);
  }
  expect(answers[0]?.text).toBe(answers[1]?.text);
});

it("a sign-in requires both fields, and names each missing one", async () => {
  const { anybody } = await createTestApp();
  const { status, body } = await anybody.post(LOGIN, { username: 5 });
  expect([status, body.code]).toEqual([422, "validation"]);
  expect(body.errors.map(({ path }) => path).sort()).toEqual(["password", "username"]);
});

describe("ten failed sign-ins", () => {
  it("refuse the right password too, until 15 minutes after the first", async () => {
    const app = await createTestApp();
    await app.people();
    for (let time = 0; time < 10; time++) {
      expect((await wrong(app, "bob")).status).toBe(401);
      await app.clock.advance(MINUTE);
    }
    const refused = await right(app, "bob");
    expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
      429,
      "rate_limited",
      "300",
    ]);
    await app.clock.advance(5 * MINUTE - 1);
    expect((await right(app, "bob")).headers.get("retry-after")).toBe("1");
    await app.clock.advance(1);
    expect((await right(app, "bob")).status).toBe(200);
  });

  it("count for an unknown name as well, regardless of its case, and not for other names", async () => {
    const app = await createTestApp();
    await app.people();
    for (let time = 0; time < 10; time++) expect((await wrong(app, time % 2 ? "Nobody" : "nobody ")).status).toBe(401);
    expect((await wrong(app, "NOBODY")).status).toBe(429);
    expect((await right(app, "bob")).status).toBe(200);
  });

  it("are the limit for concurrent attempts too", async () => {
    const app = await createTestApp();
    await app.people();
    const answers = await Promise.all(Array.from({ length: 25 }, () => wrong(app, "bob")));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  it("are reset by a success", async () => {
    const app = await createTestApp();
    await app.people();
    for (let time = 0; time < 9; time++) await wrong(app, "bob");
    expect((await right(app, "bob")).status).toBe(200);
    for (let time = 0; time < 10; time++) expect((await wrong(app, "bob")).status).toBe(401);
    expect((await wrong(app, "bob")).status).toBe(429);
  });

  it("are counted separately in each window", async () => {
    const app = await createTestApp();
    await app.people();
    for (let time = 0; time < 9; time++) await wrong(app, "bob");
    await app.clock.advance(15 * MINUTE);
    for (let time = 0; time < 10; time++) expect((await wrong(app, "bob")).status).toBe(401);
    expect((await wrong(app, "bob")).status).toBe(429);
  });

  it("are purged after their window", async () => {
    const app = await createTestApp();
    await wrong(app, "nobody");
    await purgeAttempts(app.deps);
    expect(await app.db.$count(loginFailures)).toBeGreaterThan(0);
    await app.clock.advance(15 * MINUTE + 1);
    await purgeAttempts(app.deps);
    expect(await app.db.$count(loginFailures)).toBe(0);
  });
});

describe("the address that a failed sign-in counts for", () => {
  const from = (...addresses: string[]) => ({ "x-forwarded-for": addresses.join(", ") });
  const exhaust = async (app: TestApp, headers: Record<string, string>) => {
    for (let time = 0; time < 10; time++) await wrong(app, "bob", headers);
  };

  it("is the forwarded one when the proxy is trusted", async () => {
    const app = await createTestApp({ env: { TRUST_PROXY: "1" } });
    await app.people();
    await exhaust(app, from("192.0.2.1"));
    expect((await right(app, "bob", from("192.0.2.1"))).status).toBe(429);
    expect((await right(app, "bob", from("192.0.2.2"))).status).toBe(200);
  });

  it("is the entry that the proxy appended, not one that the client sent", async () => {
    const app = await createTestApp({ env: { TRUST_PROXY: "1" } });
    await app.people();
    for (let time = 0; time < 10; time++) await wrong(app, "bob", from(`198.51.100.${time}`, "192.0.2.1"));
    expect((await right(app, "bob", from("198.51.100.99", "192.0.2.1"))).status).toBe(429);
  });

  it("ignores the header when no proxy is trusted", async () => {
    const app = await createTestApp();
    await app.people();
    for (let time = 0; time < 10; time++) await wrong(app, "bob", from(`192.0.2.${time}`));
    expect((await right(app, "bob", from("192.0.2.77"))).status).toBe(429);
  });
});
