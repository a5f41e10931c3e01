import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { expandIpv6 } from "../lib/ip";

/**
 * IPv4 addresses that are not on the public internet.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 */
const IPV4_RANGES: [network: string, prefix: number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/**
 * Public addresses at which hosting providers serve their own customers' machines: agents, metadata, private endpoints.
 * @see https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
 * @see https://cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc
 */
const PROVIDER_RANGES: [network: string, prefix: number][] = [
  ["168.63.129.16", 32],
  ["161.26.0.0", 16],
  ["166.8.0.0", 14],
];

/**
 * What is special within 2000::/3, the only range of public IPv6 addresses.
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const IPV6_RANGES: [network: string, prefix: number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["3fff::", 20],
];

const notPublic = new BlockList();
for (const [network, prefix] of [...IPV4_RANGES, ...PROVIDER_RANGES]) notPublic.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of IPV6_RANGES) notPublic.addSubnet(network, prefix, "ipv6");

/** IPv4 addresses that are carried inside IPv6 ones: mapped, NAT64 and 6to4. */
const embedded = (groups: number[]): string | null => {
  const quad = (high = 0, low = 0) => [high >> 8, high & 255, low >> 8, low & 255].join(".");
  if (groups[0] === 0x2002) return quad(groups[1], groups[2]);
  const leading = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(":");
  return ["0:0:0:0:0:ffff", "64:ff9b:0:0:0:0"].includes(leading) ? quad(groups[6], groups[7]) : null;
};

/** Whether an address is on the public internet, and not private, loopback, link-local, metadata or reserved. */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 4) return !notPublic.check(address, "ipv4");
  if (isIP(address) !== 6) return false;
  const groups = expandIpv6(address);
  const inner = embedded(groups);
  if (inner !== null) return isPublicAddress(inner);
  const isGlobal = ((groups[0] ?? 0) & 0xe000) === 0x2000;
  return isGlobal && !notPublic.check(address.split("%")[0] ?? address, "ipv6");
};

/** One spelling for each address, IPv4 for those that carry one. */
const canonical = (address: string): string => {
  if (isIP(address) !== 6) return address;
  const groups = expandIpv6(address);
  return embedded(groups) ?? groups.join(":");
};

type Interfaces = ReturnType<typeof networkInterfaces>;

/** Addresses of this machine are read again after this many milliseconds. */
const REFRESH = 10_000;

/**
 * Judges addresses for users who may reach the public internet only. This machine's own addresses are none of it: a
 * connection to them comes from inside, past the firewall. Those that a router translates are not known here.
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
