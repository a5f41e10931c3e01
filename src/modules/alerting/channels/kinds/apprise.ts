import { channelKind, type Severity, severityOf } from "../kind";
import { accepted } from "../verdict";
import { serverUrl } from "./fields";

const TYPES: Record<Severity, string> = {
  critical: "failure",
  warning: "warning",
  resolved: "success",
  info: "info",
};

/**
 * An Apprise API server, which passes messages on to the services of a stored configuration.
 * @see https://github.com/caronc/apprise-api
 */
export const apprise = channelKind({
  kind: "apprise",
  icon: "M4 12h5l3-7v14l3-7h5",
  quotesAnswer: false,
  fields: [
    serverUrl("the address of an Apprise API server", "https://apprise.example.com"),
    {
      name: "configKey",
      label: "configuration key",
      type: "text",
      required: true,
      secret: true,
      maxLength: 128,
      pattern: "[-\\w]+",
      expected: "letters, digits, _ and -",
      example: "ops",
      sentTo: "server",
    },
  ],
  text: { flavour: "plain", limit: 10_000 },

  request: ({ server = "", configKey = "" }, message) => ({
    url: `${server.replace(/\/+$/, "")}/notify/${configKey}`,
    chosenBy: "user",
    headers: { accept: "application/json" },
    body: { title: message.title, body: message.body, type: TYPES[severityOf(message)], format: "text" },
  }),

  // 424: one of the services refused the message.
  verdict: (reply) => accepted(reply, reply.json !== null && !reply.json.error, reply.json?.error ?? reply.text.trim()),
});
