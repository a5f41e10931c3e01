import { asc, eq } from "drizzle-orm";
import type { Deps } from "../../core/deps";
import { type Viewer, visibleTo } from "../../db/owner";
import { monitors, monitorStates as states } from "../../db/schema";
import { SECOND } from "../../shared/limits";
import { uptimeOfMonth } from "../monitors/history/uptime";
import { countMonitors } from "../monitors/list";
import { type Family, family, gaugesOf, MAX_TARGETS } from "./text";

const readMonitors = ({ db }: Deps, viewer: Viewer) =>
  db
    .select({
      id: monitors.id,
      name: monitors.name,
      active: monitors.active,
      status: states.status,
      responseTime: states.responseTime,
      lastCheckedAt: states.lastCheckedAt,
      certExpiresAt: states.certExpiresAt,
    })
    .from(monitors)
    .innerJoin(states, eq(states.monitorId, monitors.id))
    .where(visibleTo(monitors, viewer))
    .orderBy(asc(monitors.id))
    .limit(MAX_TARGETS);

type Row = Awaited<ReturnType<typeof readMonitors>>[number] & { uptime: number | null };

const seconds = (milliseconds: number | null) => (milliseconds === null ? null : milliseconds / SECOND);
const isChecked = ({ active, status }: Row) => active && status !== "pending";

const FIGURES = [
  {
    name: "active",
    help: "Whether the monitor is checked (1) or paused (0).",
    of: ({ active }: Row) => Number(active),
  },
  {
    name: "up",
    help: "Whether the last check found the monitor up (1) or down (0). Paused ones, and those not checked yet, have none.",
    of: (row: Row) => (isChecked(row) ? Number(row.status === "up") : null),
  },
  {
    name: "response_seconds",
    help: "How long the last answer took.",
    of: ({ responseTime }: Row) => seconds(responseTime),
  },
  {
    name: "uptime_ratio",
    help: "The share of checks in the last 30 days that found the monitor up.",
    of: ({ uptime }: Row) => (uptime === null ? null : uptime / 100),
  },
  {
    name: "last_check_timestamp_seconds",
    help: "When the monitor was last checked.",
    of: ({ lastCheckedAt }: Row) => seconds(lastCheckedAt),
  },
  {
    name: "certificate_expiry_timestamp_seconds",
    help: "When the certificate of an https monitor expires.",
    of: ({ certExpiresAt }: Row) => seconds(certExpiresAt),
  },
].map((figure) => ({ ...figure, name: `wakeful_monitor_${figure.name}` }));

/** Metrics of the monitors visible to a viewer, without URLs, headers and bodies. */
export const monitorFamilies = async (deps: Deps, viewer: Viewer): Promise<Family[]> => {
  const rows = await readMonitors(deps, viewer);
  const uptimes = await uptimeOfMonth(
    deps,
    rows.map(({ id }) => id),
  );
  const { all: _, ...counts } = await countMonitors(deps, viewer);
  return [
    family("wakeful_monitors", "gauge", "How many monitors stand where.", counts, "status"),
    ...gaugesOf(
      rows.map((row) => ({ ...row, uptime: uptimes.get(row.id) ?? null })),
      FIGURES,
    ),
  ];
};
