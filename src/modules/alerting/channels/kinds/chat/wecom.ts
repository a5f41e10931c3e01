import { channelKind } from "../../kind";
import { byCode } from "../../verdict";
import { secretUrl } from "../fields";

const MINUTE = 60;

/** @see https://developer.work.weixin.qq.com/document/path/91770 */
export const wecom = channelKind({
  kind: "wecom",
  icon: "M10 4c4.4 0 8 2.7 8 6s-3.6 6-8 6c-.9 0-1.8-.1-2.6-.3L4 18l.8-3.2C3.1 13.7 2 11.9 2 10c0-3.3 3.6-6 8-6M16 15l2 2 2-2 2 2",
  quotesAnswer: false,
  fields: [
    secretUrl("the https:// address of a group robot", "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…"),
  ],
  text: { flavour: "plain", limit: 2048, unit: "bytes" },
  budget: [{ messages: 18, seconds: 60 }],

  request: ({ url = "" }, { text }) => ({ url, chosenBy: "user", body: { msgtype: "text", text: { content: text } } }),

  // 93000: there is no such robot. 40058: the message is malformed. 45009: more than 20 messages in a minute.
  verdict: byCode({ code: "errcode", reason: "errmsg", sent: 0, never: [93000, 40058], later: { 45009: MINUTE } }),
});
