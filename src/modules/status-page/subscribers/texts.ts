/** The words of mails to subscribers. */
import type { Language } from "../../../shared/language";
import type { ComponentStatus } from "../../../shared/status/components";
import type { IncidentStatus } from "../../../shared/status/incidents";
import type { WindowStage } from "../../../shared/status/subscribers";

type Words = {
  /** The name of a page without a title. */
  untitled: string;
  confirm: { subject: (page: string) => string; lines: (page: string) => string[]; button: string };
  manage: { subject: (page: string) => string; lines: (page: string) => string[]; button: string };
  subject: (page: string, state: string, title: string) => string;
  incident: Record<IncidentStatus, string>;
  stage: Record<WindowStage, string>;
  component: Record<ComponentStatus, string>;
  maintenance: string;
  affects: string;
  separator: string;
  /** A component with its state. */
  stated: (name: string, state: string) => string;
  /** Between the name of a component and its state. */
  colon: string;
  from: (start: string, end: string) => string;
  openIncident: string;
  openPage: string;
  /** The word above the title of a mail about the subscription. */
  subscription: string;
  foot: (page: string) => string;
  unsubscribe: string;
};

const ENGLISH: Words = {
  untitled: "Service status",
  confirm: {
    subject: (page) => `Confirm your subscription to ${page}`,
    lines: (page) => [
      `This address was entered to get updates about incidents and scheduled maintenance of ${page}.`,
      "Confirm it within 24 hours. If it was not you, ignore this mail: nothing else will be sent.",
    ],
    button: "Confirm subscription",
  },
  manage: {
    subject: (page) => `Your subscription to ${page}`,
    lines: (page) => [
      `This address was entered again to get updates about ${page}. It is subscribed already, so nothing has changed.`,
      "Below you can choose what you get, or unsubscribe.",
    ],
    button: "Manage subscription",
  },
  subject: (page, state, title) => `[${page}] ${state}: ${title}`,
  incident: {
    investigating: "Investigating",
    identified: "Identified",
    monitoring: "Monitoring",
    resolved: "Resolved",
  },
  stage: {
    scheduled: "Scheduled maintenance",
    changed: "Maintenance time changed",
    cancelled: "Maintenance cancelled",
    started: "Maintenance started",
    ended: "Maintenance completed",
  },
  component: {
    operational: "operational",
    under_maintenance: "under maintenance",
    degraded_performance: "degraded performance",
    partial_outage: "partial outage",
    major_outage: "major outage",
  },
  maintenance: "Maintenance",
  affects: "Affects: ",
  separator: ", ",
  stated: (name, state) => `${name} (${state})`,
  colon: ": ",
  from: (start, end) => `From ${start} to ${end}.`,
  openIncident: "View incident",
  openPage: "View status page",
  subscription: "Subscription",
  foot: (page) => `You get this mail because you subscribed to ${page}.`,
  unsubscribe: "Unsubscribe or choose components",
};

const CHINESE: Words = {
  untitled: "服务状态",
  confirm: {
    subject: (page) => `请确认订阅：${page}`,
    lines: (page) => [
      `有人使用此邮箱订阅了“${page}”的事件和计划维护通知。`,
      "请在 24 小时内确认。如果不是您本人操作，忽略本邮件即可，不会再收到其他邮件。",
    ],
    button: "确认订阅",
  },
  manage: {
    subject: (page) => `您的订阅：${page}`,
    lines: (page) => [
      `有人再次使用此邮箱订阅“${page}”。此邮箱已经订阅，设置没有变化。`,
      "您可以选择接收哪些通知，或者退订。",
    ],
    button: "管理订阅",
  },
  subject: (page, state, title) => `[${page}] ${state}：${title}`,
  incident: { investigating: "调查中", identified: "已定位", monitoring: "观察中", resolved: "已解决" },
  stage: {
    scheduled: "计划维护",
    changed: "维护时间变更",
    cancelled: "维护已取消",
    started: "维护已开始",
    ended: "维护已完成",
  },
  component: {
    operational: "正常",
    under_maintenance: "维护中",
    degraded_performance: "性能下降",
    partial_outage: "部分故障",
    major_outage: "严重故障",
  },
  maintenance: "系统维护",
  affects: "影响范围：",
  separator: "、",
  stated: (name, state) => `${name}（${state}）`,
  colon: "：",
  from: (start, end) => `${start} 至 ${end}。`,
  openIncident: "查看事件",
  openPage: "查看状态页",
  subscription: "订阅",
  foot: (page) => `您收到本邮件，是因为订阅了“${page}”。`,
  unsubscribe: "退订或选择组件",
};

export const MAIL_WORDS: Record<Language, Words> = { "en-US": ENGLISH, "zh-CN": CHINESE };
