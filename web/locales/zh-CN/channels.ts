import type { ChannelWords } from "../../../src/modules/alerting/channels/registry";

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
        hint: "告警以 JSON 格式发送到此地址，返回 2xx 即视为送达，不跟随重定向。",
        required: "请填写 URL",
        invalid: "请填写以 http:// 或 https:// 开头的有效地址，且不含用户名和密码",
      },
      method: {
        label: "请求方法",
        hint: "GET 不发送正文，事件类型见请求头 X-Wakeful-Event。",
        choices: { POST: "POST", PUT: "PUT", GET: "GET" },
      },
      format: {
        label: "正文格式",
        hint: "仅在填写了正文时有效。",
        choices: { json: "JSON", form: "表单", text: "纯文本" },
      },
      body: {
        label: "正文",
        hint: "留空则发送 API 文档所述的 JSON；也可填写模板：在 JSON 中，每个变量以 json 结尾，引号内用 json_text；在表单中以 url 结尾。",
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
      previousSecret: {
        label: "上一个签名密钥",
        hint: "更换密钥期间填写，请求会同时用两个密钥签名，接收方切换后即可清空。",
        invalid: "签名密钥至少 8 个字符，只能用英文字母、数字和符号",
      },
    },
  },
  smtp: {
    name: "邮件（SMTP）",
    fields: {
      host: { label: "邮件服务器", hint: "发送邮件的 SMTP 服务器。" },
      security: {
        label: "加密方式",
        hint: "多数服务器使用 STARTTLS。",
        choices: { starttls: "STARTTLS", tls: "TLS", none: "不加密" },
      },
      port: { label: "端口", hint: "不填时按加密方式使用 587、465 或 25。" },
      user: { label: "用户名", hint: "服务器要求登录时填写，通常是邮箱地址。" },
      password: { label: "密码", hint: "许多邮箱需要使用授权码，而不是登录密码。" },
      from: { label: "发件人", hint: "邮箱地址，或“名称 <邮箱地址>”。" },
      to: { label: "收件人", hint: "多个地址用逗号分隔" },
    },
  },
  slack: {
    name: "Slack",
    fields: { url: { label: "Webhook 地址", hint: "在 Slack 应用的 Incoming Webhooks 页面创建。" } },
  },
  dingtalk: {
    name: "钉钉",
    fields: {
      url: { label: "Webhook 地址", hint: "在群设置的“机器人”中添加“自定义”机器人，即可获得。" },
      secret: {
        label: "加签密钥",
        hint: "机器人的安全设置选择“加签”时填写，以 SEC 开头。使用关键词时，请把 Wakeful 或告警中的词设为关键词。",
      },
    },
  },
  wecom: {
    name: "企业微信",
    fields: { url: { label: "Webhook 地址", hint: "在群聊中添加“消息推送”（群机器人），即可获得。" } },
  },
  feishu: {
    name: "飞书 / Lark",
    fields: {
      url: { label: "Webhook 地址", hint: "在群设置的“群机器人”中添加“自定义机器人”，即可获得。" },
      secret: { label: "签名校验密钥", hint: "机器人的安全设置开启“签名校验”时填写。" },
    },
  },
  discord: {
    name: "Discord",
    fields: { url: { label: "Webhook 地址", hint: "在频道设置的“整合”中创建 Webhook。" } },
  },
  teams: {
    name: "Microsoft Teams",
    fields: {
      url: { label: "工作流地址", hint: "在频道的“工作流”中选择“收到 Webhook 请求时发布到频道”。" },
    },
  },
  ntfy: {
    name: "ntfy",
    fields: {
      server: { label: "服务器", hint: "公共服务器为 https://ntfy.sh，也可以是自建服务器。" },
      topic: { label: "主题", hint: "知道主题名的人都能收到消息，请使用难以猜到的名称。" },
      token: { label: "访问令牌", hint: "主题需要权限时填写。" },
    },
  },
  gotify: {
    name: "Gotify",
    fields: {
      server: { label: "服务器", hint: "Gotify 服务器的地址。" },
      token: { label: "应用令牌", hint: "在 Gotify 的 Apps 页面创建应用，即可获得。" },
    },
  },
  bark: {
    name: "Bark",
    fields: {
      server: { label: "服务器", hint: "官方服务器为 https://api.day.app，也可以是自建服务器。" },
      deviceKey: { label: "设备 Key", hint: "Bark 应用首页的地址中，域名后面的那一段。" },
    },
  },
  serverchan: {
    name: "Server 酱",
    fields: { sendKey: { label: "SendKey", hint: "登录 Server 酱后，在 SendKey 页面复制。" } },
  },
  pushplus: {
    name: "PushPlus",
    fields: {
      token: { label: "Token", hint: "登录 PushPlus 后，在“一对一消息”中复制。" },
      topic: { label: "群组编码", hint: "填写后发送给群组，而不是自己。" },
    },
  },
  pushover: {
    name: "Pushover",
    fields: {
      token: { label: "应用 Token", hint: "在 Pushover 网站上创建应用，即可获得。" },
      user: { label: "用户或群组 Key", hint: "登录 Pushover 网站后显示在首页。" },
    },
  },
  matrix: {
    name: "Matrix",
    fields: {
      server: { label: "服务器", hint: "机器人账号所在的 homeserver 地址。" },
      accessToken: { label: "访问令牌", hint: "机器人账号的访问令牌，请勿使用自己的账号。" },
      room: { label: "房间 ID", hint: "在房间的高级设置中查看，以 ! 开头。暂不支持加密房间。" },
    },
  },
  mattermost: {
    name: "Mattermost",
    fields: { url: { label: "Webhook 地址", hint: "在“集成”中创建 Incoming Webhook。" } },
  },
  rocketchat: {
    name: "Rocket.Chat",
    fields: { url: { label: "Webhook 地址", hint: "在管理后台的“集成”中创建 Incoming Webhook。" } },
  },
  googlechat: {
    name: "Google Chat",
    fields: { url: { label: "Webhook 地址", hint: "在聊天室的“应用和集成”中添加 Webhook。" } },
  },
  pagerduty: {
    name: "PagerDuty",
    fields: {
      routingKey: { label: "集成密钥", hint: "在服务中添加 Events API V2 集成，即可获得。" },
      region: { label: "服务区域", hint: "不选为美国。", choices: { us: "美国", eu: "欧洲" } },
    },
  },
  apprise: {
    name: "Apprise",
    fields: {
      server: { label: "服务器", hint: "Apprise API 服务器的地址。" },
      configKey: { label: "配置键", hint: "保存在服务器上的配置的键。" },
    },
  },
} as const satisfies ChannelWords;

export const channels = {
  kinds,
  fieldRequired: "请填写{{label}}",
  fieldInvalid: "{{label}}格式不正确",
} as const;
