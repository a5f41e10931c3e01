import { t } from "elysia";
import type { FieldError } from "../../../core/errors";
import { probe } from "../../../probe/http/probe";
import * as answers from "../../../server/answers";
import { field, oneOf } from "../../../server/schema";
import type { Assertion } from "../../../shared/assertions";
import { DEFAULT_CERTIFICATE_DAYS, sortedDays } from "../../../shared/certificate";
import { LIMITS } from "../../../shared/limits";
import { IP_FAMILIES, type IpFamily, METHODS, type Method, parseStatuses, statusesText } from "../../../shared/monitor";
import { hostOfAddress } from "./address";
import { assertionProblems, assertionsAnswer, assertionsField, HEADER_NAME, readAssertions } from "./assertions";
import { daysAnswer, daysField } from "./certificate";
import { type Config, defineKind, MASK, maskUrl, maskValues } from "./kind";

/** The fields of an HTTP monitor, under their names in the API. */
export type HttpFields = {
  url: string;
  method: Method;
  /** 100–599, or 1–5 for a whole class. */
  expected_status: number;
  /** Codes and ranges such as `200-299,401`, which win over `expected_status`; empty for none. */
  expected_statuses: string;
  headers: Record<string, string>;
  body: string;
  accept_self_signed: boolean;
  ip_family: IpFamily;
  assertions: Assertion[];
  /** Thresholds in days before the certificate expires, the longest first. */
  certificate_days: number[];
};

const DEFAULTS = {
  method: "GET",
  expected_status: 200,
  expected_statuses: "",
  headers: {},
  body: "",
  accept_self_signed: false,
  ip_family: "any",
  assertions: [],
  certificate_days: [...DEFAULT_CERTIFICATE_DAYS],
} satisfies Partial<HttpFields>;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not get into a header.
const HEADER_VALUE = /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/;
/** Headers that the check sets itself. */
const OWN_HEADERS = ["connection", "content-length", "transfer-encoding", "upgrade", "keep-alive", "te", "trailer"];

const expectedStatus = t.Union([t.Integer({ minimum: 1, maximum: 5 }), t.Integer({ minimum: 100, maximum: 599 })], {
  error: "expected 1 to 5 for a whole class, or 100 to 599",
});

const STATUSES_LENGTH = 100;
const EXPECTED_STATUSES = `expected codes and ranges from 100 to 599, such as 200-299,401, in at most ${STATUSES_LENGTH} characters`;

const config = answers.object({
  url: answers.text("The address that is requested.", "https://api.example.com/health"),
  method: answers.oneOf("The request's method.", METHODS),
  expected_status: answers.integer("The status code that counts as up; 1 to 5 mean a whole class.", 200),
  expected_statuses: answers.text(
    "Status codes and ranges that count as up, instead of `expected_status`; empty for none.",
    "",
  ),
  headers: answers.record(
    answers.text("A header's value.", "Bearer …"),
    "Headers of the request, by name.",
    "Authorization",
  ),
  body: answers.text("The request's body, sent with POST, PUT and PATCH.", ""),
  accept_self_signed: answers.boolean("Whether a certificate of any issuer and for any name is accepted.", false),
  ip_family: answers.oneOf("The IP version that is used.", IP_FAMILIES),
  assertions: assertionsAnswer,
  certificate_days: daysAnswer,
});

