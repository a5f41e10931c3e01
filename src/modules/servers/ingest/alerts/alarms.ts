/** Alerts by thresholds and about parts of servers: evaluated with each report, and written with its state. */
import { eq, type SQL, sql } from "drizzle-orm";
import type { Deps } from "../../../../core/deps";
import { agents, agentStates as states } from "../../../../db/schema";
import { isOneOf, withValues } from "../../../../db/sql";
import type { Report, Sample } from "../../../../shared/agents/report";
import type { Alarm, AlarmState, KnownMachine } from "../../../../shared/agents/thresholds";
import { MINUTE, SECOND } from "../../../../shared/limits";
import type { AlertFacts } from "../../../../shared/notifications";
import type { Change as ReportedChange } from "../../../alerting/report";
import { type AppliedThreshold, readThresholdsOf } from "../../thresholds/effective";
import { type Change, evaluateFigures } from "../../thresholds/figures";
import { evaluateMachines, isCurrent, isOfMachines, isSameMachine, machineOfReport } from "../../thresholds/machines";
import { evaluateParts, hasParts } from "../../thresholds/parts";
import { evaluateRuleFigures } from "../../thresholds/rule-figures";
import type { TrafficState } from "../../traffic/count";
import { currentState } from "../states";

/** A report, its newest sample, and by how many milliseconds its samples may be ahead of the hub's clock. */
type Reported = { keyHash: string; report: Report; newest: Sample; lead: number };

