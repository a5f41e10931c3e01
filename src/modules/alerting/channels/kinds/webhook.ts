import { createHmac } from "node:crypto";
import { type Static, Type } from "@sinclair/typebox";
import { isoTime } from "../../../../lib/time";
import {
  boolean,
  checkErrorCode,
  component,
  errorDetail,
  id,
  list,
  nullable,
  number,
  oneOf,
  optional,
  text,
  time,
} from "../../../../server/answers";
import { headersOf } from "../../../../shared/channel-fields";
import { presentError, storedError } from "../../../../shared/check-error";
import { MINUTE } from "../../../../shared/limits";
import { deliveryError, EVENT_KINDS, REPORT_EVENT } from "../../../../shared/notifications";
import { TEMPLATE_LIMITS } from "../../../../shared/template/variables";
import { partFields, presentPart } from "../../facts";
import { type ChannelMessage, channelKind, type DeliveryResult } from "../kind";
import { ReportFigures } from "../report-figures";
import { rejection } from "../verdict";

/** An address that answers this may have moved for good, or be restarting: a deployment often answers 404 for a moment. */
const GIVE_UP = { attempts: 3, age: 10 * MINUTE };
/** Formats of a body template, with their media types. */
const FORMATS = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  text: "text/plain; charset=utf-8",
} as const;
const isFormat = (name: string): name is keyof typeof FORMATS => Object.hasOwn(FORMATS, name);
/** Characters of a rendered template; beyond them the default is sent. */
const MAX_BODY = 262_144;

const MAY_PASS = [408, 409, 423, 425, 429];

const figure = (description: string, example: number) => nullable(number(description, example), null);

const Event = oneOf("What happened; `report` for a report, and `test` for a test message.", [
  ...EVENT_KINDS,
  REPORT_EVENT,
  "test" as const,
]);
const Key = text("Identifies the delivery: the same when it is sent again.", "wakeful-21-31-1768479600000");

/** The headers besides the channel's, also with a template for the body. */
const HEADERS = {
  "X-Wakeful-Event": Event,
  "X-Wakeful-Delivery": Key,
  "X-Wakeful-Signature": optional(
    text(
      "With a signing secret: `t=<Unix seconds>,v1=<hex>`, where the digits are the HMAC-SHA256 of the time, a dot and the body. With a previous secret, a second `v1` follows.",
      "t=1768479600,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
    ),
  ),
};

/** The JSON that is sent. Members may be added, and are never renamed or removed. */
const WebhookPayload = component("WebhookPayload", {
  event: Event,
  key: Key,
  at: time("When it happened."),
  title: text("The message's first line, in the language of the channel's owner.", "🔴 Shop is down"),
  lines: list(text("A line.", "Reason: status 503, expected 200"), "The message's other lines."),
  text: text("Title, lines and link as one text.", "🔴 Shop is down\nReason: status 503, expected 200"),
  link: nullable(
    text("Its page in Wakeful; null while the public address is not known.", "https://watch.example.com/monitors/3"),
  ),
  acknowledge_link: nullable(
    text(
      "A page that acknowledges the outage; null where there is none.",
      "https://watch.example.com/acknowledge/12?t=…",
    ),
  ),
  target: nullable(
    Type.Object(
      {
        type: oneOf("A monitor, or the agent of a server.", ["monitor", "agent"]),
        id: id("Its id.", 3),
        name: text("Its name.", "Shop"),
      },
      { description: "The monitor or server; null for a report and a test." },
    ),
  ),
  since: nullable(time("When the outage began, or the state that ended.")),
  error: nullable(text("What the check found, in English.", "status 503, expected 200")),
  error_code: checkErrorCode("The same as a code that never changes."),
  error_detail: nullable(errorDetail(503, "actual")),
  figure: figure("What was measured, in percent, °C, load per core, or days.", 96.5),
  threshold: figure("Its threshold, in the same unit.", 90),
  mount: nullable(text("The disk's mount point.", "/var"), null),
  ...partFields,
  drill: boolean("Whether it was sent on request, to try who is notified: nothing has happened then.", false),
  report: Type.Union([ReportFigures, Type.Null()], {
    description: "Of a report, its figures; null for other messages.",
    examples: [null],
  }),
});

/** The name of the event of a message. */
const nameOf = ({ event, report }: ChannelMessage): Static<typeof Event> =>
  event?.kind ?? (report ? REPORT_EVENT : "test");

const payloadOf = (message: ChannelMessage, key: string, now: number): Static<typeof WebhookPayload> => {
  const { title, lines, link, action, text, event, report } = message;
  return {
    event: nameOf(message),
    key,
    at: isoTime(event?.at ?? now),
    title,
    lines,
    text,
    link,
    acknowledge_link: action?.url ?? null,
    target: event && { type: event.targetType, id: event.targetId, name: event.targetName },
    since: event?.since == null ? null : isoTime(event.since),
    ...presentError(event && storedError(event)),
    figure: event?.figure ?? null,
    threshold: event?.threshold ?? null,
    mount: event?.mount ?? null,
    ...presentPart(event ?? { subject: "", facts: null }),
    drill: event?.drill ?? false,
    report: report ?? null,
  };
};

