import { describe, expect, it } from "bun:test";
import { purgeAttempts } from "../../../cluster/rate-limit";
import { loginFailures, trustedClients } from "../../../db/schema";
import { createTestApp, type TestApp } from "../../../testing/app";
import { PASSWORD } from "../../../testing/fixtures/people";
import { networksOf } from "../client-address";
import { loginLimit, nameLimit, successLimits, unknownClientLimits } from "./limits";
import { deleteExpiredClients } from "./sign-in";

const LOGIN = "/api/auth/login";
const [MINUTE, DAY] = [60_000, 86_400_000];
const HOME = "192.0.2.1";

/** The key that counts all usernames that unknown clients tried from one address. */
const originLimit = (address: string) => unknownClientLimits([address], "").at(-1)?.key ?? "";

const setUp = async () => {
  const app = await createTestApp({ env: { TRUST_PROXY: "1" } });
  await app.people();
  return app;
};

const attempt = (app: TestApp, username: string, address: string, password: string) =>
  app.anybody.post(LOGIN, { username, password }, { "x-forwarded-for": address });
const right = (app: TestApp, username: string, address: string) => attempt(app, username, address, PASSWORD);

/** Stores a count of failures directly, because each failed sign-in costs a hash. */
const count = async ({ db, clock }: TestApp, key: string, failures: number) => {
  const row = { key, failures, since: clock.now() };
  await db.insert(loginFailures).values(row).onConflictDoUpdate({ target: loginFailures.key, set: row });
};

it("60 failures from one network refuse unknown clients of that network only", async () => {
  const app = await setUp();
  await count(app, originLimit("198.51.100.7"), 59);
  expect((await attempt(app, "somebody", "198.51.100.7", "a guess")).status).toBe(401);
  const refused = await right(app, "bob", "198.51.100.7");
  expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
  expect((await right(app, "bob", "198.51.100.8")).status).toBe(200);
});

it("failures of unknown clients do not refuse a known client of the same network", async () => {
  const app = await setUp();
  await right(app, "bob", HOME);
  await count(app, originLimit(HOME), 60);
  expect((await right(app, "charlie", HOME)).status).toBe(429);
  expect((await right(app, "bob", HOME)).status).toBe(200);
});

describe("100 failures of unknown clients with one username", () => {
  it("refuse no known client and no other username", async () => {
    const app = await setUp();
    expect((await right(app, "bob", HOME)).status).toBe(200);
    await count(app, nameLimit("bob").key, 100);
    expect((await right(app, "bob", HOME)).status).toBe(200);
    expect((await right(app, "charlie", "198.51.100.7")).status).toBe(200);
  });

  it("leave one attempt from each new network", async () => {
    const app = await setUp();
    await count(app, nameLimit("bob").key, 100);
    expect((await right(app, "bob", "198.51.100.7")).status).toBe(200);
    expect((await attempt(app, "bob", "198.51.100.8", "a guess")).status).toBe(401);
    expect((await right(app, "bob", "198.51.100.8")).status).toBe(429);
  });

  it("count attempts of an IPv6 /48 as those of one network", async () => {
    const app = await setUp();
    await count(app, nameLimit("bob").key, 100);
    expect((await attempt(app, "bob", "2001:db8:1:1::1", "a guess")).status).toBe(401);
    expect((await right(app, "bob", "2001:db8:1:ffff::1")).status).toBe(429);
    expect((await right(app, "bob", "2001:db8:2:ffff::1")).status).toBe(200);
  });

  it("still refuse a network that used its attempt after 15 minutes while the flood continues", async () => {
    const app = await setUp();
    await count(app, nameLimit("bob").key, 100);
    await attempt(app, "bob", "198.51.100.8", "a guess");
    await app.clock.advance(16 * MINUTE);
    await purgeAttempts(app.deps);
    await count(app, nameLimit("bob").key, 100);
    expect((await right(app, "bob", "198.51.100.8")).status).toBe(429);
    await app.clock.advance(6 * 60 * MINUTE);
    await purgeAttempts(app.deps);
    expect(await app.db.$count(loginFailures)).toBe(0);
  });
});

