import { COLOURS, channelKind, severityOf } from "../../kind";
import { accepted } from "../../verdict";

/** @see https://developers.mattermost.com/integrate/webhooks/incoming/ */
export const mattermost = channelKind({
  kind: "mattermost",
  icon: "M12 3a9 9 0 1 0 9 9M12 8a4 4 0 1 0 4 4M21 3l-8 9",
  quotesAnswer: false,
  fields: [
    {
      name: "url",
      label: "webhook URL",
      type: "url",
      required: true,
      secret: true,
      maxLength: 500,
      expected: "the address of an incoming webhook",
      example: "https://mattermost.example.com/hooks/…",
    },
  ],
  text: { flavour: "markdown", limit: 16_000 },

  request: ({ url = "" }, message) => ({
    url,
    chosenBy: "user",
    body: {
      attachments: [{ color: COLOURS[severityOf(message)], fallback: message.title, text: message.text }],
    },
  }),

  verdict: (reply) => accepted(reply, reply.text.trim() === "ok", reply.json?.message),
});
