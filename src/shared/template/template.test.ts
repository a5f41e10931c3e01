import { describe, expect, it } from "bun:test";
import { fc } from "../../testing/property";
import { repetitions } from "../../testing/repetitions";
import { checkTemplate, renderLines, renderTemplate, type TemplateFormat, templateProblemText } from "./template";
import { TEMPLATE_FILTER_NAMES, TEMPLATE_LIMITS, TEMPLATE_VARIABLE_NAMES, type TemplateValues } from "./variables";

const AT = Date.UTC(2026, 0, 15, 16, 5, 9);
const VALUES: TemplateValues = {
  name: { text: 'Shop "A" & <b>' },
  status: { text: "Down" },
  time: { text: "Jan 15, 2026", at: AT },
  figure: { text: "96.5%", number: 96.5 },
  message: { text: "one\ntwo" },
};
const render = (text: string, zone = "UTC") => renderTemplate(text, VALUES, zone);
const problems = (text: string, format?: TemplateFormat) =>
  checkTemplate(text, format).map(({ code, word, line, column }) => [code, word, line, column]);

describe("a template", () => {
  it.each([
    ["{{name}}: {{ status }}!", 'Shop "A" & <b>: Down!'],
    ["{{status|upper}} {{ status | lower | limit:3 }}", "DOWN do…"],
    ["{{name | url}}", "Shop%20%22A%22%20%26%20%3Cb%3E"],
    ["{{name | json}} {{figure | json}} {{error | json}}", '"Shop \\"A\\" & <b>" 96.5 null'],
    ['"{{name | json_text}}"', '"Shop \\"A\\" & <b>"'],
    ['{{error | default:"no | \\"error\\" }}"}}', 'no | "error" }}'],
    ["{{error | default:none}}{{status | default:none}}", "noneDown"],
    ["{{time}} {{time | time:HH:mm}}", "Jan 15, 2026 16:05"],
    [
      "{{time | json}} {{time | time:iso}} {{time | time:unix}}",
      `"2026-01-15T16:05:09.000Z" 2026-01-15T16:05:09.000Z ${AT / 1000}`,
    ],
    ["{{since | time:HH:mm | default:never}}", "never"],
    ["}} { {x} }", "}} { {x} }"],
  ])("renders %p", (text, expected) => {
    expect(checkTemplate(text)).toEqual([]);
    expect(render(text)).toBe(expected);
  });

  it("writes times in a time zone", () => {
    const text = "{{time | time:YYYY-MM-DD HH:mm:ss}} {{time | time:MM月DD日 HH时}}";
    expect(render(text, "Asia/Shanghai")).toBe("2026-01-16 00:05:09 01月16日 00时");
  });

  it("leaves out lines of which all variables are empty", () => {
    const text = 'Reason: {{error}}\n\n{{name}} {{error}}\n{{message}}\n{{error | default:"-"}}';
    expect(renderLines(text, VALUES, "UTC")).toEqual(["", 'Shop "A" & <b> ', "one", "two", "-"]);
  });

  it("never reads a value as a template", () => {
    const values = { name: { text: "{{status}} {{name}} $& $1" }, status: { text: "Down" } };
    expect(renderTemplate("{{name}}", values, "UTC")).toBe("{{status}} {{name}} $& $1");
  });

  it.each(["constructor", "__proto__", "toString", "hasOwnProperty", "prototype"])(
    "has no variable or filter %p",
    (name) => {
      expect(problems(`{{${name}}}`)).toEqual([["unknown_variable", name, 1, 3]]);
      expect(problems(`{{name | ${name}}}`)).toEqual([["unknown_filter", name, 1, 10]]);
      expect(renderTemplate("{{error}}", {}, "UTC")).toBe("");
    },
  );
});

describe("a problem of a template", () => {
  it.each<[string, [code: string, word: string, line: number, column: number]]>([
    ["Hi\n😀 {{nmae}}", ["unknown_variable", "nmae", 2, 5]],
    ["{{name | shout}}", ["unknown_filter", "shout", 1, 10]],
    ["{{}}", ["variable_expected", "}", 1, 3]],
    ["{{{name}}}", ["variable_expected", "{", 1, 3]],
    ["{{名字}}", ["variable_expected", "名", 1, 3]],
    ["{{name | }}", ["filter_expected", "}", 1, 10]],
    ["{{name.length}}", ["unexpected", ".", 1, 7]],
    ["{{name 😀}}", ["unexpected", "😀", 1, 8]],
    ["a {{name", ["unclosed", "{{name", 1, 3]],
    ["a {{name\n}}", ["unclosed", "{{name", 1, 3]],
    ['{{name | default:"x}}', ["unclosed", '{{name | default:"x}}', 1, 1]],
    ["{{name | limit}}", ["argument_missing", "limit", 1, 10]],
    ["{{name | default:}}", ["argument_missing", "default", 1, 10]],
    ["{{name | upper:x}}", ["argument_unexpected", "upper:x", 1, 10]],
    ["{{name | limit:0}}", ["argument_invalid", "limit:0", 1, 10]],
    ["{{time | time:hello}}", ["argument_invalid", "time:hello", 1, 10]],
    ["{{name | time:HH:mm}}", ["time_expected", "time:HH:mm", 1, 10]],
    ["{{time | upper | time:HH}}", ["time_expected", "time:HH", 1, 18]],
    [`{{name${"|upper".repeat(6)}}}`, ["too_many", `{{name${"|upper".repeat(5)}|`, 1, 1]],
  ])("of %p has its place", (text, problem) => expect(problems(text)).toEqual([problem]));

  it("does not hide the next one, and at most 20 are named", () => {
    expect(problems("{{a}} {{name}} {{b | c}}").map(([, word]) => word)).toEqual(["a", "b", "c"]);
    expect(problems("{{x}}".repeat(100)).length).toBeLessThanOrEqual(21);
    expect(problems("{{name}}".repeat(TEMPLATE_LIMITS.placeholders))).toEqual([]);
    expect(problems("{{name}}".repeat(TEMPLATE_LIMITS.placeholders + 1))).toEqual([["too_many", "{{name}}", 1, 1601]]);
  });

  it("is a sentence in both languages", () => {
    const [problem] = checkTemplate("{{nmae}}");
    if (!problem) throw new Error("it has no problem");
    expect(templateProblemText(problem, "en-US")).toBe("line 1, column 3: there is no variable nmae");
    expect(templateProblemText(problem, "zh-CN")).toBe("第 1 行第 3 列：没有变量 nmae");
  });
});

