import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import type { Deps } from "../../core/deps";
import { type Address, isInNetwork, parseNetwork, parseUnmapped } from "../../lib/host";

/** The source of a request's peer address: Elysia's server, which wraps Bun's. */
export type PeerSource = { requestIP(request: Request): { address: string } | null } | null;

/** An address without the port that some proxies append; undefined when it is not an address. */
const parse = (entry: string): string | undefined => {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
  return isIP(bare) === 0 ? undefined : bare;
};

const parsedRanges = new WeakMap<string[], [Address, number][]>();

const parseRanges = (ranges: string[]): [Address, number][] => {
  const networks = parsedRanges.get(ranges) ?? ranges.map(parseNetwork);
  parsedRanges.set(ranges, networks);
  return networks;
};

/** Whether an address is in one of some ranges (addresses or CIDR). */
export const isInRanges = (ranges: string[], address: string): boolean => {
  const parsed = parseUnmapped(address);
  return parsed !== null && parseRanges(ranges).some((range) => isInNetwork(parsed, range));
};

/** The address of the TCP connection, regardless of headers. */
export const peerAddress = (request: Request, server: PeerSource): string =>
  server?.requestIP(request)?.address ?? "unknown";

/**
 * The client address of a request. `X-Forwarded-For` counts only with TRUST_PROXY, and only its last entry. With
 * TRUSTED_PROXIES the header counts only when the peer is one of them, and entries that are such proxies themselves are
 * skipped from the right.
 */
export const clientAddress = ({ config }: Pick<Deps, "config">, request: Request, server: PeerSource): string => {
  const peer = peerAddress(request, server);
  const { trustProxy, trustedProxies } = config;
  if (!trustProxy || (trustedProxies.length > 0 && !isInRanges(trustedProxies, peer))) return peer;
  const entries = (request.headers.get("x-forwarded-for") ?? "").split(",").map((entry) => entry.trim());
  while (entries.length > 1 && isInRanges(trustedProxies, parse(entries.at(-1) ?? "") ?? "")) entries.pop();
  return parse(entries.at(-1) ?? "") ?? peer;
};

/**
 * The networks that attempts from an address are counted by: the IPv4 address itself; for IPv6 its /64, /56 and /48,
 * because providers assign any of these to one customer.
 */
export const networksOf = (address: string): { narrowest: string; widest: string; all: string[] } => {
  const parsed = parseUnmapped(address);
  if (!(parsed instanceof ipaddr.IPv6)) {
    const origin = parsed?.toString() ?? address;
    return { narrowest: origin, widest: origin, all: [origin] };
  }
  const [a = 0, b = 0, c = 0, d = 0] = parsed.parts;
  const narrowest = [a, b, c, d].join(":");
  const widest = `${[a, b, c].join(":")}/48`;
  return { narrowest, widest, all: [narrowest, `${[a, b, c, d & 0xff00].join(":")}/56`, widest] };
};

/** The narrowest network of `networksOf`. */
export const originOf = (address: string): string => networksOf(address).narrowest;

/** The network of a provider's customers that an address may change within: the /24 of IPv4, the /48 of IPv6. */
export const neighbourhoodOf = (address: string): string => {
  const { widest } = networksOf(address);
  return isIP(widest) === 4 ? widest.replace(/\.\d+$/, ".0/24") : widest;
};
