import { describe, expect, it } from "bun:test";
import { paths, query } from "jsonpath-rfc9535";
import { createRandom } from "../../testing/random";
import { createPathReader, pathProblem } from "./json-path";

const read = (path: string, document: unknown) => createPathReader(path)(document);

const SHOP = {
  data: { status: "ok", items: [{ status: "sold", "net price": 5 }, { status: null }], "a.b": 1, length: undefined },
  list: [1, [2, 3]],
  "": "empty",
  '"': "quote",
};

describe("a path of our own", () => {
  it("leads to members, elements and lengths", () => {
    const cases: [path: string, value: unknown][] = [
      ["data.status", "ok"],
      ["data.items[0].status", "sold"],
      ["data.items[-1].status", null],
      ["data.items.length", 2],
      ["data.status.length", 2],
      ['data.items[0]["net price"]', 5],
      ["data['a.b']", 1],
      ["list[1][0]", 2],
      ['["\\""]', "quote"],
      ['[""]', "empty"],
    ];
    for (const [path, value] of cases)
      expect([path, pathProblem(path), read(path, SHOP)]).toEqual([path, null, [value]]);
    expect(read("[1]", [7, 8])).toEqual([8]);
  });

  it("leads nowhere without such a value, and never to what a document does not have", () => {
    const missing = ["no", "data.no.status", "data.items[2]", "data.items[-3]", "list.no", "data[0]", "data.items.0"];
    for (const path of [...missing, "toString", "data.constructor", "__proto__.x", "data.status.x"])
      expect([path, read(path, SHOP)]).toEqual([path, []]);
    for (const document of [null, 7, "text", true]) expect(read("a", document)).toEqual([]);
  });

  it("is refused when it is malformed", () => {
    for (const path of ["", ".", "a.", "a..b", "a[", "a[]", "a[x]", "a[1", 'a["x]', "a b", "a[1.5]", "a]", "a[1]b"])
      expect([path, pathProblem(path) !== null]).toEqual([path, true]);
  });

  it("reads a document of 10,000 levels", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`);
    expect(read("a.a.a.b", deep)).toEqual([]);
    expect(read("$..b", deep)).toBeNull();
  });

  it("finds what RFC 9535 finds at the same place of random documents", () => {
    const random = createRandom(9535);
    const KEYS = ["a", "b", "status", "x.y", "two words", "length", "", "ü", '"', "'", "\\", "$", "0"];
    const value = (depth: number): unknown => {
      const kind = random.below(depth > 4 ? 4 : 7);
      if (kind < 4) return [random.below(9), "text", null, true][kind];
      const inner = Array.from({ length: random.below(5) }, () => value(depth + 1));
      return kind === 4 ? inner : Object.fromEntries(inner.map((one) => [random.pick(KEYS), one]));
    };
    const own = (place: string) => {
      const steps = [...place.matchAll(/\[(\d+)\]|\['((?:[^'\\]|\\.)*)'\]/g)];
      return steps
        .map(([, index, name = ""], position) => {
          if (index !== undefined) return `[${index}]`;
          const plain = name.replace(/\\(['\\])/g, "$1");
          if (/^[\wü$]+$/.test(plain) && !plain.startsWith("$")) return `${position > 0 ? "." : ""}${plain}`;
          return random.below(2) === 0
            ? `["${plain.replace(/["\\]/g, "\\$&")}"]`
            : `['${plain.replace(/['\\]/g, "\\$&")}']`;
        })
        .join("");
    };
    let compared = 0;
    for (let round = 0; round < 300; round++) {
      const document = { root: value(0), a: value(0) } as Parameters<typeof query>[0];
      for (const place of paths(document, "$..*")) {
        const path = own(place);
        expect([path, pathProblem(path), read(path, document)]).toEqual([path, null, query(document, place)]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(1000);
  });
});

describe("a path of RFC 9535", () => {
  it("finds any number of values", () => {
    const document = {
      items: [
        { id: 1, status: "ok" },
        { id: 7, status: "bad" },
      ],
    };
    expect(read("$.items[?@.id == 7].status", document)).toEqual(["bad"]);
    expect(read("$.items[*].status", document)).toEqual(["ok", "bad"]);
    expect(read("$..status", document)).toEqual(["ok", "bad"]);
    expect(read("$.items[?length(@.status) > 2].id", document)).toEqual([7]);
    expect(read("$.none", document)).toEqual([]);
  });

  it("is refused when it is malformed, runs a regular expression or may take longer than the document grows", () => {
    const good = [
      "$",
      "$.a",
      "$['a'][0]",
      "$[1:3].b",
      "$..a[*].b",
      "$.a[?@.b]",
      "$.a[?@.b > 3 && !(@.c == 'x')]",
      "$.a[?$.b == 1]",
    ];
    for (const path of good) expect([path, pathProblem(path)]).toEqual([path, null]);
    const bad = [
      "$.",
      "$x",
      "$.a[",
      "$.a[?match(@.b, 'x.*')]",
      "$.a[?search(@.b, '(a+)+')]",
      "$.a[?!search(@.b, 'x') && @.c]",
      "$..a..b",
      "$[0,0]",
      "$['a','b']",
      "$..[?@..a]",
      "$.a[?@.b[?@.c]]",
      "$.a[?count($.*) > 1]",
      "$.a[?count(@.*) > 1]",
      "$.a[?@.b == $.c]",
      "$.a[?@ == @]",
      "$.a[?length($.b) > 1]",
      "$.a[?length(value($.b)) > 1]",
      "$.a[?@.c || count($.b) == 1]",
    ];
    for (const path of bad) expect([path, pathProblem(path) !== null]).toEqual([path, true]);
  });
});
