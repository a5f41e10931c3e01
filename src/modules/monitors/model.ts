import { type Static, t } from "elysia";
import { type FieldError, validation } from "../../core/errors";
import { field, oneOf, whole } from "../../server/schema";
import { LIMITS, METHODS, type Method } from "../../shared/limits";
import { RECENT_LENGTH } from "../../shared/recent";

/** How many past outcomes a monitor has in a list, and by itself, unless the call asks for others. */
export const LIST_HISTORY = 24;
export const DETAIL_HISTORY = 40;

const expectedStatus = t.Union([t.Integer({ minimum: 1, maximum: 5 }), t.Integer({ minimum: 100, maximum: 599 })], {
  error: "expected 1 to 5 for a whole class, or 100 to 599",
});

/** A monitor as it is sent. Headers may be an object or the JSON text of one. */
export const monitorModel = t.Object(
  {
    name: field(
      t.String({
        maxLength: LIMITS.monitorName,
        pattern: "\\S",
        error: `expected a name of 1 to ${LIMITS.monitorName} characters`,
      }),
      "1 to 200 characters.",
      "Payments API",
    ),
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
    interval: field(
      whole(LIMITS.intervalMin, LIMITS.intervalMax, " seconds"),
      "Seconds between checks: 60 to 86,400.",
      60,
    ),
    timeout: t.Optional(
      field(
        whole(1, LIMITS.timeoutMax, " seconds"),
        "Timeout of a request in seconds: 1 to 300, at most the interval; 30 by default.",
        30,
      ),
    ),
    expectedStatus: t.Optional(
      field(
        expectedStatus,
        "The status code that counts as up: 100 to 599, or 1 to 5 for a whole class; 200 by default.",
        200,
      ),
    ),
    expected_status: t.Optional(field(expectedStatus, "The same as expectedStatus.")),
    headers: t.Optional(
      field(
        // Checked by parseHeaders alone: the schema's cleaning would make an object of whatever else is sent.
        t.Unsafe<Record<string, string> | string | null>(
          t.Any({
            accepts: {
              anyOf: [
                { type: "object", additionalProperties: { type: "string" } },
                { type: "string" },
                { type: "null" },
              ],
            },
          }),
        ),
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
    retries: t.Optional(
      field(
        whole(0, LIMITS.retriesMax),
        "How often a failed request is repeated within a check: 0 to 5; 1 by default.",
      ),
    ),
    active: t.Optional(
      field(t.Boolean({ error: "expected true or false" }), "False to pause the monitor; true by default."),
    ),
  },
  { further: (sent: unknown) => problemsOf(Object(sent)) },
);

export type MonitorBody = Static<typeof monitorModel>;

/** What a monitor checks, complete and checked. */
export type MonitorInput = {
  name: string;
  url: string;
  method: Method;
  interval: number;
  timeout: number;
  expectedStatus: number;
  headers: Record<string, string>;
  body: string;
  retries: number;
  active: boolean;
};

const DEFAULTS = {
  method: "GET",
  timeout: 30,
  expectedStatus: 200,
  headers: {},
  body: "",
  retries: 1,
  active: true,
} as const;

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not get into a header.
const HEADER_VALUE = /^[^\u0000-\u0008\u000a-\u001f\u007f]*$/;
/** The connection itself is ours to steer. */
const OWN_HEADERS = ["connection", "content-length", "transfer-encoding", "upgrade", "keep-alive", "te", "trailer"];

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

/** What is wrong beyond what the schema says, in fields that may be of any kind. */
const problemsOf = ({ url, headers, interval, timeout, body }: { [name in keyof MonitorBody]?: unknown }) => {
  const errors: FieldError[] = [];
  const refuse = (path: string) => (message: string) => {
    if (!errors.some((error) => error.path === path)) errors.push({ path, message: `${path}: ${message}` });
  };
  parseHeaders(headers, refuse("headers"));
  if (typeof url === "string" && !URL.canParse(url.trim())) refuse("url")("expected an http:// or https:// address");
  if (Number(timeout) > Number(interval)) refuse("timeout")("expected at most the interval");
  if (typeof body === "string" && Buffer.byteLength(body) > LIMITS.body)
    refuse("body")(`expected a text of at most ${LIMITS.body} bytes`);
  return errors;
};

/**
 * A complete monitor out of what was sent; what was left out comes from `stored`, or else is the default.
 * @throws {AppError} validation, with an entry for each bad field
 */
export const parseMonitor = (sent: MonitorBody, stored?: MonitorInput): MonitorInput => {
  const base = stored ?? DEFAULTS;
  const input: MonitorInput = {
    name: sent.name.trim(),
    url: sent.url.trim(),
    method: sent.method ?? base.method,
    interval: sent.interval,
    timeout: sent.timeout ?? base.timeout,
    expectedStatus: sent.expectedStatus ?? sent.expected_status ?? base.expectedStatus,
    headers: parseHeaders(sent.headers, () => {}) ?? { ...base.headers },
    body: sent.body ?? (sent.body === null ? "" : base.body),
    retries: sent.retries ?? base.retries,
    active: sent.active ?? base.active,
  };
  const errors = problemsOf({ ...input, headers: sent.headers });
  if (errors.length > 0) throw validation(errors);
  return input;
};

const historyField = (byDefault: number) =>
  t.Optional(
    field(whole(0, RECENT_LENGTH), `The number of past outcomes: 0 to ${RECENT_LENGTH}; ${byDefault} by default.`),
  );

export const listQuery = t.Object({
  mine: t.Optional(field(oneOf(["1"]), "1: only your own monitors, for administrators, who also see other users'.")),
  search: t.Optional(field(t.String({ maxLength: 200 }), "Only monitors with this in their name or address.")),
  status: t.Optional(
    field(
      oneOf(["up", "down", "pending", "paused", "active"]),
      "Only monitors with this status; `active` is every status but paused.",
      "down",
    ),
  ),
  fields: t.Optional(
    field(oneOf(["all"]), "`all`: include headers and bodies, with at most 50 monitors in one answer."),
  ),
  limit: t.Optional(field(whole(1, LIMITS.listed), "The size of the page; 1,000 by default.", 20)),
  offset: t.Optional(field(whole(0, Number.MAX_SAFE_INTEGER), "How many monitors to skip.")),
  history: historyField(LIST_HISTORY),
});

export const detailQuery = t.Object({ history: historyField(DETAIL_HISTORY) });

export const checksQuery = t.Object({
  status: t.Optional(field(oneOf(["up", "down"]), "Only checks with this outcome.", "down")),
  before: t.Optional(
    field(
      whole(1, Number.MAX_SAFE_INTEGER),
      "Only checks older than the one with this id: `next` of the previous page.",
    ),
  ),
  limit: t.Optional(field(whole(1, 500), "The size of the page: 1 to 500; 50 by default.", 20)),
});

export const RANGES = ["24h", "7d", "30d", "90d", "1y"] as const;
export type Range = (typeof RANGES)[number];
export const seriesQuery = t.Object({
  range: t.Optional(field(oneOf(RANGES), "How far to look back; 24h by default.", "7d")),
});
