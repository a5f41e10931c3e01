/** The answer of a registry about a domain, as it is stored and presented. Times are ISO 8601. */
export type Registration = {
  /** The registered domain in ASCII. */
  name: string;
  registrar: string | null;
  registered_at: string | null;
  /** Null where the registry does not publish it. */
  expires_at: string | null;
  /** As RDAP names them, such as `client transfer prohibited`. */
  statuses: string[];
  /** When the registry was asked. */
  asked_at: string;
};

/** Statuses of a registration that was deleted: its names do not work. */
export const DELETED_STATUSES: readonly string[] = ["redemption period", "pending delete"];
