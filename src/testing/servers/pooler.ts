import { onTestFinished } from "bun:test";
import { connect, createServer, type Socket } from "node:net";
import { readConfig } from "../../core/config";

type Message = { type: string; body: Buffer };

/** Splits a stream of PostgreSQL's protocol into messages. */
const createReader = () => {
  let rest = Buffer.alloc(0);
  return (data: Buffer): Message[] => {
    rest = Buffer.concat([rest, data]);
    const messages: Message[] = [];
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1;
      messages.push({ type: String.fromCharCode(rest[0] as number), body: rest.subarray(5, end) });
      rest = rest.subarray(end);
    }
    return messages;
  };
};

/** The answer of a pooler without a server: class 08 means connection failure. */
const refusal = (): Buffer => {
  const body = Buffer.from("SFATAL\0VFATAL\0C08P01\0Mthe pooler cannot connect to the server\0\0");
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

type Backend = { socket: Socket; client: Client | null };
type Client = { socket: Socket; backend: Backend | null; waiting: Buffer[]; unanswered: number };

/**
 * A pooler in front of the PostgreSQL of the tests, with the transaction pooling of pgbouncer: a connection to the server
 * belongs to a client for one transaction, and the next one runs on that which has been idle for longest. Each client logs
 * in on a new connection, which the pooler keeps. It stops after the test.
 */
export const openPooler = async () => {
  const { hostname, port } = new URL(readConfig(process.env).databaseUrl);
  const sockets = new Set<Socket>();
  const clients = new Set<Client>();
  const idle: Backend[] = [];
  const state = { paused: false };
  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  };

  const assign = () => {
    for (const client of clients) {
      if (client.waiting.length === 0) continue;
      if (!client.backend) {
        const backend = state.paused ? undefined : idle.shift();
        if (!backend) continue;
        Object.assign(backend, { client });
        client.backend = backend;
      }
      for (const data of client.waiting.splice(0)) client.backend.socket.write(data);
    }
  };

  const server = createServer((near) => {
    track(near);
    if (state.paused) return void near.once("data", () => near.end(refusal()));
    const backend: Backend = { socket: track(connect(Number(port || 5432), hostname)), client: null };
    const client: Client = { socket: near, backend, waiting: [], unanswered: 1 };
    backend.client = client;
    clients.add(client);
    let starting = true;
    const [readNear, readFar] = [createReader(), createReader()];
    near.on("data", (data: Buffer) => {
      if (!starting)
        for (const { type } of readNear(data)) if ("QSX".includes(type)) client.unanswered += Number(type !== "X");
      client.waiting.push(data);
      assign();
    });
    near.on("close", () => {
      clients.delete(client);
      // Of a client that leaves in the middle of a transaction, the connection is not used again.
      client.backend?.socket.destroy();
    });
    backend.socket.on("close", () => {
      if (idle.includes(backend)) idle.splice(idle.indexOf(backend), 1);
      backend.client?.socket.destroy();
    });
    backend.socket.on("data", (data: Buffer) => {
      const owner = backend.client;
      owner?.socket.write(data);
      for (const { type, body } of readFar(data)) {
        if (type !== "Z" || !owner) continue;
        starting = false;
        owner.unanswered--;
        if (owner.unanswered > 0 || String.fromCharCode(body[0] as number) !== "I") continue;
        owner.backend = null;
        backend.client = null;
        idle.push(backend);
      }
      assign();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  });
  const { port: near } = server.address() as { port: number };
  return {
    /** The URL of a database through this pooler. */
    through: (url: string) =>
      Object.assign(new URL(url), { host: `127.0.0.1:${near}`, search: "?pool_mode=transaction" }).href,
    /** Has transactions wait and refuses new clients, as pgbouncer does while its server is away. */
    pause: () => {
      state.paused = true;
    },
    resume: () => {
      state.paused = false;
      assign();
    },
  };
};
