import { expect, it } from "bun:test";
import { list, map, nullable, object, oneOf, ref, text, time, whole } from "../../../src/modules/docs/schema";
import { fieldsOf, typeOf } from "./fields";

const known = { Check: object({ id: whole("Its id.", 1), at: time("When.") }) };
const said = (schema: Parameters<typeof typeOf>[0]) => typeOf(schema, known);

it("says what a value is in a few words", () => {
  expect(said(text("", "", { maxLength: 200 }))).toBe("string ≤ 200");
  expect(said(whole("", 1, { minimum: 60, maximum: 86_400 }))).toBe("integer 60–86400");
  expect(said(whole("", 1, { minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))).toBe("integer ≥ 1");
  expect(said(nullable(oneOf("", ["up", "down"])))).toBe('"up" | "down" | null');
  expect(said(nullable(time("")))).toBe("date-time | null");
  expect(said(list(ref("Check")))).toBe("object[]");
  expect(said({ type: "array", prefixItems: [{ type: "number" }], minItems: 3, maxItems: 3 })).toBe("number[] 3");
  expect(said({ anyOf: [{ type: "boolean" }, { type: "number", enum: [0] }, { type: "number", enum: [1] }] })).toBe(
    "boolean | 0 | 1",
  );
  expect(said({})).toBe("any");
});

it("lists the fields of an object, each before those inside of it", () => {
  const schema = object(
    { checks: list(ref("Check")), byId: map(ref("Check"), "By id.", "3"), next: nullable(whole("", 1)) },
    ["next"],
  );
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
