import type { CompactList } from "../../../src/modules/monitors/list";
import { api, listCompact, payload } from "../../api";
import { bootstrap } from "../../bootstrap";
import { hubNow } from "../../lib/now";
import { resource, resourceFamily, shareUnchanged } from "../../lib/resource";
import { onChanges } from "../../live";
import { type Covered, chartQuery } from "../../ui/charts/chart-range";
import { monitorsDownAtom } from "../../ui/layout/page-title";
import { createPaging, isOutdated, type Listing, searchQuery, tagQuery } from "../../ui/lists/paging";
import { byMonitor, HISTORY, withListedResult, withResult } from "./live";
import type { Pasted } from "./pasted";

/** A monitor with all its settings. */
export type Monitor = Omit<MonitorDetail, "checks" | "uptimes" | "availability" | "outages">;
export type MonitorDetail = Awaited<ReturnType<typeof findMonitor>>["monitor"];
/** The fields of an HTTP monitor. */
export type HttpFields = Required<
  Pick<
    Monitor,
    | "url"
    | "method"
    | "expected_status"
    | "expected_statuses"
    | "headers"
    | "body"
    | "assertions"
    | "accept_self_signed"
    | "ip_family"
    | "certificate_days"
  >
>;
export type Check = Awaited<ReturnType<typeof listChecks>>["checks"][number];
/** Checks in a row with the same result. */
export type Run = Awaited<ReturnType<typeof listRuns>>["runs"][number];
export type Point = Awaited<ReturnType<typeof readSeries>>["points"][number];
/** The figures of all checks of a range. */
export type Summary = Awaited<ReturnType<typeof readSeries>>["summary"];

export const ranges = ["24h", "7d", "30d", "90d", "1y"] as const;
export type Range = (typeof ranges)[number];

/** The common part of the body that creates or changes a monitor; the fields of its kind are added to it. */
export type MonitorBody = {
  name: string;
  /** Seconds; the form shows minutes. */
  interval: number;
  timeout?: number;
  retries?: number;
  retry_pause?: number;
  quick_recheck?: boolean;
  tags?: { name: string; value?: string }[];
};

const monitorRoute = (id: number | string) => api.monitors({ id });

/** How the list of monitors is searched, filtered and sorted. */
export type Selection = {
  search: string;
  tags: string[];
  filter: "all" | "active" | "degraded" | "down" | "unknown" | "paused";
  sort: "name" | "status" | "uptime" | "response" | "checked";
  order: "asc" | "desc";
};

/** What lists show of a monitor. */
export type ListedMonitor = Omit<CompactMonitor, "history"> & { history: Beat[] };
type CompactMonitor = CompactList["monitors"][number];
type Beat = { id: number; status: "up" | "down"; slow?: boolean; timestamp: string; response_time?: number | null };

export const fromCompact = ({ history, ...monitor }: CompactMonitor): ListedMonitor => ({
  ...monitor,
  history: history.map(([at, outcome, response_time]) => ({
    id: at,
    status: outcome === 0 ? "down" : "up",
    ...(outcome === 2 && { slow: true }),
    timestamp: new Date(at).toISOString(),
    response_time,
  })),
});

/** The API's name of each sort. */
const sortNames = { response: "response_time", checked: "last_checked" } as const;

const listMonitors = async ({ search, filter, tags, sort, order, offset, limit }: Listing<Selection>) => {
  const { total, counts, monitors } = await listCompact({
    history: HISTORY,
    offset,
    limit,
    ...searchQuery(search),
    ...tagQuery(tags),
    ...(filter !== "all" && { status: filter }),
    sort: sort === "response" || sort === "checked" ? sortNames[sort] : sort,
    order,
  });
  return { total, counts, monitors: monitors.map(fromCompact) };
};

export const findMonitor = (id: number | string) => payload(monitorRoute(id).get());

export const createMonitor = (body: MonitorBody) => payload(api.monitors.post(body));

/** Creates monitors by one call, except those that exist already. */
export const importMonitors = (
  monitors: ({ name: string; interval: number; tags?: MonitorBody["tags"] } & ({ url: string } | Pasted["fields"]))[],
) => payload(api.import.post({ format: "wakeful-configuration", version: 1, monitors }));

export type ProbeResult = Awaited<ReturnType<typeof probeMonitor>>["result"];

/** Probes what is not saved. `timeout` is in seconds. */
export const probeMonitor = (body: { timeout: number }) =>
  payload(
    api.monitors.probe.post(body, {
      fetch: { signal: AbortSignal.timeout(body.timeout * 1000 + bootstrap.apiTimeout) },
    }),
  );

export const updateMonitor = (id: number | string, body: MonitorBody) => payload(monitorRoute(id).put(body));

export const resumeMonitor = (id: number | string) => payload(monitorRoute(id).resume.post());

/** Runs a manual check. It may take the timeout of every attempt longer than other calls. */
export const checkMonitor = ({
  id,
  timeout,
  retries,
  retry_pause,
}: Pick<Monitor, "id" | "timeout" | "retries" | "retry_pause">) =>
  payload(
    monitorRoute(id).check.post(undefined, {
      fetch: { signal: AbortSignal.timeout((timeout + retry_pause) * (retries + 1) * 1000 + bootstrap.apiTimeout) },
    }),
  );

