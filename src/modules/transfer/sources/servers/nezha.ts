/** Nezha: the SQLite file of its dashboard, of version 0 and 1. Prices, ends and quotas are in the public note of a server. */
import type { Config } from "../../../../core/config";
import type { TrafficMode } from "../../../../shared/agents/server-plan";
import { LIMITS } from "../../../../shared/limits";
import type { Item, Note, Source } from "../source";
import { hasTables, readTables, type Tables } from "../tables";
import { boundedItems, clean, type Fields, jsonIn, note, numberIn, recordOf, textOf, within } from "../text";
import { type Billing, otherItem, serverItem } from "./item";

const NAME = "nezha";

const CHECK = ["id", "name", "type", "target", "duration", "deleted_at"] as const;
const COLUMNS = {
  servers: ["id", "uuid", "name", "tag", "note", "public_note", "deleted_at"],
  server_groups: ["id", "name"],
  server_group_servers: ["server_group_id", "server_id"],
  // Version 1 and version 0.
  services: CHECK,
  monitors: CHECK,
  notifications: ["id", "name", "deleted_at"],
  alert_rules: ["id", "name", "deleted_at"],
} as const;
type NezhaRows = Tables<typeof COLUMNS>;

/** The words that its themes know for periods of payment. */
const CYCLES: [pattern: RegExp, months: number][] = [
  [/^(月|m|mo|month|monthly)$/i, 1],
  [/^(季|q|quarter|quarterly)$/i, 3],
  [/^(半|半年|h|half|semi-annually)$/i, 6],
  [/^(年|y|yr|year|annual)$/i, 12],
];

const billingOf = (billing: Fields, remark: string): Billing => {
  const amount = textOf(billing, "amount").trim();
  const [number = ""] = /\d+(\.\d+)?/.exec(amount) ?? [];
  const cycle = textOf(billing, "cycle").trim();
  return {
    // A date that starts with zeros stands for none.
    ends: textOf(billing, "endDate").trim(),
    // -1 stands for a price by use.
    price: number === "" || amount.startsWith("-") ? null : Number(number),
    currency: amount.replace(number, ""),
    months: CYCLES.find(([pattern]) => pattern.test(cycle))?.[1] ?? 1,
    isRenewed: textOf(billing, "autoRenewal") === "1",
    remark,
  };
};

const UNITS: Record<string, number> = { M: 1e6, G: 1e9, T: 1e12, P: 1e15 };
const MODES: Record<string, TrafficMode> = { 1: "tx", 2: "sum", 3: "max" };

/** A quota such as `1TB/月`. */
const trafficOf = (plan: Fields): { bytes: number; mode: TrafficMode } => {
  const [, number = "", unit = ""] = /^\s*(\d+(?:\.\d+)?)\s*([MGTP])i?B?/i.exec(textOf(plan, "trafficVol")) ?? [];
  return {
    bytes: Number(number) * (UNITS[unit.toUpperCase()] ?? 0),
    mode: MODES[textOf(plan, "trafficType")] ?? "sum",
  };
};

const serverItems = ({ servers, server_groups, server_group_servers }: NezhaRows): Item[] => {
  const names = new Map(server_groups.map((row) => [numberIn(row, "id"), row.name]));
  const groups = new Map(
    server_group_servers.map((row) => [numberIn(row, "server_id"), names.get(numberIn(row, "server_group_id"))]),
  );
  return servers.map((row, index) => {
    const own = numberIn(row, "id");
    const shown = recordOf(jsonIn(row, "public_note"));
    return serverItem({
      ...{
        id: index + 1,
        kind: "server",
        externalId: `server:${textOf(row, "uuid").slice(0, 100) || own}`,
        name: row.name,
      },
      group: groups.get(own) ?? row.tag,
      traffic: trafficOf(recordOf(shown.planDataMod)),
      billing: billingOf(recordOf(shown.billingDataMod), textOf(row, "note").trim()),
    });
  });
};

const targetOf = (type: number | null, target: string): Record<string, unknown> | null => {
  if (type === 1) return { url: target };
  if (type === 2) return { kind: "ping", config: { host: target } };
  const [, host = "", port = ""] = /^\[?(.+?)\]?:(\d+)$/.exec(target) ?? [];
  return type === 3 ? { kind: "tcp", config: { host, port: Number(port) } } : null;
};

const monitorItem = (row: Fields, { minInterval }: Pick<Config, "minInterval">): Item => {
  const [id, type] = [numberIn(row, "id") ?? 0, numberIn(row, "type")];
  const target = textOf(row, "target").trim();
  const name = clean(row.name, LIMITS.monitorName) || clean(target, LIMITS.monitorName) || `service ${id}`;
  const item = { part: "monitors" as const, externalId: `service:${id}`, name, kind: `type ${type}` };
  const fields = targetOf(type, target);
  if (!fields) return { ...item, content: null, notes: [note("kind_unsupported", `type ${type}`)] };
  const sent = numberIn(row, "duration") || 30;
  const interval = within(sent, minInterval, LIMITS.intervalMax);
  const notes: Note[] = [note("location_differs"), ...(interval === sent ? [] : [note("interval_changed", sent)])];
  return { ...item, content: { id, name, ...fields, interval, timeout: Math.min(30, interval) }, notes };
};

export const nezha: Source = {
  name: NAME,
  recognise: (upload, start) => hasTables(upload, start, { servers: ["name", "note", "display_index"] }),
  read: async (upload, { config }) => {
    const read = readTables(upload, COLUMNS);
    const rows = Object.fromEntries(
      Object.entries(read).map(([table, own]) => [
        table,
        own.filter(({ deleted_at }) => (deleted_at ?? null) === null),
      ]),
    ) as NezhaRows;
    const others = (["notifications", "alert_rules"] as const).flatMap((table) =>
      rows[table].map((row) => otherItem(`${table}:${numberIn(row, "id")}`, row.name, table.replace("_", " "))),
    );
    const checks = [...rows.services, ...rows.monitors].map((row) => monitorItem(row, config));
    const items = [...checks, ...serverItems(rows), ...others];
    return { source: NAME, version: "", sourceId: "", items: boundedItems(items), rules: {}, history: null };
  },
};
