/**
 * Paths to values in JSON: our own, such as `data.items[0].status`, or RFC 9535 for those that start with `$`. Both end
 * after a time that grows with the size of the document only.
 */
import { query } from "jsonpath-rfc9535";
import parseQuery, { type JsonPathQuery } from "jsonpath-rfc9535/parser";

/** Values at a path: none when it leads nowhere, null when the document is too large for RFC 9535. */
type PathReader = (document: unknown) => unknown[] | null;

/** A member's name, an index of an array, or the name in brackets and quotes, each with what comes before it. */
const STEP = /(?:^|\.)([^.[\]'"\s]+)|\[(-?\d{1,9})\]|\[("(?:[^"\\]|\\["\\])*"|'(?:[^'\\]|\\['\\])*')\]/y;

/** A member's name, or an index. */
type Step = string | number;

const stepsOf = (path: string): Step[] | null => {
  const steps: Step[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < path.length) {
    const [, name, index, quoted] = STEP.exec(path) ?? [];
    if (name !== undefined) steps.push(name);
    else if (index !== undefined) steps.push(Number(index));
    else if (quoted !== undefined) steps.push(quoted.slice(1, -1).replace(/\\(.)/g, "$1"));
    else return null;
  }
  return steps.length > 0 ? steps : null;
};

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The value of a step in a list of none or one. `length` is that of an array or text without such a member. */
const take = (value: unknown, step: Step): unknown[] => {
  if (typeof step === "number" && Array.isArray(value)) {
    const index = step < 0 ? value.length + step : step;
    return index >= 0 && index < value.length ? [value[index]] : [];
  }
  if (step === "length" && (Array.isArray(value) || typeof value === "string")) return [value.length];
  const isMember = typeof step === "string" && isRecord(value) && !Array.isArray(value) && Object.hasOwn(value, step);
  return isMember ? [value[step]] : [];
};

type Segment = JsonPathQuery["segments"][number];

/** The place of a query: filters may hold only simple queries, so that a filter costs little for each value. */
type Place = "path" | "filter";

/**
 * Whether a query needs a time that grows with the document only: `match()` and `search()` run regular expressions, and
 * more than one `..`, several selectors in brackets, and queries within filters multiply the values that are visited.
 */
const isBounded = (segments: readonly Segment[], place: Place): boolean =>
  segments.filter(({ type }) => type === "DescendantSegment").length <= (place === "path" ? 1 : 0) &&
  segments.every(({ node }) => {
    if (node.type !== "BracketedSelection") return place === "path" || node.type !== "WildcardSelector";
    const [selector] = node.selectors;
    if (node.selectors.length !== 1 || !selector) return false;
    if (selector.type === "FilterSelector") return place === "path" && isBoundedFilter(selector.value);
    return place === "path" || selector.type === "NameSelector" || selector.type === "IndexSelector";
  });

/** Any part of a filter. The parser's types do not name all of them in one. */
type Part = {
  type: string;
  name?: string;
  value?: unknown;
  left?: Part;
  right?: Part;
  expression?: Part;
  arguments?: Part[];
  segments?: unknown[];
};

/** Whether a part of a filter starts at the root of the document, or has such a part in it. */
const isAbsolute = ({ type, value, arguments: given = [] }: Part): boolean =>
  (type === "FilterQuery" && (value as Part).type === "JsonPathQuery") || given.some(isAbsolute);

const isBoundedFilter = (part: Part): boolean => {
  const { left, right, expression, arguments: given = [] } = part;
  if (part.type === "FilterQuery") return isBounded((part.value as { segments: Segment[] }).segments, "filter");
  // A function would measure the same large value again for each value that is visited.
  if (part.type === "FunctionExpr" && (part.name === "match" || part.name === "search" || isAbsolute(part)))
    return false;
  // Two values of the document may be large, and are compared as a whole.
  if (part.type === "ComparisonExpr" && left?.type !== "Literal" && right?.type !== "Literal") return false;
  return [left, right, expression, ...given].every((inner) => inner === undefined || isBoundedFilter(inner));
};

/** Levels of a document that RFC 9535 is applied to: the library visits them by recursion. */
const MAX_DEPTH = 500;
/** Values of such a document: the library takes a microsecond for each, in which the hub does nothing else. */
export const MAX_VALUES = 50_000;

/** Whether a document has more levels or values than that. */
const isTooLarge = (document: unknown): boolean => {
  let level: unknown[] = [document];
  for (let depth = 0, count = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    const next: unknown[] = [];
    for (const value of level) {
      if (!isRecord(value)) continue;
      const inner = Array.isArray(value) ? value : Object.values(value);
      count += inner.length;
      if (count > MAX_VALUES) return true;
      for (const one of inner) if (isRecord(one)) next.push(one);
    }
    level = next;
  }
  return false;
};

/** What is wrong with a path, or null. */
export const pathProblem = (path: string): string | null => {
  if (!path.startsWith("$"))
    return stepsOf(path) ? null : 'expected a path such as data.items[0].status or data["first name"]';
  try {
    return isBounded(parseQuery(path).segments, "path")
      ? null
      : "expected at most one .., one selector in each pair of brackets, and filters that compare with a constant, without match(), search() and functions of $";
  } catch {
    return "expected a JSONPath of RFC 9535, such as $.items[?@.id == 7].status";
  }
};

/** Creates the reader of a valid path. */
export const createPathReader = (path: string): PathReader => {
  if (path.startsWith("$"))
    return (document) => (isTooLarge(document) ? null : query(document as Parameters<typeof query>[0], path));
  const steps = stepsOf(path) ?? [];
  return (document) =>
    steps.reduce<unknown[]>((found, step) => (found.length === 1 ? take(found[0], step) : []), [document]);
};
