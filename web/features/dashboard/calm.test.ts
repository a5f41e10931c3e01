import { expect, test } from "bun:test";
import { headline } from "./calm";

const say = (monitors: object, agents: object) =>
  headline({
    monitors: { up: 0, pending: 0, total: 0, ...monitors },
    agents: { active: 0, connecting: 0, total: 0, ...agents },
  });

test("the headline knows nothing, waiting, paused and all well apart", () => {
  expect(say({}, {})).toBe("nothing");
  expect(say({ pending: 1, total: 1 }, {})).toBe("waiting");
  expect(say({}, { connecting: 1, total: 1 })).toBe("waiting");
  expect(say({ total: 2 }, {})).toBe("allPaused");
  expect(say({ up: 1, total: 2 }, {})).toBe("allUp");
  expect(say({}, { active: 1, total: 1 })).toBe("allUp");
});
