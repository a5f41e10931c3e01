/**
 * When maintenance windows are: pure functions of a window and a time. A start is a wall time in a zone, and a length is in
 * elapsed minutes. A start that the clock skips in spring is the moment after the gap; of two equal times in autumn it is the
 * first.
 */
import type { Interval } from "../../../../lib/intervals";
import { MINUTE } from "../../../../shared/limits";
import { WINDOW_LIMITS, type WindowSchedule } from "../../../../shared/outages/maintenance";
import { firstTimeOf, wallTime } from "../../../../shared/time-zone";
import { wallStarts } from "./wall-starts";

/** The longest occurrence. */
export const LONGEST = WINDOW_LIMITS.minutes * MINUTE;

type Window = {
  schedule: WindowSchedule;
  /** Before this, it has no occurrences. */
  validFrom: number;
  /** From then on, it has no occurrences; null while it recurs. */
  overAt: number | null;
  /** Each with its scheduled start: when occurrences were ended by a call. */
  ends: readonly (readonly [from: number, to: number])[];
};

/** The occurrences of a schedule that end after a time, the earliest first. */
function* scheduledAfter(schedule: WindowSchedule, time: number): Generator<Interval> {
  if (schedule.kind === "once" || schedule.kind === "open") {
    const to = schedule.kind === "once" ? schedule.to : schedule.from + LONGEST;
    if (to > time) yield { from: schedule.from, to };
    return;
  }
  const { zone, minutes } = schedule;
  const length = minutes * MINUTE;
  let last = Number.NEGATIVE_INFINITY;
  for (const wall of wallStarts(schedule, wallTime(zone, time - length))) {
    const from = firstTimeOf(zone, wall);
    // Several starts that the clock skips are one.
    if (from > last && from + length > time) yield { from, to: from + length };
    last = from;
  }
}

/** An occurrence: `scheduled` is its start by the schedule alone. */
type Occurrence = Interval & { scheduled: number };

/** The occurrences of a window that end after a time, the earliest first. */
function* occurrencesAfter({ schedule, validFrom, overAt, ends }: Window, time: number): Generator<Occurrence> {
  const endOf = new Map(ends);
  for (const { from, to } of scheduledAfter(schedule, Math.max(time, validFrom))) {
    if (overAt !== null && from >= overAt) return;
    const found = { from: Math.max(from, validFrom), to: Math.min(to, endOf.get(from) ?? to, overAt ?? to) };
    if (found.to > found.from && found.to > time) yield { ...found, scheduled: from };
  }
}

/** The occurrence at a time, or null. */
export const occurrence = (window: Window, time: number): Occurrence | null => {
  const [first] = occurrencesAfter(window, time);
  return first && first.from <= time ? first : null;
};

/** The first occurrence that starts after a time, or null. */
export const next = (window: Window, time: number): Occurrence | null => {
  for (const found of occurrencesAfter(window, time)) if (found.from > time) return found;
  return null;
};

/** The occurrences that overlap a span, the earliest first, at most `limit`. */
export const occurrencesBetween = (window: Window, { from, to }: Interval, limit = 1000): Occurrence[] => {
  const found: Occurrence[] = [];
  for (const one of occurrencesAfter(window, from)) {
    if (one.from >= to || found.length >= limit) break;
    found.push(one);
  }
  return found;
};
