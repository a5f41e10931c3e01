const SECOND = 1000;
const MINUTE = 60 * SECOND;

const FIRST = SECOND;
/** Below the hub's shortest offline deadline (90 s), so that backing off never makes the server offline. */
export const MAX_PAUSE = 60 * SECOND;
/** A longer Retry-After is ignored. */
const LONGEST_ASKED = 60 * MINUTE;

/** First and longest pause between retries while the hub does not know the key. */
const UNKNOWN_KEY = { first: 5 * MINUTE, longest: 60 * MINUTE };

/**
 * Milliseconds to wait after consecutive failures (1 and up): exponential, at most 60 s, with
 * jitter over the upper half so that agents do not return in step. A longer Retry-After wins (`asked`,
 * in milliseconds).
 */
export const pauseAfter = (failures: number, asked = 0, random: () => number = Math.random): number => {
  const longest = Math.min(MAX_PAUSE, FIRST * 2 ** Math.min(failures - 1, 20));
  const pause = longest / 2 + (longest / 2) * random();
  return Math.round(asked > pause ? Math.min(asked, LONGEST_ASKED) + FIRST * random() : pause);
};

/**
 * Milliseconds to wait after the hub refused the key on consecutive reports (1 and up) without reporting that
 * the server was deleted: 5 to 60 minutes, growing, with jitter.
 */
export const pauseAfterUnknownKey = (refusals: number, random: () => number = Math.random): number => {
  const { first, longest } = UNKNOWN_KEY;
  const base = Math.min((longest * 2) / 3, first * 2 ** Math.min(refusals - 1, 20));
  return Math.round(base * (1 + random() / 2));
};

/** Parses a Retry-After header (seconds or a date) into milliseconds. */
export const parseRetryAfter = (header: string | null, now: number): number => {
  if (header === null) return 0;
  const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
};
