import { expect, it } from "bun:test";
import { memoize } from "./memoize";

it("a memoized function computes the result of a short text once, and forgets it when there are many", () => {
  const computed: string[] = [];
  const lengthOf = memoize((text) => computed.push(text) && text.length);
  expect([lengthOf("abc"), lengthOf("abc"), computed]).toEqual([3, 3, ["abc"]]);
  const long = "x".repeat(1000);
  expect([lengthOf(long), lengthOf(long), computed.length]).toEqual([1000, 1000, 3]);
  for (let index = 0; index < 500; index++) lengthOf(`text ${index}`);
  lengthOf("abc");
  expect(computed.filter((text) => text === "abc").length).toBe(2);
});
