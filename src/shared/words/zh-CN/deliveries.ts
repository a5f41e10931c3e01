import type { DeliveryWords } from "../../notifications";

/** Why a message was not delivered. */
export const deliveryWords: DeliveryWords = {
  errors: {
    rejected: "{status}：{reply}",
    rate_limited: "{status}：{reply}",
    redirected: "{status}：不支持重定向",
    timeout: "对方 {seconds} 秒内没有响应",
    dns_not_found: "无法解析对方服务的域名",
    no_answer: "无法连接对方服务（{cause}）",
    blocked_private: "这是内网地址或本机地址，只有管理员可以使用",
    blocked_by_setting: "这是内网地址或本机地址，PRIVATE_TARGETS=none 不允许使用",
    unsupported_type: "不支持 {type} 类型的渠道",
    channel_deleted: "渠道已被删除",
    channel_disabled: "渠道已停用",
    channel_unavailable: "渠道已被删除或停用",
    report_unavailable: "报告的对象已被删除",
    rule_disabled: "通知规则已停用",
    not_selected: "通知规则没有选择这类事件",
    muted: "当时已静音",
    maintenance: "当时处于维护窗口",
    recovered: "故障在消息发送前已恢复",
    explained: "由所依赖对象的故障引起",
    flapping: "状态变化过于频繁，稳定后会再通知",
    quiet_hours: "处于免打扰时段",
    acknowledged: "故障已被确认",
    not_notified: "该渠道没有收到过这次故障的通知",
    superseded: "已由这次故障的后续消息代替",
  },
  noReason: "未说明原因",
};
