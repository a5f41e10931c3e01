/** komari: its SQLite file, `komari.db`. */
import type { TrafficMode } from "../../../../shared/agents/server-plan";
import type { Item, Source } from "../source";
import { hasTables, readTables } from "../tables";
import { boundedItems, type Fields, flagIn, numberIn, textOf } from "../text";
import { otherItem, serverItem } from "./item";

const NAME = "komari";

const COLUMNS = {
  clients: [
    ...["uuid", "name", "group", "tags", "weight", "price", "billing_cycle", "auto_renewal", "currency", "expired_at"],
    ...["traffic_limit", "traffic_limit_type", "remark"],
  ],
  ping_tasks: ["id", "name"],
} as const;

/** The smaller direction counts with `min`, which there is not here. */
const MODES: Record<string, TrafficMode> = { sum: "sum", max: "max", up: "tx", down: "rx", min: "max" };

/** Days of a month on average. */
const MONTH = 365.25 / 12;

/** A tag may have the name of a colour behind it: `prod<red>`. */
const tagsOf = (row: Fields): string[] =>
  textOf(row, "tags")
    .split(";")
    .map((tag) => tag.replace(/<\w+>\s*$/, ""));

const itemOf = (row: Fields, id: number): Item =>
  serverItem({
    ...{
      id,
      kind: "client",
      externalId: `server:${textOf(row, "uuid").slice(0, 100)}`,
      name: row.name,
      group: row.group,
    },
    tags: tagsOf(row),
    traffic: { bytes: numberIn(row, "traffic_limit") ?? 0, mode: MODES[textOf(row, "traffic_limit_type")] ?? "max" },
    billing: {
      ends: textOf(row, "expired_at"),
      // -1 stands for a server that costs nothing.
      price: numberIn(row, "price"),
      currency: textOf(row, "currency") || "$",
      months: (numberIn(row, "billing_cycle") ?? 0) / MONTH,
      isRenewed: flagIn(row, "auto_renewal"),
      remark: textOf(row, "remark").trim(),
    },
  });

export const komari: Source = {
  name: NAME,
  recognise: (upload, start) => hasTables(upload, start, { clients: ["uuid", "name", "billing_cycle"] }),
  read: async (upload) => {
    const { clients, ping_tasks } = readTables(upload, COLUMNS);
    const ordered = clients.toSorted((one, other) => (numberIn(one, "weight") ?? 0) - (numberIn(other, "weight") ?? 0));
    const tasks = ping_tasks.map((row) => otherItem(`ping:${numberIn(row, "id")}`, row.name, "ping task"));
    const items = [...ordered.map((row, index) => itemOf(row, index + 1)), ...tasks];
    return { source: NAME, version: "", sourceId: "", items: boundedItems(items), rules: {}, history: null };
  },
};
