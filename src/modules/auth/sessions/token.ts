import { createHmac, timingSafeEqual } from "node:crypto";

/** What a session token states. Times are epoch seconds, as in RFC 7519. */
export type Claims = {
  /** The user's id. */
  sub: string;
  /** The user's token version when it was signed. */
  version: number;
  /** The id of its row in `sessions`. */
  sid: string;
  /** The installation that signed it. */
  iss: string;
  exp: number;
};

/** Ours are about 300 characters long. */
const MAX_LENGTH = 2048;

const parse = (part: string): Record<string, unknown> => Object(JSON.parse(Buffer.from(part, "base64url").toString()));

const isSignature = (signature: string, expected: string) =>
  signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));

/**
 * Verifies a session token (RFC 7515 compact serialization) and returns its claims, or undefined. Only HS256, with
 * `sub`, `version`, `sid`, `iss` and `exp`, and without critical header parameters. This is synchronous on purpose: the
 * `verify` of @elysiajs/jwt uses WebCrypto, which waits for the thread pool that blocking name lookups can exhaust.
 */
export const verifyToken = (secret: string, issuer: string, token: string, now: number): Claims | undefined => {
  if (token.length > MAX_LENGTH) return undefined;
  const [header = "", payload = "", signature = "", ...rest] = token.split(".");
  if (
    rest.length > 0 ||
    !isSignature(signature, createHmac("sha256", secret).update(`${header}.${payload}`).digest("base64url"))
  )
    return undefined;
  try {
    const { alg, crit } = parse(header);
    const { sub, version, sid, iss, exp, nbf = 0 } = parse(payload);
    const seconds = now / 1000;
    const isValid =
      alg === "HS256" &&
      crit === undefined &&
      iss === issuer &&
      typeof sub === "string" &&
      /^[1-9]\d{0,14}$/.test(sub) &&
      typeof sid === "string" &&
      Number.isInteger(version) &&
      typeof exp === "number" &&
      exp > seconds &&
      typeof nbf === "number" &&
      nbf <= seconds;
    return isValid ? { sub, version: version as number, sid, iss, exp } : undefined;
  } catch {
    return undefined;
  }
};
