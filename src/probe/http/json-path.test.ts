import { describe, expect, it } from "bun:test";
import { paths, query } from "jsonpath-rfc9535";
import { createRandom, seedOr } from "../../testing/random";
import { createPathReader, pathProblem } from "./json-path";
import { createSteps, TooManySteps } from "./json-query";

const SEED = seedOr(9535);

const read = (path: string, document: unknown, limit = 100_000) => createPathReader(path)(document, createSteps(limit));

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
    expect(read("$..b", deep)).toEqual([]);
  });

  it(`finds what RFC 9535 finds at the same place of random documents (seed ${SEED})`, () => {
    const random = createRandom(SEED);
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

  it("measures and compares texts by characters, and arrays and objects as a whole", () => {
    const document = { a: [{ s: "a🚀" }, { s: [1, { x: 1 }] }, { s: { y: 2 } }], same: [1, { x: 1 }], name: "b" };
    expect(read("$.a[?length(@.s) == 2].s", document)).toEqual(["a🚀", [1, { x: 1 }]]);
    expect(read("$.a[?@.s == $.same].s", document)).toEqual([[1, { x: 1 }]]);
    expect(read("$.a[?@.s < $.name].s", document)).toEqual(["a🚀"]);
    expect(read("$.a[?count(@.s.*) == 1].s", document)).toEqual([{ y: 2 }]);
    expect(read("$.a[?value(@..y) == 2].s", document)).toEqual([{ y: 2 }]);
  });

  it(`finds what the library finds in random documents (seed ${SEED})`, () => {
    const random = createRandom(SEED + 1);
    const value = (depth: number): unknown => {
      const kind = random.below(depth > 4 ? 5 : 8);
      if (kind < 5) return [random.below(4), "b", null, true, "a"][kind];
      const inner = Array.from({ length: random.below(5) }, () => value(depth + 1));
      return kind === 5 ? inner : Object.fromEntries(inner.map((one) => [random.pick(["a", "b", "c"]), one]));
    };
    const selector = (): string =>
      random.pick([
        () => "'a'",
        () => "*",
        () => String(random.below(5) - 2),
        () => `${random.pick(["", "1", "-2"])}:${random.pick(["", "3", "-1"])}:${random.pick(["", "2", "-1"])}`,
        () => `?${filter(0)}`,
      ])();
    const segments = (): string =>
      Array.from({ length: 1 + random.below(3) }, () =>
        random.pick([() => ".a", () => ".*", () => "..b", () => `[${selector()}]`, () => `..[${selector()}]`])(),
      ).join("");
    const singular = () => random.pick(["@", "@.a", "@.b[0]", "$.a", "$.root.b", "@[-1]"]);
    const side = () => random.pick([singular(), "1", "'b'", "null", "true", `count(${singular()}.*)`, "value(@..a)"]);
    const filter = (depth: number): string => {
      const kind = random.below(depth > 1 ? 2 : 5);
      if (kind === 0) return `@${segments()}`;
      if (kind === 1) return `${side()} ${random.pick(["==", "!=", "<", "<=", ">", ">="])} ${side()}`;
      if (kind === 2) return `!(${filter(depth + 1)})`;
      return `(${filter(depth + 1)}) ${random.pick(["&&", "||"])} (${filter(depth + 1)})`;
    };
    let found = 0;
    for (let round = 0; round < 1500; round++) {
      const document = { root: value(0), a: value(0) } as Parameters<typeof query>[0];
      const path = `$${segments()}`;
      expect([path, document, pathProblem(path)]).toEqual([path, document, null]);
      const sorted = (values: unknown[]) => values.map((one) => JSON.stringify(one)).toSorted();
      const ours = read(path, document, 1_000_000);
      expect([path, document, sorted(ours)]).toEqual([path, document, sorted(query(document, path))]);
      found += ours.length;
    }
    expect(found).toBeGreaterThan(500);
  });

  it("ends after a number of steps, however it multiplies what it visits", () => {
    const wide = { list: Array.from({ length: 1000 }, (_, a) => ({ a, text: "x".repeat(100) })) };
    expect(read("$.list[?@.a == 7].a", wide)).toEqual([7]);
    for (const path of [
      "$..*..*..*",
      "$..[?value(@..a) == 1 || count($..*) == 1]",
      "$.list[?$.list[?$.list[?@.a == 1]]]",
      "$.list[*]['a','a','a','a','a','a','a','a','a','a','a','a','a','a'][?@]",
      "$.list[?@ == $.list]..[?@ == $.list]..[?@ != $.list]",
      "$.list[?length(@.text) == 1 || length(@.text) == 2 || length(@.text) == 3]",
    ])
      expect(() => read(path, wide, 10_000)).toThrow(TooManySteps);
  });

  it("is refused when it is malformed, runs a regular expression or has an unknown function", () => {
    const good = ["$", "$.a", "$['a'][0]", "$[1:3].b", "$..a..b[*]", "$[0,'a']", "$.a[?@.b]", "$.a[?@..b[?@.c]]"];
    const filters = ["@.b > 3 && !(@.c == 'x')", "$.b == @.c", "count(@.*) > 1", "length(value(@..a)) > 1"];
    for (const path of [...good, ...filters.map((filter) => `$.a[?${filter}]`)])
      expect([path, pathProblem(path)]).toEqual([path, null]);
    const bad = ["match(@.b, 'x.*')", "search(@.b, '(a+)+')", "!search(@.b, 'x') && @.c", "@.b[?match(@.c, 'x')]"];
    const wrong = ["length(@.b)", "length(@.*) == 1", "count(1) == 1", "unknown(@) == 1", "length(@.a, @.b) == 1"];
    for (const path of ["$.", "$x", "$.a[", ...[...bad, ...wrong].map((filter) => `$.a[?${filter}]`)])
      expect([path, pathProblem(path) !== null]).toEqual([path, true]);
  });
});
