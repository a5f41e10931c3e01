import { expect, it } from "bun:test";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { takeSteps } from "./dialogue";

it("a step that could not be sent fails, also when no answer is awaited", async () => {
  const write = (_: unknown, __: unknown, done: (error: Error) => void) =>
    done(Object.assign(new Error("reset"), { code: "ECONNRESET" }));
  const socket = new Duplex({ read: () => {}, write }) as Socket;
  socket.on("error", () => {});
  const steps = [{ send: Buffer.from("PING\r\n") }];
  expect(await takeSteps(socket, steps, AbortSignal.timeout(2000)).catch(({ code }) => code)).toBe("ECONNRESET");
});
