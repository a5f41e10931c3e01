import { createHmac } from "node:crypto";
import { channelKind } from "../../kind";
import { byCode } from "../../verdict";
import { secretUrl } from "../fields";

/** A robot that gets more than 20 messages in a minute is shut for ten minutes. */
const SHUT = 600;

/** The base64 HMAC-SHA256 of "time\nsecret", keyed with the secret. */
const signatureOf = (secret: string, now: number): string =>
  createHmac("sha256", secret).update(`${now}\n${secret}`).digest("base64");

/** @see https://open.dingtalk.com/document/robots/custom-robot-access */
export const dingtalk = channelKind({
  kind: "dingtalk",
  icon: "M6 3c3 3 7 5 13 6-1 3-3 5-5 6h3l-7 7 2-6H9l1-3C7 11 6 7 6 3",
  quotesAnswer: false,
  fields: [
    secretUrl("the https:// address of a robot", "https://oapi.dingtalk.com/robot/send?access_token=…"),
    {
      name: "secret",
      label: "signing secret",
      type: "text",
      secret: true,
      maxLength: 200,
      pattern: "[!-~]+",
      expected: "the robot's secret, which starts with SEC",
      example: "SEC…",
      sentTo: "url",
    },
  ],
  text: { flavour: "plain", limit: 18_000, unit: "bytes" },
  budget: [{ messages: 18, seconds: 60 }],

  request: ({ url = "", secret }, { text }, { now }) => {
    const address = new URL(url);
    if (secret) {
      address.searchParams.set("timestamp", String(now));
      address.searchParams.set("sign", signatureOf(secret, now));
    }
    return { url: address.href, chosenBy: "user", body: { msgtype: "text", text: { content: text } } };
  },

  // 310000: the signature, the keyword or the address is not accepted. 300001: there is no such robot.
  verdict: byCode({
    code: "errcode",
    reason: "errmsg",
    sent: 0,
    never: [310000, 300001, 300005, 40035],
    later: { 130101: SHUT, 130102: SHUT, 410100: SHUT },
  }),
});
