import { describe, expect, it } from "bun:test";
import type { Sample } from "../../../shared/agents/report";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import {
  countSamples,
  enrollAgent,
  readServerState,
  reportOf,
  sampleAt,
  sendReport,
  storedSamples,
} from "../../../testing/fixtures/agents";

const NOTHING = { samples: 0, tens: 0, hours: 0 };

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  const read = async () => (await app.as(bob).get(`/api/agents/${agent.id}`)).body.agent;
  return { app, bob, agent, read, id: agent.id };
};

describe("the input of a report", () => {
  const refused = async (change: object) => {
    const { app, agent, id } = await setUp();
    const { status, body } = await sendReport(app, agent.key, { ...reportOf([sampleAt(START)]), ...change });
    expect(await countSamples(app, id)).toEqual(NOTHING);
    expect((await readServerState(app, id)).status).toBe("connecting");
    return [status, ...(body.errors ?? []).map(({ path }) => path)];
  };
  const refusedSample = (change: Record<string, unknown>) =>
    refused({ samples: [sampleAt(START), { ...sampleAt(START + 1), ...change }] });

  it("has 1 to 1,000 samples", async () => {
    expect(await refused({ samples: [] })).toEqual([422, "samples"]);
    const many = Array.from({ length: 1001 }, (_, index) => sampleAt(START - index * 1000));
    expect(await refused({ samples: many })).toEqual([422, "samples"]);
    const { app, agent, id } = await setUp();
    expect((await agent.report(many.slice(0, 1000), { interval: 1 })).body.accepted).toBe(1000);
    expect((await countSamples(app, id)).samples).toBe(1000);
  });

  it("has an interval of 1 to 86,400 whole seconds", async () => {
    for (const interval of [0, -1, 0.5, 86_401, "x", "60", null, 1e300])
      expect(await refused({ interval })).toEqual([422, "interval"]);
    const { agent, read } = await setUp();
    for (const interval of [1, 86_400]) {
      expect((await agent.report([sampleAt(START)], { interval })).status).toBe(200);
      expect((await read()).interval).toBe(interval);
    }
  });

  it("has percentages from 0 to 100, and sizes and rates from 0 up to a limit", async () => {
    for (const cpu of [-0.1, 100.1, "12", true]) expect(await refusedSample({ cpu })).toEqual([422, "samples.1.cpu"]);
    for (const bad of [-1, 2 ** 61, null, "1"]) {
      expect(await refusedSample({ memory: { total: bad, used: 0 } })).toEqual([422, "samples.1.memory.total"]);
      expect(await refusedSample({ disk: { total: 1, used: bad } })).toEqual([422, "samples.1.disk.used"]);
      expect((await refusedSample({ network: { rx: 1, tx: bad } }))[0]).toBe(422);
    }
    for (const name of ["memory", "disk"])
      expect(await refusedSample({ [name]: null })).toEqual([422, `samples.1.${name}`]);
  });

  it("has no numbers that JSON does not define", async () => {
    const { app, agent, id } = await setUp();
    const text = JSON.stringify(reportOf([sampleAt(START)]));
    for (const figure of ["NaN", "Infinity", "1e999", "-1e999", ""]) {
      const body = text.replace('"cpu":12.5', `"cpu":${figure}`);
      const request = new Request("http://console.test/api/agents/report", {
        method: "POST",
        headers: { authorization: `Bearer ${agent.key}`, "content-type": "application/json" },
        body,
      });
      expect([figure, (await app.send(request)).status]).toEqual([figure, figure.includes("1e") ? 422 : 400]);
    }
    expect(await countSamples(app, id)).toEqual(NOTHING);
  });

  it("has valid times", async () => {
    const times = ["", "now", "2026-13-01T00:00:00Z", "2026-01-32T00:00:00Z", "2026-01-01T24:30:00Z"];
    times.push("2026-01-01T23:59:60Z", "2026-01-01 00:00:00Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00+99:99");
    for (const at of times) expect([at, ...(await refusedSample({ at }))]).toEqual([at, 422, "samples.1.at"]);
    for (const boot_time of times) expect(await refusedSample({ boot_time })).toEqual([422, "samples.1.boot_time"]);
    expect(await refusedSample({ at: START })).toEqual([422, "samples.1.at"]);
  });

  it("has times with any offset and up to nine digits of a second", async () => {
    const { app, agent, id } = await setUp();
    const shifted = { ...sampleAt(0), at: "2026-01-15T20:20:00.123456789+08:00" };
    expect((await agent.report([shifted])).body.accepted).toBe(1);
    expect((await storedSamples(app, id)).map(({ at }) => at)).toEqual([START + 123]);
  });

  it("has at most 16 addresses and 64 disks, and texts of limited length", async () => {
    const disk = { mount: "/", total: 1, used: 1 };
    expect(await refusedSample({ disks: Array(65).fill(disk) })).toEqual([422, "samples.1.disks"]);
    expect(await refusedSample({ disks: [{ ...disk, mount: "x".repeat(1025) }] })).toEqual([
      422,
      "samples.1.disks.0.mount",
    ]);
    expect(await refused({ ip_addresses: Array(17).fill("10.0.0.1") })).toEqual([422, "ip_addresses"]);
    expect(await refused({ hostname: "" })).toEqual([422, "hostname"]);
    for (const name of ["hostname", "os", "version"])
      expect(await refused({ [name]: "x".repeat(256) })).toEqual([422, name]);
  });

  it("has further figures within their bounds", async () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `name-${index}`);
    const long = "x".repeat(129);
    const rate = { rx: 1, tx: 1 };
    const activity = { read: 1, write: 1, busy: 1, latency: 1 };
    const bad: [string, unknown][] = [
      ["disks.0.inodes.used", { disks: [{ mount: "/", total: 1, used: 1, inodes: { total: 1, used: -1 } }] }],
      ["cpu_parts.steal", { cpu_parts: { user: 1, system: 1, iowait: 1, steal: 101 } }],
      ["disk_activity", { disk_activity: names(33).map((device) => ({ device, ...activity })) }],
      ["disk_activity.0.device", { disk_activity: [{ device: long, ...activity }] }],
      ["disk_activity.0.latency", { disk_activity: [{ device: "sda", ...activity, latency: -1 }] }],
      ["interfaces", { interfaces: names(33).map((name) => ({ name, ...rate })) }],
      ["interfaces.0.name", { interfaces: [{ name: "", ...rate }] }],
      ["temperatures", { temperatures: names(17).map((sensor) => ({ sensor, celsius: 40 })) }],
      ["temperatures.0.celsius", { temperatures: [{ sensor: "cpu", celsius: 1001 }] }],
    ];
    for (const [path, change] of bad)
      expect(await refusedSample(change as Record<string, unknown>)).toEqual([422, `samples.1.${path}`]);
  });

  it("has traffic counters of whole bytes, under names that can be stored", async () => {
    const counters = (interfaces: object, change = {}) =>
      refusedSample({ traffic: { boot: "1", interfaces, ...change } }).then(([status]) => status);
    const many = Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`eth${index}`, [1, 1]]));
    for (const interfaces of [{ e: [1] }, { e: [1, -1] }, { e: [1, 0.5] }, { e: [1, 2 ** 60] }, { e: "x" }, many])
      expect([interfaces, await counters(interfaces)]).toEqual([interfaces, 422]);
    for (const name of ["", "x".repeat(129), "a\u0000", "a\nb", "\ud800", "\udfff"])
      expect([name, await counters({ [name]: [1, 1] })]).toEqual([name, 422]);
    expect(await counters({ eth0: [1, 1] }, { boot: "" })).toBe(422);
    const { agent } = await setUp();
    const traffic = {
      boot: "1",
      interfaces: { "it's 网卡 %": [1, Number.MAX_SAFE_INTEGER] as [number, number] },
      wraps: true,
    };
    expect((await agent.report([sampleAt(START, { traffic })])).status).toBe(200);
  });

  it("has facts of its machine within their bounds", async () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `name-${index}`);
    const long = "x".repeat(129);
    const program = { name: "a", value: 1 };
    const container = { name: "a", image: "b", state: "running" };
    const gpu = { name: "a", usage: null, memory: null, celsius: null };
    const bad: [string, unknown][] = [
      ["processors", { processors: 0 }],
      ["processes.cpu", { processes: { cpu: Array(6).fill(program), memory: [] } }],
      ["processes.memory.0.value", { processes: { cpu: [], memory: [{ name: "a", value: -1 }] } }],
      ["failed_units", { failed_units: names(33) }],
      ["failed_units.0", { failed_units: [long] }],
      ["containers", { containers: Array(101).fill(container) }],
      ["containers.0.name", { containers: [{ ...container, name: long }] }],
      ["containers.0.health", { containers: [{ ...container, health: "fine" }] }],
      ["containers.0.restarts", { containers: [{ ...container, restarts: 1.5 }] }],
      ["containers_total", { containers_total: -1 }],
      ["gpus", { gpus: Array(9).fill(gpu) }],
      ["gpus.0.usage", { gpus: [{ ...gpu, usage: 101 }] }],
      ["arrays", { arrays: Array(33).fill({ name: "a", kind: "md", state: "active", degraded: false }) }],
      ["arrays.0.kind", { arrays: [{ name: "a", kind: "raid", state: "active", degraded: false }] }],
      ["reboot_required", { reboot_required: "yes" }],
      ["agent_kind", { agent_kind: "other" }],
      ["agent_platform", { agent_platform: long }],
    ];
    for (const [path, change] of bad) expect(await refused(change as object)).toEqual([422, path]);
  });

  it("has no texts that a database can't store, and a refused one does not affect other reports", async () => {
    const { app, agent, bob, id } = await setUp();
    const other = await enrollAgent(app, bob);
    for (const hostname of ["a\u0000", "\ud800", "\udfff"]) {
      const at = app.clock.now();
      const [bad, good] = await Promise.all([agent.report([sampleAt(at)], { hostname }), other.report([sampleAt(at)])]);
      expect([bad.status, good.status]).toEqual([422, 200]);
      app.clock.set(at + 1000);
    }
    const odd = `it's "quoted" \\ 💥 中文 %_ \u2028 ${"\\ud800"}`;
    const { status } = await agent.report([sampleAt(START)], { hostname: odd, ip_addresses: [odd.slice(0, 60)] });
    expect(status).toBe(200);
    const { agent: shown } = (await app.as(bob).get(`/api/agents/${id}`)).body;
    expect([shown.hostname, shown.ip_addresses]).toEqual([odd, [odd.slice(0, 60)]]);
  });

  it("may have unknown fields, which are ignored", async () => {
    const { app, agent, id } = await setUp();
    const more = { ...sampleAt(START), gpu: 5, agent_id: 1 } as Sample;
    const { status } = await sendReport(app, agent.key, { ...reportOf([more]), id: 999, status: "inactive", key: "x" });
    expect(status).toBe(200);
    expect(await countSamples(app, id)).toEqual({ samples: 1, tens: 1, hours: 1 });
  });
});
