/** Incidents that the hub publishes by itself, as the owner of a page sets them. Texts may have the variables of templates. */
export type AutoIncidents = {
  /** Minutes of an outage before its incident is published. */
  after: number;
  title: string;
  /** The first update, in Markdown. */
  body: string;
  /** Minutes without an outage before the incident is resolved. */
  resolve_after: number;
  resolved_body: string;
};

/** Limits of the minutes. */
export const AUTO_MINUTES = { after: { min: 5, max: 1440 }, resolve_after: { min: 1, max: 1440 } } as const;
