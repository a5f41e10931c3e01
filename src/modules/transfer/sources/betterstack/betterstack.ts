/** Better Stack: the answers of its API, which are read with a token or pasted as a file. */
import type { Config } from "../../../../core/config";
import { LIMITS } from "../../../../shared/limits";
import { METHODS, METHODS_WITH_BODY } from "../../../../shared/monitor";
import { STATUS_LIMITS } from "../../../../shared/status-page";
import { TAG_LIMITS } from "../../../../shared/tags";
import { furtherPage } from "../further-page";
import { readJson, startText } from "../read-text";
import type { Item, Note, Source, Upload } from "../source";
import { boundedItems, clean, type Fields, flagIn, note, numberIn, recordOf, textOf, within } from "../text";
import { historiesOf, readIncidents, warningsIn } from "./incidents";
import { flat, listOf, readPages } from "./resources";

const NAME = "betterstack";

/** Types whose timeout is in milliseconds. */
const OTHER_TYPES = ["ping", "tcp", "udp", "smtp", "pop", "imap", "dns"];
const PRESETS: Record<string, string> = { smtp: "smtp", pop: "pop3", imap: "imap" };
const PORTS: Record<string, number> = { smtp: 25, pop: 110, imap: 143 };
/** Ports of mail servers that begin with TLS. */
const TLS_PORTS = [465, 993, 995];

