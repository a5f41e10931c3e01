/** Notifications of Uptime Kuma, whose settings have the names of their providers' forms. */
import type { ChannelConfig } from "../../../../shared/channel-fields";
import type { Item, Note } from "../source";
import { clean, type Fields, flagIn, jsonIn, note, numberIn, recordOf, textOf } from "../text";
import type { KumaRows } from "./rows";

type Mapped = { type: string; config: ChannelConfig; notes?: Note[] };
type Provider = (config: Fields) => Mapped;

/** A provider whose settings have other names only. */
const renamed =
  (type: string, names: Record<string, string>): Provider =>
  (config) => ({
    type,
    config: Object.fromEntries(Object.entries(names).map(([ours, theirs]) => [ours, textOf(config, theirs).trim()])),
  });

const leftOut = (config: Fields, ...names: string[]): Note[] =>
  names.flatMap((name) => (textOf(config, name).trim() === "" ? [] : [note("field_left_out", name)]));

const telegram: Provider = (config) => ({
  ...renamed("telegram", { botToken: "telegramBotToken", chatId: "telegramChatID" })(config),
  notes: [
    ...leftOut(config, "telegramMessageThreadID"),
    ...(/^(https:\/\/api\.telegram\.org\/?)?$/.test(textOf(config, "telegramServerUrl").trim())
      ? []
      : [note("field_left_out", "telegramServerUrl")]),
    ...(flagIn(config, "telegramUseTemplate") ? [note("template_left_out")] : []),
  ],
});

/** `"Name" <address>` as it is written here: without quotation marks. */
const senderOf = (text: string): string => text.replaceAll('"', "").trim();

const smtp: Provider = (config) => {
  const copies = [textOf(config, "smtpTo"), textOf(config, "smtpCC"), textOf(config, "smtpBCC")];
  const isDirect = flagIn(config, "smtpSecure");
  return {
    type: "smtp",
    config: {
      host: textOf(config, "smtpHost").trim(),
      port: textOf(config, "smtpPort").trim(),
      security: isDirect ? "tls" : flagIn(config, "smtpIgnoreSTARTTLS") ? "none" : "starttls",
      user: textOf(config, "smtpUsername"),
      password: textOf(config, "smtpPassword"),
      from: senderOf(textOf(config, "smtpFrom")),
      to: copies.filter((text) => text.trim() !== "").join(", "),
    },
    notes: [
      ...(copies.slice(1).some((text) => text.trim() !== "")
        ? [note("field_left_out", "smtpCC, smtpBCC: they are recipients here")]
        : []),
      ...(textOf(config, "customSubject") || textOf(config, "customBody") ? [note("template_left_out")] : []),
    ],
  };
};

const webhook: Provider = (config) => {
  const method = textOf(config, "httpMethod").toUpperCase();
  const headers = Object.entries(recordOf(jsonIn(config, "webhookAdditionalHeaders")));
  const isOwn = textOf(config, "webhookContentType") === "custom";
  return {
    type: "webhook",
    config: {
      url: textOf(config, "webhookURL").trim(),
      headers: headers.map(([name, value]) => `${name}: ${value}`).join("\n"),
      ...(["PUT", "GET"].includes(method) && { method }),
    },
    notes: [isOwn ? note("template_left_out") : note("payload_differs")],
  };
};

const discord: Provider = (config) => {
  const url = URL.parse(textOf(config, "discordWebhookUrl").trim());
  const thread = textOf(config, "threadId").trim();
  if (url && thread !== "") url.searchParams.set("thread_id", thread);
  return { type: "discord", config: { url: url?.href ?? textOf(config, "discordWebhookUrl") } };
};

const ntfy: Provider = (config) => ({
  ...renamed("ntfy", { server: "ntfyserverurl", topic: "ntfytopic", token: "ntfyaccesstoken" })(config),
  notes:
    textOf(config, "ntfyAuthenticationMethod") === "usernamePassword"
      ? [note("secret_missing", "an access token, because ntfy is not used with a password here,")]
      : [],
});

