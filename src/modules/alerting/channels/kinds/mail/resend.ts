import { itemsOf } from "../../../../../shared/channel-fields";
import { channelKind } from "../../kind";
import { refusal } from "../../verdict";
import { HEADER_TEXT, RECIPIENTS, SENDER } from "../fields";
import { mailHtml } from "./html";

/** @see https://resend.com/docs/api-reference/emails/send-email */
export const resend = channelKind({
  kind: "resend",
  icon: "M3.5 5.5h17v13h-17zM3.5 6.5l8.5 7 8.5-7",
  quotesAnswer: false,
  fields: [
    {
      name: "apiKey",
      label: "API key",
      type: "text",
      required: true,
      secret: true,
      maxLength: 200,
      ...HEADER_TEXT,
      example: "re_…",
    },
    SENDER,
    RECIPIENTS,
  ],
  text: { flavour: "plain", limit: 100_000, spaced: true },
  budget: [{ messages: 2, seconds: 1.1 }],

  request: ({ apiKey, from, to = "" }, message, { key, config: { resendApiUrl } }) => ({
    url: `${resendApiUrl}/emails`,
    chosenBy: "operator",
    // With the key, Resend itself drops a second copy of a message that it accepted.
    headers: { authorization: `Bearer ${apiKey}`, "idempotency-key": key },
    body: {
      from,
      to: itemsOf(to),
      subject: message.title.replace(/\s+/g, " "),
      text: message.mail?.text ?? message.body,
      html: message.mail?.html ?? mailHtml(message),
    },
  }),

  verdict: (reply) => {
    const { status, json } = reply;
    if (status >= 200 && status < 300 && typeof json?.id === "string") return { sent: true, reply: json.id };
    // An earlier attempt was accepted, but its answer was lost; its text was another one, as after a change of language.
    if (json?.name === "invalid_idempotent_request") return { sent: true, reply: "taken before" };
    const answer = refusal(reply, json?.message);
    // The earlier attempt is still in progress.
    return json?.name === "concurrent_idempotent_requests" ? { ...answer, refused: false } : answer;
  },
});
