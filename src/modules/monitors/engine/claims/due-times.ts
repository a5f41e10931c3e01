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
/** The longest delay within a slot is this part of the interval. */
const VARIED = 5;
/**
 * The delay is a triangle wave over time. It changes by STEP / MOST of its range in each slot, so that about ten slots cover the
 * range. Within a slot it is interpolated in PARTS by the shift, so due times keep the order of ids, neighbours are written
 * together, and the rate of checks varies by 2 % only.
 */
const [MOST, STEP, PARTS] = [1001, 97, 1000];
const stepOf = (slot: number): number => Math.abs(MOST - ((slot * STEP) % (2 * MOST)));

const delayOf = (shift: number, interval: number, slot: number): number => {
  const part = Math.floor((shift * PARTS) / interval);
  const steps = stepOf(slot) * (PARTS - part) + stepOf(slot + 1) * part;
  return Math.floor((Math.floor(interval / VARIED) * steps) / (MOST * PARTS));
};

/** The first due time of a monitor after `time`. Milliseconds. */
export const nextTime = ({ id, interval }: { id: number; interval: number }, time: number): number => {
  const shift = (id * SPREAD) % interval;
  const slot = Math.floor((Math.floor(time) - shift) / interval);
  const startOf = (number: number) => number * interval + shift + delayOf(shift, interval, number);
  return startOf(slot) > time ? startOf(slot) : startOf(slot + 1);
};

/** The same of a monitor that a statement reads. `interval` is in milliseconds, its own unless given. */
export const nextTimeSql = (time: number, interval: SQL = sql`(${monitors.interval} * 1000)`): SQL => {
  const number = (value: number) => sql.raw(String(value));
  const at = sql.raw(`cast(${Math.floor(time)} as bigint)`);
  const shift = sql`((${monitors.id} * ${number(SPREAD)}) % ${interval})`;
  const slot = sql`((${at} - ${shift}) / ${interval})`;
  const part = sql`(${shift} * ${number(PARTS)} / ${interval})`;
  const steps = (further: number) =>
    sql`abs(${number(MOST)} - (${slot} + ${number(further)}) * ${number(STEP)} % ${number(2 * MOST)})`;
  const startOf = (further: number) => {
    const sum = sql`(${steps(further)} * (${number(PARTS)} - ${part}) + ${steps(further + 1)} * ${part})`;
    const delay = sql`(${interval} / ${number(VARIED)}) * ${sum} / ${number(MOST * PARTS)}`;
    return sql`((${slot} + ${number(further)}) * ${interval} + ${shift} + ${delay})`;
  };
  return sql`case when ${startOf(0)} > ${at} then ${startOf(0)} else ${startOf(1)} end`;
};

/** The longest time between two due times of a monitor. Milliseconds. */
export const longestPause = (interval: number): number => interval + Math.floor(interval / VARIED);
export const longestPauseSql = sql`${monitors.interval} * 1000 + ${monitors.interval} * 1000 / ${sql.raw(String(VARIED))}`;
