/**
 * Requests one URL in a loop over several connections, in a separate process so that the hub has the
 * rest of the machine. Uses minimal HTTP, and counts complete answers.
 */
import { connect, type Socket } from "bun";
import { round, summarize } from "./server";

export type Load = { url: string; connections: number; seconds: number; headers?: Record<string, string> };

const { url, connections, seconds, headers = {} } = JSON.parse(process.argv[2] ?? "{}") as Load;
const { hostname, port, pathname, search } = new URL(url);
const lines = Object.entries({ host: `${hostname}:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`);
const request = `GET ${pathname}${search} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;

type Asking = { since: number; left: number; head: string };
const times: number[] = [];
const statuses: Record<string, number> = {};
let bytes = 0;
const until = performance.now() + seconds * 1000;

const ask = (socket: Socket<Asking>) => {
  if (performance.now() > until) return void socket.end();
  socket.data = { since: performance.now(), left: -1, head: "" };
  socket.write(request);
};

const hear = (socket: Socket<Asking>, data: Buffer) => {
  const asking = socket.data;
  bytes += data.byteLength;
  if (asking.left >= 0) asking.left -= data.byteLength;
  else {
    asking.head += data.toString("latin1");
    const end = asking.head.indexOf("\r\n\r\n");
    if (end < 0) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(asking.head)?.[1] ?? 0);
    asking.left = length - (asking.head.length - end - 4);
    const status = asking.head.slice(9, 12);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  if (asking.left > 0) return;
  times.push(performance.now() - asking.since);
  ask(socket);
};

const one = async () => {
  const ended = Promise.withResolvers<void>();
  await connect<Asking>({
    hostname,
    port: Number(port),
    socket: { open: ask, data: hear, close: () => ended.resolve(), error: (_, error) => ended.reject(error) },
  });
  await ended.promise;
};

await Promise.all(Array.from({ length: connections }, one));
console.log(
  JSON.stringify({
    requests_per_second: Math.round(times.length / seconds),
    ...summarize("", times),
    kilobytes_each: round(bytes / times.length / 1024),
    statuses,
  }),
);
