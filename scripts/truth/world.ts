/**
 * The world of targets, run in its network namespace: TCP servers that answer as HTTP servers, a name server, and clients that
 * ping heartbeats and report as agents. A socket of the file system takes commands. Its argument is a file with
 * the targets.
 */
import { createSocket } from "node:dgram";
import { readFileSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { type Beginning, type Call, CERTIFICATES, NAMES, type Sign, type State } from "./commands";
import { NAME_SERVER } from "./network";

const beginning: Beginning = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));

const ok = (body: string, status = "200 OK") =>
  `HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;

const ANSWERS: Partial<Record<State, string>> = {
  up: ok("systems go"),
  status: ok("out of order", "503 Service Unavailable"),
  text: ok("welcome to the hotel, please sign in"),
  redirects: "HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
  garbage: "SSH-2.0-OpenSSH_9.6\r\n\r\n",
};

/** How long a slow target takes (ms): longer than the time limit of its monitor. */
const SLOW = 12_000;

const TLS_PORT = 443;
const certificateOf = (state: State) => CERTIFICATES.find((one) => one === state) ?? "valid";

const serve = (address: string, port: number) => {
  let state: State = "up";
  const open = new Set<Socket>();
  const answer = (socket: Socket): void => {
    if (state === "reset") socket.resetAndDestroy();
    else if (state === "body") socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsystems go");
    else if (state === "slow") setTimeout(() => socket.end(ANSWERS.up ?? ""), SLOW);
    else if (state !== "hang") socket.end(ANSWERS[state] ?? ANSWERS.up ?? "");
  };
  const accept = (socket: Socket): void => {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
    socket.once("data", () => answer(socket));
  };
  const listen = (): Server => {
    const secure = port === TLS_PORT && beginning.certificates?.[certificateOf(state)];
    const server = secure ? createTlsServer(secure, accept) : createServer(accept);
    // A client that refuses the certificate ends the handshake.
    return server.on("tlsClientError", () => {}).listen(port, address);
  };
  let server: Server | null = listen();
  return (next: State): void => {
    const isOther = certificateOf(next) !== certificateOf(state);
    state = next;
    for (const socket of open) socket.destroy();
    if (next === "closed" || isOther) {
      server?.close();
      server = null;
    }
    if (next !== "closed") server ??= listen();
  };
};

const servers = new Map(beginning.targets.map(({ address, port }) => [`${address}:${port}`, serve(address, port)]));

/** Names that are answered otherwise than with their address, and whether all names are. */
const names = new Map<string, State>();

/** The number in a name t7.truth.test, or null. */
const numberIn = (name: string): number | null => Number(/^t(\d+)\.truth\.test$/.exec(name)?.[1] ?? 0) || null;

const nameIn = (query: Buffer): { name: string; end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString());
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 5 };
};

const [NO_ERROR, SERVER_FAILURE, NAME_ERROR, A] = [0, 2, 3, 1];

/** The answer to a query: the address of a target, or that the name does not exist; null for none. */
const resolve = (query: Buffer): Buffer | null => {
  const { name, end } = nameIn(query);
  const own = names.get(name) ?? "up";
  const state = own === "up" ? (names.get("*") ?? own) : own;
  if (state === "silent") return null;
  const number = state === "lie" ? 1 : numberIn(name);
  const isKnown = number !== null && state !== "no_name";
  const code = state === "failing" ? SERVER_FAILURE : isKnown ? NO_ERROR : NAME_ERROR;
  const hasAddress = code === NO_ERROR && query.readUInt16BE(end - 4) === A;
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(hasAddress ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  const record = Buffer.from([0xc0, 12, 0, A, 0, 1, 0, 0, 0, 5, 0, 4, 10, 78, number ?? 0, 1]);
  return hasAddress ? Buffer.concat([head, record]) : head;
};

const resolver = createSocket("udp4");
resolver.on("message", (query, { address, port }) => {
  const answer = resolve(query);
  if (answer) resolver.send(answer, port, address);
});
// The hub may have closed the socket that an answer is for.
resolver.on("error", () => {});
resolver.bind(53, NAME_SERVER);

/** Sends a sign to the first address that accepts it. */
const send = async ({ urls, key, body }: Sign): Promise<void> => {
  const report = body && { ...body, samples: [{ ...body.sample, at: new Date().toISOString() }], sample: undefined };
  const headers = key ? { authorization: `Bearer ${key}`, "content-type": "application/json" } : undefined;
  const request = { method: "POST", ...(headers && { headers, body: JSON.stringify(report) }) };
  for (const url of urls) {
    const answer = await fetch(url, { ...request, signal: AbortSignal.timeout(5000) }).catch(() => null);
    if (answer?.ok) return;
  }
};

/** Signs that are repeated while their name is in the list. */
const repeated = new Map<string, ReturnType<typeof setInterval>>();

const obey = (call: Call): void => {
  if ("set" in call) {
    if (NAMES.includes(call.state) || call.set.includes("truth.test") || call.set === "*")
      names.set(call.set, call.state);
    else servers.get(call.set)?.(call.state);
    return;
  }
  if ("send" in call) return void send(call.send);
  clearInterval(repeated.get(call.repeat));
  repeated.delete(call.repeat);
  if (call.every === null) return;
  void send(call.sign);
  repeated.set(
    call.repeat,
    setInterval(() => void send(call.sign), call.every),
  );
};

Bun.serve({
  unix: beginning.socket,
  fetch: async (request) => {
    obey((await request.json()) as Call);
    return new Response("done");
  },
});
