import { and, eq, ne, or } from "drizzle-orm";
import type { Deps } from "../../../core/deps";
import { agents, agentStates as states } from "../../../db/schema";
import { isOneOf, lock, lockRows } from "../../../db/sql";
import type { Usage } from "../../../shared/agents/report";
import { MINUTE, SECOND } from "../../../shared/limits";
import type { AlertFacts } from "../../../shared/notifications";
import { type Change, report } from "../../alerting/report";
import { addFurtherFigures, oncePerTenSeconds, type TakenSample } from "../history/further-figures";
import { readStoredTimes } from "../history/read";
import { SAMPLES_ACCEPTED } from "../history/retention";
import { firstOfSeconds, packOf, roundFigure, type StoredSample } from "../history/samples";
import { clockFactOf, machineOf, newestSample } from "../machine";
import { addTraffic, recountTraffic, type WrittenState } from "../traffic/reports";
import { type AlarmChange, evaluateAlarms, isUnchanged, toReport, writeAlarms } from "./alerts/alarms";
import { FUTURE, type KeyedReport, logClock, type TimedReport, withHubTimes } from "./clocks/clocks";
import { encodeEntry, writeJournal, writePendingOf } from "./journal/journal";
import { addPending, pendingOf, type ReportedState } from "./journal/pending";
import { offlineAfter } from "./offline";
import { currentState } from "./states";
import { writeSamples, writeStates } from "./writes";

type Store = Pick<Deps, "db" | "live" | "clock" | "log">;

/** Why samples are not stored. Old samples might repeat purged ones, and would count twice. */
type NotStored = { future: number; old: number; same_second: number };

/** How many samples of a report are stored. */
export type Stored = { accepted: number; notStored: NotStored };

const share = ({ total, used }: Usage): number | null => (total > 0 ? Math.min(100, (used / total) * 100) : null);

/** The state of an agent after a report, apart from its traffic. */
const stateOf = (timed: TimedReport, now: number): Omit<ReportedState, "traffic"> => {
  const { keyHash, report, clock, lead } = timed;
  const newest = newestSample(report);
  const { at, cpu, memory, disk, network } = newest;
  const { hostname, ip_addresses, os, version, interval } = report;
  // A report that waited for others arrived earlier. The clock may have been set back since.
  const reportedAt = Math.min(timed.receivedAt ?? now, now);
  const usageOf = ({ total, used }: Usage) => (total > 0 ? { total, used } : { total: null, used: null });
  return {
    keyHash,
    facts: { hostname, ipAddresses: ip_addresses, os, version, agentVersion: report.agent_version ?? "" },
    expiresAt: reportedAt + offlineAfter(interval),
    interval,
    reportedAt,
    sampledAt: Math.min(Date.parse(at), now + lead),
    cpu,
    memoryTotal: usageOf(memory).total,
    memoryUsed: usageOf(memory).used,
    diskTotal: usageOf(disk).total,
    diskUsed: usageOf(disk).used,
    networkRx: network?.rx ?? null,
    networkTx: network?.tx ?? null,
    extra: machineOf(report, newest, clock),
  };
};

/** The samples of a report to store, the first of each second, and how many are too new or too old. */
const samplesOf = ({ report, lead }: TimedReport, now: number) => {
  const taken: TakenSample[] = report.samples.map((sent) => ({
    at: Date.parse(sent.at),
    cpu: roundFigure(sent.cpu),
    memory: roundFigure(share(sent.memory)),
    disk: roundFigure(share(sent.disk)),
    rx: roundFigure(sent.network?.rx ?? null),
    tx: roundFigure(sent.network?.tx ?? null),
    sent,
  }));
  const {
    future = [],
    old = [],
    history = [],
  } = Object.groupBy(taken, ({ at }) => {
    if (at > now + lead + FUTURE) return "future";
    return at < now - SAMPLES_ACCEPTED ? "old" : "history";
  });
  return { samples: firstOfSeconds(history), future: future.length, old: old.length };
};

/** The stored state of reporting agents. */
const readServers = async ({ db }: Pick<Deps, "db">, keyHashes: string[]) => {
  const { keyHash, agentId, status, interval, sampledAt, reportedAt, cpu, traffic } = states;
  const { hostname, ipAddresses, os, version, agentVersion, userId, plan } = agents;
  const rows = await db
    .select({
      keyHash,
      agentId,
      status,
      userId,
      plan,
      state: { interval, sampledAt, reportedAt, cpu, traffic },
      facts: { hostname, ipAddresses, os, version, agentVersion },
      series: agents.series,
    })
    .from(states)
    .innerJoin(agents, eq(agents.id, states.agentId))
    .where(isOneOf(keyHash, keyHashes));
  return rows.map((row) => ({ ...row, state: currentState(db, row.agentId, row.state) }));
};
type Agent = Awaited<ReturnType<typeof readServers>>[number];

