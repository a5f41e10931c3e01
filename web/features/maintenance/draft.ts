/** The form of a window: its fields as they are typed, and the bodies of calls. */
import type { Weekday } from "../../../src/shared/alert-policy";
import { MINUTE } from "../../../src/shared/limits";
import { firstTimeOf, isTimeZone, wallTime } from "../../../src/shared/time-zone";
import type { MaintenanceWindow, ScheduleBody } from "./api";

/** The units of a length, in minutes. */
export const UNITS = { minutes: 1, hours: 60, days: 1440 } as const;
export type Unit = keyof typeof UNITS;

export type Draft = {
  kind: ScheduleBody["kind"];
  zone: string;
  /** Wall times of the zone, as inputs of the type datetime-local have them. */
  from: string;
  to: string;
  days: readonly Weekday[];
  weeks: number;
  anchor: string;
  /** The day of each month: by its number, the last one, or one of its weekdays. */
  by: "day" | "last" | "nth";
  day: string;
  nth: "1" | "2" | "3" | "4" | "last";
  weekday: Weekday;
  at: string;
  length: string;
  unit: Unit;
  cron: string;
};

/** A time as the wall time of a zone, YYYY-MM-DDTHH:MM. */
const toLocal = (time: number, zone: string): string => new Date(wallTime(zone, time)).toISOString().slice(0, 16);

/** The time of a wall time; null where it is incomplete or the zone unknown. */
const fromLocal = (local: string, zone: string): string | null => {
  const wall = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(local) ? Date.parse(`${local.slice(0, 16)}:00Z`) : Number.NaN;
  return Number.isFinite(wall) && isTimeZone(zone) ? new Date(firstTimeOf(zone, wall)).toISOString() : null;
};

/** Minutes in the largest unit that holds them without a rest. */
export const splitLength = (minutes: number): { length: string; unit: Unit } => {
  const units = Object.keys(UNITS).toReversed() as Unit[];
  const unit = units.find((one) => minutes >= UNITS[one] && minutes % UNITS[one] === 0) ?? "minutes";
  return { length: String(minutes / UNITS[unit]), unit };
};

const HOUR = 60 * MINUTE;

/** The form of a new window: tonight's next full hour, or each Sunday at 03:00. */
export const newDraft = (now: number, zone: string): Draft => {
  const from = Math.ceil(now / HOUR) * HOUR;
  return {
    ...{ kind: "once", zone, from: toLocal(from, zone), to: toLocal(from + HOUR, zone) },
    ...{ days: [7], weeks: 1, anchor: toLocal(now, zone).slice(0, 10) },
    ...{ by: "day", day: "1", nth: "1", weekday: 7, at: "03:00", ...splitLength(60), cron: "0 3 * * 7" },
  };
};

/** The form of a window as it is stored. */
export const draftOf = ({ schedule }: Pick<MaintenanceWindow, "schedule">, now: number, zone: string): Draft => {
  const fresh = newDraft(now, schedule.zone ?? zone);
  const { from, to, day, nth, weekday, minutes, days, ...rest } = schedule;
  const local = (time: string | undefined, otherwise: string) =>
    time === undefined ? otherwise : toLocal(Date.parse(time), fresh.zone);
  return {
    ...fresh,
    ...rest,
    from: local(from, fresh.from),
    to: local(to, fresh.to),
    days: (days as Weekday[] | undefined) ?? fresh.days,
    by: nth !== undefined ? "nth" : day === "last" ? "last" : "day",
    day: typeof day === "number" ? String(day) : fresh.day,
    nth: nth === undefined ? fresh.nth : (String(nth) as Draft["nth"]),
    weekday: (weekday as Weekday | undefined) ?? fresh.weekday,
    ...(minutes !== undefined && splitLength(minutes)),
  };
};

/** Fields of the form that are empty or unreadable, by their names in the API. */
type Missing = "from" | "to" | "days" | "anchor" | "at" | "minutes" | "cron" | "zone";

const numberOf = (text: string): number | null => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : null);

const dayOf = ({ by, day, nth, weekday }: Draft): Partial<ScheduleBody> => {
  if (by === "last") return { day: "last" };
  return by === "day" ? { day: Number(day) } : { nth: nth === "last" ? nth : Number(nth), weekday };
};

/** The schedule of a form as calls take it, or the fields that are missing. */
export const scheduleOf = (draft: Draft): { schedule: ScheduleBody } | { missing: Missing[] } => {
  const { kind, zone } = draft;
  const [from, to] = [fromLocal(draft.from, zone), fromLocal(draft.to, zone)];
  const count = numberOf(draft.length);
  const minutes = count === null || count === 0 ? null : count * UNITS[draft.unit];
  const missing: Missing[] = [];
  const need = (name: Missing, isThere: boolean) => isThere || missing.push(name);
  need("zone", isTimeZone(zone));
  if (kind === "once" || kind === "open") need("from", from !== null || !isTimeZone(zone));
  if (kind === "once") need("to", to !== null || !isTimeZone(zone));
  if (kind === "weekly") need("days", draft.days.length > 0);
  if (kind === "weekly" && draft.weeks > 1) need("anchor", draft.anchor !== "");
  if (kind === "weekly" || kind === "monthly") need("at", draft.at !== "");
  if (kind === "cron") need("cron", draft.cron.trim() !== "");
  if (kind !== "once" && kind !== "open") need("minutes", minutes !== null);
  if (missing.length > 0) return { missing };
  if (kind === "open") return { schedule: { kind, from: from ?? "" } };
  if (kind === "once") return { schedule: { kind, from: from ?? "", to: to ?? "" } };
  const times = { minutes: minutes ?? 0, zone };
  if (kind === "cron") return { schedule: { kind, cron: draft.cron.trim(), ...times } };
  if (kind === "monthly") return { schedule: { kind, ...dayOf(draft), at: draft.at, ...times } };
  const { weeks, anchor, at } = draft;
  return { schedule: { kind, days: [...draft.days], weeks, ...(weeks > 1 && { anchor }), at, ...times } };
};