it("a known client is refused after ten failures, like an unknown one", async () => {
  const app = await setUp();
  await right(app, "bob", HOME);
  await count(app, loginLimit(HOME, "bob").key, 10);
  expect((await right(app, "bob", HOME)).status).toBe(429);
});

it("a successful sign-in is not counted as a failure", async () => {
  const app = await setUp();
  await count(app, originLimit(HOME), 59);
  expect((await right(app, "bob", HOME)).status).toBe(200);
  expect((await right(app, "charlie", HOME)).status).toBe(200);
  const rows = new Map((await app.db.select().from(loginFailures)).map(({ key, failures }) => [key, failures]));
  expect([rows.get(originLimit(HOME)), rows.get(nameLimit("bob").key)]).toEqual([59, 0]);
});

it("addresses of one IPv6 /64 share a trusted client", async () => {
  const app = await setUp();
  await count(app, loginLimit(networksOf("2001:db8:0:1::1").narrowest, "bob").key, 10);
  expect((await right(app, "bob", "2001:db8:0:1::77")).status).toBe(429);
  expect((await right(app, "bob", "2001:db8:0:2::77")).status).toBe(200);
});

it("guesses from many /64 of one IPv6 /48 are refused after 40 with one username", async () => {
  const app = await setUp();
  const statuses: number[] = [];
  for (let network = 0; network < 45; network++)
    statuses.push((await attempt(app, "bob", `2001:db8:1:${(network * 0x0501).toString(16)}::1`, "a guess")).status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(40);
  expect(statuses.slice(40)).toEqual(Array(5).fill(429));
});

describe("sign-ins with the right password", () => {
  it("are accepted 60 times from one address in 15 minutes, then refused without a hash", async () => {
    const app = await setUp();
    for (const { key } of successLimits(HOME, "bob").slice(0, 1)) await count(app, key, 59);
    expect((await right(app, "bob", HOME)).status).toBe(200);
    const refused = await right(app, "bob", HOME);
    expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([
      429,
      "rate_limited",
      "900",
    ]);
    expect((await right(app, "bob", "192.0.2.2")).status).toBe(200);
    expect((await right(app, "charlie", HOME)).status).toBe(200);
    await app.clock.advance(15 * MINUTE);
    expect((await right(app, "bob", HOME)).status).toBe(200);
  });

  it("are accepted 200 times from all addresses together", async () => {
    const app = await setUp();
    for (const { key } of successLimits(HOME, "bob").slice(1)) await count(app, key, 199);
    expect((await right(app, "bob", "192.0.2.7")).status).toBe(200);
    expect((await right(app, "bob", "192.0.2.8")).status).toBe(429);
  });
});

it("a trusted client expires after 90 days, and its address is stored as a hash only", async () => {
  const app = await setUp();
  await right(app, "bob", HOME);
  expect(JSON.stringify(await app.db.select().from(trustedClients))).not.toContain(HOME);
  const known = await app.db.$count(trustedClients);
  await app.clock.advance(90 * DAY);
  await deleteExpiredClients(app.deps);
  expect(await app.db.$count(trustedClients)).toBe(known);
  await app.clock.advance(1);
  await deleteExpiredClients(app.deps);
  expect(await app.db.$count(trustedClients)).toBe(0);
});

it("a repeated refused attempt writes nothing", async () => {
  const app = await setUp();
  await count(app, loginLimit(HOME, "bob").key, 10);
  expect((await right(app, "bob", HOME)).status).toBe(429);
  const before = await app.db.select().from(loginFailures);
  for (let time = 0; time < 5; time++) expect((await right(app, "bob", HOME)).status).toBe(429);
  expect(await app.db.select().from(loginFailures)).toEqual(before);
});

it("one network may register 30 accounts in 15 minutes", async () => {
  const app = await setUp();
  const register = (address: string) =>
    app.anybody.post("/api/auth/register", { username: "bob", password: PASSWORD }, { "x-forwarded-for": address });
  for (let time = 0; time < 30; time++) expect((await register(HOME)).status).toBe(409);
  expect((await register(HOME)).status).toBe(429);
  expect((await register("192.0.2.2")).status).toBe(409);
});
