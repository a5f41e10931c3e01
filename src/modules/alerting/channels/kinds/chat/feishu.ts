import { createHmac } from "node:crypto";
import { channelKind, type Severity, severityOf } from "../../kind";
import type { MessageAction } from "../../text";
import { byCode } from "../../verdict";
import { HEADER_TEXT, secretUrl } from "../fields";

const MINUTE = 60;
const TEMPLATES: Record<Severity, string> = { critical: "red", warning: "orange", resolved: "green", info: "purple" };

/** The base64 HMAC-SHA256 of an empty text, keyed with "time\nsecret". */
const signatureOf = (secret: string, seconds: number): string =>
  createHmac("sha256", `${seconds}\n${secret}`).digest("base64");

const button = ({ label, url }: MessageAction) => ({
  tag: "button",
  type: "primary",
  text: { tag: "plain_text", content: label },
  url,
});

/**
 * A custom bot of Feishu or Lark.
 * @see https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
 */
export const feishu = channelKind({
  kind: "feishu",
  icon: "M3 9c4 5 9 8 14 7 2-.5 3-2 4-4-3-1-5 0-7 2M7 4h6c2 2 3 4 3.5 7M7 4c3 2 5 5 6 8",
  quotesAnswer: false,
  fields: [
    secretUrl("the https:// address of a custom bot", "https://open.feishu.cn/open-apis/bot/v2/hook/…"),
    {
      name: "secret",
      label: "signing secret",
      type: "text",
      secret: true,
      maxLength: 200,
      ...HEADER_TEXT,
      example: "…",
      sentTo: "url",
    },
  ],
  text: { flavour: "plain", limit: 15_000, unit: "bytes" },
  budget: [
    { messages: 4, seconds: 1 },
    { messages: 90, seconds: 60 },
  ],

  request: ({ url = "", secret }, message, { now }) => {
    const seconds = Math.floor(now / 1000);
    return {
      url,
      chosenBy: "user",
      body: {
        ...(secret && { timestamp: String(seconds), sign: signatureOf(secret, seconds) }),
        msg_type: "interactive",
        card: {
          header: { template: TEMPLATES[severityOf(message)], title: { tag: "plain_text", content: message.title } },
          elements: [
            { tag: "div", text: { tag: "plain_text", content: message.body } },
            ...(message.action ? [{ tag: "action", actions: [button(message.action)] }] : []),
          ],
        },
      },
    };
  },

  // 19021: the signature or the clock. 19022: the address. 19024: the keyword. 19001: there is no such bot.
  verdict: byCode({
    code: "code",
    reason: "msg",
    sent: 0,
    never: [19001, 19021, 19022, 19024],
    later: { 11232: MINUTE, 9499: MINUTE },
  }),
});
