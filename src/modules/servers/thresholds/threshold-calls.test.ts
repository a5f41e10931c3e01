import { expect, it } from "bun:test";
import { thresholds } from "../../../db/schema";
import { MAX_THRESHOLDS } from "../../../shared/agents/thresholds";
import { enrollAgent } from "../../../testing/fixtures/agents";
import { createAlertApp, saveRule } from "../../../testing/fixtures/alerts";

const setUp = async () => {
  const { app, bob, charlie } = await createAlertApp();
  const [own, other] = [
    await enrollAgent(app, bob, { machine_id: "a" }),
    await enrollAgent(app, bob, { machine_id: "b" }),
  ];
  const theirs = await enrollAgent(app, charlie, { machine_id: "c" });
  await app.as(bob).put(`/api/agents/${own.id}`, { name: "db", tags: [{ name: "production" }, { name: "eu" }] });
  const tags = (await app.as(bob).get("/api/tags")).body.tags;
  const create = (body: object) => app.as(bob).post("/api/thresholds", { minutes: 5, ...body });
  const list = async (agent?: number) => {
    const { body } = await app.as(bob).get(`/api/thresholds${agent === undefined ? "" : `?agent=${agent}`}`);
    return body.thresholds as { id: number; threshold: number; metric: string; subject: string | null }[];
  };
  return { app, bob, charlie, own, other, theirs, tags, create, list };
};

it("a threshold is created with what is left out of it, changed, and deleted", async () => {
  const { app, bob, own, tags, create, list } = await setUp();
  const [eu] = tags;
  const made = await create({ scope: "tag", tag_id: eu?.id, metric: "load", threshold: 2 });
  expect(made.status).toBe(201);
  expect(made.body.threshold).toEqual({
    id: expect.any(Number),
    scope: "tag",
    tag: { id: eu?.id as number, name: "eu", color: expect.any(String) },
    agent: null,
    metric: "load",
    subject: null,
    threshold: 2,
    clear: 1.8,
    minutes: 5,
  });
  const body = {
    scope: "agent",
    agent_id: own.id,
    metric: "disk",
    subject: "/var",
    threshold: 95,
    clear: 80,
    minutes: 0,
  };
  const changed = await app.as(bob).put(`/api/thresholds/${made.body.threshold.id}`, body);
  expect(changed.body.threshold).toMatchObject({ agent: { id: own.id }, tag: null, subject: "/var", clear: 80 });
  expect(await list()).toHaveLength(1);
  expect((await app.as(bob).delete(`/api/thresholds/${made.body.threshold.id}`)).status).toBe(200);
  expect(await list()).toEqual([]);
});

const wrong: [string, object, number, string][] = [
  ["a CPU above 100 percent", { metric: "cpu", threshold: 101 }, 422, "threshold: expected a number from 1 to 100"],
  [
    "an end above the threshold",
    { metric: "cpu", threshold: 90, clear: 91 },
    422,
    "clear: expected at most the threshold",
  ],
  [
    "a mount point of a CPU",
    { metric: "cpu", subject: "/", threshold: 90 },
    422,
    "subject: only disks and temperatures have one",
  ],
  ["no tag", { scope: "tag", metric: "cpu", threshold: 90 }, 422, "tag_id: expected a tag of yours"],
  ["no server", { scope: "agent", metric: "cpu", threshold: 90 }, 422, "agent_id: expected a server of yours"],
  [
    "a server without id",
    { scope: "agent", agent_id: "x", metric: "cpu", threshold: 90 },
    422,
    "agent_id: expected an id",
  ],
  ["a tag beyond ids", { scope: "tag", tag_id: 2 ** 53, metric: "cpu", threshold: 90 }, 422, "tag_id: expected an id"],
  ["an unknown server", { scope: "agent", agent_id: 999, metric: "cpu", threshold: 90 }, 404, "Server does not exist"],
  ["an unknown tag", { scope: "tag", tag_id: 999, metric: "cpu", threshold: 90 }, 404, "Tag does not exist"],
  ["a day and a minute", { metric: "cpu", threshold: 90, minutes: 1441 }, 422, "minutes: expected a whole number"],
  ["a control character", { metric: "disk", subject: "/a\u0007", threshold: 90 }, 422, "subject: expected at most"],
];
it.each(wrong)("a threshold with %s is refused with the reason", async (_, body, status, reason) => {
  const { create, list } = await setUp();
  const answer = await create({ scope: "all", ...body });
  expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringContaining(reason)]);
  expect(await list()).toEqual([]);
});

