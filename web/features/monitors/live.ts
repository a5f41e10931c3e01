import type { LiveMonitor } from "../../../src/shared/live";
import type { ListedMonitor, Monitor } from "./api";

/** The fields of a monitor that results change. */
type Shown = Pick<Monitor, "id" | "active" | "status" | "unknown" | "response_time" | "last_checked" | "since"> &
  Partial<Pick<Monitor, "error_code" | "error_detail">>;

/** A ping makes the state known again. A gap of the hub ends by itself, but the result was still known. */
const afterResult = (unknown: Shown["unknown"], at: string): Shown["unknown"] => {
  if (unknown === null || unknown.reason === "ping_possibly_lost") return null;
  return unknown.since < at ? { ...unknown, since: at } : unknown;
};

/** A monitor after a result that is newer than what it shows; otherwise the same object. */
export const withResult = <M extends Shown>(monitor: M, result: LiveMonitor | undefined): M => {
  if (!result || (monitor.last_checked !== null && monitor.last_checked >= result.last_checked)) return monitor;
  const { status, response_time, last_checked, since = monitor.since, error_code, error_detail } = result;
  return {
    ...monitor,
    // A result of before it was paused or resumed does not know.
    ...(monitor.active && status !== "paused" && { status, since }),
    unknown: afterResult(monitor.unknown, last_checked) as M["unknown"],
    response_time,
    last_checked,
    error_code: (error_code ?? null) as M["error_code"],
    error_detail: error_detail ?? null,
  };
};

/** A listed monitor after a result, which becomes the last of its history. */
export const withListedResult = <M extends ListedMonitor>(monitor: M, result: LiveMonitor | undefined): M => {
  const updated = withResult(monitor, result);
  if (updated === monitor || !result || result.status === "pending" || result.status === "paused") return updated;
  const { id, history } = monitor;
  const { last_checked: timestamp, response_time, slow } = result;
  const status: "up" | "down" = result.status === "down" ? "down" : "up";
  const newest = { id: Date.parse(timestamp), monitor_id: id, status, ...(slow && { slow }), timestamp, response_time };
  return { ...updated, history: [...history.slice(history.length < HISTORY ? 0 : 1), newest] };
};

/** The latest outcomes that lists have of each monitor. */
export const HISTORY = 40;

/** The newest result of each monitor. */
export const byMonitor = (results: readonly LiveMonitor[]): Map<number, LiveMonitor> =>
  new Map(results.map((result) => [result.id, result]));
