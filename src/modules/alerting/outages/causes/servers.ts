/** The server that a monitor runs on, where it explains the outage: it is silent, was restarted, or its disk is full. */
import type { Deps } from "../../../../core/deps";
import { isAddressOrLocalhost } from "../../../../lib/host";
import { MINUTE, SECOND } from "../../../../shared/limits";
import type { OutageCause } from "../../../../shared/notifications";
import { type ServerFacts, viewOf } from "../../targets";
import type { OpenOutage } from "./open";
import { addressOf, comparableAddress } from "./shared";

/** Servers of all owners together that are compared with targets. */
const MAX_COMPARED = 20_000;
/** The lowest percentage of a full disk. */
const FULL = 99;
/** What happened this long before or after a check may belong to it. */
const SLACK = 2 * MINUTE;
/** A machine that went down is running again after at most this time. */
const LONGEST_RESTART = 15 * MINUTE;

type Store = Pick<Deps, "db" | "clock">;

/** The keys that match outages to servers: hosts and addresses, each with its owner. */
const keysOf = (outage: OpenOutage): string[] =>
  [addressOf(outage), isAddressOrLocalhost(outage.host) ? null : outage.host]
    .filter((value) => value !== null && value !== "")
    .map((value) => `${outage.teamId} ${value}`);

/** The ids of the servers that have one of these keys, by key: their addresses, their hostnames, and their names. */
const readServers = async (store: Store, owners: readonly number[], wanted: ReadonlySet<string>) => {
  const byKey = new Map<string, Set<number>>();
  for (const { id, teamId, addresses, names } of await viewOf("agent").readHosts(store, owners, MAX_COMPARED)) {
    for (const value of [...addresses.map(comparableAddress), ...names]) {
      const key = `${teamId} ${value}`;
      if (wanted.has(key)) byKey.set(key, (byKey.get(key) ?? new Set()).add(id));
    }
  }
  return byKey;
};

/** Why an outage of something that runs on this server is probably the server's; null when nothing is wrong with it. */
const causeOf = (
  { startedAt, startedAfter, interval }: OpenOutage,
  agentId: number,
  server: ServerFacts,
  now: number,
): Extract<OutageCause, { agentId: number }> | null => {
  const agent = { agentId, name: server.name };
  // Until the check before, the target was well, with the server as it was then.
  const wellUntil = (startedAfter ?? startedAt - interval * SECOND) - SLACK;
  const { silentSince: silent, fullestDisk: disk, bootedAt } = server;
  const lastSign = (silent ?? 0) + (server.interval ?? 60) * SECOND;
  if (silent !== null && silent <= startedAt + SLACK && lastSign >= wellUntil)
    return { kind: "agent_silent", ...agent, at: silent };
  if (disk && disk.percent >= FULL) return { kind: "agent_disk_full", ...agent, ...disk };
  if (bootedAt !== null && bootedAt >= wellUntil && bootedAt <= startedAt + LONGEST_RESTART && bootedAt <= now)
    return { kind: "agent_rebooted", ...agent, at: bootedAt };
  return null;
};

type Caused = { outage: OpenOutage; cause: Extract<OutageCause, { agentId: number }> };

/** How many monitors have a host of these outages, by the id of their silent server; without servers where one is up. */
const countOnSilent = async (store: Store, causes: readonly Caused[]): Promise<Map<number, number>> => {
  const silent = Map.groupBy(
    causes.filter(({ cause }) => cause.kind === "agent_silent"),
    ({ cause }) => cause.agentId,
  );
  const places = [...silent].flatMap(([agentId, list]) =>
    [...new Set(list.map(({ outage }) => outage.host))].map((value) => ({
      ...{ agentId, value, isDomain: false },
      teamId: list[0]?.outage.teamId ?? 0,
    })),
  );
  const counts = places.length > 0 ? await viewOf("monitor").countOn(store, places) : [];
  const byAgent = Map.groupBy(
    places.map(({ agentId }, index) => ({ agentId, total: 0, up: 0, ...counts[index] })),
    ({ agentId }) => agentId,
  );
  return new Map(
    [...byAgent].flatMap(([agentId, list]) =>
      list.some(({ up }) => up > 0) ? [] : [[agentId, list.reduce((sum, { total }) => sum + total, 0)] as const],
    ),
  );
};

/** The causes of these outages by their ids, where a server of the same owner explains them. */
export const findServerCauses = async (
  deps: Store,
  openOutages: readonly OpenOutage[],
): Promise<Map<number, OutageCause>> => {
  const owners = [...new Set(openOutages.map(({ teamId }) => teamId))];
  const byKey = await readServers(deps, owners, new Set(openOutages.flatMap(keysOf)));
  if (byKey.size === 0) return new Map();
  const states = await viewOf("agent").read(deps, [...new Set([...byKey.values()].flatMap((ids) => [...ids]))]);
  const now = deps.clock.now();
  const causes = openOutages.flatMap((outage) => {
    const servers = keysOf(outage).flatMap((key) => [...(byKey.get(key) ?? [])]);
    const [cause] = servers.flatMap((id) => {
      const state = states.get(id);
      return (state && causeOf(outage, id, state, now)) ?? [];
    });
    return cause ? [{ outage, cause }] : [];
  });
  const totals = await countOnSilent(deps, causes);
  return new Map(
    causes.map(({ outage, cause }) => {
      const total = totals.get(cause.agentId);
      return [outage.id, cause.kind === "agent_silent" && total ? { ...cause, total } : cause];
    }),
  );
};

/** How many monitors have an address or a name of a server as their host, and how many of them were up by a check after a time. */
export const countOnServer = async (
  store: Store,
  { id, teamId }: { id: number; teamId: number },
  checkedAfter: number,
): Promise<{ total: number; up: number }> => {
  const server = (await viewOf("agent").readHosts(store, [teamId], MAX_COMPARED)).find((one) => one.id === id);
  const hosts = server
    ? [...server.addresses.filter((host) => addressOf({ address: host, host })), ...server.names]
    : [];
  const named = new Set(hosts.filter((host) => host !== "" && host !== "localhost"));
  const places = [...named].map((value) => ({ teamId, value, isDomain: false }));
  const counts = places.length > 0 ? await viewOf("monitor").countOn(store, places, checkedAfter) : [];
  const sum = (key: "total" | "up") => counts.reduce((all, one) => all + one[key], 0);
  return { total: sum("total"), up: sum("up") };
};
