/**
 * The history in an Uptime Kuma database: sums of hours and days, which 2.x stores and 1.x does not, and outages from the
 * checks that changed a state, which both versions keep longest. Tables may have millions of rows, so they are read in the order of
 * their row ids, some at a time.
 */
import { DAY, HOUR, SECOND } from "../../../../shared/limits";
import type { Draft, HistoryOutage, HistoryPart, HistorySum } from "../source";
import { type ForeignDatabase, unreadable } from "../sqlite";
import { clean, type Fields, numberIn, textOf } from "../text";

/** Rows of one query. */
const CHUNK = 5000;
const MAX_TEXT = 200;

/** The time in a column of 1.x and 2.x, `2026-01-15 12:00:00.123` in UTC; null for anything else. */
const timeOf = (text: string): number | null => {
  const time = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)?/.exec(text)?.[0];
  const at = time === undefined ? Number.NaN : Date.parse(`${time.replace(" ", "T")}Z`);
  return Number.isFinite(at) ? at : null;
};

const has = ({ columnsOf }: ForeignDatabase, table: string, ...columns: string[]): boolean => {
  const existing = columnsOf(table);
  return columns.every((column) => existing.includes(column));
};

const STATS = ["monitor_id", "timestamp", "up", "down", "ping"];
const BEATS = ["monitor_id", "status", "time", "ping", "important", "msg"];
const EXTREMES = ["ping_min", "ping_max"];

/** Columns of the history that are read. */
export const HISTORY_TABLES = {
  stat_daily: [...STATS, ...EXTREMES],
  stat_hourly: [...STATS, ...EXTREMES],
  heartbeat: BEATS,
} as const;

/** When the history of a file begins; null without one. */
export const historyOf = (database: ForeignDatabase): Draft["history"] => {
  const first = (table: string, column: string): Fields =>
    database.query(`select ${column} as value from ${table} order by rowid limit 1`)[0] ?? {};
  if (has(database, "stat_daily", ...STATS)) {
    const seconds = numberIn(first("stat_daily", "timestamp"), "value");
    if (seconds !== null) return { from: seconds * SECOND };
  }
  if (!has(database, "heartbeat", ...BEATS)) return null;
  const at = timeOf(textOf(first("heartbeat", "time"), "value"));
  return at === null ? null : { from: at };
};

/** Spans of the row ids of a table from `after`, exclusive, to `last`. */
function* chunks(database: ForeignDatabase, table: string): Generator<[after: number, last: number]> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const [row = {}] = database.query(
      `select max(id) as last from (select rowid as id from ${table} where rowid > ? order by rowid limit ${CHUNK})`,
      after,
    );
    const last = numberIn(row, "last");
    if (last === null) return;
    // In a damaged table, row ids are in no order.
    if (last <= after) throw unreadable("its history is damaged");
    yield [after, last];
    after = last;
  }
}

const count = (row: Fields, name: string): number => Math.min(1e9, Math.max(0, Math.round(numberIn(row, name) ?? 0)));
const milliseconds = (row: Fields, name: string): number | null => {
  const value = numberIn(row, name);
  return value === null || value < 0 || value > 1e9 ? null : value;
};

/** A sum that 2.x stored. The average is over the checks that succeeded; 0 stands for none. */
const storedSum = (row: Fields, length: number): HistorySum => {
  const up = count(row, "up");
  const average = milliseconds(row, "ping");
  const answered = average ? up : 0;
  return {
    id: numberIn(row, "monitor_id") ?? 0,
    bucket: Math.floor(((numberIn(row, "timestamp") ?? 0) * SECOND) / length),
    up,
    down: count(row, "down"),
    answered,
    totalTime: answered * (average ?? 0),
    minTime: answered ? (milliseconds(row, "ping_min") ?? average) : null,
    maxTime: answered ? (milliseconds(row, "ping_max") ?? average) : null,
  };
};

function* storedSums(
  database: ForeignDatabase,
  table: "stat_daily" | "stat_hourly",
  ids: ReadonlySet<number>,
): Generator<HistorySum[]> {
  if (!has(database, table, ...STATS)) return;
  const extremes = has(database, table, ...EXTREMES) ? `, ${EXTREMES.join(", ")}` : "";
  const length = table === "stat_daily" ? DAY : HOUR;
  for (const [after, last] of chunks(database, table)) {
    const rows = database.query(
      `select ${STATS.join(", ")}${extremes} from ${table} where rowid > ? and rowid <= ?`,
      after,
      last,
    );
    yield rows.map((row) => storedSum(row, length)).filter(({ id, up, down }) => ids.has(id) && up + down > 0);
  }
}

