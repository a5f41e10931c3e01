import { latenessOf } from "../lib/spread";

type Options = {
  monitors: number;
  /** Every nth target alternates between down and up. */
  every: number;
  /** Milliseconds between two changes. */
  period: number;
  /** Monitors from this one on are only checked by schedule, at their seeded times, at this interval in milliseconds. */
  scheduled?: { from: number; interval: number };
};

/** Targets that count the requests of each monitor; some of them alternate over time. */
export const startAlternating = ({ monitors, every, period, scheduled }: Options) => {
  const last = new Float64Array(monitors + 1);
  const slots = new Float64Array(monitors + 1);
  const state = { requests: 0, duplicates: 0, longestGap: 0 };
  /** A late check does not move the next one, so each interval between two scheduled times has one check. */
  const countSlot = (id: number, now: number, gap: number, interval: number) => {
    const lateness = latenessOf(interval / 1000)(id, now);
    // One that is late by almost a whole interval may begin in the next one.
    const late = gap > 1.5 * interval && lateness < interval / 10;
    const slot = Math.round((now - lateness) / interval) - Number(late);
    if (slot <= (slots[id] ?? 0)) state.duplicates++;
    slots[id] = slot;
  };
  const count = (id: number, now: number) => {
    state.requests++;
    if (id > monitors) return;
    const gap = last[id] ? now - last[id] : null;
    if (gap !== null) state.longestGap = Math.max(state.longestGap, gap);
    if (scheduled && id >= scheduled.from) countSlot(id, now, gap ?? 0, scheduled.interval);
    last[id] = now;
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: ({ url }) => {
      const [id, now] = [Number(new URL(url).pathname.slice(1)), Date.now()];
      count(id, now);
      const down = id % every === 0 && Math.floor(now / period + id / monitors) % 2 === 1;
      return new Response(null, { status: down ? 503 : 200 });
    },
  });
  return {
    origin: `http://127.0.0.1:${server.port}`,
    requests: () => state.requests,
    /** Number of scheduled checks beyond one in each interval of a monitor. */
    duplicates: () => state.duplicates,
    /** Starts to measure the longest time between two requests of one monitor. */
    watch: (): void => {
      state.longestGap = 0;
    },
    /** Milliseconds; times that have not ended count too. */
    longestGap: (): number => {
      const now = Date.now();
      return Math.max(state.longestGap, ...last.subarray(1).map((at) => now - (at || now)));
    },
    stop: () => server.stop(true),
  };
};
