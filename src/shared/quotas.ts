/** Names of quotas, as in answers of the API. */
export const QUOTA_NAMES = ["monitors", "servers", "channels", "keys", "enrollment_tokens"] as const;
export type QuotaName = (typeof QUOTA_NAMES)[number];
