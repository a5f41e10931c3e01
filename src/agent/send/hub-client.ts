import { version } from "../../build-info";
import type { Registration } from "../../shared/agents/report";
import type { Logger, Time } from "../runtime";
import { oneLine, readBounded } from "../runtime";
import type { Enrollment } from "../state";
import { FatalError } from "../state";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** The first pause, and the jitter that is added to a Retry-After. */
const FIRST_PAUSE = SECOND;
/** Below the hub's shortest offline deadline (90 s), so that backing off never makes the server offline. */
const MAX_PAUSE = 60 * SECOND;
/** A longer Retry-After is ignored. */
const MAX_RETRY_AFTER = 60 * MINUTE;

/** Pauses between retries while the hub does not know the key: the first ones, and the range of later ones. */
const UNKNOWN_KEY = { first: [15 * SECOND, 30 * SECOND, MINUTE], shortest: 5 * MINUTE, longest: 60 * MINUTE };

/**
 * Milliseconds to wait after consecutive failures (1 and up): exponential, at most 60 s, with
 * jitter over the upper half so that agents do not return in step. A longer Retry-After wins (`requested`,
 * in milliseconds).
 */
export const pauseAfter = (failures: number, requested = 0, random: () => number = Math.random): number => {
  const longest = Math.min(MAX_PAUSE, FIRST_PAUSE * 2 ** Math.min(failures - 1, 20));
  const pause = longest / 2 + (longest / 2) * random();
  return Math.round(requested > pause ? Math.min(requested, MAX_RETRY_AFTER) + FIRST_PAUSE * random() : pause);
};

/**
 * Milliseconds to wait after the hub refused the key on consecutive reports (1 and up) without reporting that
 * the server was deleted: 15 s, 30 s and 1 minute, because a hub that started without its data is mostly soon put right, then
 * 5 to 60 minutes, growing; each with jitter.
 */
export const pauseAfterUnknownKey = (refusals: number, random: () => number = Math.random): number => {
  const { first, shortest, longest } = UNKNOWN_KEY;
  const later = Math.min((longest * 2) / 3, shortest * 2 ** Math.min(refusals - first.length - 1, 20));
  return Math.round((first[refusals - 1] ?? later) * (1 + random() / 2));
};

/** Parses a Retry-After header (seconds or a date) into milliseconds. */
export const parseRetryAfter = (header: string | null, now: number): number => {
  if (header === null) return 0;
  const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
};

/**
 * Outcome of a request: accepted or refused by the hub (recognised by its JSON, so that a proxy's error page is not
 * mistaken for it), or unavailable.
 */
type ReportResult =
  | { kind: "accepted"; body: Record<string, unknown> }
  | { kind: "refused"; status: number; code: string; message: string }
  | { kind: "unavailable"; reason: string; retryAfter: number };

/** For a whole request including its response. */
const REQUEST_TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 65_536;

/** Why a request got no answer, by the code or name of its error. */
const REASONS: Record<string, string> = {
  ConnectionRefused: "the connection is refused",
  ECONNREFUSED: "the connection is refused",
  ConnectionClosed: "the connection was closed without an answer",
  ECONNRESET: "the connection was reset",
  EHOSTUNREACH: "there is no route to it",
  ENETUNREACH: "there is no route to its network",
  ENETDOWN: "the network is down",
  ETIMEDOUT: "it does not answer",
  FailedToOpenSocket: "no connection can be opened to it",
  EPROTO: "it does not speak TLS on this port",
  ENOTFOUND: "its name cannot be resolved",
  EAI_AGAIN: "its name cannot be resolved",
  TimeoutError: "it does not answer within 10 s",
  AbortError: "there was no time left",
};

const reasonOf = (error: unknown): string => {
  const { name = "", code = "", message = "" } = error as { name?: string; code?: string; message?: string };
  if (/CERT|SSL|TLS|SELF_SIGNED|VERIFY/i.test(code)) return `its certificate is not accepted (${code})`;
  return REASONS[code] ?? REASONS[name] ?? (message || code || name);
};

const parseObject = (text: string): Record<string, unknown> | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
};

const quote = (text: unknown): string => (typeof text === "string" ? oneLine(text).slice(0, 300) : "");

