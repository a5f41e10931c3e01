/** Compares the figures of a server with thresholds, sample by sample: a pure function from alarms to alarms. */
import { type Sample, type UnreadableDisk, usedPercent } from "../../../shared/agents/report";
import {
  type Alarm,
  type AlarmState,
  THRESHOLD_METRICS,
  type ThresholdMetric,
} from "../../../shared/agents/thresholds";
import { HOUR, MINUTE } from "../../../shared/limits";
import { type AppliedThreshold, thresholdFor } from "./effective";

/** Alarms of one server. Further figures that are too high are not noticed. */
export const MAX_ALARMS = 50;
/** A figure that is not reported for this time is no longer too high. */
const MISSING_FOR = HOUR;

/** An alert that begins or ends; without figures it ends because it is not evaluated any more, without a message. */
export type Change = {
  kind: Alarm["metric"];
  subject: string;
  begins: boolean;
  /** What its event says; null for no event. */
  event: {
    figure: number | null;
    threshold: number | null;
    thresholdId?: number;
    state?: string;
    machines?: string[];
    /** Of a threshold of a rule: the disk that counted. */
    mount?: string | null;
  } | null;
};

export type Evaluated = { alarms: Alarm[]; changes: Change[] };

/** The subject of a figure, as text. */
export const keyOf = ({ metric, subject, ofRule }: Pick<Alarm, "metric" | "subject" | "ofRule">): string =>
  `${ofRule ? "rule " : ""}${metric} ${subject}`;

const isFigure = (state: AlarmState): state is Alarm & { metric: ThresholdMetric } =>
  THRESHOLD_METRICS.some((metric) => metric === state.metric);
/** Whether a state belongs to a threshold of a notification rule. */
export const isOfRule = (state: AlarmState): state is Alarm => "ofRule" in state;

type Reading = { metric: ThresholdMetric; subject: string; value: number };

/** The figures of a sample that thresholds can be about. */
const readingsOf = (
  { cpu, memory, swap, disk, disks, load, temperatures }: Sample,
  processors: number | undefined,
): Reading[] => {
  const figures: [ThresholdMetric, string, number | null][] = [
    ["cpu", "", cpu],
    ["memory", "", usedPercent(memory)],
    ["swap", "", swap ? usedPercent(swap) : null],
    ["load", "", load && processors ? load[0] / processors : null],
    ...(disks?.length
      ? disks.map((one): [ThresholdMetric, string, number | null] => ["disk", one.mount, usedPercent(one)])
      : ([["disk", "", usedPercent(disk)]] as [ThresholdMetric, string, number | null][])),
    ...(temperatures ?? []).map(({ sensor, celsius }): [ThresholdMetric, string, number] => [
      "temperature",
      sensor,
      celsius,
    ]),
  ];
  return figures.flatMap(([metric, subject, value]) => (value === null ? [] : [{ metric, subject, value }]));
};

/**
 * The alarm of a figure after one sample, or one report for a threshold of a rule; undefined while it is quiet. `isGap`:
 * nothing is known of the time before.
 */
export const stepFigure = (
  before: Alarm | undefined,
  { metric, threshold, clear, minutes }: AppliedThreshold,
  { subject, value, at, isGap }: { subject: string; value: number; at: number; isGap: boolean },
): Alarm | undefined => {
  const since = before?.since != null && !isGap ? before.since : at;
  const isLongEnough = minutes === null ? before?.since != null : at - since >= minutes * MINUTE;
  if (!before?.alerting) {
    if (value < threshold) return undefined;
    return isLongEnough
      ? { metric, subject, alerting: true, since: null }
      : { metric, subject, alerting: false, since };
  }
  if (value >= clear) return { metric, subject, alerting: true, since: null };
  return isLongEnough ? undefined : { metric, subject, alerting: true, since };
};

/** The alarm of what a sample says nothing of: an alert is kept for a while. */
export const stepMissing = (alarm: Alarm, at: number): Alarm | undefined => {
  if (!alarm.alerting) return undefined;
  const missing = alarm.missing ?? at;
  return at - missing >= MISSING_FOR ? undefined : { ...alarm, missing };
};

type Input = {
  /** New samples with their times, the oldest first. */
  samples: readonly { at: number; sample: Sample }[];
  thresholds: readonly AppliedThreshold[];
  processors: number | undefined;
  unreadable: readonly UnreadableDisk[];
  /** The time of the sample before; null for none. */
  lastAt: number | null;
  /** The longest time between two samples between which nothing is missing, in milliseconds. */
  longestPause: number;
};

/** The alarms by thresholds that users set after samples, and what began or ended with the last of them. */
export const evaluateFigures = (
  before: readonly AlarmState[],
  { samples, thresholds, processors, unreadable, lastAt, longestPause }: Input,
): Evaluated => {
  const alarms = before.filter(isFigure).filter((state) => !isOfRule(state));
  const current = new Map<string, Alarm>(alarms.map((alarm) => [keyOf(alarm), alarm]));
  if (current.size === 0 && thresholds.every(({ minutes }) => minutes === null)) return { alarms: [], changes: [] };
  const first = new Map(current);
  const crossed = new Map<string, Change["event"]>();
  let previous = lastAt;
  for (const { at, sample } of samples) {
    const isGap = previous === null || at - previous > longestPause;
    const readings = new Map(readingsOf(sample, processors).map((one) => [keyOf(one), one]));
    for (const [key, alarm] of [...current]) {
      if (readings.has(key)) continue;
      const isUnreadable = alarm.metric === "disk" && unreadable.some(({ mount }) => mount === alarm.subject);
      const hasThreshold = thresholdFor(thresholds, alarm.metric as ThresholdMetric, alarm.subject) !== undefined;
      const next = !hasThreshold ? undefined : isUnreadable ? alarm : stepMissing(alarm, at);
      if (next) current.set(key, next);
      else current.delete(key);
    }
    for (const [key, { metric, subject, value }] of readings) {
      const applied = thresholdFor(thresholds, metric, subject);
      const alarm = current.get(key);
      const next = applied && stepFigure(alarm, applied, { subject, value, at, isGap });
      if (applied && (alarm?.alerting ?? false) !== (next?.alerting ?? false))
        crossed.set(key, { figure: value, threshold: applied.threshold, thresholdId: applied.id });
      if (!next) {
        current.delete(key);
        if (!applied) crossed.delete(key);
      } else if (alarm || current.size < MAX_ALARMS) current.set(key, next);
    }
    previous = at;
  }
  return { alarms: [...current.values()], changes: changesOf(first, current, crossed) };
};

/** What began or ended between two states. */
export const changesOf = (
  before: ReadonlyMap<string, Alarm>,
  after: ReadonlyMap<string, Alarm>,
  events: ReadonlyMap<string, Change["event"]>,
): Change[] => {
  const ended = [...before.values()].filter((one) => one.alerting && !after.get(keyOf(one))?.alerting);
  const begun = [...after.values()].filter((one) => one.alerting && !before.get(keyOf(one))?.alerting);
  const changeOf = (begins: boolean) => (one: Alarm) => ({
    kind: one.metric,
    subject: one.subject,
    begins,
    event: events.get(keyOf(one)) ?? null,
  });
  return [...ended.map(changeOf(false)), ...begun.map(changeOf(true))];
};
