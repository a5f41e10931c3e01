/** Parses the system's display name from /etc/os-release. */
export const parseOsRelease = (text: string): string | null => {
  const value = (name: string) => {
    const raw = new RegExp(`^${name}=(.*)$`, "m").exec(text)?.[1]?.trim();
    return raw?.replace(/^(["'])(.*)\1$/, "$2").replace(/\\(["$`\\])/g, "$1");
  };
  return value("PRETTY_NAME") || value("NAME") || null;
};

/** Parses the seconds since boot from /proc/uptime, which containers see as their own. */
export const parseUptime = (text: string): number | undefined => {
  const seconds = Number.parseFloat(text);
  return Number.isFinite(seconds) ? seconds : undefined;
};

/** Parses the load averages over 1, 5 and 15 minutes from /proc/loadavg. */
export const parseLoad = (text: string): [number, number, number] | undefined => {
  const [one, five, fifteen] = text.split(" ").map(Number);
  const load = [one, five, fifteen];
  return load.every((figure) => figure !== undefined && Number.isFinite(figure))
    ? (load as [number, number, number])
    : undefined;
};
