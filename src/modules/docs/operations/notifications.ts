import { LANGUAGES, METRICS } from "../../../shared/alerts";
import { CHECK_ERROR_CODES } from "../../../shared/check-error";
import { channelTypes, describeConfigs } from "../../notifications/channels/registry";
import type { Part } from "../operation";
import {
  flag,
  id,
  list,
  map,
  nullable,
  number,
  object,
  oneOf,
  ref,
  type Schema,
  success,
  text,
  time,
  whole,
} from "../schema";
import { settingSchemas } from "./setting-schemas";

const KINDS = [
  "down",
  "recovery",
  "offline",
  "online",
  ...METRICS.flatMap((metric) => [`${metric}_high`, `${metric}_normal`]),
];
const ofTarget = {
  type: oneOf("What it is about.", ["monitor", "agent"]),
  id: id("Its id.", 3),
  name: text("What it was called then.", "Payments API"),
};
const orNull = (schema: Schema): Schema => ({ ...nullable(schema), examples: [null] });

const channelFields = {
  name: "1 to 100 characters.",
  type: `One of ${channelTypes().join(", ")}.`,
  enabled: "Whether it is used; true unless said.",
  config: `An object, or its JSON text. ${describeConfigs()} Sending the mask of a secret back keeps the stored one.`,
};
const channel = {
  name: "On call",
  type: "telegram",
  enabled: true,
  config: { botToken: "123456:abcdefghijklmnopqrstuvwxyz0123456789", chatId: "-100123456" },
};
const saved = text("What was done.", "The channel is saved.");

