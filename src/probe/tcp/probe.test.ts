import { describe, expect, it, onTestFinished } from "bun:test";
import { createServer, type Socket } from "node:net";
import { createLog } from "../../core/log";
import { checkError, timeoutError } from "../../shared/check-error";
import { closedPort, serveRaw } from "../../testing/servers/raw";
import { targetOf, testOutbound } from "../../testing/servers/target-of";
import { serveUnaccepted } from "../../testing/servers/unaccepted";
import { createOutbound } from "../outbound";
import { probeTcp, type TcpTarget } from "./probe";

const { caller } = targetOf({ url: "http://unused.example/" });
const target = (fields: Partial<TcpTarget> & { port: number }): TcpTarget => ({
  host: "127.0.0.1",
  timeout: 60,
  tls: "no",
  send: new Uint8Array(),
  expect: new Uint8Array(),
  caller,
  ...fields,
});

const bytes = (text: string) => Buffer.from(text, "latin1");

/** Sends a text, and then one letter again and again. */
const drip = (start: string) => (socket: Socket) => {
  socket.write(start);
  const timer = setInterval(() => socket.write("x"), 20);
  socket.on("close", () => clearInterval(timer));
};

/** Accepts connections on loopback, and sends nothing unless it is given what it does first. */
const listen = async (host = "127.0.0.1", greet: (socket: Socket) => void = () => {}) => {
  const closed = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("close", () => closed.resolve());
    socket.resume();
    greet(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as { port: number }).port, closed: closed.promise };
};

describe("a TCP probe", () => {
  it("has the address of the target, whether or not it accepts the connection", async () => {
    for (const port of [(await listen()).port, await closedPort()])
      expect(await probeTcp(target({ port }), testOutbound)).toMatchObject({ address: "127.0.0.1" });
  });

  it("is up when a port accepts the connection without sending anything, and closes the connection", async () => {
    const server = await listen();
    const outcome = await probeTcp(target({ port: server.port }), testOutbound);
    expect(outcome).toMatchObject({ up: true, statusCode: null, error: null, certExpiresAt: null });
    expect(outcome.responseTime).toBeGreaterThanOrEqual(0);
    await server.closed;
  });

  it("reaches a host by its name and by an IPv6 address", async () => {
    const v4 = await listen();
    expect(await probeTcp(target({ host: "localhost", port: v4.port }), testOutbound)).toMatchObject({ up: true });
    const v6 = await listen("::1");
    expect(await probeTcp(target({ host: "::1", port: v6.port }), testOutbound)).toMatchObject({ up: true });
  });

  it("fails with refused at a closed port", async () => {
    const outcome = await probeTcp(target({ port: await closedPort() }), testOutbound);
    expect([outcome.up, outcome.responseTime, outcome.error]).toEqual([false, null, checkError("refused")]);
  });

  it.skipIf(process.platform !== "linux")("fails with timeout when packets are dropped", async () => {
    const { port } = await serveUnaccepted();
    const outcome = await probeTcp(target({ port, timeout: 0.3 }), testOutbound);
    expect([outcome.up, outcome.error]).toEqual([false, timeoutError(0.3, "connect")]);
  });

  it("fails with a dns code when the name does not exist", async () => {
    const dns = {
      lookup: () => Promise.reject(Object.assign(new Error(), { code: "DNS_ENOTFOUND" })),
      lookupByLibc: () => Promise.reject(Object.assign(new Error(), { code: "ENOTFOUND" })),
      isAnswering: async () => true,
      shortage: () => null,
    };
    const outbound = createOutbound({ clock: { now: () => 0 }, log: createLog("silent", false, () => {}) }, dns);
    expect((await probeTcp(target({ host: "missing.example", port: 80 }), outbound)).error).toEqual(
      checkError("dns_no_name"),
    );
  });

  it("connects to no private address for a caller who may reach public ones only", async () => {
    const { port } = await listen();
    const user = { ...caller, allowPrivate: false };
    for (const host of ["127.0.0.1", "localhost", "10.0.0.1", "192.168.1.1", "169.254.169.254", "::1", "fd00::1"]) {
      const { up, error } = await probeTcp(target({ host, port, caller: user }), testOutbound);
      expect([host, up, error]).toEqual([host, false, checkError("blocked_private")]);
    }
  });

  it("sends what it is given, and compares how the answer begins", async () => {
    const server = await serveRaw((socket) => socket.write("+PONG\r\nand more"));
    const probe = (expected: string) =>
      probeTcp(target({ port: server.port, send: bytes("PING\r\n"), expect: bytes(expected) }), testOutbound);
    expect(await probe("+PONG\r\n")).toMatchObject({ up: true, error: null });
    expect((await probe("+PANG")).error).toEqual(checkError("reply_mismatch"));
    expect(await probe("")).toMatchObject({ up: true, error: null });
  });

  it("fails when the connection ends before the answer, or with a shorter one", async () => {
    const expected = { send: bytes("x"), expect: bytes("hello") };
    const closing = await serveRaw((socket) => socket.end());
    expect((await probeTcp(target({ port: closing.port, ...expected }), testOutbound)).error).toEqual(
      checkError("reset"),
    );
    const short = await serveRaw((socket) => socket.end("hell"));
    expect((await probeTcp(target({ port: short.port, ...expected }), testOutbound)).error).toEqual(
      checkError("reply_mismatch"),
    );
  });

  it("tells a server that accepts the connection and is silent from one that cannot be reached", async () => {
    const server = await listen();
    const probed = await probeTcp(target({ port: server.port, timeout: 0.3, preset: "imap" }), testOutbound);
    expect(probed.error).toEqual(timeoutError(0.3, "first_byte"));
    const encrypted = await probeTcp(target({ port: server.port, timeout: 0.3, tls: "direct" }), testOutbound);
    expect(encrypted.error).toEqual(timeoutError(0.3, "tls"));
  });

  it("ends at its timeout when the answer arrives one byte at a time, and closes the connection", async () => {
    const server = await listen("127.0.0.1", drip("* O"));
    const { error } = await probeTcp(target({ port: server.port, timeout: 0.3, preset: "imap" }), testOutbound);
    expect(error).toEqual(timeoutError(0.3, "download"));
    await server.closed;
  });

  it("reads a small part of a greeting of 1 MB, and closes the connection", async () => {
    for (const [preset, start, error] of [
      ["smtp", "220 ", null],
      ["imap", "* ", checkError("protocol_mismatch", { protocol: "IMAP" })],
      ["postgres", "R\x00\x10\x00\x00", checkError("protocol_mismatch", { protocol: "PostgreSQL" })],
      ["mysql", "\xff\xff\x0f\x00", checkError("protocol_mismatch", { protocol: "MySQL" })],
    ] as const) {
      const server = await listen("127.0.0.1", (socket) =>
        socket.write(Buffer.from(start + "x".repeat(1_000_000), "latin1")),
      );
      expect((await probeTcp(target({ port: server.port, preset }), testOutbound)).error).toEqual(error);
      await server.closed;
    }
  });

  it("begins TLS with a command of its preset only", async () => {
    const server = await listen();
    for (const preset of [undefined, "ssh"] as const)
      expect((await probeTcp(target({ port: server.port, preset, tls: "starttls" }), testOutbound)).error).toEqual(
        checkError("tls_no_starttls"),
      );
  });
});