/** A report with what it changes in the alarms of its agent; undefined where there is nothing to evaluate. */
type EvaluatedReport = TimedReport & { alarm: AlarmChange | undefined };

/** A report that waits for others keeps its evaluation. */
export type SubmittedReport = KeyedReport & { evaluated?: EvaluatedReport };

/** Converts the times of reports and compares them with thresholds, once for each report. */
const evaluate = async (
  deps: Pick<Deps, "db">,
  reports: readonly SubmittedReport[],
  now: number,
): Promise<EvaluatedReport[]> => {
  const added = reports.filter(({ evaluated }) => !evaluated);
  const timed = await withHubTimes(deps, added, now);
  const alarms = await evaluateAlarms(
    deps,
    timed.map(({ keyHash, report, lead }) => ({ keyHash, report, lead, newest: newestSample(report) })),
    now,
  );
  const evaluatedNow = new Map(timed.map((one) => [one.keyHash, { ...one, alarm: alarms.get(one.keyHash) }]));
  for (const one of added) one.evaluated = evaluatedNow.get(one.keyHash);
  return reports.flatMap(({ evaluated }) => evaluated ?? []);
};

/** A report of a known agent, and what it changes in its state. */
type KnownReport = EvaluatedReport & { agentId: number; agent: Agent; state: ReportedState };

const findKnownReports = async (
  deps: Pick<Deps, "db">,
  reports: readonly EvaluatedReport[],
  now: number,
): Promise<KnownReport[]> => {
  const byKey = new Map(reports.map((report) => [report.keyHash, report]));
  return (await readServers(deps, [...byKey.keys()])).flatMap((agent) => {
    const evaluated = byKey.get(agent.keyHash);
    if (!evaluated) return [];
    const state = { ...stateOf(evaluated, now), traffic: agent.state.traffic };
    return [{ ...evaluated, agentId: agent.agentId, agent, state }];
  });
};

/** Whether a report only brings new figures, so that it may wait in the journal. */
const mayWait = ({ db }: Pick<Deps, "db">, { agent, alarm, state }: KnownReport): boolean =>
  db.engine === "sqlite" &&
  agent.status === "active" &&
  // Null after its machine enrolled again.
  agent.state.reportedAt !== null &&
  agent.state.interval === state.interval &&
  (agent.state.sampledAt ?? 0) <= (state.sampledAt ?? 0) &&
  // The CPU usage of a new agent is in its second report, and users wait for it.
  (agent.state.cpu !== null || state.cpu === null) &&
  (alarm === undefined || isUnchanged(alarm)) &&
  JSON.stringify(agent.facts) === JSON.stringify(state.facts);

/** Whether a report changes a status or is to be refused, so that it should be stored or refused at once. */
export const hasUrgent = async (
  deps: Pick<Deps, "db">,
  reports: readonly SubmittedReport[],
  now: number,
): Promise<boolean> => {
  const ofAgents = await findKnownReports(deps, await evaluate(deps, reports, now), now);
  return ofAgents.length < reports.length || ofAgents.some((one) => !mayWait(deps, one));
};

/** With the samples of a report that are not stored yet, and how many of it are stored afterwards. */
type Incoming = KnownReport & { samples: StoredSample[]; stored: Stored };

/**
 * Compares the samples of reports with the stored ones, at most one a second. A sample that is stored already is counted, so
 * that a repeated report gets the same answer.
 */
const findNewSamples = async (
  deps: Pick<Deps, "db" | "log">,
  reports: KnownReport[],
  now: number,
): Promise<Incoming[]> => {
  const sent = reports.map((report) => ({ report, ...samplesOf(report, now) }));
  const storedTimes = await readStoredTimes(
    deps,
    new Map(sent.map(({ report, samples }) => [report.agentId, samples])),
  );
  const compared = sent.map(({ report, samples, future, old }) => {
    const times = storedTimes.get(report.agentId);
    const storedAt = ({ at }: StoredSample) => times?.seconds.get(Math.floor(at / SECOND));
    const added = samples.filter((sample) => storedAt(sample) === undefined);
    const again = samples.filter((sample) => storedAt(sample) === sample.at);
    const accepted = added.length + again.length;
    const same_second = report.report.samples.length - accepted - future - old;
    const stored = { accepted, notStored: { future, old, same_second } };
    return { report, added: oncePerTenSeconds(added, times?.spans), stored };
  });
  const samples = await addFurtherFigures(
    deps,
    compared.map(({ report: { agentId, agent }, added }) => ({ agentId, series: agent.series, samples: added })),
  );
  return compared.map(({ report, stored }, index) => ({ ...report, samples: samples[index] ?? [], stored }));
};

/** When a machine was restarted since its last report, whose start was at `before`; empty if it was not, or if it is unknown. */
const restartOf = (report: KnownReport | undefined, before: string | undefined): AlertFacts => {
  const [boot, restarted_at] = [report && newestSample(report.report).traffic?.boot, report?.state.extra?.boot_time];
  const previous = report?.agent.state.traffic?.boot;
  if (!restarted_at || !before) return {};
  // Without an identity of each start, the start is computed from the uptime, and varies a little.
  const isSame =
    boot !== undefined && previous !== undefined
      ? boot === previous
      : Date.parse(restarted_at) - Date.parse(before) < MINUTE;
  return isSame ? {} : { restarted_at };
};

