import type { QuietHours, Weekday } from "../../../../shared/alert-policy";
import { DAY, HOUR, MINUTE } from "../../../../shared/limits";
import { wallTime } from "../../../../shared/time-zone";

const toMinute = (time: number): number => Math.floor(time / MINUTE) * MINUTE;
const offsetAt = (timeZone: string, time: number): number => wallTime(timeZone, time) - toMinute(time);

/** Milliseconds since midnight. */
const parse = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * HOUR + minutes * MINUTE;
};

/** 1 January 1970 was a Thursday. */
const weekdayOf = (day: number): Weekday => (((((day + 3) % 7) + 7) % 7) + 1) as Weekday;

/** Whether a wall time lies in quiet hours. */
const isQuiet = ({ days, from, to }: QuietHours, wall: number): boolean => {
  const day = Math.floor(wall / DAY);
  const [time, start, end] = [wall - day * DAY, parse(from), parse(to)];
  const startsOn = (one: number) => days.includes(weekdayOf(one));
  if (start < end) return startsOn(day) && time >= start && time < end;
  return (startsOn(day) && time >= start) || (startsOn(day - 1) && time < end);
};

/** The first minute after `from`, up to `to`, with another offset of the zone from UTC. */
const changeBetween = (timeZone: string, from: number, to: number): number => {
  const before = offsetAt(timeZone, from);
  let [low, high] = [toMinute(from), to];
  while (high - low > MINUTE) {
    const middle = toMinute((low + high) / 2);
    if (offsetAt(timeZone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
};

/** Hours that follow each other without a gap end after this many days at the latest: nothing is held for ever. */
const MAX_DAYS = 8;

/**
 * End of the quiet hours that contain `time`, or null. They are wall times: a clock change shortens or lengthens them.
 */
export const quietEnd = (quiet: QuietHours, time: number): number | null => {
  const { timeZone } = quiet;
  if (!isQuiet(quiet, wallTime(timeZone, time))) return null;
  let at = time;
  while (at < time + MAX_DAYS * DAY) {
    // Quiet hours end at their wall time, or where the clock is changed.
    const offset = offsetAt(timeZone, at);
    const rest = (parse(quiet.to) - ((toMinute(at) + offset) % DAY) + DAY) % DAY || DAY;
    const end = toMinute(at) + rest;
    at = offsetAt(timeZone, end) === offset ? end : changeBetween(timeZone, at, end);
    if (!isQuiet(quiet, wallTime(timeZone, at))) return at;
  }
  return at;
};
