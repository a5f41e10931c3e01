import fc from "fast-check";
import { resolve, type Schema } from "../../modules/docs/schema";
import { EMAIL, LIMITS } from "../../shared/limits";

type Known = Record<string, Schema>;
/** JSON as a text: some of what may be sent no value of JavaScript's would become. */
export type Json = fc.Arbitrary<string>;

const text = (value: unknown): string => JSON.stringify(value) ?? "null";
const nest = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

const ODD_TEXTS = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\udc00x",
  "\u202e",
  "\ufeff",
  "💥".repeat(60),
  "é".normalize("NFD"),
  "'; drop table users; --",
  '"); select * from users; --',
  "%' or 1=1 --",
  "<script>alert(1)</script>",
  "{{7*7}}",
  "../../etc/passwd",
  "\r\nset-cookie: a=b",
  "__proto__",
  "constructor",
  "null",
  "NaN",
  "-0",
  "1e999",
  "0x10",
  "9".repeat(400),
  "a".repeat(10_000),
  "2026-02-30T25:61:61Z",
  "data:text/html,<script>1</script>",
  "@import url(//x)",
];

const ODD_NUMBERS = [
  "-1",
  "0",
  "-0",
  "0.1",
  "1e308",
  "1e999",
  "-1e999",
  "9007199254740993",
  "18446744073709551616",
  "2147483648",
  "1e-320",
];

/** What nobody asked for: other types, numbers beyond any bound, texts that cannot be kept, depths and masses. */
export const oddJson: Json = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...ODD_TEXTS).map(text) },
  { weight: 4, arbitrary: fc.constantFrom(...ODD_NUMBERS) },
  { weight: 4, arbitrary: fc.constantFrom("null", "true", "false", "[]", "{}", "[[]]", "[null]", '{"a":{"b":[1]}}') },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '{"__proto__":{"role":"admin"}}',
      '{"constructor":{"prototype":{"a":1}}}',
      '{"toString":1,"hasOwnProperty":1}',
    ),
  },
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 40 }).map(text) },
  { weight: 1, arbitrary: fc.constantFrom(20, 500, 5000, 100_000).map((depth) => nest(depth, "[", "]")) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }).map((length) => `[${"0,".repeat(length)}0]`) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }).map(text) },
);

/** Addresses of monitors lead nowhere but to this one, unless they are none at all. */
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
        NAMED[name] && value.type !== "object" && !value.enum
          ? (NAMED[name] as Json)
          : name === "url"
            ? urls(target)
            : validJson(value, known, target),
      )
      .map(([isThere, json]) => (isThere ? member(name, json) : "")),
  );
  return fc.tuple(...fields).map((members) => `{${members.filter((one) => one !== "").join(",")}}`);
};

/** What a schema asks for; `target` is where monitors may lead. */
export const validJson = (given: Schema, known: Known, target: string): Json => {
  const schema = resolve(given, known);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((choice) => validJson(choice, known, target)));
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

/** An object as a schema asks for, but for one member that is something else, missing, there twice or too many. */
export const nearlyValidJson = (schema: Schema, known: Known, target: string): Json => {
  const names = Object.keys(resolve(schema, known).properties ?? {});
  return fc
    .tuple(
      validJson(schema, known, target),
      fc.constantFrom(...names, "x"),
      oddJson,
      fc.constantFrom(...EXTRA),
      fc.constantFrom("swap", "drop", "twice", "add"),
    )
    .map(([json, name, odd, extra, way]) => {
      const members = json.slice(1, -1);
      if (way === "add") return `{${[members, extra].filter(Boolean).join(",")}}`;
      // The last of two members of one name is the one that counts.
      if (way === "swap") return `{${[members, member(name, odd)].filter(Boolean).join(",")}}`;
      if (way === "twice") return `{${[member(name, odd), members].filter(Boolean).join(",")}}`;
      const { [name]: _, ...rest } = JSON.parse(json) as Record<string, unknown>;
      return text(rest);
    });
};

/** Bodies that are no object of anybody's, or no JSON at all. */
export const brokenBody: Json = fc.oneof(
  oddJson,
  fc.constantFrom(
    "",
    "{",
    "}",
    "nul",
    '"',
    "{'a':1}",
    '{"a":1}x',
    "\ufeff{}",
    "[".repeat(50_000),
    '{"a":'.repeat(5000),
    "a=b&a=c&__proto__=x",
    "--x\r\n\r\n",
    "\0",
  ),
  fc.constant(`{"name":${text("a".repeat(1_048_000))}}`),
  fc.string({ unit: "binary", maxLength: 100 }),
);

/** Values in an address, as they stand there. */
export const oddQuery = fc.oneof(
  fc.constantFrom(...ODD_TEXTS, ...ODD_NUMBERS).map((value) => encodeURIComponent(value.toWellFormed().slice(0, 500))),
  fc.constantFrom("%", "%zz", "%ff%fe", "%00", "%ED%A0%80", "a&a=b", "[]", "+", "a=b=c", ";"),
);
