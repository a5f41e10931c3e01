import type { UnsentReason } from "../../outages/unsent-reasons";

/** Why no channel is notified. */
export const unsentReasons: Readonly<Record<UnsentReason, string>> = {
  no_channels: "还没有添加通知渠道",
  no_rule: "从未启用告警",
  default_disabled: "默认规则未启用告警",
  rule_disabled: "单独的规则未启用告警",
  default_no_recipients: "默认规则没有选择渠道",
  no_recipients: "单独的规则没有选择渠道",
  not_selected: "规则不包含这类事件",
  channel_disabled: "所选渠道都已停用",
  channel_deleted: "所选渠道都已删除",
  muted: "已静音",
  maintenance: "处于维护窗口",
  unannounced: "故障发生时没有通知任何人",
  recovered: "故障在消息发送前已恢复",
  not_new: "问题此前已存在，不再重复告警",
  imported: "记录由导入产生",
  undecided: "马上决定通知谁",
  awaiting_parents: "正在先检查它所依赖的对象",
  unknown: "没有记录原因",
};
