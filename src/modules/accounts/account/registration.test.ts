import { describe, expect, it } from "bun:test";
import { writeSetting } from "../../../db/app-settings";
import { members, teams, users } from "../../../db/schema";
import { createTestApp } from "../../../testing/app";

const account = (username: string, more: Record<string, unknown> = {}) => ({
  username,
  password: "long enough",
  ...more,
});
const REGISTER = "/api/auth/register";

describe("the first account", () => {
  it("becomes the administrator, and later ones are users", async () => {
    const { anybody, db } = await createTestApp();
    for (const name of ["alice", "bob"]) expect((await anybody.post(REGISTER, account(name))).status).toBe(201);
    const rows = await db.select({ username: users.username, role: users.role }).from(users).orderBy(users.id);
    expect(rows).toEqual([
      { username: "alice", role: "admin" },
      { username: "bob", role: "user" },
    ]);
  });

  it("has a personal team, as every account has, which a refused one does not leave behind", async () => {
    const { anybody, db } = await createTestApp();
    await Promise.all(["alice", "bob", "bob"].map((name) => anybody.post(REGISTER, account(name))));
    const accounts = await db.select({ userId: users.id, teamId: users.teamId }).from(users).orderBy(users.id);
    expect(accounts).toHaveLength(2);
    expect(await db.select().from(members).orderBy(members.userId)).toEqual(
      accounts.map((one) => ({ ...one, role: "owner" })),
    );
    expect((await db.select().from(teams)).map(({ id, name }) => ({ id, name }))).toEqual(
      expect.arrayContaining(accounts.map(({ teamId: id }) => ({ id, name: null }))),
    );
    expect(await db.$count(teams)).toBe(2);
  });

  it("is the only administrator when several are created concurrently", async () => {
    const { anybody, db } = await createTestApp();
    const names = ["alice", "bob", "charlie"];
    await Promise.all(names.map((name) => anybody.post(REGISTER, account(name))));
    const roles = (await db.select().from(users)).map(({ role }) => role).sort();
    expect(roles).toEqual(["admin", "user", "user"]);
  });

  it("is not chosen by the request: a role in the body is ignored", async () => {
    const { anybody, people, db } = await createTestApp();
    await people();
    const sent = account("mallory", { role: "admin", id: 1, tokenVersion: 9, token_version: 9 });
    expect((await anybody.post(REGISTER, sent)).status).toBe(201);
    const [row] = (await db.select().from(users)).filter(({ username }) => username === "mallory");
    expect(row).toMatchObject({ role: "user", tokenVersion: 0 });
    expect(row?.id).not.toBe(1);
  });
});

