export const keyScopes = {
  label: "用途",
  preset: {
    read: "查看全部内容",
    write: "修改全部内容",
    ping: "只上报心跳",
    publish: "发布状态页",
    enroll: "注册服务器",
    custom: "自定义",
  },
  hint: {
    read: "只能查看，看不到监控的请求头、请求体和地址中的密码。",
    ack: "确认故障，填写故障说明。",
    ping: "上报心跳，不能查看任何内容。",
    publish: "修改并发布状态页，不能查看任何内容。",
    enroll: "生成和撤销注册令牌，不能查看任何内容。",
    channels: "添加、修改、测试和删除通知渠道。",
    apply: "导入配置和其他产品的文件。",
    write: "能查看和修改全部内容，但不能管理用户、会话和密钥。",
  },
  none: "请至少选择一项",
};
