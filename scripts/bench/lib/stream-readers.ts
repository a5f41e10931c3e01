/**
 * Opens streams of live events and discards what arrives, in a separate process so that the hub has the rest of the
 * machine. Prints one line of JSON once all are open, and bytes and closed streams once its input ends.
 */
export type Readers = { url: string; keys: string[]; each: number };

const { url, keys, each } = JSON.parse(process.argv[2] ?? "{}") as Readers;
const { hostname, port, pathname } = new URL(url);
let [bytes, open, closed] = [0, 0, 0];
const wanted = keys.length * each;
const all = Promise.withResolvers<void>();

const openStream = (key: string) =>
  Bun.connect<{ head: boolean }>({
    hostname,
    port: Number(port),
    data: { head: true },
    socket: {
      open: (socket) => {
        socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${key}\r\n\r\n`);
      },
      data: (socket, data) => {
        bytes += data.byteLength;
        if (!socket.data.head) return;
        socket.data.head = false;
        if (!data.toString("latin1").startsWith("HTTP/1.1 200")) throw new Error(data.toString());
        if (++open === wanted) all.resolve();
      },
      close: () => {
        closed++;
      },
    },
  });

for (const key of keys) await Promise.all(Array.from({ length: each }, () => openStream(key)));
await all.promise;
console.log(JSON.stringify({ open }));
await Bun.stdin.text();
console.log(JSON.stringify({ bytes, closed }));
process.exit(0);
