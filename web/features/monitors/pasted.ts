/** Reads addresses that are pasted, such as redis://cache.example.com, as the fields of new monitors. */
import { TCP_PRESETS, TCP_SERVICES, type TcpPreset, type TcpTls, tlsOf } from "../../../src/shared/tcp/presets";

/** The name of a new monitor, and the fields that differ from the defaults. */
export type Pasted = { name: string; fields: { kind: string; config: Record<string, unknown> } };

/** Schemes that name a service otherwise than its preset. */
const ALIASES = new Map<string, TcpPreset>([
  ["postgresql", "postgres"],
  ["mariadb", "mysql"],
  ["valkey", "redis"],
  ["sftp", "ssh"],
]);

const plainPreset = (scheme: string) => ALIASES.get(scheme) ?? TCP_PRESETS.find((preset) => preset === scheme);

/** The service of a scheme: with an s after its name, as in imaps, by TLS. */
const serviceOf = (scheme: string): { preset: TcpPreset; tls: TcpTls } | null => {
  const plain = plainPreset(scheme);
  if (plain) return { preset: plain, tls: "no" };
  const secure = scheme.endsWith("s") ? plainPreset(scheme.slice(0, -1)) : undefined;
  return secure && tlsOf(secure).includes("direct") ? { preset: secure, tls: "direct" } : null;
};

type Parts = { scheme: string; host: string; port: number | undefined; path: string; query: URLSearchParams };

/** The parts of an address. A login is left out, because no check needs it. */
const partsOf = (address: string): Parts | null => {
  const [, scheme = "", rest = ""] = /^([a-z]+):\/\/(.+)$/i.exec(address) ?? [];
  // Hosts are normalized for http only, which in turn leaves out its own port.
  const [url, exact] = [URL.parse(`http://${rest}`), URL.parse(`other://${rest}`)];
  if (!url || !exact || /\s/.test(address) || url.hostname === "") return null;
  return {
    scheme: scheme.toLowerCase(),
    host: url.hostname,
    port: exact.port === "" ? undefined : Number(exact.port),
    path: url.pathname.replace(/^\/|\/$/g, ""),
    query: url.searchParams,
  };
};

const configOf = (address: string, { scheme, host, port, path, query }: Parts): Pasted["fields"] | null => {
  const at = port === undefined ? host : `${host}:${port}`;
  switch (scheme) {
    case "ws":
    case "wss":
      return { kind: "websocket", config: { url: address } };
    case "grpc":
    case "grpcs":
      return { kind: "grpc", config: { url: `http${scheme.slice(4)}://${at}`, ...(path && { service: path }) } };
    case "ping":
    case "icmp":
      return { kind: "ping", config: { host } };
    case "tcp":
      return port === undefined ? null : { kind: "tcp", config: { host, port } };
    case "tls":
    case "ssl":
      return { kind: "tls", config: { host, port: port ?? 443 } };
    case "dns": {
      const type = query.get("type")?.toUpperCase() ?? "A";
      return { kind: "dns", config: path ? { name: path, type, server: at } : { name: host, type } };
    }
    default: {
      const service = serviceOf(scheme);
      if (!service) return null;
      const usual = TCP_SERVICES[service.preset].ports[service.tls];
      return { kind: "tcp", config: { host, port: port ?? usual, ...service } };
    }
  }
};

/** The monitor for an address of another kind than a website; null for any other text. */
export const readPasted = (text: string): Pasted | null => {
  const address = text.trim();
  const parts = partsOf(address);
  const fields = parts && configOf(address, parts);
  if (!parts || !fields) return null;
  const { scheme, host, port, path } = parts;
  const suffix = path && ["websocket", "grpc", "dns"].includes(fields.kind) ? `/${path}` : "";
  return { name: `${scheme}://${host}${port === undefined ? "" : `:${port}`}${suffix}`, fields };
};
