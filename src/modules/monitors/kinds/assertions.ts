/** The assertions of an HTTP monitor: their schemas, what is wrong with them, and how they are stored. */
import { t } from "elysia";
import type { FieldError } from "../../../core/errors";
import { pathProblem } from "../../../probe/http/json-path";
import * as answers from "../../../server/answers";
import { field, oneOf } from "../../../server/schema";
import {
  ASSERTION_LIMITS,
  type Assertion,
  hasPath,
  isNumeric,
  needsBody,
  numberOf,
  OPERATORS,
  OPERATORS_OF,
  SUBJECTS,
} from "../../../shared/assertions";

const { count, path: maxPath, value: maxValue, time: maxTime } = ASSERTION_LIMITS;

const example = { on: "json", path: "data.status", op: "=", value: "ok", ignore_case: false } as const;

/** Assertions as they are answered. */
export const assertionsAnswer = answers.list(
  answers.object({
    on: answers.oneOf("What is looked at.", SUBJECTS),
    path: answers.text("The path in JSON, or the name of the header; empty for the others.", example.path),
    op: answers.oneOf("How it is compared.", OPERATORS),
    value: answers.text("What it is compared with; for `time` in milliseconds, empty for `exists`.", example.value),
    ignore_case: answers.boolean("Whether upper and lower case are the same for `contains` and `lacks`.", false),
  }),
  "What the response must be like beside its status. All of them must hold, and the first that does not is the error; one on `time` marks slow responses only.",
);

const tooLong = (length: number) => `expected a text of at most ${length} characters`;
const value = t.Union([t.String({ maxLength: maxValue }), t.Number(), t.Boolean()], { error: tooLong(maxValue) });

/** Assertions as they are sent. */
export const assertionsField = t.Optional(
  field(
    t.Array(
      t.Object(
        {
          on: field(oneOf(SUBJECTS), "What is looked at."),
          path: t.Optional(
            field(
              t.String({ maxLength: maxPath, error: tooLong(maxPath) }),
              "The path in JSON, or the name of the header.",
            ),
          ),
          op: field(oneOf(OPERATORS), "How it is compared."),
          value: t.Optional(value),
          ignore_case: t.Optional(
            field(
              t.Boolean({ error: "expected true or false" }),
              "Whether upper and lower case are the same for `contains` and `lacks`.",
            ),
          ),
        },
        { error: "expected an object with on and op" },
      ),
      { maxItems: count, error: `expected a list of at most ${count} assertions` },
    ),
    `At most ${count}, all of which must hold: \`body\` contains or lacks a text; \`json\` at a path such as \`data.items[0].status\`, or of RFC 9535 if it starts with \`$\`, is compared; so is the \`header\` named by \`path\`; \`time\` with \`<\` is the limit in milliseconds above which a response is slow, which does not make the monitor down. At most 1 MiB of the body is read, JSON of more than 128 KiB may have at most 10,000 levels and 50,000 members, and the paths of one check may visit about 50,000 values.`,
    [example],
  ),
);

type Sent = { on: Assertion["on"]; path?: string; op: Assertion["op"]; value?: string | number | boolean };

export const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const valueProblem = ({ on, op, value }: Sent): string | null => {
  const text = String(value ?? "");
  if (op === "exists") return null;
  if (on === "time") {
    const limit = numberOf(text);
    const isValid = limit !== null && Number.isInteger(limit) && limit >= 1 && limit <= maxTime;
    return isValid ? null : `expected 1 to ${maxTime} milliseconds`;
  }
  if (isNumeric(op)) return numberOf(text) === null ? "expected a number" : null;
  return text === "" && ["contains", "lacks"].includes(op) ? "expected a text" : null;
};

const jsonPathProblem = (path: string): string | null => (path === "" ? "expected a path" : pathProblem(path));

const problemOf = (assertion: Sent, method: unknown): [field: string, message: string] | null => {
  const { on, op, path = "" } = assertion;
  if (needsBody(on) && method === "HEAD") return ["on", "a response to HEAD has no body"];
  if (!OPERATORS_OF[on].includes(op)) return ["op", `expected one of ${OPERATORS_OF[on].join(", ")}`];
  const wrongPath =
    on === "json"
      ? jsonPathProblem(path)
      : on === "header" && !HEADER_NAME.test(path)
        ? "expected a header's name"
        : null;
  if (wrongPath) return ["path", wrongPath];
  const wrongValue = valueProblem(assertion);
  return wrongValue ? ["value", wrongValue] : null;
};

const isSent = (entry: unknown): entry is Sent => {
  const { on, op, path = "" } = Object(entry);
  return SUBJECTS.includes(on) && OPERATORS.includes(op) && typeof path === "string" && path.length <= maxPath;
};

/** What is wrong with assertions beyond their schema, with one entry for each bad one. */
export const assertionProblems = (sent: unknown, method: unknown): FieldError[] => {
  if (!Array.isArray(sent)) return [];
  let limits = 0;
  return sent.slice(0, count).flatMap((entry, index) => {
    if (!isSent(entry)) return [];
    if (entry.on === "time") limits++;
    const problem: [string, string] | null =
      entry.on === "time" && limits > 1 ? ["on", "expected one limit of the response time"] : problemOf(entry, method);
    const path = `assertions.${index}.${problem?.[0]}`;
    return problem ? [{ path, message: `${path}: ${problem[1]}` }] : [];
  });
};

/** Completes valid assertions. */
export const readAssertions = (sent: readonly (Sent & { ignore_case?: boolean })[]): Assertion[] =>
  sent.map(({ on, path = "", op, value = "", ignore_case = false }) => ({
    on,
    path: hasPath(on) ? path : "",
    op,
    value: op === "exists" ? "" : on === "time" ? String(numberOf(String(value))) : String(value),
    ignore_case: ignore_case && (op === "contains" || op === "lacks"),
  }));
