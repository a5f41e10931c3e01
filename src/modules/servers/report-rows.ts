/** The servers of a report. */
import { and, asc, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { teamsOf, type Viewer, visibleTo } from "../../db/owner";
import { agents, sampleHours, agentStates as states } from "../../db/schema";
import { isOneOf } from "../../db/sql";
import type { Interval } from "../../lib/intervals";
import { tenth } from "../../lib/round";
import { HOUR } from "../../shared/limits";
import { dayIn } from "../../shared/time-zone";
import type { WantedTag } from "../tags/model";
import { hasTags } from "../tags/service";
import { readServers } from "./ingest/states";
import { sumTraffic } from "./traffic/days";
import { readUsage } from "./traffic/present";

/** Which of the targets that a viewer sees: all, some of them, or those with a tag. */
type Selection = { ids?: readonly number[]; tag?: WantedTag };

const conditionOf = (viewer: Viewer, { ids, tag }: Selection): SQL | undefined =>
  and(
    visibleTo(agents, viewer),
    ids && isOneOf(agents.id, ids),
    tag && hasTags("agent", agents.id, [tag], teamsOf(viewer)),
  );

/** The selected servers by name, at most `limit`, and the number of all of them. */
export const readReportServers = async (
  { db }: Pick<Deps, "db">,
  viewer: Viewer,
  selection: Selection,
  limit: number,
) => {
  const condition = conditionOf(viewer, selection);
  const first = await db
    .select({ id: agents.id })
    .from(agents)
    .where(condition)
    .orderBy(asc(agents.nameKey), asc(agents.id))
    .limit(limit);
  const { userId, teamId, name, hostname, plan, diskForecasts } = agents;
  const columns = {
    userId,
    teamId,
    name,
    hostname,
    plan,
    diskForecasts,
    status: states.status,
    traffic: states.traffic,
  };
  const ids = first.map(({ id }) => id);
  const rows = await readServers(db, columns, isOneOf(agents.id, ids));
  return {
    rows: rows.map(({ agentId: id, name, hostname, ...row }) => ({ ...row, id, name: name || hostname })),
    total: ids.length < limit ? ids.length : await db.$count(agents, condition),
  };
};

export type ReportServer = Awaited<ReturnType<typeof readReportServers>>["rows"][number];

/**
 * The highest figures of servers in the hours that begin in a span: of the CPU the highest sample, of memory and disk the
 * highest average of an hour. Servers without samples are left out.
 */
export const readPeaks = async (
  { db }: Pick<Deps, "db">,
  ids: readonly number[],
  { from, to }: Interval,
): Promise<Map<number, { cpu: number | null; memory: number | null; disk: number | null }>> => {
  const average = (name: string) => sql.raw(`max(${name}_total / nullif(${name}_count, 0)) as ${name}`);
  const rows = await db.rows(sql`select agent_id, max(cpu_max) as cpu, ${average("memory")}, ${average("disk")}
    from ${sampleHours} where bucket >= ${Math.ceil(from / HOUR)} and bucket < ${Math.ceil(to / HOUR)}
      and ${isOneOf(sampleHours.agentId, ids)} group by agent_id`);
  const figure = (value: unknown) => (value === null ? null : tenth(Number(value)));
  return new Map(
    rows.map(({ agent_id, cpu, memory, disk }) => [
      Number(agent_id),
      { cpu: figure(cpu), memory: figure(memory), disk: figure(disk) },
    ]),
  );
};

/** The bytes that servers received and sent on the days of a span. Servers whose traffic is not counted are left out. */
export const readReportTraffic = async (
  { db }: Pick<Deps, "db">,
  servers: readonly ReportServer[],
  { from, to }: Interval,
  zone: string,
): Promise<Map<number, { rx: number; tx: number }>> => {
  const days = { first: dayIn(zone, from), end: dayIn(zone, to - 1) + 1 };
  const spans = servers.flatMap(({ id, traffic }) => (traffic ? [{ agentId: id, traffic, ...days }] : []));
  const sums = await sumTraffic({ db }, spans);
  return new Map(
    [...sums].map(
      ([
        id,
        {
          bytes: [rx, tx],
        },
      ]) => [id, { rx, tx }],
    ),
  );
};

/** The use of the quota of each server that has one, with the end of its month. */
export const readQuotas = async (deps: Pick<Deps, "db">, servers: readonly ReportServer[], now: number) => {
  const of = servers.map(({ id, userId, plan, traffic }) => ({ agent: { id, userId, plan }, state: { traffic } }));
  return (await readUsage(deps, of, now)).filter(({ plan }) => plan.quota !== null);
};
