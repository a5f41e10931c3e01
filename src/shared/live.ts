import type { ErrorDetail } from "./check-error";
import type { OutageKind } from "./notifications";
import type { HubGapReason } from "./outages/unknown";

/** Milliseconds between two heartbeats of a stream. */
export const HEARTBEAT = 15_000;
/** Time until a page considers a silent stream lost, or held back by a proxy (ms). */
export const STREAM_SILENCE = 45_000;

/** A result of a monitor: the fields that a row of a list shows, under the names of the list. */
export type LiveMonitor = {
  id: number;
  status: "up" | "degraded" | "down" | "pending" | "paused";
  /** Whether this result was slow; absent otherwise. */
  slow?: boolean;
  response_time: number | null;
  last_checked: string;
  /** With a change of state: when it changed. */
  since?: string;
  /** While it is down or degraded. */
  error_code?: string;
  error_detail?: ErrorDetail | null;
};

/** The state of a server after a report, or when it is offline. */
export type LiveServer = {
  id: number;
  status: "active" | "inactive" | "connecting";
  cpu_usage: number | null;
  memory_total: number | null;
  memory_used: number | null;
  disk_total: number | null;
  disk_used: number | null;
  network_rx: number | null;
  network_tx: number | null;
  load_average: number[] | null;
  /** Degrees Celsius: the highest. */
  temperature: number | null;
  updated_at: string | null;
};

/** A server's figures at one moment, while its page is open. What its agent does not read is null. */
export type LiveSample = {
  id: number;
  at: string;
  /** Percent of all cores. */
  cpu_usage: number | null;
  cpu_iowait: number | null;
  cpu_steal: number | null;
  /** Bytes. */
  memory_total: number | null;
  memory_used: number | null;
  swap_total: number | null;
  swap_used: number | null;
  /** KB/s. */
  network_rx: number | null;
  network_tx: number | null;
  load_average: number[] | null;
  /** KB/s, and percent of the time in use, of the device with the highest value of each. */
  disk_read: number | null;
  disk_write: number | null;
  disk_busy: number | null;
};

/** An outage that was opened or has ended. */
export type LiveOutage = {
  id: number;
  status: "open" | "ended";
  target_type: "monitor" | "agent";
  target_id: number;
  kind: OutageKind;
  started_at: string;
  ended_at: string | null;
  error_code: string | null;
  error_detail: ErrorDetail | null;
};

/** How many monitors and servers the viewer sees in each status. */
export type LiveCounts = {
  monitors: {
    all: number;
    up: number;
    degraded: number;
    down: number;
    pending: number;
    paused: number;
    unknown: number;
  };
  agents: { all: number; active: number; inactive: number; connecting: number };
};

/** Whether the hub can know anything of all targets now: null while it can. */
export type LiveWatching = { unknown: { since: string; reason: HubGapReason } | null };

/** The first event of a stream. `complete`: it also has what other instances find. */
type LiveStart = { complete: boolean };

/** The data of each event. After `reset` events may be missing, so that the page loads everything again. */
export type LiveEvents = {
  ready: LiveStart;
  reset: LiveStart;
  monitor: LiveMonitor;
  agent: LiveServer;
  outage: LiveOutage;
  counts: LiveCounts;
  sample: LiveSample;
  watching: LiveWatching;
};

/** Something that the streams of members of its team and of administrators have to show. `changed`: its status is a new one. */
export type LiveChange = { teamId: number; changed?: boolean } & (
  | { event: "monitor"; data: LiveMonitor }
  | { event: "agent"; data: LiveServer }
  | { event: "outage"; data: LiveOutage }
);