const hostOf = (monitor: Fields): string =>
  textOf(monitor, "url")
    .trim()
    .replace(/^\w+:\/\//, "")
    .replace(/[/?#].*$/, "");

const http = (monitor: Fields, type: string): Record<string, unknown> => {
  const method = METHODS.find((one) => one === textOf(monitor, "http_method").toUpperCase()) ?? "GET";
  const [user, password] = [textOf(monitor, "auth_username"), textOf(monitor, "auth_password")];
  const headers = Object.fromEntries(
    listOf(monitor.request_headers)
      .map(recordOf)
      .map((header) => [textOf(header, "name"), textOf(header, "value")]),
  );
  if (user !== "") headers.Authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const body = textOf(monitor, "request_body");
  const codes = listOf(monitor.expected_status_codes).filter((code) => typeof code === "number");
  const value = textOf(monitor, "required_keyword");
  const days = numberIn(monitor, "ssl_expiration");
  return {
    ...{ url: textOf(monitor, "url").trim(), method, headers },
    ...(METHODS_WITH_BODY.includes(method) && body !== "" && { body }),
    expected_statuses: type === "expected_status_code" && codes.length > 0 ? codes.join(",") : "2xx",
    accept_self_signed: monitor.verify_ssl === false,
    ...(days !== null && { certificate_days: [within(days, 1, 90)] }),
    assertions: type.startsWith("keyword")
      ? [{ on: "body", op: type === "keyword" ? "contains" : "lacks", value, ignore_case: true }]
      : [],
  };
};

const fieldsOf = (monitor: Fields): { fields: Record<string, unknown> | null; notes: Note[] } => {
  const type = textOf(monitor, "monitor_type");
  const host = hostOf(monitor);
  // Several ports are separated by commas.
  const [port = "", ...more] = textOf(monitor, "port").split(/[\s,]+/);
  const notes = more.length > 0 ? [note("field_left_out", `port ${more.join(", ")}`)] : [];
  switch (type) {
    case "status":
    case "expected_status_code":
    case "keyword":
    case "keyword_absence":
      return { fields: http(monitor, type), notes: [] };
    case "ping":
      return { fields: { kind: "ping", config: { host } }, notes: [] };
    case "tcp":
      return { fields: { kind: "tcp", config: { host, port: Number(port) } }, notes };
    case "smtp":
    case "pop":
    case "imap": {
      const number = Number(port) || PORTS[type];
      const tls = TLS_PORTS.includes(number ?? 0) ? { tls: "direct" } : {};
      return { fields: { kind: "tcp", config: { host, port: number, preset: PRESETS[type], ...tls } }, notes };
    }
    case "dns": {
      const name = textOf(monitor, "request_body").trim();
      return { fields: { kind: "dns", config: { name, type: "A", server: host } }, notes: [] };
    }
    default:
      return { fields: null, notes: [note("kind_unsupported", type)] };
  }
};

type Groups = ReadonlyMap<string, { name: string; isPaused: boolean }>;

const isActive = (resource: Fields, group: { isPaused: boolean } | undefined): boolean =>
  (resource.paused_at ?? null) === null && textOf(resource, "status") !== "paused" && !group?.isPaused;

const tagsOf = (group: { name: string } | undefined) =>
  group?.name ? [{ name: "group", value: clean(group.name, TAG_LIMITS.value) }] : [];

const monitorItem = (
  monitor: Fields,
  id: number,
  { groups, minInterval }: { groups: Groups } & Pick<Config, "minInterval">,
): Item => {
  const name =
    clean(monitor.pronounceable_name, LIMITS.monitorName) || clean(monitor.url, LIMITS.monitorName) || `${id}`;
  const type = clean(monitor.monitor_type, 50);
  const item = { part: "monitors" as const, externalId: `monitor:${clean(monitor.id, 100)}`, name, kind: type };
  const { fields, notes } = fieldsOf(monitor);
  if (!fields) return { ...item, content: null, notes };
  const group = groups.get(textOf(monitor, "monitor_group_id"));
  const sent = numberIn(monitor, "check_frequency") ?? 180;
  const interval = within(sent, minInterval, LIMITS.intervalMax);
  const timeout = (numberIn(monitor, "request_timeout") ?? 30) / (OTHER_TYPES.includes(type) ? 1000 : 1);
  return {
    ...item,
    content: {
      ...{
        id,
        name,
        ...fields,
        interval,
        timeout: within(Math.ceil(timeout), 1, Math.min(interval, LIMITS.timeoutMax)),
      },
      ...{ active: isActive(monitor, group), tags: tagsOf(group) },
    },
    notes: [
      ...notes,
      ...(interval === sent ? [] : [note("interval_changed", sent)]),
      ...(numberIn(monitor, "domain_expiration") === null ? [] : [note("domain_expiry")]),
      ...(textOf(monitor, "maintenance_from") === "" ? [] : [note("maintenance_unsupported")]),
    ],
  };
};

const heartbeatItem = (heartbeat: Fields, id: number): Item => {
  const name = clean(heartbeat.name, LIMITS.monitorName) || `heartbeat ${id}`;
  const every = within(numberIn(heartbeat, "period") ?? 86_400, 60, 366 * 86_400);
  const grace = within(numberIn(heartbeat, "grace") ?? 60, 1, 366 * 86_400);
  return {
    ...{ part: "monitors", externalId: `heartbeat:${clean(heartbeat.id, 100)}`, name, kind: "heartbeat" },
    content: { id, name, kind: "heartbeat", config: { every, grace }, active: isActive(heartbeat, undefined) },
    notes: [note("address_new")],
  };
};

/** The pages, with the ids that monitors have in the file. */
const pageItems = (resources: readonly Fields[], idOf: ReadonlyMap<string, number>): Item[] => {
  const of = (type: string) => resources.filter((one) => one.type === type);
  const byPosition = (one: Fields, other: Fields) =>
    (numberIn(one, "position") ?? 0) - (numberIn(other, "position") ?? 0);
  return of("status_page").map((page, index): Item => {
    const name = clean(page.company_name, STATUS_LIMITS.title) || clean(page.subdomain, STATUS_LIMITS.title);
    const item = { externalId: `page:${clean(page.id, 100)}`, name, kind: "status page" };
    const sections = of("status_page_section").filter((one) => String(one.status_page_id) === String(page.id));
    const groups = sections.toSorted(byPosition).map((section) => ({
      name: clean(section.name, STATUS_LIMITS.groupName) || "Services",
      agents: [] as number[],
      monitors: of("status_page_resource")
        .filter((one) => String(one.status_page_section_id) === String(section.id))
        .toSorted(byPosition)
        .flatMap((one) => idOf.get(`${textOf(one, "resource_type").toLowerCase()}:${one.resource_id}`) ?? []),
    }));
    const monitors = [...new Set(groups.flatMap((group) => group.monitors))].slice(0, STATUS_LIMITS.chosen);
    const content = { title: name, groups: groups.slice(0, STATUS_LIMITS.groups), monitors };
    const notes = textOf(page, "custom_domain") === "" ? [] : [note("field_left_out", "custom domain")];
    const further = furtherPage({ id: index + 1, slug: textOf(page, "subdomain") }, content);
    return index === 0
      ? { ...item, part: "status_page", content, notes, further }
      : { ...item, part: "pages", content: further, notes };
  });
};

/** The monitors and heartbeats in a file by their external ids; their ids in the file are counted from 1. */
const targetsIn = (file: Fields): Map<string, Fields> => {
  const resources = listOf(file.data).map(flat);
  const targets = ["monitor", "heartbeat"].flatMap((type) => resources.filter((one) => one.type === type));
  return new Map(targets.map((target) => [`${target.type}:${clean(target.id, 100)}`, target]));
};

const readFile = async (upload: Upload): Promise<Fields> => recordOf(await readJson(upload));

const LISTS = ["monitor-groups", "monitors", "heartbeats", "status-pages"];

export const betterstack: Source = {
  name: NAME,
  byKey: {
    origin: "https://uptime.betterstack.com",
    headers: (key) => ({ authorization: `Bearer ${key}` }),
    read: async (get, span) => {
      const data: unknown[] = [];
      const readAll = async (list: string) => data.push(...(await readPages(get, `/api/v2/${list}`)).data);
      for (const list of LISTS) await readAll(list);
      for (const page of data.map(flat).filter(({ type }) => type === "status_page"))
        for (const list of ["sections", "resources"])
          await readAll(`status-pages/${encodeURIComponent(textOf(page, "id"))}/${list}`);
      return { data, ...(await readIncidents(get, span)) };
    },
  },
  recognise: (_upload, start) =>
    /^\s*\{\s*"data"\s*:\s*\[/.test(startText(start)) &&
    /"(pronounceable_name|monitor_type|heartbeat_group_id|company_name)"\s*:|"type"\s*:\s*"monitor_group"/.test(
      startText(start),
    ),
  read: async (upload, { config }) => {
    const file = await readFile(upload);
    const resources = listOf(file.data).map(flat);
    const of = (type: string) => resources.filter((one) => one.type === type);
    const groups: Groups = new Map(
      of("monitor_group").map((group) => [
        textOf(group, "id"),
        { name: textOf(group, "name"), isPaused: flagIn(group, "paused") },
      ]),
    );
    const targets = targetsIn(file);
    const warnings = warningsIn(file);
    const monitors = [...targets.values()].map((one, index) => {
      const item =
        one.type === "monitor"
          ? monitorItem(one, index + 1, { groups, minInterval: config.minInterval })
          : heartbeatItem(one, index + 1);
      const warning = warnings.get(item.externalId);
      return warning === undefined ? item : { ...item, notes: [...item.notes, note("warnings_left_out", warning)] };
    });
    const idOf = new Map(
      monitors.flatMap(({ externalId, content }) =>
        content?.id === undefined ? [] : [[externalId, content.id] as const],
      ),
    );
    const groupItems = of("monitor_group").map((group): Item => {
      const name = clean(group.name, LIMITS.monitorName) || "group";
      const tag = `group:${clean(group.name, TAG_LIMITS.value)}`;
      return {
        ...{ part: "monitors", externalId: `group:${clean(group.id, 100)}`, name, kind: "group", content: null },
        ...{ notes: [note("group_as_tag", tag)], isAbsorbed: true },
      };
    });
    const items = [...groupItems, ...monitors, ...pageItems(resources, idOf)];
    const starts = [...historiesOf(file, targets).values()].map(({ span }) => span.from);
    const history = starts.length > 0 ? { from: starts.reduce((one, other) => Math.min(one, other)) } : null;
    return { source: NAME, version: "", sourceId: "", items: boundedItems(items), rules: {}, history };
  },
  readHistory: async function* (upload, ids) {
    const file = await readFile(upload);
    const targets = targetsIn(file);
    const histories = historiesOf(file, targets);
    for (const [index, externalId] of [...targets.keys()].entries()) {
      const [id, found] = [index + 1, histories.get(externalId)];
      if (!found || !ids.has(id)) continue;
      const { span, outages } = found;
      yield { outages: outages.map((one) => ({ id, ...one })), spans: [{ id, from: span.from, until: span.to }] };
    }
  },
};
