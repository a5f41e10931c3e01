import { LIMITS } from "../limits";

/** Removes the brackets of an IPv6 address. */
export const withoutBrackets = (host: string): string => host.trim().replace(/^\[(.*)\]$/s, "$1");

/** A URL with a host and nothing else. */
export const hostUrl = (host: string): string => {
  const bare = withoutBrackets(host);
  return `http://${bare.includes(":") ? `[${bare}]` : bare}/`;
};

/** Normalizes a hostname or IP address as URLs do; null for any other text. */
export const hostnameOf = (host: string): string | null => {
  // The URL parser would take these for other parts of the URL, or remove them.
  if (/[\s/?#@\\%]/.test(withoutBrackets(host))) return null;
  const hostname = URL.parse(hostUrl(host))?.hostname;
  return hostname && hostname.length <= LIMITS.host ? withoutBrackets(hostname) : null;
};

/** A host with its port as one line of text. */
export const hostAndPort = (host: string, port: number): string => `${host.includes(":") ? `[${host}]` : host}:${port}`;

/** The host of an address, without the brackets of IPv6; empty if the text is no address. */
export const hostOfAddress = (text: string): string => withoutBrackets(URL.parse(text)?.hostname ?? "");
