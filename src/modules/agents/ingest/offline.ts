import { and, eq, lt, min, ne, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { createDueCheck } from "../../../db/due";
import { agents, agentStates as states } from "../../../db/schema";
import { isOneOf, lockRows } from "../../../db/sql";
import { SECOND } from "../../../shared/limits";
import { writeEvents } from "../../notifications/events";
import { closeOutages, openOutages } from "../../outages/statements";
import { publishAgents } from "../live";
import { writeAllPending, writePendingOf } from "./journal";
import { pendingOf } from "./pending";

/** Milliseconds without a report after which an agent is offline: three of its intervals, at least 90 seconds. */
export const offlineAfter = (interval: number): number => Math.max(3 * interval, 90) * SECOND;

/**
 * Marks agents without a report for three of their intervals as inactive and opens their outages; their last figures
 * stay. Returns whether events were written.
 */
export const markOfflineAgents = (deps: Pick<Deps, "db" | "clock" | "live" | "log">): Promise<boolean> =>
  pendingOf(deps.db).exclusively(() => markOffline(deps));

/** The agents whose stored deadline has passed, without those whose pending reports have a later one. */
const findOverdue = async ({ db }: Pick<Deps, "db">, overdue: SQL | undefined, now: number): Promise<number[]> => {
  const { byAgent } = pendingOf(db);
  const found = await db.select({ id: states.agentId }).from(states).where(overdue);
  return found.map(({ id }) => id).filter((id) => (byAgent.get(id)?.state.expiresAt ?? 0) < now);
};

const markOffline = async (deps: Pick<Deps, "db" | "clock" | "live" | "log">): Promise<boolean> => {
  const { db, clock } = deps;
  const isOverdue = and(lt(states.expiresAt, clock.now()), eq(states.status, "active"));
  const ids = await findOverdue({ db }, isOverdue, clock.now());
  if (ids.length === 0) return false;
  await writePendingOf({ db }, pendingOf(db), ids);
  const overdue = and(isOverdue, isOneOf(states.agentId, ids));
  // The event's time is the agent's deadline, so that only one of two concurrent instances writes it.
  const results = await db.atomically((tx) => [
    // Locks the states, so that a concurrent report is stored either before or after.
    ...lockRows(states, states.agentId, overdue),
    writeEvents(sql`select ${agents.userId}, 'offline', 'agent', ${agents.id}, ${agents.name}, ${states.expiresAt}, ${states.reportedAt},
      cast(null as text), cast(null as jsonb), cast(null as double precision), cast(null as double precision), cast(null as text)
      from ${states} join ${agents} on ${agents.id} = ${states.agentId} where ${overdue}`),
    openOutages(sql`select ${agents.userId}, 'agent', ${agents.id}, 'offline', ${states.expiresAt},
      cast(null as text), cast(null as jsonb), cast(null as text), cast(null as integer), cast(null as text)
      from ${states} join ${agents} on ${agents.id} = ${states.agentId} where ${overdue}`),
    tx.update(states).set({ status: "inactive" }).where(overdue).returning({ id: states.agentId }),
  ]);
  const marked = results.at(-1) as { id: number }[];
  await publishAgents(deps, { ids: marked.map(({ id }) => Number(id)) }, true);
  return marked.length > 0;
};

/** The statement that writes online events of agents that were offline; it returns a row for each. */
export const writeOnlineEvents = (keyHashes: string[], now: number): SQL => {
  const offline = and(eq(states.status, "inactive"), isOneOf(states.keyHash, keyHashes));
  return sql`${writeEvents(sql`select ${agents.userId}, 'online', 'agent', ${agents.id}, ${agents.name}, cast(${now} as bigint), ${states.reportedAt},
    cast(null as text), cast(null as jsonb), cast(null as double precision), cast(null as double precision), cast(null as text)
    from ${states} join ${agents} on ${agents.id} = ${states.agentId} where ${offline}`)} returning id`;
};

/** The statement that closes the outages of agents that were offline. */
export const closeOfflineOutages = (keyHashes: string[], now: number): SQL =>
  closeOutages(sql`select 'agent' as target_type, ${states.agentId} as target_id, 'offline' as kind, cast(${now} as bigint) as ended_at
    from ${states} where ${and(eq(states.status, "inactive"), isOneOf(states.keyHash, keyHashes))}`);

/** The agent's longest pause after a failed report in milliseconds, as in src/agent/send/hub-client.ts. */
const LONGEST_PAUSE = 60 * SECOND;

/**
 * Extends the deadlines of active agents after a time without reports because of the hub: every agent has at least its
 * usual time from now on, plus its longest retry pause. With `clockSetBack` later deadlines are
 * shortened to that, too.
 */
export const extendDeadlines = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  clockSetBack = false,
): Promise<void> => {
  // Pending reports have deadlines, too.
  await writeAllPending({ db, clock });
  const usual = sql`case when ${states.interval} > 30 then 3000 * ${states.interval} else 90000 end`;
  const deadline = sql`${clock.now() + LONGEST_PAUSE} + ${usual}`;
  const wrong = clockSetBack ? ne(states.expiresAt, deadline) : lt(states.expiresAt, deadline);
  const condition = and(eq(states.status, "active"), wrong);
  await db.atomically((tx) => [
    ...lockRows(states, states.agentId, condition),
    tx.update(states).set({ expiresAt: deadline }).where(condition),
  ]);
};

/** After a pause of this length the hub cannot know which agents tried to report. */
const PAUSE = 30 * SECOND;

/** The earliest time at which an active agent is offline unless it reports; null without active agents. */
const readNextDeadline = async ({ db }: Pick<Deps, "db">): Promise<number | null> => {
  const [row] = await db
    .select({ at: min(states.expiresAt) })
    .from(states)
    .where(eq(states.status, "active"));
  return row?.at ?? null;
};

/**
 * Creates the job that marks agents offline, to be called every few seconds; it returns whether events were
 * written. On SQLite it makes no query until a deadline has passed or a state was written. After a pause of the job itself (the machine slept, its clock was set, the database was unavailable) all
 * deadlines are extended first.
 */
export const createOfflineSweep = (deps: Pick<Deps, "db" | "clock" | "live" | "log">) => {
  const isAnyDue = createDueCheck({ ...deps, tables: [states], read: () => readNextDeadline(deps) });
  let sweptAt = deps.clock.now();
  return async (): Promise<boolean> => {
    const now = deps.clock.now();
    if (now - sweptAt >= PAUSE || now < sweptAt) await extendDeadlines(deps, now < sweptAt);
    const eventsWritten = (await isAnyDue()) && (await markOfflineAgents(deps));
    sweptAt = now;
    return eventsWritten;
  };
};
