const SECOND = 1000;
const MINUTE = 60 * SECOND;

const FIRST = SECOND;
/** Below the least deadline of the hub (90 s): an agent that only waits for its next try is never called offline. */
export const MAX_PAUSE = 60 * SECOND;
/** A longer Retry-After is a mistake. */
const LONGEST_ASKED = 60 * MINUTE;

/** A pause between two tries after a key that the hub does not know: it starts with the first and grows to the second. */
const UNKNOWN_KEY = { first: 5 * MINUTE, longest: 60 * MINUTE };

/**
 * Milliseconds to wait after a number of failures in a row (1 and up): twice as long each time, at most 60 s, with
 * jitter over the upper half, so that agents do not all return at the same moment. A longer Retry-After wins (`asked`,
 * in milliseconds).
 */
export const pauseAfter = (failures: number, asked = 0, random: () => number = Math.random): number => {
  const longest = Math.min(MAX_PAUSE, FIRST * 2 ** Math.min(failures - 1, 20));
  const pause = longest / 2 + (longest / 2) * random();
  return Math.round(asked > pause ? Math.min(asked, LONGEST_ASKED) + FIRST * random() : pause);
};

/**
 * Milliseconds to wait after the hub refused the agent's key a number of times in a row (1 and up) without saying that
 * its server was deleted: 5 to 60 minutes, growing, with jitter.
 */
export const pauseAfterUnknownKey = (refusals: number, random: () => number = Math.random): number => {
  const { first, longest } = UNKNOWN_KEY;
  const base = Math.min((longest * 2) / 3, first * 2 ** Math.min(refusals - 1, 20));
  return Math.round(base * (1 + random() / 2));
};

/** Milliseconds that a Retry-After header asks for: it holds seconds, or a date. */
export const parseRetryAfter = (header: string | null, now: number): number => {
  if (header === null) return 0;
  const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
};
