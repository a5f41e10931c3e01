/** UptimeRobot: the answer of its API to `getMonitors`, saved as a file, so that no key of it is needed here. */
import type { Config } from "../../../core/config";
import { LIMITS, SECOND } from "../../../shared/limits";
import type { METHODS } from "../../../shared/monitor";
import { readJson, startText } from "./read-text";
import type { HistoryPart, Item, Note, Source, Upload } from "./source";
import { boundedItems, clean, type Fields, note, numberIn, recordOf, textOf, within } from "./text";

const NAME = "uptimerobot";

/** Numbers of its types of monitors. */
const TYPES = { http: 1, keyword: 2, ping: 3, port: 4, heartbeat: 5 } as const;
/** Ports of the subtypes of a port monitor that name none. */
const PORTS: Record<number, number> = { 1: 80, 2: 443, 3: 21, 4: 25, 5: 110, 6: 143 };
/** Numbers of its types of log entries. */
const LOGS = { down: 1, paused: 99 } as const;
/** Characters of the reason of an outage. */
const MAX_REASON = 200;
/** Methods by their number, from 1. */
const BY_NUMBER = ["HEAD", "GET", "POST", "PUT", "PATCH", "DELETE"] as const satisfies (typeof METHODS)[number][];

const http = (monitor: Fields, isKeyword: boolean): { fields: Record<string, unknown>; notes: Note[] } => {
  const [user, password] = [textOf(monitor, "http_username"), textOf(monitor, "http_password")];
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(recordOf(monitor.custom_http_headers)))
    if (typeof value === "string") headers[name] = value;
  if (user !== "") headers.Authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  // It alerts when the text exists for 1, and when it does not for 2.
  const op = numberIn(monitor, "keyword_type") === 1 ? "lacks" : "contains";
  const value = textOf(monitor, "keyword_value");
  const usual = isKeyword ? "GET" : "HEAD";
  return {
    fields: {
      url: textOf(monitor, "url"),
      // A response to HEAD has no body, and many servers refuse it.
      method: isKeyword ? "GET" : (BY_NUMBER[(numberIn(monitor, "http_method") ?? 0) - 1] ?? usual),
      headers,
      expected_statuses: "200-399",
      assertions: isKeyword
        ? [{ on: "body", op, value, ignore_case: numberIn(monitor, "keyword_case_type") === 1 }]
        : [],
    },
    notes: [],
  };
};

const fieldsOf = (monitor: Fields): { fields: Record<string, unknown> | null; notes: Note[] } => {
  const type = numberIn(monitor, "type");
  const host = textOf(monitor, "url")
    .replace(/^\w+:\/\//, "")
    .replace(/[/?#].*$/, "");
  switch (type) {
    case TYPES.http:
    case TYPES.keyword:
      return http(monitor, type === TYPES.keyword);
    case TYPES.ping:
      return { fields: { kind: "ping", config: { host } }, notes: [] };
    case TYPES.port: {
      const port = numberIn(monitor, "port") || PORTS[numberIn(monitor, "sub_type") ?? 0];
      return { fields: { kind: "tcp", config: { host, port } }, notes: [] };
    }
    case TYPES.heartbeat: {
      const every = within(numberIn(monitor, "interval") ?? 86_400, 60, 366 * 86_400);
      return { fields: { kind: "heartbeat", config: { every, grace: 60 } }, notes: [note("address_new")] };
    }
    default:
      return { fields: null, notes: [note("kind_unsupported", `type ${type}`)] };
  }
};

const itemOf = (monitor: Fields, { minInterval }: Pick<Config, "minInterval">): Item => {
  const id = numberIn(monitor, "id") ?? 0;
  const name = clean(monitor.friendly_name, LIMITS.monitorName) || clean(monitor.url, LIMITS.monitorName);
  const { fields, notes } = fieldsOf(monitor);
  const kind = Object.entries(TYPES).find(([, type]) => type === numberIn(monitor, "type"))?.[0] ?? "";
  const item = { part: "monitors" as const, externalId: `monitor:${id}`, name: name || `${id}`, kind };
  if (!fields) return { ...item, content: null, notes };
  const sent = numberIn(monitor, "interval") ?? 300;
  const interval = within(sent, minInterval, LIMITS.intervalMax);
  const timing =
    kind === "heartbeat"
      ? {}
      : { interval, timeout: within(numberIn(monitor, "timeout") ?? 30, 1, Math.min(interval, LIMITS.timeoutMax)) };
  return {
    ...item,
    content: { id, name: item.name, ...fields, ...timing, active: numberIn(monitor, "status") !== 0 },
    notes: [...notes, ...(interval === sent || kind === "heartbeat" ? [] : [note("interval_changed", sent)])],
  };
};

/** The log of a monitor from its oldest entry on. Each entry is the start of a state with its duration. */
const logOf = (monitor: Fields) =>
  (Array.isArray(monitor.logs) ? monitor.logs : [])
    .map(recordOf)
    .flatMap((entry) => {
      const [at, duration] = [numberIn(entry, "datetime"), numberIn(entry, "duration")];
      if (at === null || duration === null || at <= 0 || duration < 0) return [];
      const text = clean(recordOf(entry.reason).detail, MAX_REASON);
      return [{ type: numberIn(entry, "type"), from: at * SECOND, to: (at + duration) * SECOND, text }];
    })
    .toSorted((one, other) => one.from - other.from);

/** The outages of a monitor, and the time that its log covers, since it was last paused. */
const historyOf = (monitor: Fields): Required<Pick<HistoryPart, "outages" | "spans">> => {
  const id = numberIn(monitor, "id") ?? 0;
  const log = logOf(monitor);
  const watched = log.slice(log.findLastIndex(({ type }) => type === LOGS.paused) + 1);
  const outages = watched.flatMap(({ type, ...outage }) => (type === LOGS.down ? [{ id, ...outage }] : []));
  const [first] = watched;
  const until = watched.reduce((latest, { to }) => Math.max(latest, to), 0);
  return { outages, spans: first ? [{ id, from: first.from, until }] : [] };
};

/** @throws {AppError} import_unreadable */
const readMonitors = async (upload: Upload): Promise<Fields[]> => {
  const { monitors } = recordOf(await readJson(upload));
  return (Array.isArray(monitors) ? monitors : []).map(recordOf);
};

export const uptimerobot: Source = {
  name: NAME,
  recognise: (_upload, start) => /^\s*\{/.test(startText(start)) && /"friendly_name"\s*:/.test(startText(start)),
  read: async (upload, { config }) => {
    const monitors = await readMonitors(upload);
    const items = monitors.map((monitor) => itemOf(monitor, config));
    const starts = monitors.flatMap((monitor) => historyOf(monitor).spans.map(({ from }) => from));
    const history = starts.length > 0 ? { from: starts.reduce((one, other) => Math.min(one, other)) } : null;
    return { source: NAME, version: "", sourceId: "", items: boundedItems(items), rules: {}, history };
  },
  readHistory: async function* (upload, ids) {
    for (const monitor of await readMonitors(upload))
      if (ids.has(numberIn(monitor, "id") ?? 0)) yield historyOf(monitor);
  },
};
