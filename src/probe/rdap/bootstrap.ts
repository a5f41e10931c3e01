/**
 * The list of RDAP servers of top-level domains.
 * @see https://www.rfc-editor.org/rfc/rfc9224
 */

/** Entries, names of an entry, and addresses of an entry that are read. */
const [MAX_SERVICES, MAX_NAMES, MAX_ADDRESSES] = [5000, 2000, 4];

/** The addresses of the servers of each suffix, in ASCII. */
export type Services = ReadonlyMap<string, readonly string[]>;

const texts = (value: unknown, most: number): string[] =>
  (Array.isArray(value) ? value.slice(0, most) : []).filter((one) => typeof one === "string");

const isAddress = (text: string, schemes: readonly string[]): boolean => {
  const url = URL.parse(text);
  return url !== null && schemes.includes(url.protocol) && url.username === "" && url.search === "";
};

/** Reads the list; null for anything else. Addresses with other schemes are left out. */
export const readServices = (list: unknown, schemes: readonly string[]): Services | null => {
  const { services } = Object(list) as { services?: unknown };
  if (!Array.isArray(services)) return null;
  const found = new Map<string, readonly string[]>();
  for (const service of services.slice(0, MAX_SERVICES)) {
    const [names, addresses] = Array.isArray(service) ? service : [];
    const usable = texts(addresses, MAX_ADDRESSES).filter((text) => isAddress(text, schemes));
    if (usable.length === 0) continue;
    for (const name of texts(names, MAX_NAMES)) found.set(name.toLowerCase(), usable);
  }
  return found.size === 0 ? null : found;
};

/** The address of the server for a name, by its longest suffix, with a last slash; null for none. */
export const serverFor = (services: Services, name: string): string | null => {
  const labels = name.split(".");
  for (let start = 0; start < labels.length; start++) {
    const [address] = services.get(labels.slice(start).join(".")) ?? [];
    if (address !== undefined) return address.endsWith("/") ? address : `${address}/`;
  }
  return null;
};
