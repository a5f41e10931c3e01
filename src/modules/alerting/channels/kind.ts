import type { Socket } from "node:net";
import type { TSchema } from "@sinclair/typebox";
import type { Config } from "../../../core/config";
import type { Limit } from "../../../lib/sliding-window";
import type { ChannelConfig, ChannelField, ChannelForm } from "../../../shared/channel-fields";
import type { Language } from "../../../shared/language";
import { type DeliveryError, isBroken, isClosing, outageKindOf } from "../../../shared/notifications";
import type { AlertEvent } from "../messages/message";
import type { ReportFigures } from "./report-figures";
import type { Message, Rendered, TextFormat } from "./text";

/**
 * What a message is about: one event, several with the `severity` of the worst, or none as a test message. `language` is the
 * reader's, and `fill` renders a template with its values.
 */
export type MessageContext = {
  event: Omit<AlertEvent, "id" | "userId" | "teamId"> | null;
  severity?: Severity;
  language: Language;
  fill?: (template: string) => string;
  /** Of a report: its figures. `event` is null then. */
  report?: ReportFigures;
  /** Of a report: the whole of it, as a mail has it in place of the lines. */
  mail?: { html: string; text: string };
};

/** A message as a channel kind gets it: in plain form, and rendered in the kind's format. */
export type ChannelMessage = Message & Rendered & MessageContext;

/** How urgent a message is: colours and priorities follow from it. */
export type Severity = "critical" | "warning" | "resolved" | "info";

/** A monitor that is down and a server that is offline are critical, other problems a warning, and a test is only informative. */
export const severityOf = ({ event, severity }: Pick<MessageContext, "event" | "severity">): Severity => {
  if (severity || !event) return severity ?? "info";
  if (isClosing(event.kind)) return "resolved";
  return isBroken(outageKindOf(event.kind)) ? "critical" : "warning";
};

/** A colour for each severity, as the web interface shows it. */
export const COLOURS: Record<Severity, `#${string}`> = {
  critical: "#d93a4a",
  warning: "#c08209",
  resolved: "#1f9d61",
  info: "#5546d6",
};

/** A name of the subject of an event that stays the same from its alert to its recovery; null where it is not about one event. */
export const incidentKey = ({ event, link }: Pick<ChannelMessage, "event" | "link">): string | null => {
  if (!event) return null;
  const { kind, targetType, targetId, subject, drill } = event;
  const state = drill ? "drill" : isBroken(outageKindOf(kind)) ? "state" : outageKindOf(kind);
  const hub = link ? new URL(link).host : "hub";
  // Names of parts are of any length and characters, but keys are not.
  const part = subject === "" ? "" : `-${new Bun.CryptoHasher("sha256").update(subject).digest("hex").slice(0, 12)}`;
  return `wakeful-${hub}-${targetType}-${targetId}-${state}${part}`;
};

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
  /** Addresses of providers that the operator may replace, and the hub's. */
  config: Pick<Config, "telegramApiUrl" | "resendApiUrl" | "publicUrl">;
};

type ChannelRequest = {
  url: string;
  /** POST unless given. */
  method?: "PUT" | "GET";
  /** Who chose the address: the operator's may be private, and a user's is subject to PRIVATE_TARGETS. */
  chosenBy: "operator" | "user";
  headers?: Record<string, string>;
  /** Sent as JSON unless a header says otherwise; a string as it is. Empty with GET. */
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
 * Makes one request through the outbound guard, without following redirects.
 * @throws where there is no answer
 */
export type Exchange = (request: ChannelRequest) => Promise<Reply>;

/** The transport of kinds that do not send one request. */
export type Transport = {
  exchange: Exchange;
  /**
   * Connects to a port of a user's host through the outbound guard.
   * @throws where there is no connection
   */
  connect: (hostname: string, port: number) => Promise<Socket>;
};

type Described = Omit<ChannelForm, "fields"> & {
  /** `requiredOfUsers`: only an administrator may leave the field out. */
  fields: readonly (ChannelField & { requiredOfUsers?: true })[];
  /** The format and limit of the message's text. */
  text: TextFormat;
  /** The body and headers sent to a user's address, for receivers who read the API document. */
  sends?: { body: TSchema; headers: Record<string, TSchema> };
  /** Limits on messages through one channel, a little below the provider's. Messages beyond them are joined into one. */
  budget?: readonly Limit[];
  /** False where each alert is a message of its own, because the receiver tells incidents apart by it. */
  grouped?: false;
  /** False where the receiver takes messages about incidents only. */
  reports?: false;
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
    transport: Transport,
  ) => Promise<DeliveryResult>;
};

/** The descriptor of one channel kind. The form, masking, the API document and transfer follow from it. */
export type ChannelKind = Described & (OneRequest | OwnTransport);

/** Keeps the names of a kind and its fields as literal types, so that the compiler finds missing texts of the page. */
export const channelKind = <const K extends ChannelKind>(kind: K): K => kind;
