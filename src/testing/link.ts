import { onTestFinished } from "bun:test";
import { connect, createServer, type Socket } from "node:net";
import { readConfig } from "../config";

/** A message of the protocol that ends a transaction: `Q`, its length, `COMMIT`. */
const COMMIT = /Q\0\0\0.commit/is;

/** The way to the PostgreSQL of the tests, which can be cut. It goes with the test. */
export const openLink = async () => {
  const { hostname, port } = new URL(readConfig(process.env).databaseUrl);
  const open = new Set<Socket>();
  const state = { loseCommits: 0, lost: 0 };
  const drop = (socket: Socket) => {
    open.delete(socket);
    socket.destroy();
  };
  const server = createServer((near) => {
    const far = connect(Number(port || 5432), hostname);
    let losing = false;
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        drop(socket);
        drop(other);
      });
    }
    near.on("data", (data) => {
      if (state.loseCommits > 0 && COMMIT.test(data.toString("latin1"))) {
        state.loseCommits--;
        losing = true;
      }
      far.write(data);
    });
    far.on("data", (data) => {
      if (!losing) return void near.write(data);
      // It is done, and nobody hears of it.
      state.lost++;
      drop(far);
      drop(near);
    });
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of [...open]) drop(socket);
    await closed;
  };
  await listen(0);
  const { port: near } = server.address() as { port: number };
  onTestFinished(async () => {
    if (server.listening) await cut();
  });
  return {
    /** The address through this link. */
    through: (url: string) => Object.assign(new URL(url), { host: `127.0.0.1:${near}` }).href,
    /** Drops every connection, and refuses new ones until it is mended. */
    cut,
    mend: () => listen(near),
    /** Lets so many of the next commits be done without their answer. */
    loseCommits: (count: number) => {
      state.loseCommits = count;
    },
    /** How many answers were lost. */
    lost: () => state.lost,
  };
};
