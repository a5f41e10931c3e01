import { readFileSync, statSync } from "node:fs";
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

/** The settings that hold a secret. Each may be given as a file, whose path is in the variable of the name with _FILE. */
export const SECRET_SETTINGS = [
  "DATABASE_URL",
  "LISTEN_DATABASE_URL",
  "ADMIN_PASSWORD",
  "JWT_SECRET",
  "HEARTBEAT_URL",
  "TELEGRAM_BOT_TOKEN",
  "SMTP_URL",
  "OIDC_CLIENT_SECRET",
  "METRICS_TOKEN",
] as const;

const MAX_SECRET_FILE = 64 * 1024;

/** Why a file can't be read as a secret, or null. */
const fileProblem = (path: string): string | null => {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return "the file does not exist";
  if (stats.isDirectory()) return "it is a directory";
  if (!stats.isFile()) return "it is not a file";
  return stats.size > MAX_SECRET_FILE ? "it is larger than 64 KiB" : null;
};

const readSecretFile = (path: string): { text: string } | { problem: string } => {
  try {
    const problem = fileProblem(path);
    if (problem) return { problem };
    const text = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    return text === "" ? { problem: "it is empty" } : { text };
  } catch {
    return { problem: "it can't be read" };
  }
};

/**
 * A secret setting: its variable, or the file that NAME_FILE names, without a trailing line break.
 * @throws {ConfigError} when both are set, or the file can't be used
 */
export const secretOf = (env: Environment, name: (typeof SECRET_SETTINGS)[number]): string => {
  const [value, path] = [env[name] ?? "", env[`${name}_FILE`] ?? ""];
  if (path === "") return value;
  if (value !== "") throw new ConfigError(`${name} and ${name}_FILE are both set: set one of them.`);
  const read = readSecretFile(path);
  if ("text" in read) return read.text;
  throw new ConfigError(`${name}_FILE=${path} is not usable: ${read.problem}.`);
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

/** A mailto: or https:// address; empty when not set. */
export const securityContact = (env: Environment): string => {
  const text = env.SECURITY_CONTACT ?? "";
  const isUsable = text === "" || (/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(text) && URL.canParse(text));
  return isUsable ? text : fail("SECURITY_CONTACT", text, "a mailto: or https:// address");
};

/** HEARTBEAT_URL. Errors do not show it, because its path may be a token. */
export const heartbeatUrl = (env: Environment): string => {
  const text = secretOf(env, "HEARTBEAT_URL");
  if (text !== "" && !/^https?:$/.test(URL.parse(text)?.protocol ?? ""))
    throw new ConfigError("HEARTBEAT_URL is not usable: expected an http:// or https:// address.");
  return text;
};

/** The port to listen on. */
export const port = (env: Environment): number => {
  // Kubernetes sets it to a tcp:// address beside a service of the name `wakeful`.
  const own = env.WAKEFUL_PORT;
  const isOwn = own && !own.startsWith("tcp://");
  return integer(env, isOwn ? "WAKEFUL_PORT" : "PORT", [0, 65535], 8080);
};

/** The host and port in CONNECTIVITY_TARGET, or null. */
export const connectivityTarget = (env: Environment): { host: string; port: number } | null => {
  const text = env.CONNECTIVITY_TARGET;
  if (!text) return null;
  const [, host, port] = /^\[?([\w.:-]+?)\]?:(\d{1,5})$/.exec(text) ?? [];
  if (!host || Number(port) < 1 || Number(port) > 65535) return fail("CONNECTIVITY_TARGET", text, "host:port");
  return { host, port: Number(port) };
};
