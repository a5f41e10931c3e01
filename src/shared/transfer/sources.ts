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
  csv: "CSV",
} as const;
export type ImportSource = keyof typeof IMPORT_SOURCES;
export const IMPORT_SOURCE_NAMES = Object.keys(IMPORT_SOURCES) as ImportSource[];
