/*
 * Templates of messages and of webhook bodies, which hub and page check and render: scan.ts reads them, variables.ts lists
 * their variables and filters.
 */
import { fill, type Language } from "../language";
import { jsonProblem } from "./json";
import { type FoundProblem, MAX_PROBLEMS, type Placeholder, scanTemplate, type TemplateProblemCode } from "./scan";
import { cutText, filterOf, type TemplateValue, type TemplateValues } from "./variables";

/** The output of a template: a message, or a body in JSON or of a form, where each value has to be encoded. */
export type TemplateFormat = "text" | "json" | "form";

/** A problem with the part of the template that it is about. Line and column count from 1, in characters. */
export type TemplateProblem = FoundProblem & { word: string; line: number; column: number };

/** The filters that a placeholder may end with, and the problem of any other end. */
const ENCODERS: Record<Exclude<TemplateFormat, "text">, { filters: string[]; code: TemplateProblemCode }> = {
  json: { filters: ["json", "json_text", "url"], code: "json_required" },
  form: { filters: ["url"], code: "url_required" },
};

const located = (text: string, problems: readonly FoundProblem[]): TemplateProblem[] =>
  problems.map((problem) => {
    const lines = text.slice(0, problem.start).split("\n");
    const column = [...(lines.at(-1) ?? "")].length + 1;
    return { ...problem, word: cutText(text.slice(problem.start, problem.end), 40), line: lines.length, column };
  });

const unencoded = (placeholders: readonly Placeholder[], format: Exclude<TemplateFormat, "text">): FoundProblem[] => {
  const { filters, code } = ENCODERS[format];
  return placeholders
    .filter((placeholder) => !filters.includes(placeholder.filters.at(-1)?.name ?? ""))
    .slice(0, MAX_PROBLEMS)
    .map(({ start, end }) => ({ code, start, end }));
};

/** Errors of a template, at most 20. Takes linear time. */
export const checkTemplate = (text: string, format: TemplateFormat = "text"): TemplateProblem[] => {
  const { placeholders, problems } = scanTemplate(text);
  if (problems.length > 0 || format === "text") return located(text, problems);
  const bare = unencoded(placeholders, format);
  if (bare.length > 0 || format === "form") return located(text, bare);
  const broken = jsonProblem(text, placeholders);
  return located(text, broken ? [broken] : []);
};

type Texts = Record<TemplateProblemCode | "json_ends" | "at", string>;
const TEXTS: Record<Language, Texts> = {
  "en-US": {
    at: "line {line}, column {column}: {problem}",
    unknown_variable: "there is no variable {word}",
    unknown_filter: "there is no filter {word}",
    variable_expected: "the name of a variable is expected here, not {word}",
    filter_expected: "the name of a filter is expected here, not {word}",
    unexpected: "{word} is not expected here: a placeholder looks like {{name | filter}}",
    unclosed: "the placeholder {word} is not closed by }} in its line",
    argument_missing: 'the filter {word} needs an argument, such as time:HH:mm, limit:50 or default:"none"',
    argument_unexpected: "{word} has an argument, and this filter takes none",
    argument_invalid:
      "{word} is not valid: use time:YYYY-MM-DD HH:mm:ss or parts of it, time:iso, time:unix, or limit:1 to 1000",
    time_expected: "{word} must be the first filter of a time, such as time or since",
    too_many: "there are more than 200 placeholders, or more than 5 filters in one",
    json_required: "{word} must end with the filter json, or json_text within quotation marks",
    url_required: "{word} must end with the filter url",
    broken_json: "{word} breaks the JSON",
    json_ends: "the JSON is not complete",
    json_in_quotes: "{word} adds quotation marks of its own: use json_text here",
  },
  "zh-CN": {
    at: "第 {line} 行第 {column} 列：{problem}",
    unknown_variable: "没有变量 {word}",
    unknown_filter: "没有过滤器 {word}",
    variable_expected: "这里应为变量名，而不是 {word}",
    filter_expected: "这里应为过滤器名，而不是 {word}",
    unexpected: "这里不应有 {word}，占位符的写法是 {{name | filter}}",
    unclosed: "占位符 {word} 没有在本行内以 }} 结束",
    argument_missing: '过滤器 {word} 需要参数，例如 time:HH:mm、limit:50 或 default:"无"',
    argument_unexpected: "{word} 带有参数，而这个过滤器没有参数",
    argument_invalid:
      "{word} 不正确：可用 time:YYYY-MM-DD HH:mm:ss 或其中一部分、time:iso、time:unix，或 limit:1 至 1000",
    time_expected: "{word} 只能作为 time、since 等时间变量的第一个过滤器",
    too_many: "占位符超过 200 个，或一个占位符的过滤器超过 5 个",
    json_required: "{word} 必须以过滤器 json 结尾，在引号内则用 json_text",
    url_required: "{word} 必须以过滤器 url 结尾",
    broken_json: "{word} 使 JSON 无效",
    json_ends: "JSON 不完整",
    json_in_quotes: "{word} 自带引号，这里请改用 json_text",
  },
};

/** A problem with its place, as a text in lower case where the language has it. */
export const templateProblemText = ({ code, word, line, column }: TemplateProblem, language: Language): string => {
  const texts = TEXTS[language];
  const problem = fill(texts[code === "broken_json" && word === "" ? "json_ends" : code], { word });
  return fill(texts.at, { line, column, problem });
};

const insertedText = ({ variable, filters }: Placeholder, values: TemplateValues, timeZone: string): string =>
  filters.reduce<TemplateValue>(
    (value, { name, argument }) => filterOf(name).apply(value, argument, timeZone),
    (Object.hasOwn(values, variable) && values[variable]) || { text: "" },
  ).text;

/**
 * A template with its values. Placeholders that are not valid are left as they are. `isEmpty` when it has placeholders, and
 * all of them are empty.
 */
const render = (text: string, values: TemplateValues, timeZone: string) => {
  const { placeholders } = scanTemplate(text);
  const rendered = placeholders.map((placeholder) => insertedText(placeholder, values, timeZone));
  const ends = [0, ...placeholders.map(({ end }) => end)];
  const parts = placeholders.map(({ start }, index) => text.slice(ends[index], start) + rendered[index]);
  return {
    text: parts.join("") + text.slice(ends.at(-1)),
    isEmpty: rendered.length > 0 && rendered.every((value) => value === ""),
  };
};

/** A template with its values; times by a pattern are in the time zone. */
export const renderTemplate = (text: string, values: TemplateValues, timeZone: string): string =>
  render(text, values, timeZone).text;

/** The lines of a template with its values. A line whose variables are all empty is left out. */
export const renderLines = (text: string, values: TemplateValues, timeZone: string): string[] =>
  text.split("\n").flatMap((line) => {
    const rendered = render(line, values, timeZone);
    return rendered.isEmpty ? [] : rendered.text.split("\n");
  });
