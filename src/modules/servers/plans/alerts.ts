/**
 * Alerts about quotas and contracts, decided from what is stored:
 *
 *   1. each 15 minutes, `alertPlans` reads the servers with a plan page by page, and what was alerted of each (decide.ts)
 *   2. an event is written for each level that was reached, and the first one opens an outage
 *   3. a new month, a greater quota or a later end of the contract ends the outage with an event; without the plan, none
 *
 * `plan_alerts` has the levels that were alerted, each once for a month or an end.
 */
import { and, asc, eq, gt, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { agents, planAlerts as alerts, outages, agentStates as states } from "../../../db/schema";
import { isOneOf, lockRows, withValues } from "../../../db/sql";
import { isoTime } from "../../../lib/time";
import { DAY } from "../../../shared/limits";
import { type AlertFacts, eventKindsOf } from "../../../shared/notifications";
import { dayIn } from "../../../shared/time-zone";
import { writeEventsBySubject } from "../../alerting/events";
import { publishOutages } from "../../alerting/outages/live";
import { closeOutages, openOutagesBySubject } from "../../alerting/outages/statements";
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
type Open = { agentId: number; kind: PlanKind };

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

const keyOf = ({ agentId, kind }: Open): string => `${kind} ${agentId}`;

/** The levels of each period that were alerted. */
const readSent = async ({ db }: Store, ids: readonly number[]) => {
  const rows = ids.length > 0 ? await db.select().from(alerts).where(isOneOf(alerts.agentId, ids)) : [];
  const sent = Map.groupBy(rows, (row) => `${keyOf(row)} ${row.day}`);
  return (watched: Watched): number[] => (sent.get(`${keyOf(watched)} ${watched.day}`) ?? []).map(({ level }) => level);
};

const LEVEL = { agent_id: "bigint", kind: "text", day: "integer", level: "integer" } as const;
const levelRows = (of: readonly { watched: Watched; levels: number[] }[]) =>
  of.flatMap(({ watched: { agentId, kind, day }, levels }) => levels.map((level) => [agentId, kind, day, level]));

const VALUES = {
  ...LEVEL,
  event: "text",
  figure: "double precision",
  facts: "json",
} as const;

/** The statements that write alerts that are due, unless another instance wrote them. The last one returns the agents. */
const writeDue = (due: readonly (Watched & { level: number })[], now: number): SQL[] => {
  const values = withValues(
    "v",
    VALUES,
    due.map(({ agentId, kind, day, level, figure, facts }) => [
      agentId,
      kind,
      day,
      level,
      eventKindsOf(kind).opening,
      figure,
      facts,
    ]),
  );
  const at = sql`cast(${now} as bigint)`;
  const unsent = sql`from v join ${agents} as a on a.id = v.agent_id where not exists (select 1 from ${alerts} as sent
    where sent.agent_id = v.agent_id and sent.kind = v.kind and sent.day = v.day and sent.level = v.level)`;
  return [
    writeEventsBySubject(
      sql`select a.user_id, v.event, 'agent', a.id, a.name, '', v.facts, ${at}, cast(null as bigint), v.figure,
        cast(v.level as double precision), cast(null as text) ${unsent}`,
      values,
    ),
    openOutagesBySubject(sql`select a.user_id, 'agent', a.id, v.kind, '', v.facts, ${at} ${unsent}`, values),
    sql`${values} insert into ${alerts} (agent_id, kind, day, level, at)
      select v.agent_id, v.kind, v.day, v.level, ${at} ${unsent} on conflict do nothing returning agent_id`,
  ];
};

/** The statements that end outages: with an event where the plan says that all is well again. */
const writeEnds = (ends: readonly (Open & { watched: Watched | null })[], now: number): SQL[] => {
  const values = withValues(
    "v",
    { agent_id: "bigint", kind: "text", event: "text", figure: "double precision", facts: "json" },
    ends.map(({ agentId, kind, watched }) => [
      agentId,
      kind,
      watched && eventKindsOf(kind).closing,
      ...(kind === "traffic" ? [watched?.figure, null] : [null, watched?.facts]),
    ]),
  );
  const at = sql`cast(${now} as bigint)`;
  return [
    writeEventsBySubject(
      sql`select a.user_id, v.event, 'agent', a.id, a.name, '', v.facts, ${at}, o.started_at, v.figure,
        cast(null as double precision), cast(null as text)
        from v join ${agents} as a on a.id = v.agent_id join ${outages} as o
          on o.target_type = 'agent' and o.target_id = a.id and o.kind = v.kind and o.ended_at is null
        where v.event is not null`,
      values,
    ),
    closeOutages(sql`select 'agent' as target_type, v.agent_id as target_id, v.kind, ${at} as ended_at from v`, values),
    // A plan that was removed and entered again alerts again.
    sql`${values} delete from ${alerts} where (agent_id, kind) in (select v.agent_id, v.kind from v where v.event is null)`,
  ];
};

/** Compares the plans of agents with what was alerted, and writes what changes. Returns whether events were written. */
const updateAlerts = async (deps: Store, ids: readonly number[], open: readonly Open[]): Promise<boolean> => {
  const { db, clock } = deps;
  const now = clock.now();
  const watched = await readWatched(deps, ids, now);
  const sentOf = await readSent(deps, ids);
  const changed = watched.map((one) => ({ watched: one, ...changesOf(one, sentOf(one)) }));
  const due = changed.flatMap(({ watched: one, due: level }) => (level === null ? [] : [{ ...one, level }]));
  const byKey = new Map(watched.map((one) => [keyOf(one), one]));
  const ends = open.flatMap((outage) => {
    const plan = byKey.get(keyOf(outage)) ?? null;
    return plan && plan.reached.length > 0 ? [] : [{ ...outage, watched: plan }];
  });
  const added = levelRows(changed.map(({ watched: one, added: levels }) => ({ watched: one, levels })));
  const removed = levelRows(changed.map(({ watched: one, removed: levels }) => ({ watched: one, levels })));
  const touched = [...new Set([...due, ...ends].map(({ agentId }) => agentId))];
  if (touched.length === 0 && added.length === 0 && removed.length === 0) return false;
  const at = sql`cast(${now} as bigint)`;
  await db.atomically(() => [
    ...lockRows(states, states.agentId, isOneOf(states.agentId, touched)),
    ...(due.length > 0 ? writeDue(due, now) : []),
    ...(added.length > 0
      ? [
          sql`${withValues("v", LEVEL, added)} insert into ${alerts} (agent_id, kind, day, level, at)
            select v.agent_id, v.kind, v.day, v.level, ${at} from v join ${agents} as a on a.id = v.agent_id where true
            on conflict do nothing`,
        ]
      : []),
    ...(removed.length > 0
      ? [
          sql`${withValues("v", LEVEL, removed)} delete from ${alerts}
            where (agent_id, kind, day, level) in (select v.agent_id, v.kind, v.day, v.level from v)`,
        ]
      : []),
    ...(ends.length > 0 ? writeEnds(ends, now) : []),
  ]);
  await publishOutages(deps, "agent", touched);
  return due.length > 0 || ends.some((end) => end.watched !== null);
};

/** The open outages about plans, of all agents or of one. */
const readOpen = async ({ db }: Store, agentId?: number): Promise<Open[]> => {
  const rows = await db
    .select({ agentId: outages.targetId, kind: outages.kind })
    .from(outages)
    .where(
      and(
        eq(outages.targetType, "agent"),
        or(eq(outages.kind, "traffic"), eq(outages.kind, "contract")),
        isNull(outages.endedAt),
        agentId === undefined ? undefined : eq(outages.targetId, agentId),
      ),
    );
  return rows as Open[];
};

/** Writes what changes in the alerts about plans. Returns whether events were written. */
export const alertPlans = async (deps: Store): Promise<boolean> => {
  const { db, clock } = deps;
  const open = Map.groupBy(await readOpen(deps), ({ agentId }) => agentId);
  let written = false;
  for (let after = 0; ; ) {
    const { id, plan } = agents;
    const page = await db.select({ id, plan }).from(agents).where(gt(id, after)).orderBy(asc(id)).limit(PAGE);
    const planned = page.filter((row) => row.plan !== null || open.has(row.id)).map((row) => row.id);
    const changed =
      planned.length > 0 &&
      (await updateAlerts(
        deps,
        planned,
        planned.flatMap((agentId) => open.get(agentId) ?? []),
      ));
    written ||= changed;
    after = page.at(-1)?.id ?? 0;
    if (page.length < PAGE) break;
    await clock.sleep(5);
  }
  await db.rows(sql`delete from ${alerts} where at < ${clock.now() - RETENTION} and not exists (select 1 from ${outages} as o
    where o.target_type = 'agent' and o.target_id = agent_id and o.kind = ${alerts.kind} and o.ended_at is null)`);
  return written;
};

/** Ends the outages that a change of a server's plan ends, before the next `alertPlans`. */
export const endPlanOutages = async (deps: Store, agentId: number): Promise<void> => {
  const open = await readOpen(deps, agentId);
  if (open.length > 0) await updateAlerts(deps, [agentId], open);
};
