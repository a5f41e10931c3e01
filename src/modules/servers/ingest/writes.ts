import { type SQL, sql } from "drizzle-orm";
import { agents, samplePacks, agentStates as states } from "../../../db/schema";
import { appendBytes, hex, withValues } from "../../../db/sql";
import type { SamplePack } from "../history/samples";
import type { ReportedState } from "./journal/pending";

const STATE = {
  key_hash: "text",
  expires_at: "bigint",
  interval: "integer",
  reported_at: "bigint",
  sampled_at: "bigint",
  cpu: "double precision",
  memory_total: "double precision",
  memory_used: "double precision",
  disk_total: "double precision",
  disk_used: "double precision",
  network_rx: "double precision",
  network_tx: "double precision",
  extra: "json",
  traffic: "json",
  hostname: "text",
  ip_addresses: "json",
  os: "text",
  version: "text",
  agent_version: "text",
} as const;

const valuesOf = (state: ReportedState): unknown[] => {
  const { hostname, ipAddresses, os, version, agentVersion = "" } = state.facts;
  const figures = [state.cpu, state.memoryTotal, state.memoryUsed, state.diskTotal, state.diskUsed];
  return [
    state.keyHash,
    state.expiresAt,
    state.interval,
    state.reportedAt,
    state.sampledAt,
    ...figures,
    state.networkRx,
    state.networkTx,
    state.extra,
    state.traffic,
    ...[hostname, ipAddresses, os, version, agentVersion],
  ];
};

/**
 * Updates the current figures, unless the report only has older samples. A stored time in the future comes from a clock that
 * has been corrected.
 */
const SHOWN = "cpu memory_total memory_used disk_total disk_used network_rx network_tx extra sampled_at".split(" ");
const newestFigures = SHOWN.map(
  (name) =>
    `${name} = case when r.sampled_at >= coalesce(agent_states.sampled_at, 0) or agent_states.sampled_at > r.reported_at then r.${name} else agent_states.${name} end`,
).join(", ");

/** Updates the traffic, unless it was changed since it was read. */
const newestTraffic = sql.raw(`traffic = case when r.traffic is not null
  and coalesce(cast(agent_states.traffic ->> 'revision' as bigint), 0) < cast(r.traffic ->> 'revision' as bigint)
  then r.traffic else agent_states.traffic end`);

/**
 * Two statements that write reported states, at most one of each agent: the first returns the key hash of each known
 * agent, and the time of its traffic.
 */
export const writeStates = (reported: readonly ReportedState[]): SQL[] => {
  if (reported.length === 0) return [];
  const values = withValues("r", STATE, reported.map(valuesOf));
  return [
    sql`${values} update ${states} set status = 'active', reported_at = r.reported_at, expires_at = r.expires_at,
      first_reported_at = coalesce(${states.firstReportedAt}, r.reported_at), interval = r.interval, ${sql.raw(newestFigures)}, ${newestTraffic} from r where ${states.keyHash} = r.key_hash
      returning ${states.keyHash}, cast(${states.traffic} ->> 'at' as bigint) as traffic_at`,
    sql`${values} update ${agents} set hostname = r.hostname, ip_addresses = r.ip_addresses, os = r.os, version = r.version,
        agent_version = r.agent_version, agent_updated_at = case when ${agents.agentVersion} <> '' and r.agent_version <> '' and ${agents.agentVersion} <> r.agent_version
          then r.reported_at else ${agents.agentUpdatedAt} end
      from r join ${states} as s on s.key_hash = r.key_hash
      where ${agents.id} = s.agent_id and (${agents.hostname} <> r.hostname or cast(${agents.ipAddresses} as text) <> cast(r.ip_addresses as text)
        or ${agents.os} <> r.os or ${agents.version} <> r.version or ${agents.agentVersion} <> r.agent_version)`,
  ];
};

/** Appends samples to the packs of their agents; each agent has at most one entry. */
export const writeSamples = (reports: readonly { keyHash: string; samples: SamplePack | null }[]): SQL[] => {
  const rows = reports.flatMap(({ keyHash, samples }) =>
    samples ? [[keyHash, samples.hour, hex(samples.bytes)]] : [],
  );
  if (rows.length === 0) return [];
  return [
    sql`${withValues("v", { key_hash: "text", hour: "integer", data: "bytes" }, rows)}
      insert into ${samplePacks} as p (agent_id, hour, data)
      select s.agent_id, v.hour, v.data from v join ${states} as s on s.key_hash = v.key_hash where true
      on conflict (agent_id) do update set data = ${appendBytes(sql`p.data`, sql`excluded.data`)},
        hour = case when p.hour < excluded.hour then p.hour else excluded.hour end`,
  ];
};
