/** Incidents that people write for the visitors of status pages. The words are from Statuspage's API. */

export const INCIDENT_IMPACTS = ["none", "minor", "major", "critical"] as const;
export type IncidentImpact = (typeof INCIDENT_IMPACTS)[number];

export const INCIDENT_STATUSES = ["investigating", "identified", "monitoring", "resolved"] as const;
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];

export const INCIDENT_LIMITS = {
  title: 200,
  /** Characters of an update. */
  body: 5000,
  updates: 200,
  /** Of a team. */
  open: 500,
  components: 500,
  pages: 50,
  texts: 100,
  textName: 100,
} as const;

/** The names of the variables in templates of incidents. */
export const TEXT_VARIABLES = ["component", "since", "duration"] as const;
export type TextVariable = (typeof TEXT_VARIABLES)[number];

/** The text of a template with the values of its variables. Unknown variables stay as they are. */
export const fillIncidentText = (text: string, values: Readonly<Record<TextVariable, string>>): string =>
  text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) =>
    (TEXT_VARIABLES as readonly string[]).includes(name) ? values[name as TextVariable] : whole,
  );
