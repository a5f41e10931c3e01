/** The gaps of the hub in memory: the open one, those to be stored, and those that each job has to catch up on. */
import type { Interval } from "../lib/intervals";
import type { Gap, OpenGap } from "./gaps";

/** Gaps that wait until the database is back; beyond it the oldest one is dropped. */
const MAX_WAITING = 100;

/** All gaps since the last run of a job as one interval, and whether the clock was set back. */
type Missed = { gap: Interval | null; clockSetBack: boolean };

/** `onChange` is called when a gap begins or ends. */
export const createHubGap = (onChange: () => void) => {
  let open: OpenGap | null = null;
  let ended: Gap[] = [];
  let lastEnd = 0;
  /** An open gap that a process left behind ends with the first write. */
  let isStored = false;
  const followers = new Set<Missed>();

  const end = (gap: Gap): void => {
    if (gap.to <= gap.from) return;
    lastEnd = gap.to;
    isStored = false;
    ended = [...ended, gap].slice(-MAX_WAITING);
    for (const missed of followers) {
      const { from, to } = missed.gap ?? gap;
      missed.gap = { from: Math.min(from, gap.from), to: Math.max(to, gap.to) };
    }
  };

  return {
    end,
    open: () => open,
    /** The gap that is open from now on, if any. */
    set: (next: OpenGap | null, now: number): void => {
      if (open?.reason === next?.reason) return;
      if (open) end({ from: open.since, to: now, reason: open.reason });
      open = next && { ...next, since: Math.max(next.since, Math.min(lastEnd, now)) };
      isStored = false;
      onChange();
    },
    clockSetBack: (now: number): void => {
      if (open) open = { ...open, since: Math.min(open.since, now) };
      for (const missed of followers) missed.clockSetBack = true;
    },
    isStored: (): boolean => isStored,
    /** Stores the ended gaps and the open gap, unless they are stored. */
    store: async (write: (gaps: { ended: readonly Gap[]; open: OpenGap | null }) => Promise<void>): Promise<void> => {
      if (isStored) return;
      const written = ended;
      isStored = true;
      try {
        await write({ ended: written, open });
        ended = ended.filter((gap) => !written.includes(gap));
      } catch (error) {
        isStored = false;
        throw error;
      }
    },
    /** Returns a function that does the work if something was missed since its last call, and again if that failed. */
    follow: (work: (missed: Missed) => Promise<void>) => {
      const missed: Missed = { gap: null, clockSetBack: false };
      followers.add(missed);
      return async (): Promise<void> => {
        if (missed.gap === null && !missed.clockSetBack) return;
        const taken = { ...missed };
        await work(taken);
        // Work that failed is done again, and so is work for what was missed during it.
        if (missed.gap?.to === taken.gap?.to && missed.clockSetBack === taken.clockSetBack)
          Object.assign(missed, { gap: null, clockSetBack: false });
      };
    },
  };
};
