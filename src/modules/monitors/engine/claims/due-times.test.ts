import { expect, it } from "bun:test";
import { sql } from "drizzle-orm";
import { monitors } from "../../../../db/schema";
import { DAY, HOUR, MINUTE } from "../../../../shared/limits";
import { createTestApp } from "../../../../testing/app";
import { START } from "../../../../testing/clock";
import { addMonitor } from "../../../../testing/fixtures/monitors";
import { nextTime, nextTimeSql } from "./due-times";

/** The due times of a monitor within a length of time. */
const timesOf = (id: number, interval: number, length: number): number[] => {
  const times: number[] = [];
  for (let at = nextTime({ id, interval }, START); at <= START + length; at = nextTime({ id, interval }, at))
    times.push(at);
  return times;
};

it("a monitor is due as often as its interval says, and its due times do not drift", () => {
  for (const interval of [10_000, MINUTE, 61_000, 5 * MINUTE, HOUR]) {
    const count = (2 * DAY) / interval;
    expect(Math.abs(timesOf(7, interval, 2 * DAY).length - count)).toBeLessThanOrEqual(1);
  }
  expect(
    new Set(
      Array.from({ length: 48 }, (_, hour) => hour).map((hour) => {
        const from = START + hour * HOUR;
        return timesOf(7, MINUTE, 3 * DAY).filter((at) => at > from && at <= from + HOUR).length;
      }),
    ).difference(new Set([59, 60, 61])).size,
  ).toBe(0);
});

it("due times vary by 10 % of the interval in both directions, and use all of it", () => {
  const shift = 7 * 100;
  const delays = timesOf(7, MINUTE, DAY).map((at) => (at - shift) % MINUTE);
  expect([Math.min(...delays), Math.max(...delays)]).toEqual([expect.any(Number), expect.any(Number)]);
  expect(Math.min(...delays)).toBeWithin(0, 100);
  expect(Math.max(...delays)).toBeWithin(11_900, 12_000);
  const mean = delays.reduce((sum, delay) => sum + delay, 0) / delays.length;
  expect(mean).toBeWithin(5900, 6100);
});

it("a fault at the same second of each minute is found and missed by turns", () => {
  const seconds = new Set(timesOf(300, MINUTE, HOUR).map((at) => Math.floor((at % MINUTE) / 1000)));
  expect(seconds.size).toBeGreaterThan(10);
});

it("monitors with consecutive ids keep their distance, so that their rows are written together", () => {
  const [first = 0, second = 0] = [
    nextTime({ id: 101, interval: MINUTE }, START),
    nextTime({ id: 102, interval: MINUTE }, START),
  ];
  expect(second - first).toBeWithin(97, 104);
});

it("the database computes the same due times", async () => {
  const app = await createTestApp();
  const { alice } = await app.people();
  const ids: [number, number][] = [];
  for (const interval of [60, 61, 300, 3600, 86_399, 86_400])
    ids.push([await addMonitor(app, alice, { url: "http://127.0.0.1:1/", interval }), interval * 1000]);
  for (let count = 0; count < 200; count++) {
    const time = START + count * 7_654_321;
    const rows = await app.db.rows<{ id: unknown; at: unknown }>(
      sql`select id, ${nextTimeSql(time)} as at from ${monitors} order by id`,
    );
    expect(rows.map(({ at }) => Number(at))).toEqual(ids.map(([id, interval]) => nextTime({ id, interval }, time)));
  }
});
