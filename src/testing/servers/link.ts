import { onTestFinished } from "bun:test";
import { connect, createServer, type Socket } from "node:net";
import { readConfig } from "../../core/config";

/** A message of the protocol that ends a transaction: `Q`, its length, `COMMIT`. */
const COMMIT = /Q\0\0\0.commit/is;

/** The way to the PostgreSQL of the tests, which can be cut and frozen. It goes with the test. */
export const openLink = async () => {
  const { hostname, port } = new URL(readConfig(process.env).databaseUrl);
  const open = new Set<Socket>();
  const stranded = new Set<Socket>();
  const state = { loseCommits: 0, lost: 0, freezeAtCommit: false, frozen: false, opened: 0 };
  const drop = (socket: Socket) => {
    open.delete(socket);
    socket.destroy();
  };
  const freeze = () => {
    state.frozen = true;
    for (const socket of open) socket.pause();
  };
  const server = createServer((near) => {
    const far = connect(Number(port || 5432), hostname);
    let losing = false;
    state.opened++;
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
      const commits = COMMIT.test(data.toString("latin1"));
      if (state.loseCommits > 0 && commits) {
        state.loseCommits--;
        losing = true;
      }
      if (state.freezeAtCommit && commits) {
        state.freezeAtCommit = false;
        freeze();
        near.unshift(data);
        return;
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
    if (state.frozen) for (const socket of [near, far]) socket.pause();
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
    /** Lets nothing pass any more, and closes nothing: new connections are taken and lead nowhere. */
    freeze,
    /** Freezes at the next commit, which is on its way until the thaw. */
    freezeAtCommit: () => {
      state.freezeAtCommit = true;
    },
    frozen: () => state.frozen,
    /** Lets pass what was held back, and all that follows. */
    thaw: () => {
      state.frozen = false;
      for (const socket of open) if (!stranded.has(socket)) socket.resume();
    },
    /** Lets nothing pass on the connections of now, for good. New ones work. */
    strand: () => {
      for (const socket of open) stranded.add(socket.pause());
    },
    /** Lets so many of the next commits be done without their answer. */
    loseCommits: (count: number) => {
      state.loseCommits = count;
    },
    /** How many answers were lost. */
    lost: () => state.lost,
    /** How many connections were ever opened. */
    opened: () => state.opened,
  };
};
