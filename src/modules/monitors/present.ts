import type { checks, monitorStates, monitors } from "../../db/schema";
import { isoTime } from "../../lib/time";
import { unpackRecent } from "../../shared/recent";
import { maskSecrets } from "./masks";

type State = Pick<
  typeof monitorStates.$inferSelect,
  "status" | "responseTime" | "lastCheckedAt" | "certExpiresAt" | "recent"
>;
export type MonitorRow = { monitor: typeof monitors.$inferSelect; state: State };
export type MonitorStatus = "up" | "down" | "pending" | "paused";

const isoOrNull = (time: number | null) => (time === null ? null : isoTime(time));

/** A monitor as lists have it: without its headers and body, which may be large. */
type ListedMonitor = Omit<typeof monitors.$inferSelect, "headers" | "body">;
export type ListedRow = { monitor: ListedMonitor & Partial<MonitorRow["monitor"]>; state: State };

/**
 * A monitor as lists answer it; its headers and body are in it only where the row has them. `uptime` is in percent, `response_time` in milliseconds, spans are in seconds. `owner` is
 * the name of whom it belongs to, where that is not the viewer. `reads`: the viewer is an API key that only reads.
 */
export const presentListed = (
  { monitor: stored, state }: ListedRow,
  uptime: number | null,
  history: number,
  owner: string | undefined,
  reads = false,
) => {
  const monitor = maskSecrets(stored, { reads, foreign: owner !== undefined });
  return {
    id: monitor.id,
    name: monitor.name,
    ...(owner !== undefined && { owner }),
    url: monitor.url,
    method: monitor.method,
    interval: monitor.interval,
    timeout: monitor.timeout,
    expected_status: monitor.expectedStatus,
    ...(monitor.headers !== undefined && { headers: monitor.headers, body: monitor.body ?? "" }),
    active: monitor.active,
    status: (monitor.active ? state.status : "paused") as MonitorStatus,
    response_time: state.responseTime,
    uptime,
    last_checked: isoOrNull(state.lastCheckedAt),
    retries: monitor.retries,
    cert_expires_at: isoOrNull(state.certExpiresAt),
    created_at: isoTime(monitor.createdAt),
    updated_at: isoTime(monitor.updatedAt),
    history: unpackRecent(state.recent, history).map(({ at, up }) => ({
      id: at,
      monitor_id: monitor.id,
      status: up ? ("up" as const) : ("down" as const),
      timestamp: isoTime(at),
    })),
  };
};

/** A monitor with its headers and body. */
export const presentMonitor = (row: MonitorRow, ...more: Rest<Parameters<typeof presentListed>>) => {
  const { headers = {}, body = "", ...shown } = presentListed(row, ...more);
  return { ...shown, headers, body };
};
type Rest<All extends unknown[]> = All extends [unknown, ...infer Others] ? Others : never;

type CheckRow = Pick<typeof checks.$inferSelect, "checkedAt" | "up" | "responseTime" | "statusCode" | "error">;

/** A check as it is answered. Its id is its time: checks of one monitor never overlap. */
export const presentCheck = (check: CheckRow) => ({
  id: check.checkedAt,
  checked_at: isoTime(check.checkedAt),
  status: check.up ? ("up" as const) : ("down" as const),
  response_time: check.responseTime,
  status_code: check.statusCode,
  error: check.error,
});
