import type { Slot } from "../../lib/series";

/** The part of a bar's height that a response at the 95th percentile has: slower ones stand out above it. */
const AT_P95 = 0.75;
const SHORTEST = 0.25;
/** The height of a check without a response time. */
const UNKNOWN = 0.6;

const times = (slots: readonly Slot[]): number[] =>
  slots
    .flatMap(({ state, beat }) =>
      (state === "up" || state === "degraded") && typeof beat?.response_time === "number" ? [beat.response_time] : [],
    )
    .sort((a, b) => a - b);

/** The median response time of the successful checks, in ms; undefined if none is known. */
export const typicalTime = (slots: readonly Slot[]): number | undefined => {
  const responseTimes = times(slots);
  return responseTimes[Math.floor((responseTimes.length - 1) / 2)];
};

/**
 * The height of each slot as a part of the bar's: of a successful check its response time against the 95th percentile of
 * the bar, of a failed one all of it, of an empty slot 0.
 */
export const pulseHeights = (slots: readonly Slot[]): number[] => {
  const responseTimes = times(slots);
  const p95 = responseTimes[Math.ceil(responseTimes.length * 0.95) - 1] ?? 0;
  return slots.map(({ state, beat }) => {
    if (state === "empty") return 0;
    if (state === "down" || beat?.status === "down") return 1;
    const time = beat?.response_time;
    if (state === "unknown" || typeof time !== "number") return UNKNOWN;
    return p95 > 0 ? Math.min(1, Math.max(SHORTEST, (time / p95) * AT_P95)) : SHORTEST;
  });
};

/** The height of the drawing, whose width is the number of slots. */
export const PULSE_HEIGHT = 20;
/** The side space of a bar within its slot. */
const SIDE = 0.24;
/** From where up to where a check in maintenance is cut, near its foot. */
const FOOT = [0.12, 0.24] as const;
/** From where up to where a failed check is cut, so that its shape differs from a slow one. */
const NOTCH = [0.4, 0.56] as const;

const box = (place: number, from: number, to: number): string => {
  const top = Math.round((1 - to) * PULSE_HEIGHT * 100) / 100;
  const bottom = Math.round((1 - from) * PULSE_HEIGHT * 100) / 100;
  return `M${place + SIDE} ${bottom}V${top}H${place + 1 - SIDE}V${bottom}Z`;
};

/** The paths of a bar: one for the slots of each state, so that a long list has few elements. */
export const pulsePaths = (slots: readonly Slot[]): { state: Slot["state"]; d: string }[] => {
  const heights = pulseHeights(slots);
  const paths = new Map<Slot["state"], string>();
  slots.forEach(({ state, beat }, place) => {
    const [foot, start] = state === "maintenance" ? [box(place, 0, FOOT[0]), FOOT[1]] : ["", 0];
    const drawn =
      state === "empty"
        ? box(place, 0, 0.08)
        : beat?.status === "down"
          ? foot + box(place, start, NOTCH[0]) + box(place, NOTCH[1], 1)
          : foot + box(place, start, Math.max(start + 0.08, heights[place] ?? 0));
    paths.set(state, (paths.get(state) ?? "") + drawn);
  });
  return [...paths].map(([state, d]) => ({ state, d }));
};
