/** The measures of a run with their limits. */
import {
  endError,
  type Found,
  isStartSeen,
  LASTING,
  mean,
  median,
  startError,
  TOLERANCE,
  uptimeErrors,
  visibleTime,
  type World,
} from "./compare";

/** Limits of time are for this interval of checks (ms), and shorter for shorter intervals. */
const INTERVAL = 60_000;
/** The middle of an interval is a quarter of it from the truth at the median. Due times vary by a tenth. */
const START = 15_000 * 1.1;
const END = 15_000;
/** While an outage is this new, its end is found soon (ms). */
const NEW = 600_000;
const TOLD = 2500;
/** Points, in a run of this length (ms); more in shorter ones, whose points are less time. */
const UPTIME = { points: 0.5, length: 35 * 60_000 };

export type Measure = { name: string; value: number | null; limit: number; unit: "s" | "points" | "messages" };

const scaled = (error: number, { target }: Found): number => (error * INTERVAL) / (target.interval ?? INTERVAL);

/** Fewer values say little about all others. */
const ENOUGH = 20;
const ifEnough = <T>(values: T[]): T[] => (values.length < ENOUGH ? [] : values);

/** Messages to the grouped channel about the targets of a class: how many are of failures, and how many of recoveries. */
const countGrouped = ({ truth, grouped }: World, group: string) => {
  const names = truth.filter((target) => target.class === group).map(({ name }) => name);
  const about = grouped.filter((text) => names.some((name) => text.includes(name)));
  return {
    down: about.filter((text) => text.includes("🔴")).length,
    up: about.filter((text) => text.includes("🟢")).length,
  };
};

/** The class of targets on one host, whose failures are one message to a channel that groups. */
export const ONE_HOST = "host";

/** The failures of different causes: all targets of one host fail at once, and its ports are checked together. */
const differentCauses = (found: readonly Found[]): Found[] => {
  const first = found.find(({ target }) => target.class === ONE_HOST);
  return found.filter((one) => one.target.class !== ONE_HOST || one === first);
};

export const measure = (world: World, found: readonly Found[]): Measure[] => {
  const { blind, end, truth } = world;
  const checked = found.filter(({ target }) => target.interval !== null);
  const different = differentCauses(checked);
  const starts = different.filter((one) => isStartSeen(one, world)).map((one) => scaled(startError(one), one));
  const isNew = ({ claim: { startedAt, endedAt } }: Found) => (endedAt ?? end) - startedAt <= NEW;
  const ends = different.filter(isNew).flatMap((one) => {
    const error = endError(one, world);
    return error === null ? [] : scaled(error, one);
  });
  const told = checked.flatMap(({ claim: { recordedAt }, told }) => (told && recordedAt ? told - recordedAt : []));
  const waits = found.flatMap(({ claim: { startedAt }, told }) =>
    told ? visibleTime({ from: startedAt, to: told }, blind) : [],
  );
  const uptimes = uptimeErrors(world);
  const length = median(uptimes.map(({ uptime }) => uptime.at - uptime.since)) ?? UPTIME.length;
  const messages = countGrouped(world, ONE_HOST);
  const hasHost = truth.some((target) => target.class === ONE_HOST && target.failures.length > 0);
  return [
    { name: "error of starts, median", value: median(ifEnough(starts)), limit: START, unit: "s" },
    { name: "error of ends, median", value: median(ifEnough(ends)), limit: END, unit: "s" },
    { name: "record to message, median", value: median(ifEnough(told)), limit: TOLD, unit: "s" },
    {
      name: "failed check to message, longest",
      value: waits.length === 0 ? null : Math.max(...waits),
      limit: LASTING + TOLERANCE,
      unit: "s",
    },
    {
      name: "error of uptimes, mean",
      value: mean(ifEnough(uptimes.map(({ error }) => error))),
      limit: UPTIME.points * Math.max(1, UPTIME.length / length),
      unit: "points",
    },
    { name: "grouped messages, host down", value: hasHost ? messages.down : null, limit: 1, unit: "messages" },
    { name: "grouped messages, host up", value: hasHost ? messages.up : null, limit: 1, unit: "messages" },
  ];
};

/** The measures that exceed their limits. */
export const exceeded = (measures: readonly Measure[]): Measure[] =>
  measures.filter(({ value, limit }) => value !== null && value > limit);