/** Adds up sums of one bucket that are found in several places. */
const createBuckets = () => {
  const sums = new Map<string, HistorySum>();
  return {
    add: (sum: HistorySum): void => {
      const key = `${sum.id} ${sum.bucket}`;
      const before = sums.get(key);
      if (!before) return void sums.set(key, { ...sum });
      before.up += sum.up;
      before.down += sum.down;
      before.answered += sum.answered;
      before.totalTime += sum.totalTime;
      before.minTime = [before.minTime, sum.minTime].reduce((a, b) =>
        a === null ? b : b === null ? a : Math.min(a, b),
      );
      before.maxTime = [before.maxTime, sum.maxTime].reduce((a, b) =>
        a === null ? b : b === null ? a : Math.max(a, b),
      );
    },
    /** Removes and returns the sums of buckets before one. */
    take: (before: number): HistorySum[] => {
      const taken = [...sums].filter(([, { bucket }]) => bucket < before);
      for (const [key] of taken) sums.delete(key);
      return taken.map(([, sum]) => sum);
    },
  };
};

const hourlySum = (row: Fields): HistorySum | null => {
  const at = timeOf(`${textOf(row, "hour")}:00`);
  if (at === null) return null;
  const answered = count(row, "answered");
  return {
    id: numberIn(row, "id") ?? 0,
    bucket: Math.floor(at / HOUR),
    up: count(row, "up"),
    down: count(row, "down"),
    answered,
    totalTime: answered > 0 ? (numberIn(row, "total") ?? 0) : 0,
    minTime: milliseconds(row, "lowest"),
    maxTime: milliseconds(row, "highest"),
  };
};

/** Hours whose rows may still follow, because checks are stored nearly in the order of their times. */
const LATE_HOURS = 3;

const HOURS = `select monitor_id as id, substr(time, 1, 13) as hour, sum(status = 1) as up, sum(status in (0, 2)) as down,
  sum(iif(status = 1, ping, null)) as total, sum(status = 1 and ping is not null) as answered,
  min(iif(status = 1, ping, null)) as lowest, max(iif(status = 1, ping, null)) as highest,
  min(time) as first, max(time) as last from heartbeat where rowid > ? and rowid <= ? group by 1, 2`;
const CHANGES = `select monitor_id as id, status, time, substr(msg, 1, ${MAX_TEXT}) as msg from heartbeat
  where rowid > ? and rowid <= ? and important = 1 order by rowid`;

/** The outages of monitors from checks that changed a state. Pending and maintenance neither open nor end one. */
const createOutages = () => {
  const open = new Map<number, HistoryOutage>();
  return {
    /** Returns the outage that a change ends, if any. */
    next: (id: number, status: number | null, at: number, text: string): HistoryOutage[] => {
      const current = open.get(id);
      if (status === 0 && !current) open.set(id, { id, from: at, to: null, text });
      if (status !== 1 || !current) return [];
      open.delete(id);
      return [{ ...current, to: Math.max(at, current.from) }];
    },
    rest: (): HistoryOutage[] => [...open.values()],
  };
};

/** Reads the history of some monitors. */
export function* readHistory(database: ForeignDatabase, ids: ReadonlySet<number>): Generator<HistoryPart> {
  let isSummed = false;
  for (const days of storedSums(database, "stat_daily", ids)) {
    isSummed ||= days.length > 0;
    yield { days };
  }
  for (const hours of storedSums(database, "stat_hourly", ids)) yield { hours };
  if (!has(database, "heartbeat", ...BEATS)) return;
  const spans = new Map<number, { id: number; from: number; until: number }>();
  const [hours, days, changes] = [createBuckets(), createBuckets(), createOutages()];
  for (const [after, last] of chunks(database, "heartbeat")) {
    const part: HistoryPart = { outages: [] };
    let latest = 0;
    for (const row of database.query(HOURS, after, last)) {
      const sum = hourlySum(row);
      if (!sum || !ids.has(sum.id)) continue;
      const [from, until] = [timeOf(textOf(row, "first")), timeOf(textOf(row, "last"))];
      const known = spans.get(sum.id) ?? { id: sum.id, from: Number.POSITIVE_INFINITY, until: 0 };
      spans.set(sum.id, {
        id: sum.id,
        from: Math.min(known.from, from ?? known.from),
        until: Math.max(known.until, until ?? 0),
      });
      latest = Math.max(latest, sum.bucket);
      if (isSummed || sum.up + sum.down === 0) continue;
      hours.add(sum);
      days.add({ ...sum, bucket: Math.floor((sum.bucket * HOUR) / DAY) });
    }
    for (const row of database.query(CHANGES, after, last)) {
      const [id, at] = [numberIn(row, "id") ?? 0, timeOf(textOf(row, "time"))];
      if (at !== null && ids.has(id))
        part.outages?.push(...changes.next(id, numberIn(row, "status"), at, clean(row.msg, MAX_TEXT)));
    }
    yield { ...part, hours: hours.take(latest - LATE_HOURS) };
  }
  yield {
    hours: hours.take(Number.POSITIVE_INFINITY),
    days: days.take(Number.POSITIVE_INFINITY),
    outages: changes.rest(),
    spans: [...spans.values()].filter(({ from }) => Number.isFinite(from)),
  };
}
