/** Whether a host rarely has a certificate: an IP address, a name without a dot, or a local domain. */
const isLocal = (host: string) =>
  host.startsWith("[") ||
  /^[\d.]+$/.test(host) ||
  !host.includes(".") ||
  /\.(localhost|local|internal|lan)$/.test(host);

/** Adds a missing scheme to an address: https://, or http:// for an IP address or a local name. */
export const withScheme = (text: string): string => {
  const address = text.trim();
  if (address === "" || /^[a-z][a-z\d+.-]*:\/\//i.test(address)) return address;
  const host = /^(?:\[[^\]]*\]|[^/?#:]*)/.exec(address)?.[0].toLowerCase() ?? "";
  return `${isLocal(host) ? "http" : "https"}://${address}`;
};

/** A web address as lists show it. */
export const withoutScheme = (address: string): string => address.replace(/^https?:\/\//i, "");

/** Whether a text, completed by `withScheme`, is a web address. */
export const isWebAddress = (text: string): boolean => {
  const address = withScheme(text);
  // The parser would take these for other parts of an address, or leave them out.
  if (/^https?:\/\/(?:https?(?:[:/]|$)|[\s/?#\\])/i.test(address)) return false;
  // Without a scheme, an @ belongs to an email address.
  if (address !== text.trim() && /^[^/?#]*@/.test(text.trim())) return false;
  const url = URL.parse(address);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "";
};

/** The host of an address as it was typed, with its port; empty if the text is no web address. */
export const hostOf = (text: string): string => {
  if (!isWebAddress(text)) return "";
  const [, host = ""] = /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#\\]*)/i.exec(withScheme(text)) ?? [];
  return host;
};

/** IPv4 in dotted notation; `URL` normalizes all other notations to it. */
const PRIVATE_IPV4 =
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./;
const PRIVATE_IPV6 = /^\[(?:::1?\]|f[cd]|fe[89ab]|::ffff:)/;

/** Whether an address literally names a private address or local domain. The hub checks resolved names when it connects. */
export const isPrivateAddress = (text: string): boolean => {
  const host = URL.parse(withScheme(text))?.hostname ?? "";
  return PRIVATE_IPV4.test(host) || PRIVATE_IPV6.test(host) || /(?:^|\.)(?:localhost|local)\.?$/.test(host);
};
