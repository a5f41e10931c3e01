import type { agentStates } from "../../../db/schema";
import type { Sample, TrafficCounters } from "../../../shared/agents/report";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { dayIn } from "../../../shared/time-zone";

export type TrafficState = NonNullable<(typeof agentStates.$inferSelect)["traffic"]>;
export type Bytes = [rx: number, tx: number];

/** The counter of a machine whose counters are 32 bits wide returns to zero here. */
const WRAP = 2 ** 32;
/** Interfaces that a report does not have, whose counters are kept in case they return. */
const ABSENT_KEPT = 32;
/** Sums end here, where numbers are no longer exact; no server gets near it. */
const MOST_BYTES = Number.MAX_SAFE_INTEGER;
/** How far ahead and behind the clock of the hub a sample may be. */
const [AHEAD, BEHIND] = [5 * MINUTE, 48 * HOUR];

const add = (one: number, other: number): number => Math.min(MOST_BYTES, Math.round(one + other));
export const addBytes = ([rx, tx]: Bytes, [moreRx, moreTx]: Bytes): Bytes => [add(rx, moreRx), add(tx, moreTx)];

/** The growth of a counter since it was last read, within one start of the machine. */
const difference = (before: number, now: number, wraps: boolean): number => {
  if (now >= before) return now - before;
  // The interface was created again, or its counter returned to zero.
  return wraps && before < WRAP ? now + WRAP - before : now;
};

/** Counters of other starts, and for how long they are kept. */
const [OTHERS_KEPT, OTHERS_KEPT_FOR] = [2, DAY];

type Counted = { at: number; counters: TrafficCounters };

/** The counters to compare a start with: the latest of the same start, which may be another machine's. */
const countersOf = (
  { boot, counters, others = [] }: TrafficState,
  wanted: string,
): Record<string, Bytes> | undefined =>
  boot === wanted ? counters : others.find((one) => one.boot === wanted)?.counters;

/** The bytes between a state and newer counters, with the counters to compare the next ones with. */
const compare = (state: TrafficState, { boot, interfaces, wraps = false }: TrafficCounters) => {
  const previous = countersOf(state, boot);
  // Names come from machines: a Map has no names of its own.
  const before = new Map<string, Bytes>(Object.entries(previous ?? state.counters));
  let bytes: Bytes = [0, 0];
  for (const [name, [rx, tx]] of Object.entries(interfaces)) {
    const last = before.get(name);
    before.delete(name);
    if (!previous) bytes = addBytes(bytes, [rx, tx]);
    // An interface that is seen for the first time begins to be counted.
    else if (last) bytes = addBytes(bytes, [difference(last[0], rx, wraps), difference(last[1], tx, wraps)]);
  }
  // The latest ones that are absent. After a restart they count from zero.
  const absent = [...before].slice(-ABSENT_KEPT).map(([name, last]) => [name, previous ? last : [0, 0]]);
  return { bytes, counters: Object.fromEntries([...absent, ...Object.entries(interfaces)]) as Record<string, Bytes> };
};

/** The counters of other starts after a sample. */
const othersOf = ({ at: before, boot, counters, others = [] }: TrafficState, { at, counters: sent }: Counted) => {
  const all = boot === sent.boot ? others : [{ at: before, boot, counters }, ...others];
  const otherBoots = all.filter((one) => one.boot !== sent.boot && at - one.at < OTHERS_KEPT_FOR).slice(0, OTHERS_KEPT);
  return otherBoots.length > 0 ? { others: otherBoots } : {};
};

const countOne = (state: TrafficState | null, counted: Counted, zone: string): TrafficState => {
  const { at, counters: sent } = counted;
  // Traffic before the first sample is unknown.
  if (!state) return { at, revision: 0, boot: sent.boot, counters: sent.interfaces, days: {} };
  const { bytes, counters } = compare(state, sent);
  const day = dayIn(zone, at);
  const days =
    bytes[0] + bytes[1] > 0 ? { ...state.days, [day]: addBytes(state.days[day] ?? [0, 0], bytes) } : state.days;
  const { others: _, ...rest } = state;
  return { ...rest, at, boot: sent.boot, counters, ...othersOf(state, counted), days };
};

/**
 * Adds the traffic of samples to a state: the growth of the counters since the previous sample. Samples without counters, from
 * a wrong clock, or not newer than the state change nothing, so a report may be repeated. Days are in a time zone.
 */
export const countTraffic = (
  state: TrafficState | null,
  samples: readonly Pick<Sample, "at" | "traffic">[],
  zone: string,
  now: number,
): TrafficState | null => {
  const sent = samples
    .flatMap(({ at, traffic }) => (traffic ? [{ at: Date.parse(at), counters: traffic }] : []))
    .filter(({ at }) => at <= now + AHEAD && at >= now - BEHIND)
    .sort((a, b) => a.at - b.at);
  // A state from the future was stored before the clock of the hub was set back: the next sample continues it.
  let last = state && state.at <= now + AHEAD ? state.at : Number.NEGATIVE_INFINITY;
  let counted = state;
  for (const one of sent) {
    if (one.at <= last) continue;
    counted = countOne(counted, one, zone);
    last = one.at;
  }
  return counted === state || !counted ? state : { ...counted, revision: counted.revision + 1 };
};
