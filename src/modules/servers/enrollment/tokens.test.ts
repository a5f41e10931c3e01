import { expect, it } from "bun:test";
import { enrolledMachines } from "../../../db/schema";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { machine, reportOf, sampleAt, sendReport } from "../../../testing/fixtures/agents";
import { deleteExpiredTokens } from "./tokens";

const DAY = 86_400_000;
const at = (time: number) => new Date(time).toISOString();

const setUp = async () => {
  const app = await createTestApp();
  const people = await app.people();
  const generate = (body?: unknown, user = people.bob) => app.as(user).post("/api/agents/token/generate", body);
  const register = (token: string, name: string) =>
    app.anybody.post("/api/agents/register", { token, ...machine({ machine_id: `secret of ${name}`, name }) });
  const list = async () => (await app.as(people.bob).get("/api/agents/tokens")).body.tokens;
  return { app, ...people, generate, register, list };
};

it("a token for several machines enrolls as many until it expires, and its owner sees which", async () => {
  const { app, bob, generate, register, list } = await setUp();
  const { body } = await generate({ uses: 3, expires_at: at(START + 30 * DAY) });
  expect(body).toMatchObject({
    uses: 3,
    expires_at: at(START + 30 * DAY),
    message: expect.stringContaining("3 machines"),
  });
  app.clock.set(START + 6 * DAY);
  const statuses: number[] = [];
  for (const name of ["a", "b", "c", "d"]) statuses.push((await register(body.token, name)).status);
  expect(statuses).toEqual([201, 201, 201, 401]);
  const [token] = await list();
  expect(token).toMatchObject({ uses: 3, uses_left: 0, used: true, expires_at: at(START + 30 * DAY) });
  expect(token?.servers.map(({ name, enrolled_at }) => [name, enrolled_at])).toEqual(
    ["c", "b", "a"].map((name) => [name, at(START + 6 * DAY)]),
  );
  expect((await app.as(bob).get("/api/agents")).body.total).toBe(3);
});

it("each machine of a token may use it again until its own first report, without another use", async () => {
  const { app, generate, register, list } = await setUp();
  const { token } = (await generate({ uses: 2 })).body;
  const first = (await register(token, "a")).body;
  const again = (await register(token, "a")).body;
  expect([again.agent.id, (await list())[0]?.uses_left]).toEqual([first.agent.id, 1]);
  await sendReport(app, again.key, reportOf([sampleAt(app.clock.now())]));
  expect((await register(token, "a")).body.code).toBe("token_used");
  expect((await register(token, "b")).status).toBe(201);
});

it("a use stays used after its server was deleted, whose name is gone from the list", async () => {
  const { app, bob, generate, register, list } = await setUp();
  const { token } = (await generate({ uses: 2 })).body;
  const { agent } = (await register(token, "a")).body;
  await app.as(bob).delete(`/api/agents/${agent.id}`);
  expect((await list())[0]).toMatchObject({ uses_left: 1, used: true, servers: [] });
  expect((await register(token, "a")).body.code).toBe("token_used");
});

it("a token that was revoked or has expired enrolls no further machine, and its servers stay", async () => {
  const { app, bob, generate, register } = await setUp();
  const revoked = (await generate({ uses: 9 })).body;
  const expired = (await generate({ uses: 9, expires_at: at(START + DAY / 2) })).body;
  await register(revoked.token, "a");
  await app.as(bob).delete(`/api/agents/tokens/${revoked.id}`);
  expect((await register(revoked.token, "b")).body.code).toBe("token_invalid");
  app.clock.set(START + DAY / 2);
  expect((await register(expired.token, "c")).body.code).toBe("token_expired");
  expect([await app.db.$count(enrolledMachines), (await app.as(bob).get("/api/agents")).body.total]).toEqual([0, 1]);
});

it("machines that enroll at the same time never exceed the uses of their token", async () => {
  const { app, bob, generate, register, list } = await setUp();
  const { token } = (await generate({ uses: 5 })).body;
  const names = Array.from({ length: 12 }, (_, index) => `machine ${index}`);
  const answers = await Promise.all([...names, ...names].map((name) => register(token, name)));
  const enrolled = answers.filter(({ status }) => status === 201).map(({ body }) => body.agent.id);
  expect(new Set(enrolled).size).toBe(5);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(["token_used"]));
  expect([(await list())[0]?.uses_left, (await app.as(bob).get("/api/agents")).body.total]).toEqual([0, 5]);
});

it("a token counts for the quota of unused ones until its last use", async () => {
  const { app, bob, generate, register } = await setUp();
  const { token } = (await generate({ uses: 2 })).body;
  const used = async () => (await app.as(bob).get("/api/quotas")).body.quotas?.enrollment_tokens.used;
  const counts = [await used()];
  for (const name of ["a", "b"]) {
    await register(token, name);
    counts.push(await used());
  }
  expect(counts).toEqual([1, 1, 0]);
});

it("a token with uses left is kept when tokens are swept, and one without until all its servers have reported", async () => {
  const { app, generate, register, list } = await setUp();
  const [open, silent] = [(await generate({ uses: 2 })).body, (await generate({ uses: 2 })).body];
  await register(open.token, "a");
  const keys = [(await register(silent.token, "b")).body.key, (await register(silent.token, "c")).body.key];
  for (let round = 0; round < 20; round++) await register((await generate()).body.token, `machine ${round}`);
  await sendReport(app, keys[0] ?? "", reportOf([sampleAt(app.clock.now())]));
  await deleteExpiredTokens(app.deps);
  expect(await list()).toHaveLength(22);
  await sendReport(app, keys[1] ?? "", reportOf([sampleAt(app.clock.now())]));
  await deleteExpiredTokens(app.deps);
  expect((await list()).map(({ id }) => id)).not.toContain(silent.id);
  expect(await list()).toHaveLength(21);
});

it("a number of machines and a time out of bounds are refused, each with a sentence", async () => {
  const { generate } = await setUp();
  const refused = async (sent: unknown) => {
    const { status, body } = await generate(sent);
    return [status, body.code, ...body.errors.map(({ path }) => path)];
  };
  for (const uses of [0, -1, 1001, 1.5, "x", null])
    expect(await refused({ uses })).toEqual([422, "validation", "uses"]);
  for (const expires_at of [at(START), at(START - 1), at(START + 366 * DAY), "tomorrow", 5, null])
    expect(await refused({ expires_at })).toEqual([422, "validation", "expires_at"]);
  for (const body of [undefined, {}, { uses: 1000, expires_at: at(START + 365 * DAY) }])
    expect((await generate(body)).status).toBe(200);
});
