/** Compares a report with the thresholds of a notification rule: a pure function from alarms to alarms. */
import { type DiskUsage, type Sample, type UnreadableDisk, usedPercent } from "../../../shared/agents/report";
import type { Alarm, AlarmState, ThresholdMetric } from "../../../shared/agents/thresholds";
import { type AppliedThreshold, thresholdFor } from "./effective";
import { type Change, changesOf, type Evaluated, isOfRule, keyOf, stepFigure } from "./figures";

type Input = {
  /** The newest sample of the report, and its time. */
  newest: Sample;
  at: number;
  thresholds: readonly AppliedThreshold[];
  unreadable: readonly UnreadableDisk[];
};

/** A figure in percent, null if it is not known; of a disk that is reported separately, with its mount. */
type Reading = { mount: string | null; value: number | null };

/** The fullest mount, or all together when they are not reported separately. */
const fullest = ({ disk }: Sample, disks: readonly DiskUsage[]): Reading => {
  if (disks.length === 0) return { mount: null, value: usedPercent(disk) };
  const worst = disks.reduce((one, other) => ((usedPercent(other) ?? 0) > (usedPercent(one) ?? 0) ? other : one));
  return { mount: worst.mount, value: usedPercent(worst) };
};

/**
 * The disk that an alert names: undefined if it was removed, so that the fullest one is evaluated; without a value if it
 * can't be read, so that the alert stays.
 */
const alertedDisk = (
  mount: string,
  disks: readonly DiskUsage[],
  unreadable: Input["unreadable"],
): Reading | undefined => {
  const disk = disks.find((one) => one.mount === mount);
  if (disk) return { mount, value: usedPercent(disk) };
  return unreadable.some((one) => one.mount === mount) ? { mount, value: null } : undefined;
};

/** The disks without a threshold of a user; undefined if users set thresholds for all of them. */
const remainingDisks = ({ disks = [] }: Sample, thresholds: readonly AppliedThreshold[]): DiskUsage[] | undefined => {
  if (!thresholds.some(({ metric, minutes }) => metric === "disk" && minutes !== null)) return disks;
  if (disks.length === 0) return thresholdFor(thresholds, "disk", "") ? undefined : disks;
  const remaining = disks.filter(({ mount }) => !thresholdFor(thresholds, "disk", mount));
  return remaining.length > 0 ? remaining : undefined;
};

/**
 * The figure that a threshold of the rule is compared with, and the highest one: they differ while another disk alerts.
 * Undefined where a threshold of a user counts instead.
 */
const readingsOf = (metric: ThresholdMetric, alarm: Alarm | undefined, { newest, thresholds, unreadable }: Input) => {
  if (metric !== "disk") {
    if (thresholdFor(thresholds, metric, "")) return undefined;
    const reading: Reading = { mount: null, value: metric === "cpu" ? newest.cpu : usedPercent(newest.memory) };
    return { reading, highest: reading };
  }
  const disks = remainingDisks(newest, thresholds);
  if (!disks) return undefined;
  const highest = fullest(newest, disks);
  const alerted = alarm?.mount === undefined ? undefined : alertedDisk(alarm.mount, disks, unreadable);
  return { reading: alerted ?? highest, highest };
};

/**
 * The alarms by thresholds of a notification rule after a report, and what began or ended with it. A figure that is not known
 * leaves its alarm. A disk that is full when the alert about another one ends counts as above once.
 */
export const evaluateRuleFigures = (before: readonly AlarmState[], input: Input): Evaluated => {
  const alarms = new Map(before.filter(isOfRule).map((alarm) => [keyOf(alarm), alarm]));
  const after = new Map<string, Alarm>();
  const crossed = new Map<string, Change["event"]>();
  for (const applied of input.thresholds) {
    if (applied.minutes !== null) continue;
    const { metric, threshold } = applied;
    const key = keyOf({ metric, subject: "", ofRule: true });
    const alarm = alarms.get(key);
    const readings = readingsOf(metric, alarm, input);
    if (!readings) continue;
    const { value, mount } = readings.reading;
    if (!alarm && value !== null && value < threshold) continue;
    if (value === null) {
      if (alarm) after.set(key, alarm);
      continue;
    }
    const step = (from: Alarm | undefined, figure: number) =>
      stepFigure(from, applied, { subject: "", value: figure, at: input.at, isGap: false });
    const next = step(alarm, value);
    const [wasAlerting, isAlerting] = [alarm?.alerting ?? false, next?.alerting ?? false];
    if (wasAlerting !== isAlerting) crossed.set(key, { figure: value, threshold, mount });
    const stored = wasAlerting && !isAlerting ? step(undefined, readings.highest.value ?? 0) : next;
    const alerted = wasAlerting ? alarm?.mount : (mount ?? undefined);
    if (stored)
      after.set(key, { ...stored, ofRule: true, ...(isAlerting && alerted !== undefined && { mount: alerted }) });
  }
  return { alarms: [...after.values()], changes: changesOf(alarms, after, crossed) };
};
