import type { Counters } from "../../measure/reading";

/** Parses the counters of every interface from /proc/net/dev. */
export const parseNetDev = (text: string): Record<string, Counters> => {
  const found: Record<string, Counters> = {};
  for (const line of text.split("\n")) {
    const [, name, rest] = /^\s*(\S+):\s*(.+)$/.exec(line) ?? [];
    if (name === undefined || rest === undefined) continue;
    const fields = rest.trim().split(/\s+/).map(Number);
    const [rx, tx] = [fields[0], fields[8]];
    if (rx !== undefined && tx !== undefined && Number.isFinite(rx) && Number.isFinite(tx)) found[name] = { rx, tx };
  }
  return found;
};

/** Names of the interfaces with a default route, IPv4 first. */
export const parseDefaultRoutes = (route: string, ipv6Route: string): string[] => {
  const names = new Set<string>();
  for (const line of route.split("\n").slice(1)) {
    const [name, destination, , , , , , mask] = line.split(/\s+/);
    if (name && destination === "00000000" && mask === "00000000") names.add(name);
  }
  for (const line of ipv6Route.split("\n")) {
    const fields = line.trim().split(/\s+/);
    const [destination, length, name] = [fields[0], fields[1], fields[9]];
    if (name && name !== "lo" && length === "00" && destination !== undefined && /^0{32}$/.test(destination))
      names.add(name);
  }
  return [...names];
};
