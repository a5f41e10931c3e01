/** A check. `slow`: it is up, but its answer took longer than the limit of its monitor. */
export type Beat = { status: string; slow?: boolean; timestamp?: string; response_time?: number | null };
type SlotState = "up" | "degraded" | "down" | "unknown" | "maintenance" | "empty";
export type Slot = { state: SlotState; beat?: Beat };

const stateOf = ({ status, slow }: Beat): SlotState => {
  if (status !== "up") return status === "down" ? status : "unknown";
  return slow ? "degraded" : status;
};

/** Marks each slot whose check started during maintenance, whether it passed or failed. */
export const markMaintenance = (slots: readonly Slot[], times: readonly { from: string; to: string }[]): Slot[] => {
  const spans = times.map(({ from, to }) => [Date.parse(from), Date.parse(to)] as const);
  return slots.map((slot) => {
    const at = Date.parse(slot.beat?.timestamp ?? "");
    const isInside = slot.state !== "unknown" && spans.some(([from, to]) => from <= at && at < to);
    return isInside ? { ...slot, state: "maintenance" } : slot;
  });
};

/** The latest `count` checks, or their states, as slots, oldest first; a shorter history is padded with empty slots on the left. */
export const toSlots = (history: readonly (Beat | string)[], count: number): Slot[] => {
  const beats = history.slice(-count).map((item): Slot => {
    const beat = typeof item === "string" ? { status: item } : item;
    return { state: stateOf(beat), beat };
  });
  const padding = Array.from({ length: count - beats.length }, (): Slot => ({ state: "empty" }));
  return [...padding, ...beats];
};

type Timed = { t: number };

/** The smallest positive interval between two points in ms, or 0. */
export const stepOf = (points: readonly Timed[]) => {
  const gaps = points.slice(1).map(({ t }, place) => t - (points[place]?.t ?? t));
  const real = gaps.filter((gap) => gap > 0);
  return real.length > 0 ? Math.min(...real) : 0;
};

/**
 * Inserts a null point in each gap of a series, so that the chart's line breaks where data is missing. An interval of up
 * to `tolerance` ms is never a gap, because reports do not arrive at exact intervals.
 */
export const withGaps = <P extends Timed>(points: readonly P[], tolerance = 0): { t: number; point: P | null }[] => {
  const step = stepOf(points);
  const limit = Math.max(step * 1.5, tolerance);
  return points.flatMap((point, place) => {
    const before = points[place - 1];
    const here = { t: point.t, point };
    return before && point.t - before.t > limit ? [{ t: before.t + step, point: null }, here] : [here];
  });
};

/** The time window of a chart in seconds: from the start of the range or of the data, whichever is later, to now; at least an hour. */
export const timeWindow = (points: readonly Timed[], days: number, now: number): [number, number] => {
  const first = points[0]?.t ?? now;
  return [Math.max(now - days * 86_400_000, Math.min(first, now - 3_600_000)) / 1000, now / 1000];
};
