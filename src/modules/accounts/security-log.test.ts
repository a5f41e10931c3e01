import { describe, expect, it } from "bun:test";
import { securityLog } from "../../db/schema";
import { DAY, MINUTE } from "../../shared/limits";
import { createTestApp, type TestApp } from "../../testing/app";
import { PASSWORD } from "../../testing/fixtures/people";
import { KEPT_ROWS, purgeSecurityLog, recordSecurityEvent } from "./security-log";

const LOGIN = "/api/auth/login";
const from = (address: string) => ({ "x-forwarded-for": address });
const signIn = (app: TestApp, username: string, password = PASSWORD, address = "192.0.2.1") =>
  app.anybody.post(LOGIN, { username, password }, from(address));
const rows = (app: TestApp) => app.db.select().from(securityLog).orderBy(securityLog.id);
const lines = (app: TestApp) =>
  app.logged.map((line) => JSON.parse(line)).filter(({ message }) => message === "security event");

const setUp = async () => {
  const app = await createTestApp({ env: { TRUST_PROXY: "1" } });
  const people = await app.people();
  await app.db.delete(securityLog);
  app.logged.length = 0;
  return { app, ...people };
};

describe("the security log", () => {
  it("records a sign-in and a failed sign-in as a log line and a row", async () => {
    const { app, bob } = await setUp();
    await signIn(app, "bob");
    await signIn(app, "bob", "not this one");
    const at = app.clock.now();
    expect(await rows(app)).toMatchObject([
      { at, kind: "signed_in", userId: bob.id, username: "bob", address: "192.0.2.1", detail: "" },
      { at, kind: "sign_in_failed", userId: null, username: "bob", address: "192.0.2.1", detail: "" },
    ]);
    expect(lines(app)).toMatchObject([
      { level: "info", kind: "signed_in", address: "192.0.2.1", username: "bob", user_id: bob.id },
      { level: "warn", kind: "sign_in_failed", address: "192.0.2.1", username: "bob" },
    ]);
  });

  it("never holds a password", async () => {
    const { app } = await setUp();
    await signIn(app, "bob");
    await signIn(app, "bob", "a secret of mine");
    const everything = JSON.stringify(await rows(app)) + app.logged.join();
    for (const text of [PASSWORD, "a secret of mine"]) expect(everything).not.toContain(text);
  });

  it("writes one line for each event, whichever characters the name contains", async () => {
    const { app } = await setUp();
    const name = 'x"\n","address":"203.0.113.9"\u2028\u202e\u001b';
    await signIn(app, name);
    const written = app.logged.filter((line) => line.includes("security event"));
    expect(written).toHaveLength(1);
    expect(written[0]?.trimEnd()).not.toMatch(/[\n\u2028\u202e]/);
    expect(written[0]).toMatch(
      /"message":"security event","kind":"sign_in_failed","address":"192\.0\.2\.1","username":/,
    );
    expect(lines(app)[0]).toMatchObject({ address: "192.0.2.1" });
    expect((await rows(app))[0]?.username).not.toMatch(/\p{Cc}|[\u2028\u202e]/u);
  });

  it("writes a mapped IPv6 address as IPv4", async () => {
    const { app } = await setUp();
    await recordSecurityEvent(app.deps, { kind: "signed_in", username: "bob", address: "::ffff:192.0.2.7" });
    expect((await rows(app))[0]?.address).toBe("192.0.2.7");
  });
});

describe("rate-limited sign-ins", () => {
  it("are counted in one row for each address and minute", async () => {
    const { app } = await setUp();
    for (let time = 0; time < 10; time++) await signIn(app, "bob", "wrong");
    await Promise.all(Array.from({ length: 40 }, () => signIn(app, "bob", "wrong")));
    await signIn(app, "bob", "wrong");
    const refused = async () => (await rows(app)).filter(({ kind }) => kind === "sign_in_refused");
    expect(await refused()).toMatchObject([{ username: "bob", address: "192.0.2.1", detail: "" }]);
    expect(lines(app).filter(({ kind }) => kind === "sign_in_refused")).toHaveLength(1);
    await app.clock.advance(MINUTE);
    await purgeSecurityLog(app.deps);
    expect(await refused()).toMatchObject([{ detail: "41" }]);
    await signIn(app, "bob", "wrong");
    expect((await refused()).map(({ detail }) => detail)).toEqual(["41", ""]);
  });

  it("of thousands of addresses share one row once a hundred addresses are counted", async () => {
    const { app } = await setUp();
    for (let time = 0; time < 1000; time++) {
      const address = `198.51.${time >> 8}.${time & 255}`;
      await recordSecurityEvent(app.deps, { kind: "sign_in_refused", username: "bob", address });
    }
    expect(await rows(app)).toHaveLength(101);
    await app.clock.advance(MINUTE);
    await purgeSecurityLog(app.deps);
    expect((await rows(app)).at(-1)).toMatchObject({ address: "many addresses", username: "", detail: "900" });
  });
});

describe("the retention of the security log", () => {
  it("purges entries after 90 days", async () => {
    const { app } = await setUp();
    await signIn(app, "bob");
    await app.clock.advance(90 * DAY);
    await purgeSecurityLog(app.deps);
    expect(await rows(app)).toHaveLength(1);
    await app.clock.advance(1);
    await purgeSecurityLog(app.deps);
    expect(await rows(app)).toEqual([]);
  });

  it("keeps at most 50,000 refusals, and purges no other entry because of them", async () => {
    expect(KEPT_ROWS).toBe(50_000);
    const { app } = await setUp();
    await recordSecurityEvent(app.deps, { kind: "role_changed", username: "alice", address: "192.0.2.1" });
    const row = { at: app.clock.now(), kind: "sign_in_failed", username: "bob", address: "192.0.2.9", detail: "" };
    await app.db.insert(securityLog).values(Array(510).fill(row));
    await purgeSecurityLog(app.deps, { rows: 500 });
    const kept = await rows(app);
    expect(kept).toHaveLength(501);
    expect(kept[0]?.kind).toBe("role_changed");
  });

  it("keeps at most a tenth of that for one user, whose entries displace no other user's", async () => {
    const { app, alice, bob } = await setUp();
    const acted = { address: "192.0.2.1" };
    await recordSecurityEvent(app.deps, { ...acted, kind: "role_changed", userId: alice.id, username: "alice" });
    const row = { at: app.clock.now(), kind: "key_created", username: "bob", detail: "", userId: bob.id, ...acted };
    await app.db.insert(securityLog).values(Array(510).fill(row));
    await purgeSecurityLog(app.deps, { rows: 500 });
    const kept = await rows(app);
    expect(kept.map(({ username }) => username)).toEqual(["alice", ...Array(50).fill("bob")]);
  });
});
