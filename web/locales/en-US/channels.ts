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
          hint: "Alerts are sent here as JSON. Any 2xx answer counts as delivered. Redirects are not followed.",
          required: "Enter the URL",
          invalid: "Enter a valid address that starts with http:// or https://, without a user name and password",
        },
        method: {
          label: "Method",
          hint: "GET sends no body: what happened is in the header X-Wakeful-Event.",
          choices: { POST: "POST", PUT: "PUT", GET: "GET" },
        },
        format: {
          label: "Format of the body",
          hint: "Counts only with a body of your own.",
          choices: { json: "JSON", form: "Form", text: "Plain text" },
        },
        body: {
          label: "Body",
          hint: "Leave empty for the JSON that the API document describes. Otherwise a template: in JSON end each variable with json, or with json_text within quotation marks; in a form with url.",
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
        previousSecret: {
          label: "Previous signing secret",
          hint: "While you replace the secret, requests are signed with both. Clear it once the receiver uses the new one.",
          invalid: "Use at least 8 letters, digits and symbols, without spaces or accents",
        },
      },
    },
    smtp: {
      name: "Email (SMTP)",
      fields: {
        host: { label: "Mail server", hint: "The SMTP server that sends your mail." },
        security: {
          label: "Encryption",
          hint: "Most servers use STARTTLS.",
          choices: { starttls: "STARTTLS", tls: "TLS", none: "None" },
        },
        port: { label: "Port", hint: "587, 465 or 25 if left empty, depending on the encryption." },
        user: { label: "Username", hint: "If the server requires one, usually your email address." },
        password: { label: "Password", hint: "Many providers require an app password here." },
        from: { label: "Sender", hint: "An address, or Name <address>." },
        to: { label: "Recipients", hint: "Separate several addresses with commas" },
      },
    },
    slack: {
      name: "Slack",
      fields: { url: { label: "Webhook URL", hint: "Create one under Incoming Webhooks of a Slack app." } },
    },
    dingtalk: {
      name: "DingTalk",
      fields: {
        url: { label: "Webhook URL", hint: "Add a custom robot in the group’s settings to get one." },
        secret: {
          label: "Signing secret",
          hint: "The robot’s secret, which starts with SEC, if its security setting is a signature.",
        },
      },
    },
    wecom: {
      name: "WeCom",
      fields: { url: { label: "Webhook URL", hint: "Add a group robot to the chat to get one." } },
    },
    feishu: {
      name: "Feishu / Lark",
      fields: {
        url: { label: "Webhook URL", hint: "Add a custom bot in the group’s settings to get one." },
        secret: { label: "Signing secret", hint: "If signature verification is on for the bot." },
      },
    },
    discord: {
      name: "Discord",
      fields: { url: { label: "Webhook URL", hint: "Create one under Integrations in the channel’s settings." } },
    },
    teams: {
      name: "Microsoft Teams",
      fields: {
        url: {
          label: "Workflow URL",
          hint: "Choose “Post to a channel when a webhook request is received” under Workflows of the channel.",
        },
      },
    },
    ntfy: {
      name: "ntfy",
      fields: {
        server: { label: "Server", hint: "The public server is https://ntfy.sh. Your own works as well." },
        topic: {
          label: "Topic",
          hint: "Anyone who knows the topic receives the messages, so choose one that is hard to guess.",
        },
        token: { label: "Access token", hint: "If the topic is protected." },
      },
    },
    gotify: {
      name: "Gotify",
      fields: {
        server: { label: "Server", hint: "The address of your Gotify server." },
        token: { label: "Application token", hint: "Create an application under Apps to get one." },
      },
    },
    bark: {
      name: "Bark",
      fields: {
        server: { label: "Server", hint: "The official server is https://api.day.app. Your own works as well." },
        deviceKey: { label: "Device key", hint: "The part after the host in the address that the app shows." },
      },
    },
    serverchan: {
      name: "ServerChan",
      fields: { sendKey: { label: "Send key", hint: "Sign in to ServerChan and copy it from the SendKey page." } },
    },
    pushplus: {
      name: "PushPlus",
      fields: {
        token: { label: "Token", hint: "Sign in to PushPlus and copy it." },
        topic: { label: "Group code", hint: "Sends to this group instead of to you." },
      },
    },
    pushover: {
      name: "Pushover",
      fields: {
        token: { label: "Application token", hint: "Create an application on the Pushover website to get one." },
        user: { label: "User or group key", hint: "Shown on the Pushover website after you sign in." },
      },
    },
    matrix: {
      name: "Matrix",
      fields: {
        server: { label: "Server", hint: "The address of the bot’s homeserver." },
        accessToken: { label: "Access token", hint: "Of a bot account rather than your own." },
        room: {
          label: "Room ID",
          hint: "In the room’s advanced settings; it starts with !. Encrypted rooms are not supported.",
        },
      },
    },
    mattermost: {
      name: "Mattermost",
      fields: { url: { label: "Webhook URL", hint: "Create an incoming webhook under Integrations." } },
    },
    rocketchat: {
      name: "Rocket.Chat",
      fields: { url: { label: "Webhook URL", hint: "Create an incoming webhook under Integrations." } },
    },
    googlechat: {
      name: "Google Chat",
      fields: { url: { label: "Webhook URL", hint: "Add a webhook under Apps & integrations of the space." } },
    },
    pagerduty: {
      name: "PagerDuty",
      fields: {
        routingKey: { label: "Integration key", hint: "Add an Events API V2 integration to a service to get one." },
        region: { label: "Service region", hint: "US if left empty.", choices: { us: "US", eu: "EU" } },
      },
    },
    apprise: {
      name: "Apprise",
      fields: {
        server: { label: "Server", hint: "The address of your Apprise API server." },
        configKey: { label: "Configuration key", hint: "The key of a configuration stored on the server." },
      },
    },
  },
  fieldRequired: "Enter {{label}}",
  fieldInvalid: "{{label}} is not valid",
};