const sent = t.Object({
  url: field(
    t.String({
      maxLength: LIMITS.url,
      pattern: "^\\s*[hH][tT][tT][pP][sS]?://[^\\s/?#]",
      error: `expected an http:// or https:// address of at most ${LIMITS.url} characters`,
    }),
    "An http:// or https:// address of at most 2,048 characters.",
    "https://api.example.com/health",
  ),
  method: t.Optional(field(oneOf(METHODS), `One of ${METHODS.join(", ")}; GET by default.`, "GET")),
  expectedStatus: t.Optional(
    field(
      expectedStatus,
      "The status code that counts as up: 100 to 599, or 1 to 5 for a whole class; 200 by default.",
      200,
    ),
  ),
  expected_status: t.Optional(field(expectedStatus, "The same as expectedStatus.")),
  expected_statuses: t.Optional(
    field(
      t.String({ maxLength: STATUSES_LENGTH, error: EXPECTED_STATUSES }),
      `Several status codes, ranges or classes that count as up, instead of expectedStatus; at most ${STATUSES_LENGTH} characters, empty for none. No redirect is followed if one of them is 3xx.`,
      "200-299,401",
    ),
  ),
  // Validated by parseHeaders alone, because the cleaning by a schema would turn any other value into an object.
  headers: t.Optional(
    field(
      t.Any({ accepts: t.Union([t.Record(t.String(), t.String()), t.String(), t.Null()]) }),
      "An object of names and values, or its JSON text; at most 50 headers of 16 KiB in total.",
      { Accept: "application/json" },
    ),
  ),
  body: t.Optional(
    field(
      t.Union([t.String({ maxLength: LIMITS.body }), t.Null()], {
        error: `expected a text of at most ${LIMITS.body} bytes`,
      }),
      "The request's body, at most 64 KiB; sent only with POST, PUT and PATCH.",
    ),
  ),
  accept_self_signed: t.Optional(
    field(
      t.Boolean({ error: "expected true or false" }),
      "True to accept a certificate of any issuer and for any name, as long as it has not expired; false by default.",
    ),
  ),
  ip_family: t.Optional(
    field(oneOf(IP_FAMILIES), "4 or 6 to use only addresses of that IP version; any by default.", "any"),
  ),
  assertions: assertionsField,
  certificate_days: t.Optional(daysField),
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

const problems = ({ url, method, headers, body, expected_statuses, assertions }: Config): FieldError[] => {
  const errors: FieldError[] = [];
  const refuse = (path: string) => (message: string) => {
    if (!errors.some((error) => error.path === path)) errors.push({ path, message: `${path}: ${message}` });
  };
  parseHeaders(headers, refuse("headers"));
  if (typeof url === "string" && !URL.canParse(url.trim())) refuse("url")("expected an http:// or https:// address");
  if (typeof expected_statuses === "string" && readStatuses(expected_statuses) === null)
    refuse("expected_statuses")(EXPECTED_STATUSES);
  if (typeof body === "string" && Buffer.byteLength(body) > LIMITS.body)
    refuse("body")(`expected a text of at most ${LIMITS.body} bytes`);
  return [...errors, ...assertionProblems(assertions, method)];
};

const parse = (valid: Config): Partial<HttpFields> => {
  const {
    url,
    method,
    expectedStatus,
    expected_status,
    expected_statuses,
    headers,
    body,
    assertions,
    certificate_days,
    ...rest
  } = valid as Partial<HttpFields> & {
    expectedStatus?: number;
  };
  const status = expectedStatus ?? expected_status;
  // A client that sends only a single status means that one.
  const statuses = expected_statuses ?? (status === undefined ? undefined : "");
  return {
    ...rest,
    url: url?.trim(),
    method,
    expected_status: status,
    expected_statuses: statuses === undefined ? undefined : (readStatuses(statuses) ?? ""),
    headers: parseHeaders(headers, () => {}),
    body: body === null ? "" : body,
    assertions: assertions && readAssertions(assertions),
    certificate_days: certificate_days && sortedDays(certificate_days),
  };
};

/** Checks that an HTTP endpoint answers with the expected status. */
export const http = defineKind<HttpFields>({
  kind: "http",
  flat: true,
  config,
  sent,
  defaults: DEFAULTS,
  problems,
  parse,
  large: ["headers", "body", "assertions"],
  secrets: {
    headers: { hiddenFrom: "others", mask: maskValues },
    url: { hiddenFrom: "readers", mask: maskUrl },
    body: { hiddenFrom: "readers", mask: (body) => body && MASK },
  },
  destination: ({ url }) => URL.parse(url)?.origin,
  target: ({ url }) => url,
  host: ({ url }) => hostOfAddress(url),
  certificateDays: ({ certificate_days }) => certificate_days ?? DEFAULT_CERTIFICATE_DAYS,
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