export const notifications: Part = {
  tag: "Alerts",
  description: "Who is told of what, through which channels, and what was told.",
  schemas: {
    ...settingSchemas,
    Channel: object({
      id: whole("The channel's id; 0 is the built-in one.", 2),
      name: text("Its name.", "On call"),
      type: oneOf("What kind it is.", channelTypes()),
      config: map(text("A secret is masked but for its end.", "••••6789"), "How to reach it.", "botToken"),
      enabled: flag("Whether it is used.", true),
      default: flag("Whether it is the built-in one, which cannot be changed.", false),
      problem: orNull(
        text("Why its provider refuses for good, until a message gets through again.", "401: Unauthorized"),
      ),
      created_at: nullable(time("When it was made; null for the built-in one.")),
      updated_at: nullable(time("When it was changed last.")),
    }),
    ChannelKind: object({
      kind: oneOf("The type of its channels.", channelTypes()),
      icon: text("SVG path data on a grid of 24 × 24.", "M4 4h16v16H4z"),
      fields: list(
        object(
          {
            name: text("Its name in a channel's config.", "botToken"),
            label: text("What it holds.", "bot token"),
            type: oneOf("list: items separated by commas. headers: one `Name: value` in each line.", [
              "text",
              "list",
              "url",
              "headers",
            ]),
            required: flag("Whether a channel needs it; false when absent.", true),
            secret: flag("Whether it is masked when read; of headers, each value. False when absent.", true),
            maxLength: whole("How many characters it may have.", 200),
            pattern: text("A regular expression that the text, or each item of a list, has to match.", "[!-~]+"),
            expected: text("What is expected of it.", "visible ASCII characters"),
            example: text("An example.", "123456789:AAE…"),
            code: text("The stem of its error codes; its name in snake case when absent.", "sender"),
            sentTo: text("The url field to whose origin this secret is sent: a stored one stays only with it.", "url"),
          },
          ["required", "secret", "pattern", "expected", "code", "sentTo"],
        ),
      ),
      quotesAnswer: flag("Whether a test message that succeeds is worth quoting the provider's answer.", false),
    }),
    Template: object({
      id: id("Its number.", 9),
      name: oneOf("What it is for.", KINDS),
      type: oneOf("Its language.", LANGUAGES, "en-US"),
      subject: text("Its first line.", "Down: Shop"),
      content: text("The rest.", "status 503, expected 200"),
      is_default: flag("Always true: templates cannot be changed.", true),
    }),
    Delivery: object({
      id: id("Its id.", 31),
      channel: object({
        id: whole("The channel's id.", 2),
        name: text("Its name then.", "On call"),
        type: oneOf("Its kind.", channelTypes()),
      }),
      state: oneOf("How far it is.", ["sent", "pending", "failed"]),
      attempts: whole("How often it was tried.", 1),
      error: orNull(text("What the provider said to the last attempt, unless it was a yes.", "503: no reason given")),
      created_at: time("When it was decided on."),
      next_attempt_at: orNull(time("When it is tried next; null when it is over.")),
      ended_at: nullable(time("When it was sent or given up.")),
    }),
    Event: object({
      id: id("Its id.", 21),
      kind: oneOf("What happened.", KINDS),
      target: object(ofTarget),
      at: time("When."),
      since: nullable(time("When the state that ended began.", "2026-01-15T12:05:00.000Z")),
      error: nullable(text("Why a monitor went down.", "status 503, expected 200")),
      error_code: orNull(oneOf("The cause, as a code that never changes.", CHECK_ERROR_CODES)),
      error_detail: orNull(
        map({ type: ["string", "number"], examples: [503] }, "The parameters of the cause, by name.", "actual"),
      ),
      figure: orNull(number("What was measured, in percent.", 96.5)),
      threshold: orNull(number("What it was measured against, in percent.", 90)),
      mount: orNull(text("The disk that is full.", "/var")),
      deliveries: list(ref("Delivery"), "Who was told."),
    }),
  },
  operations: {
    "GET /api/notifications": {
      id: "getNotifications",
      summary: "Read channels and settings",
      description: "One's own. Secrets are masked.",
      access: "user",
      answer: {
        description: "All there is to set.",
        schema: success({
          data: object({
            channels: list(ref("Channel")),
            kinds: list(ref("ChannelKind"), "What a channel can be, with the fields of its config."),
            templates: list(ref("Template"), "What messages look like, with made-up events."),
            settings: ref("Settings"),
          }),
        }),
      },
    },
    "GET /api/notifications/history": {
      id: "listEvents",
      summary: "Read what happened and who was told",
      access: "user",
      fields: {
        before: "Only events older than the one with this id: `next` of the page before.",
        limit: "At most so many: 1 to 200, 50 unless said.",
      },
      parameters: { limit: 20 },
      answer: {
        description: "A page of events, newest first.",
        schema: success({
          events: list(ref("Event")),
          next: nullable(whole("What to send as `before` for the next page; null on the last one.", 21)),
        }),
      },
    },
    "POST /api/notifications/settings": {
      id: "saveSetting",
      summary: "Choose what is told of one target",
      description: "What is left out stays as it was. Flags may also be 0 or 1.",
      access: "user",
      fields: {
        target_type: "All monitors, all servers, one monitor or one server.",
        target_id: "The id of the one monitor or server.",
        enabled: "Whether anything is told.",
        on_down: "When a monitor goes down.",
        on_recovery: "When it is well again.",
        on_offline: "When a server falls silent.",
        on_cpu_threshold: "When CPU crosses its threshold.",
        cpu_threshold: "In percent.",
        on_memory_threshold: "When memory crosses its threshold.",
        memory_threshold: "In percent.",
        on_disk_threshold: "When the fullest disk crosses its threshold.",
        disk_threshold: "In percent.",
        channels: "Ids of one's own channels, or the JSON text of such a list.",
        override_global: "For a single one: whether this counts in place of what is set for all.",
      },
      body: { target_type: "global-monitor", enabled: true, on_down: true, on_recovery: true, channels: [] },
      answer: { description: "The setting is saved.", schema: success() },
      refusals: ["not_found"],
    },
    "POST /api/notifications/channels": {
      id: "createChannel",
      summary: "Make a channel",
      access: "user",
      fields: channelFields,
      body: channel,
      answer: {
        status: 201,
        description: "The channel is made.",
        schema: success({ message: saved, data: object({ id: id("The channel's id.", 2) }) }),
      },
      refusals: ["session_required", "quota_reached"],
    },
    "POST /api/notifications/channels/test": {
      id: "testUnsavedChannel",
      summary: "Send a test message without saving",
      access: "session",
      fields: { ...channelFields, id: "A stored channel, whose secrets stand behind their masks." },
      body: { type: channel.type, config: channel.config },
      answer: {
        description: "The message is sent.",
        schema: success({ message: text("What the provider said.", "ok") }),
      },
      refusals: ["not_found", "provider_refused", "hub_unavailable"],
    },
    "POST /api/notifications/channels/{id}/test": {
      id: "testChannel",
      summary: "Send a test message",
      access: "user",
      fields: { id: "The channel's id; 0 is the built-in one." },
      answer: {
        description: "The message is sent.",
        schema: success({ message: text("What the provider said.", "ok") }),
      },
      refusals: ["provider_refused", "hub_unavailable"],
    },
    "PUT /api/notifications/channels/{id}": {
      id: "updateChannel",
      summary: "Change a channel",
      access: "user",
      fields: { id: "The channel's id.", ...channelFields },
      body: channel,
      answer: { description: "The channel is changed.", schema: success({ message: saved }) },
      refusals: ["session_required"],
    },
    "DELETE /api/notifications/channels/{id}": {
      id: "deleteChannel",
      summary: "Delete a channel",
      description: "What was still on its way there ends.",
      access: "user",
      fields: { id: "The channel's id." },
      answer: { description: "The channel is gone.", schema: success() },
      refusals: ["session_required"],
    },
  },
};
