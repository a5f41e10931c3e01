import type { Config } from "../core/config";
import { AppError } from "../core/errors";
import { hostnameOf, isOwnHost } from "../lib/host";

export const MAX_BODY = 1024 * 1024;
/** For calls without a session or key, because any client can make the hub parse such a body. */
export const MAX_ANONYMOUS_BODY = 16 * 1024;

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
