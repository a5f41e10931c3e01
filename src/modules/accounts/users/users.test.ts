import { describe, expect, it } from "bun:test";
import { users } from "../../../db/schema";
import { MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { PASSWORD } from "../../../testing/fixtures/people";

const account = (username: string, more: Record<string, unknown> = {}) => ({
  username,
  password: "long enough",
  ...more,
});

describe("the list of users", () => {
  it("is readable by administrators only, and contains no password hash", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    const { status, body, text } = await app.as(alice).get("/api/users");
    expect([status, body.success]).toEqual([200, true]);
    expect(body.users.map(({ username, role }) => [username, role])).toEqual([
      ["alice", "admin"],
      ["bob", "user"],
      ["charlie", "user"],
    ]);
    expect(text).not.toMatch(/hash|argon|version|key/i);
    const refused = await app.as(bob).get("/api/users");
    expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
  });
});

describe("an administrator", () => {
  it("creates a user who can sign in, or another administrator", async () => {
    const app = await createTestApp();
    const { alice } = await app.people();
    const { status, body } = await app.as(alice).post("/api/users", account(" Dora ", { email: "dora@example.com" }));
    expect(status).toBe(201);
    expect(body.user).toMatchObject({ username: "Dora", email: "dora@example.com", role: "user" });
    const login = await app.anybody.post("/api/auth/login", account("dora"));
    expect(login.body.user).toEqual(body.user);
    const other = await app.as(alice).post("/api/users", account("erin", { role: "admin" }));
    expect(other.body.user.role).toBe("admin");
  });

  it("gets an error for each bad field, and for taken names", async () => {
    const app = await createTestApp();
    const { alice } = await app.people();
    const { status, body } = await app
      .as(alice)
      .post("/api/users", { username: " ", password: "short", email: "x", role: "root" });
    expect([status, body.code]).toEqual([422, "validation"]);
    expect(body.errors.map(({ path }) => path).sort()).toEqual(["email", "password", "role", "username"]);
    const taken = await app.as(alice).post("/api/users", account("BOB"));
    expect([taken.status, taken.body.code]).toEqual([409, "username_taken"]);
    expect(await app.db.$count(users)).toBe(3);
  });

  it("changes names, email addresses and roles; omitted fields stay unchanged", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    const path = `/api/users/${bob.id}`;
    const first = await app.as(alice).put(path, { username: " Bobby ", email: "bob@example.com" });
    expect(first.body.user).toMatchObject({ id: bob.id, username: "Bobby", email: "bob@example.com", role: "user" });
    expect((await app.as(alice).put(path, { role: "admin" })).body.user).toMatchObject({
      username: "Bobby",
      email: "bob@example.com",
      role: "admin",
    });
    expect((await app.as(alice).put(path, { email: "" })).body.user.email).toBeNull();
    expect((await app.anybody.post("/api/auth/login", { username: "bobby", password: PASSWORD })).status).toBe(200);
  });

  it("cannot set a name or an email address that another user has, regardless of case", async () => {
    const app = await createTestApp();
    const { alice, bob, charlie } = await app.people();
    await app.as(alice).put(`/api/users/${charlie.id}`, { email: "c@example.com" });
    const path = `/api/users/${bob.id}`;
    expect((await app.as(alice).put(path, { username: " CHARLIE " })).body.code).toBe("username_taken");
    const refused = await app.as(alice).put(path, { username: "bobby", email: "C@example.com" });
    expect([refused.status, refused.body.code]).toEqual([409, "email_taken"]);
    expect((await app.as(alice).get(path)).body.user).toMatchObject({ username: "bob", email: null });
    // A user may change the case of their own name.
    expect((await app.as(alice).put(path, { username: "BOB" })).body.user.username).toBe("BOB");
  });

  it("opens and closes registration", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    const path = "/api/auth/registration";
    expect((await app.as(alice).put(path, { open: false })).body).toMatchObject({ success: true, open: false });
    expect((await app.anybody.post("/api/auth/register", account("dora"))).body.code).toBe("registration_closed");
    expect((await app.as(bob).put(path, { open: true })).status).toBe(403);
    expect((await app.as(alice).put(path, { open: "yes" })).status).toBe(422);
    expect((await app.as(alice).put(path, { open: true })).status).toBe(200);
    expect((await app.anybody.post("/api/auth/register", account("dora"))).status).toBe(201);
  });
});