const judge = (response: Response, body: Record<string, unknown> | null, now: number): ReportResult => {
  const { status, headers } = response;
  if (response.ok && body?.success === true) return { kind: "accepted", body };
  const retryAfter = parseRetryAfter(headers.get("retry-after"), now);
  const location = headers.get("location");
  if (status >= 300 && status < 400 && location)
    return {
      kind: "unavailable",
      reason: `it sends on to ${quote(location)}: --server may need that address`,
      retryAfter,
    };
  const ours = body?.success === false && typeof body.code === "string";
  const final = status >= 400 && status < 500 && ![404, 408, 425, 429].includes(status);
  if (ours && final)
    return { kind: "refused", status, code: quote(body.code), message: quote(body.message) || `status ${status}` };
  const reason = ours
    ? `it says: ${quote(body.message).replace(/\.$/, "") || status}`
    : `it answers ${status}, not as a hub does`;
  return { kind: "unavailable", reason, retryAfter };
};

type Call = {
  /** Relative to the hub's URL, for example `api/agents/report`. */
  path: string;
  body: string;
  key?: string;
  /** Aborts the request. */
  signal?: AbortSignal;
  timeout?: number;
  /** Whether the connection is kept for the next request, which follows at once. */
  keepalive?: boolean;
};

/** Sends one request to the hub. Never throws and never follows redirects. */
export const sendRequest = async (
  server: string,
  { path, body, key, signal, timeout = REQUEST_TIMEOUT_MS, keepalive = false }: Call,
): Promise<ReportResult> => {
  // A controller per request, because listeners on the agent's own signal would accumulate.
  const request = new AbortController();
  const timer = setTimeout(() => request.abort(new DOMException("", "TimeoutError")), timeout);
  const end = () => request.abort();
  if (signal?.aborted) end();
  signal?.addEventListener("abort", end);
  try {
    const response = await fetch(`${server}${path}`, {
      method: "POST",
      body,
      redirect: "manual",
      // The hub would close an idle connection between two reports.
      keepalive,
      signal: request.signal,
      // A small compressed response could expand to fill the memory.
      decompress: false,
      headers: {
        "accept-encoding": "identity",
        "content-type": "application/json",
        "user-agent": `Wakeful-agent/${version}`,
        ...(key ? { authorization: `Bearer ${key}` } : {}),
      },
    });
    return judge(response, parseObject((await readBounded(response.body ?? [], MAX_RESPONSE_BYTES)) ?? ""), Date.now());
  } catch (error) {
    return { kind: "unavailable", reason: reasonOf(error), retryAfter: 0 };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
  }
};

/** Why the hub refuses a token. */
const REFUSALS: Record<string, string> = {
  token_invalid: "it knows no such token. Copy it again from the page that adds a server",
  token_used: "the token was used already. Make a new one on the page that adds a server",
  token_expired: "the token has expired. Make a new one on the page that adds a server",
};

/** Identifies the token that an enrollment was made with, without storing it. */
export const tokenHash = (token: string): string => new Bun.CryptoHasher("sha256").update(token).digest("hex");

const enrollmentOf = (
  answer: ReportResult & { kind: "accepted" },
  server: string,
  token: string,
): Enrollment | null => {
  const { agent, key } = answer.body as { agent?: { id?: unknown }; key?: unknown };
  const id = Number(agent?.id);
  if (!Number.isSafeInteger(id) || typeof key !== "string" || !/^[\x21-\x7e]{1,1024}$/.test(key)) return null;
  return { server, agent: id, key, token: tokenHash(token) };
};

type EnrollOptions = {
  server: string;
  registration: Registration;
  time: Time;
  log: Logger;
  signal: AbortSignal;
};

/**
 * Exchanges the token for a report key, retrying while the hub is unreachable. Returns null when the signal
 * aborts.
 * @throws {FatalError} when the hub refuses the token
 */
export const enroll = async ({
  server,
  registration,
  time,
  log,
  signal,
}: EnrollOptions): Promise<Enrollment | null> => {
  const body = JSON.stringify(registration);
  let lastReason = "";
  for (let failures = 1; ; failures++) {
    const answer = await sendRequest(server, { path: "api/agents/register", body, signal });
    if (signal.aborted && answer.kind === "unavailable") return null;
    if (answer.kind === "refused")
      throw new FatalError(
        `${server} does not take this machine: ${(REFUSALS[answer.code] ?? answer.message).replace(/\.$/, "")}.`,
      );
    const enrollment = answer.kind === "accepted" && enrollmentOf(answer, server, registration.token);
    if (enrollment) return enrollment;
    const [reason, retryAfter] =
      answer.kind === "unavailable" ? [answer.reason, answer.retryAfter] : ["it gives no key, as a hub would", 0];
    if (reason !== lastReason) log(`Cannot enroll at ${server} yet: ${reason}. Trying again until it works.`);
    lastReason = reason;
    await time.sleep(pauseAfter(failures, retryAfter), signal);
    if (signal.aborted) return null;
  }
};
