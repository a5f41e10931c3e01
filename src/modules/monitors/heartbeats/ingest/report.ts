/** What pings report: by the end of their path, or by the parameters of Uptime Kuma's dialect. */
import { notFound, validation } from "../../../../core/errors";
import { LIMITS } from "../../../../shared/limits";
import type { Report } from "../state";

/** Minutes. */
const LONGEST_MUTE = 1440;
/** The longest duration that a ping may report in milliseconds: a year. */
const LONGEST_DURATION = 366 * 86_400_000;
const RUN_ID = /^[\w.:-]{1,64}$/;

const invalid = (path: string, message: string) => validation([{ path, message: `${path}: ${message}` }]);

/** The start of a body as text, without a character that is cut off; null if it is empty or not text. */
export const asText = (bytes: Uint8Array): string | null => {
  if (bytes.length === 0) return null;
  const start = bytes.subarray(0, LIMITS.pingBody);
  try {
    // PostgreSQL can't store NUL.
    return new TextDecoder("utf-8", { fatal: true }).decode(start, { stream: true }).replaceAll("\0", "\ufffd");
  } catch {
    return null;
  }
};

/** Whether the part of a path after a token is an action; otherwise it may be the slug after a ping key. */
export const isAction = (text: string): boolean => /^(start|fail|log|\d+)$/.test(text);

/**
 * What a ping reports, by the end of its path: nothing for success, `start`, `fail`, `log`, or an exit status.
 * @throws {AppError} not_found, validation
 */
export const reportOf = (action: string | undefined, runId: string | null): Report => {
  if (runId !== null && !RUN_ID.test(runId))
    throw invalid("rid", "expected 1 to 64 letters, digits, dots, colons, hyphens or underscores");
  const report = { runId, exitStatus: null, took: null };
  if (action === undefined) return { ...report, kind: "success" };
  if (action === "start" || action === "fail" || action === "log") return { ...report, kind: action };
  if (!/^\d+$/.test(action)) throw notFound("This address");
  const exitStatus = Number(action);
  if (exitStatus > 255) throw invalid("status", "expected an exit status from 0 to 255");
  return { ...report, kind: exitStatus === 0 ? "success" : "fail", exitStatus };
};

/** @throws {AppError} validation */
export const muteOf = (minutes: string): Report => {
  const length = /^\d{1,4}$/.test(minutes) ? Number(minutes) : 0;
  if (length < 1 || length > LONGEST_MUTE) throw invalid("minutes", `expected 1 to ${LONGEST_MUTE}`);
  return { kind: "mute", minutes: length };
};

export type Push = { status?: string | undefined; msg?: string | undefined; ping?: string | undefined };

/** An empty parameter counts as missing, as in Uptime Kuma. */
export const pushReport = ({ status, ping = "" }: Push): Report => {
  const took = Number(ping);
  const isDuration = ping.trim() !== "" && took >= 0 && took <= LONGEST_DURATION;
  const kind = (status || "up") === "up" ? "success" : "fail";
  return { kind, runId: null, exitStatus: null, took: isDuration ? took : null };
};
