import { expect, test } from "bun:test";
import { DAY, HOUR } from "../../../src/shared/limits";
import { roundLeft } from "./forecast";

test("the time until a disk is full is rounded to hours, days, weeks or months as it gets longer", () => {
  const rounded = (left: number) => {
    const { unit, count } = roundLeft(left);
    return `${count} ${unit}`;
  };
  expect([-HOUR, HOUR / 2].map(rounded)).toEqual(["0 soon", "0 soon"]);
  expect([HOUR, 42.6 * HOUR, 71.4 * HOUR].map(rounded)).toEqual(["1 hours", "43 hours", "71 hours"]);
  expect([3 * DAY, 9.4 * DAY, 13.4 * DAY].map(rounded)).toEqual(["3 days", "9 days", "13 days"]);
  expect([14 * DAY, 43 * DAY, 83 * DAY].map(rounded)).toEqual(["2 weeks", "6 weeks", "12 weeks"]);
  expect([84 * DAY, 200 * DAY, 365 * DAY].map(rounded)).toEqual(["3 months", "7 months", "12 months"]);
});
