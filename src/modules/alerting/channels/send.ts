import { type Config, mayReachPrivate } from "../../../core/config";
import type { Deps } from "../../../core/deps";
import { AddressBlocked } from "../../../probe/address-errors";
import { LookupFailed } from "../../../probe/dns/resolver";
import { LocalFailure } from "../../../probe/local-failure";
import type { Caller, Outbound } from "../../../probe/outbound";
import { type ChannelConfig, secretsIn } from "../../../shared/channel-fields";
import { type DeliveryError, deliveryError } from "../../../shared/notifications";
import type { Attempt, DeliveryResult, Exchange, MessageContext, Reply, Transport } from "./kind";
import { channelKinds } from "./registry";
import { type Message, renderMessage } from "./text";
import { secondsOf } from "./verdict";

/** A channel to send to, and the user to whom it belongs, or "operator" for one that the hub's settings describe. */
type Recipient = { type: string; config: ChannelConfig; owner: { id: number; role: "admin" | "user" } | "operator" };

/** How long a provider may take to answer, in milliseconds. */
const REQUEST_TIMEOUT_MS = 10_000;
/** Bytes read of an answer. */
const MAX_ANSWER = 65_536;
/** Characters stored of a provider's answer. */
const MAX_REPLY = 300;
/** The same for a refusal's reason, which follows the status. */
const MAX_REASON = MAX_REPLY - "400: ".length;
/** Names that are looked up at once: for operator-set addresses, and for the addresses of one user. */
const LOOKUPS = { operator: 64, user: 16 };

/** The first 64 KiB of an answer. */
const readStart = async ({ body }: Response): Promise<string> => {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk.subarray(0, MAX_ANSWER - size), { stream: true });
    size += chunk.byteLength;
    if (size >= MAX_ANSWER) break;
  }
  return text;
};

/** An answer as a JSON object, or null. */
const parse = (text: string): Reply["json"] => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
};

/** The address of a request: the operator may replace a provider's origin, but not a user's address. */
export const addressFor = (url: URL, chosenBy: "operator" | "user", { providerOrigins }: Config): URL => {
  const other = chosenBy === "operator" ? providerOrigins.get(url.origin) : undefined;
  return other === undefined ? url : new URL(other + url.pathname + url.search);
};

/** The limits of requests to addresses that the operator or a user chose. */
const callerOf = (config: Config, owner: Recipient["owner"], chosenBy: "operator" | "user"): Caller =>
  owner === "operator" || chosenBy === "operator"
    ? { key: "deliveries", lookups: LOOKUPS.operator, allowPrivate: true }
    : {
        key: `deliveries of ${owner.id}`,
        lookups: LOOKUPS.user,
        allowPrivate: mayReachPrivate(config, owner.role),
      };

type Sent = { url: URL; method: string; headers: Record<string, string> | undefined; body: string };