/** The address of a device has its key as the last part. */
const bark: Provider = (config) => {
  const url = URL.parse(textOf(config, "barkEndpoint").trim());
  const parts = url?.pathname.split("/").filter((part) => part !== "") ?? [];
  const deviceKey = parts.pop() ?? "";
  return {
    type: "bark",
    config: { server: url ? [url.origin, ...parts].join("/") : "", deviceKey },
    notes: leftOut(config, "barkGroup", "barkSound"),
  };
};

const wecom: Provider = (config) => {
  const key = textOf(config, "weComBotKey").trim();
  return {
    type: "wecom",
    config: { url: /^https:/.test(key) ? key : `https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=${key}` },
  };
};

const pagerduty: Provider = (config) => ({
  type: "pagerduty",
  config: {
    routingKey: textOf(config, "pagerdutyIntegrationKey").trim(),
    ...(/\.eu\./.test(textOf(config, "pagerdutyIntegrationUrl")) && { region: "eu" }),
  },
});

const resend: Provider = (config) => {
  const name = textOf(config, "resendFromName").trim();
  const address = textOf(config, "resendFromEmail").trim();
  return {
    type: "resend",
    config: {
      apiKey: textOf(config, "resendApiKey").trim(),
      from: senderOf(name && !address.includes("<") ? `${name} <${address}>` : address),
      to: textOf(config, "resendToEmail").trim(),
    },
  };
};

const PROVIDERS: Record<string, Provider> = {
  telegram,
  smtp,
  webhook,
  discord,
  slack: renamed("slack", { url: "slackwebhookURL" }),
  DingDing: renamed("dingtalk", { url: "webHookUrl", secret: "secretKey" }),
  WeCom: wecom,
  Feishu: renamed("feishu", { url: "feishuWebHookUrl", secret: "feishuSignSecret" }),
  ntfy,
  gotify: renamed("gotify", { server: "gotifyserverurl", token: "gotifyapplicationToken" }),
  pushover: renamed("pushover", { token: "pushoverapptoken", user: "pushoveruserkey" }),
  Bark: bark,
  ServerChan: renamed("serverchan", { sendKey: "serverChanSendKey" }),
  PushPlus: renamed("pushplus", { token: "pushPlusSendKey" }),
  matrix: renamed("matrix", { server: "homeserverUrl", accessToken: "accessToken", room: "internalRoomId" }),
  mattermost: renamed("mattermost", { url: "mattermostWebhookUrl" }),
  teams: renamed("teams", { url: "webhookUrl" }),
  PagerDuty: pagerduty,
  "rocket.chat": renamed("rocketchat", { url: "rocketwebhookURL" }),
  GoogleChat: renamed("googlechat", { url: "googleChatWebhookURL" }),
  Resend: resend,
};

/** The longest name of a channel. */
const NAME_LENGTH = 100;

const itemOf = (id: number, row: Fields): Item => {
  const config = recordOf(jsonIn(row, "config"));
  const kind = clean(config.type, 50);
  const name = clean(row.name ?? config.name, NAME_LENGTH) || `${kind} ${id}`;
  const item = { part: "channels" as const, externalId: `channel:${id}`, name, kind };
  const provider = Object.hasOwn(PROVIDERS, kind) ? PROVIDERS[kind] : undefined;
  if (!provider) return { ...item, content: null, notes: [note("provider_unsupported", kind || "it")] };
  const { type, config: fields, notes = [] } = provider(config);
  const filled = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
  const isOff = notes.some(({ code }) => code === "secret_missing");
  const content = { id, name, type, enabled: flagIn(row, "active") && !isOff, config: filled };
  return { ...item, content, notes };
};

export const channelItems = ({ notification }: KumaRows): Item[] =>
  notification.flatMap((row) => {
    const id = numberIn(row, "id");
    return id === null ? [] : [itemOf(id, row)];
  });
