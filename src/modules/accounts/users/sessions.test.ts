import { describe, expect, it } from "bun:test";
import { createTestApp, type TestApp } from "../../../testing/app";
import { PASSWORD, type TestUser } from "../../../testing/fixtures/people";

const NEW = "another good password";
const ME = "/api/auth/me";

const change = (app: TestApp, by: TestUser, of: TestUser, body: object) =>
  app.as(by).post(`/api/users/${of.id}/change-password`, body);
const signIn = (app: TestApp, username: string, password: string) =>
  app.anybody.post("/api/auth/login", { username, password });
const status = async (app: TestApp, user: TestUser) => (await app.as(user).get(ME)).status;

describe("a user's own password", () => {
  it("is changed with the current one; this session continues and all others end", async () => {
    const app = await createTestApp();
    const { bob, charlie } = await app.people();
    const elsewhere = { ...bob, token: (await signIn(app, "bob", PASSWORD)).body.token };
    const answer = await change(app, bob, bob, { currentPassword: PASSWORD, newPassword: NEW });
    expect([answer.status, answer.body.success]).toEqual([200, true]);
    expect(await status(app, { ...bob, token: answer.body.token })).toBe(200);
    expect([await status(app, bob), await status(app, elsewhere), await status(app, charlie)]).toEqual([401, 401, 200]);
    expect((await signIn(app, "bob", PASSWORD)).status).toBe(401);
    expect((await signIn(app, "bob", NEW)).status).toBe(200);
  });

  it("may be sent in snake_case", async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    expect((await change(app, bob, bob, { current_password: PASSWORD, new_password: NEW })).status).toBe(200);
  });

  it("stays unchanged when the current one is wrong or missing, or the new one too short or too long", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    for (const user of [alice, bob]) {
      const { status, body } = await change(app, user, user, { currentPassword: "a guess", newPassword: NEW });
      expect([status, body.code]).toEqual([422, "wrong_password"]);
      const missing = await change(app, user, user, { newPassword: NEW });
      expect(missing.body.errors.map(({ path }) => path)).toEqual(["currentPassword"]);
      const short = await change(app, user, user, { currentPassword: PASSWORD, newPassword: "short" });
      expect([short.body.code, short.body.errors[0]?.path]).toEqual(["validation", "newPassword"]);
    }
    expect((await change(app, bob, bob, {})).body.errors.map(({ path }) => path)).toEqual([
      "currentPassword",
      "newPassword",
    ]);
    expect(await status(app, bob)).toBe(200);
    expect((await signIn(app, "bob", PASSWORD)).status).toBe(200);
  });

  it("is rate limited: ten wrong ones refuse further changes and sign-ins", async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    for (let time = 0; time < 10; time++) {
      expect((await change(app, bob, bob, { currentPassword: "a guess", newPassword: NEW })).status).toBe(422);
    }
    const refused = await change(app, bob, bob, { currentPassword: PASSWORD, newPassword: NEW });
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "900"]);
    expect((await signIn(app, "bob", PASSWORD)).status).toBe(429);
    expect(await status(app, bob)).toBe(200);
  });
});

describe("another user's password", () => {
  it("is set by an administrator, and ends that user's sessions", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    const answer = await change(app, alice, bob, { newPassword: NEW });
    expect([answer.status, answer.body.token]).toEqual([200, undefined as never]);
    expect([await status(app, alice), await status(app, bob)]).toEqual([200, 401]);
    expect((await signIn(app, "bob", NEW)).status).toBe(200);
    expect((await change(app, alice, { ...bob, id: 999 }, { newPassword: NEW })).status).toBe(404);
  });

  it("cannot be set by a user, even with the current one", async () => {
    const app = await createTestApp();
    const { bob, charlie } = await app.people();
    const { status, body } = await change(app, charlie, bob, { currentPassword: PASSWORD, newPassword: NEW });
    expect([status, body.code]).toEqual([404, "not_found"]);
    expect((await signIn(app, "bob", PASSWORD)).status).toBe(200);
  });
});

describe("a session", () => {
  it("ends when its user's role changes, and not when the name changes", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    await app.as(alice).put(`/api/users/${bob.id}`, { username: "robert", role: "user" });
    expect(await status(app, bob)).toBe(200);
    await app.as(alice).put(`/api/users/${bob.id}`, { role: "admin" });
    expect(await status(app, bob)).toBe(401);
    const again = { ...bob, token: (await signIn(app, "robert", PASSWORD)).body.token };
    expect((await app.as(again).get("/api/users")).status).toBe(200);
    await app.as(alice).put(`/api/users/${bob.id}`, { role: "user" });
    expect(await status(app, again)).toBe(401);
  });

  it("ends when its user is deleted, and is not valid for a later user of the same name", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    await app.as(alice).delete(`/api/users/${bob.id}`);
    expect(await status(app, bob)).toBe(401);
    await app.as(alice).post("/api/users", { username: "bob", password: NEW });
    expect(await status(app, bob)).toBe(401);
  });

  it("continues with the new role for an administrator who demotes themself", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    await app.as(alice).put(`/api/users/${bob.id}`, { role: "admin" });
    const { body } = await app.as(alice).put(`/api/users/${alice.id}`, { role: "user" });
    expect(await status(app, alice)).toBe(401);
    const stepped = { ...alice, token: body.token };
    expect((await app.as(stepped).get(ME)).body.user.role).toBe("user");
    expect((await app.as(stepped).get("/api/users")).status).toBe(403);
  });

  it("ends on every instance that shares the database", async () => {
    const app = await createTestApp();
    const twin = await createTestApp({ db: app.db, clock: app.clock });
    const { bob } = await app.people();
    expect(await status(twin, bob)).toBe(200);
    const { body } = await change(app, bob, bob, { currentPassword: PASSWORD, newPassword: NEW });
    expect([await status(twin, bob), await status(twin, { ...bob, token: body.token })]).toEqual([401, 200]);
  });
});

it("passwords are neither logged nor answered", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const secrets = ["a wrong secret", "a new secret of mine", "short-1"];
  const answers = [
    await change(app, bob, bob, { currentPassword: secrets[0], newPassword: secrets[1] }),
    await change(app, bob, bob, { currentPassword: secrets[0], newPassword: secrets[2] }),
    await change(app, bob, bob, { currentPassword: PASSWORD, newPassword: secrets[1] }),
  ];
  const output = [...answers.map(({ text }) => text), ...app.logged].join("\n");
  for (const secret of [...secrets, PASSWORD, "argon2id"]) expect(output).not.toContain(secret);
});
