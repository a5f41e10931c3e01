import { dateTimeFormat } from "../language";

/** Characters of a message's title and body and of a webhook's body, and how many parts they may have. */
export const TEMPLATE_LIMITS = {
  title: 500,
  body: 8000,
  webhookBody: 16_000,
  placeholders: 200,
  filters: 5,
  perUser: 100,
};

/** The maximum argument of `limit`, and the longest pattern of a time. */
const [MAX_CUT, MAX_PATTERN] = [1000, 40];

/** Every variable, in the order of the page. Only a time can have a pattern. */
export const TEMPLATE_VARIABLES = {
  name: "text",
  status: "text",
  error: "text",
  cause: "text",
  address: "text",
  time: "time",
  since: "time",
  duration: "number",
  last_report: "time",
  restarted_at: "time",
  clock_offset: "number",
  figure: "number",
  threshold: "number",
  mount: "text",
  subject: "text",
  state: "text",
  processes: "text",
  exhausted_at: "time",
  ends_on: "text",
  title: "text",
  message: "text",
  link: "text",
  acknowledge_link: "text",
  event: "text",
  severity: "text",
  type: "text",
  id: "number",
  error_code: "text",
  key: "text",
} as const satisfies Record<string, "text" | "number" | "time">;
export type TemplateVariable = keyof typeof TEMPLATE_VARIABLES;
export const TEMPLATE_VARIABLE_NAMES = Object.keys(TEMPLATE_VARIABLES) as TemplateVariable[];

/**
 * What a variable stands for: a text in the reader's language, with the number or the time that it is made of. A variable
 * that has nothing to stand for is absent.
 */
export type TemplateValue = { text: string; number?: number /** Epoch milliseconds. */; at?: number };
export type TemplateValues = Partial<Record<TemplateVariable, TemplateValue>>;

const DATE_TOKENS = /YYYY|MM|DD|HH|mm|ss/g;
const DATE_PATTERN = /^(?:YYYY|MM|DD|HH|mm|ss|[-/.:, T年月日时分秒])+$/;

const isPattern = (text: string): boolean =>
  text === "iso" || text === "unix" || (text.length <= MAX_PATTERN && DATE_PATTERN.test(text));

/** A time by a pattern: `iso`, `unix`, or YYYY, MM, DD, HH, mm and ss with separators, in a time zone. */
const formatTime = (at: number, pattern: string, timeZone: string): string => {
  if (pattern === "iso") return new Date(at).toISOString();
  if (pattern === "unix") return String(Math.floor(at / 1000));
  const format = dateTimeFormat("en-US", {
    ...{ timeZone, year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric", second: "numeric" },
  });
  const parts = new Map<string, string>(format.formatToParts(at).map(({ type, value }) => [type, value]));
  const part = (name: string, width = 2) => (parts.get(name) ?? "").padStart(width, "0");
  const tokens: Record<string, string> = {
    ...{ YYYY: part("year", 4), MM: part("month"), DD: part("day") },
    ...{ HH: part("hour"), mm: part("minute"), ss: part("second") },
  };
  return pattern.replace(DATE_TOKENS, (token) => tokens[token] ?? token);
};

/** Cuts between characters. */
export const cutText = (text: string, longest: number): string => {
  const characters = [...text];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : text;
};

type Filter = {
  /** Whether an argument is valid; absent where the filter takes none. */
  accepts?: (argument: string) => boolean;
  /** An empty text is no value. */
  apply: (value: TemplateValue, argument: string, timeZone: string) => TemplateValue;
};

/** Every filter, in the order of the page. */
const FILTERS = {
  default: {
    accepts: (text) => text !== "",
    apply: (value, text) => (value.text === "" ? { text } : value),
  },
  time: {
    accepts: isPattern,
    apply: ({ at }, pattern, timeZone) => ({ text: at === undefined ? "" : formatTime(at, pattern, timeZone) }),
  },
  limit: {
    accepts: (figure) => /^[1-9]\d{0,3}$/.test(figure) && Number(figure) <= MAX_CUT,
    apply: ({ text }, figure) => ({ text: cutText(text, Number(figure)) }),
  },
  upper: { apply: ({ text }) => ({ text: text.toUpperCase() }) },
  lower: { apply: ({ text }) => ({ text: text.toLowerCase() }) },
  url: { apply: ({ text }) => ({ text: encodeURIComponent(text.toWellFormed()) }) },
  json: {
    apply: ({ text, number, at }) => {
      if (text === "") return { text: "null" };
      return { text: JSON.stringify(at === undefined ? (number ?? text) : new Date(at).toISOString()) };
    },
  },
  json_text: { apply: ({ text }) => ({ text: JSON.stringify(text).slice(1, -1) }) },
} as const satisfies Record<string, Filter>;
export type TemplateFilter = keyof typeof FILTERS;
export const TEMPLATE_FILTER_NAMES = Object.keys(FILTERS) as TemplateFilter[];

export const isTemplateVariable = (name: string): name is TemplateVariable => Object.hasOwn(TEMPLATE_VARIABLES, name);
export const isTemplateFilter = (name: string): name is TemplateFilter => Object.hasOwn(FILTERS, name);
export const filterOf = (name: TemplateFilter): Filter => FILTERS[name];
