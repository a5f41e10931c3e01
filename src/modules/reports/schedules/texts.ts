/** The parts of a report as texts, in the language of its reader and the time zone of its days. */
import { checkErrorText, storedError } from "../../../shared/check-error";
import { dateTimeFormat, numberFormat } from "../../../shared/language";
import { DAY, HOUR, MINUTE, SECOND } from "../../../shared/limits";
import type { ReportFacts } from "../../../shared/notifications";
import { bytesIn, dateIn, oneLine, percentIn, type Reader } from "../../alerting/messages/format";
import type { Report } from "../report";
import { WORDS, type Words } from "./words";

type Row = Report["rows"][number];
type Figures = Pick<Report["totals"], "uptime" | "target">;

/** Names of one line, and characters of a name in it. */
const [NAMES, MAX_NAME] = [3, 40];

const UNITS = [
  ["day", DAY / SECOND],
  ["hour", HOUR / SECOND],
  ["minute", MINUTE / SECOND],
  ["second", 1],
] as const;

/** Seconds as their two largest units, seconds only below a minute, as the screen of reports has them: "2 h 46 min". */
const elapsed = (seconds: number, words: Words["units"]): string => {
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  const [[unit, size] = UNITS[3], next] = first === -1 ? [] : UNITS.slice(first);
  const rest = next && next[0] !== "second" ? Math.floor((seconds % size) / next[1]) : 0;
  const parts = [`${Math.floor(seconds / size)} ${words[unit]}`];
  return (next && rest > 0 ? [...parts, `${rest} ${words[next[0]]}`] : parts).join(" ");
};

/** Writes the figures of a report. */
export const createTexts = (
  report: Report,
  { every, zone }: Pick<ReportFacts, "every" | "zone">,
  { language }: Reader,
) => {
  const words = WORDS[language];
  const number = (value: number, digits = 0) => numberFormat(language, { maximumFractionDigits: digits }).format(value);
  const name = (text: string) => oneLine(text, MAX_NAME);
  const date = (time: string | number) => dateIn({ language, timeZone: zone }, new Date(time).getTime());
  /** Only what has no outage has 100 %. */
  const uptime = (percent: number | null): string =>
    percent === null
      ? "–"
      : `${numberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(percent < 100 ? Math.min(99.99, percent) : 100)}%`;
  const duration = (seconds: number) => elapsed(seconds, words.units);
  const milliseconds = (value: number | null) => (value === null ? "–" : `${number(value, value < 10 ? 1 : 0)} ms`);
  const target = ({ uptime: known, target }: Figures): string[] => {
    if (!target || known === null) return [];
    const { percent, met, left_seconds: left } = target;
    const rest = Math.abs(left) < 1 ? [] : [left < 0 ? words.over(duration(-left)) : words.left(duration(left))];
    return [words.target(`${number(percent, 3)}%`, met), ...rest];
  };
  const join = (parts: readonly string[]) => parts.join(words.parts);
  const some = (texts: readonly string[]) => words.some(texts.slice(0, NAMES), texts.length);
  const period = (): string => {
    const [from, to] = [Date.parse(report.from), Date.parse(report.to) - 1];
    if (every === "month")
      return dateTimeFormat(language, { month: "long", year: "numeric", timeZone: zone }).format(from);
    return words.week(dateTimeFormat(language, { dateStyle: "medium", timeZone: zone }), from, to);
  };
  const upcoming = ({ kind, target_name, at, percent, exhausted_at }: Report["upcoming"][number]): string =>
    kind === "traffic" && exhausted_at === null
      ? words.used(name(target_name), percentIn(language, percent ?? 0))
      : words.ends[kind](name(target_name), date(exhausted_at ?? at));
  const reason = ({ error_code: errorCode, error_detail: errorDetail }: Report["outages"][number]): string => {
    const error = storedError({ errorCode, errorDetail });
    return error ? oneLine(checkErrorText(error, language)) : "";
  };
  return {
    words,
    before: words.before[every],
    number,
    name,
    date,
    uptime,
    duration,
    milliseconds,
    target,
    join,
    some,
    period,
    upcoming,
    reason,
  };
};
export type Texts = ReturnType<typeof createTexts>;

/** The highest of a figure of servers, with the name of the server. */
const highest = (rows: readonly Row[], figure: "cpu" | "memory" | "disk"): { value: number; name: string } | null =>
  rows.reduce<{ value: number; name: string } | null>((most, { peaks, target_name }) => {
    const value = peaks?.[figure] ?? null;
    return value !== null && value > (most?.value ?? -1) ? { value, name: target_name } : most;
  }, null);

/** The last line of a message: the peaks and the traffic of servers, or else response times. */
const lastLine = (
  { rows, totals }: Report,
  { words, join, name, milliseconds }: Texts,
  { language }: Reader,
): string => {
  const peaks = (["cpu", "memory", "disk"] as const).flatMap((figure) => {
    const most = highest(rows, figure);
    return most ? [words.peaks[figure](percentIn(language, most.value), name(most.name))] : [];
  });
  const sum = (way: "rx" | "tx") => rows.reduce((all, { traffic }) => all + (traffic?.[way] ?? 0), 0);
  const [rx, tx] = [sum("rx"), sum("tx")];
  const traffic = rx + tx > 0 ? [`↓ ${bytesIn(language, rx)} ↑ ${bytesIn(language, tx)}`] : [];
  if (peaks.length + traffic.length > 0) return words.labelled(words.servers, join([...peaks, ...traffic]));
  return words.labelled(
    words.responses,
    totals.p50 === null ? "–" : words.responseTimes(milliseconds(totals.p50), milliseconds(totals.p95)),
  );
};

/** The five lines of a message about a report. */
export const linesOf = (report: Report, texts: Texts, reader: Reader): string[] => {
  const { words, number, name, date, uptime, duration, target, join, some, upcoming } = texts;
  const { totals, targets, rows, outages } = report;
  const [longest] = outages;
  const worst = rows.filter(({ down_seconds }) => down_seconds > 0);
  const day = totals.worst_day;
  // Noon of the date is on this date in every time zone.
  const worstDay = day ? [words.worstDay(date(`${day.date}T12:00:00Z`), duration(day.down_seconds))] : [];
  return [
    words.labelled(
      words.uptime,
      targets.watched === 0
        ? words.nothingWatched
        : join([
            uptime(totals.uptime),
            ...target(totals),
            ...(totals.before.uptime === null ? [] : [texts.before(uptime(totals.before.uptime))]),
          ]),
    ),
    words.labelled(
      words.outages,
      totals.outages === 0
        ? words.none
        : join([
            words.times(number(totals.outages)),
            words.down(duration(totals.down_seconds)),
            ...(longest ? [words.longest(duration(longest.seconds), name(longest.target_name))] : []),
          ]),
    ),
    worst.length === 0
      ? words.allUp(targets.counted)
      : words.labelled(
          words.worst,
          [some(worst.map((row) => `${name(row.target_name)} ${uptime(row.uptime)}`)), ...worstDay].join(words.lists),
        ),
    report.upcoming.length === 0
      ? words.upcomingNone
      : words.labelled(words.upcoming, some(report.upcoming.map(upcoming))),
    lastLine(report, texts, reader),
  ];
};
