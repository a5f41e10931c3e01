import { expect, it, onTestFinished } from "bun:test";
import { createServer, type ServerHttp2Stream } from "node:http2";
import { createServer as createTcpServer, type Socket } from "node:net";
import { checkError, timeoutError } from "../../shared/check-error";
import { targetOf, testOutbound } from "../../testing/servers/target-of";
import { probeGrpc } from "./probe";

const { caller } = targetOf({ url: "http://unused.example/" });

const portOf = async (server: {
  listen: (port: number, host: string, done: () => void) => unknown;
  address: () => unknown;
}) => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as { port: number }).port;
};

/** A server that answers every call in the same way. */
const answering = async (answer: (stream: ServerHttp2Stream) => void) => {
  const server = createServer();
  const closed = Promise.withResolvers<void>();
  const calls: string[] = [];
  server.on("session", (session) => session.on("close", () => closed.resolve()));
  server.on("stream", (stream: ServerHttp2Stream, headers) => {
    calls.push(`${headers[":method"]} ${headers[":path"]} ${headers["content-type"]} ${headers.te}`);
    stream.on("error", () => {});
    answer(stream);
  });
  const port = await portOf(server);
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${port}`, calls, closed: closed.promise };
};

const probe = (url: string, timeout = 1, allowPrivate = true) =>
  probeGrpc({ url, service: "shop", timeout, caller: { ...caller, allowPrivate } }, testOutbound);

const HEAD = { ":status": 200, "content-type": "application/grpc" };
/** A response with a body, and the status after it. */
const respond = (body: string, status: string) => (stream: ServerHttp2Stream) => {
  stream.respond(HEAD, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": status }));
  stream.end(Buffer.from(body, "hex"));
};

it("calls the health check of a service, and understands its answer", async () => {
  const server = await answering(respond("00000000020801", "0"));
  expect(await probe(server.url)).toMatchObject({ up: true, statusCode: 200, error: null, address: "127.0.0.1" });
  expect(server.calls).toEqual(["POST /grpc.health.v1.Health/Check application/grpc trailers"]);
  await server.closed;
});

it("knows each way in which the check fails", async () => {
  const failing: [ReturnType<typeof checkError>, (stream: ServerHttp2Stream) => void][] = [
    [checkError("grpc_not_serving"), respond("00000000020802", "0")],
    [checkError("grpc_not_serving"), respond("0000000000", "0")],
    [checkError("grpc_unknown_service"), respond("00000000020803", "0")],
    [checkError("grpc_unknown_service"), respond("", "5")],
    [
      checkError("grpc_unimplemented"),
      (stream) => stream.respond({ ...HEAD, "grpc-status": "12" }, { endStream: true }),
    ],
    [checkError("grpc_failed", { status: 14 }), respond("", "14")],
    [checkError("grpc_invalid"), respond("68656c6c6f", "0")],
    [checkError("grpc_invalid"), respond("00000000020801", "serving")],
    [checkError("grpc_invalid"), (stream) => stream.respond(HEAD, { endStream: true })],
    [
      checkError("status", { actual: 404, expected: "200" }),
      (stream) => stream.respond({ ":status": 404 }, { endStream: true }),
    ],
  ];
  for (const [error, answer] of failing) {
    const server = await answering(answer);
    expect((await probe(server.url)).error).toEqual(error);
  }
});

it("ends at its timeout when the server does not answer, and reads a bounded part of an endless answer", async () => {
  const hanging = await answering(() => {});
  expect((await probe(hanging.url, 0.3)).error).toEqual(timeoutError(0.3, "first_byte"));
  await hanging.closed;
  const unfinished = await answering((stream) => stream.respond(HEAD));
  expect((await probe(unfinished.url, 0.3)).error).toEqual(timeoutError(0.3, "download"));
  const endless = await answering((stream) => {
    stream.respond(HEAD);
    const timer = setInterval(() => stream.write(Buffer.alloc(1024)), 1);
    stream.on("close", () => clearInterval(timer));
  });
  expect((await probe(endless.url)).error).toEqual(checkError("grpc_invalid"));
  await endless.closed;
});

it("tells a server of another protocol from one that hangs or hangs up", async () => {
  const serve = async (behave: (socket: Socket) => void) => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => {});
      behave(socket);
    });
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${await portOf(server)}`;
  };
  const error = async (behave: (socket: Socket) => void) => (await probe(await serve(behave), 0.5)).error;
  const bad = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n";
  expect(await error((socket) => socket.once("data", () => socket.end(bad)))).toEqual(checkError("grpc_invalid"));
  expect(await error((socket) => socket.write("SSH-2.0-OpenSSH_9.2p1\r\n"))).toEqual(checkError("grpc_invalid"));
  expect(await error((socket) => socket.once("data", () => socket.end()))).toEqual(checkError("reset"));
  expect(await error((socket) => socket.resume())).toEqual(timeoutError(0.5, "first_byte"));
});

it("connects to no private address for a caller who may reach public ones only", async () => {
  const server = await answering(respond("00000000020801", "0"));
  expect((await probe(server.url, 1, false)).error).toEqual(checkError("blocked_private"));
  expect(server.calls).toEqual([]);
});
