/** Alerts by thresholds that users set, and about parts of servers: evaluated with each report, and written with its state. */
import { type SQL, sql } from "drizzle-orm";
import { agents, outages, agentStates as states } from "../../../../db/schema";
import { withValues } from "../../../../db/sql";
import type { Report, Sample } from "../../../../shared/agents/report";
import type { Alarm, AlarmState, KnownMachine } from "../../../../shared/agents/thresholds";
import { MINUTE, SECOND } from "../../../../shared/limits";
import { type AlertFacts, eventKindsOf } from "../../../../shared/notifications";
import { writeEventsBySubject } from "../../../notifications/events";
import { closeOutagesBySubject, openOutagesBySubject } from "../../../outages/statements";
import type { Rule } from "../../thresholds/effective";
import { type Change, evaluateFigures } from "../../thresholds/figures";
import { evaluateMachines, isCurrent, isOfMachines, isSameMachine, machineOfReport } from "../../thresholds/machines";
import { evaluateParts, hasParts } from "../../thresholds/parts";

/** A report that is compared with what is stored of its agent. */
type Compared = {
  keyHash: string;
  report: Report;
  newest: Sample;
  rules: readonly Rule[];
  alarms: AlarmState[] | null;
  /** The time of the newest sample before. */
  sampledAt: number | null;
  /** The machine of the report before. */
  machine: KnownMachine;
};

/** The alarms of an agent before and after a report, and the alerts that begin or end with it. */
export type AlarmChange = {
  keyHash: string;
  before: AlarmState[] | null;
  after: AlarmState[] | null;
  changes: Change[];
  facts: Pick<AlertFacts, "processes">;
};

const isEvaluated = ({ report, newest, rules, alarms, machine }: Compared): boolean =>
  rules.length > 0 || alarms !== null || hasParts(report) || !isSameMachine(machine, machineOfReport(report, newest));

/** Samples that are not older than what is stored, the oldest first. A clock that is ahead does not count. */
const newSamples = ({ report: { samples }, sampledAt }: Compared, now: number) =>
  samples
    .map((sample) => ({ at: Math.min(Date.parse(sample.at), now), sample }))
    .filter(({ at }) => at > (sampledAt ?? 0))
    .toSorted((one, other) => one.at - other.at);

type Evaluation = { alarms: AlarmState[]; changes: Change[] };

/** What the figures and parts of a report change, unless it only has older samples. */
const evaluateFacts = (one: Compared, before: readonly AlarmState[], now: number): Evaluation => {
  const { report, rules, sampledAt } = one;
  const samples = newSamples(one, now);
  const newest = samples.at(-1);
  if (!newest) return { alarms: before.filter((state) => !isOfMachines(state)), changes: [] };
  const figures = evaluateFigures(before, {
    samples,
    rules,
    processors: report.processors,
    unreadable: report.unreadable_disks ?? [],
    lastAt: sampledAt,
    longestPause: 3 * report.interval * SECOND + MINUTE,
  });
  const parts = evaluateParts(before, report, { at: newest.at, lastAt: sampledAt });
  return { alarms: [...figures.alarms, ...parts.alarms], changes: [...figures.changes, ...parts.changes] };
};

/** What a report changes of the machines that report with its key, unless it was kept for a while. */
const evaluateKey = (one: Compared, before: readonly AlarmState[], now: number): Evaluation => {
  const { report, newest, machine } = one;
  const { interval } = report;
  if (!isCurrent(Date.parse(newest.at), interval, now)) return { alarms: before.filter(isOfMachines), changes: [] };
  return evaluateMachines(before, { machine: machineOfReport(report, newest), previous: machine, interval, now });
};

/** Evaluates reports. Those without thresholds, alarms and parts cost nothing. */
export const evaluateAlarms = (compared: readonly Compared[], now: number): Map<string, AlarmChange> =>
  new Map(
    compared.filter(isEvaluated).map((one): [string, AlarmChange] => {
      const { keyHash, report, alarms: before } = one;
      const [facts, key] = [evaluateFacts(one, before ?? [], now), evaluateKey(one, before ?? [], now)];
      const after = [...facts.alarms, ...key.alarms];
      const { processes } = report;
      return [
        keyHash,
        {
          keyHash,
          before,
          after: after.length > 0 ? after : null,
          changes: [...facts.changes, ...key.changes],
          facts: processes ? { processes } : {},
        },
      ];
    }),
  );

