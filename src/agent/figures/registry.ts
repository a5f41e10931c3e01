import type { MachineFacts } from "../../shared/agents/report";
import type { Reading } from "../platform/platform";
import type { Time } from "../runtime";
import { createFacts } from "./facts";
import type { Fact, Machine, SampleFields, SampleFigure } from "./figure";
import { arrays } from "./machine/arrays";
import { containers } from "./machine/containers";
import { failedUnits } from "./machine/failed-units";
import { gpus } from "./machine/gpus";
import { processes } from "./machine/processes";
import { processors } from "./machine/processors";
import { rebootRequired } from "./machine/reboot-required";
import { cpuParts } from "./sample/cpu-parts";
import { diskActivity } from "./sample/disk-activity";
import { interfaces } from "./sample/interfaces";
import { temperatures } from "./sample/temperatures";
import { traffic } from "./sample/traffic";

/** The figures of each sample, by the field that they fill. A new one is one file and one line. */
const SAMPLE_FIGURES: { [Name in keyof SampleFields]?: SampleFigure } = {
  cpu_parts: cpuParts,
  disk_activity: diskActivity,
  interfaces,
  temperatures,
  traffic,
};

/** The facts of each report, by the field that they fill. A new one is one file and one line. */
const FACTS: { [Name in keyof MachineFacts]?: Fact } = {
  processors,
  processes,
  failed_units: failedUnits,
  containers,
  gpus,
  arrays,
  reboot_required: rebootRequired,
};

/** What `--without` accepts. */
export const FIGURE_NAMES: string[] = [...Object.keys(SAMPLE_FIGURES), ...Object.keys(FACTS)];

/** One reading of all figures of samples, by name; those that the machine does not have are absent. */
export type RawFigures = Record<string, unknown>;

const omit = <Value>(all: Record<string, Value>, names: string[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));

/** Opens the figures that this machine has, except those named. */
export const openFigures = (machine: Machine, time: Time, without: string[] = []) => {
  const readers = Object.entries(omit(SAMPLE_FIGURES, without)).flatMap(([name, figure]) => {
    const read = figure.open(machine);
    return read ? [{ name, read }] : [];
  });
  const readOne = async (read: (typeof readers)[number]["read"], reading: Reading): Promise<unknown> => {
    try {
      return await read(reading);
    } catch {
      return null;
    }
  };
  return {
    /** Reads what the fields of the next sample follow from: all of them, or those named. */
    read: async (reading: Reading, only?: readonly string[]): Promise<RawFigures> => {
      const wanted = only ? readers.filter(({ name }) => only.includes(name)) : readers;
      return Object.fromEntries(
        await Promise.all(wanted.map(async ({ name, read }) => [name, await readOne(read, reading)] as const)),
      );
    },
    facts: createFacts(omit(FACTS, without), machine, time),
  };
};

export type Figures = ReturnType<typeof openFigures>;

/** The fields of a sample from two readings; `before` is null while rates are not meaningful. */
export const fieldsOf = (after: RawFigures, before: RawFigures | null, seconds: number): SampleFields =>
  Object.assign(
    {},
    ...Object.entries(SAMPLE_FIGURES).map(([name, figure]) => {
      const raw = after[name] ?? null;
      return raw === null ? {} : figure.fields(raw, seconds > 0 ? (before?.[name] ?? null) : null, seconds);
    }),
  );
