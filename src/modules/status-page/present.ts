import type { Static } from "@sinclair/typebox";
import type { agentStates, agents, monitorStates, monitors } from "../../db/schema";
import { isoTime } from "../../lib/time";
import {
  component,
  id,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  optional,
  text,
  time,
} from "../../server/answers";
import { DAY } from "../../shared/limits";
import { unpackRecent } from "../../shared/monitor";
import { STATUS_DAYS } from "../../shared/status-page";
import { statusField as agentStatus } from "../agents/present";
import { Uptimes, uptimeField } from "../monitors/history/uptime";
import { statusField as monitorStatus } from "../monitors/present";
import { type Figures, shareOf, sumOf } from "./figures";

/** Of a monitor and an agent only what everybody may know is ever read. */
export type MonitorRow = Pick<typeof monitors.$inferSelect, "id" | "name" | "active"> &
  Pick<typeof monitorStates.$inferSelect, "status" | "responseTime" | "lastCheckedAt" | "recent">;
export type AgentRow = Pick<typeof agents.$inferSelect, "id" | "name" | "hostname" | "os" | "version"> &
  Pick<
    typeof agentStates.$inferSelect,
    | "status"
    | "reportedAt"
    | "cpu"
    | "memoryTotal"
    | "memoryUsed"
    | "diskTotal"
    | "diskUsed"
    | "networkRx"
    | "networkTx"
  >;

const HISTORY = 24;
const tenth = (figure: number | null) => (figure === null ? null : Math.round(figure * 10) / 10);
const percentOf = (used: number | null, total: number | null) =>
  used === null || !total ? null : tenth(Math.min(100, (used / total) * 100));

const percent = (what: string, example: number) => nullable(number(`${what} in percent; null if unknown.`, example));

export const PublicMonitorSchema = component("PublicMonitor", {
  id: id("The monitor's id.", 3),
  name: text("Its name.", "Payments API"),
  status: monitorStatus,
  response_time: nullable(number("Response time of the last check in milliseconds.", 84.2)),
  uptime: uptimeField("30 days"),
  uptimes: Uptimes,
  last_checked: nullable(time("When it was last checked.")),
  history: list(
    object({ status: oneOf("The outcome.", ["up", "down"]), timestamp: time("When the check started.") }),
    "The last 24 checks, oldest first.",
  ),
  days: list(
    object({
      date: text("The day (UTC).", "2026-01-15", { format: "date" }),
      up: integer("Checks that were up.", 1440),
      down: integer("Checks that were down.", 0),
    }),
    "The last 90 days, oldest first.",
  ),
});
export type PublicMonitor = Static<typeof PublicMonitorSchema>;

export const PublicAgentSchema = component("PublicAgent", {
  id: id("The server's id.", 5),
  name: text("Its name.", "Database"),
  status: agentStatus,
  hostname: optional(text("The machine's host name, if the owner shows it.", "db-1")),
  os: optional(text("Its operating system, if the owner shows it.", "Debian GNU/Linux 12 (bookworm)")),
  version: optional(text("The version of the system, if the owner shows it.", "6.1.0")),
  cpu: percent("CPU usage", 12.5),
  memory: percent("Memory in use", 25),
  disk: percent("Disk space in use", 50),
  network_rx: nullable(number("Received, in KB/s.", 8)),
  network_tx: nullable(number("Sent, in KB/s.", 2.5)),
});
export type PublicAgent = Static<typeof PublicAgentSchema>;

/** A monitor as everyone may see it. */
export const presentMonitor = (row: MonitorRow, figures: Figures, now: number): PublicMonitor => {
  const today = Math.floor(now / DAY);
  const month = shareOf(sumOf(figures, today, 30));
  return {
    id: row.id,
    name: row.name,
    status: row.active ? row.status : ("paused" as const),
    response_time: row.responseTime,
    uptime: month,
    uptimes: {
      "24h": shareOf(figures.last24h),
      "7d": shareOf(figures.last7d),
      "30d": month,
      "90d": shareOf(sumOf(figures, today, STATUS_DAYS)),
    },
    last_checked: row.lastCheckedAt === null ? null : isoTime(row.lastCheckedAt),
    history: unpackRecent(row.recent, HISTORY).map(({ at, up }) => ({
      status: up ? ("up" as const) : ("down" as const),
      timestamp: isoTime(at),
    })),
    days: Array.from({ length: STATUS_DAYS }, (_, place) => {
      const day = today - STATUS_DAYS + 1 + place;
      const { up, down } = figures.days.get(day) ?? { up: 0, down: 0 };
      return { date: isoTime(day * DAY).slice(0, 10), up, down };
    }),
  };
};

/** What an owner shows of each server besides its name and figures. */
export type AgentSwitches = { showHostname: boolean; showOs: boolean; showVersion: boolean };

/** An agent as everybody sees it: CPU, memory and disk in percent, rates in KB/s; the rest as its owner switched it on. */
export const presentAgent = (row: AgentRow, shown: AgentSwitches): PublicAgent => ({
  id: row.id,
  name: row.name,
  status: row.status,
  ...(shown.showHostname && { hostname: row.hostname }),
  ...(shown.showOs && { os: row.os }),
  ...(shown.showVersion && { version: row.version }),
  cpu: tenth(row.cpu),
  memory: percentOf(row.memoryUsed, row.memoryTotal),
  disk: percentOf(row.diskUsed, row.diskTotal),
  network_rx: tenth(row.networkRx),
  network_tx: tenth(row.networkTx),
});
