import { channelKind, severityOf } from "../../kind";
import { accepted } from "../../verdict";
import { serverUrl } from "../fields";

/** @see https://github.com/Finb/bark-server/blob/master/docs/API_V2.md */
export const bark = channelKind({
  kind: "bark",
  icon: "M7 4h10a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2M10 17h4M12 8v4",
  quotesAnswer: false,
  fields: [
    serverUrl("the address of a Bark server", "https://api.day.app"),
    {
      name: "deviceKey",
      label: "device key",
      type: "text",
      required: true,
      secret: true,
      maxLength: 200,
      pattern: "[-\\w]+",
      expected: "letters, digits, _ and -",
      example: "…",
      sentTo: "server",
    },
  ],
  text: { flavour: "plain", limit: 2800, unit: "bytes" },

  request: ({ server = "", deviceKey }, message) => ({
    url: `${server.replace(/\/+$/, "")}/push`,
    chosenBy: "user",
    body: {
      device_key: deviceKey,
      title: message.title,
      body: message.body,
      group: "Wakeful",
      level: severityOf(message) === "critical" ? "timeSensitive" : "active",
      ...(message.link && { url: message.link }),
    },
  }),

  verdict: (reply) => accepted(reply, reply.json?.code === 200, reply.json?.message),
});
