import { describe, expect, it, onTestFinished } from "bun:test";
import { createServer } from "node:net";
import { createLog } from "../core/log";
import { checkError } from "../shared/check-error";
import { closedPort } from "../testing/servers/raw";
import { targetOf, testOutbound } from "../testing/servers/target-of";
import { serveUnaccepted } from "../testing/servers/unaccepted";
import { createOutbound } from "./outbound";
import { probeTcp, type TcpTarget } from "./tcp";

const { caller } = targetOf({ url: "http://unused.example/" });
const target = (fields: Partial<TcpTarget> & { port: number }): TcpTarget => ({
  host: "127.0.0.1",
  timeout: 2,
  caller,
  ...fields,
});

/** Accepts connections on loopback and sends nothing. Counts those that were closed again. */
const listen = async (host = "127.0.0.1") => {
  const closed = Promise.withResolvers<void>();
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("close", () => closed.resolve());
    socket.resume();
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
    expect([outcome.up, outcome.error]).toEqual([false, checkError("timeout", { seconds: 0.3 })]);
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
      checkError("dns_not_found"),
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
});
