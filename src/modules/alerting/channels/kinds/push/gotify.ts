import { channelKind, type Severity, severityOf } from "../../kind";
import { accepted } from "../../verdict";
import { HEADER_TEXT, serverUrl } from "../fields";

const PRIORITIES: Record<Severity, number> = { critical: 8, warning: 6, resolved: 5, info: 5 };

/** @see https://gotify.net/docs/pushmsg */
export const gotify = channelKind({
  kind: "gotify",
  icon: "M4 12a8 8 0 0 1 15-4M20 12a8 8 0 0 1-15 4M12 8v5l3 2",
  quotesAnswer: false,
  fields: [
    serverUrl("the address of a Gotify server", "https://gotify.example.com"),
    {
      name: "token",
      label: "application token",
      type: "text",
      required: true,
      secret: true,
      maxLength: 200,
      ...HEADER_TEXT,
      example: "A…",
      sentTo: "server",
    },
  ],
  text: { flavour: "plain", limit: 10_000 },

  request: ({ server = "", token = "" }, message) => ({
    url: `${server.replace(/\/+$/, "")}/message`,
    chosenBy: "user",
    // In the address, the token would be in the access logs of proxies.
    headers: { "x-gotify-key": token },
    body: {
      title: message.title,
      message: message.body,
      priority: PRIORITIES[severityOf(message)],
      ...(message.link && { extras: { "client::notification": { click: { url: message.link } } } }),
    },
  }),

  verdict: (reply) => accepted(reply, typeof reply.json?.id === "number", reply.json?.errorDescription),
});
