import type { CauseTexts, JobTexts, KindTexts, OutageWords, PhaseTexts } from "../../outages/words";

/** The name of a figure, and the lines about it: with a part of the server, or with the programs that use the most. */
const figure = (metric: string, part?: string): Pick<OutageWords, "metric" | "lines"> => {
  const line = `${part ? `${metric} ${part}` : metric}：{{figure}}（阈值 {{threshold}}）`;
  return { metric, lines: [part ? [line] : [line, "占用最多：{{processes}}"], [line]] };
};
const STATE: OutageWords["lines"] = [["状态：{{state}}"], []];

/** The words of each kind of outage and its events. */
export const outageKinds: KindTexts = {
  down: {
    label: "故障",
    status: ["出现故障", "恢复正常"],
    title: ["{{name}} 无法访问", "{{name}} 已恢复"],
    still: "仍无法访问：{{name}}",
    timeline: ["出现故障", "恢复正常"],
    stays: { state: "无法访问", after: "正常运行", title: "{{name}} 持续无法访问" },
  },
  slow: {
    label: "响应缓慢",
    status: ["响应缓慢", "响应恢复正常"],
    title: ["{{name}} 响应缓慢", "{{name}} 响应恢复正常"],
    still: "响应仍缓慢：{{name}}",
    timeline: ["开始响应缓慢", "响应恢复正常"],
  },
  certificate: {
    label: "证书即将过期",
    status: ["证书即将过期", "证书已更新"],
    title: ["{{name}}：证书即将过期", "{{name}}：证书已更新"],
    still: "证书仍未更新：{{name}}",
    timeline: ["证书临近过期", "证书已更新"],
  },
  domain: {
    label: "域名即将到期",
    status: ["域名即将到期", "域名已续费"],
    title: ["{{name}}：域名即将到期", "{{name}}：域名已续费"],
    still: "域名仍未续费：{{name}}",
    timeline: ["域名临近到期", "域名已续费"],
  },
  budget_burning: {
    label: "可用率目标有风险",
    status: ["可用率目标有风险", "停机时间不再增加"],
    title: ["{{name}}：可用率目标有风险", "{{name}}：停机时间不再增加"],
    still: "可用率目标仍有风险：{{name}}",
    timeline: ["停机时间增加过快，可能达不到可用率目标", "停机时间不再增加"],
  },
  budget_spent: {
    label: "未达到可用率目标",
    status: ["未达到可用率目标", "重新达到可用率目标"],
    title: ["{{name}}：未达到可用率目标", "{{name}}：重新达到可用率目标"],
    still: "仍未达到可用率目标：{{name}}",
    timeline: ["未达到可用率目标", "重新达到可用率目标"],
  },
  unwatched: {
    label: "监控中断",
    status: ["监控曾中断", "监控已恢复"],
    title: ["Wakeful 的监控中断了 {{duration}}", "Wakeful 已恢复监控"],
    lines: [["开始时间：{{since}}", "未监控：{{state}}"], []],
    still: "Wakeful 的监控仍处于中断",
    timeline: ["监控中断", "监控恢复"],
  },
  backup: {
    label: "备份失败",
    status: ["备份失败", "备份恢复正常"],
    title: ["{{name}}：自动备份失败", "{{name}}：自动备份恢复正常"],
    still: "{{name}}：自动备份仍失败",
    timeline: ["备份失败", "备份恢复正常"],
  },
  offline: {
    label: "离线",
    status: ["离线", "恢复上报"],
    title: ["服务器 {{name}} 已 {{duration}}没有上报", "服务器 {{name}} 已恢复上报"],
    lines: [
      ["最后上报：{{last_report}}", "服务器时钟比控制台{{clock_offset}}"],
      ["重启时间：{{restarted_at}}", "服务器时钟比控制台{{clock_offset}}"],
    ],
    still: "仍离线：{{name}}",
    timeline: ["停止上报", "恢复上报"],
    stays: { state: "离线", after: "正常上报", title: "服务器 {{name}} 持续离线" },
  },
  cpu: {
    label: "CPU 使用率过高",
    status: ["CPU 使用率过高", "CPU 使用率恢复正常"],
    title: ["{{name}}：CPU 使用率过高", "{{name}}：CPU 使用率恢复正常"],
    ...figure("CPU"),
    still: "CPU 使用率仍过高：{{name}}",
    timeline: ["CPU 使用率过高", "CPU 使用率恢复正常"],
  },
  memory: {
    label: "内存使用率过高",
    status: ["内存使用率过高", "内存使用率恢复正常"],
    title: ["{{name}}：内存使用率过高", "{{name}}：内存使用率恢复正常"],
    ...figure("内存"),
    still: "内存使用率仍过高：{{name}}",
    timeline: ["内存使用率过高", "内存使用率恢复正常"],
  },
  swap: {
    label: "交换空间使用率过高",
    status: ["交换空间使用率过高", "交换空间使用率恢复正常"],
    title: ["{{name}}：交换空间使用率过高", "{{name}}：交换空间使用率恢复正常"],
    ...figure("交换空间"),
    still: "交换空间使用率仍过高：{{name}}",
    timeline: ["交换空间使用率过高", "交换空间使用率恢复正常"],
  },
  disk: {
    label: "磁盘使用率过高",
    status: ["磁盘使用率过高", "磁盘使用率恢复正常"],
    title: ["{{name}}：磁盘使用率过高", "{{name}}：磁盘使用率恢复正常"],
    ...figure("磁盘", "{{mount}}"),
    still: "磁盘使用率仍过高：{{name}}",
    timeline: ["磁盘使用率过高", "磁盘使用率恢复正常"],
  },
  load: {
    label: "负载过高",
    status: ["负载过高", "负载恢复正常"],
    title: ["{{name}}：负载过高", "{{name}}：负载恢复正常"],
    ...figure("每核负载"),
    still: "负载仍过高：{{name}}",
    timeline: ["负载过高", "负载恢复正常"],
  },
  temperature: {
    label: "温度过高",
    status: ["温度过高", "温度恢复正常"],
    title: ["{{name}}：温度过高", "{{name}}：温度恢复正常"],
    ...figure("温度", "{{subject}}"),
    still: "温度仍过高：{{name}}",
    timeline: ["温度过高", "温度恢复正常"],
  },
  container: {
    label: "容器异常",
    status: ["容器异常", "容器恢复正常"],
    title: ["{{name}}：容器 {{subject}} 异常", "{{name}}：容器 {{subject}} 恢复正常"],
    lines: STATE,
    still: "容器 {{subject}} 仍异常：{{name}}",
    timeline: ["容器异常", "容器恢复正常"],
    reason: ["容器 {{subject}}：{{state}}"],
    part: "容器 {{subject}}",
  },
  service: {
    label: "服务运行失败",
    status: ["服务运行失败", "服务恢复正常"],
    title: ["{{name}}：服务 {{subject}} 运行失败", "{{name}}：服务 {{subject}} 恢复正常"],
    still: "服务 {{subject}} 仍未恢复：{{name}}",
    timeline: ["服务运行失败", "服务恢复正常"],
    reason: ["服务 {{subject}} 运行失败"],
  },
  array: {
    label: "磁盘阵列已降级",
    status: ["磁盘阵列已降级", "磁盘阵列恢复完整"],
    title: ["{{name}}：磁盘阵列 {{subject}} 已降级", "{{name}}：磁盘阵列 {{subject}} 恢复完整"],
    lines: STATE,
    still: "磁盘阵列 {{subject}} 仍未恢复：{{name}}",
    timeline: ["磁盘阵列降级", "磁盘阵列恢复完整"],
    reason: ["磁盘阵列 {{subject}}：{{state}}"],
    part: "磁盘阵列 {{subject}}",
  },
  shared_key: {
    label: "两台机器共用密钥",
    status: ["两台机器使用同一密钥上报", "密钥恢复由一台机器使用"],
    title: ["{{name}}：两台机器使用同一密钥上报", "{{name}}：密钥恢复由一台机器使用"],
    lines: [["两台机器使用同一密钥上报：{{subject}}。请将第二台作为单独的服务器添加。"], []],
    still: "两台机器仍使用同一密钥上报：{{name}}",
    timeline: ["第二台机器使用了同一密钥", "密钥恢复由一台机器使用"],
  },
  filling: {
    label: "磁盘即将写满",
    status: ["磁盘即将写满", "磁盘不再有写满的趋势"],
    title: ["{{name}}：磁盘 {{subject}} 即将写满", "{{name}}：磁盘 {{subject}} 不再有写满的趋势"],
    lines: [["已用：{{figure}}", "按目前速度将于 {{exhausted_at}} 写满"], ["已用：{{figure}}"]],
    still: "磁盘 {{subject}} 仍将写满：{{name}}",
    timeline: ["磁盘开始有写满的趋势", "磁盘不再有写满的趋势"],
    reason: ["磁盘 {{subject}} 已用 {{figure}}", "按目前速度将于 {{exhausted_at}} 写满"],
    part: "磁盘 {{subject}}",
  },
  traffic: {
    label: "流量配额",
    status: ["流量配额用量过高", "流量回到配额以内"],
    title: ["{{name}}：流量配额用量过高", "{{name}}：流量回到配额以内"],
    lines: [["已用：{{figure}}", "按目前速度将于 {{exhausted_at}} 用完"], ["已用：{{figure}}"]],
    still: "流量配额用量仍过高：{{name}}",
    timeline: ["流量配额用量过高", "流量回到配额以内"],
    reason: ["流量配额已用 {{figure}}", "按目前速度将于 {{exhausted_at}} 用完"],
  },
  contract: {
    label: "即将到期",
    status: ["即将到期", "已续期"],
    title: ["{{name}}：即将到期", "{{name}}：已续期"],
    lines: [["到期日：{{ends_on}}（剩余 {{figure}}）"], []],
    still: "仍未续期：{{name}}",
    timeline: ["即将到期", "已续期"],
    reason: ["到期日：{{ends_on}}"],
  },
};

