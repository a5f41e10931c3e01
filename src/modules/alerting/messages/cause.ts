import type { CheckErrorCode } from "../../../shared/check-error";
import type { Language } from "../../../shared/language";
import type { OutageCause } from "../../../shared/notifications";
import { insertValues, sharedCauseText } from "../../../shared/outages/words";
import { clockTimeIn, MAX_ADDRESS, oneLine, percentIn, type Reader } from "./format";
import { WORDS } from "./words";

type SharedCause = Extract<OutageCause, { others: number }>;

/** The outages of one message that a cause explains: how many, whether they are all monitors on it, and how they fail. */
type Explained = { count: number; isAll: boolean; fail: string };

type CauseWords = {
  /** How many of the outages of one message have something in common; null for all. */
  shared: (cause: SharedCause, count: number | null) => string;
  /** The title of a message about outages that one silent server, or one host, explains. */
  server: (name: string, time: string, explained: Explained) => string;
  host: (value: string, explained: Explained) => string;
  /** How monitors of a machine that is down fail, by the codes of their errors; the first match of all counts. */
  fail: readonly (readonly [RegExp, string])[];
};

const CAUSE_WORDS: Record<Language, CauseWords> = {
  "en-US": {
    shared: ({ kind, value }, count) =>
      `Probably one cause: ${count ?? "all"} are ${kind === "shared_domain" ? "under" : "on"} ${oneLine(value, MAX_ADDRESS)}`,
    server: (name, time, { count, isAll, fail }) =>
      `Server ${name} is probably down: ${isAll ? "all " : ""}${count} monitors on it ${fail} and it has not reported since ${time}`,
    host: (value, { count, isAll, fail }) =>
      `${value} is probably down: ${isAll ? "all " : ""}${count} monitors on it ${fail}`,
    fail: [
      [/^timeout$/, "time out"],
      [/^(timeout|ping_lost|unreachable_\w+)$/, "cannot be reached"],
    ],
  },
  "zh-CN": {
    shared: ({ kind, value }, count) =>
      `可能是同一原因：${count === null ? "" : `其中 ${count} 个`}都在 ${oneLine(value, MAX_ADDRESS)} ${kind === "shared_domain" ? "下" : "上"}`,
    server: (name, time, { count, isAll, fail }) =>
      `服务器 ${name} 可能已宕机：其上 ${count} 个监控${isAll ? "全部" : ""}${fail}，且自 ${time} 起没有上报`,
    host: (value, { count, isAll, fail }) => `${value} 可能整机故障：其上 ${count} 个监控${isAll ? "全部" : ""}${fail}`,
    fail: [
      [/^timeout$/, "超时"],
      [/^(timeout|ping_lost|unreachable_\w+)$/, "无法到达"],
    ],
  },
};

/**
 * The title of a message about outages that have one cause: a server that does not report, or a host whose monitors are all
 * down as far as is known. Null for other causes, which are a line of the message, and where the machine answers.
 */
export const causeTitle = (
  cause: OutageCause,
  codes: readonly (CheckErrorCode | null)[],
  reader: Reader,
): string | null => {
  const words = CAUSE_WORDS[reader.language];
  const [, fail] = words.fail.find(([pattern]) => codes.every((code) => pattern.test(code ?? ""))) ?? [];
  if (fail === undefined) return null;
  const count = codes.length;
  const total = "total" in cause ? cause.total : undefined;
  const explained = { count, isAll: total !== undefined && count >= total, fail };
  if (cause.kind === "agent_silent")
    return words.server(oneLine(cause.name), clockTimeIn(reader, cause.at, "seconds"), explained);
  const isHost = cause.kind === "shared_address" || cause.kind === "shared_host";
  return isHost && (total ?? 0) <= count ? words.host(oneLine(cause.value, MAX_ADDRESS), explained) : null;
};

/** What probably explains `count` of the `total` outages of one message, as one line of it. */
export const sharedCauseLine = (cause: OutageCause, count: number, total: number, reader: Reader): string =>
  "others" in cause && count > 1
    ? CAUSE_WORDS[reader.language].shared(cause, count === total ? null : count)
    : causeLine(cause, reader);

/** What probably explains an outage, as one line of a message. */
export const causeLine = (cause: OutageCause, reader: Reader): string => {
  const { language } = reader;
  const { causes } = WORDS[language];
  if ("others" in cause) {
    const { kind, others, total, value } = cause;
    const text = causes[sharedCauseText(kind === "shared_domain", others, total)];
    return insertValues(text, { value: oneLine(value, MAX_ADDRESS), number: others + 1, total });
  }
  const server = oneLine(cause.name);
  if (cause.kind !== "agent_disk_full") {
    const time = clockTimeIn(reader, cause.at, cause.kind === "agent_silent" ? "seconds" : "minutes");
    return insertValues(causes[cause.kind], { server, time });
  }
  const disk = { mount: cause.mount ? oneLine(cause.mount) : undefined, figure: percentIn(language, cause.percent) };
  return insertValues(cause.mount ? causes.agent_disk_full : causes.disk, { server, ...disk });
};
