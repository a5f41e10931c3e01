/** Alert policies: who is notified when, how often again, and at which hours not. */

/** Channels to notify once an outage has lasted `afterMinutes`. The first step of a policy has 0. */
export type PolicyStep = { afterMinutes: number; channels: number[] };

/** Weekdays are 1 for Monday to 7 for Sunday. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/**
 * Hours in which messages are held back, as wall times `HH:mm` of an IANA time zone. Hours that end before they start, or
 * when they start, end on the following day; `days` are those on which they start. `hold` sends what is still true when they end, and
 * `drop` sends nothing. Targets that are marked as critical are notified all the same.
 */
export type QuietHours = {
  days: Weekday[];
  from: string;
  to: string;
  timeZone: string;
  mode: "hold" | "drop";
};

/** What a policy says, without its name. */
export type AlertPolicy = {
  steps: PolicyStep[];
  /** Minutes between reminders while an outage is open; 0 for none. */
  repeatMinutes: number;
  /** Reminders for one outage at most; 0 for no limit but MAX_REMINDERS. */
  repeatMax: number;
  quiet: QuietHours | null;
  /** Seconds that a message waits for others, to be sent as one; 0 sends each at once. */
  groupSeconds: number;
};

export const POLICY_LIMITS = {
  /** Policies of one user. */
  policies: 50,
  nameLength: 100,
  steps: 5,
  channelsPerStep: 20,
  afterMinutes: 1440,
  repeatMinutes: { min: 5, max: 1440 },
  repeatMax: 50,
  groupSeconds: 300,
} as const;
