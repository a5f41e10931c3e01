import { type Static, t } from "elysia";
import { type FieldError, validation } from "../../core/errors";
import { oneOf, whole } from "../../server/schema";
import { LIMITS, METHODS, type Method } from "../../shared/limits";
import { RECENT_LENGTH } from "../../shared/recent";

const expectedStatus = t.Union([t.Integer({ minimum: 1, maximum: 5 }), t.Integer({ minimum: 100, maximum: 599 })], {
  error: "expected 1 to 5 for a whole class, or 100 to 599",
});

/** A monitor as it is sent. Headers may be an object or the JSON text of one. */
export const monitorModel = t.Object(
  {
    name: t.String({
      maxLength: LIMITS.monitorName,
      pattern: "\\S",
      error: `expected a name of 1 to ${LIMITS.monitorName} characters`,
    }),
    url: t.String({
      maxLength: LIMITS.url,
      pattern: "^\\s*[hH][tT][tT][pP][sS]?://[^\\s/?#]",
      error: `expected an http:// or https:// address of at most ${LIMITS.url} characters`,
    }),
    method: t.Optional(oneOf(METHODS)),
    interval: whole(LIMITS.intervalMin, LIMITS.intervalMax, " seconds"),
    timeout: t.Optional(whole(1, LIMITS.timeoutMax, " seconds")),
    expectedStatus: t.Optional(expectedStatus),
    expected_status: t.Optional(expectedStatus),
    // Checked by parseHeaders alone: the schema's cleaning would make an object of whatever else is sent.
    headers: t.Optional(t.Unsafe<Record<string, string> | string | null>(t.Any())),
    body: t.Optional(
      t.Union([t.String({ maxLength: LIMITS.body }), t.Null()], {
        error: `expected a text of at most ${LIMITS.body} bytes`,
      }),
    ),
    retries: t.Optional(whole(0, LIMITS.retriesMax)),
    active: t.Optional(t.Boolean({ error: "expected true or false" })),
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

export const listQuery = t.Object({
  mine: t.Optional(oneOf(["1"])),
  search: t.Optional(t.String({ maxLength: 200 })),
  status: t.Optional(oneOf(["up", "down", "pending", "paused", "active"])),
  fields: t.Optional(oneOf(["all"])),
  limit: t.Optional(whole(1, LIMITS.listed)),
  offset: t.Optional(whole(0, Number.MAX_SAFE_INTEGER)),
  history: t.Optional(whole(0, RECENT_LENGTH)),
});

export const detailQuery = t.Object({ history: t.Optional(whole(0, RECENT_LENGTH)) });

export const checksQuery = t.Object({
  status: t.Optional(oneOf(["up", "down"])),
  before: t.Optional(whole(1, Number.MAX_SAFE_INTEGER)),
  limit: t.Optional(whole(1, 500)),
});

export const RANGES = ["24h", "7d", "30d", "90d", "1y"] as const;
export type Range = (typeof RANGES)[number];
export const seriesQuery = t.Object({
  range: t.Optional(oneOf(RANGES)),
});
