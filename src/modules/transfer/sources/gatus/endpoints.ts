/** Endpoints of Gatus: the scheme of their address is their kind. */
import type { Config } from "../../../../core/config";
import { LIMITS } from "../../../../shared/limits";
import { METHODS, METHODS_WITH_BODY } from "../../../../shared/monitor";
import { RECORD_TYPES } from "../../../../shared/monitor-kinds/dns-record";
import { TAG_LIMITS } from "../../../../shared/tags";
import { secondsOf } from "../read-text";
import type { Item, Note } from "../source";
import { clean, type Fields, flagIn, note, numberIn, recordOf, textOf, within } from "../text";
import { expectedOf } from "./conditions";

type Mapped = { fields: Record<string, unknown> | null; notes: Note[] };

const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : []).filter((one) => typeof one === "string");

const http = (endpoint: Fields, url: string): Mapped => {
  const sentMethod = textOf(endpoint, "method").toUpperCase() || "GET";
  const method = METHODS.find((one) => one === sentMethod) ?? "GET";
  const isGraphql = flagIn(endpoint, "graphql");
  const body = isGraphql ? JSON.stringify({ query: textOf(endpoint, "body") }) : textOf(endpoint, "body");
  const headers = Object.fromEntries(
    Object.entries(recordOf(endpoint.headers)).map(([name, value]) => [name, String(value)]),
  );
  const client = recordOf(endpoint.client);
  const { statuses, assertions, certificateDays, notes } = expectedOf(textsIn(endpoint.conditions));
  const left = ["oauth2", "identity-aware-proxy", "tls", "proxy-url"].filter((name) => client[name] !== undefined);
  return {
    fields: {
      url,
      method,
      headers: { ...(isGraphql && { "Content-Type": "application/json" }), ...headers },
      ...(METHODS_WITH_BODY.includes(method) && body !== "" && { body }),
      expected_statuses: statuses || "100-599",
      assertions,
      accept_self_signed: flagIn(client, "insecure"),
      ...(certificateDays !== null && { certificate_days: [Math.min(certificateDays, 365)] }),
    },
    notes: [
      ...(method === sentMethod ? [] : [note("method_unsupported", sentMethod)]),
      ...notes,
      ...left.map((name) => note(name === "proxy-url" ? "field_left_out" : "auth_unsupported", name)),
    ],
  };
};

const config = (kind: string, fields: Record<string, unknown>, endpoint: Fields): Mapped => {
  const { statuses, assertions, certificateDays, notes } = expectedOf(textsIn(endpoint.conditions));
  const days = kind === "tls" && certificateDays !== null ? { days: [Math.min(certificateDays, 365)] } : {};
  const left = assertions.length > 0 || statuses !== "" ? [note("conditions_left_out")] : [];
  return { fields: { kind, config: { ...fields, ...days } }, notes: [...notes, ...left] };
};

/** An answer that a condition asks for, such as `[BODY] == 192.0.2.1`. */
const RECORD = /^\[BODY\]\s*==\s*([^\s()[\]]+)$/;

const dns = (sent: Fields, server: string): Mapped => {
  const query = recordOf(sent.dns);
  const conditions = textsIn(sent.conditions);
  const values = conditions.flatMap((one) => RECORD.exec(one.trim())?.[1] ?? []);
  const endpoint = { ...sent, conditions: conditions.filter((one) => !RECORD.test(one.trim())) };
  const type = textOf(query, "query-type").toUpperCase();
  if (!RECORD_TYPES.some((known) => known === type))
    return { fields: null, notes: [note("kind_unsupported", `DNS ${type}`)] };
  const expect = values.length > 0 ? { op: "contains", values: values.slice(0, 20) } : null;
  return config("dns", { name: textOf(query, "query-name").replace(/\.$/, ""), type, server, expect }, endpoint);
};

const endOf = (url: string): { host: string; port: number | null } => {
  const [, host = "", port] = /^\w+:\/\/(\[[^\]]+\]|[^:/]+)(?::(\d+))?/.exec(url) ?? [];
  return { host: host.replace(/^\[|\]$/g, ""), port: port === undefined ? null : Number(port) };
};

