import { type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { agents, sampleHours, samples, sampleTens, agentStates as states } from "../../../db/schema";
import { isOneOf, lockRows, withValues } from "../../../db/sql";
import { HOUR, MINUTE, SECOND } from "../../../shared/limits";
import type { Report, Sample, Usage } from "../../../shared/report";
import { SAMPLES_KEPT } from "../history/retention";
import { offlineAfter, writeOnlineEvents } from "./offline";
import { evaluateThresholds, type ThresholdAlert, writeThresholdEvents } from "./threshold-alerts";

/** A report with the hash of its key. */
export type KeyedReport = { keyHash: string; report: Report };

/**
 * Samples from the future come from a wrong clock and are not stored. Neither are samples older than the
 * retention: a duplicate could not be detected and would count twice.
 */
const isHistory = (at: number, now: number): boolean => at <= now + 5 * MINUTE && at >= now - SAMPLES_KEPT;

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

const SAMPLE = {
  key_hash: "text",
  at: "bigint",
  cpu: "double precision",
  memory: "double precision",
  disk: "double precision",
  rx: "double precision",
  tx: "double precision",
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
const sampleRows = ({ keyHash, report }: KeyedReport, now: number): unknown[][] => {
  const rows = new Map<number, unknown[]>();
  for (const { at: time, cpu, memory, disk, network } of report.samples) {
    const at = Date.parse(time);
    const second = Math.floor(at / SECOND);
    if (!isHistory(at, now) || rows.has(second)) continue;
    rows.set(second, [keyHash, at, cpu, share(memory), share(disk), network?.rx ?? null, network?.tx ?? null]);
  }
  return [...rows.values()];
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

/** A stored sample of the same agent and second as `v`. Hours begin with a full second, so one index range is read. */
const sameSecond = sql.raw(`known.hour = v.at / ${HOUR} and known.agent_id = s.agent_id
  and known.at between v.at - v.at % ${SECOND} and v.at - v.at % ${SECOND} + ${SECOND - 1}`);

/**
 * Stores at most one sample a second of each agent. The last statement returns the agent of each stored sample,
 * also of one stored before, so that a repeated report gets the same answer.
 */
const writeSamples = (reports: readonly KeyedReport[], now: number): SQL[] => {
  const rows = reports.flatMap((report) => sampleRows(report, now));
  if (rows.length === 0) return [];
  const values = withValues("v", SAMPLE, rows);
  return [
    addToSums(sampleTens, 10 * MINUTE, values),
    addToSums(sampleHours, HOUR, values),
    sql`${values} insert into ${samples} (hour, agent_id, at, cpu, memory, disk, rx, tx)
      select v.at / ${sql.raw(String(HOUR))}, s.agent_id, v.at, v.cpu, v.memory, v.disk, v.rx, v.tx
      from v join ${states} as s on s.key_hash = v.key_hash
      where not exists (select 1 from ${samples} as known where ${sameSecond} and known.at <> v.at)
      on conflict (hour, agent_id, at) do update set at = excluded.at returning agent_id`,
  ];
};

/**
 * Stores reports in one transaction: current figures, samples, sums and events. Each key has at
 * most one report. A sample that is stored already is not added to the sums. Returns the number of stored samples by key
 * hash, for known keys, and whether events were written.
 */
export const ingest = async ({ db }: Pick<Deps, "db">, reports: readonly KeyedReport[], now: number) => {
  const keyHashes = reports.map(({ keyHash }) => keyHash);
  const alarms = await evaluateThresholds(
    { db },
    reports.map(({ keyHash, report }) => ({
      keyHash,
      newest: newestOf(report),
      unreadable: report.unreadable_disks,
    })),
  );
  const crossings = writeThresholdEvents([...alarms.values()], now);
  const values = withValues(
    "r",
    STATE,
    reports.map((report) => stateRow(report, now, alarms.get(report.keyHash))),
  );
  // Events depend on the state that is overwritten, so it is locked first.
  const locks = lockRows(states, states.agentId, isOneOf(states.keyHash, keyHashes));
  const writes = writeStates(values, now);
  const samplesWritten = writeSamples(reports, now);
  const results = (await db.atomically(() => [
    ...locks,
    writeOnlineEvents(keyHashes, now),
    ...crossings,
    ...writes,
    ...samplesWritten,
  ])) as unknown[][];
  const returned = results[locks.length] ?? [];
  const known = results[locks.length + 1 + crossings.length] as { key_hash: string; agent_id: number }[];
  const stored = new Map<number, number>();
  const storedRows = (samplesWritten.length > 0 ? results.at(-1) : []) as { agent_id: number }[];
  for (const row of storedRows) stored.set(Number(row.agent_id), (stored.get(Number(row.agent_id)) ?? 0) + 1);
  return {
    accepted: new Map(known.map((row) => [row.key_hash, stored.get(Number(row.agent_id)) ?? 0])),
    eventsWritten: crossings.length > 0 || returned.length > 0,
  };
};

const addToSums = (table: typeof sampleTens | typeof sampleHours, length: number, values: SQL): SQL => {
  const columns = [
    "cpu_count",
    "cpu_total",
    "memory_count",
    "memory_total",
    "disk_count",
    "disk_total",
    "network_count",
    "rx_total",
    "tx_total",
  ];
  const add = columns.map((name) => `${name} = t.${name} + excluded.${name}`).join(", ");
  return sql`${values} insert into ${table} as t (bucket, agent_id, cpu_max, ${sql.raw(columns.join(", "))})
    select v.at / ${sql.raw(String(length))}, s.agent_id, max(v.cpu), count(v.cpu), coalesce(sum(v.cpu), 0), count(v.memory), coalesce(sum(v.memory), 0),
      count(v.disk), coalesce(sum(v.disk), 0), count(v.rx), coalesce(sum(v.rx), 0), coalesce(sum(v.tx), 0)
    from v join ${states} as s on s.key_hash = v.key_hash
    where not exists (select 1 from ${samples} as known where ${sameSecond})
    group by 1, 2
    on conflict (bucket, agent_id) do update set ${sql.raw(add)},
      cpu_max = case when t.cpu_max is null or excluded.cpu_max > t.cpu_max then coalesce(excluded.cpu_max, t.cpu_max) else t.cpu_max end`;
};
