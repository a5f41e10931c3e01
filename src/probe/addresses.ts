import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";
import { type Address, isInNetwork, parseAddress, parseNetwork } from "../lib/host";

/**
 * Public addresses that hosting providers reserve for services to their customers' machines: agents, metadata, private endpoints.
 * ipaddr.js knows the special ranges of IANA only.
 * @see https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
 * @see https://cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc
 */
const PROVIDER_NETWORKS = ["168.63.129.16", "161.26.0.0/16", "166.8.0.0/14"].map(parseNetwork);

/** All public IPv6 addresses. ipaddr.js takes the rest of the address space, which is not assigned, as public, too. */
const GLOBAL_UNICAST = parseNetwork("2000::/3");

/** The well-known prefix of NAT64. ipaddr.js has one name for it and for 64:ff9b:1::/48, which is for local use. */
const NAT64 = parseNetwork("64:ff9b::/96");

/** The IPv4 address that an IPv6 address carries (mapped, NAT64 or 6to4), or null. */
const embedded = (address: ipaddr.IPv6): ipaddr.IPv4 | null => {
  const bytes = address.toByteArray();
  if (address.range() === "6to4") return new ipaddr.IPv4(bytes.slice(2, 6));
  const isCarrier = address.isIPv4MappedAddress() || isInNetwork(address, NAT64);
  return isCarrier ? new ipaddr.IPv4(bytes.slice(12)) : null;
};

/** The IPv4 address that an address carries, or the address itself. */
const unwrap = (address: Address): Address =>
  address instanceof ipaddr.IPv6 ? (embedded(address) ?? address) : address;

/** Whether an address is on the public internet, and not private, loopback, link-local, metadata or reserved. */
export const isPublicAddress = (text: string): boolean => {
  const parsed = parseAddress(text);
  if (parsed === null) return false;
  const address = unwrap(parsed);
  if (address.range() !== "unicast") return false;
  if (address instanceof ipaddr.IPv6) return isInNetwork(address, GLOBAL_UNICAST);
  return !PROVIDER_NETWORKS.some((network) => isInNetwork(address, network));
};

/** The canonical form of an address, IPv4 for those that carry one. */
const canonical = (text: string): string => {
  const address = parseAddress(text);
  return address === null ? text : unwrap(address).toByteArray().join(".");
};

type Interfaces = ReturnType<typeof networkInterfaces>;

/** Time until the addresses of this machine are read again (ms). */
const REFRESH = 10_000;

/**
 * Creates the check of addresses for users who may reach the public internet only. This machine's own addresses are
 * refused, because a connection to them comes from inside the firewall. Addresses of a NAT router are not known here.
 */
export const createAddressGuard = (
  readInterfaces: () => Interfaces = networkInterfaces,
  now: () => number = () => performance.now(),
) => {
  let own = new Set<string>();
  let readAt = Number.NEGATIVE_INFINITY;
  return (address: string): boolean => {
    if (!isPublicAddress(address)) return false;
    if (now() - readAt >= REFRESH) {
      readAt = now();
      const entries = Object.values(readInterfaces()).flatMap((list) => list ?? []);
      own = new Set(entries.map((entry) => canonical(entry.address)));
    }
    return !own.has(canonical(address));
  };
};
