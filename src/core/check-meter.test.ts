import { expect, it } from "bun:test";
import { createCheckMeter } from "./check-meter";

const result = (monitorId: number, up: boolean, slow = false) => ({
  monitorId,
  up,
  slow,
  checkedAt: 1000,
  statusCode: up ? 200 : null,
});

it("results are counted by monitor and outcome", () => {
  const meter = createCheckMeter();
  for (const one of [result(1, true), result(1, true, true), result(1, false), result(2, true)]) meter.count(one);
  expect(meter.of(1)?.counts).toEqual({ up: 1, slow: 1, down: 1 });
  expect(meter.of(1)?.last).toMatchObject({ checkedAt: 1000, statusCode: null });
  expect(meter.of(2)?.counts).toEqual({ up: 1, slow: 0, down: 0 });
  expect(meter.of(3)).toBeUndefined();
});

it("beyond the limit the monitor whose last result is the oldest is dropped", () => {
  const meter = createCheckMeter(2);
  for (const id of [1, 2, 1, 3]) meter.count(result(id, true));
  expect([1, 2, 3].map((id) => meter.of(id)?.counts.up)).toEqual([2, undefined, 1]);
});