/** What is known of a machine that reports again, whose start was at `before`. */
const returnOf = (report: KnownReport | undefined, before: string | undefined): AlertFacts | null => {
  const facts = { ...restartOf(report, before), ...clockFactOf(report?.state.extra ?? null) };
  return Object.keys(facts).length > 0 ? facts : null;
};

/**
 * Reports agents that are online again and alarms that changed, and stores the alarms, within a transaction. Alarms that another
 * instance has changed since they were evaluated are left out.
 */
const reportChanges = async (deps: Store, direct: readonly KnownReport[], now: number): Promise<boolean> => {
  const { db } = deps;
  const { agentId, keyHash, status, alarms, extra } = states;
  const altered = direct.flatMap(({ alarm }) => (alarm && !isUnchanged(alarm) ? [alarm] : []));
  const isMeant = isOneOf(
    keyHash,
    direct.map((one) => one.keyHash),
  );
  const keys = altered.map((alarm) => alarm.keyHash);
  // Changes depend on the state that is overwritten, so it is locked first.
  await lock(db, lockRows(states, agentId, isMeant));
  const rows = await db
    .select({ agentId, keyHash, status, alarms, extra })
    .from(states)
    .where(and(isMeant, or(ne(status, "active"), keys.length > 0 ? isOneOf(keyHash, keys) : undefined)));
  const stored = new Map(rows.map((row) => [row.keyHash, row]));
  const current = altered.flatMap((alarm) => {
    const state = stored.get(alarm.keyHash);
    return state && Bun.deepEquals(state.alarms, alarm.before) ? [{ alarm, agentId: state.agentId }] : [];
  });
  const byKey = new Map(direct.map((one) => [one.keyHash, one]));
  const online = rows.filter((row) => row.status === "inactive");
  const changes = [
    ...online.map(
      (row): Change => ({
        ...{ targetId: row.agentId, kind: "offline", at: now, opens: false },
        facts: returnOf(byKey.get(row.keyHash), row.extra?.boot_time),
      }),
    ),
    ...current.flatMap((one) => toReport(one.alarm, one.agentId, now)),
  ];
  await report(deps, "agent", changes);
  if (current.length > 0) await db.rows(writeAlarms(current.map(({ alarm }) => alarm)));
  return changes.length > 0;
};

const store = async (deps: Store, reports: readonly SubmittedReport[], now: number) => {
  const ofAgents = await findKnownReports(deps, await evaluate(deps, reports, now), now);
  const incoming = await findNewSamples(deps, await addTraffic(deps, ofAgents, now), now);
  const { journaled = [], direct = [] } = Object.groupBy(incoming, (one) =>
    mayWait(deps, one) ? "journaled" : "direct",
  );
  const pending = pendingOf(deps.db);
  // Reports that wait are written before a later one of their agent.
  await writePendingOf(
    deps,
    pending,
    direct.map(({ agentId }) => agentId),
  );
  const entries = journaled.map(({ agentId, state, samples }) => encodeEntry({ agentId, state, samples }));
  const { eventsWritten, results } = await deps.db.transact(async (tx) => ({
    eventsWritten: direct.length > 0 && (await reportChanges({ ...deps, db: tx }, direct, now)),
    results: await tx.atomically(() => [
      ...writeStates(direct.map(({ state }) => state)),
      ...writeSamples(direct.map(({ state, samples }) => ({ keyHash: state.keyHash, samples: packOf(samples) }))),
      ...(entries.length > 0 ? [writeJournal(tx, entries)] : []),
    ]),
  }));
  for (const { held } of entries) addPending(pending, held);
  if (entries.length > 0) pending.lastRow = (results.at(-1) as { id: number }[])[0]?.id ?? pending.lastRow;
  const updated = (direct.length > 0 ? results[0] : []) as WrittenState[];
  await recountTraffic(deps, direct, updated, now);
  const storedKeys = new Set([...updated.map((row) => row.key_hash), ...entries.map(({ held }) => held.keyHash)]);
  for (const { agentId, clock, keyHash } of incoming) if (storedKeys.has(keyHash)) logClock(deps, agentId, clock);
  return {
    stored: new Map(incoming.flatMap(({ keyHash, stored }) => (storedKeys.has(keyHash) ? [[keyHash, stored]] : []))),
    eventsWritten,
  };
};

/**
 * Stores reports in one transaction: current figures, samples and events. Each key has at most one report. Returns the
 * number of stored samples by key hash, for known keys, and whether events were written.
 */
export const ingest = (deps: Store, reports: readonly SubmittedReport[], now: number) =>
  pendingOf(deps.db).exclusively(() => store(deps, reports, now));
