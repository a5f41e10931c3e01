import { expect, it, onTestFinished } from "bun:test";
import { createHash } from "node:crypto";
import { createServer, type Socket } from "node:net";
import { checkError, timeoutError } from "../../shared/check-error";
import { endlessHeaders, serveRaw } from "../../testing/servers/raw";
import { targetOf, testOutbound } from "../../testing/servers/target-of";
import { probeWebSocket, type WebSocketTarget } from "./probe";

const { caller } = targetOf({ url: "http://unused.example/" });

/** A server that accepts every handshake, and then does something. */
const accepting = async (then: (socket: Socket) => void, headers = "") => {
  const closed = Promise.withResolvers<void>();
  const requests: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {}).on("close", () => closed.resolve());
    socket.once("data", (data) => {
      requests.push(String(data));
      const key = /^sec-websocket-key: (.*)\r$/im.exec(String(data))?.[1];
      const accept = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nupgrade: WebSocket\r\nconnection: keep-alive, Upgrade\r\nsec-websocket-accept: ${accept}\r\n${headers}\r\n`,
      );
      then(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return { url: `ws://127.0.0.1:${port}/live?a=1`, closed: closed.promise, requests };
};

const probe = (url: string, fields: Partial<WebSocketTarget> = {}) =>
  probeWebSocket({ url, subprotocol: "", send: "", expect: "", timeout: 30, caller, ...fields }, testOutbound);
const message = (text: string) => Buffer.concat([Buffer.of(0x81, text.length), Buffer.from(text)]);

it("asks for the path of the address, and closes the connection with a close frame", async () => {
  const received = Promise.withResolvers<Buffer>();
  const server = await accepting((socket) => socket.once("data", received.resolve));
  expect(await probe(server.url)).toMatchObject({ up: true, statusCode: 101, error: null, address: "127.0.0.1" });
  expect(server.requests[0]).toStartWith("GET /live?a=1 HTTP/1.1\r\nHost: 127.0.0.1:");
  expect((await received.promise)[0]).toBe(0x88);
  await server.closed;
});

it("finds the text in any message, and knows a server that sends only others", async () => {
  const server = await accepting((socket) => {
    socket.write(message("one"));
    socket.write(message("two"));
  });
  expect(await probe(server.url, { expect: "two" })).toMatchObject({ up: true });
  expect((await probe(server.url, { expect: "three", timeout: 1 })).error).toEqual(checkError("websocket_mismatch"));
  const closing = await accepting((socket) => socket.end(Buffer.of(0x88, 0)));
  expect((await probe(closing.url, { expect: "one" })).error).toEqual(checkError("websocket_mismatch"));
  const silent = await accepting(() => {});
  expect((await probe(silent.url, { expect: "one", timeout: 0.3 })).error).toEqual(timeoutError(0.3, "first_byte"));
});

it("reads a bounded part of endless messages and headers, and closes the connection", async () => {
  const pour = (piece: Buffer | string) => (socket: Socket) => {
    const more = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on("drain", more);
    more();
  };
  const messages = await accepting(pour(message("x".repeat(100))));
  expect((await probe(messages.url, { expect: "one" })).error).toEqual(checkError("websocket_mismatch"));
  await messages.closed;
  const headers = await serveRaw(endlessHeaders);
  expect((await probe(headers.url.replace("http", "ws"))).error).toEqual(checkError("websocket_handshake"));
});

it("refuses an answer with extensions, which were not offered", async () => {
  const server = await accepting(() => {}, "sec-websocket-extensions: permessage-deflate\r\n");
  expect((await probe(server.url)).error).toEqual(checkError("websocket_handshake"));
});

it("connects to no private address for a caller who may reach public ones only", async () => {
  const server = await accepting(() => {});
  const user = { ...caller, allowPrivate: false };
  expect((await probe(server.url, { caller: user })).error).toEqual(checkError("blocked_private"));
  expect(server.requests).toEqual([]);
});

it("fails with a response whose status is none of HTTP", async () => {
  for (const status of ["000", "999"]) {
    const { port } = await serveRaw((socket) => socket.write(`HTTP/1.1 ${status} Odd\r\n\r\n`));
    expect(await probe(`ws://127.0.0.1:${port}/`)).toMatchObject({
      statusCode: null,
      error: checkError("websocket_handshake"),
    });
  }
});
