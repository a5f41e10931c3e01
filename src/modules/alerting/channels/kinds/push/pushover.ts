import { channelKind, type Severity, severityOf } from "../../kind";
import { accepted } from "../../verdict";

const PRIORITIES: Record<Severity, number> = { critical: 1, warning: 0, resolved: 0, info: -1 };

const KEY = { type: "text", required: true, secret: true, maxLength: 60, pattern: "[A-Za-z0-9]+" } as const;

/** @see https://pushover.net/api */
export const pushover = channelKind({
  kind: "pushover",
  icon: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M10 17l3-10c3 0 4 1.5 3.5 3.5S13 14 11 14",
  quotesAnswer: false,
  fields: [
    { ...KEY, name: "token", label: "application token", expected: "letters and digits", example: "a…" },
    { ...KEY, name: "user", label: "user key", expected: "letters and digits", example: "u…" },
  ],
  text: { flavour: "plain", limit: 1024 },
  budget: [{ messages: 20, seconds: 60 }],

  request: ({ token, user }, message) => ({
    url: "https://api.pushover.net/1/messages.json",
    chosenBy: "operator",
    body: {
      token,
      user,
      title: message.title.slice(0, 250).toWellFormed(),
      message: message.body,
      priority: PRIORITIES[severityOf(message)],
      ...(message.link && { url: message.link, url_title: "Wakeful" }),
    },
  }),

  verdict: (reply) => {
    const errors = reply.json?.errors;
    return accepted(reply, reply.json?.status === 1, Array.isArray(errors) ? errors.join(", ") : undefined);
  },
});
