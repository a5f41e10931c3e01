import { onTestFinished } from "bun:test";
import { createServer, type Socket } from "node:net";

/** How a server handles a connection after the first bytes of a request. */
export type Behaviour = (socket: Socket) => void;

/** A TCP server on loopback for malformed HTTP. It stops after the test. */
export const serveRaw = async (behave: Behaviour) => {
  const open = new Set<Socket>();
  const counts = { connections: 0, sent: 0 };
  const server = createServer((socket) => {
    counts.connections++;
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      counts.sent += socket.bytesWritten;
      open.delete(socket);
    });
    socket.once("data", () => behave(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}/`, port, open, counts };
};

/** A port on loopback where nothing listens. */
export const closedPort = async (): Promise<number> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
};

const HEAD = "HTTP/1.1 200 OK\r\n";

/** Writes as fast as the client reads, until the connection closes. */
const pour =
  (start: string, piece: string): Behaviour =>
  (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.write(start);
    socket.on("drain", more);
    more();
  };

/** Writes a little at a time, until the connection closes. */
const drip =
  (start: string, piece: string): Behaviour =>
  (socket) => {
    socket.write(start);
    const timer = setInterval(() => socket.write(piece), 20);
    socket.on("close", () => clearInterval(timer));
  };

export const hang: Behaviour = () => {};
export const reset: Behaviour = (socket) => socket.resetAndDestroy();
export const closeAtOnce: Behaviour = (socket) => socket.end();
export const endlessBody = pour(`${HEAD}\r\n`, "x".repeat(65_536));
export const endlessChunks = pour(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, `10000\r\n${"x".repeat(65_536)}\r\n`);
export const endlessHeaders = pour(HEAD, `X-More: ${"x".repeat(8000)}\r\n`);
export const endlessHeaderLine = pour(`${HEAD}X-More: `, "x".repeat(65_536));
export const drippingHeaders = drip(HEAD, "X-More: x\r\n");
export const drippingBody = drip(`${HEAD}\r\n`, "x");
export const garbage: Behaviour = (socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n\r\n");
export const shortBody: Behaviour = (socket) => socket.end(`${HEAD}Content-Length: 100\r\n\r\nonly this`);
export const brokenChunks: Behaviour = (socket) =>
  socket.end(`${HEAD}Transfer-Encoding: chunked\r\n\r\nzz\r\nnot a size`);
/** A body that never comes, as after HEAD; the connection stays open. */
export const headOnly: Behaviour = (socket) => socket.write(`${HEAD}Content-Length: 100\r\n\r\n`);
