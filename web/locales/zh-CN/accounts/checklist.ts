/** The first steps of a new user. Loaded with the checklist on the dashboard. */
export const checklist = {
  title: "还差几步",
  progress: "已完成 {{count}} / {{total}}",
  hide: "不再显示",
  hideFailed: "隐藏失败",
  channel: { title: "添加并测试渠道", text: "向邮件、聊天或手机推送发一条测试消息。" },
  rule: { title: "启用告警", text: "选择什么情况通知谁。" },
  server: { title: "添加服务器", text: "查看 CPU、内存和磁盘。" },
  page: { title: "发布状态页", text: "客户和同事无需登录即可查看。" },
  ready: "已全部就绪",
  drill: {
    title: "不妨演练一次。",
    text: "“{{name}}”的故障告警会真实发出，并标明是演练。",
    open: "查看演练",
  },
} as const;
