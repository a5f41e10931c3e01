import { expect, it } from "bun:test";
import { createTestApp } from "../../src/testing/app";
import { operationsOf, readDocument } from "../../src/testing/openapi";
import { docs } from "./zh-CN/docs";

it("the API page has a Chinese text for every part and every call, and no others", async () => {
  const document = await readDocument(await createTestApp());
  const names = document.tags.map(({ name }) => name).toSorted();
  expect(Object.keys(docs.tags).toSorted()).toEqual(names);
  expect(Object.keys(docs.parts).toSorted()).toEqual(names);
  const ids = operationsOf(document).map(({ operation }) => operation.operationId);
  expect(Object.keys(docs.summaries).toSorted()).toEqual(ids.toSorted());
});