/** Jobs that report to heartbeats. */
export const jobs: JobTexts = {
  heartbeat_missed: {
    title: "{{name}} 未按时上报（应在 {{expected}} 前）",
    still: "仍未上报：{{name}}",
    stays: { state: "未上报", after: "正常上报", title: "{{name}} 持续未上报" },
  },
  heartbeat_running: {
    title: "{{name}} 未按时完成（应在 {{expected}} 前）",
    still: "仍未完成：{{name}}",
    stays: { state: "未完成", after: "正常上报", title: "{{name}} 持续未完成" },
  },
  heartbeat_failed: {
    title: "{{name}} 任务失败",
    still: "任务仍失败：{{name}}",
    stays: { state: "失败", after: "正常上报", title: "{{name}} 任务持续失败" },
  },
  recovered: "{{name}} 恢复上报",
  expected: "应上报时间：{{time}} 前",
};

/** The sentences that kinds of events share. */
export const eventPhases: PhaseTexts = {
  down: { time: "故障开始时间：{{time}}", count: "{{count}} 个故障" },
  offline: { time: "离线开始时间：{{time}}", count: "{{count}} 台离线" },
  high: { time: "发生时间：{{time}}", count: "{{count}} 项超过阈值" },
  failed: { time: "发生时间：{{time}}", count: "{{count}} 项异常", parts: "{{name}}：{{count}} 项异常" },
  slow: { time: "发生时间：{{time}}", count: "{{count}} 个响应缓慢" },
  filling: { time: "发现时间：{{time}}", count: "{{count}} 个磁盘即将写满" },
  traffic: { time: "发现时间：{{time}}", count: "{{count}} 台流量用量过高" },
  burning: { time: "发现时间：{{time}}", count: "{{count}} 个监控的可用率目标有风险" },
  spent: { time: "发现时间：{{time}}", count: "{{count}} 个监控未达到可用率目标" },
  expiring: { time: "发现时间：{{time}}", count: "{{count}} 个证书或域名即将到期" },
  ending: { time: "发现时间：{{time}}", count: "{{count}} 台即将到期" },
  backup: { time: "失败时间：{{time}}", count: "{{count}} 次备份失败" },
  unwatched: { time: "恢复监控时间：{{time}}", count: "{{count}} 次监控中断" },
  recovery: { time: "恢复时间：{{time}}", lasted: "故障持续：{{duration}}", count: "{{count}} 个已恢复" },
  online: { time: "恢复上报时间：{{time}}", lasted: "离线时长：{{duration}}", count: "{{count}} 台恢复上报" },
  normal: {
    ...{ time: "恢复时间：{{time}}", lasted: "持续时间：{{duration}}", count: "{{count}} 项恢复正常" },
    parts: "{{name}}：{{count}} 项恢复正常",
  },
  renewed: { time: "发现更新的时间：{{time}}", count: "{{count}} 个证书或域名已更新" },
  extended: { time: "发现续期的时间：{{time}}", count: "{{count}} 台已续期" },
};

/** Probable causes of outages. */
export const causes: CauseTexts = {
  agent_silent: "服务器 {{server}} 自 {{time}} 起没有上报，可能已宕机",
  agent_rebooted: "服务器 {{server}} 于 {{time}} 重启过，可能是故障原因",
  agent_disk_full: "服务器 {{server}} 的磁盘 {{mount}} 已用 {{figure}}，可能是故障原因",
  disk: "服务器 {{server}} 的磁盘已用 {{figure}}，可能是故障原因",
  on: "可能是同一原因：{{value}} 上有 {{number}} 个监控故障",
  on_of: "可能是同一原因：{{value}} 上的 {{total}} 个监控中有 {{number}} 个故障",
  on_all: "可能是同一原因：{{value}} 上的 {{total}} 个监控全部故障",
  under: "可能是同一原因：{{value}} 下有 {{number}} 个监控故障",
  under_of: "可能是同一原因：{{value}} 下的 {{total}} 个监控中有 {{number}} 个故障",
  under_all: "可能是同一原因：{{value}} 下的 {{total}} 个监控全部故障",
};
