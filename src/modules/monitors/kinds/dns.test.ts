import { describe, expect, it } from "bun:test";
import { createTestApp } from "../../../testing/app";
import { QUESTION, replyTo, serveNames, wireRecord } from "../../../testing/servers/name-server";

const MONITORS = "/api/monitors";
const SHOP = {
  name: "shop",
  kind: "dns",
  config: { name: "shop.example", type: "A" },
  interval: 60,
  retries: 0,
  active: false,
};

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  return { app, alice: app.as(alice), client: app.as(bob) };
};
const paths = (errors: { path: string }[]) => errors.map(({ path }) => path).sort();

describe("a DNS monitor", () => {
  it("is created with defaults, listed and found by its name", async () => {
    const { client } = await setUp();
    const { status, body } = await client.post(MONITORS, SHOP);
    expect(status).toBe(201);
    const config = { ...SHOP.config, server: null, expect: null };
    expect(body.monitor).toMatchObject({ kind: "dns", target: "shop.example A", config });
    const { monitors } = (await client.get(`${MONITORS}?search=SHOP.EX`)).body;
    expect(monitors).toEqual([expect.objectContaining({ config })]);
  });

  it("keeps fields that an update leaves out, and gives up a server and an expectation for null", async () => {
    const { client } = await setUp();
    const expectation = { op: "any", values: ["192.0.2.1"] };
    const config = { ...SHOP.config, server: " 192.0.2.53:5353 ", expect: { op: "any", values: [" 192.0.2.1 "] } };
    const { monitor } = (await client.post(MONITORS, { ...SHOP, config })).body;
    expect(monitor).toMatchObject({ target: "shop.example A @192.0.2.53:5353" });
    expect(monitor.config).toEqual({ ...SHOP.config, server: "192.0.2.53:5353", expect: expectation });
    const change = async (changed: object) =>
      (await client.put(`${MONITORS}/${monitor.id}`, { name: "shop", interval: 60, config: changed })).body.monitor
        .config;
    expect(await change({ name: "www.example", type: "A" })).toMatchObject({
      name: "www.example",
      expect: expectation,
    });
    expect(await change({ name: "www.example", type: "A", server: null, expect: null })).toEqual({
      name: "www.example",
      type: "A",
      server: null,
      expect: null,
    });
  });

  it("refuses names, types, servers and values that can't be, each by its field", async () => {
    const { client } = await setUp();
    const refused = async (changed: object) => {
      const { status, body } = await client.post(MONITORS, { ...SHOP, config: { ...SHOP.config, ...changed } });
      return status === 422 ? paths(body.errors) : status;
    };
    for (const name of ["", "a b", "http://shop.example", "192.0.2.1", "a..b", "x".repeat(254), 7, null])
      expect([name, await refused({ name })]).toEqual([name, ["config.name"]]);
    for (const type of ["ANY", "a", "", 1, null])
      expect([type, await refused({ type })]).toEqual([type, ["config.type"]]);
    for (const server of ["ns.example", "192.0.2.53:0", "x".repeat(65), 7])
      expect([server, await refused({ server })]).toEqual([server, ["config.server"]]);
    const tooMany = Array(21).fill("192.0.2.1");
    for (const values of [[], tooMany, ["x"], ["192.0.2.1", ""], ["x".repeat(513)], "x", [7]])
      expect([values, await refused({ expect: { op: "equals", values } })]).toEqual([
        values,
        [expect.stringMatching(/^config\.expect/)],
      ]);
    expect(await refused({ expect: { op: "is", values: ["192.0.2.1"] } })).toEqual([
      expect.stringMatching(/^config\.expect/),
    ]);
    expect(await refused({ name: "192.0.2.1", type: "PTR" })).toBe(201);
  });

  it("is up with the expected records, down otherwise, keeps the records of its last check, and asks no private server of a user", async () => {
    const { alice, client } = await setUp();
    const record = wireRecord(QUESTION, 1, Buffer.from([192, 0, 2, 1]));
    const { server, asked } = await serveNames((query) => replyTo(query, { answers: [record] }));
    const check = async (as: typeof alice, values: string[]) => {
      const config = { ...SHOP.config, server, expect: { op: "equals", values } };
      const { id } = (await as.post(MONITORS, { ...SHOP, config })).body.monitor;
      return (await as.post(`${MONITORS}/${id}/check`)).body.check;
    };
    expect(await check(alice, ["192.0.2.1"])).toMatchObject({ status: "up", error: null });
    expect(await check(alice, ["192.0.2.2"])).toMatchObject({
      status: "down",
      error: "dns: the A records are not the expected ones",
    });
    const { monitors } = (await alice.get(MONITORS)).body;
    for (const { id } of monitors) {
      expect((await alice.get(`${MONITORS}/${id}`)).body.monitor.records).toEqual(["192.0.2.1"]);
      await alice.put(`${MONITORS}/${id}`, { ...SHOP, config: { ...SHOP.config, name: "other.example" } });
      expect((await alice.get(`${MONITORS}/${id}`)).body.monitor.records).toBeUndefined();
    }
    const count = asked.length;
    expect(await check(client, ["192.0.2.1"])).toMatchObject({ status: "down", error_code: "blocked_private" });
    expect(asked.length).toBe(count);
  });
});
