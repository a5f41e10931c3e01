import { t } from "elysia";
import type { FieldError } from "../../../core/errors";
import { probe } from "../../../probe/http/probe";
import * as answers from "../../../server/answers";
import { field } from "../../../server/schema";
import { LIMITS } from "../../../shared/limits";
import { parseStatuses, statusesText } from "../../../shared/monitor";
import type { Config, ConfigOf } from "../../../shared/monitor-kinds/field";
import { http as fields, STATUSES_EXPECTED } from "../../../shared/monitor-kinds/http";
import { assertionProblems, assertionsAnswer, assertionsField, HEADER_NAME, readAssertions } from "./assertions";
import { defineKind } from "./kind";

/** The fields of an HTTP monitor, under their names in the API. */
export type HttpFields = ConfigOf<(typeof fields)["fields"]>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not get into a header.
const HEADER_VALUE = /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/;
/** Headers that the check sets itself. */
const OWN_HEADERS = ["connection", "content-length", "transfer-encoding", "upgrade", "keep-alive", "te", "trailer"];

const expectedStatus = t.Union([t.Integer({ minimum: 1, maximum: 5 }), t.Integer({ minimum: 100, maximum: 599 })], {
  error: "expected 1 to 5 for a whole class, or 100 to 599",
});

const sentStatus = {
  expectedStatus: t.Optional(
    field(
      expectedStatus,
      "The status code that counts as up: 100 to 599, or 1 to 5 for a whole class; 200 by default.",
      200,
    ),
  ),
  expected_status: t.Optional(field(expectedStatus, "The same as expectedStatus.")),
};

// Validated by parseHeaders alone, because the cleaning by a schema would turn any other value into an object.
const sentHeaders = t.Any({ accepts: t.Union([t.Record(t.String(), t.String()), t.String(), t.Null()]) });
const sentBody = t.Union([t.String({ maxLength: LIMITS.body }), t.Null()], {
  error: `expected a text of at most ${LIMITS.body} bytes`,
});

const parseHeaders = (sent: unknown, refuse: (message: string) => void): Record<string, string> | undefined => {
  if (sent === undefined) return undefined;
  const headers: Record<string, string> = {};
  let object: unknown = sent ?? {};
  if (typeof sent === "string") {
    try {
      object = sent.trim() === "" ? {} : JSON.parse(sent);
    } catch {
      object = null;
    }
  }
  if (typeof object !== "object" || object === null || Array.isArray(object)) {
    refuse("expected an object of names and texts");
    return headers;
  }
  for (const [sentName, value] of Object.entries(object)) {
    const name = sentName.trim();
    if (name === "") continue;
    if (!HEADER_NAME.test(name)) refuse(`${JSON.stringify(name)} is not a header's name`);
    else if (OWN_HEADERS.includes(name.toLowerCase())) refuse(`${name} is set by the check itself`);
    else if (typeof value !== "string" || value.length > LIMITS.headerValue || !HEADER_VALUE.test(value)) {
      refuse(`${name} needs one line of at most ${LIMITS.headerValue} characters`);
    } else headers[name] = value;
  }
  const bytes = Object.entries(headers).reduce((sum, entry) => sum + Buffer.byteLength(entry.join("")), 0);
  if (bytes > LIMITS.headersBytes) refuse(`at most ${LIMITS.headersBytes} bytes in all headers together`);
  if (Object.keys(headers).length > LIMITS.headers) refuse(`at most ${LIMITS.headers} headers`);
  return headers;
};

/** Normalizes codes and ranges; null for any other text. */
const readStatuses = (text: string): string | null => {
  const ranges = text.trim() === "" ? [] : parseStatuses(text);
  return ranges && statusesText(ranges);
};

const problems = ({ method, headers, body, expected_statuses, assertions }: Config): FieldError[] => {
  const errors: FieldError[] = [];
  const refuse = (path: string) => (message: string) => {
    if (!errors.some((error) => error.path === path)) errors.push({ path, message: `${path}: ${message}` });
  };
  parseHeaders(headers, refuse("headers"));
  if (typeof expected_statuses === "string" && readStatuses(expected_statuses) === null)
    refuse("expected_statuses")(`expected ${STATUSES_EXPECTED}`);
  if (typeof body === "string" && Buffer.byteLength(body) > LIMITS.body)
    refuse("body")(`expected a text of at most ${LIMITS.body} bytes`);
  return [...errors, ...assertionProblems(assertions, method)];
};

const parse = (read: Config): Config => {
  const { expectedStatus, expected_status, expected_statuses, ...rest } = read as Partial<HttpFields> & {
    expectedStatus?: number;
  };
  const { headers, body, assertions } = rest;
  const status = expectedStatus ?? expected_status;
  // A client that sends only a single status means that one.
  const statuses = expected_statuses ?? (status === undefined ? undefined : "");
  return {
    ...rest,
    expected_status: status,
    expected_statuses: statuses === undefined ? undefined : (readStatuses(statuses) ?? ""),
    headers: parseHeaders(headers, () => {}),
    body: body === null ? "" : body,
    assertions: assertions && readAssertions(assertions),
  };
};

/** Checks that an HTTP endpoint answers with the expected status. */
export const http = defineKind(fields, {
  schemas: {
    expected_status: {
      beside: sentStatus,
      answered: answers.integer("The status code that counts as up; 1 to 5 mean a whole class.", 200),
    },
    headers: {
      sent: sentHeaders,
      answered: answers.record(
        answers.text("A header's value.", "Bearer …"),
        "Headers of the request, by name.",
        "Authorization",
      ),
    },
    body: { sent: sentBody, answered: answers.text("The request's body, sent with POST, PUT and PATCH.", "") },
    assertions: { beside: { assertions: assertionsField }, answered: assertionsAnswer },
  },
  problems,
  parse,
  probe: ({ url, method, headers, body, ...fields }, { outbound, ...context }) => {
    const options = {
      expectedStatus: fields.expected_status,
      expectedStatuses: fields.expected_statuses,
      acceptSelfSigned: fields.accept_self_signed,
      ipFamily: fields.ip_family,
      assertions: fields.assertions,
    };
    return probe({ ...context, ...options, url, method, headers, body }, outbound);
  },
});
