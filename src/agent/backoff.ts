/** Milliseconds. */
const FIRST = 1000;
const LONGEST = 300_000;
/** Nobody asks for more patience than this in earnest. */
const LONGEST_ASKED = 3_600_000;

/**
 * Milliseconds to wait after so many failures running: twice as long each time, up to five minutes, and never the same
 * for two agents, so that a console that comes back is not met by all at once. What the console asked for counts if it
 * is more.
 */
export const pauseAfter = (failures: number, asked = 0, random: () => number = Math.random): number => {
  const longest = Math.min(LONGEST, FIRST * 2 ** Math.min(failures - 1, 20));
  const pause = longest / 2 + (longest / 2) * random();
  return Math.round(asked > pause ? Math.min(asked, LONGEST_ASKED) + FIRST * random() : pause);
};

/** Milliseconds that a Retry-After header asks for: it holds seconds, or a date. */
export const parseRetryAfter = (header: string | null, now: number): number => {
  if (header === null) return 0;
  const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : 0;
};
