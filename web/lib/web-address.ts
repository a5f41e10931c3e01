/**
 * The pattern of an address field (https://html.spec.whatwg.org/#the-pattern-attribute): http:// or https:// and
 * anything after it, or a host without a scheme, with a port and a path if wanted.
 */
export const ADDRESS_PATTERN = String.raw`\s*(?:[hH][tT][tT][pP][sS]?:\/\/.+|(?:[\w.\-]+|\[[\da-fA-F:.]+\])(?::\d+)?(?:[\/?#].*)?)`;

/** Hosts that rarely have a certificate: IP addresses, names without a dot, and the local domains. */
const isLocal = (host: string) =>
  host.startsWith("[") ||
  /^[\d.]+$/.test(host) ||
  !host.includes(".") ||
  /\.(localhost|local|internal|lan)$/.test(host);

/** An address with its scheme: `example.com` gets https://, an IP address or a local name gets http://. */
export const withScheme = (text: string): string => {
  const address = text.trim();
  if (address === "" || /^[a-z][a-z\d+.-]*:\/\//i.test(address)) return address;
  const host = /^(?:\[[^\]]*\]|[^/?#:]*)/.exec(address)?.[0].toLowerCase() ?? "";
  return `${isLocal(host) ? "http" : "https"}://${address}`;
};
