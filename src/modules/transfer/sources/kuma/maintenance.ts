/** Maintenance of Uptime Kuma: each becomes a window, or one for each day of the month that it names. */
import { DAY, MINUTE } from "../../../../shared/limits";
import { WINDOW_LIMITS } from "../../../../shared/outages/maintenance";
import { firstTimeOf, isTimeZone, wallTime } from "../../../../shared/time-zone";
import type { Item, Note } from "../source";
import { clean, type Fields, flagIn, jsonIn, note, numberIn, textOf } from "../text";
import type { KumaRows } from "./rows";

type Mapped = { schedules: (Record<string, unknown> & { of?: string })[]; notes: Note[] };

const skipped = (code: Note["code"], detail: unknown = ""): Mapped => ({ schedules: [], notes: [note(code, detail)] });

/** A setting is stored as JSON, or as text in old versions. */
const settingOf = ({ setting }: KumaRows, key: string): string => {
  const row = setting.find((one) => textOf(one, "key") === key);
  return row ? textOf(row, "value").replace(/^"|"$/g, "") : "";
};

/** The time zone of a row, and a note where it is neither in the row nor in the settings of its server. */
const zoneOf = (rows: KumaRows, row: Fields): { zone: string; notes: Note[] } => {
  const own = textOf(row, "timezone");
  const sent = own === "" || own === "SAME_AS_SERVER" ? settingOf(rows, "serverTimezone") : own;
  return isTimeZone(sent) ? { zone: sent, notes: [] } : { zone: "UTC", notes: [note("zone_unknown")] };
};

/** A date with its time, as wall time; null for anything else. */
const wallOf = (value: string): number | null => {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d))?/.exec(value) ?? [];
  const wall = Date.parse(`${date}T${time ?? "00:00"}:00Z`);
  return date !== undefined && Number.isFinite(wall) ? wall : null;
};

/** HH:MM of a time, which some versions store with seconds. */
const timeOf = (row: Fields, name: string): string | null =>
  /^([01]\d|2[0-3]):[0-5]\d/.exec(textOf(row, name))?.[0] ?? null;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** The start and length of each day. An end before the start is on the next day. */
const dailyTimes = (row: Fields): { at: string; minutes: number } | null => {
  const [at, end] = [timeOf(row, "start_time"), timeOf(row, "end_time")];
  if (at === null || end === null) return null;
  const minutes = minutesOf(end) - minutesOf(at);
  return { at, minutes: minutes > 0 ? minutes : minutes + 1440 };
};

const listIn = (row: Fields, name: string): unknown[] => {
  const sent = jsonIn(row, name);
  return Array.isArray(sent) ? sent : [];
};

const recurring = (row: Fields, zone: string): Mapped => {
  const times = dailyTimes(row);
  if (!times) return skipped("invalid", "start_time, end_time");
  const all = { ...times, zone };
  switch (textOf(row, "strategy")) {
    case "recurring-interval": {
      const every = numberIn(row, "interval_day") ?? 1;
      const from = wallOf(textOf(row, "start_date"));
      if (every === 1) return { schedules: [{ kind: "weekly", days: [1, 2, 3, 4, 5, 6, 7], ...all }], notes: [] };
      if (from === null || every % 7 !== 0 || every / 7 > WINDOW_LIMITS.weeks)
        return skipped("schedule_unsupported", `${every} d`);
      const day = new Date(from).getUTCDay() || 7;
      const anchor = new Date(from).toISOString().slice(0, 10);
      return { schedules: [{ kind: "weekly", days: [day], weeks: every / 7, anchor, ...all }], notes: [] };
    }
    case "recurring-weekday": {
      const days = [...new Set(listIn(row, "weekdays").map((day) => Number(day) || 7))].sort();
      return { schedules: [{ kind: "weekly", days, ...all }], notes: [] };
    }
    default: {
      const days = new Set(listIn(row, "days_of_month").map((day) => numberIn({ day }, "day") ?? clean(day, 20)));
      const taken = [...days].filter((day) => typeof day === "number" || day === "lastDay1");
      const left = [...days].filter((day) => typeof day === "string" && day !== "lastDay1");
      return {
        schedules: taken.map((day) => ({
          ...{ kind: "monthly", day: day === "lastDay1" ? "last" : day, ...all, of: String(day) },
        })),
        notes: left.length > 0 || taken.length === 0 ? [note("schedule_unsupported", left.join(", "))] : [],
      };
    }
  }
};

