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

/** Whether a hostname is an IP address, localhost, or the one of PUBLIC_URL. */
export const isOwnHost = (hostname: string, publicUrl: string): boolean =>
  isAddressOrLocalhost(hostname) || (publicUrl !== "" && hostname === new URL(publicUrl).hostname);
