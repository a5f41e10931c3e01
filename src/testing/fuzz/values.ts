import { resolve, type Schema } from "../../modules/docs/json-schema";
import { EMAIL, LIMITS } from "../../shared/limits";
import { fc } from "../property";
import { type Json, malformedJson, text } from "./malformed";

type Known = Record<string, Schema>;

/** URLs of monitors: this target, or invalid ones. */
const urls = (target: string): Json =>
  fc
    .oneof(
      { weight: 5, arbitrary: fc.constant(target) },
      { weight: 2, arbitrary: fc.webPath().map((path) => target.replace(/\/$/, "") + (path || "/")) },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          `${target}\0`,
          ` ${target}#x`,
          target.replace("//", "//user:p%@"),
          `${target}?${"x".repeat(LIMITS.url)}`,
          "http://",
          "ftp://127.0.0.1/",
          "javascript:alert(1)",
          "http://[::1",
          "//127.0.0.1/",
          "file:///etc/passwd",
        ),
      },
    )
    .map(text);

const NAMED: Record<string, Json> = {
  email: fc.constantFrom("alice@example.com", "ALICE@EXAMPLE.COM", "x@y.z", "a@b", "", "\0@b.c").map(text),
  at: fc
    .constantFrom(
      "2026-01-15T12:19:00.000Z",
      "2026-01-15T12:20:00Z",
      "1970-01-01T00:00:00Z",
      "9999-12-31T23:59:59.999Z",
      "2026-01-15T12:19:30+08:00",
    )
    .map(text),
  boot_time: fc.constant(text("2026-01-02T08:00:00Z")),
  type: fc.constantFrom("telegram", "resend", "webhook", "__proto__", "constructor").map(text),
  config: fc.constantFrom(
    text({ botToken: `123456:${"a".repeat(35)}`, chatId: "-100" }),
    text(text({ apiKey: "re_0123456789abcdef", from: "a@b.cd", to: "c@d.ef" })),
    text({ botToken: "••••aaaa", chatId: "1" }),
    // A port where nothing listens.
    text({ url: "http://127.0.0.1:9/", headers: "Authorization: Bearer abcdefgh\nX-A: ••••efgh", secret: "12345678" }),
    text(text({ url: "http://127.0.0.1:9/\r\nX-A: 1", headers: "X-A: 1\rX-B: 2" })),
    text({ url: "http://user:pass@127.0.0.1:9/", headers: "Host: x".repeat(200) }),
    text("{"),
  ),
};

const ofType = (schema: Schema, type: string, known: Known, target: string): Json => {
  const { minimum = -10, maximum = 1000, minLength = 0, maxLength = 60, minItems = 0, maxItems = 4 } = schema;
  const high = Math.min(maximum, Number.MAX_SAFE_INTEGER);
  if (schema.enum) return fc.constantFrom(...schema.enum).map(text);
  if (type === "integer")
    return fc
      .oneof(fc.constantFrom(minimum, high), fc.integer({ min: minimum, max: Math.min(high, minimum + 1000) }))
      .map(text);
  if (type === "number")
    return fc.double({ min: minimum, max: maximum, noNaN: true, noDefaultInfinity: true }).map(text);
  if (type === "boolean") return fc.boolean().map(text);
  if (type === "array") {
    const item = schema.items ? validJson(schema.items, known, target) : fc.constant("0.5");
    return fc
      .array(item, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 4)) })
      .map((items) => `[${items}]`);
  }
  if (type === "object") return objectOf(schema, known, target);
  if (type === "string") {
    if (schema.pattern === EMAIL.source) return NAMED.email as Json;
    return fc
      .string({ unit: "grapheme", minLength: Math.max(1, minLength), maxLength: Math.min(maxLength, 60) })
      .map(text);
  }
  return fc.constant("null");
};

const member = (name: string, value: string) => `${text(name)}:${value}`;

const objectOf = (schema: Schema, known: Known, target: string): Json => {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (additionalProperties) {
    const names = fc.constantFrom("1", "2", "x", "Accept", "botToken", "__proto__");
    return fc
      .uniqueArray(fc.tuple(names, validJson(additionalProperties, known, target)), {
        selector: ([name]) => name,
        maxLength: 3,
      })
      .map((pairs) => `{${pairs.map(([name, value]) => member(name, value))}}`);
  }
  const fields = Object.entries(properties).map(([name, value]) =>
    fc
      .tuple(
        required.includes(name) ? fc.constant(true) : fc.boolean(),
        NAMED[name] && value.$ref
          ? fc.oneof(NAMED[name] as Json, validJson(value, known, target))
          : NAMED[name] && value.type !== "object" && !value.enum
            ? (NAMED[name] as Json)
            : name === "url"
              ? urls(target)
              : validJson(value, known, target),
      )
      .map(([isThere, json]) => (isThere ? member(name, json) : "")),
  );
  return fc.tuple(...fields).map((members) => `{${members.filter((one) => one !== "").join(",")}}`);
};

/** JSON that is valid for a schema; `target` is the URL of monitors. */
export const validJson = (given: Schema, known: Known, target: string): Json => {
  const schema = resolve(given, known);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return fc.oneof(...choices.map((choice) => validJson(choice, known, target)));
  const types = [schema.type ?? "null"].flat();
  return fc.oneof(...types.map((type) => ofType(schema, type, known, target)));
};

const EXTRA = [
  '"__proto__":{"role":"admin"}',
  '"constructor":{"prototype":{}}',
  '"role":"admin"',
  '"user_id":1',
  '"userId":1',
  '"id":1',
  '"tokenVersion":0',
  '"":""',
];

/** An object for a schema with one member replaced, missing, repeated or added. */
export const nearlyValidJson = (schema: Schema, known: Known, target: string): Json => {
  const { oneOf, properties = {} } = resolve(schema, known);
  if (oneOf) return fc.oneof(...oneOf.map((variant) => nearlyValidJson(variant, known, target)));
  const names = Object.keys(properties);
  return fc
    .tuple(
      validJson(schema, known, target),
      fc.constantFrom(...names, "x"),
      malformedJson,
      fc.constantFrom(...EXTRA),
      fc.constantFrom("swap", "drop", "twice", "add"),
    )
    .map(([json, name, malformed, extra, way]) => {
      const members = json.slice(1, -1);
      if (way === "add") return `{${[members, extra].filter(Boolean).join(",")}}`;
      // Of two members with one name the last one counts.
      if (way === "swap") return `{${[members, member(name, malformed)].filter(Boolean).join(",")}}`;
      if (way === "twice") return `{${[member(name, malformed), members].filter(Boolean).join(",")}}`;
      const { [name]: _, ...rest } = JSON.parse(json) as Record<string, unknown>;
      return text(rest);
    });
};