/** Whether a report changes nothing that is stored of alarms. */
export const isUnchanged = ({ before, after }: AlarmChange): boolean => Bun.deepEquals(before, after);

const CHANGE = {
  key_hash: "text",
  before: "json",
  kind: "text",
  outage_kind: "text",
  subject: "text",
  closing: "boolean",
  figure: "double precision",
  threshold: "double precision",
  mount: "text",
  facts: "json",
} as const;

/** Figures that programs use. */
const USED_BY_PROGRAMS: readonly Alarm["metric"][] = ["cpu", "memory", "swap", "load"];

const factsOf = ({ facts }: AlarmChange, { kind, begins, event }: Change): AlertFacts | null => {
  const found: AlertFacts = {
    ...(begins && USED_BY_PROGRAMS.includes(kind) && facts),
    ...(event?.state !== undefined && { state: event.state }),
    ...(event?.machines && begins && { machines: event.machines }),
    ...(event?.thresholdId !== undefined && { threshold_id: event.thresholdId }),
  };
  return Object.keys(found).length > 0 ? found : null;
};

const rowsOf = (alarms: readonly AlarmChange[], wanted: (change: Change) => boolean) =>
  alarms.flatMap((alarm) =>
    alarm.changes.filter(wanted).map((change) => {
      const { kind, subject, begins, event } = change;
      const { opening, closing } = eventKindsOf(kind);
      const figures = [event?.figure ?? null, event?.threshold ?? null, kind === "disk" && subject ? subject : null];
      const eventKind = begins ? opening : closing;
      return [alarm.keyHash, alarm.before, eventKind, kind, subject, !begins, ...figures, factsOf(alarm, change)];
    }),
  );

/** The state is still the one that the change was computed from: another instance may have changed it. */
const isBefore = (column: SQL) => sql`coalesce(cast(s.alarms as text), '') = coalesce(cast(${column} as text), '')`;

/** Statements that store these changes of alarms with their events and outages, usually none. */
export const writeAlarmChanges = (alarms: readonly AlarmChange[], now: number): SQL[] => {
  const changed = alarms.filter((alarm) => !isUnchanged(alarm));
  if (changed.length === 0) return [];
  const at = sql`cast(${now} as bigint)`;
  const from = sql`from c join ${states} as s on s.key_hash = c.key_hash join ${agents} as a on a.id = s.agent_id
    where ${isBefore(sql`c.before`)}`;
  const since = sql`(select max(o.started_at) from ${outages} as o where c.closing and o.target_type = 'agent' and o.target_id = a.id
    and o.kind = c.outage_kind and o.subject = c.subject and o.ended_at is null)`;
  const reported = rowsOf(changed, ({ event }) => event !== null);
  const [begun, ended] = [rowsOf(changed, ({ begins }) => begins), rowsOf(changed, ({ begins }) => !begins)];
  const values = changed.map(({ keyHash, before, after }) => [keyHash, before, after]);
  return [
    ...(reported.length > 0
      ? [
          writeEventsBySubject(
            sql`select a.user_id, c.kind, 'agent', a.id, a.name, c.subject, c.facts, ${at}, ${since}, c.figure, c.threshold, c.mount ${from}`,
            withValues("c", CHANGE, reported),
          ),
        ]
      : []),
    ...(ended.length > 0
      ? [
          closeOutagesBySubject(
            sql`select 'agent' as target_type, a.id as target_id, c.outage_kind as kind, c.subject, ${at} as ended_at ${from}`,
            withValues("c", CHANGE, ended),
          ),
        ]
      : []),
    ...(begun.length > 0
      ? [
          openOutagesBySubject(
            sql`select a.user_id, 'agent', a.id, c.outage_kind, c.subject, c.facts, ${at} ${from}`,
            withValues("c", CHANGE, begun),
          ),
        ]
      : []),
    sql`${withValues("c", { key_hash: "text", before: "json", after: "json" }, values)} update ${states} as s set alarms = c.after
      from c where s.key_hash = c.key_hash and ${isBefore(sql`c.before`)}`,
  ];
};
