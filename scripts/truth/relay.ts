import { createConnection, createServer, type Server, type TcpSocketConnectOpts } from "node:net";

type End = string | Pick<TcpSocketConnectOpts, "host" | "port">;
const optionsOf = (end: End) => (typeof end === "string" ? { path: end } : end);

/** Passes connections at one end on to the other. An end is a socket of the file system, or an address with a port. */
export const relay = (from: End, to: End): Promise<Server> => {
  const server = createServer((one) => {
    const other = createConnection(optionsOf(to) as TcpSocketConnectOpts);
    for (const socket of [one, other])
      socket.on("error", () => {}).on("close", () => (socket === one ? other : one).destroy());
    one.pipe(other).pipe(one);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(optionsOf(from), () => resolve(server));
  });
};
