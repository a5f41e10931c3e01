import { expect, it } from "bun:test";
import { type RawSchema, toJsonSchema } from "../../../src/modules/docs/json-schema";
import { component, integer, list, nullable, object, oneOf, optional, record, time } from "../../../src/server/answers";
import { fieldsOf, typeOf } from "./fields";

const known = {};
const Check = component("Check", { id: integer("Its id.", 1), at: time("When it started.") });
const shown = (schema: RawSchema) => typeOf(toJsonSchema(schema, known), known);

it("the type of a value is shown with its bounds", () => {
  expect(shown({ type: "string", maxLength: 200 })).toBe("string ≤ 200");
  expect(shown(integer("", 1, { minimum: 60, maximum: 86_400 }))).toBe("integer 60–86400");
  expect(shown(integer("", 1, { minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))).toBe("integer ≥ 1");
  expect(shown(nullable(oneOf("", ["up", "down"])))).toBe('"up" | "down" | null');
  expect(shown(nullable(time("")))).toBe("date-time | null");
  expect(shown(list(Check))).toBe("object[]");
  expect(shown({ type: "array", items: [{ type: "number" }], minItems: 3, maxItems: 3 })).toBe("number[] 3");
  expect(shown({ anyOf: [{ type: "boolean" }, { type: "number", enum: [0] }, { type: "number", enum: [1] }] })).toBe(
    "boolean | 0 | 1",
  );
  expect(shown({})).toBe("any");
});

it("the fields of an object are listed in order, each followed by its own fields", () => {
  const fields = object({
    checks: list(Check),
    byId: record(Check, "By id.", "3"),
    next: optional(nullable(integer("", 1))),
  });
  const schema = toJsonSchema(fields, known);
  expect(fieldsOf(schema, known).map(({ name, depth, required }) => [name, depth, required])).toEqual([
    ["checks", 0, true],
    ["id", 1, true],
    ["at", 1, true],
    ["byId", 0, true],
    ["id", 1, true],
    ["at", 1, true],
    ["next", 0, false],
  ]);
});
