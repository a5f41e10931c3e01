/** Outages that were in maintenance from their beginning to their end, or to now. */
import type { Deps } from "../../../core/deps";
import { subtractIntervals } from "../../../lib/intervals";
import type { TargetType } from "../../../shared/notifications";
import { readMaintenanceTimes } from "./running";

type Outage = { targetType: TargetType; targetId: number; startedAt: number; endedAt: number | null };

/** Reads which of these outages were in maintenance all the time: a function of each of them. */
export const readWithin = async (store: Pick<Deps, "db" | "clock">, outages: readonly Outage[]) => {
  const to = store.clock.now() + 1;
  const from = outages.reduce((first, { startedAt }) => Math.min(first, startedAt), to);
  const timesOf = async (type: TargetType) => {
    const ids = [...new Set(outages.flatMap((one) => (one.targetType === type ? one.targetId : [])))];
    return ids.length > 0 ? readMaintenanceTimes(store, { type, ids }, { from, to }) : new Map();
  };
  const times = { monitor: await timesOf("monitor"), agent: await timesOf("agent") };
  return ({ targetType, targetId, startedAt, endedAt }: Outage): boolean => {
    const own = times[targetType].get(targetId) ?? [];
    return own.length > 0 && subtractIntervals({ from: startedAt, to: endedAt ?? to }, own).length === 0;
  };
};
