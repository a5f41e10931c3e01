import type { HistoryEvent } from "../api";

const HOUR = 3_600_000;
/** Events of one target that follow each other within this time may be folded. */
const GAP = HOUR;
/** The events from which on they are folded: twice down and up. */
const LEAST = 4;

/** Whether an event is the begin of something bad, not its end. */
export const isBad = (kind: string): boolean => kind === "down" || kind === "offline" || kind.endsWith("_high");

/** Events of the same target that follow from each other: those of its state, or those of one figure. */
const seriesOf = ({ kind, target }: HistoryEvent): string =>
  `${target.type} ${target.id} ${kind.includes("_") ? kind.split("_")[0] : "state"}`;

/** The newest event first. Several events are those of a target whose state changed back and forth. */
export type Entry = { events: [HistoryEvent, ...HistoryEvent[]]; isLatest: boolean };

/**
 * Folds what happened to a target repeatedly, each time within an hour, into one entry in the place of the newest event.
 * `events` are the newest first. `isLatest`: nothing newer is known of the same state or figure.
 */
export const foldEvents = (events: readonly HistoryEvent[]): Entry[] => {
  const open = new Map<string, [HistoryEvent, ...HistoryEvent[]]>();
  const runs = new Map<HistoryEvent, [HistoryEvent, ...HistoryEvent[]]>();
  const latest = new Set<HistoryEvent>();
  for (const event of events) {
    const series = seriesOf(event);
    const run = open.get(series);
    if (!run) latest.add(event);
    const before = run?.at(-1);
    if (run && before && Date.parse(before.at) - Date.parse(event.at) <= GAP) {
      run.push(event);
      runs.set(event, run);
    } else {
      const started: [HistoryEvent] = [event];
      open.set(series, started);
      runs.set(event, started);
    }
  }
  return events.flatMap((event): Entry[] => {
    const run = runs.get(event) ?? [event];
    const isLatest = latest.has(event);
    if (run.length < LEAST) return [{ events: [event], isLatest }];
    return run[0] === event ? [{ events: run, isLatest }] : [];
  });
};
