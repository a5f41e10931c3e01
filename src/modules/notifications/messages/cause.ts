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

/** What probably explains an outage, as one line of a message. */
export const causeLine = (cause: OutageCause, reader: Reader): string => {
  const line = WORDS[reader.language][cause.kind] as (cause: OutageCause, reader: Reader) => string;
  return line(cause, reader);
};
