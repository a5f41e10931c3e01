import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * An IPv4 address of four decimal numbers or an IPv6 address, whose zone is ignored; null for every other text.
 * ipaddr.js alone would also accept hexadecimal, octal and shorter forms of IPv4, and would read `::192.0.2.1`, which is
 * an IPv6 address of its own, as `::ffff:192.0.2.1`.
 */
export const parseAddress = (text: string): Address | null => {
  const [address = ""] = text.split("%");
  const family = isIP(text) && isIP(address);
  if (family === 0) return null;
  if (family === 4) return ipaddr.IPv4.parse(address);
  return ipaddr.IPv6.parse(address.replace(/^::(?=\d+\.)/, "0:0:0:0:0:0:"));
};

/** The same, with an IPv4 address that is written as an IPv6 one (`::ffff:192.0.2.1`) as IPv4. */
export const parseUnmapped = (text: string): Address | null => {
  const address = parseAddress(text);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
};

/** Whether an address lies in a network of the same family. */
export const isInNetwork = (address: Address, [network, prefix]: [Address, number]): boolean =>
  address.kind() === network.kind() && address.match(network, prefix);

/** A network in CIDR notation, or a single address. @throws for any other text */
export const parseNetwork = (text: string): [Address, number] => {
  const [written = "", prefix] = text.split("/");
  const [address, unmapped] = [parseAddress(written), parseUnmapped(written)];
  if (address === null || unmapped === null) throw new Error(`not a network: ${text}`);
  const bits = address.toByteArray().length * 8;
  const length = prefix === undefined ? bits : Number(prefix);
  // A network of mapped addresses is one of IPv4 addresses: `::ffff:10.0.0.0/104` is 10.0.0.0/8.
  return address.kind() !== unmapped.kind() && length >= 96 ? [unmapped, length - 96] : [address, length];
};

/*
 * Checks of the Host header. A foreign web page can point its own name at this machine (DNS rebinding) and then call
 * the API as same-origin; it cannot do so under an IP address, localhost or a name of another owner.
 */

/** The hostname of a Host header in lower case, IPv6 in brackets; null when the header is missing or malformed. */
export const hostnameOf = (header: string | null): string | null =>
  /^(\[[\da-f:.]+\]|[\da-z_][\da-z_.-]*)(?::\d{1,5})?$/i.exec(header ?? "")?.[1]?.toLowerCase() ?? null;

/** Whether a hostname is an IP address or localhost. */
export const isAddressOrLocalhost = (hostname: string): boolean =>
  /^\[.*\]$|^\d{1,3}(\.\d{1,3}){3}$|^(.+\.)?localhost\.?$/.test(hostname);

/** Whether a hostname can only exist in a local network, because it cannot be registered on the internet. */
export const isLocalName = (hostname: string): boolean =>
  !hostname.includes(".") || /\.(local|internal|lan|home|home\.arpa)\.?$/.test(hostname);

/** Whether a hostname is an IP address, localhost, or the host of PUBLIC_URL. */
export const isOwnHost = (hostname: string, publicUrl: string): boolean =>
  isAddressOrLocalhost(hostname) || (publicUrl !== "" && hostname === new URL(publicUrl).hostname);

/** Whether the client uses https, according to the proxy or PUBLIC_URL. */
export const isHttps = ({ headers }: Request, publicUrl: string): boolean => {
  const forwarded = headers.get("x-forwarded-proto")?.split(",")[0]?.trim();
  return forwarded ? forwarded === "https" : publicUrl.startsWith("https:");
};
