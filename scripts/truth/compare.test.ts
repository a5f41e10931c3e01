import { expect, it } from "bun:test";
import { compare, type World } from "./compare";
import { exceeded, measure } from "./measures";

const SECOND = 1000;
const at = (second: number) => second * SECOND;
const span = (from: number, to: number) => ({ from: at(from), to: at(to) });
const claim = (name: string, startedAt: number, endedAt: number | null = null, startedAfter = startedAt - 60) => ({
  name,
  startedAt: at(startedAt),
  startedAfter: at(startedAfter),
  endedAt: endedAt === null ? null : at(endedAt),
  recordedAt: at(startedAt + 1),
});
const message = (name: string, event: string, second: number) => ({ name, event, text: event, at: at(second) });
const target = (name: string, group: string, ...failures: ReturnType<typeof span>[]) => ({
  ...{ name, class: group, interval: at(60), certain: at(75), failures },
});

/** One target that fails from second 100 to 300. */
const WORLD: World = {
  truth: [target("shop", "closed", span(100, 300))],
  claims: [claim("shop", 120, 310)],
  messages: [message("shop", "down", 122), message("shop", "recovery", 311)],
  grouped: [],
  uptimes: [{ name: "shop", since: at(0), at: at(600), uptime: 68, watched: 100, gaps: [] }],
  blind: [],
  end: at(600),
};

const wrongIn = (changed: Partial<World>) => compare({ ...WORLD, ...changed }).wrong.map((text) => text.split(":")[0]);

it("a failure that was found has the errors of its start and end, its delay and its messages", () => {
  const { rows, wrong } = compare(WORLD);
  expect(wrong).toEqual([]);
  expect(rows).toEqual([
    {
      ...{ class: "closed", targets: 1, failures: 1, found: 1, missed: 0, unseen: 0, invented: 0, messages: 2 },
      ...{ detected: at(20), start: at(10), end: at(10), told: at(1), uptime: expect.closeTo(4 / 3), watched: 100 },
    },
  ]);
});

it("a failure that was visible long enough and has no claim is missed", () => {
  expect(wrongIn({ claims: [], messages: [] })).toEqual(["missed"]);
  expect(wrongIn({ claims: [], messages: [], blind: [span(160, 240)] })).toEqual([]);
  expect(wrongIn({ claims: [], messages: [], blind: [span(200, 240)] })).toEqual(["missed"]);
  expect(wrongIn({ claims: [], messages: [], end: at(170) })).toEqual([]);
});

it("a claim and a message without a failure are wrong", () => {
  expect(wrongIn({ claims: [...WORLD.claims, claim("shop", 400)] })).toEqual(["invented"]);
  expect(wrongIn({ messages: [...WORLD.messages, message("shop", "down", 500)] })).toEqual(["told wrongly"]);
});

it("a start is wrong that is after the true one", () => {
  expect(wrongIn({ claims: [claim("shop", 120, 310, 110)] })).toEqual(["begins too late"]);
});

it("a failure of more than three visible minutes without a message is wrong", () => {
  const silent = { messages: [], claims: [claim("shop", 110, 310)] };
  expect(wrongIn(silent)).toEqual(["never told"]);
  expect(wrongIn({ ...silent, blind: [span(200, 220)] })).toEqual([]);
});

/** Twenty copies of each target, because fewer are too few for a median. */
const copies = <T extends { name: string }>(list: T[]): T[] =>
  list.flatMap((one) => Array.from({ length: 20 }, (_, index) => ({ ...one, name: `${one.name} ${index + 1}` })));

const overIn = (changed: Partial<World>) => {
  const one = { ...WORLD, ...changed };
  const { truth, claims, messages, uptimes } = one;
  const copied = { truth: copies(truth), claims: copies(claims), messages: copies(messages), uptimes: copies(uptimes) };
  const world = { ...one, ...copied };
  return exceeded(measure(world, compare(world).found)).map(({ name }) => name);
};

it("limits are those of checks once a minute, and shorter for those that are more frequent", () => {
  expect(overIn({})).toEqual([]);
  const often = WORLD.truth.map((one) => ({ ...one, interval: at(20) }));
  expect(overIn({ truth: often })).toEqual(["error of starts, median", "error of ends, median"]);
});

it("a late message, a message for each target of a host, and a wrong uptime exceed their limits", () => {
  expect(overIn({ messages: [message("shop", "down", 125)] })).toEqual(["record to message, median"]);
  expect(overIn({ messages: [message("shop", "down", 303)] })).toEqual([
    "record to message, median",
    "failed check to message, longest",
  ]);
  const host = { truth: [target("shop", "host", span(100, 300))], grouped: ["🔴 shop 1 is down", "🔴 shop 2 is down"] };
  expect(overIn(host)).toEqual(["grouped messages, host down"]);
  expect(
    overIn({ uptimes: [{ name: "shop", since: at(0), at: at(600), uptime: 64, watched: 100, gaps: [] }] }),
  ).toEqual(["error of uptimes, mean"]);
});

it("an uptime is compared with the truth of the time that the hub says it watched", () => {
  const gaps = [span(200, 300)];
  const uptimes = [{ name: "shop", since: at(0), at: at(600), uptime: 80, watched: 83.3, gaps }];
  expect(compare({ ...WORLD, uptimes }).rows[0]?.uptime).toBeCloseTo(0);
});
