import { type CheckError, checkError } from "./check-error";
import { DAY } from "./limits";

/** Days of notification before the expiry of a certificate, unless the monitor overrides them. */
export const DEFAULT_CERTIFICATE_DAYS: readonly number[] = [21, 7, 1];

/** The same before the expiry of a domain, which takes longer to renew. */
export const DEFAULT_DOMAIN_DAYS: readonly number[] = [30, 14, 7, 1];

/** These thresholds for a monitor without own ones, if it checks its target over TLS. */
export const defaultDaysIf = (isEncrypted: boolean): readonly number[] => (isEncrypted ? DEFAULT_CERTIFICATE_DAYS : []);

/** Bounds of these thresholds: how many there may be, and the longest in days. */
export const CERTIFICATE_DAYS = { most: 10, longest: 365 } as const;

/** The thresholds as they are stored: each once, the longest first. */
export const sortedDays = (days: readonly number[]): number[] => [...new Set(days)].toSorted((a, b) => b - a);

/** The shortest threshold in days that has been reached; null before the first one. */
export const reachedThreshold = (days: readonly number[], expiresAt: number, now: number): number | null => {
  const reached = days.filter((threshold) => expiresAt - now <= threshold * DAY);
  return reached.length === 0 ? null : Math.min(...reached);
};

/** The days that are left until a certificate expires, rounded up; 0 after it has expired. */
export const daysLeft = (expiresAt: number, now: number): number => Math.max(0, Math.ceil((expiresAt - now) / DAY));

/** What of a monitor expires; each is a kind of outage. */
export const EXPIRY_KINDS = ["certificate", "domain"] as const;
export type ExpiryKind = (typeof EXPIRY_KINDS)[number];
export const isExpiryKind = (kind: string): kind is ExpiryKind => EXPIRY_KINDS.some((one) => one === kind);

/** The error of a certificate or domain that has reached a threshold. */
export const expiryError = (kind: ExpiryKind, expiresAt: number, now: number): CheckError => {
  const days = daysLeft(expiresAt, now);
  if (kind === "domain") return days === 0 ? checkError("domain_expired") : checkError("domain_expiring", { days });
  return days === 0 ? checkError("tls_expired") : checkError("certificate_expiring", { days });
};

/** A SHA-256 fingerprint in lower-case hexadecimal digits without colons. */
export const plainFingerprint = (fingerprint: string): string => fingerprint.replaceAll(":", "").toLowerCase();
