/** Asks what stands between the hub and its targets: the default gateway, the name servers, and hosts of channels. */
import { promises } from "node:dns";
import { readFile } from "node:fs/promises";
import type { Log } from "../../../../core/log";
import type { Clock } from "../../../../lib/time";
import type { Outbound } from "../../../../probe/outbound";
import { HOUR, SECOND } from "../../../../shared/limits";
import type { Witness, Witnesses } from "./decide";
import { placeOf } from "./networks";

/** How long each may take to answer (ms). */
const TIMEOUT = 3 * SECOND;
/** How often is learned, in calm times, which of them answer (ms). */
const LEARN = HOUR;
/** Hosts of channels that are asked at a time. */
const MOST_HOSTS = 3;
const CALLER = { key: "own network", lookups: 8, allowPrivate: true };

/** A host that messages are sent to, and whether the channel's owner may reach private addresses. */
export type ChannelHost = { hostname: string; port: number; secure: boolean; allowPrivate: boolean };

/** Where the default gateway is, and a port of it that is asked. */
type Surroundings = { gateway: () => Promise<string | null>; gatewayPort: number };

const ROUTES = "/proc/net/route";
const UP_GATEWAY = 0x3;

/**
 * The default gateway in a routing table of Linux, whose addresses are numbers of little-endian machines; null without one.
 * @see https://man7.org/linux/man-pages/man5/proc_pid_net.5.html
 */
export const gatewayIn = (table: string): string | null => {
  const routes = table
    .split("\n")
    .slice(1)
    .map((line) => line.split(/\s+/))
    .filter(
      ([, destination, , flags]) => destination === "00000000" && (Number(`0x${flags}`) & UP_GATEWAY) === UP_GATEWAY,
    );
  const best = routes.sort((a, b) => Number(a[6]) - Number(b[6]))[0]?.[2];
  return best ? Buffer.from(best, "hex").reverse().join(".") : null;
};

const systemGateway = (): Promise<string | null> => readFile(ROUTES, "utf8").then(gatewayIn, () => null);

const SYSTEM: Surroundings = { gateway: systemGateway, gatewayPort: 80 };

/** Whether something is at an address: it accepts the connection, or refuses it by itself. */
const isThere = async (hostname: string, port: number, outbound: Outbound): Promise<boolean> => {
  try {
    (await outbound.connect({ hostname, port, signal: AbortSignal.timeout(TIMEOUT), caller: CALLER })).destroy();
    return true;
  } catch (error) {
    return /^E(CONNREFUSED|CONNRESET)$/.test(String((error as { code?: unknown }).code));
  }
};

/**
 * Whether the name servers say truthfully that a name does not exist. It is a new one each time, which no cache has, and
 * which only name servers outside can deny.
 */
const denyUnknownName = async (servers: readonly string[]): Promise<boolean> => {
  const resolver = new promises.Resolver({ timeout: SECOND, tries: 2 });
  resolver.setServers(servers);
  return resolver.resolve4(`${crypto.randomUUID()}.com`).then(
    () => false,
    ({ code }) => /^(DNS_)?(ENOTFOUND|ENODATA)$/.test(String(code)),
  );
};

/** Whether a host outside was reached; null when it is on this machine or its link. A secure one shows its certificate. */
const isReached = async (host: ChannelHost, outbound: Outbound): Promise<boolean | null> => {
  const { hostname, port, secure, allowPrivate } = host;
  const signal = AbortSignal.timeout(TIMEOUT);
  const caller = { ...CALLER, allowPrivate };
  try {
    const [address = ""] = await outbound.addressesOf(hostname, caller, signal);
    if (placeOf(address) !== "outside") return null;
    if (!secure) {
      (await outbound.connect({ hostname, port, signal, caller })).destroy();
      return true;
    }
    const url = new URL(`https://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}/`);
    const response = await outbound.request({ url, method: "HEAD", headers: new Headers(), body: "", signal, caller });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
};

type Parts = { clock: Clock; log: Log; outbound: Outbound; channelHosts: () => Promise<ChannelHost[]> };

/** What never answered says nothing by its silence: it may not be there, or be told not to answer. */
const createRelative = () => {
  let answered = false;
  return (answers: boolean | null): Witness => {
    answered ||= answers === true;
    if (answers) return "answers";
    return answered ? "silent" : "unknown";
  };
};

/** Creates the functions that ask all witnesses, and that learn in calm times which of them answer. */
export const createWitnesses = ({ clock, log, outbound, channelHosts }: Parts, { gateway, gatewayPort } = SYSTEM) => {
  const [ofGateway, ofNameServers] = [createRelative(), createRelative()];
  let learnedAt = Number.NEGATIVE_INFINITY;
  let first = 0;

  const askGateway = async (): Promise<Witness> => {
    const address = await gateway();
    return ofGateway(address === null ? null : await isThere(address, gatewayPort, outbound));
  };

  const askNameServers = async (): Promise<Witness> => {
    const servers = outbound.nameServers();
    return ofNameServers(servers.length === 0 ? null : await denyUnknownName(servers));
  };

  /** Hosts of channels in turn. */
  const askChannels = async (): Promise<Witness> => {
    const hosts = await channelHosts();
    const start = hosts.length === 0 ? 0 : first % hosts.length;
    first = start + MOST_HOSTS;
    const asked = [...hosts.slice(start), ...hosts.slice(0, start)].slice(0, MOST_HOSTS);
    const answers = await Promise.all(asked.map((host) => isReached(host, outbound)));
    if (answers.includes(true)) return "answers";
    return answers.includes(false) ? "silent" : "unknown";
  };

  const orUnknown = (asked: Promise<Witness>): Promise<Witness> =>
    asked.catch((error) => {
      log.debug("the own network could not be asked", { reason: String(error) });
      return "unknown";
    });

  return {
    ask: async (): Promise<Witnesses> => {
      const asked = [askGateway(), askNameServers(), askChannels()].map(orUnknown);
      const [ofTheGateway = "unknown", ofTheNameServers = "unknown", ofChannels = "unknown"] = await Promise.all(asked);
      return { gateway: ofTheGateway, nameServers: ofTheNameServers, channels: ofChannels };
    },

    /** Learns once an hour which of the gateway and the name servers answer. Call it while the own network works. */
    learn: (): void => {
      const age = clock.now() - learnedAt;
      if (age >= 0 && age < LEARN) return;
      learnedAt = clock.now();
      void orUnknown(askGateway());
      void orUnknown(askNameServers());
    },
  };
};
