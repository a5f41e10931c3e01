import { type CheckError, checkError } from "./check-error";
import { DAY } from "./limits";

/** Days of notification before the expiry of a certificate, unless the monitor overrides them. */
export const DEFAULT_CERTIFICATE_DAYS: readonly number[] = [21, 7, 1];

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

/** The error of a certificate that has reached a threshold. */
export const expiryError = (expiresAt: number, now: number): CheckError => {
  const days = daysLeft(expiresAt, now);
  return days === 0 ? checkError("tls_expired") : checkError("certificate_expiring", { days });
};

/** A SHA-256 fingerprint in lower-case hexadecimal digits without colons. */
export const plainFingerprint = (fingerprint: string): string => fingerprint.replaceAll(":", "").toLowerCase();
