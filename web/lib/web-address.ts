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

/** IPv4 in its usual notation, which `URL` makes of every other one. */
const PRIVATE_IPV4 =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const PRIVATE_IPV6 = /^\[(?:::1?\]|f[cd]|fe[89ab]|::ffff:)/;

/** Whether an address names this machine or its network literally. The hub judges names when it connects. */
export const isPrivateAddress = (text: string): boolean => {
  const host = URL.parse(withScheme(text))?.hostname ?? "";
  return PRIVATE_IPV4.test(host) || PRIVATE_IPV6.test(host) || /(?:^|\.)(?:localhost|local)\.?$/.test(host);
};
