/** The products whose files can be imported, by the names in the API. */
export const IMPORT_SOURCES = {
  kuma: "Uptime Kuma",
  gatus: "Gatus",
  healthchecks: "healthchecks",
  uptimerobot: "UptimeRobot",
  csv: "CSV",
} as const;
export type ImportSource = keyof typeof IMPORT_SOURCES;
