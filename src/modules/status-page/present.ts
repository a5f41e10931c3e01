import type { agentStates, agents, monitorStates, monitors } from "../../db/schema";
import { isoTime } from "../../lib/time";
import { DAY } from "../../shared/limits";
import { unpackRecent } from "../../shared/recent";
import { type Overall, STATUS_DAYS } from "../../shared/status-page";
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

/** A monitor as everybody sees it: shares in percent, times in milliseconds, days (UTC) and checks oldest first. */
export const presentMonitor = (row: MonitorRow, figures: Figures, now: number) => {
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
export const presentAgent = (row: AgentRow, shown: AgentSwitches) => ({
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

export type PublicMonitor = ReturnType<typeof presentMonitor>;
export type PublicAgent = ReturnType<typeof presentAgent>;

/**
 * How all of it stands; null when nothing is on the page. What is paused, pending or still connecting does not count.
 */
export const overallOf = (monitors: { status: string }[], agents: { status: string }[]): Overall | null => {
  if (monitors.length + agents.length === 0) return null;
  const count = (list: { status: string }[], status: string) => list.filter((one) => one.status === status).length;
  const bad = count(monitors, "down") + count(agents, "inactive");
  const good = count(monitors, "up") + count(agents, "active");
  if (bad === 0) return "operational";
  return good === 0 ? "outage" : "partial";
};
