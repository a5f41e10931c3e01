import { isIP } from "node:net";

/** The environment of a process, or a part of it. */
export type Environment = Record<string, string | undefined>;

/** An invalid setting; the message names the variable. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** @throws {ConfigError} always */
export const fail = (name: string, value: string, expected: string): never => {
  throw new ConfigError(`${name}=${value} is not usable: expected ${expected}.`);
};

/** One of the allowed values. */
export const oneOf = <T extends string>(env: Environment, name: string, allowed: readonly T[], fallback: T): T => {
  const value = env[name] || fallback;
  return allowed.includes(value as T) ? (value as T) : fail(name, value, `one of ${allowed.join(", ")}`);
};

/** A whole number in a range, both ends included. */
export const integer = (
  env: Environment,
  name: string,
  [min, max]: readonly [min: number, max: number],
  fallback: number,
): number => {
  const text = env[name];
  if (!text) return fallback;
  const value = Number(text);
  return Number.isInteger(value) && value >= min && value <= max
    ? value
    : fail(name, text, `a whole number from ${min} to ${max}`);
};

/** 1 or true, or 0 or false; off when absent. */
export const flag = (env: Environment, name: string): boolean =>
  oneOf(env, name, ["0", "1", "false", "true"], "0").match(/1|true/) !== null;

/** TRUSTED_PROXIES: addresses and CIDR ranges. */
export const trustedProxies = (env: Environment): string[] => {
  const ranges = (env.TRUSTED_PROXIES ?? "").split(",").flatMap((text) => text.trim() || []);
  for (const range of ranges) {
    const [address = "", prefix] = range.split("/");
    const bits = { 4: 32, 6: 128 }[isIP(address)];
    if (bits === undefined || (prefix !== undefined && !(/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)))
      fail("TRUSTED_PROXIES", env.TRUSTED_PROXIES ?? "", "addresses or CIDR ranges, separated by commas");
  }
  return ranges;
};

/** An http or https address without slashes at its end; empty when it is set to nothing. */
export const webAddress = (env: Environment, name: string, fallback: string): string => {
  const text = env[name] ?? fallback;
  if (text === "") return "";
  const isWeb = /^https?:$/.test(URL.parse(text)?.protocol ?? "");
  return isWeb ? text.replace(/\/+$/, "") : fail(name, text, "an http:// or https:// address");
};

/** BASE_PATH with a slash at both ends. */
export const basePath = (env: Environment): string => {
  const text = env.BASE_PATH || "/";
  const path = `/${text.replace(/^\/+|\/+$/g, "")}/`.replace("//", "/");
  return /^[\w\-./~]+$/.test(path) ? path : fail("BASE_PATH", text, "a path such as /wakeful");
};

/** A postgres:// URL, or nothing. Errors do not show it, because it has a password. */
export const postgresUrl = (name: string, text: string): string => {
  if (text !== "" && !(/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)))
    fail(
      name,
      "…",
      "postgres://user:password@host/database, with letters and digits in the password or %XX for other signs, or nothing for SQLite",
    );
  return text;
};
