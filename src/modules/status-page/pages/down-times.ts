/** When components that a page composes itself were down. */
import type { Deps } from "../../../core/deps";
import { coveredBy, type Interval, mergeIntervals, subtractIntervals } from "../../../lib/intervals";
import { readMaintenanceTimes } from "../../alerting/maintenance/running";
import { readDownSpans } from "../../alerting/outages/folded";
import type { PageComponent } from "./components";
import { keysOf, membersOf, neededOf, readStates, targetKey } from "./measured";

type Store = Pick<Deps, "db" | "clock" | "watching">;

/** The outages of targets in a span by their keys, and their maintenance. */
const readTimes = async (store: Store, teamId: number, ids: ReturnType<typeof membersOf>, span: Interval) => {
  const outages = await readDownSpans(store, teamId, ids, span);
  const down = new Map(outages.map(({ targetType, targetId, times }) => [targetKey(targetType, targetId), times]));
  const maintenance = new Map<string, Interval[]>();
  for (const type of ["monitor", "agent"] as const) {
    const failed = outages.flatMap((one) => (one.targetType === type ? one.targetId : []));
    if (failed.length === 0) continue;
    const planned = await readMaintenanceTimes(store, { type, ids: failed }, span);
    for (const [id, times] of planned) maintenance.set(targetKey(type, id), mergeIntervals(times));
  }
  return { down, maintenance };
};

type Options = {
  /** The keys of targets whose outages do not count. */
  working?: ReadonlySet<string>;
  /** Whether outages in maintenance count. */
  withMaintenance?: boolean;
};

/**
 * Reads when components without a fixed status were down in a span, by the ids of their rows: while fewer of their targets
 * worked than have to. Targets in maintenance count as working unless they are to count, and those that are paused or were never checked do not count,
 * as in the status. A time that lasts ends at Infinity.
 */
export const readDownTimes = async (
  store: Store,
  teamId: number,
  components: readonly PageComponent[],
  { working = new Set(), withMaintenance = false, ...span }: Interval & Options,
): Promise<Map<number, Interval[]>> => {
  const measured = components.filter(({ row }) => row.fixedStatus === null);
  const ids = membersOf(measured);
  const states = await readStates(store, teamId, ids);
  const { down, maintenance } = await readTimes(store, teamId, ids, span);
  return new Map(
    measured.map((component) => {
      const keys = keysOf(component).filter((key) => states.get(key) != null);
      const timesOf = (key: string): Interval[] => {
        const times = working.has(key) ? [] : (down.get(key) ?? []);
        return withMaintenance ? times : times.flatMap((time) => subtractIntervals(time, maintenance.get(key) ?? []));
      };
      const times = keys.map(timesOf);
      const failing = keys.length - neededOf(component.row.target, keys.length) + 1;
      const covered = keys.length > 0 ? coveredBy(times, failing) : [];
      // An outage goes on after maintenance that has not ended yet, which is not known.
      return [component.row.id, covered.filter(({ from }) => from < span.to)];
    }),
  );
};
