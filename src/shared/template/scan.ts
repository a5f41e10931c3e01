/*
 * Reads templates: text with placeholders of the form `{{variable | filter | filter:argument}}`. There is no logic, and no
 * value is read as a template. A template is read once from left to right.
 */
import {
  filterOf,
  isTemplateFilter,
  isTemplateVariable,
  TEMPLATE_LIMITS,
  TEMPLATE_VARIABLES,
  type TemplateFilter,
  type TemplateVariable,
} from "./variables";

export type TemplateProblemCode =
  | "unknown_variable"
  | "unknown_filter"
  | "variable_expected"
  | "filter_expected"
  | "unexpected"
  | "unclosed"
  | "argument_missing"
  | "argument_unexpected"
  | "argument_invalid"
  | "time_expected"
  | "too_many"
  | "json_required"
  | "url_required"
  | "broken_json"
  | "json_in_quotes";

/** A problem and its place, in UTF-16 code units. */
export type FoundProblem = { code: TemplateProblemCode; start: number; end: number };

export type Placeholder = {
  start: number;
  end: number;
  variable: TemplateVariable;
  filters: { name: TemplateFilter; argument: string }[];
};

export const MAX_PROBLEMS = 20;

class Scanner {
  readonly placeholders: Placeholder[] = [];
  readonly problems: FoundProblem[] = [];
  private at = 0;
  /** Where the present placeholder begins. */
  private start = 0;

  constructor(private readonly text: string) {}

  /** After a problem it continues where that was found, so that no character is read twice. */
  scan(): void {
    while (this.problems.length < MAX_PROBLEMS) {
      this.start = this.text.indexOf("{{", this.at);
      if (this.start < 0) return;
      this.at = this.start + 2;
      const placeholder = this.readPlaceholder();
      if (placeholder) this.placeholders.push(placeholder);
      if (this.placeholders.length <= TEMPLATE_LIMITS.placeholders) continue;
      this.refuse("too_many", this.start, this.at);
      return;
    }
  }

  private refuse(code: TemplateProblemCode, start: number, end: number): null {
    this.problems.push({ code, start, end });
    return null;
  }

  /** Refuses the next character. At the end of a line the placeholder is not closed. */
  private refuseNext(code: TemplateProblemCode): null {
    const next = this.text.codePointAt(this.at);
    if (next === undefined || next === 10 || next === 13) return this.refuse("unclosed", this.start, this.at);
    return this.refuse(code, this.at, this.at + (next > 0xffff ? 2 : 1));
  }

  private skipBlanks(): void {
    while (this.text[this.at] === " " || this.text[this.at] === "\t") this.at++;
  }

  /** The word that begins here, or an empty text. */
  private readWord(): string {
    const from = this.at;
    while (/\w/.test(this.text[this.at] ?? "")) this.at++;
    return this.text.slice(from, this.at);
  }

  private readPlaceholder(): Placeholder | null {
    this.skipBlanks();
    const from = this.at;
    const variable = this.readWord();
    if (variable === "") return this.refuseNext("variable_expected");
    const before = this.problems.length;
    if (!isTemplateVariable(variable)) this.refuse("unknown_variable", from, this.at);
    const filters: { name: string; argument: string }[] = [];
    for (;;) {
      this.skipBlanks();
      if (this.text.startsWith("}}", this.at)) break;
      if (this.text[this.at] !== "|") return this.refuseNext("unexpected");
      this.at++;
      if (filters.length === TEMPLATE_LIMITS.filters) return this.refuse("too_many", this.start, this.at);
      const filter = this.readFilter();
      if (!filter) return null;
      if (filter.name === "time" && (filters.length > 0 || !isTime(variable)))
        this.refuse("time_expected", filter.from, this.at);
      filters.push(filter);
    }
    this.at += 2;
    if (!isTemplateVariable(variable) || this.problems.length > before) return null;
    const validFilters = filters.flatMap(({ name, argument }) => (isTemplateFilter(name) ? [{ name, argument }] : []));
    return { start: this.start, end: this.at, variable, filters: validFilters };
  }

  /** A filter with its argument; null after a problem that makes the rest of the placeholder unreadable. */
  private readFilter(): { name: string; argument: string; from: number } | null {
    this.skipBlanks();
    const from = this.at;
    const name = this.readWord();
    if (name === "") return this.refuseNext("filter_expected");
    const end = this.at;
    let argument: string | null = null;
    if (this.text[this.at] === ":") {
      this.at++;
      argument = this.text[this.at] === '"' ? this.readQuoted() : this.readBare();
      if (argument === null) return null;
    }
    if (!isTemplateFilter(name)) this.refuse("unknown_filter", from, end);
    else {
      const { accepts } = filterOf(name);
      if (!accepts && argument !== null) this.refuse("argument_unexpected", from, this.at);
      if (accepts && !argument) this.refuse("argument_missing", from, end);
      if (accepts && argument && !accepts(argument)) this.refuse("argument_invalid", from, this.at);
    }
    return { name, argument: argument ?? "", from };
  }

  /** An argument up to the next filter, the end of the placeholder or the end of the line. */
  private readBare(): string {
    const from = this.at;
    while (!/[|\n\r]/.test(this.text[this.at] ?? "\n") && !this.text.startsWith("}}", this.at)) this.at++;
    return this.text.slice(from, this.at).trim();
  }

  /** An argument in quotation marks; a backslash makes the next character literal. */
  private readQuoted(): string | null {
    let text = "";
    for (this.at++; this.text[this.at] !== '"'; this.at++) {
      if (this.text[this.at] === "\\") this.at++;
      const character = this.text[this.at];
      if (character === undefined || character === "\n" || character === "\r")
        return this.refuse("unclosed", this.start, Math.min(this.at, this.text.length));
      text += character;
    }
    this.at++;
    return text;
  }
}

const isTime = (variable: string): boolean => !isTemplateVariable(variable) || TEMPLATE_VARIABLES[variable] === "time";

/** The placeholders of a template, and what is wrong with them. */
export const scanTemplate = (text: string): Pick<Scanner, "placeholders" | "problems"> => {
  const scanner = new Scanner(text);
  scanner.scan();
  return scanner;
};
