import type { Language } from "../../../shared/language";
import type { ReportInterval } from "../../../shared/reports/schedule";
import type { Report } from "../report";

type Kind = Report["upcoming"][number]["kind"];

/** The texts of a report that is sent. Names are inserted unescaped: who renders them escapes them. */
export type Words = {
  /** `about`: the target or tag; empty for everything. */
  title: (period: string, about: string) => string;
  /** A week from its first to its last day. */
  week: (format: Intl.DateTimeFormat, from: number, to: number) => string;
  uptimeIs: (uptime: string) => string;
  nothingWatched: string;
  uptime: string;
  target: (percent: string, isMet: boolean) => string;
  left: (time: string) => string;
  over: (time: string) => string;
  before: Record<ReportInterval, (uptime: string) => string>;
  outages: string;
  times: (number: string) => string;
  none: string;
  down: (time: string) => string;
  longest: (time: string, name: string) => string;
  worst: string;
  worstDay: (date: string, time: string) => string;
  allUp: (targets: number) => string;
  upcoming: string;
  upcomingNone: string;
  ends: Record<Kind, (name: string, date: string) => string>;
  /** Of a quota that lasts until the end of its month. */
  used: (name: string, percent: string) => string;
  servers: string;
  peaks: Record<"cpu" | "memory" | "disk", (figure: string, name: string) => string>;
  responses: string;
  responseTimes: (p50: string, p95: string) => string;
  /** The first of several entries, of `total` in all. */
  some: (texts: readonly string[], total: number) => string;
  moreTargets: (count: number) => string;
  /** The separators of the parts of a line, and of parts with commas. */
  parts: string;
  lists: string;
  labelled: (label: string, text: string) => string;
  state: string;
  units: Record<"day" | "hour" | "minute" | "second", string>;
  columns: Record<"name" | "uptime" | "outages" | "down" | "p95", string>;
  longestOutages: string;
  since: (time: string) => string;
  lasted: (time: string) => string;
  foot: (zone: string, time: string) => string;
};

export const WORDS: Record<Language, Words> = {
  "en-US": {
    title: (period, about) => `${about || "Report"}, ${period}`,
    week: (format, from, to) => format.formatRange(from, to),
    uptimeIs: (uptime) => `uptime ${uptime}`,
    nothingWatched: "nothing was watched",
    uptime: "Uptime",
    target: (percent, isMet) => `target ${percent} ${isMet ? "met" : "missed"}`,
    left: (time) => `${time} left`,
    over: (time) => `${time} over`,
    before: {
      week: (uptime) => `the week before ${uptime}`,
      month: (uptime) => `the month before ${uptime}`,
    },
    outages: "Outages",
    times: (number) => number,
    none: "none",
    down: (time) => `down for ${time} in all`,
    longest: (time, name) => `longest ${time} (${name})`,
    worst: "Lowest uptime",
    worstDay: (date, time) => `worst day ${date} with ${time}`,
    allUp: (targets) => (targets === 1 ? "It was never down" : `None of the ${targets} was down`),
    upcoming: "Ends soon",
    upcomingNone: "Nothing ends in the next 60 days",
    ends: {
      certificate: (name, date) => `certificate of ${name} on ${date}`,
      domain: (name, date) => `domain of ${name} on ${date}`,
      contract: (name, date) => `contract of ${name} on ${date}`,
      traffic: (name, date) => `traffic quota of ${name} on ${date} at this rate`,
      disk: (name, date) => `disk space of ${name} on ${date} at this rate`,
    },
    used: (name, percent) => `traffic quota of ${name}, ${percent} used`,
    servers: "Servers",
    peaks: {
      cpu: (figure, name) => `CPU up to ${figure} (${name})`,
      memory: (figure, name) => `memory ${figure} (${name})`,
      disk: (figure, name) => `disk ${figure} (${name})`,
    },
    responses: "Response times",
    responseTimes: (p50, p95) => `median ${p50}, p95 ${p95}`,
    some: (texts, total) => texts.join(", ") + (total > texts.length ? ` and ${total - texts.length} more` : ""),
    moreTargets: (count) => `… and ${count} more in Wakeful.`,
    parts: ", ",
    lists: "; ",
    labelled: (label, text) => `${label}: ${text}`,
    state: "Report",
    units: { day: "d", hour: "h", minute: "min", second: "s" },
    columns: { name: "Name", uptime: "Uptime", outages: "Outages", down: "Down", p95: "p95" },
    longestOutages: "Outages that mattered",
    since: (time) => `since ${time}`,
    lasted: (time) => `for ${time}`,
    foot: (zone, time) => `Days in ${zone} · as of ${time}`,
  },
  "zh-CN": {
    title: (period, about) => (about ? `${about} ${period}报告` : `${period}报告`),
    week: (format, from, to) => `${format.format(from)}至${format.format(to).replace(/^\d+年/, "")}`,
    uptimeIs: (uptime) => `可用率 ${uptime}`,
    nothingWatched: "没有监测记录",
    uptime: "可用率",
    target: (percent, isMet) => `${isMet ? "达到" : "未达到"} ${percent} 目标`,
    left: (time) => `额度还剩 ${time}`,
    over: (time) => `超出 ${time}`,
    before: {
      week: (uptime) => `前一周 ${uptime}`,
      month: (uptime) => `前一个月 ${uptime}`,
    },
    outages: "故障",
    times: (number) => `${number} 次`,
    none: "无",
    down: (time) => `共中断 ${time}`,
    longest: (time, name) => `最长 ${time}（${name}）`,
    worst: "可用率最低",
    worstDay: (date, time) => `${date}中断最久，共 ${time}`,
    allUp: (targets) => (targets === 1 ? "没有中断过" : `${targets} 个均未中断`),
    upcoming: "即将到期",
    upcomingNone: "未来 60 天内没有到期事项",
    ends: {
      certificate: (name, date) => `${name} 的证书（${date}）`,
      domain: (name, date) => `${name} 的域名（${date}）`,
      contract: (name, date) => `${name} 的合约（${date}）`,
      traffic: (name, date) => `${name} 的流量（预计 ${date}用完）`,
      disk: (name, date) => `${name} 的磁盘（预计 ${date}写满）`,
    },
    used: (name, percent) => `${name} 的流量（已用 ${percent}）`,
    servers: "服务器",
    peaks: {
      cpu: (figure, name) => `CPU 最高 ${figure}（${name}）`,
      memory: (figure, name) => `内存 ${figure}（${name}）`,
      disk: (figure, name) => `磁盘 ${figure}（${name}）`,
    },
    responses: "响应时间",
    responseTimes: (p50, p95) => `中位数 ${p50}，p95 ${p95}`,
    some: (texts, total) => texts.join("、") + (total > texts.length ? ` 等 ${total} 项` : ""),
    moreTargets: (count) => `……其余 ${count} 个请在 Wakeful 中查看。`,
    parts: "，",
    lists: "；",
    labelled: (label, text) => `${label}：${text}`,
    state: "报告",
    units: { day: "天", hour: "小时", minute: "分钟", second: "秒" },
    columns: { name: "名称", uptime: "可用率", outages: "故障", down: "中断", p95: "p95" },
    longestOutages: "主要故障",
    since: (time) => `${time} 起`,
    lasted: (time) => `持续 ${time}`,
    foot: (zone, time) => `日期按 ${zone} 计算 · 截至 ${time}`,
  },
};
