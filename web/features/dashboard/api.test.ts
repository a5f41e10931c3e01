import "../../testing/test-dom";

import { expect, test } from "bun:test";
import { headline } from "./api";

const headlineOf = (monitors: object, agents: object) =>
  headline({
    monitors: { up: 0, pending: 0, total: 0, ...monitors },
    agents: { active: 0, connecting: 0, total: 0, ...agents },
  });

test("the headline of the dashboard depends on the counts of each status", () => {
  expect(headlineOf({}, {})).toBe("nothing");
  expect(headlineOf({ pending: 1, total: 1 }, {})).toBe("waiting");
  expect(headlineOf({}, { connecting: 1, total: 1 })).toBe("waiting");
  expect(headlineOf({ total: 2 }, {})).toBe("allPaused");
  expect(headlineOf({ up: 1, total: 2 }, {})).toBe("allUp");
  expect(headlineOf({}, { active: 1, total: 1 })).toBe("allUp");
});
