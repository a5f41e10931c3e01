import { expect, it } from "bun:test";
import { isoTime } from "../../../lib/time";
import { MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent, sampleAt } from "../../../testing/fixtures/agents";

const after = (minutes: number) => START + minutes * MINUTE;

it("the timeline of an outage of a server has its start, an update of its agent and changes of the threshold in the hour before it", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const timelineOf = async (id: number) =>
    (await app.as(bob).get(`/api/outages/${id}`)).body.timeline.filter(({ kind }) => kind !== "unsent");
  const story = async (id: number) =>
    (await timelineOf(id)).map(({ kind, at }) => `${(Date.parse(at) - START) / MINUTE} ${kind}`);
  const server = await enrollAgent(app, bob);
  const report = (minute: number, cpu: number, said: object = {}) => {
    app.clock.set(after(minute));
    const boot_time = isoTime(after(5));
    return server.report([sampleAt(after(minute), { cpu, boot_time })], { agent_version: "1.4.1", ...said });
  };
  const rule = (minute: number, cpu_threshold: number) => {
    app.clock.set(after(minute));
    const body = { target_type: "global-agent", enabled: true, on_cpu_threshold: true, cpu_threshold };
    return app.as(bob).post("/api/notifications/settings", body);
  };
  await report(6, 10);
  await rule(10, 95);
  await report(11, 80);
  await report(20, 80, { agent_version: "1.4.2" });
  await rule(30, 75);
  await rule(31, 75);
  await report(32, 80, { agent_version: "1.4.2" });
  await report(33, 80, { agent_version: "1.4.2" });
  expect(await story(1)).toEqual(["5 changed", "10 edited", "20 changed", "30 edited", "33 began"]);
  expect(await timelineOf(1)).toMatchObject([
    { what: "booted", version: null },
    { change: { action: "changed", object: { type: "rule", name: "global-agent" } } },
    { what: "agent_updated", version: "1.4.2" },
    { change: { user: "bob", fields: { threshold_cpu: [95, 75] } } },
    {},
  ]);
  // Another one long after these changes.
  for (const [minute, cpu] of [
    [34, 10],
    [35, 10],
    [180, 80],
    [181, 80],
  ] as const)
    await report(minute, cpu, { agent_version: "1.4.2" });
  const others = (await app.as(bob).get("/api/outages?kind=cpu")).body.outages;
  expect((await story(others[0]?.id ?? 0)).filter((entry) => /changed|edited/.test(entry))).toEqual([]);
});

it("the deletion of a threshold of the server or of its tag is a change, and that of another server's is none", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const [server, other] = [await enrollAgent(app, bob), await enrollAgent(app, bob, { name: "other" })];
  await app.as(bob).put(`/api/agents/${server.id}`, { name: "db-1", tags: [{ name: "shop", value: "" }] });
  const [tag] = (await app.as(bob).get("/api/tags")).body.tags;
  const report = (minute: number, cpu: number) => {
    app.clock.set(after(minute));
    return server.report([sampleAt(after(minute), { cpu })]);
  };
  const setThreshold = async (scope: object, threshold: number) => {
    const body = { metric: "cpu", threshold, minutes: 1, ...scope };
    return (await app.as(bob).post("/api/thresholds", body)).body.threshold.id as number;
  };
  const own = { scope: "agent", agent_id: server.id };
  const changesBefore = async () => {
    const [outage] = (await app.as(bob).get("/api/outages?kind=cpu")).body.outages;
    const { timeline } = (await app.as(bob).get(`/api/outages/${outage?.id}`)).body;
    return timeline.flatMap((entry) =>
      entry.kind === "edited"
        ? [
            [
              (Date.parse(entry.at) - START) / MINUTE,
              entry.change.action,
              entry.change.object.type,
              entry.change.fields,
            ],
          ]
        : [],
    );
  };
  await setThreshold({ scope: "all" }, 70);
  const ofTag = await setThreshold({ scope: "tag", tag_id: tag?.id }, 95);
  const ofServer = await setThreshold(own, 96);
  const ofOther = await setThreshold({ scope: "agent", agent_id: other.id }, 95);
  await report(100, 80);
  app.clock.set(after(101));
  await app.as(bob).delete(`/api/thresholds/${ofServer}`);
  app.clock.set(after(102));
  await app.as(bob).delete(`/api/thresholds/${ofTag}`);
  app.clock.set(after(103));
  await app.as(bob).delete(`/api/thresholds/${ofOther}`);
  for (const minute of [104, 105, 106]) await report(minute, 80);
  expect(await changesBefore()).toMatchObject([
    [101, "changed", "agent", { threshold_cpu: [96, null] }],
    [102, "deleted", "threshold", { tag: ["shop", null], threshold: [95, null] }],
  ]);
  // It is not a threshold any more, and another one may take its place.
  expect((await app.as(bob).get("/api/thresholds")).body.thresholds.map(({ scope }) => scope)).toEqual(["all"]);
  expect((await app.as(bob).delete(`/api/thresholds/${ofServer}`)).status).toBe(404);
  expect(await setThreshold(own, 96)).toBeGreaterThan(ofServer);
});
