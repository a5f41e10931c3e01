import { atom, getDefaultStore } from "jotai";
import { LIMITS } from "../../../src/shared/limits";
import type { LiveMonitor, LiveOutage } from "../../../src/shared/live";
import { isBroken as isBrokenKind } from "../../../src/shared/notifications";
import { api, payload } from "../../api";
import { bootstrap } from "../../bootstrap";
import { noteHubTime } from "../../lib/now";
import { isRecalled } from "../../lib/offline/answers";
import { resource } from "../../lib/resource";
import type { Beat } from "../../lib/series";
import { onChanges } from "../../live";
import { downInMaintenanceAtom, monitorsDownAtom, serversDownAtom } from "../../ui/layout/page-title";

type Answer = Awaited<ReturnType<typeof readDashboard>>;
/** Something that is not well: a monitor that is down, a server that is offline, or one with a figure above its threshold. */
export type Problem = Omit<Answer["problems"][number], "history"> & { history: Beat[] };
export type Dashboard = Omit<Answer, "problems"> & { problems: Problem[] };

const readDashboard = async () => {
  const sentAt = Date.now();
  const call = api.dashboard.get();
  const answer = await payload(call);
  const { response } = await call;
  if (!isRecalled(response)) noteHubTime(answer.now, sentAt);
  return answer;
};

const beatOf = ([at, outcome, response_time]: Answer["problems"][number]["history"][number]): Beat => ({
  status: outcome === 0 ? "down" : "up",
  ...(outcome === 2 && { slow: true }),
  timestamp: new Date(at).toISOString(),
  response_time,
});

const loadDashboard = async (): Promise<Dashboard> => {
  const answer = await readDashboard();
  return {
    ...answer,
    problems: answer.problems.map((problem) => ({ ...problem, history: problem.history.map(beatOf) })),
  };
};

/** The state of everything that the viewer sees, polled on every screen. */
export const dashboardAtom = resource(loadDashboard, {
  pollFast: ({ monitors }) => monitors.pending > 0,
  onLoaded: ({ monitors, agents, in_maintenance }, set) => {
    set(downInMaintenanceAtom, in_maintenance.monitors + in_maintenance.agents);
    set(monitorsDownAtom, monitors.down);
    set(serversDownAtom, agents.inactive);
  },
});

/** The start and the reason of the unknown state of the hub; null at other times. */
export const hubUnknownAtom = atom((get) => get(dashboardAtom).data?.unknown ?? null);

const monitorRoute = (id: number | string) => api.monitors({ id });

/** The longest that a manual check may take, with every attempt, in ms. */
const LONGEST_CHECK = (LIMITS.timeoutMax + LIMITS.retryPauseMax) * (LIMITS.retriesMax + 1) * 1000;

/** Runs a manual check of a monitor whose settings are not known here, so it waits as long as any may take. */
export const checkNow = (id: number) =>
  payload(
    monitorRoute(id).check.post(undefined, {
      fetch: { signal: AbortSignal.timeout(LONGEST_CHECK + bootstrap.apiTimeout) },
    }),
  );

export const pauseMonitor = (id: number | string) => payload(monitorRoute(id).pause.post());

/** Whether a problem means that something does not work at all, not only that a figure is high. */
export const isBroken = ({ kind }: Pick<Problem, "kind">) => isBrokenKind(kind);

/** Whether its monitor waits for reports instead of being checked. */
export const isPassive = ({ error_code }: Pick<Problem, "error_code">): boolean =>
  error_code?.startsWith("heartbeat_") === true;

/** A result as a check of a bar. */
const toBeat = ({ status, slow, last_checked: timestamp, response_time }: LiveMonitor) => ({
  status: status === "degraded" ? "up" : status,
  ...(slow && { slow }),
  timestamp,
  response_time,
});

/** The latest outcomes that the page shows of each monitor. */
const HISTORY = 40;

/** A problem after the results of its monitor, with why the last one failed. */
const withResults = (problem: Problem, results: readonly LiveMonitor[]): Problem => {
  const newest = problem.history.at(-1)?.timestamp ?? "";
  const added = results.filter(
    ({ id, last_checked }) => problem.target_type === "monitor" && id === problem.target_id && last_checked > newest,
  );
  const last = added.at(-1);
  if (!last) return problem;
  const { error_code, error_detail = null } = last;
  return {
    ...problem,
    ...(problem.kind === "down" && last.status === "down" && error_code && { error_code, error_detail }),
    history: [...problem.history, ...added.map(toBeat)].slice(-HISTORY),
  } as Problem;
};

/** The dashboard without the problems that have ended. */
const withoutEnded = (shown: Dashboard, ended: readonly LiveOutage[]): Dashboard => {
  const ids = new Set(ended.map(({ id }) => id));
  const problems = shown.problems.filter(({ id }) => !ids.has(id));
  const times = ended.filter(isBroken).flatMap(({ ended_at }) => ended_at ?? []);
  return {
    ...shown,
    problems,
    problems_total: shown.problems_total - (shown.problems.length - problems.length),
    well_since: [...times, shown.well_since ?? ""].toSorted().at(-1) || null,
  };
};

onChanges(({ monitors, outages, counts }) => {
  const latest = [...new Map(outages.map((outage) => [outage.id, outage])).values()];
  if (monitors.length + latest.length > 0)
    dashboardAtom.edit((shown) => {
      // An outage comes without the name and the history of its target, and the feed without it.
      if (latest.length > 0) dashboardAtom.refreshSoon();
      const left = withoutEnded(
        shown,
        latest.filter(({ status }) => status === "ended"),
      );
      return { ...left, problems: left.problems.map((problem) => withResults(problem, monitors)) };
    });
  if (!counts) return;
  const { all, ...statuses } = counts.monitors;
  const { all: allServers, ...serverStatuses } = counts.agents;
  const counted = { monitors: { ...statuses, total: all }, agents: { ...serverStatuses, total: allServers } };
  getDefaultStore().set(monitorsDownAtom, statuses.down);
  getDefaultStore().set(serversDownAtom, serverStatuses.inactive);
  dashboardAtom.edit((shown) => {
    // Other monitors and servers may need attention first.
    if (JSON.stringify([shown.monitors, shown.agents]) !== JSON.stringify([counted.monitors, counted.agents]))
      dashboardAtom.refreshSoon();
    return { ...shown, ...counted };
  });
});

/** Items with one key, in their order. */
export type Group<T> = [T, ...T[]];

/** Groups items by a key, each group at the place of its first item. */
export const groupsOf = <T>(items: readonly T[], keyOf: (item: T) => string): Group<T>[] =>
  [...Map.groupBy(items, keyOf).values()].flatMap(([first, ...more]): Group<T>[] => (first ? [[first, ...more]] : []));

/** The key of the target of a problem or an outage. */
export const targetKey = ({ target_type, target_id }: { target_type: string; target_id: number }): string =>
  `${target_type} ${target_id}`;
