import { expect, it } from "bun:test";
import type { Report, Sample } from "../../../../shared/agents/report";
import { MINUTE } from "../../../../shared/limits";
import { createTestApp } from "../../../../testing/app";
import { enrollAgent, sampleAt } from "../../../../testing/fixtures/agents";
import { readEvents, saveRule } from "../../../../testing/fixtures/alerts";

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const agent = await enrollAgent(app, bob);
  const play = async (figures: Partial<Sample>, facts: Partial<Report> = {}, count = 1) => {
    for (let sent = 0; sent < count; sent++) {
      await app.clock.advance(MINUTE);
      expect((await agent.report([sampleAt(app.clock.now(), figures)], facts)).status).toBe(200);
    }
    return (await readEvents(app)).map(({ kind, subject, mount, threshold }) =>
      [kind, subject, mount, threshold].filter((one) => one !== null && one !== "").join(" "),
    );
  };
  const open = async () => {
    const { body } = await app.as(bob).get(`/api/outages?target=agent:${agent.id}&open=1`);
    return body.outages.map(({ kind, subject, facts }) => ({ kind, subject, facts }));
  };
  const threshold = async (body: object) =>
    (await app.as(bob).post("/api/thresholds", { scope: "all", minutes: 0, ...body })).body.threshold.id;
  return { app, bob, agent, play, open, threshold };
};

const disk = (mount: string, used: number) => ({ mount, total: 100, used });

it("a threshold of a user replaces that of the notification rule: for disks, only for the mounts that it is about", async () => {
  const { app, bob, play, threshold } = await setUp();
  const all = { on_cpu_threshold: true, cpu_threshold: 50, on_disk_threshold: true, disk_threshold: 80 };
  await saveRule(app, bob, { target_type: "global-agent", ...all });
  await threshold({ metric: "cpu", threshold: 95 });
  await threshold({ metric: "disk", subject: "/backup", threshold: 98 });
  const figures = { cpu: 70, disks: [disk("/", 85), disk("/backup", 97)] };
  expect(await play(figures, {}, 3)).toEqual(["disk_high / 80"]);
  expect(await play({ cpu: 96, disks: [disk("/", 10), disk("/backup", 99)] }, {}, 3)).toEqual([
    "disk_high / 80",
    "cpu_high 95",
    "disk_high /backup /backup 98",
    "disk_normal / 80",
  ]);
});

it("the page of a server names figure and threshold of what is too high now, and of nothing that ended", async () => {
  const { app, bob, agent, play, threshold } = await setUp();
  await threshold({ metric: "disk", subject: "/backup", threshold: 80 });
  await threshold({ metric: "temperature", threshold: 60 });
  const figures = (percent: number, celsius: number) => ({
    disks: [disk("/backup", percent)],
    temperatures: [{ sensor: "cpu", celsius }],
  });
  await play(figures(85, 71.5));
  const shown = async () =>
    (await app.as(bob).get(`/api/agents/${agent.id}`)).body.agent.outages.map((one) => [
      one.kind,
      one.figure,
      one.threshold,
    ]);
  expect((await shown()).sort()).toEqual([
    ["disk", 85, 80],
    ["temperature", 71.5, 60],
  ]);
  await play(figures(10, 71.5));
  expect((await shown()).sort()).toEqual([
    ["disk", null, null],
    ["temperature", 71.5, 60],
  ]);
});

it("an alert of the notification rule ends without a message when a threshold of a user takes its place", async () => {
  const { app, bob, play, open, threshold } = await setUp();
  await saveRule(app, bob, { target_type: "global-agent", on_cpu_threshold: true, cpu_threshold: 50 });
  expect(await play({ cpu: 90 }, {}, 2)).toEqual(["cpu_high 50"]);
  const id = await threshold({ metric: "cpu", threshold: 95 });
  expect([await play({ cpu: 90 }), await open()]).toEqual([["cpu_high 50"], []]);
  await app.as(bob).put(`/api/thresholds/${id}`, { scope: "all", metric: "cpu", threshold: 80, minutes: 0 });
  expect(await play({ cpu: 90 })).toEqual(["cpu_high 50", "cpu_high 80"]);
  await app.as(bob).delete(`/api/thresholds/${id}`);
  expect([await play({ cpu: 90 }), await open()]).toEqual([["cpu_high 50", "cpu_high 80"], []]);
});

