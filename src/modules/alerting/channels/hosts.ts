import { desc, eq } from "drizzle-orm";
import { mayReachPrivate } from "../../../core/config";
import type { Deps } from "../../../core/deps";
import { channels, users } from "../../../db/schema";
import type { ChannelConfig } from "../../../shared/channel-fields";
import { readerOf } from "../messages/format";
import { composeTest } from "../templates/apply";
import type { Attempt, ChannelMessage, Transport } from "./kind";
import { builtInChannel, channelKinds } from "./registry";
import { addressFor } from "./send";
import { type Message, renderMessage } from "./text";

/** Channels that are looked at. */
const MOST = 20;

/** A host that messages are sent to. `allowPrivate`: whether it may be at a private address. */
type Host = { hostname: string; port: number; secure: boolean; allowPrivate: boolean };
type Channel = { type: string; config: ChannelConfig; role: "admin" | "user" };

const hostOf = (url: URL, allowPrivate: boolean): Host => {
  const secure = url.protocol === "https:";
  return {
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port) || (secure ? 443 : 80),
    secure,
    allowPrivate,
  };
};

/** The host that a channel of a kind connects to first: its requests are made up to the connection. */
const firstHost = async (
  { config: settings, clock }: Pick<Deps, "config" | "clock">,
  { type, config, role }: Channel,
  message: Message & Pick<ChannelMessage, "event" | "language">,
): Promise<Host | null> => {
  const kind = channelKinds.get(type);
  if (!kind) return null;
  const now = clock.now();
  const attempt: Attempt = { key: "host", now, number: 1, age: 0, config: settings };
  const complete = { ...message, ...renderMessage(message, kind.text) };
  let host: Host | null = null;
  const stop = (found: Host): never => {
    host ??= found;
    throw new Error("not sent");
  };
  const exchange: Transport["exchange"] = async ({ url, chosenBy }) => {
    const allowPrivate = chosenBy === "operator" || mayReachPrivate(settings, role);
    return stop(hostOf(addressFor(new URL(url), chosenBy, settings), allowPrivate));
  };
  const connect: Transport["connect"] = async (hostname, port) =>
    stop({ hostname, port, secure: false, allowPrivate: mayReachPrivate(settings, role) });
  const sent =
    "send" in kind
      ? kind.send(config, complete, attempt, { exchange, connect })
      : Promise.try(() => exchange(kind.request(config, complete, attempt)));
  await sent.catch(() => {});
  return host;
};

/** The hosts of the channels that were changed last, and of the built-in one, each once. */
export const channelHosts = async (deps: Pick<Deps, "db" | "config" | "clock">): Promise<Host[]> => {
  const { type, config } = channels;
  const rows = await deps.db
    .select({ type, config, role: users.role })
    .from(channels)
    .innerJoin(users, eq(users.id, channels.userId))
    .where(eq(channels.enabled, true))
    .orderBy(desc(channels.updatedAt), desc(channels.id))
    .limit(MOST);
  const builtIn = builtInChannel(deps.config, "admin");
  const message = composeTest(readerOf(deps, undefined), "", deps.clock.now());
  const all: Channel[] = builtIn ? [{ ...builtIn, role: "admin" }, ...rows] : rows;
  const hosts = await Promise.all(all.map((channel) => firstHost(deps, channel, message)));
  const byAddress = new Map(hosts.flatMap((host) => (host ? [[`${host.hostname}:${host.port}`, host] as const] : [])));
  return [...byAddress.values()];
};
