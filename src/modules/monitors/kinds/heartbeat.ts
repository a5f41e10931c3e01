import { AppError, type FieldError } from "../../../core/errors";
import type { Config, ConfigOf } from "../../../shared/monitor-kinds/field";
import { heartbeat as fields } from "../../../shared/monitor-kinds/heartbeat";
import { cronProblems, type Schedule } from "../heartbeats/schedule";
import { defineKind } from "./kind";

/** The fields of a heartbeat, under their names in the API: `every`, or `cron` with `tz`. */
export type HeartbeatFields = ConfigOf<(typeof fields)["fields"]>;

const problems = (sent: Config): FieldError[] => {
  const { every, cron, tz } = sent;
  const problem = (path: string, message: string): FieldError => ({ path, message: `${path}: ${message}` });
  if (every === undefined && cron === undefined) return [problem("every", "expected either this or cron")];
  if (every !== undefined && cron !== undefined) return [problem("cron", "expected either this or every, not both")];
  if (every !== undefined && tz !== undefined) return [problem("tz", "expected only with cron")];
  return cronProblems(sent);
};

/** The schedule of a stored heartbeat. */
export const scheduleOf = ({ every, cron = "", tz = "UTC", grace }: HeartbeatFields): Schedule =>
  every === undefined ? { cron, tz, grace } : { every, grace };

/** The slug of a stored heartbeat; null for none. */
export const slugOf = ({ slug }: HeartbeatFields): string | null => slug || null;

/** Waits for pings of a job, and is down when none arrives in time. */
export const heartbeat = defineKind(fields, {
  problems,
  parse: (read) => {
    const { cron, tz, ...rest } = read as Partial<HeartbeatFields>;
    return { ...rest, cron: cron?.trim(), tz: cron === undefined ? undefined : (tz ?? "UTC") };
  },
  merge: (kept, given) => {
    const { every: _, cron: __, tz: ___, ...rest } = kept;
    // A schedule is sent as a whole.
    return { ...("every" in given || "cron" in given ? rest : kept), ...given };
  },
  host: () => "",
  probe: () => Promise.reject(new AppError("not_checkable")),
});
