/** The fields of kinds that connect to a host and a port. */
import { t } from "elysia";
import type { FieldError } from "../../../core/errors";
import { integer, text } from "../../../server/answers";
import { field, whole } from "../../../server/schema";
import { LIMITS } from "../../../shared/limits";
import type { Config } from "./kind";

const EXPECTED = "expected a host name or an IP address, without a port";

/** Removes the brackets of an IPv6 address. */
export const withoutBrackets = (host: string) => host.trim().replace(/^\[(.*)\]$/s, "$1");

/** Normalizes a hostname or IP address as URLs do; null for any other text. */
export const hostnameOf = (host: string): string | null => {
  const bare = withoutBrackets(host);
  // The URL parser would take these for other parts of the URL, or remove them.
  if (/[\s/?#@\\%]/.test(bare)) return null;
  const hostname = URL.parse(`http://${bare.includes(":") ? `[${bare}]` : bare}/`)?.hostname;
  return hostname && hostname.length <= LIMITS.host ? withoutBrackets(hostname) : null;
};

/** A host with its port as one line of text. */
export const hostAndPort = (host: string, port: number): string => `${host.includes(":") ? `[${host}]` : host}:${port}`;

/** The fields as they are answered. */
export const hostAnswer = text("The host's name or IP address.", "db.example.com");
export const portAnswer = integer("The TCP port.", 5432);

/** The fields as they are sent. */
export const hostField = field(
  t.String({ maxLength: LIMITS.host, pattern: "\\S", error: EXPECTED }),
  "A host name or an IP address of at most 253 characters.",
  "db.example.com",
);
export const portField = field(whole(1, 65_535), "1 to 65,535.", 5432);

/** What is wrong with a host beyond its schema. */
export const hostProblems = ({ host }: Config): FieldError[] =>
  typeof host === "string" && hostnameOf(host) === null ? [{ path: "host", message: `host: ${EXPECTED}` }] : [];
