/** Paths to values in JSON: our own, such as `data.items[0].status`, or RFC 9535 for those that start with `$`. */
import parseQuery from "jsonpath-rfc9535/parser";
import { isKnownQuery, runQuery, type Steps } from "./json-query";

/** Returns the values at a path, none when it leads nowhere. Throws TooManySteps. */
type PathReader = (document: unknown, steps: Steps) => unknown[];

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

/** The value of a step, as a list of at most one. `length` is the length of an array or text, unless a member has that name. */
const take = (value: unknown, step: Step): unknown[] => {
  if (typeof step === "number" && Array.isArray(value)) {
    const index = step < 0 ? value.length + step : step;
    return index >= 0 && index < value.length ? [value[index]] : [];
  }
  if (step === "length" && (Array.isArray(value) || typeof value === "string")) return [value.length];
  const isMember = typeof step === "string" && isRecord(value) && !Array.isArray(value) && Object.hasOwn(value, step);
  return isMember ? [value[step]] : [];
};

/** The error of a path, or null. */
export const pathProblem = (path: string): string | null => {
  if (!path.startsWith("$"))
    return stepsOf(path) ? null : 'expected a path such as data.items[0].status or data["first name"]';
  try {
    return isKnownQuery(parseQuery(path))
      ? null
      : "expected a JSONPath with length(), count() and value() in comparisons only, and without match() and search()";
  } catch {
    return "expected a JSONPath of RFC 9535, such as $.items[?@.id == 7].status";
  }
};

/** Creates the reader of a valid path. */
export const createPathReader = (path: string): PathReader => {
  if (path.startsWith("$")) {
    const query = parseQuery(path);
    return (document, steps) => runQuery(query, document, steps);
  }
  const steps = stepsOf(path) ?? [];
  return (document) =>
    steps.reduce<unknown[]>((values, step) => (values.length === 1 ? take(values[0], step) : []), [document]);
};
