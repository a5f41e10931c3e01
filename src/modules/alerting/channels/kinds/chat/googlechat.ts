import { channelKind, incidentKey } from "../../kind";
import { accepted } from "../../verdict";
import { secretUrl } from "../fields";

/** @see https://developers.google.com/workspace/chat/quickstart/webhooks */
export const googlechat = channelKind({
  kind: "googlechat",
  icon: "M4 4h16v12h-9l-4 4v-4H4zM8 9h8M8 12h5",
  quotesAnswer: false,
  fields: [
    secretUrl(
      "the https:// address of a webhook of a space",
      "https://chat.googleapis.com/v1/spaces/…/messages?key=…&token=…",
    ),
  ],
  // A paragraph of a card is read as simple HTML, and a plain text as markup with mentions.
  text: { flavour: "entities", limit: 10_000 },
  budget: [{ messages: 1, seconds: 1.1 }],

  request: ({ url = "" }, message, { key }) => {
    const address = new URL(url);
    address.searchParams.set("messageReplyOption", "REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD");
    const widgets = [{ textParagraph: { text: message.body } }];
    return {
      url: address.href,
      chosenBy: "user",
      body: {
        cardsV2: [{ cardId: "alert", card: { header: { title: message.title }, sections: [{ widgets }] } }],
        fallbackText: message.title,
        thread: { threadKey: incidentKey(message) ?? key },
      },
    };
  },

  verdict: (reply) => {
    const { name, error } = (reply.json ?? {}) as { name?: unknown; error?: { message?: unknown } };
    return accepted(reply, typeof name === "string", error?.message);
  },
});