/** The body by the channel's template with its media type; the default JSON without a template. */
const contentOf = (
  { body = "", format = "" }: Readonly<Record<string, string>>,
  message: ChannelMessage,
  key: string,
  now: number,
): { type: string; body: string } => {
  const filled = body === "" ? undefined : message.fill?.(body);
  if (filled !== undefined && filled.length <= MAX_BODY)
    return { type: FORMATS[isFormat(format) ? format : "json"], body: filled };
  return { type: FORMATS.json, body: JSON.stringify(payloadOf(message, key, now)) };
};

/**
 * `t=<Unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`, with one `v1` for each secret. The time is signed, so that a receiver
 * can refuse old copies.
 */
export const signatureOf = (secrets: readonly string[], body: string, now: number): string => {
  const seconds = Math.floor(now / 1000);
  const sign = (secret: string) => createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
  return [`t=${seconds}`, ...secrets.map((secret) => `v1=${sign(secret)}`)].join(",");
};

const SECRET = {
  type: "text",
  secret: true,
  maxLength: 200,
  pattern: "[!-~]{8,}",
  expected: "8 or more visible ASCII characters",
  example: "whsec_…",
} as const;

export const webhook = channelKind({
  kind: "webhook",
  icon: "M9.5 8.5a3.5 3.5 0 1 1 5.2 1.2l3 5.3M12 6.5L8.5 13a3.5 3.5 0 1 0 1.6 5.2M18 17.5h-7M17.7 15a3 3 0 1 1-1.2 5.4",
  quotesAnswer: true,
  sends: { body: WebhookPayload, headers: HEADERS },
  fields: [
    {
      name: "url",
      label: "URL",
      type: "url",
      required: true,
      maxLength: 2000,
      expected: "an http:// or https:// address without a user name and password",
      example: "https://example.com/hooks/wakeful",
    },
    {
      name: "headers",
      label: "list of headers",
      type: "headers",
      secret: true,
      maxLength: 2000,
      expected:
        "one `Name: value` in each line, at most 20, in ASCII; enter the values again when the URL leads to another host",
      example: "Authorization: Bearer …",
      sentTo: "url",
    },
    {
      name: "method",
      label: "method",
      type: "choice",
      choices: ["POST", "PUT", "GET"],
      initial: "POST",
      maxLength: 4,
      expected: "POST, PUT or GET; GET sends no body",
      example: "POST",
    },
    {
      name: "format",
      label: "format of the body template",
      type: "choice",
      choices: Object.keys(FORMATS),
      initial: "json",
      maxLength: 4,
      expected: "json, form or text",
      example: "json",
    },
    {
      name: "body",
      label: "body template",
      type: "template",
      format: "format",
      maxLength: TEMPLATE_LIMITS.webhookBody,
      expected:
        "a message template; in JSON each placeholder ends with the filter json, or json_text within quotation marks, and in a form with url",
      example: '{"text": {{title | json}}}',
    },
    { ...SECRET, name: "secret", label: "signing secret" },
    { ...SECRET, name: "previousSecret", label: "previous signing secret" },
  ],
  text: { flavour: "plain", limit: 4000 },
  grouped: false,

  request: (config, message, { key, now }) => {
    const { url = "", headers = "", secret, previousSecret, method } = config;
    const content = contentOf(config, message, key, now);
    const body = method === "GET" ? "" : content.body;
    const secrets = [secret, previousSecret].filter((one) => one !== undefined);
    return {
      url,
      ...((method === "PUT" || method === "GET") && { method }),
      chosenBy: "user",
      headers: {
        "content-type": content.type,
        ...Object.fromEntries(headersOf(headers)),
        "x-wakeful-event": nameOf(message),
        "x-wakeful-delivery": key,
        ...(secrets.length > 0 && { "x-wakeful-signature": signatureOf(secrets, body, now) }),
      },
      body,
    };
  },

  verdict: ({ status, text, retryAfter }, { number, age }): DeliveryResult => {
    const words = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
    if (status >= 200 && status < 300) return { sent: true, reply: words ? `${status}: ${words}` : String(status) };
    const isRedirect = status >= 300 && status < 400;
    const error = isRedirect ? deliveryError("redirected", { status }) : rejection(status, words);
    const isWrong = status >= 300 && status < 500 && !MAY_PASS.includes(status);
    const refused = status === 410 || (isWrong && number >= GIVE_UP.attempts && age >= GIVE_UP.age);
    return { sent: false, error, refused, ...(retryAfter && { retryAfter }) };
  },
});
