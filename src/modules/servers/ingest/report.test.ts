import { describe, expect, it } from "bun:test";
import { samplePacks } from "../../../db/schema";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import {
  countSamples,
  enrollAgent,
  readServerState,
  reportOf,
  sampleAt,
  sendReport,
} from "../../../testing/fixtures/agents";
import { machineFacts, wideSampleAt } from "../../../testing/fixtures/wide-reports";
import { startTestServer } from "../../../testing/servers/hub";

const [MINUTE, DAY] = [60_000, 86_400_000];
const NOTHING = { samples: 0, tens: 0, hours: 0 };

/** The fields of an agent that reports nothing but the figures that all agents have. */
const UNREPORTED = {
  ...{ disk_activity: null, arrays: null, cpu_parts: null, interfaces: null, temperatures: null, processors: null },
  ...{ processes: null, failed_units: null, containers: null, containers_total: null, gpus: null },
  ...{ reboot_required: null, agent_kind: null, agent_platform: null, clock_offset: null },
};

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  const read = async () => (await app.as(bob).get(`/api/agents/${agent.id}`)).body.agent;
  return { app, alice, bob, agent, read, id: agent.id };
};

describe("a report", () => {
  it("makes its agent active and updates its figures, times and description", async () => {
    const { app, agent, read } = await setUp();
    app.clock.set(START + 5000);
    const disks = [{ mount: "/", total: 100, used: 50 }];
    const newest = sampleAt(START + 4000, {
      cpu: 33.333,
      network: { rx: 1.26, tx: 0 },
      disks,
      swap: { total: 8, used: 2 },
      load: [0.5, 1, 2],
      boot_time: "2026-01-01T00:00:00.000Z",
    });
    const facts = { hostname: "db-2", ip_addresses: ["10.0.0.9"], os: "Alpine", version: "6.6" };
    const said = { agent_version: "0.1.0", unreadable_disks: [{ mount: "/home/ann/data", reason: "permission" }] };
    const answer = await agent.report([sampleAt(START - MINUTE), newest], { ...facts, ...said, interval: 2 });
    expect([answer.status, answer.body]).toEqual([200, { success: true, accepted: 2 } as typeof answer.body]);
    const nothing = { uptime: null, watched: null, watched_seconds: 0, down_seconds: 0, outages: 0 };
    expect(await read()).toEqual({
      id: agent.id,
      name: "db-1",
      ...facts,
      status: "active",
      unknown: null,
      since: null,
      open_outages: 0,
      muted: null,
      maintenance: null,
      tags: [],
      traffic: null,
      plan: null,
      disk_forecast: { mount: "/", outlook: "unknown", full_at: null },
      disk_forecasts: [{ mount: "/", outlook: "unknown", full_at: null }],
      cpu_usage: 33.3,
      memory_total: 16 * 2 ** 30,
      memory_used: 4 * 2 ** 30,
      disk_total: 100 * 2 ** 30,
      disk_used: 50 * 2 ** 30,
      network_rx: 1.3,
      network_tx: 0,
      load_average: [0.5, 1, 2],
      boot_time: "2026-01-01T00:00:00.000Z",
      temperature: null,
      update_available: false,
      interval: 2,
      availability: { "24h": nothing, "7d": nothing, "30d": nothing, "90d": nothing },
      created_at: new Date(START).toISOString(),
      updated_at: new Date(START + 5000).toISOString(),
      disks,
      swap: { total: 8, used: 2 },
      ...said,
      ...UNREPORTED,
      series: ["swap", "load", "disk:/"],
      unrecorded: [],
      outages: [],
      thresholds: { cpu: null, memory: null, disk: null },
      own_thresholds: [],
    });
  });

  it("shows everything that its agent says of the machine, until a report says less", async () => {
    const { app, agent, read } = await setUp();
    const { traffic, load, ...newest } = wideSampleAt(START, { disks: [{ mount: "/", total: 9, used: 3 }] });
    const facts = machineFacts();
    expect((await agent.report([{ ...newest, traffic: traffic! }], facts)).status).toBe(200);
    const { disks, swap, cpu_parts, disk_activity, interfaces, temperatures } = newest;
    const shown = { disks, swap, cpu_parts, disk_activity, interfaces, temperatures, ...facts };
    expect(await read()).toMatchObject({ ...shown, temperature: 47.5, load_average: null } as object);
    app.clock.set(START + MINUTE);
    await agent.report([sampleAt(START + MINUTE)]);
    expect(await read()).toMatchObject({ ...UNREPORTED, disks: null, swap: null, temperature: null });
  });

  it("without the key of an agent is answered 401, and nothing is stored", async () => {
    const { app, agent, bob, alice, id } = await setUp();
    const body = reportOf([sampleAt(START)]);
    const keys = [`${agent.key}x`, agent.key.slice(0, -1), agent.key.slice(4), bob.token, alice.token, "' or 1=1 --"];
    for (const key of keys) {
      const answer = await sendReport(app, key, body);
      expect([key, answer.status, answer.body.code]).toEqual([key, 401, "unauthorized"]);
    }
    expect((await app.anybody.post("/api/agents/report", body)).status).toBe(401);
    expect((await app.anybody.post("/api/agents/report", { nonsense: 1 })).status).toBe(401);
    expect((await app.anybody.post("/api/agents/report", body, { authorization: agent.key })).status).toBe(401);
    expect(await app.db.$count(samplePacks)).toBe(0);
    expect((await readServerState(app, id)).status).toBe("connecting");
  });

  it("of a deleted agent is answered 401, and stores nothing", async () => {
    const { app, agent, bob, id } = await setUp();
    await agent.report([sampleAt(START)]);
    await app.as(bob).delete(`/api/agents/${id}`);
    const { status, body } = await agent.report([sampleAt(START + MINUTE)]);
    expect([status, body.code]).toEqual([401, "agent_deleted"]);
    expect(await countSamples(app, id)).toEqual(NOTHING);
  });

  it("has a key that other routes refuse", async () => {
    const { app, agent, id } = await setUp();
    const { get, post } = { get: app.anybody.get, post: app.anybody.post };
    const authorization = `Bearer ${agent.key}`;
    for (const path of ["/api/agents", `/api/agents/${id}`, "/api/monitors", "/api/auth/me"])
      expect((await get(path, undefined, { authorization })).status).toBe(401);
    expect((await post("/api/agents/token/generate", undefined, { authorization })).status).toBe(401);
  });
});

