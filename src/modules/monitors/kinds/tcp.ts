import { t } from "elysia";
import { probeTcp } from "../../../probe/tcp";
import { integer, object, text } from "../../../server/answers";
import { field, whole } from "../../../server/schema";
import { LIMITS } from "../../../shared/limits";
import { defineKind } from "./kind";

type TcpFields = { host: string; port: number };

const withoutBrackets = (host: string) => host.trim().replace(/^\[(.*)\]$/s, "$1");

/** Normalizes a hostname or IP address as URLs do; null for any other text. */
const hostnameOf = (host: string): string | null => {
  const bare = withoutBrackets(host);
  // The URL parser would take these for other parts of the URL, or remove them.
  if (/[\s/?#@\\%]/.test(bare)) return null;
  const hostname = URL.parse(`http://${bare.includes(":") ? `[${bare}]` : bare}/`)?.hostname;
  return hostname && hostname.length <= LIMITS.host ? withoutBrackets(hostname) : null;
};

const EXPECTED = "expected a host name or an IP address, without a port";

/** Checks that a TCP port accepts connections. */
export const tcp = defineKind<TcpFields>({
  kind: "tcp",
  config: object({
    host: text("The host's name or IP address.", "db.example.com"),
    port: integer("The TCP port.", 5432),
  }),
  sent: t.Object({
    host: field(
      t.String({ maxLength: LIMITS.host, pattern: "\\S", error: EXPECTED }),
      "A host name or an IP address of at most 253 characters.",
      "db.example.com",
    ),
    port: field(whole(1, 65_535), "1 to 65,535.", 5432),
  }),
  defaults: {},
  problems: ({ host }) =>
    typeof host === "string" && hostnameOf(host) === null ? [{ path: "host", message: `host: ${EXPECTED}` }] : [],
  parse: (valid) => {
    const { host, port } = valid as TcpFields;
    return { host: withoutBrackets(host), port };
  },
  target: ({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`,
  host: ({ host }) => hostnameOf(host) ?? host,
  probe: ({ host, port }, { outbound, ...context }) =>
    probeTcp({ ...context, host: hostnameOf(host) ?? host, port }, outbound),
});