it("the programs that used the most are stored when a figure becomes too high, by either kind of threshold", async () => {
  const { app, bob, play, open, threshold } = await setUp();
  const processes = { cpu: [{ name: "ffmpeg", value: 61 }], memory: [{ name: "postgres", value: 1e9 }] };
  await saveRule(app, bob, { target_type: "global-agent", on_memory_threshold: true, memory_threshold: 20 });
  await threshold({ metric: "load", threshold: 1 });
  await threshold({ metric: "disk", threshold: 10 });
  await play({ load: [8, 1, 1], disks: [disk("/", 50)] }, { processors: 4, processes }, 2);
  expect((await open()).toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toEqual([
    { kind: "disk", subject: "/", facts: null },
    { kind: "load", subject: null, facts: { processes } },
    { kind: "memory", subject: null, facts: { processes } },
  ]);
});

it("parts of a server that do not work have outages of their own, and a narrow report changes nothing of them", async () => {
  const { play, open } = await setUp();
  const web = (state: string) => [{ name: "web", image: "nginx", state }];
  await play({}, { containers: web("running"), failed_units: [] });
  await play({}, { containers: web("exited"), failed_units: ["cron.service", "ssh.service"] });
  expect((await open()).map(({ kind, subject }) => `${kind} ${subject}`).toSorted()).toEqual([
    "container web",
    "service cron.service",
    "service ssh.service",
  ]);
  await play({});
  expect(await open()).toHaveLength(3);
  const events = await play({}, { containers: web("running"), failed_units: ["ssh.service"] });
  expect(events).toEqual([
    "container_failed web",
    "service_failed cron.service",
    "service_failed ssh.service",
    "container_recovered web",
    "service_recovered cron.service",
  ]);
  expect((await open()).map(({ subject }) => subject)).toEqual(["ssh.service"]);
});

it("a container that stopped while its engine did not answer has an outage after it, also with reports in the journal", async () => {
  const { play, open } = await setUp();
  const web = (state: string) => [{ name: "web", image: "nginx", state }];
  await play({}, { containers: web("running"), failed_units: [] }, 3);
  await play({}, { failed_units: [] }, 5);
  expect(await play({}, { containers: web("exited"), failed_units: [] })).toEqual(["container_failed web"]);
  expect(await open()).toEqual([{ kind: "container", subject: "web", facts: { state: "exited" } }]);
});

it("two machines that report in turn with one key are an outage that names them, and a restart is none", async () => {
  const { app, bob, agent, play, open } = await setUp();
  const traffic = (boot: string, bytes: number) => ({
    traffic: { boot, interfaces: { eth0: [bytes, 0] as [number, number] } },
  });
  await play(traffic("a", 100), { hostname: "web-1" });
  await play(traffic("b", 200), { hostname: "web-1" }, 2);
  expect(await play(traffic("c", 300), { hostname: "web-2" }, 3)).toEqual([]);
  const clone = { hostname: "web-2", ip_addresses: ["10.0.0.6"] };
  for (const bytes of [400, 500]) {
    await play(traffic("d", bytes), clone);
    await play(traffic("c", bytes), { hostname: "web-2" });
  }
  const machines = ["web-2 (10.0.0.5)", "web-2 (10.0.0.6)"];
  expect(await open()).toEqual([{ kind: "shared_key", subject: null, facts: { machines } }]);
  expect((await app.as(bob).get(`/api/agents/${agent.id}/traffic`)).body.days.map(({ rx }) => rx)).toEqual([
    200 + 300 + 400 + 100 + 200,
  ]);
  expect(await play(traffic("c", 600), { hostname: "web-2" }, 62)).toEqual(["key_shared", "key_unshared"]);
  expect(await open()).toEqual([]);
});

it("two machines without traffic counters are told apart by their names", async () => {
  const { play, open } = await setUp();
  for (let round = 0; round < 3; round++) for (const hostname of ["db-1", "db-1-copy"]) await play({}, { hostname });
  expect(await open()).toEqual([{ kind: "shared_key", subject: null, facts: { machines: ["db-1", "db-1-copy"] } }]);
});
