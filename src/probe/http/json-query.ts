/**
 * Evaluates JSONPath queries of RFC 9535 within a number of steps, because bodies come from strangers and the hub does
 * nothing else until it has read them. @see https://www.rfc-editor.org/rfc/rfc9535
 */
import type { JsonPathQuery } from "jsonpath-rfc9535/parser";

/** The work that is left: each visited value costs a step, and long texts cost more. `spend` throws when none is left. */
export type Steps = { spend: (steps: number) => void };

/** Reading a document takes more steps than are left. */
export class TooManySteps extends Error {}

/** Creates a number of steps for all queries of one check. */
export const createSteps = (limit: number): Steps => {
  let left = limit;
  return {
    spend: (steps) => {
      left -= steps;
      if (left < 0) throw new TooManySteps();
    },
  };
};

/** Steps for comparing or measuring a text. */
const CHARACTERS_PER_STEP = 16;
/** Steps for work that reads the whole value. */
export const weightOf = (value: unknown): number =>
  typeof value === "string" ? 1 + value.length / CHARACTERS_PER_STEP : 1;

type Segment = JsonPathQuery["segments"][number];
type Selector = Extract<Segment["node"], { type: "BracketedSelection" }>["selectors"][number];
type Simple = { type: "MemberNameShorthand"; value: string };
/** Segments of a singular query in a comparison have a type of their own, and select like child segments. */
type AnySegment = Segment | { type: "SingularQuerySegment"; node: Simple | Selector };
type Filter = Extract<Selector, { type: "FilterSelector" }>["value"];
type Comparison = Extract<Filter, { type: "ComparisonExpr" }>;
type Comparable = Comparison["left"];
type Call = Extract<Comparable, { type: "FunctionExpr" }>;
type Query = { type: string; segments: readonly AnySegment[] };

/** The value of a query without results in a comparison. */
const NOTHING = Symbol("nothing");

/** The document that `$` stands for, and the work that is left. */
type Context = { root: unknown; steps: Steps };

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Elements or members; each costs a step. */
const childrenOf = (value: unknown, { steps }: Context): readonly unknown[] => {
  if (!isContainer(value)) return [];
  const children: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  steps.spend(children.length);
  return children;
};

const sliceOf = (
  array: readonly unknown[],
  { start, end, step }: Extract<Selector, { type: "SliceSelector" }>,
): unknown[] => {
  const { length } = array;
  const by = step ?? 1;
  const within = (index: number, lowest: number, highest: number) =>
    Math.min(Math.max(index < 0 ? length + index : index, lowest), highest);
  const slice: unknown[] = [];
  if (by > 0) {
    const last = end === null ? length : within(end, 0, length);
    for (let index = start === null ? 0 : within(start, 0, length); index < last; index += by) slice.push(array[index]);
  } else if (by < 0) {
    const last = end === null ? -1 : within(end, -1, length - 1);
    const first = start === null ? length - 1 : within(start, -1, length - 1);
    for (let index = first; index > last; index += by) slice.push(array[index]);
  }
  return slice;
};

const select = (value: unknown, selector: Simple | Selector, context: Context): readonly unknown[] => {
  context.steps.spend(1);
  switch (selector.type) {
    case "MemberNameShorthand":
    case "NameSelector": {
      const isMember = isContainer(value) && !Array.isArray(value) && Object.hasOwn(value, selector.value);
      return isMember ? [value[selector.value as keyof typeof value]] : [];
    }
    case "WildcardSelector":
      return childrenOf(value, context);
    case "IndexSelector": {
      if (!Array.isArray(value)) return [];
      const index = selector.value < 0 ? value.length + selector.value : selector.value;
      return index >= 0 && index < value.length ? [value[index]] : [];
    }
    case "SliceSelector":
      return Array.isArray(value) ? sliceOf(childrenOf(value, context), selector) : [];
    case "FilterSelector":
      return childrenOf(value, context).filter((child) => holds(selector.value, child, context));
  }
};

/** A value and everything in it, each before what is in it, without recursion because documents may be deep. */
function* descendants(value: unknown, context: Context): Generator<unknown> {
  const stack = [value];
  while (stack.length > 0) {
    const next = stack.pop();
    yield next;
    const children = childrenOf(next, context);
    for (let index = children.length - 1; index >= 0; index--) stack.push(children[index]);
  }
}

const evaluate = ({ segments }: Pick<Query, "segments">, start: unknown, context: Context): unknown[] => {
  let values = [start];
  for (const { type, node } of segments) {
    if (values.length === 0) break;
    const selectors = node.type === "BracketedSelection" ? node.selectors : [node];
    const selected: unknown[] = [];
    const selectFrom = (value: unknown) => {
      for (const selector of selectors) for (const one of select(value, selector, context)) selected.push(one);
    };
    for (const value of values)
      if (type === "DescendantSegment") for (const inner of descendants(value, context)) selectFrom(inner);
      else selectFrom(value);
    values = selected;
  }
  return values;
};

/** The values of a query within a filter: relative to the filtered value, or to the document. */
const findInFilter = (query: Query, value: unknown, context: Context): unknown[] =>
  evaluate(query, query.type.startsWith("Rel") ? value : context.root, context);

const onlyOf = (values: readonly unknown[]): unknown => (values.length === 1 ? values[0] : NOTHING);

