import { type MachineFacts, REPORT_LIMITS, type Sample } from "../../shared/agents/report";
import type { Reading } from "../platform/platform";
import type { Files } from "../platform/proc";
import { type Logger, oneLine } from "../runtime";

/** What figures may use of the machine. */
export type Machine = {
  /** Files of the kernel and the system. */
  files: Files;
  /** The mount point of the host's files in a container; empty elsewhere. */
  host: string;
  /** Runs a system command; an empty string when it is missing, fails or takes too long. */
  output: (words: string[]) => Promise<string>;
  /** Whether a program of this name is installed. */
  has: (program: string) => boolean;
  /** Milliseconds of the monotonic clock. */
  monotonic: () => number;
  /** Addresses of container engines; the first existing one is read. Empty if containers are not reported. */
  engines: string[];
  log: Logger;
};

/** The fields of a sample that figures fill. */
export type SampleFields = Pick<Sample, "cpu_parts" | "disk_activity" | "interfaces" | "temperatures" | "traffic">;

/** A figure of each sample: a reading, and the fields computed from two readings. */
export type SampleFigure<Raw = unknown> = {
  /** Prepares reading; null on a machine that does not have the figure, which is found out at the start only. */
  open: (machine: Machine) => ((reading: Reading) => Raw | null | Promise<Raw | null>) | null;
  /** `before` is null while rates are not meaningful, as after the start. */
  // A method, so that figures of different readings fit into one list.
  fields(after: Raw, before: Raw | null, seconds: number): SampleFields;
};

/** A fact of the machine, which is sent with reports. */
export type Fact = {
  /** How long a reading stays in use (seconds). */
  every: number;
  /** Prepares reading; null on a machine that does not have it, which is found out at the start only. */
  open: (machine: Machine) => (() => MachineFacts | Promise<MachineFacts>) | null;
};

/** A name that comes from the machine, on one line and within the length that the hub accepts; `?` for none. */
export const nameOf = (text: string): string => oneLine(text).trim().slice(0, REPORT_LIMITS.name).toWellFormed() || "?";
