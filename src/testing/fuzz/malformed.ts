import { fc } from "../property";

/** JSON as text, because some JSON can't be produced from a JavaScript value. */
export type Json = fc.Arbitrary<string>;

/** A value as JSON. */
export const text = (value: unknown): string => JSON.stringify(value) ?? "null";
const nest = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

const UNUSUAL_TEXTS = [
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

const UNUSUAL_NUMBERS = [
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

/** Unexpected JSON: other types, numbers out of bounds, texts that cannot be stored, deep and long values. */
export const malformedJson: Json = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...UNUSUAL_TEXTS).map(text) },
  { weight: 4, arbitrary: fc.constantFrom(...UNUSUAL_NUMBERS) },
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

/** Bodies that are not an object, or not JSON. */
export const brokenBody: Json = fc.oneof(
  malformedJson,
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

/** Encoded values for a query. */
export const malformedQuery = fc.oneof(
  fc
    .constantFrom(...UNUSUAL_TEXTS, ...UNUSUAL_NUMBERS)
    .map((value) => encodeURIComponent(value.toWellFormed().slice(0, 500))),
  fc.constantFrom("%", "%zz", "%ff%fe", "%00", "%ED%A0%80", "a&a=b", "[]", "+", "a=b=c", ";"),
);
