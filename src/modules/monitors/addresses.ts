import { BlockList, isIP } from "node:net";
import { expandIpv6 } from "../../shared/ipv6";

/**
 * Everything that is not the public internet.
 * @see https://www.iana.org/assignments/iana-ipv4-special-registry
 * @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
const RANGES: [network: string, prefix: number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
  ["::", 128],
  ["::1", 128],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001:db8::", 32],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
];

const notPublic = new BlockList();
for (const [network, prefix] of RANGES) notPublic.addSubnet(network, prefix, isIP(network) === 6 ? "ipv6" : "ipv4");

/** IPv4 addresses that are carried inside IPv6 ones: mapped, compatible, NAT64 and 6to4. */
const embedded = (address: string): string | null => {
  const groups = expandIpv6(address);
  const quad = (high: number, low: number) => [high >> 8, high & 255, low >> 8, low & 255].join(".");
  const [first = 0, second = 0, third = 0] = groups;
  if (first === 0x2002) return quad(second, third);
  const leading = groups
    .slice(0, 6)
    .map((group) => group.toString(16))
    .join(":");
  return ["0:0:0:0:0:ffff", "0:0:0:0:0:0", "64:ff9b:0:0:0:0"].includes(leading)
    ? quad(groups[6] ?? 0, groups[7] ?? 0)
    : null;
};

/** Whether an address is on the public internet, and not private, loopback, link-local, metadata or reserved. */
export const isPublicAddress = (address: string): boolean => {
  if (isIP(address) === 4) return !notPublic.check(address, "ipv4");
  if (isIP(address) !== 6) return false;
  const inner = embedded(address);
  if (inner && !isPublicAddress(inner)) return false;
  return !notPublic.check(address.split("%")[0] ?? address, "ipv6");
};
