import type { Static } from "@sinclair/typebox";
import type { Config } from "../../../core/config";
import { boolean, component, integer, list, object, oneOf, optional, text } from "../../../server/answers";
import type { ChannelField } from "../../../shared/channel-fields";
import type { ChannelKind } from "./kind";
import { apprise } from "./kinds/apprise";
import { dingtalk } from "./kinds/chat/dingtalk";
import { discord } from "./kinds/chat/discord";
import { feishu } from "./kinds/chat/feishu";
import { googlechat } from "./kinds/chat/googlechat";
import { matrix } from "./kinds/chat/matrix";
import { mattermost } from "./kinds/chat/mattermost";
import { rocketchat } from "./kinds/chat/rocketchat";
import { slack } from "./kinds/chat/slack";
import { teams } from "./kinds/chat/teams";
import { telegram } from "./kinds/chat/telegram";
import { wecom } from "./kinds/chat/wecom";
import { resend } from "./kinds/mail/resend";
import { smtp } from "./kinds/mail/smtp";
import { pagerduty } from "./kinds/pagerduty";
import { bark } from "./kinds/push/bark";
import { gotify } from "./kinds/push/gotify";
import { ntfy } from "./kinds/push/ntfy";
import { pushover } from "./kinds/push/pushover";
import { pushplus } from "./kinds/push/pushplus";
import { serverchan } from "./kinds/push/serverchan";
import { webhook } from "./kinds/webhook";

/** Every kind of channel, in the order of the page. A new kind is a line here. */
const KINDS = [
  telegram,
  resend,
  webhook,
  smtp,
  slack,
  dingtalk,
  wecom,
  feishu,
  discord,
  teams,
  ntfy,
  gotify,
  bark,
  serverchan,
  pushplus,
  pushover,
  matrix,
  mattermost,
  rocketchat,
  googlechat,
  pagerduty,
  apprise,
] as const;

type RegisteredKind = (typeof KINDS)[number];

/** By the name that is stored as a channel's type. A row may hold the name of a kind that no longer exists. */
export const channelKinds = new Map<string, ChannelKind>(KINDS.map((kind) => [kind.kind, kind]));

/** The types that a channel may have. */
export const channelTypes = () => [...channelKinds.keys()] as [string, ...string[]];

export const ChannelKindForm = component("ChannelKind", {
  kind: oneOf("The type of its channels.", channelTypes()),
  icon: text("SVG path data on a grid of 24 × 24.", "M4 4h16v16H4z"),
  fields: list(
    object({
      name: text("Its name in a channel's config.", "botToken"),
      label: text("What it holds.", "bot token"),
      type: oneOf(
        "list: items separated by commas. headers: one `Name: value` in each line. template: a message template.",
        ["text", "list", "url", "headers", "choice", "template"],
      ),
      choices: optional(list(text("A value of a choice.", "starttls"))),
      initial: optional(text("The choice that counts where none is made.", "POST")),
      format: optional(text("Of a template: the field with its format: json, form or text.", "format")),
      required: optional(boolean("Whether a channel needs it; false when absent.", true)),
      secret: optional(boolean("Whether it is masked when read; of headers, each value. False when absent.", true)),
      maxLength: integer("The maximum number of characters.", 200),
      pattern: optional(text("A regular expression that the text, or each item of a list, must match.", "[!-~]+")),
      expected: optional(text("What is expected of it.", "visible ASCII characters")),
      example: text("An example.", "123456789:AAE…"),
      code: optional(text("The stem of its error codes; its name in snake case when absent.", "sender")),
      sentTo: optional(
        text(
          "The field with the destination of this secret: a stored one is kept only while the host there is the same.",
          "url",
        ),
      ),
    }),
  ),
  quotesAnswer: boolean("Whether the provider's answer to a successful test message is worth showing.", false),
  takesReports: boolean(
    "Whether reports may be sent to its channels, whose receivers may be for incidents only.",
    true,
  ),
});

/** A field as a user of this role has to fill it in. */
export const requiredFor = (
  { requiredOfUsers, ...field }: ChannelKind["fields"][number],
  role: "admin" | "user",
): ChannelField => ({ ...field, ...(requiredOfUsers && role === "user" && { required: true }) });

/** The kinds as the page of a user of this role needs them to draw and check their forms. */
export const channelForms = (role: "admin" | "user"): Static<typeof ChannelKindForm>[] =>
  [...channelKinds.values()].map(({ kind, icon, fields, quotesAnswer, reports = true }) => ({
    kind,
    icon,
    fields: fields
      .map((field) => requiredFor(field, role))
      .map(({ choices, ...field }) => ({ ...field, ...(choices && { choices: [...choices] }) })),
    quotesAnswer,
    takesReports: reports,
  }));

/** The texts of one language for every kind and its fields. */
export type ChannelWords = {
  [K in RegisteredKind as K["kind"]]: {
    name: string;
    fields: { [F in K["fields"][number]["name"]]: FieldWords };
  };
};
type FieldWords = {
  label: string;
  hint: string;
  required?: string;
  invalid?: string;
  /** The values of a choice. */
  choices?: Record<string, string>;
};

/** The id of the built-in channel. */
export const BUILT_IN_ID = 0;

/**
 * The operator's channel from TELEGRAM_BOT_TOKEN and TELEGRAM_CHAT_ID, for administrators only; null if it is not set up. It
 * is not stored.
 */
export const builtInChannel = ({ telegramDefault }: Pick<Config, "telegramDefault">, role: "admin" | "user") =>
  role === "admin" && telegramDefault
    ? { id: BUILT_IN_ID, name: "Telegram", type: "telegram", config: telegramDefault, enabled: true }
    : null;
