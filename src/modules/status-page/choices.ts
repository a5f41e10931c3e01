import { and, asc, type Column, or, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { ownedBy, type Viewer } from "../../db/owner";
import { agents, monitors } from "../../db/schema";
import { containsText, isOneOf } from "../../db/sql";
import { STATUS_LIMITS } from "../../shared/status-page";

type Store = Pick<Deps, "db">;
type Owner = Pick<Viewer, "teamId">;

/** The maximum of listed items: as many as can be selected. */
const LISTED_CHOICES = STATUS_LIMITS.chosen;

const ownMonitors = ({ db }: Store, where: SQL, order: SQL[]) =>
  db
    .select({ id: monitors.id, name: monitors.name })
    .from(monitors)
    .where(where)
    .orderBy(...order)
    .limit(LISTED_CHOICES);

const ownAgents = ({ db }: Store, where: SQL, order: SQL[]) =>
  db
    .select({ id: agents.id, name: agents.name, hostname: agents.hostname })
    .from(agents)
    .where(where)
    .orderBy(...order)
    .limit(LISTED_CHOICES);

/** The owner's monitors or servers, in the order of their ids; with `search` those that contain it in one of `columns`. */
const listOwn = async <T extends { id: number }>(
  read: (store: Store, where: SQL, order: SQL[]) => Promise<T[]>,
  store: Store,
  owner: Owner,
  {
    table,
    columns,
    chosen,
    search,
  }: { table: typeof monitors | typeof agents; columns: Column[]; chosen: number[]; search: string },
) => {
  const wanted = search.trim();
  const matches = columns.map((column) => containsText(column, wanted));
  const own = ownedBy(table, owner.teamId);
  const where = (wanted ? and(own, or(...matches)) : own) as SQL;
  const chosenFirst = chosen.length > 0 ? [sql`case when ${isOneOf(table.id, chosen)} then 0 else 1 end`] : [];
  const rows = await read(store, where, [...chosenFirst, asc(table.id)]);
  const ids = new Set(chosen);
  return rows.toSorted((one, other) => one.id - other.id).map((row) => ({ ...row, selected: ids.has(row.id) }));
};

type Chosen = { chosen: number[]; search: string };

/** The owner's monitors with whether they are chosen: at most 1,000, chosen ones first, in the order of their ids. */
export const listMonitors = (store: Store, owner: Owner, { chosen, search }: Chosen) =>
  listOwn(ownMonitors, store, owner, { table: monitors, columns: [monitors.name], chosen, search });

/** The owner's servers, as `listMonitors` lists monitors; they are found by their host names too. */
export const listServers = (store: Store, owner: Owner, { chosen, search }: Chosen) =>
  listOwn(ownAgents, store, owner, { table: agents, columns: [agents.name, agents.hostname], chosen, search });

/** Filters `ids` to the owner's, in the same order. */
export const knownIds = async (
  { db }: Store,
  owner: Owner,
  table: typeof monitors | typeof agents,
  ids: number[],
): Promise<number[]> => {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: table.id })
    .from(table)
    .where(and(ownedBy(table, owner.teamId), isOneOf(table.id, ids)));
  const own = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => own.has(id));
};