it("there is one threshold for the same servers and figure, and another for another part of it", async () => {
  const { app, bob, own, other, create, list } = await setUp();
  const disk = { scope: "agent", agent_id: own.id, metric: "disk", threshold: 90 };
  const first = await create(disk);
  expect((await create({ ...disk, threshold: 80 })).body).toMatchObject({ success: false, code: "threshold_exists" });
  expect((await create({ ...disk, subject: "/var" })).status).toBe(201);
  const third = await create({ ...disk, agent_id: other.id });
  expect(third.status).toBe(201);
  const same = { ...disk, minutes: 5 };
  expect((await app.as(bob).put(`/api/thresholds/${third.body.threshold.id}`, same)).body).toMatchObject({
    code: "threshold_exists",
  });
  const changed = await app.as(bob).put(`/api/thresholds/${first.body.threshold.id}`, { ...same, threshold: 70 });
  expect(changed.body.threshold.threshold).toBe(70);
  expect(await list()).toHaveLength(3);
});

it("other users' servers and thresholds can't be named", async () => {
  const { app, charlie, theirs, create } = await setUp();
  expect((await create({ scope: "agent", agent_id: theirs.id, metric: "cpu", threshold: 90 })).status).toBe(404);
  const { id } = (await create({ scope: "all", metric: "cpu", threshold: 90 })).body.threshold;
  const all = { scope: "all", metric: "cpu", threshold: 1, minutes: 0 };
  expect((await app.as(charlie).put(`/api/thresholds/${id}`, all)).status).toBe(404);
  expect((await app.as(charlie).delete(`/api/thresholds/${id}`)).status).toBe(404);
  expect((await app.as(charlie).get("/api/thresholds")).body.thresholds).toEqual([]);
});

it("a server has the thresholds that count for it: its own before those of its tags, and these before the others", async () => {
  const { own, other, tags, create, list } = await setUp();
  const [eu, production] = tags;
  await create({ scope: "all", metric: "cpu", threshold: 90 });
  await create({ scope: "tag", tag_id: eu?.id, metric: "cpu", threshold: 80 });
  await create({ scope: "tag", tag_id: production?.id, metric: "cpu", threshold: 70 });
  await create({ scope: "all", metric: "disk", threshold: 90 });
  await create({ scope: "all", metric: "disk", subject: "/var", threshold: 95 });
  await create({ scope: "agent", agent_id: other.id, metric: "disk", threshold: 60 });
  const shown = async (id: number) =>
    (await list(id)).map(({ metric, subject, threshold }) => `${metric} ${subject ?? ""} ${threshold}`);
  expect(await shown(own.id)).toEqual(["cpu  70", "disk  90", "disk /var 95"]);
  expect(await shown(other.id)).toEqual(["cpu  90", "disk  60"]);
});

it("a user has at most a number of thresholds, also by calls at the same time", async () => {
  const { app, bob, create, list } = await setUp();
  const rows = Array.from({ length: MAX_THRESHOLDS - 1 }, (_, index) => ({
    scope: "all",
    metric: "disk",
    subject: `/${index}`,
    threshold: 90,
    minutes: 5,
    agent: null,
    tag: null,
  }));
  const file = (await app.as(bob).get("/api/export")).body as object;
  const imported = await app.as(bob).post("/api/import", { ...file, thresholds: rows });
  expect(imported.body).toMatchObject({ created: { thresholds: MAX_THRESHOLDS - 1 } });
  const answers = await Promise.all(
    ["cpu", "memory", "swap"].map((metric) => create({ scope: "all", metric, threshold: 90 })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: "too_many_thresholds" });
  expect(await list()).toHaveLength(MAX_THRESHOLDS);
});

