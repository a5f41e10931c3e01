import type { ThresholdMetric } from "../../../shared/agents/thresholds";
import { eventNames as EN_NAMES } from "../../../shared/event-names/en-US";
import { eventNames as ZH_NAMES } from "../../../shared/event-names/zh-CN";
import type { Language } from "../../../shared/language";
import type { EventKind } from "../../../shared/notifications";

/** What an event says of its target: figures and slow answers share their words. */
export type Phase =
  | "down"
  | "recovery"
  | "offline"
  | "online"
  | "high"
  | "slow"
  | "failed"
  | "filling"
  | "traffic"
  | "normal"
  | "expiring"
  | "renewed"
  | "ending"
  | "extended";

/** The texts of a language. Names are inserted unescaped: the channel kind escapes them. */
export type Words = {
  titles: Record<EventKind, (name: string, subject: string) => string>;
  /** The title of an event `slow` whose reason is lost packets. */
  losesPackets: (name: string) => string;
  /** What happened, for templates. */
  status: Record<EventKind, string>;
  metrics: Record<ThresholdMetric, string>;
  /** When it began, or when it ended. */
  times: Record<Phase, (time: string) => string>;
  lasted: Record<"recovery" | "online" | "normal", (duration: string) => string>;
  address: (address: string) => string;
  reason: (error: string) => string;
  lastReport: (time: string) => string;
  figure: (metric: string, figure: string, threshold: string, part: string | null) => string;
  /** The programs that use the most. */
  processes: (processes: string) => string;
  /** Of a container, a unit or an array. */
  state: (state: string) => string;
  /** The machines that report with one key. */
  machines: (names: string) => string;
  used: (figure: string) => string;
  /** When a disk is full, or a quota used up, at the present rate. */
  full: (date: string) => string;
  usedUp: (date: string) => string;
  ends: (date: string, left: string) => string;
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
      slow_normal: (name) => `🟢 ${name} responds normally again`,
      cert_expiring: (name) => `🟠 ${name}: the certificate expires soon`,
      cert_renewed: (name) => `🟢 ${name}: the certificate was renewed`,
      offline: (name) => `🔴 Server ${name} is offline`,
      online: (name) => `🟢 Server ${name} reports again`,
      cpu_high: (name) => `🟠 ${name}: CPU usage is high`,
      cpu_normal: (name) => `🟢 ${name}: CPU is back to normal`,
      memory_high: (name) => `🟠 ${name}: memory usage is high`,
      memory_normal: (name) => `🟢 ${name}: memory is back to normal`,
      disk_high: (name) => `🟠 ${name}: disk usage is high`,
      disk_normal: (name) => `🟢 ${name}: disk is back to normal`,
      swap_high: (name) => `🟠 ${name}: swap usage is high`,
      swap_normal: (name) => `🟢 ${name}: swap is back to normal`,
      load_high: (name) => `🟠 ${name}: load is high`,
      load_normal: (name) => `🟢 ${name}: load is back to normal`,
      temperature_high: (name) => `🟠 ${name}: temperature is high`,
      temperature_normal: (name) => `🟢 ${name}: temperature is back to normal`,
      container_failed: (name, subject) => `🟠 ${name}: container ${subject} is not working`,
      container_recovered: (name, subject) => `🟢 ${name}: container ${subject} works again`,
      service_failed: (name, subject) => `🟠 ${name}: service ${subject} failed`,
      service_recovered: (name, subject) => `🟢 ${name}: service ${subject} has recovered`,
      array_degraded: (name, subject) => `🟠 ${name}: disk array ${subject} is degraded`,
      array_recovered: (name, subject) => `🟢 ${name}: disk array ${subject} is complete again`,
      key_shared: (name) => `🟠 ${name}: two machines report with its key`,
      key_unshared: (name) => `🟢 ${name}: one machine reports with its key again`,
      disk_filling: (name, subject) => `🟠 ${name}: disk ${subject} is filling up`,
      disk_filling_ended: (name, subject) => `🟢 ${name}: disk ${subject} is no longer filling up`,
      traffic_high: (name) => `🟠 ${name}: traffic quota is running low`,
      traffic_normal: (name) => `🟢 ${name}: traffic is within its quota again`,
      contract_ending: (name) => `🟠 ${name}: the contract ends soon`,
      contract_renewed: (name) => `🟢 ${name}: the contract was renewed`,
    },
    losesPackets: (name) => `🟠 ${name} loses packets`,
    status: EN_NAMES,
    metrics: {
      cpu: "CPU",
      memory: "Memory",
      swap: "Swap",
      disk: "Disk",
      load: "Load per core",
      temperature: "Temperature",
    },
    times: {
      down: (time) => `Down since ${time}`,
      recovery: (time) => `Up again at ${time}`,
      offline: (time) => `Offline since ${time}`,
      online: (time) => `Back at ${time}`,
      high: (time) => `Since ${time}`,
      slow: (time) => `Since ${time}`,
      failed: (time) => `Since ${time}`,
      filling: (time) => `Detected: ${time}`,
      traffic: (time) => `Detected: ${time}`,
      expiring: (time) => `Detected: ${time}`,
      renewed: (time) => `Renewal noticed at ${time}`,
      ending: (time) => `Detected: ${time}`,
      extended: (time) => `Renewal noticed at ${time}`,
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
    figure: (metric, figure, threshold, part) =>
      `${metric}${part ? ` ${part}` : ""}: ${figure} (threshold ${threshold})`,
    processes: (processes) => `Most used by: ${processes}`,
    state: (state) => `State: ${state}`,
    machines: (names) => `Two machines report with this key: ${names}. Add the second one as a server of its own.`,
    used: (figure) => `Used: ${figure}`,
    full: (date) => `Full on ${date} at this rate`,
    usedUp: (date) => `Runs out ${date} at this rate`,
    ends: (date, left) => `It ends on ${date} (${left} left)`,
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
      slow_normal: (name) => `🟢 ${name} 响应恢复正常`,
      cert_expiring: (name) => `🟠 ${name}：证书即将过期`,
      cert_renewed: (name) => `🟢 ${name}：证书已更新`,
      offline: (name) => `🔴 服务器 ${name} 已离线`,
      online: (name) => `🟢 服务器 ${name} 已恢复上报`,
      cpu_high: (name) => `🟠 ${name}：CPU 使用率过高`,
      cpu_normal: (name) => `🟢 ${name}：CPU 使用率恢复正常`,
      memory_high: (name) => `🟠 ${name}：内存使用率过高`,
      memory_normal: (name) => `🟢 ${name}：内存使用率恢复正常`,
      disk_high: (name) => `🟠 ${name}：磁盘使用率过高`,
      disk_normal: (name) => `🟢 ${name}：磁盘使用率恢复正常`,
      swap_high: (name) => `🟠 ${name}：交换空间使用率过高`,
      swap_normal: (name) => `🟢 ${name}：交换空间使用率恢复正常`,
      load_high: (name) => `🟠 ${name}：负载过高`,
      load_normal: (name) => `🟢 ${name}：负载恢复正常`,
      temperature_high: (name) => `🟠 ${name}：温度过高`,
      temperature_normal: (name) => `🟢 ${name}：温度恢复正常`,
      container_failed: (name, subject) => `🟠 ${name}：容器 ${subject} 异常`,
      container_recovered: (name, subject) => `🟢 ${name}：容器 ${subject} 恢复正常`,
      service_failed: (name, subject) => `🟠 ${name}：服务 ${subject} 运行失败`,
      service_recovered: (name, subject) => `🟢 ${name}：服务 ${subject} 恢复正常`,
      array_degraded: (name, subject) => `🟠 ${name}：磁盘阵列 ${subject} 已降级`,
      array_recovered: (name, subject) => `🟢 ${name}：磁盘阵列 ${subject} 恢复完整`,
      key_shared: (name) => `🟠 ${name}：两台机器使用同一密钥上报`,
      key_unshared: (name) => `🟢 ${name}：密钥恢复由一台机器使用`,
      disk_filling: (name, subject) => `🟠 ${name}：磁盘 ${subject} 即将写满`,
      disk_filling_ended: (name, subject) => `🟢 ${name}：磁盘 ${subject} 不再有写满的趋势`,
      traffic_high: (name) => `🟠 ${name}：流量配额用量过高`,
      traffic_normal: (name) => `🟢 ${name}：流量回到配额以内`,
      contract_ending: (name) => `🟠 ${name}：即将到期`,
      contract_renewed: (name) => `🟢 ${name}：已续期`,
    },
    losesPackets: (name) => `🟠 ${name} 丢包严重`,
    status: ZH_NAMES,
    metrics: { cpu: "CPU", memory: "内存", swap: "交换空间", disk: "磁盘", load: "每核负载", temperature: "温度" },
    times: {
      down: (time) => `故障开始时间：${time}`,
      recovery: (time) => `恢复时间：${time}`,
      offline: (time) => `离线开始时间：${time}`,
      online: (time) => `恢复上报时间：${time}`,
      high: (time) => `发生时间：${time}`,
      slow: (time) => `发生时间：${time}`,
      failed: (time) => `发生时间：${time}`,
      filling: (time) => `发现时间：${time}`,
      traffic: (time) => `发现时间：${time}`,
      expiring: (time) => `发现时间：${time}`,
      renewed: (time) => `发现更新的时间：${time}`,
      ending: (time) => `发现时间：${time}`,
      extended: (time) => `发现续期的时间：${time}`,
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
    figure: (metric, figure, threshold, part) => `${metric}${part ? ` ${part}` : ""}：${figure}（阈值 ${threshold}）`,
    processes: (processes) => `占用最多：${processes}`,
    state: (state) => `状态：${state}`,
    machines: (names) => `两台机器使用同一密钥上报：${names}。请将第二台作为单独的服务器添加。`,
    used: (figure) => `已用：${figure}`,
    full: (date) => `按目前速度将于 ${date} 写满`,
    usedUp: (date) => `按目前速度将于 ${date} 用完`,
    ends: (date, left) => `到期日：${date}（剩余 ${left}）`,
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
