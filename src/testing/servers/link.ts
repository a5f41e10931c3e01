import { onTestFinished } from "bun:test";
import { connect, createServer, type Socket } from "node:net";
import { readConfig } from "../../core/config";

/** A message of the protocol that ends a transaction: `Q`, its length, `COMMIT`. */
const COMMIT = /Q\0\0\0.commit/is;

/** A proxy to the PostgreSQL of the tests that can be cut and frozen. It stops after the test. */
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
      // The commit succeeds, and its response is lost.
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
    /** The URL of a database through this proxy. */
    through: (url: string) => Object.assign(new URL(url), { host: `127.0.0.1:${near}` }).href,
    /** Drops every connection, and refuses new ones until `mend` is called. */
    cut,
    mend: () => listen(near),
    /** Stops all traffic without closing anything; new connections are accepted and get no response. */
    freeze,
    /** Freezes before the next commit, which is sent on by `thaw`. */
    freezeAtCommit: () => {
      state.freezeAtCommit = true;
    },
    frozen: () => state.frozen,
    /** Resumes all traffic, including what was held back. */
    thaw: () => {
      state.frozen = false;
      for (const socket of open) if (!stranded.has(socket)) socket.resume();
    },
    /** Stops all traffic on the open connections permanently. New ones work. */
    strand: () => {
      for (const socket of open) stranded.add(socket.pause());
    },
    /** Makes this number of the next commits succeed without a response. */
    loseCommits: (count: number) => {
      state.loseCommits = count;
    },
    /** Number of lost responses. */
    lost: () => state.lost,
    /** Number of connections that were opened. */
    opened: () => state.opened,
  };
};
