import type { Config } from "../core/config";
import { AppError, validation } from "../core/errors";
import { hostnameOf, isOwnHost } from "../lib/host";

export const MAX_BODY = 1024 * 1024;
/** For calls without a session or key, because any client can make the hub parse such a body. */
const MAX_ANONYMOUS_BODY = 16 * 1024;

/** Calls without a session, whatever headers they have. */
const ANONYMOUS = /^\/api\/(auth\/(login|register)|agents\/register)\/?$/;
/** Calls of machines, which have their own credentials or answer nothing secret. */
const MACHINES = /^\/(health|metrics|api\/agents\/(register|report))\/?$/;

/** The largest body of a request, in bytes. */
export const bodyLimit = (path: string, headers: Headers): number =>
  ANONYMOUS.test(path) || !headers.has("authorization") ? MAX_ANONYMOUS_BODY : MAX_BODY;

/** The error for a body above a limit. */
export const tooLarge = (limit: number): AppError =>
  new AppError("too_large", { limit: limit === MAX_BODY ? "1 MiB" : "16 KiB" });

/**
 * The URL of a request.
 * @throws {AppError} bad_host, when there is no usable Host header, more than one, or the method is CONNECT
 */
export const requestUrl = ({ url, headers }: Request): URL => {
  // Several Host headers arrive joined by a comma, which no host name holds.
  const parsed = hostnameOf(headers.get("host")) === null ? null : URL.parse(url);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) throw new AppError("bad_host");
  return parsed;
};

/**
 * With PUBLIC_URL, rejects host names other than its own, IP addresses and localhost, so that no foreign page can
 * call the hub under its own name (DNS rebinding).
 * @throws {AppError} wrong_host
 */
export const assertOwnHost = ({ publicUrl }: Pick<Config, "publicUrl">, { headers }: Request, path: string): void => {
  if (!publicUrl || MACHINES.test(path) || isOwnHost(hostnameOf(headers.get("host")) ?? "", publicUrl)) return;
  throw new AppError("wrong_host");
};

/** Far more than any call needs; larger bodies only cause load. */
const MAX_DEPTH = 32;
const MAX_FIELDS = 500;
/** A mebibyte of samples is about 120,000. */
const MAX_VALUES = 150_000;

const TEXT = "expected a text without NUL and of whole characters";
const DEPTH = `expected at most ${MAX_DEPTH} levels`;
const NAMES = "expected no field of the name toString or valueOf";
const MASSES = `expected at most ${MAX_VALUES} values`;

/** Keys that break text conversion, so that not even an error message can contain them. */
const isUntellable = (value: object) => Object.hasOwn(value, "toString") || Object.hasOwn(value, "valueOf");

/** Describes what is wrong with a value. `room` is the number of values that may still be visited. */
const problemOf = (value: unknown, room: { left: number }, depth = 1): string | null => {
  if (--room.left < 0) return MASSES;
  // PostgreSQL cannot store NUL and lone surrogates in text, so both engines reject them.
  if (typeof value === "string") return value.includes("\0") || !value.isWellFormed() ? TEXT : null;
  if (typeof value !== "object" || value === null) return null;
  if (depth > MAX_DEPTH) return DEPTH;
  if (isUntellable(value)) return NAMES;
  for (const one of Array.isArray(value) ? value : Object.values(value)) {
    const problem = problemOf(one, room, depth + 1);
    if (problem) return problem;
  }
  return null;
};

const refuse = (message: string) => validation([{ path: "body", message: `body: ${message}` }]);

/**
 * Rejects bodies that no call accepts before validation, which would take seconds for large ones.
 * @throws {AppError} validation
 */
export const assertSafeBody = (sent: unknown): void => {
  if (sent === undefined || sent === null || sent === "") return;
  if (typeof sent !== "object" || Array.isArray(sent)) throw refuse("expected a JSON object");
  if (isUntellable(sent)) throw refuse(NAMES);
  const fields = Object.entries(sent);
  if (fields.length > MAX_FIELDS) throw refuse(`expected at most ${MAX_FIELDS} fields`);
  const room = { left: MAX_VALUES };
  const errors = fields.flatMap(([path, value]) => {
    const problem = problemOf(value, room);
    if (problem === MASSES) throw refuse(MASSES);
    return problem ? [{ path, message: `${path}: ${problem}` }] : [];
  });
  if (errors.length > 0) throw validation(errors);
};

/**
 * Rejects a body that is not JSON before it is read; an empty body is accepted.
 * @throws {AppError} validation
 */
export const assertJsonBody = ({ headers, body }: Request): void => {
  const type = headers.get("content-type") ?? "";
  if (type === "" || /^application\/json\s*(;|$)/i.test(type)) return;
  if (body !== null && headers.get("content-length") !== "0") throw refuse("expected JSON, sent as application/json");
};
