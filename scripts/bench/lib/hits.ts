/** A cheap target that records the request times of each monitor by its path. */
export const startCountingTarget = (monitors: number) => {
  const last = new Float64Array(monitors + 1);
  const state = { requests: 0, doubles: 0, longestGap: 0, watchedFrom: 0, doubleBelow: 0, late: [] as number[] };
  let lateness: ((monitor: number, at: number) => number) | null = null;
  /** A gap may have begun before counting started. */
  const since = (at: number) => at || state.watchedFrom;
  const hit = (monitor: number): void => {
    const at = Date.now();
    const gap = at - (last[monitor] as number);
    if (state.watchedFrom > 0) {
      state.requests++;
      if (gap < state.doubleBelow) state.doubles++;
      state.longestGap = Math.max(state.longestGap, at - since(last[monitor] as number));
      if (lateness) state.late.push(lateness(monitor, at));
    }
    last[monitor] = at;
  };
  const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok";
  const servers = Array.from({ length: 8 }, () =>
    Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        data: (socket, data) => {
          const monitor = Number(/^GET \/(\d+) /.exec(data.toString("latin1"))?.[1] ?? 0);
          if (monitor > 0 && monitor <= monitors) hit(monitor);
          socket.end(answer);
        },
      },
    }),
  );
  return {
    /** The origins to distribute the monitors over; each requests `/ID`. */
    origins: servers.map(({ port }) => `http://127.0.0.1:${port}`),
    /** Starts counting. Two requests of a monitor within this many milliseconds count as a duplicate. */
    watch: (doubleBelow: number, latenessOf: typeof lateness = null): void => {
      lateness = latenessOf;
      Object.assign(state, { requests: 0, doubles: 0, longestGap: 0, watchedFrom: Date.now(), doubleBelow, late: [] });
    },
    /** The counts; `longestGap` includes gaps that are still open. */
    read: () => {
      const now = Date.now();
      const open = last.subarray(1).reduce((most, at) => Math.max(most, now - since(at)), 0);
      return { ...state, longestGap: Math.max(state.longestGap, open) };
    },
    stop: () => {
      for (const server of servers) server.stop(true);
    },
  };
};
