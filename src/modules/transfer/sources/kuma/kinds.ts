/** The kind and fields here of each type of monitor of Uptime Kuma. */
import { ASSERTION_LIMITS, OPERATORS } from "../../../../shared/assertions";
import { CERTIFICATE_DAYS } from "../../../../shared/certificate";
import { METHODS, METHODS_WITH_BODY, parseStatuses, statusesText } from "../../../../shared/monitor";
import { RECORD_TYPES } from "../../../../shared/monitor-kinds/dns-record";
import type { Note } from "../source";
import { clean, type Fields, flagIn, jsonIn, note, numberIn, recordOf, textOf, within } from "../text";

/** The fields of a monitor here, beside its name and schedule; null if there is no such kind. */
type Mapped = { fields: Record<string, unknown> | null; notes: Note[] };

/** What all monitors of one file share. */
type Shared = { certificateDays: number[] };

const skipped = (...notes: Note[]): Mapped => ({ fields: null, notes });

/** The longest list of status codes here. */
const STATUSES_LENGTH = 100;

const statusesOf = (row: Fields): { text: string; notes: Note[] } => {
  const sent = jsonIn(row, "accepted_statuscodes_json");
  const codes = (Array.isArray(sent) ? sent : ["200-299"]).filter((code) => typeof code === "string");
  const ranges = codes.flatMap((code) => parseStatuses(code.trim()) ?? []);
  const text = statusesText(ranges);
  if (ranges.length > 0 && text.length <= STATUSES_LENGTH) return { text, notes: [] };
  const classes = [...new Set(ranges.map(([from]) => `${Math.floor(from / 100)}xx`))].join(",") || "2xx";
  return { text: classes, notes: [note("statuses_shortened", classes)] };
};

const BODY_TYPES: Record<string, string> = {
  json: "application/json",
  xml: "text/xml; charset=utf-8",
  form: "application/x-www-form-urlencoded",
};

/** Headers with those that a body and a sign-in need. */
const headersOf = (row: Fields, body: string): { headers: Record<string, string>; notes: Note[] } => {
  const notes: Note[] = [];
  const sent = jsonIn(row, "headers");
  if (textOf(row, "headers").trim() !== "" && Object.keys(recordOf(sent)).length === 0 && sent === undefined)
    notes.push(note("field_left_out", "headers"));
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(recordOf(sent)))
    if (typeof value === "string" || typeof value === "number") headers[name] = String(value);
  const has = (name: string) => Object.keys(headers).some((one) => one.toLowerCase() === name);
  if (body !== "" && !has("content-type"))
    headers["Content-Type"] = BODY_TYPES[textOf(row, "http_body_encoding")] ?? (BODY_TYPES.json as string);
  const method = textOf(row, "auth_method");
  const [user, password] = [textOf(row, "basic_auth_user"), textOf(row, "basic_auth_pass")];
  if (method === "bearer") headers.Authorization = `Bearer ${textOf(row, "bearer_token")}`;
  else if (method !== "" && method !== "basic" && method !== "null") notes.push(note("auth_unsupported", method));
  else if (user !== "" || password !== "")
    headers.Authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  return { headers, notes };
};

const JSON_OPERATORS: Record<string, string> = { "": "=", "==": "=", "===": "=" };

/** A path such as `a.b[0].c`, with or without `$.` before it; anything else is an expression. */
const PLAIN_PATH = /^(?:\$\.?)?((?:[\w-]+(?:\[-?\d+\])*)(?:\.[\w-]+(?:\[-?\d+\])*)*)$/;

