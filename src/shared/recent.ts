/** Number of recent outcomes in a monitor's state. */
export const RECENT_LENGTH = 40;
/** One outcome: the check's time as eight base-36 digits, then u or d; blanks for none. */
export const RECENT_WIDTH = 9;

export type RecentCheck = { at: number; up: boolean };

export const emptyRecent = " ".repeat(RECENT_LENGTH * RECENT_WIDTH);

export const packRecent = ({ at, up }: RecentCheck): string =>
  at.toString(36).padStart(RECENT_WIDTH - 1, "0") + (up ? "u" : "d");

/** The last `count` outcomes, oldest first. */
export const unpackRecent = (recent: string, count: number = RECENT_LENGTH): RecentCheck[] => {
  const outcomes: RecentCheck[] = [];
  for (let start = Math.max(0, recent.length - count * RECENT_WIDTH); start < recent.length; start += RECENT_WIDTH) {
    const mark = recent.charCodeAt(start + RECENT_WIDTH - 1);
    if (mark === SPACE) continue;
    outcomes.push({ at: readTime(recent, start), up: mark === UP });
  }
  return outcomes;
};

/** Like parseInt in base 36, but without allocating a string for each of thousands of outcomes. */
const readTime = (recent: string, start: number): number => {
  let at = 0;
  for (let place = start; place < start + RECENT_WIDTH - 1; place++) {
    const code = recent.charCodeAt(place);
    at = at * 36 + code - (code <= NINE ? ZERO : TEN);
  }
  return at;
};

const [ZERO, NINE, TEN] = ["0".charCodeAt(0), "9".charCodeAt(0), "a".charCodeAt(0) - 10] as const;
const SPACE = " ".charCodeAt(0);
const UP = "u".charCodeAt(0);
