/**
 * Traffic by day: the states of agents have the current day, and days with late samples; a job moves past days to
 * `traffic_days`. The traffic of a day is the sum of both.
 */
import { and, eq, gt, gte, lt, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { agents, agentStates as states, trafficDays } from "../../../db/schema";
import { isOneOf, lockRows, withValues } from "../../../db/sql";
import { DAY } from "../../../shared/limits";
import { dayIn } from "../../../shared/time-zone";
import { changeStates, readServers } from "../ingest/states";
import { addBytes, type Bytes, type TrafficState } from "./count";
import { readZones } from "./zones";

/** How long days are kept. */
const DAYS_KEPT = 400;
/** Agents of one transaction, and rows that are deleted at once. */
const [PAGE, PURGED_AT_ONCE] = [500, 5000];

type Store = Pick<Deps, "db" | "clock">;

/** A page of servers with their traffic. */
const readStates = ({ db }: Store, condition: SQL) =>
  readServers(db, { userId: agents.userId, plan: agents.plan, traffic: states.traffic }, condition, PAGE);

/** The days of states that are over, and the states without them. */
const findPast = async (deps: Store, rows: Awaited<ReturnType<typeof readStates>>) => {
  const now = deps.clock.now();
  const counted = rows.flatMap(({ traffic, ...row }) => (traffic ? [{ ...row, traffic }] : []));
  const zoneOf = await readZones(deps, counted, now);
  return counted.flatMap(({ traffic, ...row }) => {
    const today = dayIn(zoneOf(row), now);
    const days = Object.entries(traffic.days).map(([day, bytes]): [number, Bytes] => [Number(day), bytes]);
    const past = days.filter(([day]) => day < today);
    if (past.length === 0) return [];
    const rest = Object.fromEntries(days.filter(([day]) => day >= today));
    const next: TrafficState = { ...traffic, revision: traffic.revision + 1, days: rest };
    return [{ agentId: row.agentId, revision: traffic.revision, next, past }];
  });
};

/** The sum of two columns, up to the largest exact integer. */
const grown = (name: "rx" | "tx") =>
  sql.raw(`${name} = case when t.${name} > ${Number.MAX_SAFE_INTEGER} - excluded.${name} then ${Number.MAX_SAFE_INTEGER}
    else t.${name} + excluded.${name} end`);

/** Moves the past days of these agents, of states that have not changed since they were read. */
const movePast = (deps: Store, ids: readonly number[]): Promise<void> =>
  // Reports in the journal were counted from the state that this changes.
  changeStates(deps, ids, async () => {
    const pastDays = await findPast(deps, await readStates(deps, isOneOf(states.agentId, ids)));
    if (pastDays.length === 0) return;
    const days = withValues(
      "v",
      { agent_id: "bigint", revision: "bigint", day: "integer", rx: "bigint", tx: "bigint" },
      pastDays.flatMap(({ agentId, revision, past }) =>
        past.map(([day, [rx, tx]]) => [agentId, revision, day, rx, tx]),
      ),
    );
    const rests = withValues(
      "v",
      { agent_id: "bigint", revision: "bigint", traffic: "json" },
      pastDays.map(({ agentId, revision, next }) => [agentId, revision, next]),
    );
    const unchanged = sql`${states.agentId} = v.agent_id and cast(${states.traffic} ->> 'revision' as bigint) = v.revision`;
    await deps.db.atomically(() => [
      ...lockRows(states, states.agentId, isOneOf(states.agentId, ids)),
      sql`${days} insert into ${trafficDays} as t (agent_id, day, rx, tx)
        select v.agent_id, v.day, v.rx, v.tx from v join ${states} on ${unchanged} where true
        on conflict (agent_id, day) do update set ${grown("rx")}, ${grown("tx")}`,
      sql`${rests} update ${states} set traffic = v.traffic from v where ${unchanged}`,
    ]);
  });

/** Moves the days that are over to `traffic_days`, and deletes those that are older than 400 days. */
export const moveTrafficDays = async (deps: Store): Promise<void> => {
  const { db, clock } = deps;
  const today = Math.floor(clock.now() / DAY);
  for (let after = 0; ; ) {
    const page = await readStates(deps, gt(states.agentId, after));
    const past = await findPast(deps, page);
    if (past.length > 0)
      await movePast(
        deps,
        past.map(({ agentId }) => agentId),
      );
    after = page.at(-1)?.agentId ?? 0;
    if (page.length < PAGE) break;
    await clock.sleep(5);
  }
  for (;;) {
    const expired = await db.rows(sql`delete from ${trafficDays} where (agent_id, day) in
      (select agent_id, day from ${trafficDays} where day < ${today - DAYS_KEPT} limit ${PURGED_AT_ONCE}) returning 1 as gone`);
    if (expired.length < PURGED_AT_ONCE) return;
    await clock.sleep(50);
  }
};

/** An agent with the state of its traffic, as it is with its pending reports. */
type Counted = { agentId: number; traffic: TrafficState };

/** Days from `first` up to `end`, without it. */
type Span = { first: number; end: number };

/** The traffic of each agent in its span, and its first day with traffic in it. */
export const sumTraffic = async (
  { db }: Pick<Deps, "db">,
  spans: readonly (Counted & Span)[],
): Promise<Map<number, { bytes: Bytes; firstDay: number }>> => {
  if (spans.length === 0) return new Map();
  const values = withValues(
    "v",
    { agent_id: "bigint", first: "integer", until: "integer" },
    spans.map(({ agentId, first, end }) => [agentId, first, end]),
  );
  const rows = await db.rows(sql`${values} select v.agent_id, sum(t.rx) as rx, sum(t.tx) as tx, min(t.day) as day
    from v join ${trafficDays} as t on t.agent_id = v.agent_id and t.day >= v.first and t.day < v.until group by v.agent_id`);
  const moved = new Map(rows.map((row) => [Number(row.agent_id), row]));
  return new Map(
    spans.map(({ agentId, traffic, first, end }) => {
      const row = moved.get(agentId);
      let bytes: Bytes = [Number(row?.rx ?? 0), Number(row?.tx ?? 0)];
      let firstDay = Number(row?.day ?? end);
      for (const [text, more] of Object.entries(traffic.days)) {
        const day = Number(text);
        if (day < first || day >= end) continue;
        bytes = addBytes(bytes, more);
        firstDay = Math.min(firstDay, day);
      }
      return [agentId, { bytes, firstDay }];
    }),
  );
};

/** The traffic of the days of an agent within a span, oldest first; days without traffic are absent. */
export const readDays = async (
  { db }: Pick<Deps, "db">,
  { agentId, traffic, first, end }: Counted & Span,
): Promise<{ day: number; bytes: Bytes }[]> => {
  const rows = await db
    .select()
    .from(trafficDays)
    .where(and(eq(trafficDays.agentId, agentId), gte(trafficDays.day, first), lt(trafficDays.day, end)));
  const days = new Map(rows.map(({ day, rx, tx }): [number, Bytes] => [day, [rx, tx]]));
  for (const [text, bytes] of Object.entries(traffic.days)) {
    const day = Number(text);
    if (day >= first && day < end) days.set(day, addBytes(days.get(day) ?? [0, 0], bytes));
  }
  return [...days].map(([day, bytes]) => ({ day, bytes })).sort((a, b) => a.day - b.day);
};
