import { expect, it } from "bun:test";
import type { Schema } from "../modules/docs/json-schema";
import { problemsOf } from "./json-schema";

const SCHEMA: Schema = {
  type: "object",
  required: ["id", "at", "labels"],
  properties: {
    id: { $ref: "#/components/schemas/Id" },
    at: { type: ["string", "null"], format: "date-time" },
    labels: { type: "object", additionalProperties: { type: "string", maxLength: 3 } },
    kind: { type: ["string", "null"], enum: ["a", "b", null] },
    pair: { type: "array", prefixItems: [{ type: "integer" }, { type: "boolean" }] },
  },
};
const VALID = { id: 1, at: "2026-01-15T12:20:00.000Z", labels: { a: "x" }, kind: null, pair: [1, true] };

const pathsOf = (value: unknown) => [
  ...new Set(
    problemsOf(value, SCHEMA, { Id: { type: "integer", minimum: 1 } }).map((problem) => problem.split(":")[0]),
  ),
];

it("a value that matches its schema has no problems", () => {
  expect(pathsOf(VALID)).toEqual([]);
  expect(pathsOf({ id: 2, at: null, labels: {} })).toEqual([]);
});

it.each([
  ["/", null],
  ["/id", { ...VALID, id: 0 }],
  ["/id", { ...VALID, id: 1.5 }],
  ["/at", { ...VALID, at: "2026-01-15T12:20:00+01:00" }],
  ["/labels", { ...VALID, labels: undefined }],
  ["/labels/a", { ...VALID, labels: { a: "long" } }],
  ["/kind", { ...VALID, kind: "c" }],
  ["/pair/1", { ...VALID, pair: [1, 1] }],
  ["/other", { ...VALID, other: 1 }],
])("a violation is reported with its path %p", (path, value) => {
  expect(pathsOf(value)).toEqual([path]);
});
