import { COLOURS, channelKind, severityOf } from "../../kind";
import { accepted } from "../../verdict";
import { secretUrl } from "../fields";

/** @see https://developers.mattermost.com/integrate/webhooks/incoming/ */
export const mattermost = channelKind({
  kind: "mattermost",
  icon: "M12 3a9 9 0 1 0 9 9M12 8a4 4 0 1 0 4 4M21 3l-8 9",
  quotesAnswer: false,
  fields: [secretUrl("the address of an incoming webhook", "https://mattermost.example.com/hooks/…")],
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
