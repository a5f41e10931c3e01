import type { Translation } from "../zh-CN";

export const channels: Translation["channels"] = {
  kinds: {
    telegram: {
      name: "Telegram",
      fields: {
        botToken: {
          label: "Bot token",
          hint: "Send /newbot to @BotFather in Telegram to get one.",
          required: "Enter the bot token",
          invalid: "Invalid bot token format",
        },
        chatId: {
          label: "Chat ID",
          hint: "The user, group or channel that receives the messages. Write to the bot or add it to the group first.",
          required: "Enter the chat ID",
        },
      },
    },
    resend: {
      name: "Resend email",
      fields: {
        apiKey: {
          label: "API key",
          hint: "Create one under API Keys in the Resend dashboard.",
          required: "Enter the API key",
          invalid: "The API key contains invalid characters",
        },
        from: {
          label: "Sender",
          hint: "An address, or Name <address>, on a domain verified with Resend.",
          required: "Enter the sender",
          invalid: "Invalid sender format: use an address, or Name <address>",
        },
        to: {
          label: "Recipients",
          hint: "Separate several addresses with commas",
          required: "Enter a recipient",
          invalid: "A recipient is not a valid email address",
        },
      },
    },
    webhook: {
      name: "Webhook",
      fields: {
        url: {
          label: "URL",
          hint: "Alerts are sent here as JSON by POST. Any 2xx answer counts as delivered. Redirects are not followed.",
          required: "Enter the URL",
          invalid: "Enter a valid address that starts with http:// or https://, without a user name and password",
        },
        headers: {
          label: "Headers",
          hint: "One “Name: value” per line, for example to authenticate. Once saved, only the end of each value is shown.",
          invalid: "A header has an invalid name or value. If the URL leads to another host, enter the values again.",
        },
        secret: {
          label: "Signing secret",
          hint: "If set, each request has an X-Wakeful-Signature with which the receiver can verify where it came from.",
          invalid: "Use at least 8 letters, digits and symbols, without spaces or accents",
        },
      },
    },
  },
  planned: { slack: "Slack", dingtalk: "DingTalk", wecom: "WeCom", feishu: "Feishu" },
  fieldRequired: "Enter {{label}}",
  fieldInvalid: "{{label}} is not valid",
};