const once = (row: Fields, zone: string, now: number): Mapped => {
  const [from, to] = [wallOf(textOf(row, "start_date")), wallOf(textOf(row, "end_date"))];
  if (from === null || to === null) return skipped("invalid", "start_date, end_date");
  const end = firstTimeOf(zone, to);
  if (end <= now) return skipped("window_over");
  const times = { from: new Date(firstTimeOf(zone, from)).toISOString(), to: new Date(end).toISOString() };
  return { schedules: [{ kind: "once", ...times }], notes: [] };
};

const mapSchedule = (row: Fields, zone: string, now: number): Mapped => {
  const strategy = textOf(row, "strategy") || "single";
  if (strategy === "single") return once(row, zone, now);
  if (strategy === "manual") {
    const from = new Date(Math.floor(now / DAY) * DAY).toISOString();
    return { schedules: [{ kind: "open", from }], notes: [note("window_open")] };
  }
  const until = wallOf(textOf(row, "end_date"));
  if (until !== null && until <= wallTime(zone, now)) return skipped("window_over");
  const mapped =
    strategy === "cron"
      ? {
          schedules: [
            {
              ...{ kind: "cron", cron: textOf(row, "cron").trim(), zone },
              minutes: Math.ceil(((numberIn(row, "duration") ?? 0) * 1000) / MINUTE),
            },
          ],
          notes: [],
        }
      : /^recurring-(interval|weekday|day-of-month)$/.test(strategy)
        ? recurring(row, zone)
        : skipped("schedule_unsupported", strategy);
  return until === null ? mapped : { ...mapped, notes: [...mapped.notes, note("field_left_out", "end_date")] };
};

/** The ids and tags of the monitors of a row: a group is a tag here. */
const targetsOf = ({ monitor_maintenance }: KumaRows, id: number | null, monitors: readonly Item[]) => {
  const linked = new Set(
    monitor_maintenance
      .filter((row) => numberIn(row, "maintenance_id") === id)
      .map((row) => `monitor:${numberIn(row, "monitor_id")}`),
  );
  const own = monitors.filter(({ externalId }) => linked.has(externalId));
  return {
    monitors: own.flatMap(({ content }) => content?.id ?? []).slice(0, WINDOW_LIMITS.targets),
    tags: own.flatMap(({ notes }) => notes.filter(({ code }) => code === "group_as_tag").map(({ detail }) => detail)),
  };
};

/** The windows of a file, about the monitors of these items. */
export const maintenanceItems = (rows: KumaRows, monitors: readonly Item[], now: number): Item[] =>
  rows.maintenance.flatMap((row): Item[] => {
    const id = numberIn(row, "id");
    const title = clean(row.title, WINDOW_LIMITS.title);
    const item = {
      ...{ part: "windows" as const, externalId: `maintenance:${id}`, name: title || "maintenance" },
      kind: clean(row.strategy, 50) || "maintenance",
    };
    if (row.active !== undefined && row.active !== null && !flagIn(row, "active"))
      return [{ ...item, content: null, notes: [note("window_inactive")] }];
    const { zone, notes: zoneNotes } = zoneOf(rows, row);
    const { schedules, notes } = mapSchedule(row, zone, now);
    if (schedules.length === 0) return [{ ...item, content: null, notes }];
    const targets = targetsOf(rows, id, monitors);
    if (targets.monitors.length + targets.tags.length === 0)
      return [{ ...item, content: null, notes: [note("parent_left_out")] }];
    return schedules.map(({ of, ...schedule }) => ({
      ...item,
      externalId: of === undefined || schedules.length === 1 ? item.externalId : `${item.externalId}:${of}`,
      content: { title, ...targets, schedule },
      notes: [...(schedule.kind === "open" ? [] : zoneNotes), ...notes],
    }));
  });
