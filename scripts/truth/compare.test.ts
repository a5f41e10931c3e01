import { expect, it } from "bun:test";
import { compare, type World } from "./compare";

const SECOND = 1000;
const at = (second: number) => second * SECOND;
const span = (from: number, to: number) => ({ from: at(from), to: at(to) });
const claim = (name: string, startedAt: number, endedAt: number | null = null, startedAfter = startedAt - 60) => ({
  name,
  startedAt: at(startedAt),
  startedAfter: at(startedAfter),
  endedAt: endedAt === null ? null : at(endedAt),
});

/** One target that fails from second 100 to 300. */
const WORLD: World = {
  truth: [{ name: "shop", class: "closed", certain: at(75), failures: [span(100, 300)] }],
  claims: [claim("shop", 120, 310)],
  messages: [
    { name: "shop", event: "down", at: at(122) },
    { name: "shop", event: "recovery", at: at(311) },
  ],
  blind: [],
  end: at(600),
};

const wrongIn = (changed: Partial<World>) => compare({ ...WORLD, ...changed }).wrong.map((text) => text.split(":")[0]);

it("a failure that was found has the errors of its start and end, its delay and its messages", () => {
  expect(compare(WORLD)).toEqual({
    rows: [
      {
        class: "closed",
        targets: 1,
        failures: 1,
        found: 1,
        missed: 0,
        unseen: 0,
        invented: 0,
        start: at(20),
        end: at(10),
        told: at(2),
        messages: 2,
      },
    ],
    wrong: [],
  });
});

it("a failure that was visible long enough and has no claim is missed", () => {
  expect(wrongIn({ claims: [], messages: [] })).toEqual(["missed"]);
  expect(wrongIn({ claims: [], messages: [], blind: [span(160, 240)] })).toEqual([]);
  expect(wrongIn({ claims: [], messages: [], blind: [span(200, 240)] })).toEqual(["missed"]);
  expect(wrongIn({ claims: [], messages: [], end: at(170) })).toEqual([]);
});

it("a claim and a message without a failure are wrong", () => {
  expect(wrongIn({ claims: [...WORLD.claims, claim("shop", 400)] })).toEqual(["invented"]);
  expect(wrongIn({ messages: [...WORLD.messages, { name: "shop", event: "down", at: at(500) }] })).toEqual([
    "told wrongly",
  ]);
});

it("a start is wrong that is after the true one", () => {
  expect(wrongIn({ claims: [claim("shop", 120, 310, 110)] })).toEqual(["begins too late"]);
});