describe("a user", () => {
  it("reads and changes their own account only", async () => {
    const app = await createTestApp();
    const { alice, bob, charlie } = await app.people();
    expect((await app.as(bob).get(`/api/users/${bob.id}`)).body.user.username).toBe("bob");
    const changed = await app.as(bob).put(`/api/users/${bob.id}`, {
      username: "robert",
      email: "r@example.com",
      currentPassword: PASSWORD,
    });
    expect(changed.body.user).toMatchObject({ username: "robert", email: "r@example.com" });
    expect((await app.as(bob).get("/api/auth/me")).body.user).toEqual(changed.body.user);
    for (const id of [alice.id, charlie.id, 999]) {
      expect((await app.as(bob).get(`/api/users/${id}`)).status).toBe(404);
      expect((await app.as(bob).put(`/api/users/${id}`, { username: "mine" })).status).toBe(404);
    }
    expect((await app.as(bob).get("/api/users/x")).body.code).toBe("invalid_id");
  });

  it("cannot change their own role", async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    const { status, body } = await app
      .as(bob)
      .put(`/api/users/${bob.id}`, { username: "boss", role: "admin", currentPassword: PASSWORD });
    expect([status, body.code]).toEqual([403, "forbidden"]);
    expect((await app.as(bob).get("/api/auth/me")).body.user).toMatchObject({ username: "bob", role: "user" });
    // The current role may be sent.
    const sent = { username: "boss", role: "user", currentPassword: PASSWORD };
    expect((await app.as(bob).put(`/api/users/${bob.id}`, sent)).status).toBe(200);
  });

  it("cannot create or delete users, including themself", async () => {
    const app = await createTestApp();
    const { bob, charlie } = await app.people();
    expect((await app.as(bob).post("/api/users", {})).status).toBe(403);
    for (const id of [bob.id, charlie.id, 999]) expect((await app.as(bob).delete(`/api/users/${id}`)).status).toBe(403);
    expect(await app.db.$count(users)).toBe(3);
  });
});

describe("the last administrator", () => {
  it("cannot be demoted or deleted, and no user can delete themself", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    const demoted = await app.as(alice).put(`/api/users/${alice.id}`, {
      role: "user",
      username: "gone",
      currentPassword: PASSWORD,
    });
    expect([demoted.status, demoted.body.code]).toEqual([409, "last_admin"]);
    const deleted = await app.as(alice).delete(`/api/users/${alice.id}`);
    expect([deleted.status, deleted.body.code]).toEqual([409, "cannot_delete_self"]);
    expect((await app.as(alice).get("/api/auth/me")).body.user).toMatchObject({ username: "alice", role: "admin" });
    await app.as(alice).put(`/api/users/${bob.id}`, { role: "admin" });
    expect((await app.as(alice).put(`/api/users/${alice.id}`, { role: "user" })).status).toBe(200);
  });

  it("remains when two administrators demote each other concurrently", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    await app.as(alice).put(`/api/users/${bob.id}`, { role: "admin" });
    const { token } = (await app.anybody.post("/api/auth/login", { username: "bob", password: PASSWORD })).body;
    await Promise.all([
      app.as(alice).put(`/api/users/${bob.id}`, { role: "user" }),
      app.as({ ...bob, token }).put(`/api/users/${alice.id}`, { role: "user" }),
    ]);
    expect((await app.db.select().from(users)).filter(({ role }) => role === "admin")).toHaveLength(1);
  });

  it("remains when two administrators delete each other concurrently", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    await app.as(alice).put(`/api/users/${bob.id}`, { role: "admin" });
    const { token } = (await app.anybody.post("/api/auth/login", { username: "bob", password: PASSWORD })).body;
    await Promise.all([
      app.as(alice).delete(`/api/users/${bob.id}`),
      app.as({ ...bob, token }).delete(`/api/users/${alice.id}`),
    ]);
    expect((await app.db.select().from(users)).map(({ role }) => role).sort()).toEqual(["admin", "user"]);
  });
});

