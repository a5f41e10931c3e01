/* Finds where a template of JSON breaks with any values of its placeholders. */
import type { FoundProblem, Placeholder } from "./scan";

/** Stands for a value, which may begin where JSON expects one, and never within a text. */
const VALUE = "\u0001";
const MAX_DEPTH = 100;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = new RegExp(`true|false|null|${VALUE}`, "y");

/** The template with each placeholder replaced by something as long: a value, or characters of a text. */
const withoutPlaceholders = (text: string, placeholders: readonly Placeholder[]): string => {
  let masked = "";
  let at = 0;
  for (const { start, end, filters } of placeholders) {
    const isValue = filters.at(-1)?.name === "json";
    masked += text.slice(at, start).replaceAll(VALUE, "\u0002");
    masked += isValue ? VALUE.padEnd(end - start) : "x".repeat(end - start);
    at = end;
  }
  return masked + text.slice(at).replaceAll(VALUE, "\u0002");
};

type Step = { at: number; broken?: boolean };

/** Where a text in quotation marks ends, or the character in it that is not allowed. */
const readText = (text: string, start: number): Step => {
  let at = start + 1;
  while (text[at] !== '"') {
    const character = text[at];
    if (character === undefined) return { at: start, broken: true };
    if (character < " ") return { at, broken: true };
    if (character !== "\\") at++;
    else if (/^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.test(text.slice(at, at + 6))) at += 2;
    else return { at, broken: true };
  }
  return { at: at + 1 };
};

/** Where a text, a number or a word ends. */
const readSimple = (text: string, at: number): Step => {
  if (text[at] === '"') return readText(text, at);
  for (const pattern of [NUMBER, WORD]) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return { at: pattern.lastIndex };
  }
  return { at, broken: true };
};

/** Where JSON breaks; null when it does not. It is read without recursion. */
const breakOf = (text: string): number | null => {
  const open: string[] = [];
  let expected: "value" | "first" | "name" | "rest" = "value";
  for (let at = 0; ; ) {
    while (/[ \t\n\r]/.test(text[at] ?? "")) at++;
    const character = text[at];
    if (character === undefined) return expected === "rest" && open.length === 0 ? null : at;
    const inObject = open.at(-1) === "}";
    if (character === open.at(-1) && (expected === "rest" || expected === "first")) {
      open.pop();
      expected = "rest";
      at++;
    } else if (expected === "rest") {
      if (character !== "," || open.length === 0) return at;
      expected = inObject ? "name" : "value";
      at++;
    } else if (inObject && expected !== "value") {
      const name: Step = character === '"' ? readText(text, at) : { at, broken: true };
      if (name.broken) return name.at;
      at = name.at;
      while (/[ \t\n\r]/.test(text[at] ?? "")) at++;
      if (text[at] !== ":") return at;
      expected = "value";
      at++;
    } else if (character === "{" || character === "[") {
      if (open.push(character === "{" ? "}" : "]") > MAX_DEPTH) return at;
      expected = "first";
      at++;
    } else {
      const step = readSimple(text, at);
      if (step.broken) return step.at;
      at = step.at;
      expected = "rest";
    }
  }
};

/** The place where a template of JSON breaks, whose placeholders all end with an encoding filter. */
export const jsonProblem = (text: string, placeholders: readonly Placeholder[]): FoundProblem | null => {
  const masked = withoutPlaceholders(text, placeholders);
  const start = breakOf(masked);
  if (start === null) return null;
  const placeholder = placeholders.find((one) => one.start === start);
  if (!placeholder) return { code: "broken_json", start, end: Math.min(start + 1, text.length) };
  // With a character of a text in its place it would be valid.
  const asText = `${masked.slice(0, start)}x${masked.slice(start + 1)}`;
  const isQuoted = breakOf(asText) !== start;
  return { code: isQuoted ? "json_in_quotes" : "broken_json", start, end: placeholder.end };
};
