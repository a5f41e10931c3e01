import { type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { agents, samplePacks, agentStates as states } from "../../../db/schema";
import { appendBytes, hex, isOneOf, lockRows, withValues } from "../../../db/sql";
import { MINUTE, SECOND } from "../../../shared/limits";
import type { Report, Sample, Usage } from "../../../shared/report";
import { readStoredSamples } from "../history/read";
import { SAMPLES_ACCEPTED } from "../history/retention";
import { encodePack, firstOfSeconds, hourOf, type StoredSample } from "../history/samples";
import { closeOfflineOutages, offlineAfter, writeOnlineEvents } from "./offline";
import { evaluateThresholds, type ThresholdAlert, writeThresholdChanges } from "./threshold-alerts";

/** A report with the hash of its key. */
export type KeyedReport = { keyHash: string; report: Report };

/**
 * Samples from the future come from a wrong clock and are not stored. Neither are samples older: a duplicate of
 * one that is purged could not be detected and would count twice.
 */
const isHistory = (at: number, now: number): boolean => at <= now + 5 * MINUTE && at >= now - SAMPLES_ACCEPTED;

const STATE = {
  key_hash: "text",
  expires_at: "bigint",
  interval: "integer",
  sampled_at: "bigint",
  cpu: "double precision",
  memory_total: "double precision",
  memory_used: "double precision",
  disk_total: "double precision",
  disk_used: "double precision",
  network_rx: "double precision",
  network_tx: "double precision",
  extra: "json",
  hostname: "text",
  ip_addresses: "json",
  os: "text",
  version: "text",
  levels_before: "integer",
  levels: "integer",
} as const;

const share = ({ total, used }: Usage): number | null => (total > 0 ? Math.min(100, (used / total) * 100) : null);

const newestOf = ({ samples }: Report): Sample =>
  samples.reduce((newest, sample) => (Date.parse(sample.at) >= Date.parse(newest.at) ? sample : newest));

const stateRow = ({ keyHash, report }: KeyedReport, now: number, alarm: ThresholdAlert | undefined): unknown[] => {
  const { at, cpu, memory, disk, network, disks, swap, load, boot_time } = newestOf(report);
  const known = ({ total, used }: Usage) => (total > 0 ? [total, used] : [null, null]);
  const { agent_version, unreadable_disks } = report;
  const extra = { disks, swap, load, boot_time, agent_version, unreadable_disks };
  const figures = [cpu, ...known(memory), ...known(disk), network?.rx ?? null, network?.tx ?? null, extra];
  const sampledAt = Math.min(Date.parse(at), now);
  const facts = [report.hostname, report.ip_addresses, report.os, report.version];
  const levels = [alarm?.levelsBefore ?? 0, alarm?.levels ?? 0];
  return [keyHash, now + offlineAfter(report.interval), report.interval, sampledAt, ...figures, ...facts, ...levels];
};

/** The samples of a report to store: the first of each second. */
const samplesOf = ({ samples }: Report, now: number): StoredSample[] => {
  const found = samples.map(({ at, cpu, memory, disk, network }) => ({
    at: Date.parse(at),
    cpu,
    memory: share(memory),
    disk: share(disk),
    rx: network?.rx ?? null,
    tx: network?.tx ?? null,
  }));
  return firstOfSeconds(found.filter(({ at }) => isHistory(at, now)));
};

/** Updates the current figures, unless the report only has older samples. */
const SHOWN = "cpu memory_total memory_used disk_total disk_used network_rx network_tx extra sampled_at".split(" ");
const newestFigures = SHOWN.map(
  (name) =>
    `${name} = case when r.sampled_at >= coalesce(agent_states.sampled_at, 0) then r.${name} else agent_states.${name} end`,
).join(", ");

const writeStates = (values: SQL, now: number): SQL[] => [
  sql`${values} update ${states} set status = 'active', reported_at = cast(${now} as bigint), expires_at = r.expires_at,
    interval = r.interval, ${sql.raw(newestFigures)},
    levels = case when ${states.levels} = r.levels_before then r.levels else ${states.levels} end
    from r where ${states.keyHash} = r.key_hash returning ${states.keyHash}, ${states.agentId}`,
  sql`${values} update ${agents} set hostname = r.hostname, ip_addresses = r.ip_addresses, os = r.os, version = r.version
    from r join ${states} as s on s.key_hash = r.key_hash
    where ${agents.id} = s.agent_id and (${agents.hostname} <> r.hostname or cast(${agents.ipAddresses} as text) <> cast(r.ip_addresses as text)
      or ${agents.os} <> r.os or ${agents.version} <> r.version)`,
];

/** The samples of a report that are not stored yet, and how many of the report are stored afterwards. */
type NewSamples = { keyHash: string; added: StoredSample[]; accepted: number };

/**
 * Compares the samples of reports with those that are stored, of which there is at most one in a second. A sample that is
 * stored already is counted, so that a repeated report gets the same answer.
 */
const findNewSamples = async (
  deps: Pick<Deps, "db" | "log">,
  reports: readonly KeyedReport[],
  agentIds: ReadonlyMap<string, number>,
  now: number,
): Promise<NewSamples[]> => {
  const sent = reports.flatMap(({ keyHash, report }) => {
    const agentId = agentIds.get(keyHash);
    return agentId === undefined ? [] : [{ keyHash, agentId, samples: samplesOf(report, now) }];
  });
  const hours = new Set(sent.flatMap(({ samples }) => samples.map(hourOf)));
  const ids = sent.flatMap(({ agentId, samples }) => (samples.length > 0 ? [agentId] : []));
  const stored = ids.length > 0 ? await readStoredSamples(deps, ids, [...hours]) : new Map<number, StoredSample[]>();
  return sent.map(({ keyHash, agentId, samples }) => {
    const known = new Map(firstOfSeconds(stored.get(agentId) ?? []).map(({ at }) => [Math.floor(at / SECOND), at]));
    const knownAt = ({ at }: StoredSample) => known.get(Math.floor(at / SECOND));
    const added = samples.filter((sample) => knownAt(sample) === undefined);
    const again = samples.filter((sample) => knownAt(sample) === sample.at);
    return { keyHash, added, accepted: added.length + again.length };
  });
};

/** Appends samples to the packs of their agents. */
const writeSamples = (found: readonly NewSamples[]): SQL[] => {
  const rows = found.flatMap(({ keyHash, added }) =>
    added.length > 0 ? [[keyHash, Math.min(...added.map(hourOf)), hex(encodePack(added))]] : [],
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

/**
 * Stores reports in one transaction: current figures, samples and events. Each key has at most one report. Returns the
 * number of stored samples by key hash, for known keys, and whether events were written.
 */
export const ingest = async (deps: Pick<Deps, "db" | "log">, reports: readonly KeyedReport[], now: number) => {
  const keyHashes = reports.map(({ keyHash }) => keyHash);
  const alarms = await evaluateThresholds(
    deps,
    reports.map(({ keyHash, report }) => ({
      keyHash,
      newest: newestOf(report),
      unreadable: report.unreadable_disks,
    })),
  );
  const agentIds = new Map([...alarms.values()].map(({ keyHash, agentId }) => [keyHash, agentId]));
  const samples = await findNewSamples(deps, reports, agentIds, now);
  const crossings = writeThresholdChanges([...alarms.values()], now);
  const values = withValues(
    "r",
    STATE,
    reports.map((report) => stateRow(report, now, alarms.get(report.keyHash))),
  );
  // Events and outages depend on the state that is overwritten, so it is locked first.
  const first = [
    ...lockRows(states, states.agentId, isOneOf(states.keyHash, keyHashes)),
    closeOfflineOutages(keyHashes, now),
  ];
  const results = (await deps.db.atomically(() => [
    ...first,
    writeOnlineEvents(keyHashes, now),
    ...crossings,
    ...writeStates(values, now),
    ...writeSamples(samples),
  ])) as unknown[][];
  const returned = results[first.length] ?? [];
  const known = results[first.length + 1 + crossings.length] as { key_hash: string; agent_id: number }[];
  const accepted = new Map(samples.map((found) => [found.keyHash, found.accepted]));
  return {
    accepted: new Map(known.map((row) => [row.key_hash, accepted.get(row.key_hash) ?? 0])),
    eventsWritten: crossings.length > 0 || returned.length > 0,
  };
};
