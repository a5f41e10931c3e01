/** Whether checks are so late that their results say little: the machine is starved, or the database is away. */
import type { Deps } from "../core/deps";
import { MINUTE } from "../shared/limits";
import { SHORTEST_PAUSE } from "./watching";

/** Checks that start later than this are late (s): half of the usual shortest interval. */
const LATE = 30;

type Parts = Pick<Deps, "clock" | "meters" | "watching">;

/**
 * Returns a function that returns when the hub became late, or null while it is on time. It is late while the engine does not
 * tick, and when most checks of the last minute started late.
 */
export const createLatenessWatch = ({ clock, meters, watching }: Parts, engine: { tickedAt: () => number }) => {
  let counted = { at: clock.now(), count: 0, late: 0 };
  let lateSince: number | null = null;

  /** Counts the checks that started since the last call. A gap makes the checks after it late, so they do not count. */
  const count = (now: number, follows: boolean): void => {
    const { count, buckets } = meters.lateness.read();
    const late = count - (buckets.findLast(({ bound }) => bound <= LATE)?.count ?? 0);
    const isLate = !follows && (late - counted.late) * 2 > count - counted.count;
    lateSince = isLate ? (lateSince ?? counted.at) : null;
    counted = { at: now, count, late };
  };

  let wasBlind = true;
  return (): number | null => {
    const now = clock.now();
    const reason = watching.unknown()?.reason;
    const isOther = reason !== undefined && reason !== "hub_overloaded";
    wasBlind ||= isOther;
    if (now - counted.at >= MINUTE || now < counted.at) {
      count(now, wasBlind || now - counted.at >= MINUTE + SHORTEST_PAUSE || now < counted.at);
      wasBlind = isOther;
    }
    const tickedAt = engine.tickedAt();
    return now - tickedAt >= SHORTEST_PAUSE ? Math.min(tickedAt, lateSince ?? tickedAt) : lateSince;
  };
};
