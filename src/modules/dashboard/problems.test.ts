import { expect, it } from "bun:test";
import { isoTime } from "../../lib/time";
import { checkError } from "../../shared/check-error";
import { MINUTE } from "../../shared/limits";
import { createTestApp } from "../../testing/app";
import { START } from "../../testing/clock";
import { enrollAgent, sampleAt } from "../../testing/fixtures/agents";
import { saveRule } from "../../testing/fixtures/alerts";
import { addMonitor, recordBatch, recordOnly } from "../../testing/fixtures/monitors";
import { markOfflineServers } from "../servers/ingest/offline";

const TIMEOUT = checkError("timeout", { seconds: 20 });

const setUp = async () => {
  const app = await createTestApp();
  const people = await app.people();
  const read = async (user: typeof people.alice) => (await app.as(user).get("/api/dashboard")).body;
  const add = (name: string, owner = people.bob) => addMonitor(app, owner, { url: "https://shop.example/", name });
  return { app, ...people, read, add };
};

it("the dashboard has what is not well: why, since when, and the latest outcomes", async () => {
  const { app, alice, bob, charlie, read, add } = await setUp();
  const id = await add("shop");
  const up = { at: START + MINUTE, time: 84.2 };
  await recordOnly(app, id, [up, { at: START + 2 * MINUTE, up: false, error: TIMEOUT, time: null, statusCode: null }]);
  app.clock.set(START + 3 * MINUTE);
  const dashboard = await read(bob);
  expect(dashboard).toMatchObject({ now: isoTime(START + 3 * MINUTE), problems_total: 1, well_since: null });
  expect(dashboard.problems).toEqual([
    {
      id: expect.any(Number),
      target_type: "monitor",
      target_id: id,
      target_name: "shop",
      target: "https://shop.example/",
      kind: "down",
      since: isoTime(START + 2 * MINUTE),
      started_after: isoTime(START + MINUTE),
      error_code: "timeout",
      error_detail: { seconds: 20 },
      figure: null,
      threshold: null,
      mount: null,
      subject: null,
      facts: null,
      last_report: null,
      cause: null,
      muted: null,
      maintenance: null,
      explaining: null,
      acknowledged: null,
      flapping: false,
      uptime: 25,
      uptime_24h: 25,
      history: [
        [START + MINUTE, 1, 84.2],
        [START + 2 * MINUTE, 0, null],
      ],
    },
  ]);
  expect((await read(alice)).problems.map(({ owner }) => owner)).toEqual(["bob"]);
  expect(await read(charlie)).toMatchObject({ problems: [], problems_total: 0, events: [] });
  await recordOnly(app, id, [{ at: START + 4 * MINUTE }]);
  expect(await read(bob)).toMatchObject({ problems: [], problems_total: 0, well_since: isoTime(START + 4 * MINUTE) });
  expect((await read(charlie)).well_since).toBeNull();
});

it("a problem has the target of its monitor as the list shows it, without what its viewer may not read", async () => {
  const { app, alice, bob } = await setUp();
  const url = "https://bob:secret@shop.example/?key=secret";
  const id = await addMonitor(app, bob, { url, name: "shop" });
  await recordOnly(app, id, [{ at: START + MINUTE, up: false, error: TIMEOUT, time: null, statusCode: null }]);
  const { key } = (await app.as(bob).post("/api/keys", { name: "reader", scope: "read" })).body;
  const reader = app.as({ ...bob, token: key });
  const clients = [app.as(bob), app.as(alice), reader];
  const targets = await Promise.all(
    clients.map(async (client) => {
      const [problem] = (await client.get("/api/dashboard")).body.problems;
      const [monitor] = (await client.get("/api/monitors")).body.monitors;
      expect(problem?.target).toBe(monitor?.target ?? "none");
      return problem?.target;
    }),
  );
  expect(targets[0]).toBe(url);
  expect(targets[2]).not.toContain("secret");
});

it("a problem has the reason of the last failed check", async () => {
  const { app, bob, read, add } = await setUp();
  const id = await add("shop");
  const failed = { up: false, time: null, statusCode: null };
  await recordOnly(app, id, [
    { ...failed, at: START + MINUTE, error: TIMEOUT },
    { ...failed, at: START + 2 * MINUTE, error: checkError("status", { actual: 503, expected: "200" }) },
  ]);
  expect((await read(bob)).problems).toMatchObject([
    { since: isoTime(START + MINUTE), error_code: "status", error_detail: { actual: 503, expected: "200" } },
  ]);
});

it("a server that is offline has its last report, one above a threshold the figure, and only the first while it is both", async () => {
  const { app, bob, read } = await setUp();
  await saveRule(app, bob, { target_type: "global-agent", on_cpu_threshold: true });
  const agent = await enrollAgent(app, bob);
  for (const minute of [1, 2]) {
    app.clock.set(START + minute * MINUTE);
    await agent.report([sampleAt(START + minute * MINUTE, { cpu: 96 })]);
  }
  const server = { target_type: "agent", target_id: agent.id, target_name: "db-1", history: [] };
  expect((await read(bob)).problems).toMatchObject([
    { ...server, kind: "cpu", since: isoTime(START + 2 * MINUTE), figure: 96, threshold: 90, mount: null },
  ]);
  app.clock.set(START + 60 * MINUTE);
  await markOfflineServers(app.deps);
  const { problems, problems_total } = await read(bob);
  expect([problems.map(({ kind }) => kind), problems_total]).toEqual([["offline"], 1]);
  expect(problems).toMatchObject([
    { ...server, figure: null, last_report: { at: isoTime(START + 2 * MINUTE), cpu: 96, memory: 25 } },
  ]);
});

it("the dashboard shows the newest 50 of many problems, and counts all", async () => {
  const { app, bob, read, add } = await setUp();
  const ids: number[] = [];
  for (let index = 0; index < 60; index++) ids.push(await add(`shop ${index}`));
  await recordBatch(
    app,
    ids.map((monitorId, index) => ({ monitorId, at: START + index * MINUTE, up: false, error: TIMEOUT })),
  );
  const { problems, problems_total } = await read(bob);
  expect(problems.map(({ target_name }) => target_name)).toEqual(
    Array.from({ length: 50 }, (_, index) => `shop ${59 - index}`),
  );
  expect(problems_total).toBe(60);
});
