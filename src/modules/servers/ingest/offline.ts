import { and, eq, lt, min, ne, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { createDueCheck } from "../../../db/due";
import { agentStates as states } from "../../../db/schema";
import { isOneOf, lock, lockRows } from "../../../db/sql";
import { SECOND } from "../../../shared/limits";
import { type Change, report } from "../../alerting/report";
import { publishServers } from "../live";
import { clockFactOf } from "../machine";
import { writePendingOf } from "./journal/journal";
import { pendingOf } from "./journal/pending";

/** The shortest time without a report until an agent is offline (ms). */
const LEAST_OFFLINE_AFTER = 90 * SECOND;

/** Milliseconds without a report until an agent is offline: three of its intervals, at least 90 seconds. */
export const offlineAfter = (interval: number): number => Math.max(3 * interval * SECOND, LEAST_OFFLINE_AFTER);

/** When the first report was missing: one interval after the last one, unless the deadline was extended. */
const firstMissed = (deadline: number, interval: number): number =>
  deadline - offlineAfter(interval) + interval * SECOND;

/** Active agents with a stored deadline before this time, with the deadlines that their pending reports have. */
const readDeadlines = async ({ db }: Pick<Deps, "db">, before: number) => {
  const { byServer } = pendingOf(db);
  const { agentId: id, expiresAt, status } = states;
  const condition = and(lt(expiresAt, before), eq(status, "active"));
  const stored = await db.select({ id, expiresAt }).from(states).where(condition);
  return stored.map((row) => ({ id: row.id, expiresAt: byServer.get(row.id)?.expiresAt ?? row.expiresAt ?? 0 }));
};

/**
 * Marks agents without a report for three of their intervals as inactive and opens their outages; their last figures
 * stay. Returns whether events were written.
 */
export const markOfflineServers = (deps: Pick<Deps, "db" | "clock" | "live" | "log">): Promise<boolean> =>
  pendingOf(deps.db).exclusively(() => markOffline(deps));

const markOffline = async (deps: Pick<Deps, "db" | "clock" | "live" | "log">): Promise<boolean> => {
  const { db, clock } = deps;
  const now = clock.now();
  const isOverdue = and(lt(states.expiresAt, now), eq(states.status, "active"));
  const ids = (await readDeadlines({ db }, now)).flatMap(({ id, expiresAt }) => (expiresAt < now ? [id] : []));
  if (ids.length === 0) return false;
  await writePendingOf({ db }, pendingOf(db), ids);
  const overdue = and(isOverdue, isOneOf(states.agentId, ids));
  const marked = await db.transact(async (tx) => {
    // Locks the states, so that a concurrent report is stored either before or after.
    await lock(tx, lockRows(states, states.agentId, overdue));
    const { agentId, expiresAt, reportedAt, interval, extra } = states;
    const rows = await tx.select({ agentId, expiresAt, reportedAt, interval, extra }).from(states).where(overdue);
    // The event's time is the agent's deadline, so that only one of two concurrent instances writes it.
    const change = ({ agentId, expiresAt, reportedAt, interval, extra }: (typeof rows)[number]): Change => ({
      ...{ targetId: agentId, kind: "offline", at: expiresAt ?? now, opens: true, since: reportedAt },
      ...{ startedAt: firstMissed(expiresAt ?? now, interval ?? 0), startedAfter: reportedAt },
      ...{ interval: (interval ?? 0) * SECOND, facts: clockFactOf(extra) },
    });
    await report({ ...deps, db: tx }, "agent", rows.map(change));
    await tx.update(states).set({ status: "inactive" }).where(overdue);
    return rows;
  });
  await publishServers(deps, { ids: marked.map(({ agentId }) => agentId) });
  return marked.length > 0;
};

/** The earliest deadline that has passed, including pending reports; null if none has. */
const readOverdueSince = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<number | null> => {
  const now = clock.now();
  const first = Math.min(...(await readDeadlines({ db }, now)).map(({ expiresAt }) => expiresAt));
  return first < now ? first : null;
};

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
  for (const held of pendingOf(db).byServer.values()) {
    const deadline = clock.now() + LONGEST_PAUSE + offlineAfter(held.interval ?? 0);
    if (clockSetBack || (held.expiresAt ?? 0) < deadline) held.expiresAt = deadline;
  }
  const usual = sql`case when ${states.interval} > 30 then 3000 * ${states.interval} else 90000 end`;
  const deadline = sql`${clock.now() + LONGEST_PAUSE} + ${usual}`;
  const wrong = clockSetBack ? ne(states.expiresAt, deadline) : lt(states.expiresAt, deadline);
  const condition = and(eq(states.status, "active"), wrong);
  await db.atomically((tx) => [
    ...lockRows(states, states.agentId, condition),
    tx.update(states).set({ expiresAt: deadline }).where(condition),
  ]);
};

/** The earliest stored deadline of an active agent; null without active agents. */
const readNextDeadline = async ({ db }: Pick<Deps, "db">): Promise<number | null> => {
  const [row] = await db
    .select({ at: min(states.expiresAt) })
    .from(states)
    .where(eq(states.status, "active"));
  return row?.at ?? null;
};

/**
 * The time until which no agent can go offline: the earliest deadline, including pending reports, or the shortest deadline of
 * reports from now on. Stored deadlines of servers with pending reports passed long ago, and would be read every few seconds.
 */
const readQuietUntil = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<number> => {
  const latest = clock.now() + LEAST_OFFLINE_AFTER;
  // Reports become pending, or are written, while deadlines are read.
  const held = [...pendingOf(db).byServer.values()].map(({ expiresAt }) => expiresAt ?? 0);
  const stored = (await readDeadlines({ db }, latest)).map(({ expiresAt }) => expiresAt);
  return [...held, ...stored].reduce((first, at) => Math.min(first, at), latest);
};

/**
 * Creates the job that marks agents offline, to be called every few seconds; it returns whether events were
 * written. On SQLite it makes no query until a deadline has passed or a state was written. It judges nothing while the hub
 * knows nothing, and extends all deadlines first after that, and after the clock was set back.
 */
export const createOfflineSweep = (deps: Pick<Deps, "db" | "clock" | "live" | "log" | "watching">) => {
  const isAnyDue = createDueCheck({ ...deps, tables: [states], read: () => readNextDeadline(deps) });
  let quietUntil = 0;
  const catchUp = deps.watching.follow(async ({ clockSetBack }) => {
    if (clockSetBack) quietUntil = 0;
    await extendDeadlines(deps, clockSetBack);
  });
  return async (): Promise<boolean> => {
    if (deps.watching.isBlind()) return false;
    await catchUp();
    let eventsWritten = false;
    if ((await isAnyDue()) && deps.clock.now() > quietUntil) {
      const missingSince = await readOverdueSince(deps);
      if (missingSince !== null && !(await deps.watching.confirm(missingSince))) return false;
      eventsWritten = await markOfflineServers(deps);
      if (deps.db.engine === "sqlite") quietUntil = await readQuietUntil(deps);
    }
    return eventsWritten;
  };
};
