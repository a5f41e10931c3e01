import { dlopen } from "bun:ffi";
import { onTestFinished } from "bun:test";
import { connect, type Socket } from "node:net";

const AF_INET = 2;
const SOCK_STREAM = 1;

/**
 * A port on loopback whose queue of connections is full and never served, so that Linux drops every further attempt to
 * connect, as a firewall does. It goes with the test.
 */
export const serveUnaccepted = async () => {
  const { symbols } = dlopen("libc.so.6", {
    socket: { args: ["int", "int", "int"], returns: "int" },
    listen: { args: ["int", "int"], returns: "int" },
    getsockname: { args: ["int", "ptr", "ptr"], returns: "int" },
    close: { args: ["int"], returns: "int" },
  });
  const descriptor = symbols.socket(AF_INET, SOCK_STREAM, 0);
  // Without a bind the system chooses a free port on every address.
  symbols.listen(descriptor, 0);
  const address = new Uint8Array(16);
  symbols.getsockname(descriptor, address, new Uint32Array([address.length]));
  const port = new DataView(address.buffer).getUint16(2);
  const fill = () =>
    new Promise<Socket>((resolve) => {
      const socket = connect({ host: "127.0.0.1", port });
      socket.on("error", () => {});
      socket.once("connect", () => resolve(socket));
    });
  const first = await fill();
  onTestFinished(() => {
    first.destroy();
    symbols.close(descriptor);
  });
  return { port };
};
