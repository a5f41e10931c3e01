import type { Language } from "../../../shared/language";
import type { EventKind, Metric } from "../../../shared/notifications";

/** What an event says of its target: figures and slow answers share their words. */
export type Phase = "down" | "recovery" | "offline" | "online" | "high" | "slow" | "normal" | "expiring" | "renewed";

/** The texts of a language. Names are inserted unescaped: the channel kind escapes them. */
export type Words = {
  titles: Record<EventKind, (name: string) => string>;
  /** What happened, for templates. */
  status: Record<EventKind, string>;
  metrics: Record<Metric, string>;
  /** When it began, or when it ended. */
  times: Record<Phase, (time: string) => string>;
  lasted: Record<"recovery" | "online" | "normal", (duration: string) => string>;
  address: (address: string) => string;
  reason: (error: string) => string;
  lastReport: (time: string) => string;
  figure: (metric: string, figure: string, threshold: string, mount: string | null) => string;
  /** Some of several names, of `total` in all. */
  some: (names: readonly string[], total: number) => string;
  /** What is down because of the target, and what was. */
  explained: Record<"open" | "ended", (names: string) => string>;
  test: { title: string; line: string; time: (time: string) => string };
  /** What marks a drill: in front of its title, and as its first line. */
  drill: { mark: string; line: string };
};

/** The texts of messages in all languages. */
export const WORDS: Record<Language, Words> = {
  "en-US": {
    titles: {
      down: (name) => `🔴 ${name} is down`,
      recovery: (name) => `🟢 ${name} is up again`,
      slow: (name) => `🟠 ${name} responds slowly`,
      slow_normal: (name) => `🟢 ${name}: response time is back to normal`,
      cert_expiring: (name) => `🟠 ${name}: the certificate expires soon`,
      cert_renewed: (name) => `🟢 ${name}: the certificate was renewed`,
      offline: (name) => `🔴 Server ${name} is offline`,
      online: (name) => `🟢 Server ${name} reports again`,
      cpu_high: (name) => `🟠 ${name}: CPU is high`,
      cpu_normal: (name) => `🟢 ${name}: CPU is back to normal`,
      memory_high: (name) => `🟠 ${name}: memory is nearly full`,
      memory_normal: (name) => `🟢 ${name}: memory is back to normal`,
      disk_high: (name) => `🟠 ${name}: disk is nearly full`,
      disk_normal: (name) => `🟢 ${name}: disk is back to normal`,
    },
    status: {
      down: "Down",
      recovery: "Up again",
      slow: "Slow",
      slow_normal: "Response time is back to normal",
      cert_expiring: "Certificate expires soon",
      cert_renewed: "Certificate renewed",
      offline: "Offline",
      online: "Back online",
      cpu_high: "CPU is high",
      cpu_normal: "CPU is back to normal",
      memory_high: "Memory is nearly full",
      memory_normal: "Memory is back to normal",
      disk_high: "Disk is nearly full",
      disk_normal: "Disk is back to normal",
    },
    metrics: { cpu: "CPU", memory: "Memory", disk: "Disk" },
    times: {
      down: (time) => `Down since ${time}`,
      recovery: (time) => `Up again at ${time}`,
      offline: (time) => `Offline since ${time}`,
      online: (time) => `Back at ${time}`,
      high: (time) => `Since ${time}`,
      slow: (time) => `Since ${time}`,
      expiring: (time) => `Noticed at ${time}`,
      renewed: (time) => `Renewal noticed at ${time}`,
      normal: (time) => `Back to normal at ${time}`,
    },
    lasted: {
      recovery: (duration) => `It was down for ${duration}.`,
      online: (duration) => `It was silent for ${duration}.`,
      normal: (duration) => `It lasted ${duration}.`,
    },
    address: (address) => `Address: ${address}`,
    reason: (error) => `Reason: ${error}`,
    lastReport: (time) => `Last report: ${time}`,
    figure: (metric, figure, threshold, mount) =>
      `${metric}${mount ? ` ${mount}` : ""}: ${figure} (threshold ${threshold})`,
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
    titles: {
      down: (name) => `🔴 ${name} 无法访问`,
      recovery: (name) => `🟢 ${name} 已恢复`,
      slow: (name) => `🟠 ${name} 响应缓慢`,
      slow_normal: (name) => `🟢 ${name}：响应时间恢复正常`,
      cert_expiring: (name) => `🟠 ${name}：证书即将过期`,
      cert_renewed: (name) => `🟢 ${name}：证书已更新`,
      offline: (name) => `🔴 服务器 ${name} 已离线`,
      online: (name) => `🟢 服务器 ${name} 已恢复上报`,
      cpu_high: (name) => `🟠 ${name}：CPU 使用率过高`,
      cpu_normal: (name) => `🟢 ${name}：CPU 使用率恢复正常`,
      memory_high: (name) => `🟠 ${name}：内存使用率过高`,
      memory_normal: (name) => `🟢 ${name}：内存使用率恢复正常`,
      disk_high: (name) => `🟠 ${name}：磁盘空间不足`,
      disk_normal: (name) => `🟢 ${name}：磁盘使用率恢复正常`,
    },
    status: {
      down: "无法访问",
      recovery: "已恢复",
      slow: "响应缓慢",
      slow_normal: "响应时间恢复正常",
      cert_expiring: "证书即将过期",
      cert_renewed: "证书已更新",
      offline: "已离线",
      online: "已恢复上报",
      cpu_high: "CPU 使用率过高",
      cpu_normal: "CPU 使用率恢复正常",
      memory_high: "内存使用率过高",
      memory_normal: "内存使用率恢复正常",
      disk_high: "磁盘空间不足",
      disk_normal: "磁盘使用率恢复正常",
    },
    metrics: { cpu: "CPU", memory: "内存", disk: "磁盘" },
    times: {
      down: (time) => `故障开始时间：${time}`,
      recovery: (time) => `恢复时间：${time}`,
      offline: (time) => `离线开始时间：${time}`,
      online: (time) => `恢复上报时间：${time}`,
      high: (time) => `发生时间：${time}`,
      slow: (time) => `发生时间：${time}`,
      expiring: (time) => `发现时间：${time}`,
      renewed: (time) => `发现更新的时间：${time}`,
      normal: (time) => `恢复时间：${time}`,
    },
    lasted: {
      recovery: (duration) => `故障持续：${duration}`,
      online: (duration) => `离线时长：${duration}`,
      normal: (duration) => `持续时间：${duration}`,
    },
    address: (address) => `地址：${address}`,
    reason: (error) => `原因：${error}`,
    lastReport: (time) => `最后上报：${time}`,
    figure: (metric, figure, threshold, mount) =>
      `${metric}${mount ? ` ${mount}` : ""}：${figure}（阈值 ${threshold}）`,
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