/** A report with what is stored of its agent. */
type Compared = Reported & {
  thresholds: readonly AppliedThreshold[];
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

const isEvaluated = ({ report, newest, thresholds, alarms, machine }: Compared): boolean =>
  thresholds.length > 0 ||
  alarms !== null ||
  hasParts(report) ||
  !isSameMachine(machine, machineOfReport(report, newest));

/** Samples that are not older than what is stored, the oldest first. A clock that is ahead does not count. */
const newSamples = ({ report: { samples }, sampledAt, lead }: Compared, now: number) =>
  samples
    .map((sample) => ({ at: Math.min(Date.parse(sample.at), now + lead), sample }))
    .filter(({ at }) => at > (sampledAt ?? 0))
    .toSorted((one, other) => one.at - other.at);

type Evaluation = { alarms: AlarmState[]; changes: Change[] };
const NOTHING: Evaluation = { alarms: [], changes: [] };

/** The changes from the figures and parts of a report, unless it only has older samples. */
const evaluateFacts = (one: Compared, before: readonly AlarmState[], now: number): Evaluation => {
  const { report, thresholds, sampledAt } = one;
  const samples = newSamples(one, now);
  const newest = samples.at(-1);
  if (!newest) return { alarms: before.filter((state) => !isOfMachines(state)), changes: [] };
  const unreadable = report.unreadable_disks ?? [];
  const ofRule = evaluateRuleFigures(before, { newest: newest.sample, at: newest.at, thresholds, unreadable });
  const figures = evaluateFigures(before, {
    ...{ samples, thresholds, unreadable },
    processors: report.processors,
    lastAt: sampledAt,
    longestPause: 3 * report.interval * SECOND + MINUTE,
  });
  const hasNone = before.length === 0 && !hasParts(report);
  const parts = hasNone ? NOTHING : evaluateParts(before, report, { at: newest.at, lastAt: sampledAt });
  const all = [ofRule, figures, parts];
  return { alarms: all.flatMap(({ alarms }) => alarms), changes: all.flatMap(({ changes }) => changes) };
};

/** The change from a report to the machines that report with its key, unless the report was delayed. */
const evaluateKey = (one: Compared, before: readonly AlarmState[], now: number): Evaluation => {
  const { report, newest, machine } = one;
  const { interval } = report;
  const reporting = machineOfReport(report, newest);
  if (before.length === 0 && isSameMachine(machine, reporting)) return NOTHING;
  if (!isCurrent(Date.parse(newest.at), interval, now)) return { alarms: before.filter(isOfMachines), changes: [] };
  return evaluateMachines(before, { machine: reporting, previous: machine, interval, now });
};

const evaluateOne = (one: Compared, now: number): AlarmChange => {
  const { keyHash, report, alarms: before } = one;
  const [facts, key] = [evaluateFacts(one, before ?? [], now), evaluateKey(one, before ?? [], now)];
  const after = [...facts.alarms, ...key.alarms];
  const { processes } = report;
  return {
    keyHash,
    before,
    after: after.length > 0 ? after : null,
    changes: [...facts.changes, ...key.changes],
    facts: processes ? { processes } : {},
  };
};

/** Evaluates reports against thresholds and what is stored of their agents. Those without anything to evaluate are left out. */
export const evaluateAlarms = async (
  deps: Pick<Deps, "db">,
  reports: readonly Reported[],
  now: number,
): Promise<Map<string, AlarmChange>> => {
  const rows = await deps.db
    .select({
      keyHash: states.keyHash,
      agentId: agents.id,
      teamId: agents.teamId,
      alarms: states.alarms,
      sampledAt: states.sampledAt,
      hostname: agents.hostname,
      boot: sql<string | null>`${states.traffic} ->> 'boot'`,
    })
    .from(states)
    .innerJoin(agents, eq(agents.id, states.agentId))
    .where(
      isOneOf(
        states.keyHash,
        reports.map(({ keyHash }) => keyHash),
      ),
    );
  const sent = new Map(reports.map((report) => [report.keyHash, report]));
  const thresholdsOf = await readThresholdsOf(deps, rows, now);
  const compared = rows.flatMap(({ keyHash, agentId, alarms, hostname, ...stored }): Compared[] => {
    const reported = sent.get(keyHash);
    const held = currentState(deps.db, agentId, { sampledAt: stored.sampledAt, traffic: null as TrafficState | null });
    const boot = held.traffic?.boot ?? stored.boot;
    const machine = boot === null ? { hostname } : { hostname, boot };
    const thresholds = thresholdsOf.get(agentId) ?? [];
    return reported ? [{ ...reported, thresholds, alarms, sampledAt: held.sampledAt, machine }] : [];
  });
  return new Map(compared.filter(isEvaluated).map((one) => [one.keyHash, evaluateOne(one, now)]));
};

/** Whether a report changes nothing that is stored of alarms. */
export const isUnchanged = ({ before, after }: AlarmChange): boolean => Bun.deepEquals(before, after);

/** Figures that programs use. */
const USED_BY_PROGRAMS: readonly Alarm["metric"][] = ["cpu", "memory", "swap", "load"];

const outageFacts = ({ facts }: AlarmChange, { kind, begins, event }: Change): AlertFacts | null => {
  const outageFields: AlertFacts = {
    ...(begins && USED_BY_PROGRAMS.includes(kind) && facts),
    ...(event?.state !== undefined && { state: event.state }),
    ...(event?.machines && begins && { machines: event.machines }),
    ...(event?.thresholdId !== undefined && { threshold_id: event.thresholdId }),
  };
  return Object.keys(outageFields).length > 0 ? outageFields : null;
};

/** The changes to report of the alarms of an agent. */
export const toReport = (alarm: AlarmChange, targetId: number, now: number): ReportedChange[] =>
  alarm.changes.map((change) => {
    const { kind, subject, begins, event } = change;
    return {
      ...{ targetId, kind, subject, at: now, opens: begins, silent: event === null },
      figure: event?.figure ?? null,
      threshold: event?.threshold ?? null,
      mount: event?.mount ?? (kind === "disk" && subject ? subject : null),
      facts: outageFacts(alarm, change),
    };
  });

/** The statement that stores alarms. */
export const writeAlarms = (alarms: readonly AlarmChange[]): SQL => {
  const rows = alarms.map(({ keyHash, after }) => [keyHash, after]);
  return sql`${withValues("c", { key_hash: "text", after: "json" }, rows)} update ${states} set alarms = c.after
    from c where ${states.keyHash} = c.key_hash`;
};
