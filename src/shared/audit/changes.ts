/** The vocabulary of the log of changes: src/modules/accounts/audit records and answers them. */

/** Objects that people create, change or delete. An agent is a server. */
export const CHANGED_OBJECTS = [
  "monitor",
  "agent",
  "channel",
  "rule",
  "policy",
  "threshold",
  "window",
  "template",
  "tag",
  "status_page",
  "incident",
  "incident_text",
  "subscriber",
  "report_schedule",
  "report_link",
  "wall",
  "key",
  "ping_key",
  "enrollment_token",
  "import",
  "team",
  "member",
  "user",
  "settings",
] as const;
export type ChangedObject = (typeof CHANGED_OBJECTS)[number];

/** Objects whose changes affect the outages and alerts of every monitor and server of a team. */
export const TEAM_RULES = ["rule", "policy", "threshold"] as const satisfies readonly ChangedObject[];

export const CHANGE_ACTIONS = [
  "created",
  "changed",
  "deleted",
  "moved",
  "paused",
  "resumed",
  "muted",
  "unmuted",
  "acknowledged",
  "unacknowledged",
  "noted",
] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

/** A value that the log shows. Times are texts in ISO 8601, and lists are texts with commas. */
export type ChangedValue = string | number | boolean | null;

/** The changed fields by name, each from one value to another; null for a field whose values are not shown. */
export type ChangedFields = Record<string, readonly [from: ChangedValue, to: ChangedValue] | null>;

/** Actions on a monitor or server that may lead to an outage. */
export const CAUSING_ACTIONS = ["changed", "paused", "resumed"] as const satisfies readonly ChangeAction[];

/** Changes that are kept of one team, and those on a page. */
export const CHANGES = { perTeam: 10_000, page: 50 } as const;