const assertionsOf = (row: Fields, type: string): { assertions: Record<string, unknown>[]; notes: Note[] } => {
  if (type === "keyword") {
    const value = textOf(row, "keyword");
    if (value === "" || value.length > ASSERTION_LIMITS.value)
      return { assertions: [], notes: [note("expression_unsupported", value.slice(0, 50))] };
    return { assertions: [{ on: "body", op: flagIn(row, "invert_keyword") ? "lacks" : "contains", value }], notes: [] };
  }
  if (type !== "json-query") return { assertions: [], notes: [] };
  const [expression, sentOp] = [textOf(row, "json_path").trim(), textOf(row, "json_path_operator").trim()];
  const path = PLAIN_PATH.exec(expression)?.[1];
  const op = JSON_OPERATORS[sentOp] ?? OPERATORS.find((one) => one === sentOp);
  const value = textOf(row, "expected_value");
  if (!path || !op || value.length > ASSERTION_LIMITS.value)
    return { assertions: [], notes: [note("expression_unsupported", `${expression} ${sentOp}`)] };
  return { assertions: [{ on: "json", path, op, value }], notes: [] };
};

const FAMILIES: Record<string, string> = { ipv4: "4", ipv6: "6" };

const http = (row: Fields, type: string, { certificateDays }: Shared): Mapped => {
  const sentMethod = textOf(row, "method").toUpperCase() || "GET";
  const method = METHODS.find((one) => one === sentMethod) ?? "GET";
  const body = METHODS_WITH_BODY.includes(method) ? textOf(row, "body") : "";
  const { headers, notes: headerNotes } = headersOf(row, body);
  const { text: statuses, notes: statusNotes } = statusesOf(row);
  const { assertions, notes: assertionNotes } = assertionsOf(row, type);
  const redirects = numberIn(row, "maxredirects") ?? 10;
  const followsNone = /(^|,)3/.test(statuses);
  const notes = [
    ...(method === sentMethod ? [] : [note("method_unsupported", sentMethod)]),
    ...headerNotes,
    ...statusNotes,
    ...assertionNotes,
    ...((redirects === 0 ? !followsNone : redirects !== 10 || followsNone)
      ? [note("redirects_differ", redirects)]
      : []),
    ...(flagIn(row, "cache_bust") ? [note("field_left_out", "cache bust")] : []),
    ...(textOf(row, "expected_tls_alert") ? [note("field_left_out", "expected TLS alert")] : []),
  ];
  const fields = {
    url: textOf(row, "url").trim(),
    method,
    headers,
    ...(body !== "" && { body }),
    expected_statuses: statuses,
    accept_self_signed: flagIn(row, "ignore_tls"),
    ip_family: FAMILIES[textOf(row, "ip_family")] ?? "any",
    assertions,
    certificate_days: flagIn(row, "expiry_notification") ? certificateDays : [],
  };
  return { fields, notes };
};

