import { expect, it } from "bun:test";
import { createTestApp } from "../../../src/testing/app";
import { operationsOf, readDocument } from "../../../src/testing/openapi";
import { parts, summaries, tags } from "./summaries";

it("the API page has a Chinese text for every part and every call, and for nothing else", async () => {
  const document = await readDocument(await createTestApp());
  const names = document.tags.map(({ name }) => name).toSorted();
  expect(Object.keys(tags).toSorted()).toEqual(names);
  expect(Object.keys(parts).toSorted()).toEqual(names);
  const ids = operationsOf(document).map(({ operation }) => operation.operationId);
  expect(Object.keys(summaries).toSorted()).toEqual(ids.toSorted());
});
