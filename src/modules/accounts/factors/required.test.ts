import { expect, it } from "bun:test";
import { createTestApp, type TestApp } from "../../../testing/app";
import { addAuthenticator, addPasskey, PASSWORD, prove, type TestUser } from "../../../testing/fixtures/people";

const start = async (require: string) => {
  const app = await createTestApp({ env: { REQUIRE_2FA: require } });
  return { app, ...(await app.people()) };
};

const codeOf = async (app: TestApp, user: TestUser) => {
  const { status, body } = await app.as(user).get("/api/monitors");
  return status === 200 ? "allowed" : `${status} ${body.code}`;
};
const REFUSED = "403 second_factor_required";

it("REQUIRE_2FA=admins asks administrators for a second factor, and all asks everyone", async () => {
  for (const [require, ofAdmin, ofUser] of [
    ["off", "allowed", "allowed"],
    ["admins", REFUSED, "allowed"],
    ["all", REFUSED, REFUSED],
  ] as const) {
    const { app, alice, bob } = await start(require);
    expect([await codeOf(app, alice), await codeOf(app, bob)]).toEqual([ofAdmin, ofUser]);
    expect((await app.as(bob).get("/api/auth/factors")).body.required).toBe(require === "all");
  }
});

it("the user signs in, adds a passkey or an app with the calls that stay open, and goes on", async () => {
  const { app, alice, bob } = await start("all");
  const { token } = (await app.anybody.post("/api/auth/login", { username: "bob", password: PASSWORD })).body;
  const waiting = { ...bob, token };
  expect((await app.as(waiting).get("/api/auth/me")).status).toBe(200);
  await prove(app, waiting);
  await addAuthenticator(app, waiting);
  expect(await codeOf(app, waiting)).toBe("allowed");
  expect((await addPasskey(app, alice)).status).toBe(201);
  expect(await codeOf(app, alice)).toBe("allowed");
  // The last one can be removed, and has to be replaced.
  await app.as(waiting).delete("/api/auth/totp");
  expect(await codeOf(app, waiting)).toBe(REFUSED);
  expect((await app.as(waiting).post("/api/auth/logout")).status).toBe(200);
});

it("nothing else is open to a session without a second factor, also outside of the API", async () => {
  const { app, alice } = await start("admins");
  const client = app.as(alice);
  const answers = [
    await client.get("/api/users"),
    await client.put(`/api/users/${alice.id}`, { email: "alice@example.com" }),
    await client.post("/api/keys", { name: "backups", scope: "read" }),
    await client.get("/api/auth/sessions"),
    await client.get("/api/live"),
    await client.get("/api/wall"),
    await client.get("/metrics"),
  ];
  expect(new Set(answers.map(({ body }) => body.code))).toEqual(new Set(["second_factor_required"]));
});

it("API keys go on", async () => {
  const before = await start("off");
  const { key } = (await before.app.as(before.bob).post("/api/keys", { name: "backups", scope: "read" })).body;
  const app = await createTestApp({ env: { REQUIRE_2FA: "all" }, db: before.app.db, clock: before.app.clock });
  expect(await codeOf(app, before.bob)).toBe(REFUSED);
  expect(await codeOf(app, { ...before.bob, token: key })).toBe("allowed");
});
