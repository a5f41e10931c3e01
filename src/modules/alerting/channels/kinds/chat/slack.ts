import { COLOURS, channelKind, severityOf } from "../../kind";
import { accepted, refusal } from "../../verdict";
import { secretUrl } from "../fields";

/** @see https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks */
export const slack = channelKind({
  kind: "slack",
  icon: "M9 3v12M15 9v12M3 9h12M9 15h12",
  quotesAnswer: false,
  fields: [secretUrl("the https:// address of an incoming webhook", "https://hooks.slack.com/services/T…/B…/…")],
  text: { flavour: "entities", limit: 3000 },
  budget: [{ messages: 1, seconds: 1.1 }],

  request: ({ url = "" }, message) => ({
    url,
    chosenBy: "user",
    // Without members in mrkdwn_in, only the escaped entities are read.
    body: {
      attachments: [
        {
          color: COLOURS[severityOf(message)],
          fallback: message.title,
          text: message.text,
          mrkdwn_in: [],
          ...(message.action && {
            actions: [{ type: "button", text: message.action.label, url: message.action.url }],
          }),
        },
      ],
    },
  }),

  // A refusal is a word such as invalid_token; too many messages at once come back as rollup_error.
  verdict: (reply) => {
    const answer = reply.text.trim();
    if (answer === "rollup_error") return { ...refusal(reply, answer), refused: false };
    return accepted(reply, answer === "ok", answer);
  },
});
