/** What a user of role `user` may have a limited number of, by the names in which answers of the API give it. */
export const QUOTA_NAMES = ["monitors", "servers", "channels", "keys", "enrollment_tokens"] as const;
export type QuotaName = (typeof QUOTA_NAMES)[number];
