/** How pings and missed deadlines change a heartbeat: pure functions, without the database. */
import type { heartbeats } from "../../../db/schema";
import { type CheckError, checkError } from "../../../shared/check-error";
import { SECOND } from "../../../shared/limits";
import type { Missed } from "../engine/record";
import { nextExpected, type Schedule } from "./schedule";

/** A stored heartbeat without its addresses. */
type Stored = Omit<typeof heartbeats.$inferSelect, "monitorId" | "token" | "slug">;

/** A heartbeat as it is before a ping. */
export type Watched = {
  stored: Stored;
  status: "up" | "down" | "pending";
  active: boolean;
  schedule: Schedule;
};

/** The report of a ping. */
export type Report =
  | { kind: "success" | "start" | "fail" | "log"; runId: string | null; exitStatus: number | null; took: number | null }
  | { kind: "mute"; minutes: number };

/** A success or a failure, which counts like a check. `responseTime` is the duration of the run in milliseconds. */
type Verdict = {
  at: number;
  up: boolean;
  error: CheckError | null;
  responseTime: number | null;
  /** Of a missing ping: when it was expected, and the last good sign before. */
  missed?: Missed;
};

export type Change = { stored: Stored; verdict: Verdict | null; duration: number | null };

/** The longest duration that is charted as a response time: the pack of a monitor has no room for longer ones. */
const LONGEST_CHARTED = 1_677_000;

const failure = (exitStatus: number | null): CheckError =>
  exitStatus === null ? checkError("heartbeat_failed") : checkError("heartbeat_exit", { status: exitStatus });

/** The deadline of a run that starts at `at`: a later start does not extend it. */
const runDeadline = (stored: Stored, schedule: Schedule, at: number): number =>
  Math.min(stored.deadlineAt ?? Number.MAX_SAFE_INTEGER, at + schedule.grace * SECOND);

/**
 * What a ping at a time changes. `startOf` is the start of the run with the ping's id, if it is known. A ping to a paused
 * heartbeat is only noted.
 */
export const applyPing = (watched: Watched, report: Report, at: number, startOf: number | null): Change => {
  const { stored, schedule, status, active } = watched;
  if (report.kind === "mute")
    return { stored: { ...stored, mutedUntil: at + report.minutes * 60 * SECOND }, verdict: null, duration: null };
  const { kind, runId, exitStatus, took } = report;
  const pinged = { ...stored, pingedAt: at, unknownSince: kind === "log" ? stored.unknownSince : null };
  // A run without an id is ended by any ping, and a ping without an id ends any run.
  const isOfRun = stored.startedAt !== null && (runId === null || stored.runId === null || runId === stored.runId);
  const startedAt = runId !== null && runId !== stored.runId ? startOf : isOfRun ? stored.startedAt : null;
  const duration =
    kind === "success" || kind === "fail" ? (took ?? (startedAt === null ? null : Math.max(0, at - startedAt))) : null;
  if (!active || kind === "log") return { stored: pinged, verdict: null, duration };
  if (kind === "start") {
    const deadlineAt = status === "down" ? null : runDeadline(stored, schedule, at);
    return { stored: { ...pinged, startedAt: at, runId, deadlineAt }, verdict: null, duration };
  }
  const responseTime = duration !== null && duration <= LONGEST_CHARTED ? duration : null;
  if (kind === "fail") {
    const ended = { ...pinged, startedAt: null, runId: null, deadlineAt: null };
    return { stored: ended, verdict: { at, up: false, error: failure(exitStatus), responseTime }, duration };
  }
  const grace = schedule.grace * SECOND;
  const expected = nextExpected(schedule, at) + grace;
  // Another run goes on, unless it is overdue, which has been reported.
  const otherUntil = isOfRun || stored.startedAt === null ? 0 : stored.startedAt + grace;
  const left = otherUntil > at ? {} : { startedAt: null, runId: null };
  const deadlineAt = otherUntil > at ? Math.min(expected, otherUntil) : expected;
  return {
    stored: { ...pinged, ...left, succeededAt: at, deadlineAt },
    verdict: { at, up: true, error: null, responseTime },
    duration,
  };
};

/** A run is over its time at the deadline, and a job that announced an interruption is expected when that ends. */
const missedOf = ({ startedAt, succeededAt, mutedUntil }: Stored, { grace }: Schedule, deadline: number): Missed => {
  const isExact = startedAt !== null || deadline === mutedUntil;
  const at = isExact ? deadline : deadline - grace * SECOND;
  const after = startedAt ?? succeededAt;
  return { at, after: after !== null && after <= at ? after : null };
};

/** The change when a deadline has passed; if the heartbeat is muted, only the deadline changes. */
export const applyDeadline = ({ stored, schedule }: Pick<Watched, "stored" | "schedule">, now: number): Change => {
  const { deadlineAt, mutedUntil, startedAt } = stored;
  if (mutedUntil !== null && mutedUntil > now)
    return { stored: { ...stored, deadlineAt: mutedUntil }, verdict: null, duration: null };
  const error = checkError(startedAt === null ? "heartbeat_missed" : "heartbeat_running");
  return {
    stored: { ...stored, deadlineAt: null, unknownSince: null },
    verdict: {
      ...{ at: deadlineAt ?? now, up: false, error, responseTime: null },
      missed: missedOf(stored, schedule, deadlineAt ?? now),
    },
    duration: null,
  };
};
