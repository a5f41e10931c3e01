/** The parts of an address that a connection and a login need. */

/** The host of an address, without the brackets of IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

const SECURE = ["https:", "wss:"];

/** Where an http, https, ws or wss address leads, and whether over TLS. */
export const endpointOf = (url: URL): { host: string; port: number; isSecure: boolean } => {
  const isSecure = SECURE.includes(url.protocol);
  return { host: hostOf(url), port: Number(url.port) || (isSecure ? 443 : 80), isSecure };
};

/** Decodes percent-encoding, or returns the text itself if it is malformed. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The Authorization header for the user information of an address; null without any. */
export const basicLogin = ({ username, password }: URL): string | null =>
  username || password ? `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64")}` : null;