const mapUrl = (endpoint: Fields, url: string): Mapped => {
  if (endpoint.dns !== undefined) return dns(endpoint, url);
  const { host, port } = endOf(url);
  if (endpoint.grpc !== undefined) {
    const { fields, notes } = config("grpc", { url: `https://${url.replace(/^\w+:\/\//, "")}` }, endpoint);
    return { fields, notes: [...notes, note("grpc_health")] };
  }
  switch (/^(\w+):\/\//.exec(url)?.[1]?.toLowerCase()) {
    case "http":
    case "https":
      return http(endpoint, url);
    case "tcp":
      return config("tcp", { host, port }, endpoint);
    case "tls":
      return config("tls", { host, port: port ?? 443 }, endpoint);
    case "ssh":
      return config("tcp", { host, port: port ?? 22, preset: "ssh" }, endpoint);
    case "icmp":
      return config("ping", { host, count: 1 }, endpoint);
    case "ws":
    case "wss":
      return config("websocket", { url }, endpoint);
    case "grpc":
    case "grpcs":
      return config("grpc", { url: url.replace(/^grpc/, "http") }, endpoint);
    default:
      return { fields: null, notes: [note("kind_unsupported", url.split(":")[0])] };
  }
};

/** Checks that fail in a row before an alert become retries of a check. */
const retriesOf = (endpoint: Fields): { retries: number; notes: Note[] } => {
  const alerts = (Array.isArray(endpoint.alerts) ? endpoint.alerts : []).map(recordOf);
  if (alerts.length === 0) return { retries: 1, notes: [] };
  const failures = Math.min(...alerts.map((alert) => numberIn(alert, "failure-threshold") ?? 3));
  const retries = within(failures - 1, 0, LIMITS.retriesMax);
  return { retries, notes: retries === failures - 1 ? [] : [note("retries_changed", failures - 1)] };
};

/** A text with a variable that only the machine of Gatus knows. */
const variableIn = (endpoint: Fields): string | undefined =>
  /\$\{?\w+\}?/.exec(JSON.stringify([endpoint.url, endpoint.headers, endpoint.body]) ?? "")?.[0];

const nameOf = (endpoint: Fields) => {
  const group = clean(endpoint.group, TAG_LIMITS.value);
  const name = clean(endpoint.name, LIMITS.monitorName);
  return { name, group, externalId: `endpoint:${group}/${name}`, tags: group ? [{ name: "group", value: group }] : [] };
};

export const endpointItem = (endpoint: Fields, id: number, { minInterval }: Pick<Config, "minInterval">): Item => {
  const { name, externalId, tags } = nameOf(endpoint);
  const url = textOf(endpoint, "url").trim();
  const mapped = mapUrl(endpoint, url);
  const kind = clean(endpoint.dns ? "dns" : endpoint.grpc ? "grpc" : (/^(\w+):/.exec(url)?.[1] ?? ""), 20);
  const item = { part: "monitors" as const, externalId, name: name || clean(url, LIMITS.monitorName), kind };
  if (!mapped.fields) return { ...item, content: null, notes: mapped.notes };
  const sent = secondsOf(endpoint.interval) ?? 60;
  const interval = within(sent, minInterval, LIMITS.intervalMax);
  const timeout = within(secondsOf(recordOf(endpoint.client).timeout) ?? 10, 1, Math.min(LIMITS.timeoutMax, interval));
  const { retries, notes } = retriesOf(endpoint);
  const variable = variableIn(endpoint);
  return {
    ...item,
    content: {
      ...{ id, name: item.name, ...mapped.fields, interval, timeout, retries, tags },
      retry_pause: within(retries === 0 ? 1 : Math.floor((interval * 3) / 4 / retries), 1, LIMITS.retryPauseMax),
      active: endpoint.enabled !== false,
    },
    notes: [
      ...(interval === sent ? [] : [note("interval_changed", sent)]),
      ...mapped.notes,
      ...notes,
      ...(variable ? [note("expression_unsupported", variable)] : []),
    ],
  };
};

/** An endpoint whose job reports by itself. Its address is one of Gatus' API, which is not here. */
export const externalItem = (endpoint: Fields, id: number): Item => {
  const { name, externalId, tags } = nameOf(endpoint);
  const seconds = secondsOf(recordOf(endpoint.heartbeat).interval) ?? 86_400;
  return {
    ...{ part: "monitors" as const, externalId: `external-${externalId}`, name, kind: "external endpoint" },
    content: {
      ...{ id, name, kind: "heartbeat", tags, active: endpoint.enabled !== false },
      config: { every: within(seconds, 60, 366 * 86_400), grace: 60 },
    },
    notes: [note("address_new")],
  };
};
