import { api, isMissing, payload } from "../../api";
import { serverAddress } from "../../bootstrap";
import { type PRESETS, type Range, rangeIn, timesOf } from "../../lib/day-range";
import { browserTimeZone } from "../../lib/format";
import { hubNow } from "../../lib/now";
import { resource, resourceFamily } from "../../lib/resource";
import { paths } from "../../paths";

/** The presets of a report, the usual one first. */
export const PERIODS = ["lastMonth", "month", "week"] as const satisfies readonly (typeof PRESETS)[number][];

/** The period of a report, and its scope and target as the API takes them. */
export type Filter = {
  range: Range;
  scope: string;
  /** The target for the uptime in percent; null for none. */
  target: number | null;
};

const SCOPE = /^(page|tag:.+|(monitor|agent):[1-9]\d{0,14})$/;

/** The filter in an address. */
export const filterIn = (text: string): Filter => {
  const search = new URLSearchParams(text);
  const range = rangeIn(search, "lastMonth");
  const [scope, target] = [search.get("scope") ?? "", Number(search.get("target"))];
  return {
    range: "preset" in range && !PERIODS.some((name) => name === range.preset) ? { preset: "lastMonth" } : range,
    scope: SCOPE.test(scope) ? scope : "all",
    target: target >= 1 && target <= 100 ? target : null,
  };
};

/** The search of an address that shows a filter; empty for the usual one. */
export const searchOf = ({ range, scope, target }: Filter): string => {
  const search = new URLSearchParams();
  if (!("preset" in range)) {
    search.set("from", range.from);
    search.set("to", range.to);
  } else if (range.preset !== "lastMonth") search.set("range", range.preset);
  if (scope !== "all") search.set("scope", scope);
  if (target !== null) search.set("target", String(target));
  return search.toString();
};

/** Whether an address has a period. */
export const hasPeriod = (text: string): boolean => {
  const search = new URLSearchParams(text);
  return search.has("range") || search.has("from");
};

/** The search of an address that shows a filter, with the period also where it is the usual one. */
export const searchIn = (filter: Filter): string => {
  const search = searchOf(filter);
  return hasPeriod(search) ? search : ["range=lastMonth", search].filter(Boolean).join("&");
};

/** A filter as the API takes it. Without a range where its dates are in the wrong order. */
const queryOf = ({ range, scope, target }: Filter) => ({
  ...timesOf(range, new Date()),
  zone: browserTimeZone(),
  scope,
  ...(target !== null && { target }),
});

export type Report = Awaited<ReturnType<typeof readReport>>;

/** Targets on one page. */
const LISTED = 500;

const readReport = async (filter: Filter) =>
  (await payload(api.reports.get({ query: { ...queryOf(filter), limit: LISTED } }))).report;

/** The report of a filter. The key is the search of an address. */
export const reportAtom = resourceFamily((search: string) => readReport(filterIn(search)), { every: 300_000 });

/** The text of the file with the targets of a report. */
export const readExport = async (filter: Filter): Promise<string> =>
  String(await payload(api.reports.export.get({ query: queryOf(filter) })));

/** The form of a period that moves with the time, by the preset of the page. */
export const ROLLING = { lastMonth: "last_month", month: "month", week: "week" } as const;

export type ReportLink = Awaited<ReturnType<typeof readLinks>>[number];
const readLinks = async () => (await payload(api.reports.links.get())).links;
/** The viewer's links to reports, the newest first. */
export const linksAtom = resource(readLinks, { every: null });

type LinkChoice = { name: string; details: boolean; period: (typeof ROLLING)[keyof typeof ROLLING] | null };

/** Creates a link to the report of a filter, and returns its address. `period` is null for the dates of the filter. */
export const createLink = async (filter: Filter, { period, ...choice }: LinkChoice): Promise<string> => {
  const { from, to, zone, scope, target } = queryOf(filter) as ReturnType<typeof queryOf> & {
    from: string;
    to: string;
  };
  const body = {
    ...choice,
    zone,
    scope,
    ...(target !== undefined && { target }),
    ...(period ? { period } : { from, to }),
  };
  const { token } = await payload(api.reports.links.post(body));
  return serverAddress() + paths.sharedReport(token);
};

export const deleteLink = (id: number) => payload(api.reports.links({ id }).delete());

export type ReportSchedule = Awaited<ReturnType<typeof readSchedules>>[number];
const readSchedules = async () => (await payload(api.reports.schedules.get())).schedules;
/** How long after it was due a report is sent and this is known, in ms. */
const SENT_WITHIN = 60_000;
/** The viewer's scheduled reports, the oldest first. */
export const schedulesAtom = resource(readSchedules, {
  pollFast: (schedules) =>
    schedules.some(({ last }) =>
      last?.deliveries.some(
        ({ state, created_at }) => state === "pending" && hubNow() - Date.parse(created_at) < SENT_WITHIN,
      ),
    ),
});

export type ScheduleBody = Parameters<typeof api.reports.schedules.post>[0];
const scheduleRoute = (id: number) => api.reports.schedules({ id });

/** Stores a new schedule, or replaces a stored one. */
export const saveSchedule = (body: ScheduleBody, id?: number) =>
  payload(id === undefined ? api.reports.schedules.post(body) : scheduleRoute(id).put(body));

export const deleteSchedule = (id: number) => payload(scheduleRoute(id).delete());

/** Sends the last complete period of a schedule. */
export const sendReportNow = (id: number) => payload(scheduleRoute(id).send.post());

/** The report of a link. The key is its token. */
export const sharedAtom = resourceFamily((token: string) => payload(api.reports.shared({ token }).get()), {
  every: 300_000,
  isFinal: isMissing,
});
