/** The state that nothing can be known: now, and in the past. */
export const unknown = {
  because: "自 {{time}} 起状态未知：{{reason}}。",
  last: "{{text}}最后已知状态：{{status}}",
  lost: "{{time}} 起没有收到上报，可能已丢失：{{gap}}。",
  all: "{{text}}当前显示最后已知的状态。",
  hub: "当前显示最后已知的状态，恢复检查之前不会误报故障。",
  more_one: "另有 {{count}} 次",
  more_other: "另有 {{count}} 次",
  reason: {
    hub_stopped: "控制台没有运行",
    hub_offline: "控制台自身网络中断",
    hub_overloaded: "控制台所在服务器过载",
    ping_possibly_lost: "上报可能已丢失",
  },
  past: {
    hub_stopped: "控制台没有运行",
    hub_offline: "控制台自身网络中断",
    hub_overloaded: "控制台所在服务器过载",
    ping_possibly_lost: "上报可能已丢失",
  },
  gap: {
    hub_stopped: "控制台在 {{span}} 没有运行",
    hub_offline: "控制台自身网络在 {{span}} 中断",
    hub_overloaded: "控制台所在服务器在 {{span}} 暂停或过载",
    ping_possibly_lost: "上报可能已丢失，{{span}} 状态未知",
  },
} as const;
