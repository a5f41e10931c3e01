/** When components that a page composes itself were down. */
import type { Deps } from "../../../core/deps";
import { coveredBy, type Interval, mergeIntervals, subtractIntervals } from "../../../lib/intervals";
import type { TargetType } from "../../../shared/notifications";
import { readMaintenanceTimes } from "../../alerting/maintenance/running";
import { readOutageTimes } from "../../alerting/outages/times";
import type { PageComponent } from "./components";
import { keysOf, membersOf, neededOf, readStates, targetKey } from "./measured";

type Store = Pick<Deps, "db" | "clock" | "watching">;

/** The outages of targets in a span by their keys, an open one up to Infinity, and their maintenance. */
const readTimes = async (store: Store, ids: ReturnType<typeof membersOf>, span: Interval) => {
  const down = new Map<string, Interval[]>();
  const maintenance = new Map<string, Interval[]>();
  for (const [type, wanted] of [
    ["monitor", ids.monitors],
    ["agent", ids.agents],
  ] as const satisfies (readonly [TargetType, readonly number[]])[]) {
    if (wanted.length === 0) continue;
    const outages = await readOutageTimes(store, { type, ids: wanted }, span.from);
    const planned = await readMaintenanceTimes(store, { type, ids: wanted }, span);
    for (const id of wanted) {
      const pairs = outages.get(id)?.merged ?? [];
      const times = pairs.flatMap((from, place) =>
        place % 2 === 0 ? [{ from, to: pairs[place + 1] ?? Number.POSITIVE_INFINITY }] : [],
      );
      down.set(
        targetKey(type, id),
        times.filter(({ from, to }) => from < span.to && to > span.from),
      );
      maintenance.set(targetKey(type, id), mergeIntervals(planned.get(id) ?? []));
    }
  }
  return { down, maintenance };
};

/**
 * Reads when components without a fixed status were down in a span, by the ids of their rows: while fewer of their targets
 * worked than have to. Targets in maintenance count as working, and those that are paused or were never checked do not count,
 * as in the status. A time that lasts ends at Infinity.
 */
export const readDownTimes = async (
  store: Store,
  teamId: number,
  components: readonly PageComponent[],
  span: Interval,
): Promise<Map<number, Interval[]>> => {
  const measured = components.filter(({ row }) => row.fixedStatus === null);
  const ids = membersOf(measured);
  const states = await readStates(store, teamId, ids);
  const { down, maintenance } = await readTimes(store, ids, span);
  return new Map(
    measured.map((component) => {
      const keys = keysOf(component).filter((key) => states.get(key) != null);
      const times = keys.map((key) =>
        (down.get(key) ?? []).flatMap((time) => subtractIntervals(time, maintenance.get(key) ?? [])),
      );
      const failing = keys.length - neededOf(component.row.target, keys.length) + 1;
      return [component.row.id, keys.length > 0 ? coveredBy(times, failing) : []];
    }),
  );
};
