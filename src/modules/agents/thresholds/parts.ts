/**
 * Which containers, services and arrays of a server do not work, report by report: a pure function from alarms to alarms.
 * A container does not work while it is unhealthy, when it stops, and when it is restarted more than three times within ten
 * minutes; it works again once it runs, and has not been restarted for ten minutes.
 */
import type { Container, MachineFacts } from "../../../shared/agents/report";
import { type Alarm, PART_PROBLEMS } from "../../../shared/agents/thresholds";
import { MINUTE } from "../../../shared/limits";
import { type Change, changesOf, type Evaluated, keyOf, MAX_ALARMS, stepMissing } from "./figures";

/** The most restarts within a time. */
const RESTARTS = { most: 3, within: 10 * MINUTE } as const;

type Parts = Pick<MachineFacts, "containers" | "containers_total" | "failed_units" | "arrays">;

/** Whether a report has anything of parts. */
export const hasParts = ({ containers, failed_units, arrays }: Parts): boolean =>
  containers !== undefined || failed_units !== undefined || arrays !== undefined;

const isStopped = ({ state }: Container): boolean => state === "exited" || state === "dead";
const wasUp = (before: Container | undefined): boolean =>
  before !== undefined && ["running", "restarting", "paused"].includes(before.state);

/** Why a container does not work now, as it is reported; null where it may. */
const faultOf = (container: Container, before: Container | undefined, isAlerting: boolean): string | null => {
  const { state, health, exit_status } = container;
  if (isStopped(container) && (isAlerting || wasUp(before)))
    return exit_status === undefined ? state : `${state} (${exit_status})`;
  if (state === "restarting" && (isAlerting || before?.state === "restarting")) return state;
  return state === "running" && health === "unhealthy" ? health : null;
};

/** Whether a container certainly works: one that starts may fail. */
const isWell = ({ state, health }: Container): boolean =>
  (state === "running" && health !== "starting" && health !== "unhealthy") || state === "paused";

/** The alarm of a container after a report, and its state where it begins to alert. */
const stepContainer = (
  alarm: Alarm | undefined,
  container: Container,
  before: Container | undefined,
  at: number,
): { next: Alarm | undefined; state?: string } => {
  const place = { metric: "container", subject: container.name } as const;
  const { restarts } = container;
  const fault = faultOf(container, before, alarm?.alerting ?? false);
  const counted = restarts === undefined ? {} : { restarts };
  if (alarm?.alerting) {
    const isRestarted = restarts !== undefined && restarts > (alarm.restarts ?? restarts);
    const since = isRestarted ? at : alarm.since;
    const kept = { ...place, alerting: true, since, ...counted };
    if (fault !== null || !isWell(container)) return { next: kept };
    return { next: since !== null && at - since < RESTARTS.within ? kept : undefined };
  }
  if (fault !== null) return { next: { ...place, alerting: true, since: null, ...counted }, state: fault };
  if (restarts === undefined) return { next: undefined };
  const isOpen = alarm?.since != null && at - alarm.since < RESTARTS.within && restarts >= (alarm.restarts ?? 0);
  const from = isOpen ? (alarm.restarts ?? 0) : (before?.restarts ?? restarts);
  if (restarts - from > RESTARTS.most)
    return { next: { ...place, alerting: true, since: at, restarts }, state: "restarting" };
  if (restarts <= from) return { next: undefined };
  return { next: { ...place, alerting: false, since: isOpen ? alarm.since : at, restarts: from } };
};

/** The alarms about parts after a report, and what began or ended with it. `previous` is the report before. */
export const evaluateParts = (
  before: readonly Alarm[],
  report: Parts,
  previous: Pick<MachineFacts, "containers"> | null,
  at: number,
): Evaluated => {
  const known = new Map(before.filter(({ metric }) => isPart(metric)).map((alarm) => [keyOf(alarm), alarm]));
  const first = new Map(known);
  const said = new Map<string, Change["said"]>();
  const seen = new Set<string>();

  const set = (place: Pick<Alarm, "metric" | "subject">, next: Alarm | undefined, state?: string) => {
    const key = keyOf(place);
    const alarm = known.get(key);
    seen.add(key);
    if ((alarm?.alerting ?? false) !== (next?.alerting ?? false))
      said.set(key, { figure: null, threshold: null, ...(state !== undefined && { state }) });
    if (!next) known.delete(key);
    else if (alarm || known.size < MAX_ALARMS) known.set(key, next);
  };
  const setFailed = (place: Pick<Alarm, "metric" | "subject">, isFailed: boolean, state?: string) =>
    set(place, isFailed ? { ...place, alerting: true, since: null } : undefined, state);

  const earlier = new Map((previous?.containers ?? []).map((one) => [one.name, one]));
  for (const container of report.containers ?? []) {
    const place = { metric: "container", subject: container.name } as const;
    const { next, state } = stepContainer(known.get(keyOf(place)), container, earlier.get(container.name), at);
    set(place, next, state);
  }
  const failed = new Set(report.failed_units);
  for (const subject of failed) setFailed({ metric: "service", subject }, true);
  for (const { name, state, degraded } of report.arrays ?? [])
    setFailed({ metric: "array", subject: name }, degraded, degraded ? state : undefined);

  const isCut = (report.containers_total ?? 0) > (report.containers?.length ?? 0);
  for (const [key, alarm] of [...known]) {
    if (seen.has(key)) continue;
    if (alarm.metric === "service" && report.failed_units) setFailed(alarm, false);
    else if (alarm.metric === "container" && report.containers && !isCut) known.delete(key);
    else {
      const kept = stepMissing(alarm, at);
      if (kept) known.set(key, kept);
      else known.delete(key);
    }
  }
  return { alarms: [...known.values()], changes: changesOf(first, known, said) };
};

const isPart = (metric: Alarm["metric"]): boolean => PART_PROBLEMS.some((one) => one === metric);
