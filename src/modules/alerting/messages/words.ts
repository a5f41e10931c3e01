import type { Language } from "../../../shared/language";
import {
  type AlertFacts,
  type EventKind,
  isBroken,
  isClosing,
  type OutageKind,
  outageKindOf,
} from "../../../shared/notifications";
import type { HubGapReason } from "../../../shared/outages/unknown";
import type { CauseTexts, JobTexts, KindTexts, PhaseTexts } from "../../../shared/outages/words";
import {
  causes as EN_CAUSES,
  jobs as EN_JOBS,
  outageKinds as EN_KINDS,
  eventPhases as EN_PHASES,
} from "../../../shared/words/en-US/outages";
import {
  causes as ZH_CAUSES,
  jobs as ZH_JOBS,
  outageKinds as ZH_KINDS,
  eventPhases as ZH_PHASES,
} from "../../../shared/words/zh-CN/outages";

/** The sign of an open outage, in front of titles. */
export const openSign = (kind: OutageKind): string => (isBroken(kind) ? "🔴" : "🟠");
/** The sign of an event, in front of titles. */
export const signOf = (kind: EventKind): string => (isClosing(kind) ? "🟢" : openSign(outageKindOf(kind)));

type Counted = Omit<NonNullable<AlertFacts["gap"]>, "reason">;

/** The texts of a language. Names are inserted unescaped: the channel kind escapes them. */
type Words = {
  kinds: KindTexts;
  phases: PhaseTexts;
  causes: CauseTexts;
  jobs: JobTexts;
  /** The title of an event `slow` whose reason is lost packets. */
  losesPackets: string;
  /** That the machine of a server which does not report still works. */
  answering: (monitors: { total: number; up: number }) => string;
  /** The title about a server whose last report is not known. */
  offline: string;
  address: string;
  reason: string;
  /** Why the hub could know nothing. */
  gaps: Record<HubGapReason, string>;
  /** The monitors, heartbeats and servers that were not watched. */
  unwatched: (counts: Counted) => string;
  /** By how much a server's clock is wrong. */
  clock: Record<"ahead" | "behind", (duration: string) => string>;
  /** Some of several names, of `total` in all. */
  some: (names: readonly string[], total: number) => string;
  /** The targets that are, or were, down because of this one. */
  explained: Record<"open" | "ended", (names: string) => string>;
  test: { title: string; line: string; time: (time: string) => string };
  /** What marks a drill: in front of its title, and as its first line. */
  drill: { mark: string; line: string };
};

/** The texts of messages in all languages. */
export const WORDS: Record<Language, Words> = {
  "en-US": {
    kinds: EN_KINDS,
    phases: EN_PHASES,
    causes: EN_CAUSES,
    jobs: EN_JOBS,
    losesPackets: "{{name}} loses packets",
    answering: ({ total, up }) =>
      `${up < total ? `${up} of its ${total} monitors still answer` : up === 1 ? "Its monitor still answers" : `Its ${up} monitors still answer`}: probably the agent stopped, not the machine.`,
    offline: "Server {{name}} is offline",
    address: "Address: {{address}}",
    reason: "Reason: {{error}}",
    gaps: {
      hub_stopped: "Wakeful was not running",
      hub_offline: "Wakeful's own network was down",
      hub_overloaded: "the machine of Wakeful was paused or overloaded",
    },
    unwatched: ({ monitors, heartbeats, servers }) =>
      [
        ...(monitors > 0 ? [`${monitors} ${monitors === 1 ? "monitor" : "monitors"}`] : []),
        ...(heartbeats > 0 ? [`${heartbeats} ${heartbeats === 1 ? "heartbeat" : "heartbeats"}`] : []),
        ...(servers > 0 ? [`${servers} ${servers === 1 ? "server" : "servers"}`] : []),
      ].join(", "),
    clock: { ahead: (duration) => `${duration} ahead`, behind: (duration) => `${duration} behind` },
    some: (names, total) => `${names.join(", ")}${total > names.length ? ` … and ${total - names.length} more` : ""}`,
    explained: {
      open: (names) => `Also down because of it: ${names}`,
      ended: (names) => `These were down because of it: ${names}`,
    },
    test: {
      title: "✅ Wakeful test message",
      line: "If you can read this, alerts arrive here.",
      time: (time) => `Sent at ${time}`,
    },
    drill: { mark: "[Drill] ", line: "This is a drill: nothing has happened." },
  },
  "zh-CN": {
    kinds: ZH_KINDS,
    phases: ZH_PHASES,
    causes: ZH_CAUSES,
    jobs: ZH_JOBS,
    losesPackets: "{{name}} 丢包严重",
    answering: ({ total, up }) =>
      `${up < total ? `它的 ${total} 个监控中有 ${up} 个` : `它的 ${up} 个监控`}仍有响应，可能只是客户端停止运行，并非整机故障。`,
    offline: "服务器 {{name}} 已离线",
    address: "地址：{{address}}",
    reason: "原因：{{error}}",
    gaps: {
      hub_stopped: "控制台没有运行",
      hub_offline: "控制台自身网络中断",
      hub_overloaded: "控制台所在服务器暂停或过载",
    },
    unwatched: ({ monitors, heartbeats, servers }) =>
      [
        ...(monitors > 0 ? [`${monitors} 个监控`] : []),
        ...(heartbeats > 0 ? [`${heartbeats} 个心跳`] : []),
        ...(servers > 0 ? [`${servers} 台服务器`] : []),
      ].join("、"),
    clock: { ahead: (duration) => `快 ${duration}`, behind: (duration) => `慢 ${duration}` },
    some: (names, total) => `${names.join("、")}${total > names.length ? ` 等 ${total} 个` : ""}`,
    explained: {
      open: (names) => `受其影响同时故障：${names}`,
      ended: (names) => `期间受其影响：${names}`,
    },
    test: {
      title: "✅ Wakeful 测试消息",
      line: "看到这条消息，说明告警可以送达这里。",
      time: (time) => `发送时间：${time}`,
    },
    drill: { mark: "【演练】", line: "这是一次演练，没有发生故障。" },
  },
};