describe("a username", () => {
  it("is trimmed, and unique regardless of case", async () => {
    const { anybody, db } = await createTestApp();
    expect(await anybody.post(REGISTER, account("  Älice  "))).toMatchObject({ status: 201, body: { success: true } });
    expect((await db.select().from(users))[0]?.username).toBe("Älice");
    for (const name of ["Älice", "älICE", " ÄLICE "]) {
      const { status, body } = await anybody.post(REGISTER, account(name));
      expect([status, body.success, body.code, body.message]).toEqual([
        409,
        false,
        "username_taken",
        "Username already exists",
      ]);
    }
  });

  it("contains no invisible characters", async () => {
    const { anybody } = await createTestApp();
    const names = [
      "alice\u200b",
      "\u200b",
      "a\nb",
      "\u202eecila",
      "alice\u00ad",
      "\ufeffalice",
      "a\u0007",
      " ",
      "\u3000",
    ];
    for (const name of names) {
      const { status, body } = await anybody.post(REGISTER, account(name));
      expect([name, status, body.errors?.[0]?.path]).toEqual([name, 422, "username"]);
    }
    for (const name of ["爱丽丝", "Zoë O'Neil-Müller", "a.b@c"]) {
      expect((await anybody.post(REGISTER, account(name))).status).toBe(201);
    }
  });

  it("is registered once by concurrent requests", async () => {
    const { anybody } = await createTestApp();
    const answers = await Promise.all(["bob", "Bob", "BOB"].map((name) => anybody.post(REGISTER, account(name))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });
});

describe("an e-mail address", () => {
  it("is optional: left out, empty or null", async () => {
    const { anybody, db } = await createTestApp();
    const sent = [account("alice"), account("bob", { email: "" }), account("charlie", { email: null })];
    for (const body of sent) expect((await anybody.post(REGISTER, body)).status).toBe(201);
    expect((await db.select().from(users)).map(({ email }) => email)).toEqual([null, null, null]);
  });

  it("is unique regardless of case", async () => {
    const { anybody } = await createTestApp();
    await anybody.post(REGISTER, account("alice", { email: "Alice@Example.com" }));
    const { status, body } = await anybody.post(REGISTER, account("bob", { email: "aLICE@example.COM" }));
    expect([status, body.code, body.message]).toEqual([409, "email_taken", "Email already exists"]);
  });

  it("must have the form of an address", async () => {
    const { anybody } = await createTestApp();
    for (const email of [
      "a",
      "a@",
      "@b.c",
      "a@b",
      "a b@c.d",
      "a@b.c, d@e.f",
      "a@b..",
      `${"x".repeat(250)}@b.example`,
      7,
    ]) {
      const { status, body } = await anybody.post(REGISTER, account("bob", { email }));
      expect([email, status, body.errors?.map(({ path }) => path)]).toEqual([email, 422, ["email"]]);
    }
    for (const email of ["a.b+c@d-e.example", "ü@müller.example", "o'neil@example.co.uk"]) {
      expect((await anybody.post(REGISTER, account(email, { email }))).status).toBe(201);
    }
  });
});

describe("a registration that is refused", () => {
  it("lists every bad field", async () => {
    const { anybody } = await createTestApp();
    const { status, body } = await anybody.post(REGISTER, { username: " ", password: "short", email: "nobody" });
    expect([status, body.success, body.code]).toEqual([422, false, "validation"]);
    expect(body.errors.map(({ path }) => path).sort()).toEqual(["email", "password", "username"]);
    for (const { path, message } of body.errors) expect(message).toStartWith(`${path}: expected `);
    expect((await anybody.post(REGISTER, {})).body.errors.map(({ path }) => path).sort()).toEqual([
      "password",
      "username",
    ]);
  });

  it("has a name or password that is too short or too long", async () => {
    const { anybody } = await createTestApp();
    const tries: [Record<string, unknown>, number][] = [
      [account("x".repeat(64)), 201],
      [account("x".repeat(65)), 422],
      [account(""), 422],
      [account("a", { password: "1234567" }), 422],
      [account("b", { password: "xq7Tz91b" }), 201],
      [account("c", { password: "xy".repeat(128) }), 201],
      [account("d", { password: "x".repeat(257) }), 422],
      [account("e", { password: 12345678 }), 422],
    ];
    for (const [sent, status] of tries) expect((await anybody.post(REGISTER, sent)).status).toBe(status);
  });
});

describe("closed registration", () => {
  it("by REGISTRATION answers 403, and the status shows it", async () => {
    const { anybody, people, db } = await createTestApp({ env: { REGISTRATION: "closed" } });
    await people();
    const { status, body } = await anybody.post(REGISTER, account("dora"));
    expect([status, body.success, body.code]).toEqual([403, false, "registration_closed"]);
    const state = (await anybody.get("/api/auth/registration")).body;
    expect(state).toMatchObject({ success: true, open: false, fixed: true });
    expect(await db.$count(users)).toBe(3);
  });

  it("by REGISTRATION cannot be opened by an administrator", async () => {
    const app = await createTestApp({ env: { REGISTRATION: "closed" } });
    const { alice } = await app.people();
    await writeSetting(app.db, "registration", "open");
    expect((await app.anybody.get("/api/auth/registration")).body.open).toBe(false);
    expect((await app.anybody.post(REGISTER, account("dora"))).body.code).toBe("registration_closed");
    const refused = await app.as(alice).put("/api/auth/registration", { open: true });
    expect([refused.status, refused.body.code]).toEqual([409, "registration_fixed"]);
    expect((await app.as(alice).put("/api/auth/registration", { open: false })).status).toBe(200);
  });

  it("by an administrator is closed although REGISTRATION is open", async () => {
    const { anybody, people, db } = await createTestApp();
    expect((await anybody.get("/api/auth/registration")).body).toMatchObject({ open: true, first: true, fixed: false });
    await people();
    await writeSetting(db, "registration", "closed");
    expect((await anybody.post(REGISTER, account("dora"))).status).toBe(403);
  });
});
