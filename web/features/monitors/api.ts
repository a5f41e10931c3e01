import { api, payload } from "../../api";
import { bootstrap } from "../../bootstrap";
import { allPages, resource, resourceFamily, shareUnchanged } from "../../lib/resource";
import { onChanges } from "../../live";
import { monitorsDownAtom } from "../../ui/layout/page-title";
import { byMonitor, withListedResult, withResult } from "./live";

export type Monitor = Awaited<ReturnType<typeof listMonitors>>["monitors"][number];
export type MonitorDetail = Awaited<ReturnType<typeof findMonitor>>["monitor"];
/** The fields of an HTTP monitor. */
export type HttpFields = Required<Pick<Monitor, "url" | "method" | "expected_status" | "headers" | "body">>;
export type Check = Awaited<ReturnType<typeof listChecks>>["checks"][number];
export type Point = Awaited<ReturnType<typeof readSeries>>["points"][number];
/** The figures of all checks of a range. */
export type Summary = Awaited<ReturnType<typeof readSeries>>["summary"];

export const ranges = ["24h", "7d", "30d", "90d", "1y"] as const;
export type Range = (typeof ranges)[number];
/** The length of each range in days. */
export const rangeDays: Record<Range, number> = { "24h": 1, "7d": 7, "30d": 30, "90d": 90, "1y": 365 };

/** The common part of the body that creates or changes a monitor; the fields of its kind are added to it. */
export type MonitorBody = {
  name: string;
  /** Seconds; the form shows minutes. */
  interval: number;
  timeout: number;
  retries: number;
};

const monitorRoute = (id: number | string) => api.monitors({ id });

export const listMonitors = async () => {
  const page = (offset: number) => payload(api.monitors.get({ query: { offset } }));
  const { first, items } = await allPages(page, ({ monitors }) => monitors);
  return { ...first, monitors: items };
};

export const findMonitor = (id: number | string) => payload(monitorRoute(id).get());

export const createMonitor = (body: MonitorBody) => payload(api.monitors.post(body));

export const updateMonitor = (id: number | string, body: MonitorBody) => payload(monitorRoute(id).put(body));

export const deleteMonitor = (id: number | string) => payload(monitorRoute(id).delete());

export const pauseMonitor = (id: number | string) => payload(monitorRoute(id).pause.post());

export const resumeMonitor = (id: number | string) => payload(monitorRoute(id).resume.post());

/** Runs a manual check. It may take the timeout of every attempt longer than other calls. */
export const checkMonitor = ({ id, timeout, retries }: Pick<Monitor, "id" | "timeout" | "retries">) =>
  payload(
    monitorRoute(id).check.post(undefined, {
      fetch: { signal: AbortSignal.timeout((timeout + 1) * (retries + 1) * 1000 + bootstrap.apiTimeout) },
    }),
  );

/** The 50 newest checks of a monitor, or the 50 before a check's id. */
export const listChecks = (id: number | string, query: { status?: "down"; before?: number }) =>
  payload(monitorRoute(id).checks.get({ query: { ...query, limit: 50 } }));

/** The response times and counts of a monitor over a range, as points of a chart. */
const readSeries = (id: number | string, range: Range) => payload(monitorRoute(id).series.get({ query: { range } }));

/** How long after an edit its check is expected, in ms. An edit of the name alone starts no check. */
const checkWithin = 10_000;

/** Whether a monitor's first result, or the one after an edit, is expected within a moment. */
const isDue = ({ status, active, updated_at, last_checked }: Omit<Monitor, "history">) =>
  status === "pending" ||
  (active && last_checked !== null && updated_at > last_checked && Date.now() - Date.parse(updated_at) < checkWithin);

let loaded: Monitor[] = [];

const loadMonitors = async () => {
  const answer = await listMonitors();
  loaded = shareUnchanged(loaded, answer.monitors);
  return { ...answer, monitors: loaded };
};

export const monitorsAtom = resource(loadMonitors, {
  soon: ({ monitors }) => monitors.some(isDue),
  learned: ({ counts }, set) => set(monitorsDownAtom, counts.down),
});

export const monitorAtom = resourceFamily((id: string) => findMonitor(id), {
  soon: ({ monitor }) => isDue(monitor),
});

/** Charts and checks change with the monitor's last check, which is polled: useRefreshOn refreshes them. */
const refreshedWithMonitor = { every: null };

export const seriesAtom = resourceFamily((key: `${string}/${Range}`) => {
  const [id = "", range] = key.split("/");
  return readSeries(id, range as Range);
}, refreshedWithMonitor);

export const newestChecksAtom = resourceFamily((key: `${string}/${"all" | "down"}`) => {
  const [id = "", status] = key.split("/");
  return listChecks(id, status === "down" ? { status } : {});
}, refreshedWithMonitor);

type Listed = Awaited<ReturnType<typeof loadMonitors>>;

/** Whether a list without pages beyond its limit lacks a monitor, or shows other numbers than the server counts. */
const isOutdated = ({ monitors, total }: Listed, counts: Listed["counts"] | undefined, ids: Iterable<number>) => {
  if (monitors.length < total) return false;
  const known = new Set(monitors.map(({ id }) => id));
  if ([...ids].some((id) => !known.has(id))) return true;
  const shown = { all: monitors.length, up: 0, down: 0, pending: 0, paused: 0 };
  for (const { status } of monitors) shown[status]++;
  return (
    counts !== undefined && Object.entries(shown).some(([name, count]) => counts[name as keyof typeof shown] !== count)
  );
};

onChanges(({ monitors: results, counts }) => {
  const newest = byMonitor(results);
  if (newest.size === 0 && !counts) return;
  monitorsAtom.edit((list) => {
    const next = {
      ...list,
      monitors: list.monitors.map((monitor) => withListedResult(monitor, newest.get(monitor.id))),
      counts: counts?.monitors ?? list.counts,
    };
    if (isOutdated(next, counts?.monitors, newest.keys())) monitorsAtom.refreshSoon();
    return next;
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
