/**
 * Which containers, services and arrays of a server do not work, report by report: a pure function from alarms to alarms.
 * A container does not work while it is unhealthy, when it stops, and when it is restarted more than three times within ten
 * minutes; it works again once it runs, and has not been restarted for ten minutes.
 */
import { type Container, type MachineFacts, REPORT_LIMITS } from "../../../shared/agents/report";
import {
  type Alarm,
  type AlarmState,
  type ContainersUp,
  PART_PROBLEMS,
  type PartProblem,
} from "../../../shared/agents/thresholds";
import { DAY, MINUTE } from "../../../shared/limits";
import { type Change, changesOf, keyOf, MAX_ALARMS, stepMissing } from "./figures";

/** The most restarts within a time. */
const RESTARTS = { most: 3, within: 10 * MINUTE } as const;

type Parts = Pick<MachineFacts, "containers" | "containers_total" | "failed_units" | "arrays">;

/** Whether a report has anything of parts. */
export const hasParts = ({ containers, failed_units, arrays }: Parts): boolean =>
  containers !== undefined || failed_units !== undefined || arrays !== undefined;

const isStopped = ({ state }: Container): boolean => state === "exited" || state === "dead";
const isUp = ({ state }: Container): boolean => ["running", "restarting", "paused"].includes(state);

/** A container that was up when it was last reported; how often it had been restarted is null where that is too long ago. */
type Before = { state: string; restarts: number | null } | undefined;

const isPart = (state: AlarmState): state is Alarm & { metric: PartProblem } =>
  PART_PROBLEMS.some((metric) => metric === state.metric);

/** Why a container does not work now, as it is reported; null where it may. */
const faultOf = (container: Container, before: Before, isAlerting: boolean): string | null => {
  const { state, health, exit_status } = container;
  if (isStopped(container) && (isAlerting || before))
    return exit_status === undefined ? state : `${state} (${exit_status})`;
  if (state === "restarting" && (isAlerting || before?.state === "restarting")) return state;
  return state === "running" && health === "unhealthy" ? health : null;
};

/** Whether a container certainly works; a starting one may still fail. */
const isWell = ({ state, health }: Container): boolean =>
  (state === "running" && health !== "starting" && health !== "unhealthy") || state === "paused";

/** The alarm of a container after a report, and its state where it begins to alert. */
const stepContainer = (
  alarm: Alarm | undefined,
  container: Container,
  before: Before,
  at: number,
): { next: Alarm | undefined; state?: string } => {
  const place = { metric: "container", subject: container.name } as const;
  const { restarts } = container;
  const fault = faultOf(container, before, alarm?.alerting ?? false);
  const counted = restarts === undefined ? {} : { restarts };
  if (alarm?.alerting) {
    const isRestarted = restarts !== undefined && restarts > (alarm.restarts ?? restarts);
    const since = isRestarted ? at : alarm.since;
    const alerting = { ...place, alerting: true, since, ...counted };
    if (fault !== null || !isWell(container)) return { next: alerting };
    return { next: since !== null && at - since < RESTARTS.within ? alerting : undefined };
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

/** For how long containers are remembered that are not reported. */
const REMEMBERED = DAY;
/** Containers that are remembered of a server. */
const MAX_REMEMBERED = REPORT_LIMITS.containers;

/** The earlier state of a server: its alarms about parts, and the containers that were up, unless that was too long ago. */
const remember = (before: readonly AlarmState[], { at, lastAt }: Times) => {
  const memory = before.find((state) => state.metric === "containers_up");
  const isOver = memory?.missing !== undefined && at - memory.missing >= REMEMBERED;
  const isGap = memory?.missing !== undefined || lastAt === null || at - lastAt > RESTARTS.within;
  const up = memory && !isOver ? memory.up : [];
  const containers = up.map(([name, state, restarts]): [string, Before] => [
    name,
    { state, restarts: isGap ? null : restarts },
  ]);
  return {
    alarms: new Map<string, Alarm>(before.filter(isPart).map((alarm) => [keyOf(alarm), alarm])),
    containers: new Map(containers),
    memory: memory && !isOver ? memory : undefined,
  };
};

const isCut = ({ containers, containers_total }: Parts): boolean => (containers_total ?? 0) > (containers?.length ?? 0);

/** The containers to remember after a report: those that are up, and those that a cut list lacks. */
const nextMemory = (memory: ContainersUp | undefined, report: Parts, at: number): ContainersUp | undefined => {
  const { containers } = report;
  if (!containers) return memory && { ...memory, missing: memory.missing ?? at };
  const listed = new Set(containers.map(({ name }) => name));
  const unlisted = isCut(report) ? (memory?.up ?? []).filter(([name]) => !listed.has(name)) : [];
  const up = containers
    .filter(isUp)
    .map(({ name, state, restarts }): ContainersUp["up"][number] => [name, state, restarts ?? null])
    .concat(unlisted)
    .slice(0, MAX_REMEMBERED);
  return up.length > 0 ? { metric: "containers_up", up } : undefined;
};

/** The times of the newest sample of this and of the previous report, or null. */
type Times = { at: number; lastAt: number | null };

/** The alarms about parts after a report with what is to be remembered of containers, and what began or ended with it. */
export const evaluateParts = (
  before: readonly AlarmState[],
  report: Parts,
  times: Times,
): { alarms: AlarmState[]; changes: Change[] } => {
  const { at } = times;
  const { alarms: current, containers, memory } = remember(before, times);
  const first = new Map(current);
  const events = new Map<string, Change["event"]>();
  const seen = new Set<string>();

  const set = (place: Pick<Alarm, "metric" | "subject">, next: Alarm | undefined, state?: string) => {
    const key = keyOf(place);
    const alarm = current.get(key);
    seen.add(key);
    if ((alarm?.alerting ?? false) !== (next?.alerting ?? false))
      events.set(key, { figure: null, threshold: null, ...(state !== undefined && { state }) });
    if (!next) current.delete(key);
    else if (alarm || current.size < MAX_ALARMS) current.set(key, next);
  };
  const setFailed = (place: Pick<Alarm, "metric" | "subject">, isFailed: boolean, state?: string) =>
    set(place, isFailed ? { ...place, alerting: true, since: null } : undefined, state);

  for (const container of report.containers ?? []) {
    const place = { metric: "container", subject: container.name } as const;
    const { next, state } = stepContainer(current.get(keyOf(place)), container, containers.get(container.name), at);
    set(place, next, state);
  }
  const failed = new Set(report.failed_units);
  for (const subject of failed) setFailed({ metric: "service", subject }, true);
  for (const { name, state, degraded } of report.arrays ?? [])
    setFailed({ metric: "array", subject: name }, degraded, degraded ? state : undefined);

  for (const [key, alarm] of [...current]) {
    if (seen.has(key)) continue;
    if (alarm.metric === "service" && report.failed_units) setFailed(alarm, false);
    else if (alarm.metric === "container" && report.containers && !isCut(report)) current.delete(key);
    else {
      const next = stepMissing(alarm, at);
      if (next) current.set(key, next);
      else current.delete(key);
    }
  }
  const after: AlarmState[] = [...current.values(), ...[nextMemory(memory, report, at) ?? []].flat()];
  return { alarms: after, changes: changesOf(first, current, events) };
};