it("thresholds are exported, and imported into another account with their tags and servers, once", async () => {
  const { app, bob, charlie, own, theirs, tags, create } = await setUp();
  const disk = { metric: "disk", subject: "/var", threshold: 95 };
  for (const scope of [{ scope: "all" }, { scope: "tag", tag_id: tags[0]?.id }, { scope: "agent", agent_id: own.id }])
    await create({ ...disk, ...scope });
  const file = (await app.as(bob).get("/api/export")).body as object;
  for (const [created, skipped] of [
    [3, 0],
    [0, 3],
  ])
    expect((await app.as(charlie).post("/api/import", file)).body).toMatchObject({
      created: { thresholds: created },
      skipped: { thresholds: skipped },
    });
  const { thresholds } = (await app.as(charlie).get("/api/thresholds")).body as unknown as { thresholds: object[] };
  expect(thresholds).toMatchObject([
    { scope: "all", subject: "/var", threshold: 95, clear: 90, minutes: 5 },
    { scope: "tag", tag: { name: "eu" }, subject: "/var" },
    // The server with the same host name.
    { scope: "agent", agent: { id: theirs.id }, subject: "/var" },
  ]);
});

it("a threshold for a tag that nothing has is imported with its tag, and one without a tag's name is refused", async () => {
  const { app, bob, charlie } = await setUp();
  const file = (await app.as(bob).get("/api/export")).body as object;
  const upload = (...tags: unknown[]) => {
    const thresholds = tags.map((tag) => ({ scope: "tag", tag, metric: "cpu", threshold: 90, minutes: 5 }));
    return app.as(charlie).post("/api/import", { ...file, agents: [], thresholds });
  };
  expect((await upload("rack 1", "Rack 1", "rack 2")).body).toMatchObject({
    created: { thresholds: 2 },
    skipped: { thresholds: 1 },
  });
  expect((await upload("rack 1")).body).toMatchObject({ created: { thresholds: 0 }, skipped: { thresholds: 1 } });
  const { thresholds } = (await app.as(charlie).get("/api/thresholds")).body as unknown as { thresholds: object[] };
  expect(thresholds).toMatchObject([{ tag: { name: "rack 1" } }, { tag: { name: "rack 2" } }]);
  for (const tag of ["", " ", "x:y", "x".repeat(500)]) {
    const { status, body } = await upload(tag);
    expect([status, body.errors?.map(({ path }: { path: string }) => path)]).toEqual([422, ["thresholds.0.tag"]]);
  }
});

it("the thresholds of notification rules are not listed, changed or deleted by these calls", async () => {
  const { app, bob, own, list } = await setUp();
  await saveRule(app, bob, { target_type: "global-agent", on_cpu_threshold: true, cpu_threshold: 70 });
  const rows = await app.db.select().from(thresholds);
  expect(rows.map(({ metric, threshold, enabled }) => [metric, threshold, enabled])).toEqual([
    ["cpu", 70, true],
    ["memory", 85, false],
    ["disk", 90, false],
  ]);
  expect([await list(), await list(own.id)]).toEqual([[], []]);
  const path = `/api/thresholds/${rows[0]?.id}`;
  const body = { scope: "all", metric: "cpu", threshold: 80, minutes: 1 };
  expect((await app.as(bob).put(path, body)).status).toBe(404);
  expect((await app.as(bob).delete(path)).status).toBe(404);
  expect(await app.db.select().from(thresholds)).toEqual(rows);
});