/** The 50 newest checks of a monitor, or the 50 before a time. */
export const listChecks = (id: number | string, query: { before?: number }) =>
  payload(monitorRoute(id).checks.get({ query: { ...query, limit: 50 } }));

/** The 50 newest runs of a monitor, or the 50 before a time. */
export const listRuns = (id: number | string, query: { status?: "down"; before?: number }) =>
  payload(monitorRoute(id).runs.get({ query: { ...query, limit: 50 } }));

/** The response times and counts of a monitor, as points of a chart. */
const readSeries = (id: number, covered: Covered<Range>) =>
  payload(monitorRoute(id).series.get({ query: chartQuery(covered) }));

/** How long after an edit its check is expected, in ms. An edit of the name alone starts no check. */
const checkWithin = 10_000;

/** Whether a monitor's first result, or the first after an edit, is expected within a moment. */
const isDue = ({
  status,
  active,
  updated_at,
  last_checked,
}: Pick<Monitor, "status" | "active" | "updated_at" | "last_checked">) =>
  status === "pending" ||
  (active && last_checked !== null && updated_at > last_checked && hubNow() - Date.parse(updated_at) < checkWithin);

const paging = createPaging<Selection>({ search: "", tags: [], filter: "all", sort: "status", order: "asc" });

let loaded: ListedMonitor[] = [];

const loadMonitors = async () => {
  const listing = paging.wanted();
  const answer = await listMonitors(listing);
  loaded = shareUnchanged(loaded, answer.monitors);
  return { ...answer, monitors: loaded, listing };
};

/** The shown part of the list of monitors. */
export const monitorsAtom = resource(loadMonitors, {
  pollFast: ({ monitors }) => monitors.some(isDue),
  onLoaded: ({ counts }, set) => set(monitorsDownAtom, counts.down),
});

/** Chooses which monitors the next load of `monitorsAtom` has. Returns whether they are others than before. */
export const wantMonitors = paging.want;

/** Chooses what a list that is opened loads first. */
export const openMonitors = paging.open;

/** Loads the monitors that are wanted once there is a pause in typing and scrolling. */
export const loadAfterPause = paging.loadAfterPause;

export const monitorAtom = resourceFamily((id: string) => findMonitor(id), {
  pollFast: ({ monitor }) => isDue(monitor),
});

/** Charts and checks change with the monitor's last check, which is polled: useRefreshOn refreshes them. */
const refreshedWithMonitor = { every: null };

/** The series from one time to another, by the monitor and the two times. */
export const spanSeriesAtom = resourceFamily((key: `${number}/${string}/${string}`) => {
  const [id = "", from, to] = key.split("/");
  return payload(monitorRoute(id).series.get({ query: { from, to } }));
});

/** The key of the series of a monitor's chart. */
export const seriesKey = (id: number, covered: Covered<Range>): string => JSON.stringify([id, covered]);

export const seriesAtom = resourceFamily(
  (key: string) => readSeries(...(JSON.parse(key) as [id: number, covered: Covered<Range>])),
  refreshedWithMonitor,
);

export const newestRunsAtom = resourceFamily((key: `${string}/${"all" | "down"}`) => {
  const [id = "", status] = key.split("/");
  return listRuns(id, status === "down" ? { status } : {});
}, refreshedWithMonitor);

/** The newest checks of a run that has ended at a time, or of the current run. */
export const runChecksAtom = resourceFamily((key: `${string}/${number | "now"}`) => {
  const [id = "", end] = key.split("/");
  return listChecks(id, end === "now" ? {} : { before: Number(end) });
}, refreshedWithMonitor);

/** The number of monitors. The one on screen may be gone when it changes. */
let latestTotal: number | undefined;

onChanges(({ monitors: results, outages, counts }) => {
  const newest = byMonitor(results);
  // An outage that was acknowledged is published, too.
  for (const { target_type, target_id } of outages)
    if (target_type === "monitor") monitorAtom.known(String(target_id))?.refreshSoon();
  if (counts && counts.monitors.all !== latestTotal) {
    latestTotal = counts.monitors.all;
    monitorAtom.refreshSoon();
  }
  if (newest.size === 0 && !counts) return;
  monitorsAtom.edit((list) => {
    const monitors = list.monitors.map((monitor) => withListedResult(monitor, newest.get(monitor.id)));
    const before = { ...list, items: list.monitors };
    if (isOutdated(before, monitors, counts?.monitors, newest.keys())) monitorsAtom.refreshSoon();
    return { ...list, monitors, counts: counts?.monitors ?? list.counts };
  });
  for (const [id, result] of newest) {
    const detail = monitorAtom.known(String(id));
    detail?.edit((shown) => {
      // Its outages and figures change with its state.
      if (result.status !== shown.monitor.status) detail.refreshSoon();
      return { ...shown, monitor: withResult(shown.monitor, result) };
    });
  }
});
