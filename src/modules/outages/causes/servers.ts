/** The server that a monitor runs on, where it explains the outage: it is silent, was restarted, or its disk is full. */
import { eq } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { agentStates, agents } from "../../../db/schema";
import { isOneOf } from "../../../db/sql";
import { isAddressOrLocalhost } from "../../../lib/host";
import { usedPercent } from "../../../shared/agents/report";
import { MINUTE, SECOND } from "../../../shared/limits";
import type { OutageCause } from "../../../shared/notifications";
import { offlineAfter } from "../../agents/ingest/offline";
import { withPending } from "../../agents/ingest/pending";
import type { OpenOutage } from "./open";
import { addressOf, comparableAddress } from "./shared";

/** Servers of all owners together that are compared with targets. */
const MAX_COMPARED = 20_000;
/** A figure in percent from which a disk counts as full. */
const FULL = 99;
/** What happened this long before or after a check may belong to it. */
const SLACK = 2 * MINUTE;
/** A machine that went down is running again after at most this time. */
const LONGEST_RESTART = 15 * MINUTE;

type Store = Pick<Deps, "db" | "clock">;

/** The hosts and addresses by which outages are assigned to servers: a key for each, with its owner. */
const keysOf = (outage: OpenOutage): string[] =>
  [addressOf(outage), isAddressOrLocalhost(outage.host) ? null : outage.host]
    .filter((value) => value !== null && value !== "")
    .map((value) => `${outage.userId} ${value}`);

/** The ids of the servers that have one of these keys, by key: their addresses, their hostnames, and their names. */
const readServers = async ({ db }: Store, owners: readonly number[], wanted: ReadonlySet<string>) => {
  const { id, userId, name, hostname, ipAddresses } = agents;
  const rows = await db
    .select({ id, userId, name, hostname, ipAddresses })
    .from(agents)
    .where(isOneOf(userId, owners))
    .limit(MAX_COMPARED);
  const byKey = new Map<string, Set<number>>();
  for (const stored of rows) {
    const server = withPending(db, stored.id, stored);
    const addresses = server.ipAddresses.map(comparableAddress);
    for (const value of [...addresses, server.hostname.toLowerCase(), server.name.toLowerCase()]) {
      const key = `${server.userId} ${value}`;
      if (wanted.has(key)) byKey.set(key, (byKey.get(key) ?? new Set()).add(server.id));
    }
  }
  return byKey;
};

const readStates = async ({ db }: Store, ids: readonly number[]) => {
  const rows = await db
    .select({ name: agents.name, state: agentStates })
    .from(agentStates)
    .innerJoin(agents, eq(agents.id, agentStates.agentId))
    .where(isOneOf(agentStates.agentId, ids));
  return new Map(
    rows.map(({ name, state }) => [state.agentId, { name, ...withPending(db, state.agentId, state) }] as const),
  );
};

type ServerState = Awaited<ReturnType<typeof readStates>> extends Map<number, infer State> ? State : never;

/**
 * The time of the last report of a server that should have reported since; null while it reports. The hub itself may have
 * been away, after which every server has a later deadline.
 */
const silentSince = ({ status, reportedAt, expiresAt, interval }: ServerState, now: number): number | null => {
  if (reportedAt === null || status === "connecting") return null;
  if (status === "inactive") return reportedAt;
  const pause = interval ?? 60;
  const hasUsualDeadline = expiresAt === null || expiresAt <= reportedAt + offlineAfter(pause);
  return hasUsualDeadline && now > reportedAt + 1.5 * pause * SECOND ? reportedAt : null;
};

/** The fullest disk of a server in percent; null when it is not known. */
const fullestDisk = ({ extra, diskUsed, diskTotal }: ServerState): { mount: string | null; percent: number } | null => {
  const disks = [
    ...(extra?.disks ?? []),
    { mount: null, used: diskUsed ?? 0, total: extra?.disks?.length ? 0 : (diskTotal ?? 0) },
  ].filter(({ total }) => total > 0);
  const [fullest] = disks
    .map(({ mount, ...usage }) => ({ mount, percent: usedPercent(usage) ?? 0 }))
    .toSorted((a, b) => b.percent - a.percent);
  return fullest ?? null;
};

/** Why an outage of something that runs on this server is probably the server's; null when nothing is wrong with it. */
const causeOf = (
  { startedAt, interval }: OpenOutage,
  server: ServerState,
  now: number,
): Extract<OutageCause, { agentId: number }> | null => {
  const agent = { agentId: server.agentId, name: server.name };
  // Until the check before, the target was well, with the server as it was then.
  const wellUntil = startedAt - interval * SECOND - SLACK;
  const silent = silentSince(server, now);
  const lastSign = (silent ?? 0) + (server.interval ?? 60) * SECOND;
  if (silent !== null && silent <= startedAt + SLACK && lastSign >= wellUntil)
    return { kind: "agent_silent", ...agent, at: silent };
  const disk = fullestDisk(server);
  if (disk && disk.percent >= FULL) return { kind: "agent_disk_full", ...agent, ...disk };
  const bootedAt = Date.parse(server.extra?.boot_time ?? "");
  if (bootedAt >= wellUntil && bootedAt <= startedAt + LONGEST_RESTART && bootedAt <= now)
    return { kind: "agent_rebooted", ...agent, at: bootedAt };
  return null;
};

/** The causes of these outages by their ids, where a server of the same owner explains them. */
export const findServerCauses = async (
  deps: Store,
  found: readonly OpenOutage[],
): Promise<Map<number, OutageCause>> => {
  const owners = [...new Set(found.map(({ userId }) => userId))];
  const byKey = await readServers(deps, owners, new Set(found.flatMap(keysOf)));
  if (byKey.size === 0) return new Map();
  const states = await readStates(deps, [...new Set([...byKey.values()].flatMap((ids) => [...ids]))]);
  const now = deps.clock.now();
  return new Map(
    found.flatMap((outage): [number, OutageCause][] => {
      const servers = keysOf(outage).flatMap((key) => [...(byKey.get(key) ?? [])]);
      const causes = servers.flatMap((id) => {
        const state = states.get(id);
        return (state && causeOf(outage, state, now)) ?? [];
      });
      return causes[0] ? [[outage.id, causes[0]]] : [];
    }),
  );
};
