import { expect, it } from "bun:test";
import { createTestApp } from "../../src/testing/app";
import { readDocument } from "../../src/testing/openapi";
import { docs } from "./zh-CN/docs";

it("the API page has a Chinese text for every part, and no others", async () => {
  const document = await readDocument(await createTestApp());
  const names = document.tags.map(({ name }) => name).toSorted();
  expect(Object.keys(docs.tags).toSorted()).toEqual(names);
  expect(Object.keys(docs.parts).toSorted()).toEqual(names);
});
