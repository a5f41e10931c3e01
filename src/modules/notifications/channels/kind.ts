import type { TSchema } from "@sinclair/typebox";
import type { Config } from "../../../core/config";
import type { ChannelConfig, ChannelField, ChannelForm } from "../../../shared/channel-fields";
import { type DeliveryError, deliveryError } from "../../../shared/notifications";
import type { AlertEvent } from "../messages";

/** A message in its plain form. A channel kind escapes it for its provider. */
export type Message = { title: string; lines: string[]; link: string | null };

/** A message as a channel kind gets it: `text` is all of it in the kind's format; `event` is null for a test. */
export type ChannelMessage = Message & { text: string; event: Omit<AlertEvent, "id" | "userId"> | null };

/**
 * A provider's answer to one attempt. `reply` and `error` are shown to the channel's owner. `refused` ends the delivery;
 * otherwise the same request may succeed later, not before `retryAfter` seconds.
 */
export type DeliveryResult =
  | { sent: true; reply: string }
  | { sent: false; error: DeliveryError; refused: boolean; retryAfter?: number };

/** The attempt, as channel kinds see it. */
export type Attempt = {
  /** Stays the same when a message is sent again. */
  key: string;
  /** Epoch milliseconds. */
  now: number;
  /** 1 for the first attempt of a delivery. */
  number: number;
  /** Milliseconds since the delivery was planned. */
  age: number;
  /** Addresses of providers, where the operator may set another one. */
  config: Pick<Config, "telegramApiUrl" | "resendApiUrl">;
};

export type ChannelRequest = {
  url: string;
  /** Who chose the address: the operator's may be private, and a user's is subject to PRIVATE_TARGETS. */
  chosenBy: "operator" | "user";
  headers?: Record<string, string>;
  /** Sent as JSON; a string is JSON already. */
  body: object | string;
};

/** A provider's answer: the first 64 KiB of it, and the same as an object where it is one. */
export type Reply = {
  status: number;
  /** Seconds, of Retry-After. */
  retryAfter: number | undefined;
  text: string;
  json: Record<string, unknown> | null;
};

/**
 * Makes one POST request through the outbound guard, without following redirects.
 * @throws where there is no answer
 */
export type Exchange = (request: ChannelRequest) => Promise<Reply>;

/** How a message's `text` is written, and how long it may be, in UTF-16 code units. */
export type TextFormat = { flavour: "plain" | "html"; limit: number };

type Described = ChannelForm & {
  fields: readonly ChannelField[];
  /** The format and limit of the message's `text`. */
  text: TextFormat;
  /** What is posted to a user's address: receivers read it in the API document. */
  payload?: TSchema;
};

/** One request for each message: `verdict` says what the answer means. */
type OneRequest = {
  request: (config: ChannelConfig, message: ChannelMessage, attempt: Attempt) => ChannelRequest;
  verdict: (reply: Reply, attempt: Attempt) => DeliveryResult;
};

/** A transport of its own, or several requests. */
type OwnTransport = {
  send: (
    config: ChannelConfig,
    message: ChannelMessage,
    attempt: Attempt,
    exchange: Exchange,
  ) => Promise<DeliveryResult>;
};

/** The descriptor of one channel kind. The form, masking, the API document and transfer follow from it. */
export type ChannelKind = Described & (OneRequest | OwnTransport);

/** Keeps the names of a kind and its fields as literal types, for which the page's texts are complete. */
export const channelKind = <const K extends ChannelKind>(kind: K): K => kind;

/** A provider's pause in seconds; undefined when it is missing or invalid. */
export const secondsOf = (value: unknown): number | undefined => {
  const seconds = Math.ceil(Number(value));
  return seconds > 0 && Number.isFinite(seconds) ? seconds : undefined;
};

/** The error for an answer other than success; `reason` is the provider's own, or empty. */
export const rejection = (status: number, reason: string): DeliveryError =>
  deliveryError(status === 429 ? "rate_limited" : "rejected", { status, ...(reason && { reply: reason }) });

/**
 * What an answer other than success means. A 4xx status with the provider's own reason stays wrong and ends the
 * delivery; without one it may come from a proxy in between.
 */
export const refusal = (
  { status, retryAfter }: Pick<Reply, "status" | "retryAfter">,
  reason: unknown,
): DeliveryResult => {
  const hasReason = typeof reason === "string" && reason !== "";
  const refused = hasReason && status >= 400 && status < 500 && ![408, 425, 429].includes(status);
  const error = rejection(status, hasReason ? reason : "");
  return { sent: false, error, refused, ...(retryAfter && { retryAfter }) };
};

const html = ({ title, lines, link }: Message): string => {
  const paragraphs = lines.map((line) => `<p style="margin:0 0 6px">${Bun.escapeHTML(line)}</p>`).join("");
  const button = link ? `<p><a href="${Bun.escapeHTML(link)}">${Bun.escapeHTML(link)}</a></p>` : "";
  return `<div style="font-family:sans-serif;font-size:15px"><h2 style="font-size:18px">${Bun.escapeHTML(title)}</h2>${paragraphs}${button}</div>`;
};

/** A message that is too long is cut before its link, between characters. */
const plain = ({ title, lines, link }: Message, limit: number): string => {
  const end = link ? `\n${link}` : "";
  const text = [title, ...lines].join("\n").slice(0, limit - end.length);
  return text.toWellFormed() + end;
};

/** The whole message as one text. Messages are bounded, and HTML is never cut. */
export const textOf = (message: Message, { flavour, limit }: TextFormat): string =>
  flavour === "html" ? html(message) : plain(message, limit);
