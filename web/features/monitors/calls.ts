import { api, payload } from "../../api";
import { bootstrap } from "../../bootstrap";
import { allPages } from "../../lib/all-pages";
import type { MonitorBody } from "./form/monitor-body";

export type Monitor = Awaited<ReturnType<typeof listMonitors>>["monitors"][number];
export type MonitorDetail = Awaited<ReturnType<typeof findMonitor>>["monitor"];
/** The fields of an HTTP monitor. */
export type HttpFields = Required<Pick<Monitor, "url" | "method" | "expected_status" | "headers" | "body">>;
export type Check = Awaited<ReturnType<typeof listChecks>>["checks"][number];
export type Point = Awaited<ReturnType<typeof series>>["points"][number];

export const ranges = ["24h", "7d", "30d", "90d", "1y"] as const;
export type Range = (typeof ranges)[number];
export const rangeDays: Record<Range, number> = { "24h": 1, "7d": 7, "30d": 30, "90d": 90, "1y": 365 };

const one = (id: number | string) => api.monitors({ id });

export const listMonitors = async () => {
  const page = (offset: number) => payload(api.monitors.get({ query: { offset } }));
  const { first, items } = await allPages(page, ({ monitors }) => monitors);
  return { ...first, monitors: items };
};

export const findMonitor = (id: number | string) => payload(one(id).get());

export const createMonitor = (body: MonitorBody) => payload(api.monitors.post(body));

export const updateMonitor = (id: number | string, body: MonitorBody) => payload(one(id).put(body));

export const deleteMonitor = (id: number | string) => payload(one(id).delete());

export const pauseMonitor = (id: number | string) => payload(one(id).pause.post());

export const resumeMonitor = (id: number | string) => payload(one(id).resume.post());

/** A manual check may take the timeout of each attempt longer than other calls. */
export const checkMonitor = ({ id, timeout, retries }: Pick<Monitor, "id" | "timeout" | "retries">) =>
  payload(
    one(id).check.post(undefined, {
      fetch: { signal: AbortSignal.timeout((timeout + 1) * (retries + 1) * 1000 + bootstrap.apiTimeout) },
    }),
  );

export const listChecks = (id: number | string, query: { status?: "down"; before?: number }) =>
  payload(one(id).checks.get({ query: { ...query, limit: 50 } }));

export const series = (id: number | string, range: Range) => payload(one(id).series.get({ query: { range } }));
