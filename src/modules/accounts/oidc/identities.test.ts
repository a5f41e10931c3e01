import { expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { identities, securityLog, users } from "../../../db/schema";
import { MINUTE } from "../../../shared/limits";
import type { TestApp } from "../../../testing/app";
import type { TestUser } from "../../../testing/fixtures/people";
import { startWithPeople } from "../../../testing/oidc/issuer-hub";

const roleOf = async ({ db }: TestApp, username: string) =>
  (await db.select().from(users).where(eq(users.usernameKey, username)))[0]?.role;

it("groups give and take the role of an administrator at each sign-in, but not from the last one", async () => {
  const { app, issuer, alice, bob, signIn, link } = await startWithPeople({ OIDC_ADMIN_GROUP: "admins" });
  await link(bob);
  const withGroups = async (groups: unknown) => {
    issuer.lies.user.groups = groups;
    return (await signIn()).body.user.role;
  };
  expect(await withGroups(["staff", "admins"])).toBe("admin");
  const { status } = await app.as(bob).get("/api/auth/me");
  expect(status).toBe(401);
  for (const groups of [[], undefined, "not-admins", "staff,admins", [["admins"]], { admins: true }, ["Admins"], 7]) {
    expect(await withGroups("admins")).toBe("admin");
    expect([groups, await withGroups(groups)]).toEqual([groups, "user"]);
  }
  expect(await withGroups(["admins"])).toBe("admin");
  await app.db.update(users).set({ role: "user" }).where(eq(users.id, alice.id));
  expect(await withGroups([])).toBe("admin");
  expect(await roleOf(app, "bob")).toBe("admin");
  const changes = await app.db
    .select()
    .from(securityLog)
    .where(eq(securityLog.kind, "role_changed"))
    .orderBy(securityLog.id);
  expect(changes[0]).toMatchObject({
    ...{ userId: null, username: "Authentik", detail: "bob: user → admin" },
    ...{ action: "changed", objectId: bob.id, fields: { role: ["user", "admin"] } },
  });
});

it("an address leads to an account only if the issuer and the user have verified it, and OIDC_LINK_EMAIL allows it", async () => {
  const { app, issuer, bob, signIn } = await startWithPeople({ OIDC_LINK_EMAIL: "1", OIDC_AUTO_CREATE: "0" });
  const row = { email: "Alice@example.com", emailKey: "alice@example.com" };
  await app.db.update(users).set(row).where(eq(users.id, bob.id));
  expect((await signIn()).body.code).toBe("no_account");
  await app.db.update(users).set({ emailVerifiedAt: 1 }).where(eq(users.id, bob.id));
  for (const email_verified of [false, undefined, "true", 1]) {
    issuer.lies.user.email_verified = email_verified;
    expect((await signIn()).body.code).toBe("no_account");
  }
  issuer.lies.user.email_verified = true;
  expect((await signIn()).body.user).toMatchObject({ username: "bob" });
  // Another user of the issuer with the same address does not get the account as well.
  issuer.lies.user.sub = "mallory";
  expect((await signIn()).body.code).toBe("no_account");
  const without = await startWithPeople({ OIDC_AUTO_CREATE: "0" });
  await without.app.db
    .update(users)
    .set({ ...row, emailVerifiedAt: 1 })
    .where(eq(users.id, without.bob.id));
  expect((await without.signIn()).body.code).toBe("no_account");
});

it("a signed-in user links and unlinks their account, and a user of the issuer signs in to one account", async () => {
  const { app, issuer, begin, bob, charlie, link, signIn } = await startWithPeople();
  app.clock.set(app.clock.now() + 10 * MINUTE);
  expect((await app.as(bob).post("/api/auth/oidc/link/start")).body.code).toBe("proof_required");
  app.clock.set(app.clock.now() - 10 * MINUTE);
  expect((await link(bob)).status).toBe(200);
  expect((await link(bob)).status).toBe(200);
  expect((await link(charlie)).body.code).toBe("identity_taken");
  issuer.lies.user.sub = "alice-2";
  await link(bob);
  expect((await app.db.select().from(identities)).map(({ subject }) => subject)).toEqual(["alice-2"]);
  // A ticket of one user is of no use to another, and one of a sign-in links nothing.
  const { url, ticket } = (await app.as(bob).post("/api/auth/oidc/link/start")).body;
  const query = issuer.authorize(url);
  const finish = (user: TestUser, sent: string) =>
    app.as(user).post("/api/auth/oidc/link/callback", { ticket: sent, query });
  expect((await finish(charlie, ticket)).body.code).toBe("oidc_expired");
  expect((await finish(charlie, (await begin()).ticket)).body.code).toBe("oidc_expired");
  expect((await app.as(bob).delete("/api/auth/oidc/identity")).status).toBe(200);
  expect((await app.as(bob).get("/api/auth/oidc/identity")).body).toMatchObject({ identity: null });
  const { token, user } = (await signIn()).body;
  const made = app.as({ ...user, token, teamId: 0 });
  expect((await made.delete("/api/auth/oidc/identity")).body.code).toBe("password_required");
  const kinds = (await app.db.select().from(securityLog)).map(({ kind }) => kind);
  expect(kinds).toContain("identity_linked");
  expect(kinds).toContain("identity_removed");
});

it("signing out continues at the issuer", async () => {
  const { issuer, signIn } = await startWithPeople();
  const url = new URL(String((await signIn()).body.sign_out_url));
  expect(url.origin + url.pathname).toBe(`${issuer.origin}/logout`);
  expect(url.searchParams.get("post_logout_redirect_uri")).toBe("https://watch.example/login");
  expect(url.searchParams.get("id_token_hint")).toInclude(".");
  // A long address would be refused.
  issuer.lies.user.groups = Array.from({ length: 500 }, (_, number) => `group ${number}`);
  expect(String((await signIn()).body.sign_out_url).length).toBeLessThan(4000);
  issuer.lies.metadata = { end_session_endpoint: undefined };
});

it("an account without a password has none that could be guessed or reset by mail", async () => {
  const { app, signIn } = await startWithPeople({
    ...{ SMTP_URL: "smtp://127.0.0.1:1?security=none", MAIL_FROM: "wakeful@example.com" },
  });
  const { user } = (await signIn()).body;
  for (const password of ["", " ", "undefined"])
    expect((await app.anybody.post("/api/auth/login", { username: user.username, password })).status).toBeGreaterThan(
      400,
    );
  expect((await app.anybody.post("/api/auth/forgot", { email: "alice@example.com" })).status).toBe(200);
});
