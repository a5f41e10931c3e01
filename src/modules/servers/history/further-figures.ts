/**
 * Numbers the further figures of samples before they are stored. The names of an agent's series are added in a transaction of
 * their own, so that a stored number always has its name. Reports whose figures are all known make no query.
 */
import type { Deps } from "../../../core/deps";
import { type Sample, usedPercent } from "../../../shared/agents/report";
import { SERIES_NAME_LENGTH, type SeriesKind } from "../../../shared/agents/series";
import { type Further, toHundredths } from "./further";
import { tenSecondsOf } from "./read";
import type { StoredSample } from "./samples";
import { addNames, hasRoom, type Lacking, type Names, numbersOf } from "./series-names";

type Figure = [name: string, value: number];

/** What of a sample has series. */
type Figures = Pick<Sample, "swap" | "load" | "cpu_parts" | "disks" | "interfaces" | "temperatures" | "disk_activity">;

/** The further figures of a sample that are known, by the names of their series; the most useful ones first. */
export const furtherFigures = (sample: Figures): Figure[] => {
  const figures: Figure[] = [];
  const add = (kind: SeriesKind, value: number | null | undefined, subject?: string) => {
    const name = subject === undefined ? kind : `${kind}:${subject}`;
    // A series has no values below zero: only sensors in the cold have some.
    if (typeof value === "number" && value >= 0 && name.length <= SERIES_NAME_LENGTH) figures.push([name, value]);
  };
  const { swap, load, cpu_parts, disks = [], interfaces = [], temperatures = [], disk_activity = [] } = sample;
  if (swap) add("swap", usedPercent(swap));
  add("load", load?.[0]);
  add("iowait", cpu_parts?.iowait);
  add("steal", cpu_parts?.steal);
  for (const disk of disks) add("disk", usedPercent(disk), disk.mount);
  for (const { name, rx, tx } of interfaces) {
    add("rx", rx, name);
    add("tx", tx, name);
  }
  for (const { sensor, celsius } of temperatures) add("temp", celsius, sensor);
  for (const { mount, inodes } of disks) if (inodes) add("inodes", usedPercent(inodes), mount);
  for (const { device, read, write, busy, latency } of disk_activity) {
    add("read", read, device);
    add("write", write, device);
    add("busy", busy, device);
    add("latency", latency, device);
  }
  return figures;
};

const numberFigures = (figures: readonly Figure[], numbers: ReadonlyMap<string, number>): Further | undefined => {
  const valuesByNumber = new Map<number, number>();
  for (const [name, value] of figures) {
    const series = numbers.get(name);
    // Of two figures with one name the first one counts.
    if (series !== undefined && !valuesByNumber.has(series)) valuesByNumber.set(series, toHundredths(value));
  }
  return valuesByNumber.size === 0 ? undefined : [...valuesByNumber].sort(([a], [b]) => a - b);
};

/** A sample to store, with the sent sample unless its further figures are left out. */
export type TakenSample = StoredSample & { sent: Sample | null };

/**
 * Keeps further figures of the first sample in ten seconds only, which is the step of the shortest chart: one a second would
 * take a hundred times the space of the other figures. `spans` have a stored sample.
 */
export const oncePerTenSeconds = (samples: readonly TakenSample[], spans?: ReadonlySet<number>): TakenSample[] => {
  const takenSpans = new Set(spans);
  return samples.map((sample) => {
    const span = tenSecondsOf(sample.at);
    if (takenSpans.has(span)) return { ...sample, sent: null };
    takenSpans.add(span);
    return sample;
  });
};

/** Adds the further figures to the samples of agents, whose `series` are the stored names. */
export const addFurtherFigures = async (
  deps: Pick<Deps, "db" | "log">,
  taken: readonly { agentId: number; series: Names | null; samples: readonly TakenSample[] }[],
): Promise<StoredSample[][]> => {
  const named = taken.map(({ agentId, series, samples }) => ({
    ...{ agentId, series, numbers: numbersOf(series) },
    samples: samples.map(({ sent, ...sample }) => ({ sample, figures: sent ? furtherFigures(sent) : [] })),
  }));
  const lacking = named.flatMap(({ agentId, series, numbers, samples }): Lacking[] => {
    if (!hasRoom(series)) return [];
    const names = samples.flatMap(({ figures }) => figures.flatMap(([name]) => (numbers.has(name) ? [] : [name])));
    return names.length > 0 ? [{ agentId, before: series, names }] : [];
  });
  const added = lacking.length > 0 ? await addNames(deps, lacking) : new Map<number, Names>();
  return named.map(({ agentId, numbers, samples }) => {
    const names = added.get(agentId);
    const numberByName = names ? numbersOf(names) : numbers;
    return samples.map(({ sample, figures }) => {
      const further = numberFigures(figures, numberByName);
      return further ? { ...sample, further } : sample;
    });
  });
};
