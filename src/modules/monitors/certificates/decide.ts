import { type ExpiryKind, reachedThreshold } from "../../../shared/certificate";
import { DAY } from "../../../shared/limits";

/** A certificate or domain as it was last seen, and the thresholds of its monitor in days. */
export type Watched = { kind: ExpiryKind; fingerprint: string; expiresAt: number; days: readonly number[] };

/** The last alert about the certificate of a monitor: which one, and the threshold in days. */
export type Sent = { fingerprint: string; days: number };

/**
 * The threshold whose alert is due, or null: the tightest reached one, unless an alert for a tighter one about the same
 * certificate was sent. `tightest` is the shortest sent threshold, if any.
 */
export const dueThreshold = (watched: Watched, tightest: number | undefined, now: number): number | null => {
  const reached = reachedThreshold(watched.days, watched.expiresAt, now);
  return reached === null || (tightest !== undefined && tightest <= reached) ? null : reached;
};

/**
 * What becomes of the open outage of a certificate: `renewed` once another certificate was seen or its chain expires
 * later, `ended` without a message once the thresholds were shortened, `open` otherwise.
 */
export const fateOf = (watched: Watched, last: Sent, now: number): "open" | "renewed" | "ended" => {
  if (watched.fingerprint !== last.fingerprint) return "renewed";
  if (reachedThreshold(watched.days, watched.expiresAt, now) !== null) return "open";
  return watched.expiresAt - now > last.days * DAY ? "renewed" : "ended";
};
