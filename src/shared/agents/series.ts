/** The units of further figures in the history of a server, by the kind of their series. Those with a subject have one for each. */
const SERIES_UNITS = {
  swap: "percent",
  /** Over 1 minute. */
  load: "number",
  iowait: "percent",
  steal: "percent",
  /** By mount point. */
  disk: "percent",
  inodes: "percent",
  /** By network interface. */
  rx: "kilobytes",
  tx: "kilobytes",
  /** By sensor. */
  temp: "celsius",
  /** By block device. */
  read: "kilobytes",
  write: "kilobytes",
  busy: "percent",
  latency: "milliseconds",
} as const;
export type SeriesKind = keyof typeof SERIES_UNITS;

/** The most characters of a series' name: a figure whose name is longer has no history. */
export const SERIES_NAME_LENGTH = 200;
/** The most series of one request. */
export const SERIES_AT_ONCE = 20;

/** The kind and the subject of a series, by its name: `disk:/home` is the usage of the mount point `/home`. */
export const parseSeries = (name: string): { kind: SeriesKind; subject: string } | null => {
  const [kind = "", ...rest] = name.split(":");
  return Object.hasOwn(SERIES_UNITS, kind) ? { kind: kind as SeriesKind, subject: rest.join(":") } : null;
};
