/** Beszel: the YAML file of its systems, or its SQLite file, `data.db`, which has the alerts, too. */
import { THRESHOLD_MINUTES, type ThresholdMetric } from "../../../../shared/agents/thresholds";
import { readYaml, startText } from "../read-text";
import type { Item, Source, Upload } from "../source";
import { isSqlite } from "../sqlite";
import { hasTables, readTables, type Tables } from "../tables";
import { boundedItems, clean, type Fields, jsonIn, note, numberIn, recordOf, textOf, within } from "../text";
import { otherItem, serverItem } from "./item";

const NAME = "beszel";

const COLUMNS = {
  systems: ["id", "name", "host", "port", "tags", "group"],
  tags: ["id", "name"],
  alerts: ["id", "system", "name", "value", "min"],
  user_settings: ["id", "settings"],
} as const;
type BeszelRows = Tables<typeof COLUMNS>;

/** Alerts about a figure that has thresholds here. Its load is not for each core, as it is here. */
const METRICS: Record<string, ThresholdMetric> = {
  CPU: "cpu",
  Memory: "memory",
  Disk: "disk",
  Temperature: "temperature",
};
const STATUS = "Status";

const idOf = (system: Fields): string =>
  clean(system.id, 100) || clean(`${textOf(system, "name")} ${textOf(system, "host")} ${textOf(system, "port")}`, 300);

const serverItems = ({ systems, tags }: BeszelRows): Item[] => {
  const names = new Map(tags.map((row) => [textOf(row, "id"), row.name]));
  return systems.map((row, index) => {
    const chosen = jsonIn(row, "tags");
    const own = (Array.isArray(chosen) ? chosen : []).map((id) => names.get(String(id)));
    const name = row.name || row.host;
    return serverItem({
      id: index + 1,
      kind: "system",
      externalId: `server:${idOf(row)}`,
      name,
      group: row.group,
      tags: own,
    });
  });
};

const thresholdItem = (alert: Fields, agent: { id: number; name: string } | null): Item => {
  const kind = textOf(alert, "name");
  const [metric, threshold] = [METRICS[kind] as ThresholdMetric, numberIn(alert, "value") ?? 0];
  const minutes = within(numberIn(alert, "min") || 1, 0, THRESHOLD_MINUTES);
  return {
    ...{ part: "thresholds", externalId: `alert:${agent ? textOf(alert, "system") : "all"} ${kind}`, kind: "alert" },
    name: agent ? `${agent.name}: ${kind}` : kind,
    content: { ...(agent ? { scope: "agent", agent: agent.id } : { scope: "all" }), metric, threshold, minutes },
    notes: [],
  };
};

/** One threshold for all servers where each has the same, and else one for each. */
const alertItems = ({ systems, alerts }: BeszelRows, servers: readonly Item[]): Item[] => {
  const bySystem = new Map(
    systems.map((row, index) => [textOf(row, "id"), { id: index + 1, name: servers[index]?.name ?? "" }]),
  );
  const known = alerts.filter((row) => bySystem.has(textOf(row, "system")));
  // Each user has own alerts; the first of a system counts.
  const distinct = [...new Map(known.toReversed().map((row) => [`${row.system} ${row.name}`, row])).values()].reverse();
  return [...Map.groupBy(distinct, (row) => clean(row.name, 50))].flatMap(([name, own]): Item[] => {
    if (name === STATUS) return [{ ...otherItem("alert:status", name, "alert"), notes: [note("offline_rule")] }];
    if (!Object.hasOwn(METRICS, name)) return [otherItem(`alert:${name}`, name, "alert")];
    const [first = {}] = own;
    const isShared =
      own.length === systems.length && own.every((row) => row.value === first.value && row.min === first.min);
    if (isShared) return [thresholdItem(first, null)];
    return own.map((row) => thresholdItem(row, bySystem.get(textOf(row, "system")) ?? null));
  });
};

/** Addresses that users are notified at, which are written in the form of a library. */
const channelItems = ({ user_settings }: BeszelRows): Item[] =>
  user_settings.flatMap((row) => {
    const { webhooks } = recordOf(jsonIn(row, "settings"));
    return (Array.isArray(webhooks) ? webhooks : []).map((address, index) =>
      otherItem(`webhook:${clean(row.id, 100)} ${index}`, String(address).split(":", 1)[0], "notification"),
    );
  });

const rowsOfYaml = async (upload: Upload): Promise<BeszelRows> => {
  const { systems } = recordOf(await readYaml(upload));
  return {
    systems: (Array.isArray(systems) ? systems : [])
      .map(recordOf)
      .map(({ name, host, port }) => ({ name, host, port })),
    ...{ tags: [], alerts: [], user_settings: [] },
  };
};

export const beszel: Source = {
  name: NAME,
  recognise: (upload, start) =>
    hasTables(upload, start, { systems: ["id", "name", "host", "port", "info"] }) ||
    (/^systems:/m.test(startText(start)) && /^\s*-?\s*host:/m.test(startText(start))),
  read: async (upload) => {
    const start = new Uint8Array(await Bun.file(upload.file).slice(0, 16).arrayBuffer());
    const rows = isSqlite(start) ? readTables(upload, COLUMNS) : await rowsOfYaml(upload);
    const servers = serverItems(rows);
    const items = [...servers, ...alertItems(rows, servers), ...channelItems(rows)];
    return { source: NAME, version: "", sourceId: "", items: boundedItems(items), rules: {}, history: null };
  },
};
