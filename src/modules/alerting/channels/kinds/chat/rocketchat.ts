import { COLOURS, channelKind, severityOf } from "../../kind";
import { accepted } from "../../verdict";
import { secretUrl } from "../fields";

/** @see https://docs.rocket.chat/docs/integrations */
export const rocketchat = channelKind({
  kind: "rocketchat",
  icon: "M4 12c0-4 3.6-7 8-7s8 3 8 7-3.6 7-8 7c-1.3 0-2.5-.2-3.6-.7L4 20l1.4-3.5A6.6 6.6 0 0 1 4 12M9 12h.01M12 12h.01M15 12h.01",
  quotesAnswer: false,
  fields: [secretUrl("the address of an incoming webhook", "https://chat.example.com/hooks/…/…")],
  text: { flavour: "markdown", limit: 5000 },

  request: ({ url = "" }, message) => ({
    url,
    chosenBy: "user",
    body: { attachments: [{ color: COLOURS[severityOf(message)], text: message.text }] },
  }),

  verdict: (reply) => accepted(reply, reply.json?.success === true, reply.json?.error),
});
