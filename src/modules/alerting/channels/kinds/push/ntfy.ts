import { channelKind, type Severity, severityOf } from "../../kind";
import { accepted } from "../../verdict";
import { HEADER_TEXT, serverUrl } from "../fields";

const PRIORITIES: Record<Severity, number> = { critical: 5, warning: 4, resolved: 3, info: 3 };

/** @see https://docs.ntfy.sh/publish/#publish-as-json */
export const ntfy = channelKind({
  kind: "ntfy",
  icon: "M4 5h16v11h-8l-4 4v-4H4zM8 9l2 2-2 2M12 13h3",
  quotesAnswer: false,
  fields: [
    serverUrl("the address of an ntfy server", "https://ntfy.sh"),
    {
      name: "topic",
      label: "topic",
      type: "text",
      required: true,
      secret: true,
      maxLength: 64,
      pattern: "[-\\w]{1,64}",
      expected: "letters, digits, _ and -",
      example: "my-alerts-4f8a",
      sentTo: "server",
    },
    {
      name: "token",
      label: "access token",
      type: "text",
      secret: true,
      maxLength: 200,
      ...HEADER_TEXT,
      example: "tk_…",
      sentTo: "server",
    },
  ],
  // A longer one becomes an attachment.
  text: { flavour: "plain", limit: 3800, unit: "bytes" },
  // ntfy.sh takes 60 at once, and then one in five seconds.
  budget: [{ messages: 50, seconds: 300 }],

  request: ({ server = "", topic, token }, message) => ({
    url: server,
    chosenBy: "user",
    headers: { ...(token && { authorization: `Bearer ${token}` }) },
    body: {
      topic,
      title: message.title,
      message: message.body,
      priority: PRIORITIES[severityOf(message)],
      ...(message.link && { click: message.link }),
      ...(message.action && { actions: [{ action: "view", ...message.action }] }),
    },
  }),

  verdict: (reply) => accepted(reply, typeof reply.json?.id === "string", reply.json?.error),
});
