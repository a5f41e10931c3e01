type Options = {
  monitors: number;
  /** Every nth target alternates between down and up. */
  every: number;
  /** Milliseconds between two changes. */
  period: number;
};

/** Targets that count the requests of each monitor; some of them alternate over time. */
export const startAlternating = ({ monitors, every, period }: Options) => {
  const last = new Float64Array(monitors + 1);
  const state = { requests: 0, longestGap: 0 };
  const count = (id: number, now: number) => {
    state.requests++;
    if (id > monitors) return;
    state.longestGap = Math.max(state.longestGap, now - (last[id] || now));
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
