/** The teams of the rows that calls are about. Other modules provide their tables. */
import { type Column, type SQLWrapper, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";

/** The tables whose rows belong to teams, by the routes that end with the id of a row. */
type TeamRows = Readonly<Record<string, SQLWrapper & { id: Column; teamId: Column }>>;

let provided: TeamRows = {};

/** Sets which table each route is about. */
export const provideTeamRows = (rows: TeamRows): void => {
  provided = rows;
};

/** The team of the row that a route with an id is about; undefined without one. */
export const teamOfRow = async (
  { db }: Pick<Deps, "db">,
  route: string,
  id: string | undefined,
): Promise<number | undefined> => {
  const table = provided[/^.*?\/:id/.exec(route)?.[0] ?? ""];
  if (!table || !/^\d{1,15}$/.test(id ?? "")) return undefined;
  const [row] = await db.rows(sql`select ${table.teamId} as team from ${table} where ${table.id} = ${Number(id)}`);
  return row && Number(row.team);
};
