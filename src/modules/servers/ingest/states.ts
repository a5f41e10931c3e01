/** Servers as their latest reports describe them: on SQLite some of these wait in the journal, which no other reader knows. */
import { asc, eq, type GetColumnData, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Deps } from "../../../core/deps";
import type { Database } from "../../../db/database";
import { agents, agentStates as states } from "../../../db/schema";
import { writePendingOf } from "./journal/journal";
import { heldOf, pendingOf, stateWith } from "./journal/pending";

/** A stored state, or some of its columns, as the latest report describes it. */
export const currentState = <T extends object>(db: Pick<Database, "atomically">, agentId: number, state: T): T => {
  const held = heldOf(db, agentId);
  return held ? stateWith(held, state) : state;
};

/** These columns of servers and of their current states, in the order of the ids. */
export const readServers = async <T extends Record<string, SQLiteColumn>>(
  db: Database,
  columns: T,
  condition: SQL | undefined,
  limit?: number,
) => {
  const query = db
    .select({ ...columns, agentId: states.agentId })
    .from(agents)
    .innerJoin(states, eq(states.agentId, agents.id))
    .where(condition)
    .orderBy(asc(states.agentId));
  type Row = { [Name in keyof T]: GetColumnData<T[Name]> } & { agentId: number };
  const rows = (await (limit === undefined ? query : query.limit(limit))) as Row[];
  return rows.map((row) => currentState(db, row.agentId, row));
};

/** Changes stored states after the reports of their agents that wait in the journal are written to them. */
export const changeStates = <T>(
  { db }: Pick<Deps, "db">,
  agentIds: readonly number[] | (() => Promise<readonly number[]>),
  body: () => Promise<T>,
): Promise<T> => {
  const pending = pendingOf(db);
  return pending.exclusively(async () => {
    await writePendingOf({ db }, pending, typeof agentIds === "function" ? await agentIds() : agentIds);
    return body();
  });
};

/** The samples of an agent that wait in the journal, as bytes of a pack. */
export const waitingSamples = (db: Pick<Database, "atomically">, agentId: number): Uint8Array | null =>
  heldOf(db, agentId)?.samples?.bytes ?? null;
