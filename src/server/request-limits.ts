import type { Config } from "../core/config";
import { AppError, validation } from "../core/errors";
import { hostnameOf, isOwnHost } from "../lib/host";
import type { Clock } from "../lib/time";
import { LIMITS, SECOND } from "../shared/limits";

export const MAX_BODY = 1024 * 1024;
/** Small, because the hub parses bodies of calls without a session or key for any client. */
const MAX_ANONYMOUS_BODY = 16 * 1024;

/** Calls that need no session; headers do not matter. */
const ANONYMOUS = /^\/api\/(auth\/(login|register)|agents\/register)\/?$/;
/** Calls of machines, which have their own credentials or answer nothing secret. */
const MACHINES = /^\/(health|metrics|api\/agents\/(register|report|live))\/?$/;

/** Whether a path receives pings of a heartbeat, which any program may send with any body. */
export const isPing = (path: string): boolean => /^\/(ping|api\/push)\//.test(path);
/** The largest body of a ping. It is read in full, even though less is stored, so that the client does not fail. */
const MAX_PING_BODY = 16 * MAX_BODY;

/** Whether a path receives files of other products, which may be larger than the memory. */
export const isUpload = (path: string): boolean => /^\/api\/import\/preview\/?$/.test(path);

/** The chunks of a body. A reader that stops early leaves the rest for `createDiscard`. */
const chunksOf = ({ body }: Request) => body?.values({ preventCancel: true }) ?? [];

/**
 * A body whose length was not announced.
 * @throws {AppError} too_large
 */
export const readBounded = async (request: Request, limit: number): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(request)) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Uint8Array.from(Buffer.concat(chunks));
};

/** The largest body that is discarded, in bytes, for how many milliseconds, and how many at once. */
const DISCARD = { size: 16 * MAX_BODY, time: 5 * SECOND, atOnce: 32 };

/**
 * Returns a function that reads and discards what a refused request still sends. Most clients write a whole body before they
 * read the answer, and fail if the connection is closed before.
 */
export const createDiscard = (clock: Clock) => {
  let running = 0;
  return async (request: Request): Promise<void> => {
    const isLarge = Number(request.headers.get("content-length")) > DISCARD.size;
    if (isLarge || running >= DISCARD.atOnce || !request.body || request.body.locked) return;
    let left = DISCARD.size;
    const read = async () => {
      for await (const chunk of chunksOf(request)) {
        left -= chunk.byteLength;
        if (left < 0) return;
      }
    };
    running++;
    // A client that ends the connection makes reading fail.
    await Promise.race([read().catch(() => {}), clock.sleep(DISCARD.time)]);
    left = 0;
    running--;
  };
};

/**
 * The first bytes of the body of a ping.
 * @throws {AppError} too_large
 */
export const readPingBody = async (request: Request): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunksOf(request)) {
    if (size < LIMITS.pingBody) chunks.push(chunk);
    size += chunk.byteLength;
    if (size > MAX_PING_BODY) throw tooLarge(MAX_PING_BODY);
  }
  return Uint8Array.from(Buffer.concat(chunks).subarray(0, LIMITS.pingBody));
};

/** The largest body of a request, in bytes. */
export const bodyLimit = (
  path: string,
  headers: Headers,
  { importMaxBytes }: Pick<Config, "importMaxBytes">,
): number => {
  if (isPing(path)) return MAX_PING_BODY;
  if (ANONYMOUS.test(path) || !headers.has("authorization")) return MAX_ANONYMOUS_BODY;
  // The form around a file has some bytes of its own.
  return isUpload(path) ? importMaxBytes + MAX_ANONYMOUS_BODY : MAX_BODY;
};

/** The error for a body above a limit. */
export const tooLarge = (limit: number): AppError =>
  new AppError("too_large", { limit: limit < MAX_BODY ? `${limit / 1024} KiB` : `${limit / MAX_BODY} MiB` });

/**
 * Returns the parsed URL of a request if it is usable.
 * @throws {AppError} bad_host, when there is no usable Host header, more than one, or the method is CONNECT
 */
export const assertUsable = (url: URL | null, { headers }: Request): URL => {
  // Several Host headers arrive joined by a comma, which no host name holds.
  if (!url || hostnameOf(headers.get("host")) === null || !/^https?:$/.test(url.protocol))
    throw new AppError("bad_host");
  return url;
};

/**
 * With PUBLIC_URL, rejects host names other than its own, IP addresses and localhost, so that no foreign page can
 * call the hub under its own name (DNS rebinding).
 * @throws {AppError} wrong_host
 */
export const assertOwnHost = ({ publicUrl }: Pick<Config, "publicUrl">, { headers }: Request, path: string): void => {
  if (!publicUrl || MACHINES.test(path) || isPing(path) || isOwnHost(hostnameOf(headers.get("host")) ?? "", publicUrl))
    return;
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
export const assertJsonBody = ({ url, headers, body }: Request): void => {
  const type = headers.get("content-type") ?? "";
  if (type === "" || /^application\/json\s*(;|$)/i.test(type)) return;
  const { pathname } = new URL(url);
  if (body !== null && headers.get("content-length") !== "0" && !isPing(pathname) && !isUpload(pathname))
    throw refuse("expected JSON, sent as application/json");
};
