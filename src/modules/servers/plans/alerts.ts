/**
 * Alerts about quotas and contracts, decided from what is stored:
 *
 *   1. each 15 minutes, `alertPlans` reads the servers with a plan page by page, and what was alerted of each (decide.ts)
 *   2. each level that was reached is reported, and the first one opens an outage
 *   3. a new month, a greater quota or a later end of the contract ends the outage with an event; without the plan, none
 *
 * `plan_alerts` has the levels that were alerted, each once for a month or an end.
 */
import { and, asc, eq, gt, lt, not, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { insertMany } from "../../../db/insert-many";
import { agents, planAlerts as alerts, agentStates as states } from "../../../db/schema";
import { isOneOf, lock, lockRows, withValues } from "../../../db/sql";
import { isoTime } from "../../../lib/time";
import { DAY } from "../../../shared/limits";
import type { AlertFacts } from "../../../shared/notifications";
import { dayIn } from "../../../shared/time-zone";
import { type Change, readOpenOutages, report } from "../../alerting/report";
import { readServers } from "../ingest/states";
import { readUsage } from "../traffic/present";
import { readZones } from "../traffic/zones";
import { changesOf, contractPeriod, type Period, type PlanKind, trafficPeriod } from "./decide";

type Store = Pick<Deps, "db" | "clock" | "live" | "log">;

/** Agents that are read at once. */
const PAGE = 500;
/** How long alerts of past months and contracts are kept. */
const RETENTION = 400 * DAY;

/** A period of a server's plan, with what its alert says. */
type Watched = Period & { agentId: number; facts: AlertFacts | null };
const KINDS: readonly PlanKind[] = ["traffic", "contract"];

/** The plans of a page of agents, with their traffic. */
const readWatched = async (deps: Store, ids: readonly number[], now: number): Promise<Watched[]> => {
  if (ids.length === 0) return [];
  const { db } = deps;
  const { id, userId, plan } = agents;
  const rows = await readServers(db, { id, userId, plan, traffic: states.traffic }, isOneOf(id, ids));
  const limited = rows.filter(({ plan }) => (plan?.traffic?.quota ?? null) !== null);
  const usage = await readUsage(
    deps,
    limited.map(({ traffic, ...agent }) => ({ agent, state: { traffic } })),
    now,
  );
  const zoneOf = await readZones(deps, rows, now);
  return [
    ...usage.map(({ agentId, first, percent, exhaustedAt }) => {
      const facts = exhaustedAt === null ? null : { exhausted_at: isoTime(exhaustedAt) };
      return { agentId, ...trafficPeriod(first, percent ?? 0), facts };
    }),
    ...rows.flatMap(({ id, userId, plan }) => {
      const contract = plan?.contract;
      if (!contract) return [];
      const period = contractPeriod(contract, dayIn(zoneOf({ userId, plan }), now));
      return [{ agentId: id, ...period, facts: { ends_on: contract.endsOn } }];
    }),
  ];
};

const keyOf = ({ agentId, kind }: Pick<Watched, "agentId" | "kind">): string => `${kind} ${agentId}`;

/** The levels of each period that were alerted. */
const readSent = async ({ db }: Store, ids: readonly number[]) => {
  const rows = ids.length > 0 ? await db.select().from(alerts).where(isOneOf(alerts.agentId, ids)) : [];
  const sent = Map.groupBy(rows, (row) => `${keyOf(row)} ${row.day}`);
  return (watched: Watched): number[] => (sent.get(`${keyOf(watched)} ${watched.day}`) ?? []).map(({ level }) => level);
};

type Level = Pick<typeof alerts.$inferSelect, "agentId" | "kind" | "day" | "level">;
const LEVEL = { agent_id: "bigint", kind: "text", day: "integer", level: "integer" } as const;

/** The end of an outage: with an event where the plan says that all is well again. */
const endOf = (targetId: number, kind: PlanKind, watched: Watched | undefined, at: number): Change => ({
  ...{ targetId, kind, at, opens: false, silent: watched === undefined },
  ...(kind === "traffic" ? { figure: watched?.figure ?? null } : { facts: watched?.facts ?? null }),
});

/** Compares plans of agents with what was alerted and is open. */
const decide = async (deps: Store, watched: readonly Watched[], ids: readonly number[], now: number) => {
  const sentOf = await readSent(deps, ids);
  const open = await readOpenOutages(deps, "agent", KINDS, ids);
  const compared = watched.map((one) => ({ ...one, ...changesOf(one, sentOf(one)) }));
  const due = compared.flatMap(({ agentId, kind, due: threshold, figure, facts }): Change[] =>
    threshold === null ? [] : [{ targetId: agentId, kind, at: now, opens: true, figure, threshold, facts }],
  );
  const byKey = new Map(watched.map((one) => [keyOf(one), one]));
  const ends = open.flatMap(({ targetId, kind }) => {
    const plan = byKey.get(keyOf({ agentId: targetId, kind }));
    return plan && plan.reached.length > 0 ? [] : [endOf(targetId, kind, plan, now)];
  });
  const levelsOf = (which: "added" | "removed") =>
    compared.flatMap(({ agentId, kind, day, ...one }) =>
      one[which].map((level): Level => ({ agentId, kind, day, level })),
    );
  const [changes, added, removed] = [[...due, ...ends], levelsOf("added"), levelsOf("removed")];
  const touched = [...changes.map(({ targetId }) => targetId), ...[...added, ...removed].map(({ agentId }) => agentId)];
  return { changes, added, removed, touched: [...new Set(touched)] };
};

const deleteLevels = (levels: readonly Level[]): SQL => {
  const rows = levels.map(({ agentId, kind, day, level }) => [agentId, kind, day, level]);
  return sql`${withValues("v", LEVEL, rows)} delete from ${alerts}
    where (agent_id, kind, day, level) in (select v.agent_id, v.kind, v.day, v.level from v)`;
};

/** Compares the plans of agents with what was alerted, and writes what changes. Returns whether events were written. */
const updateAlerts = async (deps: Store, ids: readonly number[]): Promise<boolean> => {
  const now = deps.clock.now();
  const watched = await readWatched(deps, ids, now);
  const { touched } = await decide(deps, watched, ids, now);
  if (touched.length === 0) return false;
  return deps.db.transact(async (tx) => {
    // Another instance may have alerted since, and agents may have been deleted.
    const isTouched = isOneOf(states.agentId, touched);
    await lock(tx, lockRows(states, states.agentId, isTouched));
    const present = (await tx.select({ id: states.agentId }).from(states).where(isTouched)).map(({ id }) => id);
    const left = watched.filter(({ agentId }) => present.includes(agentId));
    const { changes, added, removed } = await decide({ ...deps, db: tx }, left, present, now);
    await report({ ...deps, db: tx }, "agent", changes);
    await insertMany(
      tx,
      alerts,
      added.map((level) => ({ ...level, at: now })),
    );
    if (removed.length > 0) await tx.rows(deleteLevels(removed));
    // A plan that was removed and entered again alerts again.
    for (const { targetId, kind, opens, silent } of changes)
      if (!opens && silent)
        await tx.delete(alerts).where(and(eq(alerts.agentId, targetId), eq(alerts.kind, kind as PlanKind)));
    return changes.some(({ silent }) => !silent);
  });
};

/** Writes what changes in the alerts about plans. Returns whether events were written. */
export const alertPlans = async (deps: Store): Promise<boolean> => {
  const { db, clock } = deps;
  const open = await readOpenOutages(deps, "agent", KINDS);
  const alerting = new Set(open.map(({ targetId }) => targetId));
  let written = false;
  for (let after = 0; ; ) {
    const { id, plan } = agents;
    const page = await db.select({ id, plan }).from(agents).where(gt(id, after)).orderBy(asc(id)).limit(PAGE);
    const planned = page.filter((row) => row.plan !== null || alerting.has(row.id)).map((row) => row.id);
    if (planned.length > 0 && (await updateAlerts(deps, planned))) written = true;
    after = page.at(-1)?.id ?? 0;
    if (page.length < PAGE) break;
    await clock.sleep(5);
  }
  const isOld = lt(alerts.at, clock.now() - RETENTION);
  await db.delete(alerts).where(and(isOld, not(isOneOf(alerts.agentId, [...alerting]))));
  return written;
};

/** Ends the outages that a change of a server's plan ends, before the next `alertPlans`. */
export const endPlanOutages = async (deps: Store, agentId: number): Promise<void> => {
  const open = await readOpenOutages(deps, "agent", KINDS, [agentId]);
  if (open.length > 0) await updateAlerts(deps, [agentId]);
};
