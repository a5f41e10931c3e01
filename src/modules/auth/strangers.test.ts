import { expect, it } from "bun:test";
import { knownAddresses, loginFailures } from "../../db/schema";
import { createTestApp, type TestApp } from "../../testing/app";
import { PASSWORD } from "../../testing/people";
import { pairLimit, strangerLimits } from "./attempts";
import { originOf } from "./client-address";
import { sweepKnownAddresses } from "./known-addresses";

const LOGIN = "/api/auth/login";
const DAY = 86_400_000;
const HOME = "192.0.2.1";

const setUp = async () => {
  const app = await createTestApp({ env: { TRUST_PROXY: "1" } });
  await app.people();
  return app;
};

const attempt = (app: TestApp, username: string, address: string, password: string) =>
  app.anybody.post(LOGIN, { username, password }, { "x-forwarded-for": address });
const right = (app: TestApp, username: string, address: string) => attempt(app, username, address, PASSWORD);

/** As if so many guesses had failed already: each costs a hash. */
const count = async ({ db, clock }: TestApp, key: string, failures: number) => {
  const row = { key, failures, since: clock.now() };
  await db.insert(loginFailures).values(row).onConflictDoUpdate({ target: loginFailures.key, set: row });
};

it("who tries many names from one place is refused there, and nowhere else", async () => {
  const app = await setUp();
  const [origin] = strangerLimits("198.51.100.7", "bob");
  await count(app, origin?.key ?? "", 59);
  expect((await attempt(app, "somebody", "198.51.100.7", "a guess")).status).toBe(401);
  const refused = await right(app, "bob", "198.51.100.7");
  expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
  expect((await right(app, "bob", "198.51.100.8")).status).toBe(200);
});

it("who guesses at one name from many places keeps no one out where they are known", async () => {
  const app = await setUp();
  expect((await right(app, "bob", HOME)).status).toBe(200);
  const [, name] = strangerLimits("", "bob");
  await count(app, name?.key ?? "", 100);
  expect((await right(app, "bob", "198.51.100.7")).status).toBe(429);
  expect((await right(app, "bob", HOME)).status).toBe(200);
  expect((await right(app, "charlie", "198.51.100.7")).status).toBe(200);
});

it("who is known in a place is not kept out by others' guesses there", async () => {
  const app = await setUp();
  await right(app, "bob", HOME);
  const [origin] = strangerLimits(HOME, "bob");
  await count(app, origin?.key ?? "", 60);
  expect((await right(app, "charlie", HOME)).status).toBe(429);
  expect((await right(app, "bob", HOME)).status).toBe(200);
});

it("who is known has ten guesses as everybody has", async () => {
  const app = await setUp();
  await right(app, "bob", HOME);
  await count(app, pairLimit(HOME, "bob").key, 10);
  expect((await right(app, "bob", HOME)).status).toBe(429);
});

it("a success takes back what it was counted as", async () => {
  const app = await setUp();
  const [origin, name] = strangerLimits(HOME, "bob");
  await count(app, origin?.key ?? "", 59);
  expect((await right(app, "bob", HOME)).status).toBe(200);
  expect((await right(app, "charlie", HOME)).status).toBe(200);
  const rows = new Map((await app.db.select().from(loginFailures)).map(({ key, failures }) => [key, failures]));
  expect([rows.get(origin?.key ?? ""), rows.get(name?.key ?? "")]).toEqual([59, 0]);
});

it("addresses of one IPv6 network are one place", async () => {
  const app = await setUp();
  await count(app, pairLimit(originOf("2001:db8:0:1::1"), "bob").key, 10);
  expect((await right(app, "bob", "2001:db8:0:1::77")).status).toBe(429);
  expect((await right(app, "bob", "2001:db8:0:2::77")).status).toBe(200);
});

it("a place is forgotten after 90 days, and holds no address that could be read", async () => {
  const app = await setUp();
  await right(app, "bob", HOME);
  expect(JSON.stringify(await app.db.select().from(knownAddresses))).not.toContain(HOME);
  const known = await app.db.$count(knownAddresses);
  await app.clock.advance(90 * DAY);
  await sweepKnownAddresses(app.deps);
  expect(await app.db.$count(knownAddresses)).toBe(known);
  await app.clock.advance(1);
  await sweepKnownAddresses(app.deps);
  expect(await app.db.$count(knownAddresses)).toBe(0);
});

it("repeating what was refused writes nothing", async () => {
  const app = await setUp();
  await count(app, pairLimit(HOME, "bob").key, 10);
  expect((await right(app, "bob", HOME)).status).toBe(429);
  const before = await app.db.select().from(loginFailures);
  for (let time = 0; time < 5; time++) expect((await right(app, "bob", HOME)).status).toBe(429);
  expect(await app.db.select().from(loginFailures)).toEqual(before);
});

it("one place may ask for 30 accounts in a quarter of an hour", async () => {
  const app = await setUp();
  const ask = (address: string) =>
    app.anybody.post("/api/auth/register", { username: "bob", password: PASSWORD }, { "x-forwarded-for": address });
  for (let time = 0; time < 30; time++) expect((await ask(HOME)).status).toBe(409);
  expect((await ask(HOME)).status).toBe(429);
  expect((await ask("192.0.2.2")).status).toBe(409);
});
