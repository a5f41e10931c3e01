import { describe, expect, it } from "bun:test";
import type { Sample } from "../../../shared/agents/report";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import {
  countSamples,
  enrollAgent,
  readAgentState,
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
    expect((await readAgentState(app, id)).status).toBe("connecting");
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