/** The number of Unicode characters of a text, elements of an array or members of an object. */
const lengthOf = (value: unknown, context: Context): unknown => {
  if (typeof value !== "string") return isContainer(value) ? childrenOf(value, context).length : NOTHING;
  context.steps.spend(weightOf(value));
  let length = 0;
  for (let index = 0; index < value.length; index++) if ((value.charCodeAt(index) & 0xfc00) !== 0xdc00) length++;
  return length;
};

const call = ({ name, arguments: [argument] }: Call, value: unknown, context: Context): unknown => {
  if (argument?.type === "FilterQuery") {
    const matches = findInFilter(argument.value, value, context);
    if (name === "count") return matches.length;
    return name === "length" ? lengthOf(onlyOf(matches), context) : onlyOf(matches);
  }
  if (name !== "length") return NOTHING;
  if (argument?.type === "Literal") return lengthOf(argument.value, context);
  return argument?.type === "FunctionExpr" ? lengthOf(call(argument, value, context), context) : NOTHING;
};

const resolve = (comparable: Comparable, value: unknown, context: Context): unknown => {
  if (comparable.type === "Literal") return comparable.value;
  if (comparable.type === "FunctionExpr") return call(comparable, value, context);
  return onlyOf(findInFilter(comparable, value, context));
};

/** Whether two values are equal in all that is in them. */
const equals = (left: unknown, right: unknown, context: Context): boolean => {
  const pairs: [unknown, unknown][] = [[left, right]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [one, other] = pair;
    context.steps.spend(weightOf(one));
    if (!isContainer(one) || !isContainer(other)) {
      if (one !== other) return false;
      continue;
    }
    const keys = Object.keys(one);
    const otherKeys = Object.keys(other);
    context.steps.spend(keys.length + otherKeys.length);
    if (Array.isArray(one) !== Array.isArray(other) || keys.length !== otherKeys.length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(other, key)) return false;
      pairs.push([one[key as keyof typeof one], other[key as keyof typeof other]]);
    }
  }
  return true;
};

/** Only two numbers or two texts have an order. */
const isLess = (left: unknown, right: unknown): boolean =>
  (typeof left === "number" && typeof right === "number") || (typeof left === "string" && typeof right === "string")
    ? left < right
    : false;

const compare = ({ op, left, right }: Comparison, value: unknown, context: Context): boolean => {
  const one = resolve(left, value, context);
  const other = resolve(right, value, context);
  if (op === "==" || op === "!=") return equals(one, other, context) === (op === "==");
  context.steps.spend(weightOf(one));
  const isStrict = op.startsWith("<") ? isLess(one, other) : isLess(other, one);
  return isStrict || (op.endsWith("=") && equals(one, other, context));
};

const holds = (filter: Filter, value: unknown, context: Context): boolean => {
  context.steps.spend(1);
  switch (filter.type) {
    case "LogicalOrExpr":
      return holds(filter.left, value, context) || holds(filter.right, value, context);
    case "LogicalAndExpr":
      return holds(filter.left, value, context) && holds(filter.right, value, context);
    case "LogicalNotExpr":
      return !holds(filter.expression, value, context);
    case "ComparisonExpr":
      return compare(filter, value, context);
    case "TestExpr": {
      const { expression } = filter;
      return expression.type === "FilterQuery" && findInFilter(expression.value, value, context).length > 0;
    }
  }
};

/** The values that a query finds in a document. @throws {TooManySteps} */
export const runQuery = (query: JsonPathQuery, root: unknown, steps: Steps): unknown[] =>
  evaluate(query, root, { root, steps });

const isSingular = ({ segments }: Query): boolean =>
  segments.every(({ type, node }) => {
    const [selector, ...more] = node.type === "BracketedSelection" ? node.selectors : [node];
    if (type === "DescendantSegment" || more.length > 0 || !selector) return false;
    return ["MemberNameShorthand", "NameSelector", "IndexSelector"].includes(selector.type);
  });

const isKnownCall = ({ name, arguments: given }: Call): boolean => {
  const [argument] = given;
  if (!argument || given.length !== 1 || !["length", "count", "value"].includes(name)) return false;
  if (argument.type === "FilterQuery")
    return isKnownQuery(argument.value) && (name !== "length" || isSingular(argument.value));
  return (
    name === "length" && (argument.type === "Literal" || (argument.type === "FunctionExpr" && isKnownCall(argument)))
  );
};

const isKnownFilter = (filter: Filter): boolean => {
  if (filter.type === "LogicalNotExpr") return isKnownFilter(filter.expression);
  if (filter.type === "TestExpr")
    return filter.expression.type === "FilterQuery" && isKnownQuery(filter.expression.value);
  if (filter.type === "ComparisonExpr")
    return [filter.left, filter.right].every((side) => side.type !== "FunctionExpr" || isKnownCall(side));
  return isKnownFilter(filter.left) && isKnownFilter(filter.right);
};

/**
 * Whether a query has known functions only: `match()` and `search()` are not, because their regular expressions take time
 * without bounds.
 */
export const isKnownQuery = ({ segments }: Pick<Query, "segments">): boolean =>
  segments.every(({ node }) => {
    const selectors = node.type === "BracketedSelection" ? node.selectors : [node];
    return selectors.every((selector) => selector.type !== "FilterSelector" || isKnownFilter(selector.value));
  });
