import { expect, it } from "bun:test";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
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

it("nothing is said of a disk that is known for a few hours", () => {
  expect(
    hoursLeft(
      pointsOf((before) => 90 - before, 6),
      90,
    ),
  ).toBeNull();
  expect(timeLeft([], 90, START)).toBeNull();
});

it("an alert begins once when a disk will be full within three days, and ends when it no longer will", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  const disks = (used: number) => [
    { mount: "/", total: 1000, used: 500 },
    { mount: "/data", total: 1000, used },
  ];
  const send = async (from: number, used: (hours: number) => number, hours: number) => {
    const samples = Array.from({ length: hours * 6 }, (_, index) =>
      sampleAt(from + index * 10 * MINUTE, { disks: disks(used(index / 6)) }),
    );
    await app.clock.advance(hours * HOUR);
    expect((await agent.report(samples)).status).toBe(200);
  };
  await send(app.clock.now(), (hours) => 600 + hours * 5, 24);
  expect(await alertFilling(app.deps)).toBe(true);
  expect(await alertFilling(app.deps)).toBe(false);
  const [event] = await readEvents(app);
  expect(event).toMatchObject({ kind: "disk_filling", subject: "/data", mount: "/data", threshold: null });
  const left = Date.parse(event?.facts?.exhausted_at ?? "") - app.clock.now();
  expect(Math.round(left / HOUR)).toBe(56);
  await send(app.clock.now(), () => 720, 24);
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
