import { connect, type Socket } from "bun";
import { ascending, percentile, round } from "../lib/server";

/** Opens many idle connections to the hub. `open` counts those that it has not closed. */
export const openConnections = async (url: string, count: number, hello = "") => {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let refused = 0;
  const one = () =>
    connect({
      hostname,
      port: Number(port),
      socket: {
        open: (socket) => {
          sockets.add(socket);
          if (hello) socket.write(hello);
        },
        data: () => {},
        close: (socket) => void sockets.delete(socket),
        error: () => {},
      },
    }).catch(() => refused++);
  for (let begun = 0; begun < count; begun += 200)
    await Promise.all(Array.from({ length: Math.min(200, count - begun) }, one));
  return {
    open: () => sockets.size,
    refused: () => refused,
    /** Sends a little more on each. */
    drip: (text: string): void => {
      for (const socket of sockets) socket.write(text);
    },
    close: (): void => {
      for (const socket of sockets) socket.end();
    },
  };
};

/** Asks for some addresses in turn for so many seconds: how long that took, and how often the answer was no 200. */
export const measureRequests = async (url: string, token: string, paths: string[], seconds: number) => {
  const times: number[] = [];
  let failures = 0;
  const end = performance.now() + seconds * 1000;
  for (let index = 0; performance.now() < end; index++) {
    const begun = performance.now();
    const status = await fetch(url + paths[index % paths.length], {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(30_000),
    }).then(
      (response) => response.arrayBuffer().then(() => response.status),
      () => 0,
    );
    times.push(performance.now() - begun);
    if (status !== 200) failures++;
    await Bun.sleep(20);
  }
  const sorted = ascending(times);
  return {
    asked: times.length,
    failures,
    p50_ms: round(percentile(sorted, 0.5)),
    p99_ms: round(percentile(sorted, 0.99)),
    max_ms: round(sorted.at(-1) ?? 0),
  };
};
