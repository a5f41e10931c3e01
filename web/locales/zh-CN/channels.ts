import type { ChannelWords } from "../../../src/modules/notifications/channels/registry";

const kinds = {
  telegram: {
    name: "Telegram",
    fields: {
      botToken: {
        label: "Bot Token",
        hint: "在 Telegram 中向 @BotFather 发送 /newbot，即可获得。",
        required: "请填写 Bot Token",
        invalid: "Bot Token 格式不正确",
      },
      chatId: {
        label: "Chat ID",
        hint: "接收消息的用户、群组或频道的 ID。请先给机器人发一条消息，或把它拉进群组。",
        required: "请填写 Chat ID",
      },
    },
  },
  resend: {
    name: "Resend 邮件",
    fields: {
      apiKey: {
        label: "API Key",
        hint: "在 Resend 控制台的 API Keys 页面创建。",
        required: "请填写 API Key",
        invalid: "API Key 中有不允许的字符",
      },
      from: {
        label: "发件人",
        hint: "邮箱地址，或“名称 <邮箱地址>”，其域名须已在 Resend 验证。",
        required: "请填写发件人",
        invalid: "发件人格式不正确，应为邮箱地址或“名称 <邮箱地址>”",
      },
      to: {
        label: "收件人",
        hint: "多个地址用逗号分隔",
        required: "请填写收件人",
        invalid: "收件人中有无效的邮箱地址",
      },
    },
  },
  webhook: {
    name: "Webhook",
    fields: {
      url: {
        label: "URL",
        hint: "告警以 JSON 格式 POST 到此地址，返回 2xx 即视为送达，不跟随重定向。",
        required: "请填写 URL",
        invalid: "请填写以 http:// 或 https:// 开头的有效地址，且不含用户名和密码",
      },
      headers: {
        label: "请求头",
        hint: "每行一个，格式为“名称: 值”，例如用于身份验证。保存后只显示值的末尾几位。",
        invalid: "请求头的名称或值无效。如果 URL 换了主机，请重新填写各个值。",
      },
      secret: {
        label: "签名密钥",
        hint: "填写后，每个请求都带有 X-Wakeful-Signature，接收方可据此核实来源。",
        invalid: "签名密钥至少 8 个字符，只能用英文字母、数字和符号",
      },
    },
  },
} as const satisfies ChannelWords;

export const channels = {
  kinds,
  /** Kinds that are shown as coming soon. */
  planned: { slack: "Slack", dingtalk: "钉钉", wecom: "企业微信", feishu: "飞书" },
  fieldRequired: "请填写{{label}}",
  fieldInvalid: "{{label}}格式不正确",
} as const;
