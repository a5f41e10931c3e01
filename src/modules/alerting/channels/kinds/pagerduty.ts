import { isoTime } from "../../../../lib/time";
import { type ChannelMessage, channelKind, incidentKey, type Severity, severityOf } from "../kind";
import { accepted } from "../verdict";

const SEVERITIES: Record<Severity, string> = {
  critical: "critical",
  warning: "warning",
  resolved: "info",
  info: "info",
};

/**
 * Events of one monitor or server have one key, so that its recovery resolves the incident that it opened.
 * @see https://developer.pagerduty.com/docs/send-alert-event
 */
/** A message about an event that is only informative is that its outage was acknowledged. */
const actionOf = ({ event }: Pick<ChannelMessage, "event">, severity: Severity) => {
  if (severity === "resolved") return "resolve";
  return event && severity === "info" ? "acknowledge" : "trigger";
};

export const pagerduty = channelKind({
  kind: "pagerduty",
  icon: "M6 3h7a5 5 0 0 1 0 10H6zM6 17v4",
  quotesAnswer: false,
  fields: [
    {
      name: "routingKey",
      label: "integration key",
      type: "text",
      required: true,
      secret: true,
      maxLength: 64,
      pattern: "[A-Za-z0-9]{32}",
      expected: "32 letters and digits",
      example: "R0…",
    },
    {
      name: "region",
      label: "service region",
      type: "choice",
      choices: ["us", "eu"],
      maxLength: 2,
      expected: "us or eu",
      example: "us",
    },
  ],
  text: { flavour: "plain", limit: 10_000 },
  grouped: false,
  reports: false,

  request: ({ routingKey, region }, message, { key, now }) => {
    const severity = severityOf(message);
    return {
      url: `https://events.${region === "eu" ? "eu." : ""}pagerduty.com/v2/enqueue`,
      chosenBy: "operator",
      body: {
        routing_key: routingKey,
        event_action: actionOf(message, severity),
        dedup_key: incidentKey(message) ?? key,
        payload: {
          summary: message.title,
          source: message.event?.targetName ?? "Wakeful",
          severity: SEVERITIES[severity],
          timestamp: isoTime(message.event?.at ?? now),
          custom_details: { text: message.lines.join("\n") },
        },
        links: [
          ...(message.link ? [{ href: message.link, text: "Wakeful" }] : []),
          ...(message.action ? [{ href: message.action.url, text: message.action.label }] : []),
        ],
        client: "Wakeful",
      },
    };
  },

  verdict: (reply) => {
    const { status, message, errors } = reply.json ?? {};
    const reason = [message, ...(Array.isArray(errors) ? errors : [])].filter(Boolean).join(": ");
    return accepted(reply, status === "success", reason);
  },
});
