import { expect, it } from "bun:test";
import { outages } from "../../../db/schema";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { createTestApp, type TestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent, rollUpSamples, sampleAt } from "../../../testing/fixtures/agents";
import { readEvents } from "../../../testing/fixtures/alerts";
import { markOfflineServers } from "../ingest/offline";
import { forecastDisks } from "./filling";

/** Sends a sample each ten minutes for some hours, with disks by the hours since the first. */
const sendHours = async (
  { app, agent }: { app: TestApp; agent: Awaited<ReturnType<typeof enrollAgent>> },
  hours: number,
  disks: (hours: number) => { mount: string; total: number; used: number }[],
  facts: Parameters<typeof agent.report>[1] = {},
) => {
  const from = app.clock.now();
  const samples = Array.from({ length: hours * 6 }, (_, index) =>
    sampleAt(from + index * 10 * MINUTE, { disks: disks(index / 6) }),
  );
  await app.clock.advance(hours * HOUR);
  expect((await agent.report(samples, facts)).status).toBe(200);
};

const openMounts = async (app: TestApp) =>
  (await app.db.select().from(outages))
    .filter(({ kind, endedAt }) => kind === "filling" && endedAt === null)
    .map(({ subject }) => subject);

it("an alert about a disk that was removed ends without a message, and one about a disk that cannot be read stays", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  const root = { mount: "/", total: 1000, used: 500 };
  await sendHours({ app, agent }, 24, (hours) => [root, { mount: "/data", total: 1000, used: 600 + hours * 5 }]);
  await forecastDisks(app.deps);
  await sendHours({ app, agent }, 1, () => [root], { unreadable_disks: [{ mount: "/data", reason: "timeout" }] });
  expect(await forecastDisks(app.deps)).toBe(false);
  expect(await openMounts(app)).toEqual(["/data"]);
  await sendHours({ app, agent }, 1, () => [root]);
  await forecastDisks(app.deps);
  expect(await openMounts(app)).toEqual([]);
  expect((await readEvents(app)).map(({ kind }) => kind).filter((kind) => kind.startsWith("disk"))).toEqual([
    "disk_filling",
  ]);
});

it("at most fifty alerts of one server are open", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  await sendHours({ app, agent }, 24, (hours) =>
    Array.from({ length: 60 }, (_, index) => ({ mount: `/data${index}`, total: 1000, used: 600 + hours * 5 })),
  );
  await forecastDisks(app.deps);
  expect(await openMounts(app)).toHaveLength(50);
});

it("an alert begins once when a disk will be full within three days, and ends when it no longer will", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  const send = (used: (hours: number) => number) =>
    sendHours({ app, agent }, 24, (hours) => [
      { mount: "/", total: 1000, used: 500 },
      { mount: "/data", total: 1000, used: used(hours) },
    ]);
  await send((hours) => 600 + hours * 5);
  expect(await forecastDisks(app.deps)).toBe(true);
  expect(await forecastDisks(app.deps)).toBe(false);
  const [event] = await readEvents(app);
  expect(event).toMatchObject({ kind: "disk_filling", subject: "/data", mount: "/data", threshold: null });
  const left = Date.parse(event?.facts?.exhausted_at ?? "") - app.clock.now();
  expect(Math.round(left / HOUR)).toBe(56);
  await send(() => 720);
  expect(await forecastDisks(app.deps)).toBe(true);
  expect((await readEvents(app)).map(({ kind }) => kind).filter((kind) => kind.startsWith("disk"))).toEqual([
    "disk_filling",
    "disk_filling_ended",
  ]);
  const { body } = await app.as(bob).get(`/api/outages?target=agent:${agent.id}`);
  expect(body.outages.filter(({ kind }) => kind === "filling")).toMatchObject([
    { subject: "/data", facts: { exhausted_at: event?.facts?.exhausted_at } },
  ]);
  expect(app.clock.now() - START).toBe(2 * DAY);
});

it("the forecast of each disk is on the server, and that of the first one in the list, which sorts by it", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const [steady, filling, fresh] = [
    await enrollAgent(app, bob, { name: "steady" }),
    await enrollAgent(app, bob, { name: "filling" }),
    await enrollAgent(app, bob, { name: "fresh" }),
  ];
  const send = (agent: typeof steady, hours: number, used: (hours: number) => number) => {
    const from = app.clock.now();
    const samples = Array.from({ length: hours * 6 }, (_, index) =>
      sampleAt(from + index * 10 * MINUTE, {
        disks: [
          { mount: "/", total: 1000, used: 500 },
          { mount: "/data", total: 1000, used: used(index / 6) },
        ],
      }),
    );
    return () => agent.report(samples);
  };
  for (let day = 0; day < 4; day++) {
    const reports = [
      send(steady, 24, () => 700),
      send(filling, 24, (hours) => 500 + (day * 24 + hours) * 5),
      ...(day === 3 ? [send(fresh, 3, (hours) => 700 + hours)] : []),
    ];
    await app.clock.advance(DAY);
    for (const report of reports) expect((await report()).status).toBe(200);
    await rollUpSamples(app, "now");
  }
  await forecastDisks(app.deps);
  const detail = async (id: number) => (await app.as(bob).get(`/api/agents/${id}`)).body.agent;
  expect((await detail(steady.id)).disk_forecasts).toEqual([
    { mount: "/", outlook: "not_growing", full_at: null },
    { mount: "/data", outlook: "not_growing", full_at: null },
  ]);
  const [, data] = (await detail(filling.id)).disk_forecasts;
  expect(data).toMatchObject({ mount: "/data", outlook: "filling" });
  const [outage] = (await detail(filling.id)).outages.filter(({ kind }) => kind === "filling");
  expect(Math.abs(Date.parse(outage?.facts?.exhausted_at ?? "") - Date.parse(data?.full_at ?? ""))).toBeLessThan(
    MINUTE,
  );
  expect((await detail(fresh.id)).disk_forecasts.map(({ outlook }) => outlook)).toEqual(["unknown", "unknown"]);
  const list = async (order: string) =>
    (await app.as(bob).get(`/api/agents?sort=disk_full&order=${order}`)).body.agents.map(({ name, disk_forecast }) => [
      name,
      disk_forecast?.mount,
      disk_forecast?.outlook,
    ]);
  const [first, ...others] = [
    ["filling", "/data", "filling"],
    ["fresh", "/", "unknown"],
    ["steady", "/", "not_growing"],
  ];
  for (const order of ["asc", "desc"]) expect(await list(order)).toEqual([first, ...others] as never);
  await app.clock.advance(HOUR);
  await markOfflineServers(app.deps);
  expect((await detail(filling.id)).disk_forecasts.map(({ outlook }) => outlook)).toEqual(["unknown", "unknown"]);
});
