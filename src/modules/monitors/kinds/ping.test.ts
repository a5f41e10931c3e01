import { describe, expect, it } from "bun:test";
import { createLog } from "../../../core/log";
import { LocalFailure } from "../../../probe/local-failure";
import { createOutbound } from "../../../probe/outbound";
import { HOUR } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { createTestClock } from "../../../testing/clock";
import { countHistory, rollUp } from "../../../testing/fixtures/monitors";

const MONITORS = "/api/monitors";
const ROUTER = { name: "router", kind: "ping", config: { host: "192.0.2.1" }, interval: 60, retries: 0, active: false };

/** A hub whose machine has a ping program, or lacks it, as `state` says. */
const setUp = async (state = { installed: true, received: 3 }) => {
  const clock = createTestClock();
  const sent: object[] = [];
  const pinger = {
    isAvailable: async () => state.installed,
    echo: async (request: object) => {
      if (!state.installed) throw new LocalFailure("ping");
      sent.push(request);
      return { sent: 3, received: state.received, average: 12.34 };
    },
  };
  const outbound = createOutbound({ clock, log: createLog("silent", false, () => {}) }, undefined, { pinger });
  const app = await createTestApp({ clock, outbound });
  const { alice, bob } = await app.people();
  return { app, state, sent, as: app.as(alice), client: app.as(bob) };
};

describe("a ping monitor", () => {
  it("is created with three packets by default, and takes one to five", async () => {
    const { client } = await setUp();
    const create = (config: object) => client.post(MONITORS, { ...ROUTER, config });
    expect((await create({ host: " [2001:db8::1] " })).body.monitor).toMatchObject({
      target: "2001:db8::1",
      config: { host: "2001:db8::1", count: 3 },
    });
    for (const count of [1, 5]) expect((await create({ host: "router", count })).status).toBe(201);
    for (const count of [0, 6, 1.5, "x"]) expect((await create({ host: "router", count })).status).toBe(422);
    for (const host of ["", "-c 1", "a b", "host:80", "::1%eth0", 7, null])
      expect([host, (await create({ host })).status]).toEqual([host, 422]);
  });

  it("is up when one packet was answered, and down when none was", async () => {
    const { as, state, app, sent } = await setUp();
    const { id } = (await as.post(MONITORS, ROUTER)).body.monitor;
    const check = async () => (await as.post(`${MONITORS}/${id}/check`)).body.check;
    state.received = 1;
    expect(await check()).toMatchObject({ status: "up", response_time: 12.3 });
    state.received = 0;
    await app.clock.advance(10_000);
    expect(await check()).toMatchObject({
      status: "down",
      response_time: null,
      error: "ping: none of 3 packets was answered",
    });
    expect(sent).toEqual(Array(2).fill({ address: "192.0.2.1", count: 3, wait: 4 }));
  });

  it("shows the packets that were lost with each check and over its last 40 checks, also after their hour", async () => {
    const { as, state, app } = await setUp();
    const { id } = (await as.post(MONITORS, ROUTER)).body.monitor;
    const read = async () => (await as.get(`${MONITORS}/${id}`)).body.monitor;
    expect(await read()).toMatchObject({ packet_loss: null, config: { host: "192.0.2.1", count: 3 } });
    for (const received of [3, 2, 0, 3]) {
      state.received = received;
      await app.clock.advance(10_000);
      await as.post(`${MONITORS}/${id}/check`);
    }
    const lossOf = async () => {
      const { packet_loss, checks } = await read();
      return [packet_loss, checks.map((check) => check.packet_loss)];
    };
    expect(await lossOf()).toEqual([33.3, [0, 100, 33.3, 0]]);
    await app.clock.advance(2 * HOUR);
    await rollUp(app);
    expect(await lossOf()).toEqual([33.3, [0, 100, 33.3, 0]]);
    const tried = await as.post(`${MONITORS}/probe`, { kind: "ping", config: { host: "192.0.2.1" } });
    expect(tried.body.result.packet_loss).toBe(0);
    const metrics = (await as.get("/metrics")).text;
    expect(metrics).toMatch(/^wakeful_monitor_packet_loss_ratio\{.*\} 0\.333$/m);
  });

  it("is degraded while more of its packets than its limit are lost in three of five checks", async () => {
    const { as, state, app } = await setUp();
    const create = (max_loss: unknown) => as.post(MONITORS, { ...ROUTER, config: { host: "192.0.2.1", max_loss } });
    for (const wrong of [-1, 100, 1.5, "x"]) expect([wrong, (await create(wrong)).status]).toEqual([wrong, 422]);
    expect((await create(null)).body.monitor.config).toMatchObject({ max_loss: null });
    const { id } = (await create(20)).body.monitor;
    await as.post(`${MONITORS}/${id}/resume`);
    const found: string[] = [];
    for (const received of [3, 2, 2, 3, 2]) {
      state.received = received;
      await app.clock.advance(10_000);
      await as.post(`${MONITORS}/${id}/check`);
      found.push((await as.get(`${MONITORS}/${id}`)).body.monitor.status);
    }
    expect(found).toEqual(["up", "up", "up", "up", "degraded"]);
    const { monitor } = (await as.get(`${MONITORS}/${id}`)).body;
    expect([monitor.error_code, monitor.error_detail]).toEqual(["ping_loss", { limit: 20, slow: 3, checks: 5 }]);
    expect(monitor.checks[0]).toMatchObject({ status: "up", slow: true, packet_loss: 33.3 });
  });

  it("is refused with ping_unavailable on a machine without ping, when it is created, probed or changed", async () => {
    const { as, state } = await setUp();
    const { id } = (await as.post(MONITORS, ROUTER)).body.monitor;
    state.installed = false;
    const { kind, config } = ROUTER;
    const changed = { name: "router", interval: 60, config: { host: "192.0.2.2" } };
    for (const { status, body } of [
      await as.post(MONITORS, ROUTER),
      await as.post(`${MONITORS}/probe`, { kind, config }),
      await as.put(`${MONITORS}/${id}`, changed),
    ])
      expect([status, body.code]).toEqual([422, "ping_unavailable"]);
    const renamed = await as.put(`${MONITORS}/${id}`, { name: "gateway", interval: 120 });
    expect([renamed.status, renamed.body.monitor.name]).toEqual([200, "gateway"]);
  });

  it("is not reported down when ping is missing later, and the dashboard names the reason", async () => {
    const { app, as, state } = await setUp();
    const created = (await as.post(MONITORS, ROUTER)).body.monitor;
    state.installed = false;
    const { status, body } = await as.post(`${MONITORS}/${created.id}/check`);
    expect([status, body.code]).toEqual([503, "hub_unavailable"]);
    expect(body.message).toContain("the ping program of this machine is missing or does not work");
    expect((await countHistory(app, created.id)).checks).toBe(0);
    const { conditions } = JSON.parse((await as.get("/api/dashboard")).text);
    expect(conditions).toMatchObject([{ code: "ping" }]);
  });
});
