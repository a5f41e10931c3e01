/** Incidents on the public status page. It loads them only while it has incidents. */
export const incidents = {
  open: "进行中的事件",
  past: "过往事件",
  status: { investigating: "调查中", identified: "已定位", monitoring: "观察中", resolved: "已解决" },
  impact: { none: "无影响", minor: "轻微影响", major: "严重影响", critical: "重大影响" },
  component: {
    operational: "正常",
    under_maintenance: "维护中",
    degraded_performance: "性能下降",
    partial_outage: "部分故障",
    major_outage: "严重故障",
  },
  affected: "受影响：{{names}}",
  since: "{{time}} 起",
  from: "{{start}} – {{end}}",
  edited: "已编辑",
  earlier: "更早的更新（{{count}}）",
  all: "查看全部更新",
  back: "返回状态页",
};
