/** The WebSocket kind against a server of its own process, and against some that answer wrongly. */
import { expect, it } from "bun:test";
import { createHash } from "node:crypto";
import { createServer } from "node:net";
import { freePort } from "../smoke/lib/free-port";
import { createAuthority } from "./lib/authority";
import { vsftpd, webSocketServer } from "./lib/daemons";
import { startProbing } from "./lib/probing";
import { startService } from "./lib/service";

const authority = createAuthority();
const { probe, codeOf } = await startProbing({ NODE_EXTRA_CA_CERTS: authority.cert });

const UPGRADE = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n";

/** Answers every request with these bytes, which may depend on its key. */
const answering = async (answer: (key: string) => string) => {
  const server = createServer((socket) => {
    socket
      .on("error", () => {})
      .once("data", (data) => {
        const key = /^sec-websocket-key: (.*)\r$/im.exec(String(data))?.[1] ?? "";
        socket.end(answer(key), "latin1");
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `ws://127.0.0.1:${(server.address() as { port: number }).port}/`, close: () => server.close() };
};

it("a server is up, without an answer while paused, up again, and refused when it has stopped", async () => {
  const service = await startService(webSocketServer());
  const url = `ws://127.0.0.1:${service.port}/live?room=1`;
  expect(await probe("websocket", { url })).toMatchObject({ up: true, status_code: 101, error: null });
  service.pause();
  expect(await codeOf("websocket", { url }, 1)).toBe("timeout");
  service.resume();
  expect(await codeOf("websocket", { url })).toBe("up");
  await service.stop();
  expect(await codeOf("websocket", { url })).toBe("refused");
});

it("a message is sent, and one with the expected text is waited for", async () => {
  const service = await startService(webSocketServer());
  const url = `ws://localhost:${service.port}/`;
  const code = (more: object) => codeOf("websocket", { url, ...more });
  expect(await code({ expect: "hello" })).toBe("up");
  expect(await code({ send: "pïng", expect: "you said pïng" })).toBe("up");
  expect(await code({ send: "x".repeat(1000), expect: "x".repeat(200) })).toBe("up");
  expect(await code({ send: "ping", expect: "pong" })).toBe("websocket_mismatch");
  expect(await code({ subprotocol: "chat" })).toBe("up");
});

it("a server that refuses has its status, and a login in the address is sent", async () => {
  const service = await startService(webSocketServer());
  const at = (path: string, login = "") => `ws://${login}127.0.0.1:${service.port}${path}`;
  expect((await probe("websocket", { url: at("/private") })).error).toBe("status 401, expected 101");
  expect(await codeOf("websocket", { url: at("/private", "alice:secret@") })).toBe("up");
  expect((await probe("websocket", { url: at("/plain") })).error).toBe("status 200, expected 101");
});

it("a server of another protocol, or with a wrong answer, is told apart", async () => {
  const ftp = await startService(vsftpd());
  expect(await codeOf("websocket", { url: `ws://127.0.0.1:${ftp.port}/` })).toBe("websocket_handshake");
  const accept = (key: string) =>
    createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  const head = (key: string, more = "") => `${UPGRADE}Sec-WebSocket-Accept: ${accept(key)}\r\n${more}\r\n`;
  const answers: [string, (key: string) => string][] = [
    ["websocket_handshake", () => `${UPGRADE}Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n`],
    ["websocket_handshake", () => `${UPGRADE}\r\n`],
    ["websocket_handshake", () => "HTTP/1.1 101 Switching Prot"],
    ["websocket_protocol", (key) => head(key)],
    ["websocket_protocol", (key) => head(key, "Sec-WebSocket-Protocol: other\r\n")],
    ["websocket_invalid", (key) => `${head(key, "Sec-WebSocket-Protocol: chat\r\n")}no frame at all`],
    ["up", (key) => `${head(key, "Sec-WebSocket-Protocol: chat\r\n")}\x81\x05hello`],
  ];
  for (const [code, answer] of answers) {
    const server = await answering(answer);
    expect(await codeOf("websocket", { url: server.url, subprotocol: "chat", expect: "hello" })).toBe(code);
    server.close();
  }
});

it("over TLS, a broken certificate has its own error", async () => {
  for (const [code, certificate] of [
    ["up", authority.issue()],
    ["tls_expired", authority.issue({ days: -1 })],
    ["tls_wrong_name", authority.issue({ name: "live.example" })],
    ["tls_unknown_issuer", createAuthority().issue()],
  ] as const) {
    const service = await startService(webSocketServer(certificate));
    const { up, error_code, cert_expires_at } = await probe("websocket", {
      url: `wss://127.0.0.1:${service.port}/`,
      expect: "hello",
    });
    expect([up ? "up" : error_code, cert_expires_at !== null]).toEqual([code, true]);
    await service.stop();
  }
  const plain = await startService(webSocketServer());
  expect(await codeOf("websocket", { url: `wss://127.0.0.1:${plain.port}/` })).toBe("tls_failed");
  expect(await codeOf("websocket", { url: `wss://127.0.0.1:${freePort()}/` })).toBe("refused");
});
