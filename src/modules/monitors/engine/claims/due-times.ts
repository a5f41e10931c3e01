/**
 * When a monitor is due. Its time is divided into slots of one interval, shifted by its id, and each slot has one due time:
 * due times never drift, and monitors that were created together are not checked together. Within a slot the due time
 * varies by 10 % of the interval in both directions, so that a fault that recurs at a fixed time is not always missed. Both
 * claim engines compute the same times, in memory and in SQL.
 */
import { type SQL, sql } from "drizzle-orm";
import { monitors } from "../../../../db/schema";

/** Milliseconds between the slots of monitors with consecutive ids, whose rows are then written together. */
const SPREAD = 100;
/** Monitors with consecutive ids that vary alike, so that their rows are still written together. */
const GROUP = 50;
/** The longest delay within a slot is this part of the interval. */
const VARIED = 5;
/**
 * The delays are the multiples of STEP modulo STEPS: each occurs once in STEPS slots, and they differ from slot to slot by
 * the golden ratio, so that a few in a row are spread over all.
 */
const [STEPS, STEP, GROUP_STEP] = [1001, 619, 233];

const delayOf = (id: number, interval: number, slot: number): number => {
  const step = (Math.floor(id / GROUP) * GROUP_STEP + slot * STEP) % STEPS;
  return Math.floor((Math.floor(interval / VARIED) * step) / STEPS);
};

/** The first due time of a monitor after `time`. Milliseconds. */
export const nextTime = ({ id, interval }: { id: number; interval: number }, time: number): number => {
  const shift = (id * SPREAD) % interval;
  const slot = Math.floor((Math.floor(time) - shift) / interval);
  const startOf = (number: number) => number * interval + shift + delayOf(id, interval, number);
  return startOf(slot) > time ? startOf(slot) : startOf(slot + 1);
};

/** The same of a monitor that a statement reads. `interval` is in milliseconds, its own unless given. */
export const nextTimeSql = (time: number, interval: SQL = sql`(${monitors.interval} * 1000)`): SQL => {
  const number = (value: number) => sql.raw(String(value));
  const at = sql.raw(`cast(${Math.floor(time)} as bigint)`);
  const shift = sql`(${monitors.id} * ${number(SPREAD)}) % ${interval}`;
  const slot = sql`((${at} - ${shift}) / ${interval})`;
  const startOf = (further: number) => {
    const step = sql`((${monitors.id} / ${number(GROUP)}) * ${number(GROUP_STEP)} + (${slot} + ${number(further)}) * ${number(STEP)}) % ${number(STEPS)}`;
    const delay = sql`(${interval} / ${number(VARIED)}) * (${step}) / ${number(STEPS)}`;
    return sql`((${slot} + ${number(further)}) * ${interval} + ${shift} + ${delay})`;
  };
  return sql`case when ${startOf(0)} > ${at} then ${startOf(0)} else ${startOf(1)} end`;
};

/** The longest time between two due times of a monitor. Milliseconds. */
export const longestPause = (interval: number): number => interval + Math.floor(interval / VARIED);
export const longestPauseSql = sql`${monitors.interval} * 1000 + ${monitors.interval} * 1000 / ${sql.raw(String(VARIED))}`;
