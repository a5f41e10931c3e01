/** What alerting reads of servers. */
import { and, eq, getTableColumns } from "drizzle-orm";
import { ownedBy } from "../../db/owner";
import { agents, agentStates as states } from "../../db/schema";
import { isOneOf } from "../../db/sql";
import { usedPercent } from "../../shared/agents/report";
import { SECOND } from "../../shared/limits";
import type { ServerFacts, viewOf } from "../alerting/targets";
import { offlineAfter } from "./ingest/offline";
import { readServers } from "./ingest/states";
import { readRuleThresholds, writeRuleThresholds } from "./thresholds/rule-rows";

type State = Omit<typeof states.$inferSelect, "agentId">;

/** The hub itself may have been away, which moves every server's deadline. */
const silentSince = ({ status, reportedAt, expiresAt, interval }: State, now: number): number | null => {
  if (reportedAt === null || status === "connecting") return null;
  if (status === "inactive") return reportedAt;
  const pause = interval ?? 60;
  const hasUsualDeadline = expiresAt === null || expiresAt <= reportedAt + offlineAfter(pause);
  return hasUsualDeadline && now > reportedAt + 1.5 * pause * SECOND ? reportedAt : null;
};

const fullestDisk = ({ extra, diskUsed, diskTotal }: State): ServerFacts["fullestDisk"] => {
  const disks = [
    ...(extra?.disks ?? []),
    { mount: null, used: diskUsed ?? 0, total: extra?.disks?.length ? 0 : (diskTotal ?? 0) },
  ].filter(({ total }) => total > 0);
  const [fullest] = disks
    .map(({ mount, ...usage }) => ({ mount, percent: usedPercent(usage) ?? 0 }))
    .toSorted((a, b) => b.percent - a.percent);
  return fullest ?? null;
};

export const serverTargets: ReturnType<typeof viewOf<"agent">> = {
  table: agents,
  readOwn: async ({ db }, id, teamId) => {
    const [row] = await db
      .select({ name: agents.name })
      .from(agents)
      .where(and(eq(agents.id, id), ownedBy(agents, teamId)));
    return row?.name;
  },
  readWatching: async ({ db }, ids) => {
    const { agentId: id, firstReportedAt: since } = states;
    const rows = await db.select({ id, since }).from(states).where(isOneOf(id, ids));
    return new Map(rows.map(({ id, since }) => [id, { since, pauses: [], unknown: [] }]));
  },
  read: async ({ db, clock }, ids) => {
    if (ids.length === 0) return new Map();
    const columns = { ...getTableColumns(states), name: agents.name };
    const rows = await readServers(db, columns, isOneOf(agents.id, ids));
    return new Map(
      rows.map((row) => [
        row.agentId,
        {
          name: row.name,
          interval: row.interval,
          reportedAt: row.reportedAt,
          deadline: row.status === "active" ? row.expiresAt : null,
          silentSince: silentSince(row, clock.now()),
          bootedAt: row.extra?.boot_time ? Date.parse(row.extra.boot_time) : null,
          cpu: row.cpu,
          memory: usedPercent({ total: row.memoryTotal ?? 0, used: row.memoryUsed ?? 0 }),
          fullestDisk: fullestDisk(row),
        },
      ]),
    );
  },
  readRuleThresholds,
  writeRuleThresholds,
  readChanges: async ({ db }, id) => {
    const { agentVersion, agentUpdatedAt } = agents;
    const [server] = await readServers(db, { agentVersion, agentUpdatedAt, extra: states.extra }, eq(agents.id, id));
    if (!server) return [];
    const bootedAt = server.extra?.boot_time ? Date.parse(server.extra.boot_time) : 0;
    return [
      { what: "booted", at: bootedAt, version: null },
      { what: "agent_updated", at: server.agentUpdatedAt ?? 0, version: server.agentVersion },
    ];
  },
  readHosts: async ({ db }, owners, limit) => {
    const { teamId, name, hostname, ipAddresses } = agents;
    const rows = await readServers(db, { teamId, name, hostname, ipAddresses }, isOneOf(teamId, owners), limit);
    return rows.map(({ agentId, teamId, name, hostname, ipAddresses }) => {
      const names = [hostname.toLowerCase(), name.toLowerCase()];
      return { id: agentId, teamId, addresses: ipAddresses, names };
    });
  },
};