describe("a change of a user's own username or email", () => {
  it("requires the current password, and changes nothing without it", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    await app.clock.advance(10 * MINUTE);
    for (const user of [alice, bob]) {
      const path = `/api/users/${user.id}`;
      for (const change of [{ username: "other" }, { email: "x@example.com" }, { username: "x", email: "" }]) {
        const missing = await app.as(user).put(path, change);
        expect([missing.status, missing.body.code]).toEqual([403, "proof_required"]);
        const wrong = await app.as(user).put(path, { ...change, currentPassword: "a guess" });
        expect([wrong.status, wrong.body.code]).toEqual([422, "wrong_password"]);
      }
      expect((await app.as(user).get(path)).body.user).toMatchObject({ username: user.username, email: null });
      expect((await app.as(user).put(path, { email: "me@example.com", current_password: PASSWORD })).status).toBe(200);
      await app.as(user).put(path, { email: "", currentPassword: PASSWORD });
    }
  });

  it("requires no password within 10 minutes of the sign-in, but refuses a wrong one", async () => {
    const app = await createTestApp();
    const { bob } = await app.people();
    const put = (body: object) => app.as(bob).put(`/api/users/${bob.id}`, body);
    await app.clock.advance(10 * MINUTE - 1);
    expect((await put({ username: "robert", email: "robert@example.com" })).status).toBe(200);
    expect((await put({ username: "bob", currentPassword: "a guess" })).body.code).toBe("wrong_password");
    await app.clock.advance(1);
    expect((await put({ username: "bob" })).status).toBe(403);
    app.clock.set(START - MINUTE);
    expect((await put({ username: "bob" })).status).toBe(403);
  });

  it("requires no password for unchanged values, or from an administrator for another user", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    expect((await app.as(bob).put(`/api/users/${bob.id}`, { username: "bob", email: "" })).status).toBe(200);
    expect((await app.as(alice).put(`/api/users/${bob.id}`, { username: "rob" })).status).toBe(200);
  });

  it("does not reset the limit on guesses at the current password", async () => {
    const app = await createTestApp({ env: { TRUST_PROXY: "1" } });
    const { alice, bob } = await app.people();
    const guess = (address: string) =>
      app
        .as(bob)
        .post(
          `/api/users/${bob.id}/change-password`,
          { currentPassword: "a guess", newPassword: "another good password" },
          { "x-forwarded-for": address },
        );
    for (let time = 0; time < 10; time++) expect((await guess("192.0.2.1")).status).toBe(422);
    await app.as(alice).put(`/api/users/${bob.id}`, { username: "robert" });
    expect((await guess("192.0.2.1")).status).toBe(429);
    // Thirty from all addresses together, the refused one included.
    for (let time = 0; time < 19; time++) expect((await guess(`192.0.2.${2 + (time % 2)}`)).status).toBe(422);
    expect((await guess("192.0.2.9")).status).toBe(429);
  });
});

it("an administrator can clear an email that a user registered first, and its owner can then register it", async () => {
  const app = await createTestApp();
  const { alice } = await app.people();
  await app.anybody.post("/api/auth/register", account("mallory", { email: "dora@example.com" }));
  const dora = account("dora", { email: "Dora@example.com" });
  expect((await app.anybody.post("/api/auth/register", dora)).body.code).toBe("email_taken");
  const mallory = (await app.as(alice).get("/api/users")).body.users.find(({ username }) => username === "mallory");
  expect((await app.as(alice).put(`/api/users/${mallory?.id}`, { email: "" })).status).toBe(200);
  expect((await app.anybody.post("/api/auth/register", dora)).status).toBe(201);
});
