import { EMAIL } from "../../../shared/limits";
import { type Channel, type Message, post, refusal } from "./http";

/** A bare address, or a name and an address in angle brackets, with nothing in it that could start another header. */
const SENDER = /^(?:[^<>\r\n"]{1,200}\s<([^<>]+)>|([^<>\s]+))$/;

const addressesOf = (to: string) =>
  to
    .split(",")
    .map((address) => address.trim())
    .filter((address) => address !== "");

const isSender = (from: string) => {
  const [, named, bare] = SENDER.exec(from.trim()) ?? [];
  return EMAIL.test(named ?? bare ?? "");
};

const html = ({ title, lines, link }: Message) => {
  const paragraphs = lines.map((line) => `<p style="margin:0 0 6px">${Bun.escapeHTML(line)}</p>`).join("");
  const button = link ? `<p><a href="${Bun.escapeHTML(link)}">${Bun.escapeHTML(link)}</a></p>` : "";
  return `<div style="font-family:sans-serif;font-size:15px"><h2 style="font-size:18px">${Bun.escapeHTML(title)}</h2>${paragraphs}${button}</div>`;
};

/** @see https://resend.com/docs/api-reference/emails/send-email */
export const resend: Channel = {
  fields: { apiKey: 200, from: 500, to: 2000 },
  secrets: ["apiKey"],

  problems: ({ apiKey = "", from = "", to = "" }) => ({
    // It travels in a header, where only such signs can stand.
    ...(apiKey === "" ? { apiKey: "api_key_required" } : !/^[!-~]+$/.test(apiKey) && { apiKey: "api_key_invalid" }),
    ...(from === "" ? { from: "sender_required" } : !isSender(from) && { from: "sender_invalid" }),
    ...(addressesOf(to).length === 0
      ? { to: "recipient_required" }
      : !addressesOf(to).every((address) => EMAIL.test(address)) && { to: "recipient_invalid" }),
  }),

  send: async (message, { apiKey = "", from = "", to = "" }, key, { resendApiUrl, outbound }) => {
    const text = [...message.lines, ...(message.link ? ["", message.link] : [])].join("\n");
    // With the key, Resend itself drops a second copy of what it took already.
    const headers = { authorization: `Bearer ${apiKey}`, "idempotency-key": key };
    const reply = await post(outbound, `${resendApiUrl}/emails`, headers, {
      from: from.trim(),
      to: addressesOf(to),
      subject: message.title.replace(/\s+/g, " "),
      text,
      html: html(message),
    });
    const { status, json } = reply;
    if (status >= 200 && status < 300 && typeof json?.id === "string") return { sent: true, said: json.id };
    // An earlier attempt got through though its answer did not; the text was another one, as after a change of language.
    if (json?.name === "invalid_idempotent_request") return { sent: true, said: "taken before" };
    // That earlier attempt is still being worked on.
    const answer = refusal(reply, json?.message);
    return json?.name === "concurrent_idempotent_requests" ? { ...answer, refused: false } : answer;
  },
};
