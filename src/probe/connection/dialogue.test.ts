import { expect, it, onTestFinished } from "bun:test";
import { connect, createServer, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { endConnection, takeSteps } from "./dialogue";

it("a step that could not be sent fails, also when no answer is awaited", async () => {
  const write = (_: unknown, __: unknown, done: (error: Error) => void) =>
    done(Object.assign(new Error("reset"), { code: "ECONNRESET" }));
  const socket = new Duplex({ read: () => {}, write }) as Socket;
  socket.on("error", () => {});
  const steps = [{ send: Buffer.from("PING\r\n") }];
  expect(await takeSteps(socket, steps, AbortSignal.timeout(2000)).catch(({ code }) => code)).toBe("ECONNRESET");
});

it("a connection ends with its last message, and is closed although the server keeps it open", async () => {
  const received = Promise.withResolvers<string>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on("error", () => {}).once("data", (data) => received.resolve(String(data)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const socket = connect((server.address() as { port: number }).port, "127.0.0.1");
  await new Promise((resolve) => socket.once("connect", resolve));
  const closed = new Promise((resolve) => socket.once("close", resolve));
  endConnection(socket, new AbortController().signal, "QUIT\r\n");
  expect(await received.promise).toBe("QUIT\r\n");
  await closed;
});
