import { describe, expect, it } from "bun:test";
import { users } from "../../../db/schema";
import { createTestApp } from "../../../testing/app";
import { addUser, PASSWORD } from "../../../testing/fixtures/people";
import { isPasswordWeak, isUsernameAllowed } from "./account-rules";

const REGISTER = "/api/auth/register";

describe("a new username", () => {
  it("may use any one script with numbers and punctuation, or scripts that are written together", () => {
    const names = [
      ...[
        "alice",
        "Zoë O'Neil-Müller",
        "a.b@c",
        "bob+test",
        "x_1",
        "用户123",
        "爱丽丝 Alice",
        "アリスとbob",
        "김민수",
        "ㄅㄆ中",
      ],
      ...["Алиса-7", "Αλίκη", "علي ٣", "דנה", "अलीशा", "นที", "გიორგი", "〇〇七", "Nguyễn Văn Ân", "e\u0301ric"],
    ];
    for (const name of names) expect([name, isUsernameAllowed(name)]).toEqual([name, true]);
  });

  it("is refused when it mixes scripts or contains invisible characters", () => {
    const invisible = ["\u034f", "\ufe0f", "\u3164", "\u115f", "\u2800", "\u180e", "\u061c", "\u17b4", "\u{e0061}"];
    const names = [
      ...invisible.map((character) => `alice${character}`),
      ...["\u0430lice", "al\u0456ce", "αlice", "alicе", "лice", "👩", "a\u00a0b", "a  b", "☃", "ⓐlice", "\u0301alice"],
      `a${"\u0301".repeat(5)}`,
    ];
    for (const name of names) expect([name, isUsernameAllowed(name)]).toEqual([name, false]);
  });

  it("is checked when an account is created or renamed, and existing names can still sign in", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    const odd = await addUser(app.deps, "аlice 👩");
    const refused = [
      await app.anybody.post(REGISTER, { username: "аlice", password: "long enough" }),
      await app.as(alice).post("/api/users", { username: "bob\u3164", password: "long enough" }),
      await app.as(alice).put(`/api/users/${bob.id}`, { username: "bob\u034f" }),
    ];
    for (const { status, body } of refused) expect([status, body.code]).toEqual([422, "username_not_allowed"]);
    expect(await app.db.$count(users)).toBe(4);
    expect((await app.as(odd).get("/api/auth/me")).status).toBe(200);
    // Another change leaves the name alone.
    const kept = await app.as(odd).put(`/api/users/${odd.id}`, { email: "o@example.com", currentPassword: PASSWORD });
    expect(kept.status).toBe(200);
  });
});

describe("a new password", () => {
  it("is weak when it is common, one repeated character, or the user's name or email, regardless of case", () => {
    const owner = { username: "Margarethe", email: "marga.rethe@example.com" };
    const weak = [
      "password",
      "12345678",
      "PASSWORD",
      "iloveyou",
      "qwertyuiop",
      "aaaaaaaa",
      "margarethe",
      " MARGARETHE ",
    ];
    for (const password of [...weak, "marga.rethe@example.com", "marga.rethe"])
      expect([password, isPasswordWeak(password, owner)]).toEqual([password, true]);
    for (const password of [PASSWORD, "margarethe7!", "xq7Tz91b"]) expect(isPasswordWeak(password, owner)).toBe(false);
  });

  it("is weak when it is the product, the host of PUBLIC_URL, a season or a month with digits and signs", () => {
    const isWeak = (password: string) =>
      isPasswordWeak(password, { username: "bob" }, "https://watch7.shop-and-more.example:8443/wakeful");
    for (const password of [
      ...["wakeful1", "Wakeful2026!", "123wakeful", "Summer2026", "autumn26", "!Winter2025!", "December1", "may-2026"],
      ...["watch7.shop-and-more.example", "Watch2026", "shop-and-more1"],
    ])
      expect([password, isWeak(password)]).toEqual([password, true]);
    for (const password of ["summer in Lisbon", "wakeful nights 2026", "example1-x", "marchingband", "12345678!x2z"])
      expect([password, isWeak(password)]).toEqual([password, false]);
  });

  it("is refused by every route when it is weak, and an existing one remains valid", async () => {
    const app = await createTestApp();
    const { alice, bob } = await app.people();
    const change = { currentPassword: PASSWORD, newPassword: "12345678" };
    const refused = [
      await app.anybody.post(REGISTER, { username: "margarethe", password: "margarethe" }),
      await app.as(alice).post("/api/users", { username: "dora", password: "password" }),
      await app.as(alice).post(`/api/users/${bob.id}/change-password`, { newPassword: "aaaaaaaa" }),
      await app.as(bob).post(`/api/users/${bob.id}/change-password`, change),
    ];
    for (const { status, body } of refused) expect([status, body.code]).toEqual([422, "weak_password"]);
    expect((await app.as(bob).get("/api/auth/me")).status).toBe(200);
    const passwordHash = await Bun.password.hash("password", { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
    await app.db.update(users).set({ passwordHash });
    expect((await app.anybody.post("/api/auth/login", { username: "bob", password: "password" })).status).toBe(200);
  });
});
