import type { Language } from "../../../shared/language";
import type { OutageCause } from "../../../shared/notifications";
import { clockTimeIn, MAX_ADDRESS, oneLine, percentIn, type Reader } from "./format";

type Words = {
  [Kind in OutageCause["kind"]]: (cause: Extract<OutageCause, { kind: Kind }>, reader: Reader) => string;
};

const moreIn = (others: number): string => (others === 1 ? "1 more is down" : `${others} more are down`);

const english: Words = {
  agent_silent: ({ name, at }, reader) => `Probably: server ${oneLine(name)}, silent since ${clockTimeIn(reader, at)}`,
  agent_rebooted: ({ name, at }, reader) =>
    `Probably: server ${oneLine(name)}, restarted at ${clockTimeIn(reader, at)}`,
  agent_disk_full: ({ name, mount, percent }, { language }) =>
    `Probably: server ${oneLine(name)}, disk${mount ? ` ${oneLine(mount)}` : ""} is ${percentIn(language, percent)} full`,
  shared_address: ({ value, others }) => `Probably one cause: ${moreIn(others)} on ${oneLine(value, MAX_ADDRESS)}`,
  shared_host: ({ value, others }) => `Probably one cause: ${moreIn(others)} on ${oneLine(value, MAX_ADDRESS)}`,
  shared_domain: ({ value, others }) => `Probably one cause: ${moreIn(others)} under ${oneLine(value, MAX_ADDRESS)}`,
};

const chinese: Words = {
  agent_silent: ({ name, at }, reader) => `可能原因：服务器 ${oneLine(name)} 自 ${clockTimeIn(reader, at)} 起没有上报`,
  agent_rebooted: ({ name, at }, reader) => `可能原因：服务器 ${oneLine(name)} 于 ${clockTimeIn(reader, at)} 重启`,
  agent_disk_full: ({ name, mount, percent }, { language }) =>
    `可能原因：服务器 ${oneLine(name)} 的磁盘${mount ? ` ${oneLine(mount)} ` : ""}已用 ${percentIn(language, percent)}`,
  shared_address: ({ value, others }) => `可能是同一原因：${oneLine(value, MAX_ADDRESS)} 上还有 ${others} 个监控故障`,
  shared_host: ({ value, others }) => `可能是同一原因：${oneLine(value, MAX_ADDRESS)} 上还有 ${others} 个监控故障`,
  shared_domain: ({ value, others }) => `可能是同一原因：${oneLine(value, MAX_ADDRESS)} 下还有 ${others} 个监控故障`,
};

const WORDS: Record<Language, Words> = { "en-US": english, "zh-CN": chinese };

type SharedCause = Extract<OutageCause, { others: number }>;

/** How many of the outages of one message have something in common; null for all. */
const SHARED_WORDS: Record<Language, (cause: SharedCause, count: number | null) => string> = {
  "en-US": ({ kind, value }, count) =>
    `Probably one cause: ${count ?? "all"} are ${kind === "shared_domain" ? "under" : "on"} ${oneLine(value, MAX_ADDRESS)}`,
  "zh-CN": ({ kind, value }, count) =>
    `可能是同一原因：${count === null ? "" : `其中 ${count} 个`}都在 ${oneLine(value, MAX_ADDRESS)} ${kind === "shared_domain" ? "下" : "上"}`,
};

/** What probably explains `count` of the `total` outages of one message, as one line of it. */
export const sharedCauseLine = (cause: OutageCause, count: number, total: number, reader: Reader): string =>
  "others" in cause && count > 1
    ? SHARED_WORDS[reader.language](cause, count === total ? null : count)
    : causeLine(cause, reader);

/** What probably explains an outage, as one line of a message. */
export const causeLine = (cause: OutageCause, reader: Reader): string => {
  const line = WORDS[reader.language][cause.kind] as (cause: OutageCause, reader: Reader) => string;
  return line(cause, reader);
};
