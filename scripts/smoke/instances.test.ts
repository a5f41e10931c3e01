import { afterAll, expect, it } from "bun:test";
import { startPostgres } from "../bench/lib/postgres";
import { auditChecks, queryOfPostgres } from "../bench/lib/stored-checks";
import { type HubProcess, installConsole, joinAs, monitorOf, PASSWORD, startConsole } from "./lib/hub";
import { until } from "./lib/until";

const installation = installConsole();
const postgres = startPostgres({ careless: true });
const started: HubProcess[] = [];
const asked: number[] = [];
const target = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () => {
    asked.push(Date.now());
    return new Response("fine");
  },
});

afterAll(async () => {
  await Promise.all(started.map((running) => running.kill()));
  await target.stop(true);
  await postgres.sql.close();
  postgres.remove();
  installation.remove();
});

it("three instances that start at once on an empty database form one hub", async () => {
  const settings = { DATABASE_URL: postgres.url };
  started.push(...(await Promise.all([1, 2, 3].map(() => startConsole(installation, settings)))));
  const [first, second, third] = started as [HubProcess, HubProcess, HubProcess];
  const { sql } = postgres;
  const [migrations] = await sql`select count(*) = count(distinct hash) as once from drizzle.__drizzle_migrations`;
  expect(migrations.once).toBe(true);
  const names = await Promise.all(started.map(async ({ origin }) => (await fetch(`${origin}/health`)).json()));
  expect(new Set(names.map(({ instance }) => instance)).size).toBe(3);

  // A session is valid at every instance, and ends at all of them.
  const alice = await joinAs(first, "alice");
  const { body } = await first.as().post("/api/auth/login", { username: "alice", password: PASSWORD });
  const elsewhere = [second.as(body.token), third.as(body.token)];
  for (const client of elsewhere) expect((await client.get("/api/auth/me")).body.user.username).toBe("alice");

  // A monitor created at one instance is checked once and visible at all.
  expect((await elsewhere[0]!.post("/api/monitors", monitorOf(target.url.href))).status).toBe(201);
  const client = elsewhere[1]!;
  await until("it is checked", async () => (await client.get("/api/monitors")).body.monitors[0]?.status === "up");
  expect(asked).toHaveLength(1);
  await Promise.all(started.map(({ as }) => as(body.token).post("/api/monitors/1/check")));
  const { checks, losses } = await auditChecks(queryOfPostgres(sql));
  expect(checks).toHaveLength(asked.length);
  expect(Object.values(losses)).toEqual([0, 0, 0]);

  const passwords = { currentPassword: PASSWORD, newPassword: "another one that is long" };
  expect((await alice.post("/api/users/1/change-password", passwords)).status).toBe(200);
  for (const client of elsewhere) expect((await client.get("/api/auth/me")).status).toBe(401);

  // The limit of ten wrong passwords holds across instances.
  const guess = (index: number) =>
    started[index % 3]!.as().post("/api/auth/login", { username: "alice", password: `guess ${index}` });
  expect((await guess(0)).status).toBe(401);
  await sql`update login_failures set failures = 9`;
  expect([(await guess(1)).status, (await guess(2)).status]).toEqual([401, 429]);
});

it("survive a crash of the database", async () => {
  postgres.crash();
  for (const { origin } of started)
    await until("it says so", async () => (await fetch(`${origin}/health`)).status === 503);
  postgres.start();
  for (const { origin } of started) await until("it is well", async () => (await fetch(`${origin}/health`)).ok);
  await Promise.all(started.map(async (running) => expect(await running.stop()).toBe(0)));
});