/** Makes one request, and reads the first 64 KiB of its answer. */
const exchangeWith = async (
  outbound: Outbound,
  caller: Caller,
  { url, method, headers, body }: Sent,
): Promise<Reply> => {
  const response = await outbound.request({
    ...{ url, method, body, caller },
    headers: new Headers({ "content-type": "application/json", ...headers }),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const text = await readStart(response);
  const retryAfter = secondsOf(response.headers.get("retry-after"));
  return { status: response.status, retryAfter, text, json: parse(text) };
};

/** The requests of one delivery: the operator's addresses share one limit of lookups, a user's have one of their own. */
const exchangeFor =
  (outbound: Outbound, config: Config, owner: Recipient["owner"]): Exchange =>
  ({ url, method = "POST", chosenBy, headers, body }) =>
    exchangeWith(outbound, callerOf(config, owner, chosenBy), {
      ...{ url: addressFor(new URL(url), chosenBy, config), method, headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });

/** Connects to a host of the hub's settings. @throws where there is no connection */
export const connectForHub = (
  { outbound, config }: Pick<Deps, "outbound" | "config">,
  hostname: string,
  port: number,
) => connectFor(outbound, config, "operator")(hostname, port);

/**
 * Posts JSON to an address that a visitor of a status page chose, who may reach what ordinary users may.
 * @throws {LocalFailure} when the hub itself could not make the request
 */
export const postForVisitor = async (
  { outbound, config }: Pick<Deps, "outbound" | "config">,
  { url, headers, body, visitorOf }: { url: string; headers: Record<string, string>; body: string; visitorOf: number },
  verdict: (reply: Reply) => DeliveryResult,
): Promise<DeliveryResult> => {
  const caller: Caller = {
    key: `visitors of status page ${visitorOf}`,
    lookups: LOOKUPS.user,
    allowPrivate: mayReachPrivate(config, "user"),
  };
  const request = { url: new URL(url), method: "POST", headers, body };
  return exchangeWith(outbound, caller, request)
    .then(verdict)
    .catch((error) => failureOf(error, config));
};

/** Connections to the hosts of a channel. */
const connectFor =
  (outbound: Outbound, config: Config, owner: Recipient["owner"]): Transport["connect"] =>
  (hostname, port) =>
    outbound.connect({
      hostname,
      port,
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      caller: callerOf(config, owner, "user"),
    });

/** Why a request got no answer, without the URL, which may hold a token. */
const failureOf = (error: unknown, { privateTargets }: Config): DeliveryResult => {
  if (error instanceof LocalFailure) throw error;
  if (error instanceof AddressBlocked) {
    const code = privateTargets === "none" ? "blocked_by_setting" : "blocked_private";
    return { sent: false, error: deliveryError(code), refused: true };
  }
  if (error instanceof LookupFailed) {
    return { sent: false, error: deliveryError("dns_not_found"), refused: false };
  }
  const { name, code } = error as { name?: string; code?: string };
  const failure =
    name === "TimeoutError"
      ? deliveryError("timeout", { seconds: REQUEST_TIMEOUT_MS / 1000 })
      : deliveryError("no_answer", { cause: String(code ?? name ?? "unknown").slice(0, 60) });
  return { sent: false, error: failure, refused: false };
};

/** A provider's answer as one line of limited length, without the channel's secrets. */
const clean = (answer: string, secrets: readonly string[], maxLength: number): string => {
  const masked = secrets.reduce((text, secret) => text.replaceAll(secret, "••••"), answer);
  // Control characters are removed: PostgreSQL refuses some of them.
  const line = masked.replace(/\p{Cc}+/gu, " ").slice(0, maxLength);
  return line.toWellFormed();
};

const cleanError = ({ code, detail }: DeliveryError, secrets: readonly string[]): DeliveryError => {
  const entries = Object.entries(detail ?? {}).map(([name, value]) => [
    name,
    typeof value === "string" ? clean(value, secrets, MAX_REASON) : value,
  ]);
  return { code, detail: detail && Object.fromEntries(entries) };
};

/**
 * Hands a message to a channel's provider, and returns its answer without any secret, as one line.
 * @throws {LocalFailure} when the hub itself could not make the request
 */
export const sendTo = async (
  { outbound, config, clock }: Pick<Deps, "outbound" | "config" | "clock">,
  { type, config: channelConfig, owner }: Recipient,
  message: Message & MessageContext,
  { key, number, since }: { key: string; number: number /** Epoch milliseconds. */; since: number },
): Promise<DeliveryResult> => {
  const kind = channelKinds.get(type);
  if (!kind) return { sent: false, error: deliveryError("unsupported_type", { type }), refused: true };
  const now = clock.now();
  const attempt: Attempt = { key, now, number, age: now - since, config };
  const complete = { ...message, ...renderMessage(message, kind.text) };
  const exchange = exchangeFor(outbound, config, owner);
  const send = async (): Promise<DeliveryResult> => {
    if ("send" in kind) {
      const connect = connectFor(outbound, config, owner);
      return kind.send(channelConfig, complete, attempt, { exchange, connect });
    }
    return kind.verdict(await exchange(kind.request(channelConfig, complete, attempt)), attempt);
  };
  const answer = await send().catch((error) => failureOf(error, config));
  const secrets = secretsIn(kind.fields, channelConfig);
  if (!answer.sent) return { ...answer, error: cleanError(answer.error, secrets) };
  return { ...answer, reply: clean(answer.reply, secrets, MAX_REPLY) };
};
