import { expect, it } from "bun:test";
import { PARTS } from "../../../src/modules/docs/parts";
import { parts, summaries, tags } from "./summaries";

it("says in Chinese what every part and every call is, and nothing of others", () => {
  const names = PARTS.map(({ tag }) => tag).toSorted();
  expect(Object.keys(tags).toSorted()).toEqual(names);
  expect(Object.keys(parts).toSorted()).toEqual(names);
  const ids = PARTS.flatMap(({ operations }) => Object.values(operations).map(({ id }) => id));
  expect(Object.keys(summaries).toSorted()).toEqual(ids.toSorted());
});
