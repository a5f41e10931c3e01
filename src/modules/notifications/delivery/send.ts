import { LocalFailure } from "../../../probe/local-failure";
import { LookupFailed } from "../../../probe/resolver";
import type { ChannelType } from "../../../shared/alerts";
import {
  type ChannelConfig,
  type DeliveryResult,
  type Message,
  REQUEST_TIMEOUT_MS,
  type Settings,
} from "../channels/http";
import { channelKinds } from "../channels/registry";

type Channel = { type: string; config: ChannelConfig };

/** Of what a provider says so much is kept. Control characters are not: a database may refuse them. */
const MAX_SAID = 300;

/**
 * Hands a message to a channel's provider, and gives its answer without any secret.
 * @throws {LocalFailure} when the hub itself could not make the request
 */
export const sendTo = async (
  channel: Channel,
  message: Message,
  key: string,
  settings: Settings,
): Promise<DeliveryResult> => {
  const kind = channelKinds[channel.type as ChannelType];
  const answer = await kind.send(message, channel.config, key, settings).catch(failureOf);
  const secrets = kind.secrets.map((field) => channel.config[field] ?? "").filter((secret) => secret !== "");
  const said = secrets.reduce((text, secret) => text.replaceAll(secret, "••••"), answer.said);
  return {
    ...answer,
    said: said
      .replace(/\p{Cc}+/gu, " ")
      .slice(0, MAX_SAID)
      .toWellFormed(),
  };
};

/** What to show of a request that got no answer: its kind, and nothing of its address, which may hold a token. */
const failureOf = (error: unknown): DeliveryResult => {
  if (error instanceof LocalFailure) throw error;
  if (error instanceof LookupFailed) {
    return { sent: false, said: "no answer: the name of the provider could not be resolved", refused: false };
  }
  const { name, code } = error as { name?: string; code?: string };
  const reason =
    name === "TimeoutError"
      ? ` within ${REQUEST_TIMEOUT_MS / 1000} s`
      : `: ${String(code ?? name ?? "unknown").slice(0, 60)}`;
  return { sent: false, said: `no answer${reason}`, refused: false };
};
