import type { Socket } from "node:net";
import { type ChannelConfig, itemsOf } from "../../../../../shared/channel-fields";
import { deliveryError } from "../../../../../shared/notifications";
import { type ChannelMessage, channelKind, type DeliveryResult, incidentKey } from "../../kind";
import { RECIPIENTS, SENDER } from "../fields";
import { mailHtml } from "./html";

/** Time until a server without an answer counts as hanging, and the time limit of one mail (ms). */
const TIMEOUT = 10_000;
const DEADLINE = 30_000;
const PORTS = { starttls: 587, tls: 465, none: 25 };
const SECURITY = ["starttls", "tls", "none"] as const;
type Security = (typeof SECURITY)[number];

const isSecurity = (text = ""): text is Security => SECURITY.some((one) => one === text);

/** Options of the client for the configuration of a channel. `publicUrl` gives its name in EHLO. */
export const clientOptions = ({ host = "", security, port, user, password }: ChannelConfig, publicUrl: string) => {
  const mode = isSecurity(security) ? security : "starttls";
  const servername = host.replace(/^\[|\]$/g, "");
  return {
    host: servername,
    port: Number(port ?? PORTS[mode]),
    // The name in EHLO; without PUBLIC_URL the client uses the machine's.
    ...(publicUrl && { name: new URL(publicUrl).hostname }),
    secure: mode === "tls",
    requireTLS: mode === "starttls",
    ignoreTLS: mode === "none",
    // Otherwise a server without a login would get the mail unauthenticated.
    ...(user && { auth: { user, pass: password ?? "" }, forceAuth: true }),
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
};

export const domainOf = (sender = ""): string => /@([^@>\s]+)>?$/.exec(sender)?.[1] ?? "localhost";

/** A mail whose id stays the same when it is sent again, in one thread with the others about its monitor or server. */
const mailOf = (from: string | undefined, to: string, message: ChannelMessage, key: string) => {
  const domain = domainOf(from);
  const thread = incidentKey(message);
  return {
    from,
    to: itemsOf(to),
    subject: message.title.replace(/\s+/g, " "),
    text: message.mail?.text ?? message.body,
    html: message.mail?.html ?? mailHtml(message),
    messageId: `<${key}@${domain}>`,
    ...(thread && { references: `<${thread}@${domain}>` }),
    headers: {
      "auto-submitted": "auto-generated",
      "x-auto-response-suppress": "All",
      // RFC 2919: mail clients sort by it, regardless of the subject.
      "list-id": `Wakeful <wakeful.${domain}>`,
    },
  };
};

/** An error of the client or the server. `response` is what the server said, with its code. */
type Failure = { code?: string; responseCode?: number; response?: string; message?: string };

/** A server's 5xx refusal stays, also of the password; 4xx is tried again, and so is a server that does not answer. */
const failureOf = (error: Failure): DeliveryResult => {
  const { code, responseCode, response = "", message = "" } = error;
  if (responseCode !== undefined) {
    const reply = response.replace(/^\d+[ -]?/, "");
    return {
      sent: false,
      error: deliveryError("rejected", { status: responseCode, reply }),
      refused: responseCode >= 500,
    };
  }
  if (code === "ETIMEDOUT" || code === "EABORT")
    return { sent: false, error: deliveryError("timeout", { seconds: TIMEOUT / 1000 }), refused: false };
  return {
    sent: false,
    error: deliveryError("no_answer", { cause: message.slice(0, 120) || String(code) }),
    refused: false,
  };
};

/** @see https://www.rfc-editor.org/rfc/rfc5321 */
export const smtp = channelKind({
  kind: "smtp",
  icon: "M3.5 6.5h17v12h-17zM3.5 7.5l8.5 6 8.5-6M8 3.5h8",
  quotesAnswer: true,
  fields: [
    {
      name: "host",
      label: "mail server",
      type: "text",
      required: true,
      maxLength: 253,
      pattern: "[A-Za-z0-9._-]+|\\[?[0-9A-Fa-f:.]+\\]?",
      expected: "a host name or an IP address",
      example: "smtp.example.com",
    },
    {
      name: "security",
      label: "encryption",
      type: "choice",
      choices: SECURITY,
      required: true,
      maxLength: 8,
      expected: "starttls, tls or none",
      example: "starttls",
    },
    {
      name: "port",
      label: "port",
      type: "text",
      maxLength: 5,
      pattern: "[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5]",
      expected: "1 to 65535; 587, 465 or 25 when absent, by the encryption",
      example: "587",
    },
    {
      name: "user",
      label: "user name",
      type: "text",
      requiredOfUsers: true,
      maxLength: 200,
      example: "alerts@example.com",
    },
    {
      name: "password",
      label: "password",
      type: "text",
      secret: true,
      requiredOfUsers: true,
      maxLength: 500,
      example: "…",
      sentTo: "host",
    },
    SENDER,
    RECIPIENTS,
  ],
  text: { flavour: "plain", limit: 100_000, spaced: true },

  send: async (channel, message, { key, config }, { connect }) => {
    const { from, to = "" } = channel;
    const options = clientOptions(channel, config.publicUrl);
    // Loaded when it is first needed: most installations send no mail themselves.
    const { createTransport } = await import("nodemailer");
    const connection: Socket = await connect(options.host, options.port);
    // The client handles errors only from its first turn on: without a listener, an earlier one would end the process.
    const lost = new Promise<never>((_, reject) => connection.on("error", reject));
    const client = createTransport({ ...options, connection });
    try {
      const mail = { ...mailOf(from, to, message, key), signal: AbortSignal.timeout(DEADLINE) };
      const { response, rejected } = await Promise.race([client.sendMail(mail), lost]);
      const others = rejected.length > 0 ? ` (refused: ${rejected.join(", ")})` : "";
      return { sent: true, reply: response + others };
    } catch (error) {
      return failureOf(error as Failure);
    } finally {
      client.close();
      connection.destroy();
    }
  },
});
