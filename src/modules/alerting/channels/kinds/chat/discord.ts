import { isoTime } from "../../../../../lib/time";
import { COLOURS, channelKind, severityOf } from "../../kind";
import { accepted, secondsOf } from "../../verdict";
import { secretUrl } from "../fields";

/** @see https://docs.discord.com/developers/resources/webhook#execute-webhook */
export const discord = channelKind({
  kind: "discord",
  icon: "M5 6c4-1.5 10-1.5 14 0 2 3.5 2.5 7.5 2 11-1.5 1-3 1.5-4.5 2l-1-2h-7l-1 2C6 18.5 4.5 18 3 17c-.5-3.5 0-7.5 2-11M9 13h.01M15 13h.01",
  quotesAnswer: false,
  fields: [secretUrl("the https:// address of a webhook", "https://discord.com/api/webhooks/…/…")],
  text: { flavour: "markdown", limit: 4096 },
  budget: [
    { messages: 4, seconds: 2 },
    { messages: 27, seconds: 60 },
  ],

  request: ({ url = "" }, message, { now }) => {
    const address = new URL(url);
    // Without it, Discord also answers success to a message that it does not save.
    address.searchParams.set("wait", "true");
    return {
      url: address.href,
      chosenBy: "user",
      body: {
        embeds: [
          {
            description: message.text,
            color: Number.parseInt(COLOURS[severityOf(message)].slice(1), 16),
            timestamp: isoTime(message.event?.at ?? now),
          },
        ],
        allowed_mentions: { parse: [] },
      },
    };
  },

  verdict: (reply) => {
    const { json } = reply;
    const retryAfter = secondsOf(json?.retry_after) ?? reply.retryAfter;
    return accepted({ ...reply, retryAfter }, typeof json?.id === "string", json?.message);
  },
});
