import type { Language } from "../../../src/shared/alerts";
import { STATUS_WORDS } from "../../../src/shared/status-page";

const zhCN = {
  ...STATUS_WORDS["zh-CN"],
  skip: "跳到正文",
  login: "登录",
  profile: "个人资料",
  nav: {
    label: "主导航",
    open: "打开导航",
    close: "收起导航",
    dashboard: "仪表盘",
    monitors: "API 监控",
    agents: "服务器",
    statusConfig: "状态页",
    notifications: "通知",
  },
  otherLanguage: "English",
  services: "服务",
  agents: "服务器",
  updated: (time: string) => `${time}更新`,
  stale: "暂时无法刷新，显示的是稍早的数据",
  failed: "暂时无法读取状态，稍后会自动重试。",
  retry: "立即重试",
  loading: "正在加载",
  missingText: "请检查地址是否正确，或联系发布者。",
  status: { up: "正常", down: "故障", pending: "等待检查", paused: "已暂停" },
  agentStatus: { active: "在线", inactive: "离线", connecting: "连接中" },
  noData: "无数据",
  response: "响应时间",
  checked: "最近检查",
  never: "尚未检查",
  uptime: "可用率",
  span: { "24h": "24 小时", "7d": "7 天", "30d": "30 天", "90d": "90 天" },
  daysAgo: "90 天前",
  today: "今天",
  recent: "最近 24 次检查",
  daysTitle: (name: string) => `${name}：过去 90 天`,
  daysSentence: (share: string, bad: number) =>
    bad === 0 ? `过去 90 天可用率 ${share}，没有失败的检查` : `过去 90 天可用率 ${share}，其中 ${bad} 天有失败的检查`,
  daysNone: "过去 90 天没有数据",
  day: (date: string, share: string, failed: number) =>
    failed === 0 ? `${date} · ${share}` : `${date} · ${share} · ${failed} 次检查失败`,
  recentTitle: (name: string) => `${name}：最近的检查`,
  recentSentence: (count: number, up: number, down: number) => `最近 ${count} 次检查：${up} 次正常，${down} 次故障`,
  recentNone: "还没有检查记录",
  resource: { cpu: "CPU", memory: "内存", disk: "磁盘", network: "网络" },
  labelled: (label: string, value: string) => `${label}：${value}`,
  rates: (received: string, sent: string) => `↓ ${received}  ↑ ${sent}`,
  facts: { os: "操作系统", version: "系统版本", hostname: "主机名" },
  footer: { label: "页脚", blog: "博客", video: "视频频道", tempMail: "临时邮箱" },
};

export type Words = typeof zhCN;

const enUS: Words = {
  ...STATUS_WORDS["en-US"],
  skip: "Skip to content",
  login: "Sign in",
  profile: "Profile",
  nav: {
    label: "Main",
    open: "Open navigation",
    close: "Close navigation",
    dashboard: "Dashboard",
    monitors: "API monitors",
    agents: "Servers",
    statusConfig: "Status page",
    notifications: "Notifications",
  },
  otherLanguage: "中文",
  services: "Services",
  agents: "Servers",
  updated: (time) => `Updated ${time}`,
  stale: "Could not refresh. This is the last known status.",
  failed: "The status could not be loaded. It will be tried again automatically.",
  retry: "Try again now",
  loading: "Loading",
  missingText: "Check the address, or ask the person who gave it to you.",
  status: { up: "Up", down: "Down", pending: "Pending", paused: "Paused" },
  agentStatus: { active: "Online", inactive: "Offline", connecting: "Connecting" },
  noData: "No data",
  response: "Response time",
  checked: "Last check",
  never: "Not checked yet",
  uptime: "Uptime",
  span: { "24h": "24 hours", "7d": "7 days", "30d": "30 days", "90d": "90 days" },
  daysAgo: "90 days ago",
  today: "Today",
  recent: "Last 24 checks",
  daysTitle: (name) => `${name}: the past 90 days`,
  daysSentence: (share, bad) =>
    bad === 0
      ? `Past 90 days: ${share} up, without a failed check`
      : `Past 90 days: ${share} up, with failed checks on ${bad} ${bad === 1 ? "day" : "days"}`,
  daysNone: "Past 90 days: no data",
  day: (date, share, failed) =>
    failed === 0 ? `${date} · ${share}` : `${date} · ${share} · ${failed} failed ${failed === 1 ? "check" : "checks"}`,
  recentTitle: (name) => `${name}: recent checks`,
  recentSentence: (count, up, down) => `Last ${count} checks: ${up} up, ${down} down`,
  recentNone: "No checks yet",
  resource: { cpu: "CPU", memory: "Memory", disk: "Disk", network: "Network" },
  labelled: (label, value) => `${label}: ${value}`,
  rates: (received, sent) => `↓ ${received}  ↑ ${sent}`,
  facts: { os: "OS", version: "System version", hostname: "Hostname" },
  footer: { label: "Footer", blog: "Blog", video: "Video channel", tempMail: "Temporary mail" },
};

export const words: Record<Language, Words> = { "zh-CN": zhCN, "en-US": enUS };

/** What everything on the page is written in. */
export type Speech = { language: Language; words: Words };
