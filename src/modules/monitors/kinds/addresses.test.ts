import { describe, expect, it } from "bun:test";
import { createTestApp } from "../../../testing/app";

const MONITORS = "/api/monitors";

const setUp = async (kind: string) => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  const create = async (config: object) =>
    (await app.as(bob).post(MONITORS, { name: kind, kind, config, interval: 60, active: false })).body;
  const refused = async (config: object) => ((await create(config)).errors ?? []).map(({ path }) => path);
  return { alice: app.as(alice), bob: app.as(bob), create, refused };
};

describe("a WebSocket monitor", () => {
  it("has an address, and may have a subprotocol and messages", async () => {
    const { create, refused } = await setUp("websocket");
    const url = "wss://live.example/feed?room=1";
    for (const config of [
      { url },
      { url: "ws://[2001:db8::1]:8080" },
      { url, subprotocol: "graphql-ws", send: "é".repeat(512), expect: "pong" },
      { url, subprotocol: "", send: "", expect: "" },
    ])
      expect((await create(config)).monitor).toMatchObject({ kind: "websocket", target: config.url, config });
    for (const [config, path] of [
      [{}, "url"],
      [{ url: "https://live.example" }, "url"],
      [{ url: "ws://" }, "url"],
      [{ url: "wss://live.example/#top" }, "url"],
      [{ url: `wss://live.example/${"x".repeat(2048)}` }, "url"],
      [{ url, subprotocol: "a, b" }, "subprotocol"],
      [{ url, subprotocol: "a\r\nHost: b" }, "subprotocol"],
      [{ url, send: "x".repeat(1025) }, "send"],
      [{ url, send: "é".repeat(513) }, "send"],
      [{ url, expect: "x".repeat(257) }, "expect"],
    ] as const)
      expect([config, await refused(config)]).toEqual([config, [`config.${path}`]]);
  });

  it("hides what it sends from everyone but its owner, and sends it to no other address", async () => {
    const { alice, create } = await setUp("websocket");
    const monitor = (await create({ url: "wss://live.example/a", send: "token" })).monitor!;
    const body = (url: string) => ({ ...monitor, config: { url, send: "••••" } });
    expect((await alice.get(`${MONITORS}/${monitor.id}`)).body.monitor.config?.send).toBe("••••");
    expect((await alice.put(`${MONITORS}/${monitor.id}`, body("wss://live.example/b"))).status).toBe(200);
    expect((await alice.put(`${MONITORS}/${monitor.id}`, body("wss://evil.example/a"))).status).toBe(422);
  });
});

describe("a gRPC monitor", () => {
  it("has the address of a server, and may have a service", async () => {
    const { create, refused } = await setUp("grpc");
    const url = "https://grpc.example:50051";
    for (const [config, target] of [
      [{ url }, url],
      [{ url: "http://[::1]:50051/" }, "http://[::1]:50051/"],
      [{ url, service: "shop.v1.Orders" }, `${url}/shop.v1.Orders`],
      [{ url, service: "" }, url],
    ] as const)
      expect((await create(config)).monitor).toMatchObject({ kind: "grpc", target, config });
    for (const [config, path] of [
      [{}, "url"],
      [{ url: "grpc.example:50051" }, "url"],
      [{ url: "grpc://grpc.example" }, "url"],
      [{ url: `${url}/shop` }, "url"],
      [{ url: `${url}?a` }, "url"],
      [{ url: "https://user:word@grpc.example" }, "url"],
      [{ url, service: "x".repeat(201) }, "service"],
      [{ url, service: "a b" }, "service"],
    ] as const)
      expect([config, await refused(config)]).toEqual([config, [`config.${path}`]]);
  });
});
