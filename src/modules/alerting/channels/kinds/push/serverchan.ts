import { channelKind } from "../../kind";
import { byCode } from "../../verdict";

/** Keys of the third version have the user's number in them, and a host of their own. */
const addressOf = (sendKey: string): string => {
  const [, user] = /^sctp(\d+)t/.exec(sendKey) ?? [];
  return user ? `https://${user}.push.ft07.com/send/${sendKey}.send` : `https://sctapi.ftqq.com/${sendKey}.send`;
};

/** @see https://sct.ftqq.com */
export const serverchan = channelKind({
  kind: "serverchan",
  icon: "M4 6h16v9H4zM8 19h8M12 15v4M8 10h.01M12 10h.01M16 10h.01",
  quotesAnswer: false,
  fields: [
    {
      name: "sendKey",
      label: "send key",
      type: "text",
      required: true,
      secret: true,
      maxLength: 200,
      pattern: "(?:SCT|sctp)\\w+",
      expected: "a key that starts with SCT or sctp",
      example: "SCT…",
    },
  ],
  text: { flavour: "markdown", limit: 20_000, unit: "bytes" },
  // The day's quota depends on the plan: a flood must not use it up.
  budget: [{ messages: 3, seconds: 300 }],

  request: ({ sendKey = "" }, { title, body }) => ({
    url: addressOf(sendKey),
    chosenBy: "operator",
    // A single line break is not shown as one.
    body: { title: [...title].slice(0, 32).join(""), desp: body.replaceAll("\n", "\n\n") },
  }),

  // 40001: the key is wrong. Beyond the day's quota messages are refused until the next day.
  verdict: byCode({ code: "code", reason: "message", sent: 0, never: [40001] }),
});
