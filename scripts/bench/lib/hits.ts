/** A target that knows each monitor by its path and writes down when it was asked, at next to no cost. */
export const startCountingTarget = (monitors: number) => {
  const last = new Float64Array(monitors + 1);
  const state = { requests: 0, doubles: 0, longestGap: 0, watchedFrom: 0, doubleBelow: 0, late: [] as number[] };
  let lateness: ((monitor: number, at: number) => number) | null = null;
  /** A gap may have begun before it was watched for. */
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
    /** The origins, to be shared among the monitors: each asks for `/ID`. */
    origins: servers.map(({ port }) => `http://127.0.0.1:${port}`),
    /** Counts from now on. Two requests of one monitor that are closer than this many milliseconds are a double. */
    watch: (doubleBelow: number, latenessOf: typeof lateness = null): void => {
      lateness = latenessOf;
      Object.assign(state, { requests: 0, doubles: 0, longestGap: 0, watchedFrom: Date.now(), doubleBelow, late: [] });
    },
    /** What was counted; `longestGap` includes those that are still waited for. */
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
