import type { Static } from "@sinclair/typebox";
import { and, asc, eq, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { notFound } from "../../core/errors";
import { memberOf, ownedBy, readBelongings, teamsOf, type Viewer, visibleTo } from "../../db/owner";
import { agents, mutes, agentStates as states } from "../../db/schema";
import { containsText, inByteOrder, isOneOf } from "../../db/sql";
import { integer, object, presentUnknown } from "../../server/answers";
import { LIMITS } from "../../shared/limits";
import type { Metric } from "../../shared/notifications";
import { readMaintenance } from "../alerting/maintenance/running";
import { isActiveMute, muteColumns } from "../alerting/mutes/service";
import { countOpen, hasOpenOutage, latestServerOutages, openSince } from "../alerting/outages/service";
import { readWindows } from "../alerting/outages/windows";
import type { WantedTag } from "../tags/model";
import { hasTags, readTags } from "../tags/service";
import { firstFullAt } from "./forecasts";
import { currentState } from "./ingest/states";
import type { ServerSort } from "./model";
import { presentServer, presentServerDetail, type ServerRow } from "./present";
import { readThresholdsOf } from "./thresholds/effective";
import { sortByTraffic } from "./traffic/order";
import { readTraffic } from "./traffic/present";

/** `alerts`: it reports, and something of it is not well. */
type StatusFilter = "active" | "inactive" | "connecting" | "alerts";
/** `mine` excludes the agents of other users. */
type ListFilter = {
  mine?: unknown;
  search?: string;
  status?: StatusFilter;
  tags?: readonly WantedTag[];
  limit?: number;
  offset?: number;
  /** By enrollment unless given. */
  sort?: ServerSort;
  order?: "asc" | "desc";
};

const hasAlerts = sql`(${states.status} = 'active' and ${hasOpenOutage("agent", agents.id)})`;

/** The condition that a filter selects a server, which the viewer sees. */
export const matches = (viewer: Viewer, { search, status, tags = [] }: ListFilter): SQL | undefined => {
  const term = search?.trim();
  // Addresses are stored as JSON; its punctuation must not match.
  const maybeAddress = /^[\da-f.:]+$/i.test(term ?? "");
  return and(
    term
      ? or(
          containsText(agents.name, term),
          containsText(agents.hostname, term),
          containsText(agents.os, term),
          maybeAddress ? containsText(sql`cast(${agents.ipAddresses} as text)`, term) : undefined,
        )
      : undefined,
    status && (status === "alerts" ? hasAlerts : eq(states.status, status)),
    hasTags("agent", agents.id, tags, teamsOf(viewer)),
  );
};

const urgency = sql`case when ${states.status} = 'inactive' then 0 when ${hasAlerts} then 1
  when ${states.status} = 'connecting' then 2 else 3 end`;
/** Null without figures: they are stored as floating-point numbers. */
const share = (used: SQLWrapper, total: SQLWrapper) => sql`${used} / nullif(${total}, 0)`;
const traffic = sql`case when ${states.networkRx} is null and ${states.networkTx} is null then null
  else coalesce(${states.networkRx}, 0) + coalesce(${states.networkTx}, 0) end`;

const VALUES: Record<Exclude<ServerSort, "traffic">, SQL> = {
  name: inByteOrder(agents.nameKey),
  status: urgency,
  cpu: sql`${states.cpu}`,
  memory: share(states.memoryUsed, states.memoryTotal),
  disk: share(states.diskUsed, states.diskTotal),
  network: traffic,
  load: sql`cast(${states.extra} -> 'load' ->> 0 as double precision)`,
  hostname: inByteOrder(sql`lower(${agents.hostname})`),
  os: inByteOrder(sql`lower(nullif(${agents.os}, ''))`),
  uptime: inByteOrder(sql`(${states.extra} ->> 'boot_time')`),
  reported: sql`${states.reportedAt}`,
  created: sql`${agents.id}`,
  disk_full: firstFullAt,
};

/** Servers without a value come last in both directions, and those with the same value by name. */
const orderOf = (value: SQL, { sort = "created", order = "asc" }: ListFilter): SQL[] => {
  // The later a machine was started, the shorter it is up.
  const direction = sql.raw((sort === "uptime") === (order === "asc") ? "desc" : "asc");
  if (sort === "created") return [sql`${value} ${direction}`];
  return [sql`${value} is null`, sql`${value} ${direction}`, VALUES.name, asc(agents.id)];
};

type Store = Pick<Deps, "db" | "clock" | "watching">;

const selectRows = ({ db, clock }: Store) =>
  db
    .select({
      agent: agents,
      state: states,
      offlineSince: openSince("agent", agents.id, "offline"),
      openOutages: countOpen("agent", agents.id),
      mute: muteColumns,
    })
    .from(agents)
    .innerJoin(states, eq(states.agentId, agents.id))
    .leftJoin(mutes, isActiveMute("agent", agents.id, clock.now()));

/** Stored rows with what pending reports change in them, and their traffic. */
const complete = async (
  deps: Store,
  rows: readonly Omit<ServerRow, "maintenanceUntil" | "tags" | "traffic" | "unknown">[],
  tags: ReadonlyMap<number, ServerRow["tags"]>,
): Promise<ServerRow[]> => {
  const latest = rows.map((row) => ({ ...row, state: currentState(deps.db, row.agent.id, row.state) }));
  const traffic = await readTraffic(deps, latest);
  const unknown = presentUnknown(deps.watching.unknown());
  const targetOf = ({ agent: { id, teamId } }: (typeof rows)[number]) => ({ type: "agent" as const, id, teamId });
  const now = deps.clock.now();
  const untilOf = await readMaintenance(deps, rows.map(targetOf), now);
  return latest.map((row) => ({
    ...row,
    maintenanceUntil: untilOf(targetOf(row), now),
    tags: tags.get(row.agent.id) ?? [],
    traffic: traffic.get(row.agent.id) ?? null,
    unknown,
  }));
};

const countFields = {
  all: integer("Number of all servers.", 4),
  active: integer("Servers that report.", 3),
  inactive: integer("Servers that are offline.", 1),
  connecting: integer("Servers that have not reported yet.", 0),
};

/** Number of servers by status. */
const ServerCounts = object(countFields);

/** The numbers of the list: those by status, and how many servers have alerts. */
export const ListCounts = object({
  ...countFields,
  alerts: integer("Of `active`, those with open outages.", 1),
});

/** Counts the servers that a viewer sees, with all of these tags, by status. */
export const countServers = async (
  { db }: Pick<Deps, "db">,
  viewer: Viewer,
  tags: readonly WantedTag[] = [],
): Promise<Static<typeof ServerCounts>> => {
  const rows = await db
    .select({ status: states.status, count: sql`count(*)`.mapWith(Number) })
    .from(agents)
    .innerJoin(states, eq(states.agentId, agents.id))
    .where(and(visibleTo(agents, viewer), matches(viewer, { tags })))
    .groupBy(states.status);
  const counts = { all: 0, active: 0, inactive: 0, connecting: 0 };
  for (const { status, count } of rows) {
    counts[status] = count;
    counts.all += count;
  }
  return counts;
};

const countAlerts = async ({ db }: Pick<Deps, "db">, viewer: Viewer): Promise<number> => {
  const [row] = await db
    .select({ count: sql`count(*)`.mapWith(Number) })
    .from(agents)
    .innerJoin(states, eq(states.agentId, agents.id))
    .where(and(visibleTo(agents, viewer), hasAlerts));
  return row?.count ?? 0;
};

/** A page of agents in the order of the filter. */
const readPage = async (deps: Store, condition: SQL | undefined, filter: ListFilter & { limit: number }) => {
  const { sort, order = "asc", limit, offset = 0 } = filter;
  if (sort !== "traffic")
    return selectRows(deps)
      .where(condition)
      .orderBy(...orderOf(VALUES[sort ?? "created"], filter))
      .limit(limit)
      .offset(offset);
  const ids = (await sortByTraffic(deps, condition, order)).slice(offset, offset + limit);
  const rows = await selectRows(deps).where(and(condition, isOneOf(agents.id, ids)));
  const byId = new Map(rows.map((row) => [row.agent.id, row]));
  // One may have been deleted since the page was found.
  return ids.flatMap((id) => byId.get(id) ?? []);
};

/** The agents visible to a viewer, by default in order of enrollment. */
export const listServers = async (deps: Store, viewer: Viewer, filter: ListFilter) => {
  const own = filter.mine === undefined ? undefined : memberOf(agents, viewer);
  const condition = and(visibleTo(agents, viewer), own, matches(viewer, filter));
  const limit = filter.limit ?? LIMITS.listed;
  const rows = await readPage(deps, condition, { ...filter, limit });
  const isWhole = !filter.offset && rows.length < limit;
  const total = isWhole
    ? rows.length
    : await deps.db
        .select({ count: sql`count(*)`.mapWith(Number) })
        .from(agents)
        .innerJoin(states, eq(states.agentId, agents.id))
        .where(condition)
        .then(([row]) => row?.count ?? 0);
  const belonging = await readBelongings(
    deps,
    viewer,
    rows.map(({ agent }) => agent),
  );
  const tags = await readTags(
    deps,
    "agent",
    rows.map(({ agent }) => agent.id),
  );
  return {
    total,
    counts: { ...(await countServers(deps, viewer)), alerts: await countAlerts(deps, viewer) },
    agents: (await complete(deps, rows, tags)).map((row) => presentServer(row, belonging(row.agent))),
  };
};

/** The servers of a team among these, with the columns that visitors of a status page may see. */
export const readPublicServers = async (
  { db, watching }: Pick<Deps, "db" | "watching">,
  teamId: number,
  ids: readonly number[],
) => {
  const { id, name, hostname, os, version } = agents;
  const { status, reportedAt, cpu, memoryTotal, memoryUsed, diskTotal, diskUsed, networkRx, networkTx } = states;
  const figures = { status, reportedAt, cpu, memoryTotal, memoryUsed, diskTotal, diskUsed, networkRx, networkTx };
  const rows = await db
    .select({ id, name, hostname, os, version, ...figures, offlineSince: openSince("agent", id, "offline") })
    .from(agents)
    .innerJoin(states, eq(states.agentId, id))
    .where(and(ownedBy(agents, teamId), isOneOf(id, ids)));
  const unknown = presentUnknown(watching.unknown());
  return rows.map((row) => ({ ...currentState(db, row.id, row), unknown }));
};
export type PublicServer = Awaited<ReturnType<typeof readPublicServers>>[number];

/** @throws {AppError} not_found, also for another user's */
export const findServer = async (deps: Store, viewer: Viewer, id: number): Promise<ServerRow> => {
  const rows = await selectRows(deps).where(and(eq(agents.id, id), visibleTo(agents, viewer)));
  const [row] = await complete(deps, rows, rows.length > 0 ? await readTags(deps, "agent", [id]) : new Map());
  if (!row) throw notFound("Agent");
  return row;
};

/** An agent with the details of its own screen. */
export const readServer = async (deps: Store & Pick<Deps, "config">, viewer: Viewer, id: number) => {
  const row = await findServer(deps, viewer, id);
  const { teamId } = row.agent;
  const belonging = (await readBelongings(deps, viewer, [row.agent]))(row.agent);
  const thresholds = (await readThresholdsOf(deps, [{ agentId: id, teamId }], deps.clock.now())).get(id) ?? [];
  const own = thresholds.filter(({ minutes }) => minutes !== null);
  const of = (one: Metric) =>
    thresholds.find(({ metric, minutes }) => metric === one && minutes === null)?.threshold ?? null;
  return presentServerDetail(row, belonging, {
    availability: await readWindows(deps, "agent", id),
    outages: await latestServerOutages(deps, id),
    thresholds: { cpu: of("cpu"), memory: of("memory"), disk: of("disk") },
    own_thresholds: own.map(({ metric, subject, threshold }) => ({
      metric,
      subject: subject || null,
      threshold,
    })),
  });
};
