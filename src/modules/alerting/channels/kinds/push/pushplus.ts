import { channelKind } from "../../kind";
import { byCode } from "../../verdict";

const HOUR = 3600;

/** @see https://www.pushplus.plus/doc/guide/api.html */
export const pushplus = channelKind({
  kind: "pushplus",
  icon: "M4 4h16v16H4zM12 8v8M8 12h8",
  quotesAnswer: false,
  fields: [
    {
      name: "token",
      label: "token",
      type: "text",
      required: true,
      secret: true,
      maxLength: 200,
      pattern: "\\w+",
      expected: "letters and digits",
      example: "…",
    },
    {
      name: "topic",
      label: "group code",
      type: "text",
      maxLength: 100,
      pattern: "[-\\w]+",
      expected: "letters, digits, _ and -",
      example: "ops",
    },
  ],
  text: { flavour: "plain", limit: 18_000, unit: "bytes" },
  budget: [{ messages: 4, seconds: 60 }],

  request: ({ token, topic }, { title, body }) => ({
    url: "https://www.pushplus.plus/send",
    chosenBy: "operator",
    body: { token, title: [...title].slice(0, 100).join(""), content: body, template: "txt", ...(topic && { topic }) },
  }),

  // The status is always 200. 903 to 912: the token, the account or the group is wrong. 900: the account sent too much.
  verdict: byCode({
    code: "code",
    reason: "msg",
    sent: 200,
    never: [903, 905, 907, 908, 912],
    later: { 900: HOUR, 909: HOUR },
  }),
});