const hostIn = (row: Fields): string =>
  textOf(row, "hostname")
    .trim()
    .replace(/^\w+:\/\//, "")
    .replace(/\/.*$/, "");

const config = (kind: string, fields: Record<string, unknown>, ...notes: Note[]): Mapped => ({
  fields: { kind, config: fields },
  notes,
});

const tcp = (row: Fields, preset = "", further: Record<string, unknown> = {}, ...notes: Note[]): Mapped =>
  config("tcp", { host: hostIn(row), port: numberIn(row, "port"), ...(preset && { preset }), ...further }, ...notes);

/** The host, port and sign-in of a connection string. */
const database = (row: Fields, preset: "postgres" | "mysql" | "redis", port: number): Mapped => {
  const url = URL.parse(textOf(row, "database_connection_string").trim());
  if (!url || url.hostname === "") return skipped(note("address_unreadable"));
  const decoded = (text: string): string => {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  };
  const password = decoded(url.password) || (preset === "mysql" ? textOf(row, "radius_password") : "");
  const user = decoded(url.username);
  const hasLogin = preset === "redis" ? password !== "" : user !== "";
  const fields = {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || port,
    preset,
    ...(hasLogin && { user, ...(password && { password }) }),
    ...(url.protocol === "rediss:" && { tls: "direct" }),
  };
  const query = textOf(row, "database_query").trim();
  return config("tcp", fields, ...(query !== "" && preset !== "redis" ? [note("query_left_out")] : []));
};

const SMTP_TLS: Record<string, string> = { secure: "direct", starttls: "starttls" };

const dns = (row: Fields): Mapped => {
  const type = textOf(row, "dns_resolve_type");
  const [server = "", more] = textOf(row, "dns_resolve_server")
    .split(",")
    .map((one) => one.trim());
  const port = numberIn(row, "port") ?? 53;
  const address =
    server === "" ? null : port === 53 ? server : server.includes(":") ? `[${server}]:${port}` : `${server}:${port}`;
  if (!RECORD_TYPES.some((known) => known === type)) return skipped(note("kind_unsupported", `DNS ${type}`));
  return config(
    "dns",
    { name: hostIn(row), type, server: address },
    ...(more ? [note("field_left_out", `name server ${more}`)] : []),
    ...(hasConditions(row) ? [note("conditions_left_out")] : []),
  );
};

const hasConditions = (row: Fields): boolean => {
  const conditions = jsonIn(row, "conditions");
  return Array.isArray(conditions) && conditions.length > 0;
};

const ping = (row: Fields): Mapped => {
  const size = numberIn(row, "packet_size") ?? 56;
  return config(
    "ping",
    { host: hostIn(row), count: within(numberIn(row, "ping_count") ?? 1, 1, 5) },
    ...(size === 56 ? [] : [note("field_left_out", `packet size ${size}`)]),
  );
};

/** A script that pings has to ping within the interval, and its retries are the grace period. */
const push = (row: Fields, interval: number): Mapped => {
  const pause = numberIn(row, "retry_interval") || interval;
  const grace = within(Math.max(60, pause * (numberIn(row, "maxretries") ?? 0)), 1, 31_622_400);
  const token = textOf(row, "push_token");
  const mapped = config("heartbeat", { every: within(interval, 60, 31_622_400), grace });
  const isToken = /^[\w-]{10,64}$/.test(token);
  return {
    fields: { ...mapped.fields, ...(isToken && { ping_token: token }) },
    notes: isToken ? [] : [note("token_taken")],
  };
};

const grpc = (row: Fields): Mapped => {
  const address = textOf(row, "grpc_url")
    .trim()
    .replace(/^\w+:\/\//, "");
  const url = `${flagIn(row, "grpc_enable_tls") ? "https" : "http"}://${address}`;
  return config("grpc", { url, service: clean(row.grpc_service_name, 200) }, note("grpc_health"));
};

const websocket = (row: Fields): Mapped =>
  config("websocket", {
    url: textOf(row, "url").trim(),
    subprotocol: textOf(row, "ws_subprotocol").split(",")[0]?.trim() ?? "",
  });

/** The fields of a monitor by its type. */
export const mapKind = (row: Fields, interval: number, shared: Shared): Mapped => {
  const type = textOf(row, "type");
  switch (type) {
    case "http":
    case "keyword":
    case "json-query":
      return http(row, type, shared);
    case "port":
      return tcp(row);
    case "smtp":
      return tcp(row, "smtp", { tls: SMTP_TLS[textOf(row, "smtp_security")] ?? "no" });
    case "mqtt":
      return tcp(row, "mqtt", {}, note("field_left_out", `topic ${textOf(row, "mqtt_topic")}`));
    case "postgres":
      return database(row, "postgres", 5432);
    case "mysql":
      return database(row, "mysql", 3306);
    case "redis":
      return database(row, "redis", 6379);
    case "dns":
      return dns(row);
    case "ping":
      return ping(row);
    case "push":
      return push(row, interval);
    case "grpc-keyword":
      return grpc(row);
    case "websocket-upgrade":
      return websocket(row);
    case "docker":
      return skipped(note("docker", textOf(row, "docker_container")));
    default:
      return skipped(note("kind_unsupported", type));
  }
};

/** The days before the expiry of a certificate that Uptime Kuma notifies at. */
export const certificateDaysIn = (setting: readonly Fields[]): number[] => {
  const days = jsonIn(setting.find((row) => textOf(row, "key") === "tlsExpiryNotifyDays") ?? {}, "value");
  const valid = (Array.isArray(days) ? days : [7, 14, 21])
    .map(Number)
    .filter((one) => Number.isInteger(one) && one >= 1 && one <= CERTIFICATE_DAYS.longest);
  return [...new Set(valid)].sort((a, b) => b - a).slice(0, CERTIFICATE_DAYS.most);
};
