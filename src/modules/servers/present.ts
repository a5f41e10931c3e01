import type { Static } from "@sinclair/typebox";
import { version } from "../../build-info";
import type { Belonging } from "../../db/owner";
import type { agentStates, agents } from "../../db/schema";
import { isoTime, isoTimeOrNull } from "../../lib/time";
import {
  belongingFields,
  boolean,
  component,
  id,
  integer,
  list,
  nullable,
  number,
  object,
  oneOf,
  text,
  time,
  type Unknown,
  unknownField,
} from "../../server/answers";
import { THRESHOLD_METRICS } from "../../shared/agents/thresholds";
import type { Tag } from "../../shared/tags";
import { maintenanceField, presentMaintenance } from "../alerting/maintenance/running";
import { type Mute, mutedField, presentMute } from "../alerting/mutes/service";
import { ServerOutage } from "../alerting/outages/service";
import { AvailabilityOfWindows } from "../alerting/outages/windows";
import { tagsField } from "../tags/service";
import { DiskForecast, firstForecast, forecastsOf } from "./forecasts";
import { furtherFigures } from "./history/further-figures";
import { hasRoom, namesOf } from "./history/series-names";
import { machineFields, presentFigures, presentMachine } from "./machine";
import { Plan, presentPlan } from "./plans/model";
import { Traffic } from "./traffic/present";

export type ServerRow = {
  agent: typeof agents.$inferSelect;
  state: typeof agentStates.$inferSelect;
  /** When its open outage of the kind offline began. */
  offlineSince: number | null;
  openOutages: number;
  mute: Mute | null;
  /** When its maintenance ends; null unless it is in one. */
  maintenanceUntil: number | null;
  tags: Tag[];
  /** Null while it is not counted. */
  traffic: Static<typeof Traffic> | null;
  unknown: Unknown | null;
};

const GIGABYTE = 2 ** 30;
const bytes = (what: string, example: number) => nullable(number(`${what} in bytes; null if unknown.`, example));
/** A figure in percent, such as a usage. */
export const percentField = (what: string, example: number) =>
  nullable(number(`${what} in percent; null if unknown.`, example));
/** A rate of the network. */
export const rateField = (what: string, example: number) =>
  nullable(number(`${what} in KB/s of 1,024 bytes; null if unknown.`, example));
const threshold = (what: string, example: number) =>
  nullable(number(`From which share of ${what} in percent its owner is alerted; null without alerts.`, example));

export const statusField = oneOf(
  "`connecting` until the first report; `inactive` after three intervals, and at least 90 seconds, without a report.",
  ["active", "inactive", "connecting"],
);

const serverFields = {
  id: id("The server's id.", 5),
  name: text("Its name.", "Database"),
  ...belongingFields,
  hostname: text("The machine's host name.", "db-1"),
  ip_addresses: list(text("An IP address; the one of outgoing connections comes first.", "192.0.2.10")),
  os: text("The operating system.", "Debian GNU/Linux 12 (bookworm)"),
  version: text("The version of the system.", "6.1.0"),
  status: statusField,
  unknown: unknownField,
  since: nullable(time("Since when it is offline; null unless it is."), null),
  open_outages: integer("How many of its outages are open: what is wrong with it now.", 0),
  muted: mutedField,
  maintenance: maintenanceField,
  tags: tagsField,
  cpu_usage: percentField("CPU usage", 12.5),
  memory_total: bytes("Memory", 16 * GIGABYTE),
  memory_used: bytes("Memory in use", 4 * GIGABYTE),
  disk_total: bytes("Size of all disks", 100 * GIGABYTE),
  disk_used: bytes("Disk space in use", 50 * GIGABYTE),
  network_rx: rateField("Received", 8),
  network_tx: rateField("Sent", 2.5),
  load_average: nullable(list(number("", 0.4), "Load average over 1, 5 and 15 minutes.", [0.4, 0.3, 0.2])),
  boot_time: nullable(time("When the machine was started.", "2026-01-02T08:00:00.000Z")),
  temperature: nullable(number("The highest of its temperatures in degrees Celsius; null if unknown.", 47.5)),
  agent_version: nullable(text("The version of the agent program; null if unknown.", "1.4.2")),
  update_available: boolean("Whether the agent program is older than this installation.", false),
  interval: nullable(integer("Seconds between reports; null before the first report.", 60)),
  traffic: nullable(Traffic),
  plan: nullable(Plan),
  disk_forecast: nullable(DiskForecast),
  created_at: time("When it was enrolled."),
  updated_at: nullable(time("When it last reported; null before the first report.")),
};