it("unknown figures are null", async () => {
  const { agent, read } = await setUp();
  const unknown = { total: 0, used: 0 };
  await agent.report([sampleAt(START, { cpu: null, network: null, memory: unknown, disk: unknown })]);
  expect(await read()).toMatchObject({
    status: "active",
    cpu_usage: null,
    memory_total: null,
    memory_used: null,
    disk_total: null,
    disk_used: null,
    network_rx: null,
    network_tx: null,
  });
});

it("samples that are too old, or in the same second as another one, are named as not stored", async () => {
  const { agent, id, app } = await setUp();
  const refused = [sampleAt(0), sampleAt(START - 2 * DAY - 1)];
  const taken = [sampleAt(START - 2 * DAY), sampleAt(START), sampleAt(START + 400)];
  const { status, body } = await agent.report([...refused, ...taken]);
  expect(status).toBe(200);
  expect(body).toMatchObject({ accepted: 2, not_stored: { future: 0, old: 2, same_second: 1 } });
  expect((await countSamples(app, id)).samples).toBe(2);
  expect((await agent.report([sampleAt(START + MINUTE)])).body).toEqual({ success: true, accepted: 1 } as typeof body);
});

it("a report of more than 1 MiB is answered 413, and is not stored", async () => {
  const server = await startTestServer();
  const { bob } = await server.people();
  const { key, id } = await enrollAgent(server, bob);
  const disks = Array.from({ length: 64 }, () => ({ mount: "x".repeat(1000), total: 1, used: 1 }));
  const report = reportOf(Array.from({ length: 17 }, (_, index) => sampleAt(START + index * 1000, { disks })));
  const send = (body: BodyInit) =>
    server.call("/api/agents/report", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body,
    });
  const text = JSON.stringify(report);
  expect(text.length).toBeGreaterThan(1024 * 1024);
  const chunked = new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
  for (const body of [text, chunked]) {
    const answer = await send(body);
    expect([answer.status, answer.body.code]).toEqual([413, "too_large"]);
  }
  expect(await countSamples(server, id)).toEqual(NOTHING);
  expect((await send(JSON.stringify({ ...report, samples: report.samples.slice(0, 15) }))).body.accepted).toBe(15);
});
