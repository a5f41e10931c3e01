import type { Static } from "@sinclair/typebox";
import { component, oneOf, text } from "../../../server/answers";
import { COMPONENT_STATUSES, type ComponentStatus } from "../../../shared/status/components";
import { type PageComponent, readOwnComponents } from "../pages/components";
import { readStatuses } from "../pages/measured";
import { monitorsSection, type PublicMonitor, PublicMonitorSchema } from "./monitors";
import type { Section } from "./section";

const { id: _id, component_status: _stated, ...monitorFields } = PublicMonitorSchema.properties;

export const PublicComponentSchema = component("PublicComponent", {
  key: text("Its id in Statuspage's format.", "kctbhvrtdwda"),
  group: text("The heading above it; empty for none.", "Shop"),
  description: text("A text for visitors.", ""),
  component_status: oneOf("Its status.", COMPONENT_STATUSES),
  ...monitorFields,
});
type PublicComponent = Static<typeof PublicComponentSchema>;

/** The state that a service with this status would have. */
const SHOWN = {
  operational: "up",
  under_maintenance: "up",
  degraded_performance: "degraded",
  partial_outage: "down",
  major_outage: "down",
} as const satisfies Record<ComponentStatus, PublicMonitor["status"]>;

const HEALTH = {
  operational: "good",
  under_maintenance: "maintenance",
  degraded_performance: "slow",
  partial_outage: "bad",
  major_outage: "bad",
} as const;

const NONE = { "24h": null, "7d": null, "30d": null, "90d": null };

/** The days of several services together: the checks of all. */
const sumDays = (monitors: readonly PublicMonitor[]): PublicMonitor["days"] =>
  (monitors[0]?.days ?? []).map((day, place) => {
    const sum = (field: "up" | "down" | "unknown_seconds") =>
      monitors.reduce((total, { days }) => total + (days[place]?.[field] ?? 0), 0);
    return {
      ...{ date: day.date, up: sum("up"), down: sum("down") },
      unknown_seconds: Math.round(sum("unknown_seconds") / monitors.length),
    };
  });

type Row = { component: PageComponent; status: ComponentStatus; monitors: PublicMonitor[] };

const presentComponent = ({ component: { row, label, group }, status, monitors }: Row): PublicComponent => {
  const [first, ...others] = monitors;
  // A share of the time follows from one service only.
  const only = others.length === 0 ? first : undefined;
  const starts = monitors.flatMap(({ since }) => since ?? []).toSorted();
  const unknown = monitors.find((one) => one.unknown)?.unknown ?? null;
  const shown = SHOWN[status];
  return {
    ...{ key: row.key, name: label, group, description: row.description, component_status: status, status: shown },
    unknown: row.fixedStatus ? null : unknown,
    maintenance: status === "under_maintenance" ? (monitors.find((one) => one.maintenance)?.maintenance ?? null) : null,
    since: shown === "down" ? (starts[0] ?? null) : null,
    response_time: only?.response_time ?? null,
    uptime: only?.uptime ?? null,
    ...{ uptimes: only?.uptimes ?? NONE, watched: only?.watched ?? NONE },
    ...(only?.page_uptime !== undefined && { page_uptime: only.page_uptime }),
    last_checked:
      monitors
        .flatMap(({ last_checked }) => last_checked ?? [])
        .toSorted()
        .at(-1) ?? null,
    history: only?.history ?? [],
    days: row.show === "bar" ? sumDays(monitors) : [],
  };
};

/** Components that the page composes itself. The other sections have the items in the lists of the page. */
export const componentsSection: Section<"components", Row, PublicComponent> = {
  key: "components",
  read: async (store, page) => {
    const components = await readOwnComponents(store, page);
    if (components.length === 0) return [];
    const statuses = await readStatuses(store, page.teamId, components);
    const ids = [...new Set(components.flatMap(({ members }) => members.monitors))];
    const read = await monitorsSection.read(store, { ...page, monitors: ids });
    const now = store.clock.now();
    const shown = new Map(read.map((row) => [row.row.id, monitorsSection.present(row, page, now)]));
    return components.map((one) => ({
      component: one,
      status: statuses.get(one.row.id) ?? "operational",
      monitors: one.members.monitors.flatMap((id) => shown.get(id) ?? []),
    }));
  },
  present: presentComponent,
  changedAt: ({ component: { row } }) => row.updatedAt,
  health: ({ component_status, unknown }) => (unknown ? "unknown" : HEALTH[component_status]),
  measured: (_shown, { component: { row }, status }) => (row.fixedStatus ? undefined : status),
};