export const Server = component("Agent", serverFields);

export const ServerDetail = component("AgentDetail", {
  ...serverFields,
  ...machineFields,
  disk_forecasts: list(DiskForecast, "When each of `disks` will be full, in their order, as of the last hour."),
  series: list(
    text("The kind of the figure, and after a colon what it is about.", "disk:/home"),
    "The names of its further figures, of which `getMetrics` has the history; at most 200.",
  ),
  unrecorded: list(
    text("As in `series`.", "rx:veth1a2b"),
    "The further figures of its latest report that have no history, because 200 others had a value within the last 31 days.",
  ),
  availability: AvailabilityOfWindows,
  outages: list(ServerOutage, "The last 20 outages, newest first."),
  thresholds: object({
    cpu: threshold("CPU usage", 90),
    memory: threshold("memory", 85),
    disk: threshold("a disk", 90),
  }),
  own_thresholds: list(
    object({
      metric: oneOf("The figure; `load` is for each core.", THRESHOLD_METRICS),
      subject: nullable(text("The mount point or the sensor; null: each of them.", "/var")),
      threshold: number("From which figure on its owner is alerted.", 95),
    }),
    "Those that its owner set and that count for it, in the order in which they count. They replace `thresholds`.",
  ),
});

const VERSION = /^\d{1,9}\.\d{1,9}\.\d{1,9}(-[\w.-]+)?$/;

/** Whether an agent is older than this hub. A version of another form is not compared. */
export const isOutdated = (agentVersion: string | undefined): boolean =>
  agentVersion !== undefined && VERSION.test(agentVersion) && Bun.semver.order(version, agentVersion) > 0;

/** Presents a server. */
export const presentServer = (
  { agent, state, offlineSince, openOutages, mute, maintenanceUntil, tags, traffic, unknown }: ServerRow,
  belonging: Belonging,
): Static<typeof Server> => ({
  id: agent.id,
  name: agent.name,
  ...belonging,
  hostname: agent.hostname,
  ip_addresses: agent.ipAddresses,
  os: agent.os,
  version: agent.version,
  status: state.status,
  unknown,
  since: isoTimeOrNull(offlineSince),
  open_outages: openOutages,
  muted: presentMute(mute),
  maintenance: presentMaintenance(maintenanceUntil),
  tags,
  ...presentFigures(state),
  boot_time: state.extra?.boot_time ?? null,
  agent_version: state.extra?.agent_version ?? null,
  update_available: isOutdated(state.extra?.agent_version),
  interval: state.interval,
  traffic,
  plan: presentPlan(agent.plan),
  disk_forecast: firstForecast({ agent, state }),
  created_at: isoTime(agent.createdAt),
  updated_at: isoTimeOrNull(state.reportedAt),
});

const unrecordedOf = ({ agent: { series }, state: { extra } }: ServerRow): string[] => {
  if (!extra || hasRoom(series)) return [];
  const seriesNames = new Set(series);
  const names = new Set(furtherFigures(extra).map(([name]) => name));
  return [...names].filter((name) => !seriesNames.has(name));
};

/** Presents a server with the details of its own screen. */
export const presentServerDetail = (
  row: ServerRow,
  belonging: Belonging,
  more: Pick<Static<typeof ServerDetail>, "availability" | "outages" | "thresholds" | "own_thresholds">,
): Static<typeof ServerDetail> => ({
  ...presentServer(row, belonging),
  ...presentMachine(row.state.extra),
  disk_forecasts: forecastsOf(row),
  series: namesOf(row.agent.series),
  unrecorded: unrecordedOf(row),
  ...more,
});
