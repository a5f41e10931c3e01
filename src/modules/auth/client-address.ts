import { isIP } from "node:net";
import type { Deps } from "../../deps";
import { expandIpv6 } from "../../shared/ipv6";

type Server = { requestIP(request: Request): { address: string } | null } | null;

/** An address without the port that some proxies write behind it; nothing when it is none. */
const parse = (entry: string): string | undefined => {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
  return isIP(bare) === 0 ? undefined : bare;
};

/** Where a request comes from. A proxy's word counts only when the operator trusts it, and only its own last entry. */
export const clientAddress = ({ config }: Deps, request: Request, server: Server): string => {
  const forwarded = config.trustProxy ? request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() : undefined;
  return (forwarded && parse(forwarded)) || server?.requestIP(request)?.address || "unknown";
};

/**
 * What attempts are counted by: an IPv4 address, or the network of an IPv6 one, because whoever has one such address
 * has 2^64 of them.
 */
export const originOf = (address: string): string => {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  return isIP(address) === 6 ? expandIpv6(address).slice(0, 4).join(":") : address;
};
