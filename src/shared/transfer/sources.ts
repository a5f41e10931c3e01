/** The products whose files can be imported, by the names in the API. */
export const IMPORT_SOURCES = {
  kuma: "Uptime Kuma",
  xugou: "xugou",
  beszel: "Beszel",
  nezha: "Nezha",
  komari: "komari",
  gatus: "Gatus",
  healthchecks: "healthchecks",
  uptimerobot: "UptimeRobot",
  betterstack: "Better Stack",
  statuspage: "Statuspage",
  csv: "CSV",
} as const;
export type ImportSource = keyof typeof IMPORT_SOURCES;

/** The product that is read from a public address, too. */
export const ADDRESS_SOURCE = "statuspage" satisfies ImportSource;

/** The products that are read with a key, too. */
export const KEY_SOURCES = ["healthchecks", "betterstack"] as const satisfies ImportSource[];

export const IMPORT_SOURCE_NAMES = Object.keys(IMPORT_SOURCES) as ImportSource[];