describe("a template of JSON", () => {
  it.each([
    '{"text": {{title | json}}, "figure": {{figure | json}}, "list": [1, -2.5e3, true, null, {}, []]}',
    '{ "text": "{{name | json_text}} is {{status | json_text}}", "at": {{time | json}}, "u": "{{name | url}}" }',
    "{{message | json}}",
    '{"a":{"b":{{name|json}}}}',
  ])("is valid: %p", (text) => {
    expect(checkTemplate(text, "json")).toEqual([]);
    expect(() => JSON.parse(render(text))).not.toThrow();
    expect(() => JSON.parse(renderTemplate(text, {}, "UTC"))).not.toThrow();
  });

  it.each<[string, [code: string, word: string, line: number, column: number]]>([
    ['{"text": {{title}}}', ["json_required", "{{title}}", 1, 10]],
    ['{"text": {{title | json | upper}}}', ["json_required", "{{title | json | upper}}", 1, 10]],
    ['{"text": "{{title | json}}"}', ["json_in_quotes", "{{title | json}}", 1, 11]],
    ['{"text": {{title | json_text}}}', ["broken_json", "{{title | json_text}}", 1, 10]],
    ["{{{title | json}}: 1}", ["variable_expected", "{", 1, 3]],
    ["{ {{title | json}}: 1}", ["broken_json", "{{title | json}}", 1, 3]],
    ['{\n  "text": {{title | json}},\n}', ["broken_json", "}", 3, 1]],
    ['{"a": 1', ["broken_json", "", 1, 8]],
    ['{"a": "b\n"}', ["broken_json", "\n", 1, 9]],
    ["{'a': 1}", ["broken_json", "'", 1, 2]],
    ["[1 2]", ["broken_json", "2", 1, 4]],
    ["nulls", ["broken_json", "s", 1, 5]],
    ["\u0001", ["broken_json", "\u0001", 1, 1]],
    ["", ["broken_json", "", 1, 1]],
  ])("breaks where it is wrong: %p", (text, problem) => expect(problems(text, "json")).toEqual([problem]));

  it("is judged as JSON.parse judges it", () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", "}", '"', "1", "\\", "\n", "é"))
      .map(
        ([text, place, more]) =>
          text.slice(0, place % (text.length + 1)) + more + text.slice((place % (text.length + 1)) + 1),
      );
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken), (text) => {
        fc.pre(!text.includes("{{"));
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        expect(checkTemplate(text, "json").length === 0).toBe(valid);
      }),
      { numRuns: repetitions(300, 3000) },
    );
  });

  it("is whole with any values", () => {
    const text = '{"a": {{name | json}}, "b": "{{name | limit:3 | json_text}}", "c": {{figure | json}}}';
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        (name, number) => {
          const values = { name: { text: name }, figure: { text: "x", number } };
          expect(JSON.parse(renderTemplate(text, values, "UTC")).a).toBe(name === "" ? null : name);
        },
      ),
    );
  });
});

it("a template of a form needs every value encoded", () => {
  expect(problems("text={{title | url}}&at={{time | time:iso | url}}", "form")).toEqual([]);
  expect(problems("text={{title}}", "form")).toEqual([["url_required", "{{title}}", 1, 6]]);
});

it("hostile templates are refused, and none is read more than once", () => {
  const size = 100_000;
  const hostile = [
    "{",
    "{{",
    "{{name|",
    '{{name | default:"',
    "[",
    '{"a":',
    "{{name | upper ",
    '\\"',
    "}}",
    "\u0000",
    "{{\n",
  ];
  for (const piece of hostile) {
    const text = piece.repeat(Math.ceil(size / piece.length));
    expect(checkTemplate(text, "json").length).toBeGreaterThan(0);
    expect(typeof renderTemplate(text, VALUES, "UTC")).toBe("string");
  }
});

it("any text is checked and rendered without an exception", () => {
  const word = fc.constantFrom(
    "{{",
    "}}",
    "|",
    ":",
    '"',
    " ",
    "\n",
    "\\",
    ...TEMPLATE_VARIABLE_NAMES,
    ...TEMPLATE_FILTER_NAMES,
  );
  const text = fc.array(fc.oneof(word, fc.string({ unit: "binary" }))).map((words) => words.join(""));
  fc.assert(
    fc.property(text, (given) => {
      for (const { start, end, word } of checkTemplate(given))
        expect(given.slice(start, end).startsWith(word.replace(/…$/, ""))).toBe(true);
      render(given);
      renderLines(given, VALUES, "UTC");
    }),
    { numRuns: repetitions(200, 2000) },
  );
});
