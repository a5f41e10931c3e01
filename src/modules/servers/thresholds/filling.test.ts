import { expect, it } from "bun:test";
import { outages } from "../../../db/schema";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { createTestApp, type TestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent, sampleAt } from "../../../testing/fixtures/agents";
import { readEvents } from "../../../testing/fixtures/alerts";
import { alertFilling, timeLeft } from "./filling";

/** Points each ten minutes of the last day: `share` by the hours before now. */
const pointsOf = (share: (hours: number) => number, hours = 24) =>
  Array.from({ length: hours * 6 }, (_, index) => {
    const before = hours - index / 6;
    return { at: START - before * HOUR, share: share(before) };
  });
const hoursLeft = (points: ReturnType<typeof pointsOf>, used: number) => {
  const left = timeLeft(points, used, START);
  return left === null ? null : Math.round(left / HOUR);
};

it("the time that is left follows from the rate of the last day", () => {
  expect(
    hoursLeft(
      pointsOf((before) => 90 - before * 0.5),
      90,
    ),
  ).toBe(20);
  expect(
    hoursLeft(
      pointsOf(() => 90),
      90,
    ),
  ).toBe(Number.POSITIVE_INFINITY);
  expect(
    hoursLeft(
      pointsOf((before) => 50 + before),
      50,
    ),
  ).toBe(Number.POSITIVE_INFINITY);
});

it("a disk that was filled once, and has not grown since, does not fill up", () => {
  expect(
    hoursLeft(
      pointsOf((before) => (before > 10 ? 40 : 80)),
      80,
    ),
  ).toBe(Number.POSITIVE_INFINITY);
});

it("a disk with a few hours of samples raises no alert", () => {
  expect(
    hoursLeft(
      pointsOf((before) => 90 - before, 6),
      90,
    ),
  ).toBeNull();
  expect(timeLeft([], 90, START)).toBeNull();
});

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
  await alertFilling(app.deps);
  await sendHours({ app, agent }, 1, () => [root], { unreadable_disks: [{ mount: "/data", reason: "timeout" }] });
  expect(await alertFilling(app.deps)).toBe(false);
  expect(await openMounts(app)).toEqual(["/data"]);
  await sendHours({ app, agent }, 1, () => [root]);
  await alertFilling(app.deps);
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
  await alertFilling(app.deps);
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
  expect(await alertFilling(app.deps)).toBe(true);
  expect(await alertFilling(app.deps)).toBe(false);
  const [event] = await readEvents(app);
  expect(event).toMatchObject({ kind: "disk_filling", subject: "/data", mount: "/data", threshold: null });
  const left = Date.parse(event?.facts?.exhausted_at ?? "") - app.clock.now();
  expect(Math.round(left / HOUR)).toBe(56);
  await send(() => 720);
  expect(await alertFilling(app.deps)).toBe(true);
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
