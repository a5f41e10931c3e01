import { describe, expect, it } from "bun:test";
import { HOUR } from "../../shared/limits";
import { createTestApp } from "../../testing/app";
import type { Client } from "../../testing/client";
import { START } from "../../testing/clock";
import { enrollAgent, sampleAt, writeReports } from "../../testing/fixtures/agents";
import { markOfflineServers } from "./ingest/offline";

/** Bob's agents, one of each status and one more, and one of charlie's. */
const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  const inactive = await enrollAgent(app, bob, { name: "Backup", hostname: "bak-1", ip_addresses: ["192.168.7.9"] });
  await inactive.report([sampleAt(START)], { hostname: "bak-1", ip_addresses: ["192.168.7.9"] });
  app.clock.set(START + HOUR);
  await markOfflineServers(app.deps);
  const active = await enrollAgent(app, bob, { name: "Database" });
  await active.report([sampleAt(START + HOUR)]);
  const connecting = await enrollAgent(app, bob, { name: "100%_sure\\", hostname: "new-1", ip_addresses: [] });
  const other = await enrollAgent(app, charlie, { name: "Charlie's", hostname: "secret-1" });
  const list = async (query = "") => (await app.as(bob).get(`/api/agents${query}`)).body;
  const names = async (query: string) => (await list(query)).agents.map(({ name }) => name);
  return { app, alice, bob, charlie, list, names, ids: { inactive, active, connecting, other } };
};

it("lists agents in the order of enrollment, with their total and the number by status", async () => {
  const { list } = await setUp();
  const { success, total, counts, agents } = await list();
  expect([success, total]).toEqual([true, 3]);
  expect(agents.map(({ name, status }) => [name, status])).toEqual([
    ["Backup", "inactive"],
    ["Database", "active"],
    ["100%_sure\\", "connecting"],
  ]);
  expect(counts).toEqual({ all: 3, active: 1, inactive: 1, connecting: 1, alerts: 0 } as typeof counts);
});

it("the list filters by status, and counts the agents of every status", async () => {
  const { names, list, app, bob } = await setUp();
  expect(await names("?status=active")).toEqual(["Database"]);
  expect(await names("?status=inactive")).toEqual(["Backup"]);
  expect(await names("?status=connecting")).toEqual(["100%_sure\\"]);
  expect((await list("?status=active")).counts.all).toBe(3);
  const { status, body } = await app.as(bob).get("/api/agents?status=up");
  expect([status, body.errors.map(({ path }) => path)]).toEqual([422, ["status"]]);
});

it("the list searches names, host names and addresses without regard to case, and escapes wildcards", async () => {
  const { names } = await setUp();
  const search = (text: string) => names(`?search=${encodeURIComponent(text)}`);
  expect(await search("DATA")).toEqual(["Database"]);
  expect(await search(" bak-1 ")).toEqual(["Backup"]);
  expect(await search("168.7")).toEqual(["Backup"]);
  expect(await search("fd00::5")).toEqual(["Database"]);
  expect(await search("")).toHaveLength(3);
  for (const text of ["100%", "%_s", "sure\\"]) expect([text, await search(text)]).toEqual([text, ["100%_sure\\"]]);
  for (const text of ["D_ta", "D%e", "'", '"', "[", "]", ", ", "secret", "Charlie"])
    expect([text, await search(text)]).toEqual([text, []]);
});

it("answers a page, and the total of all pages", async () => {
  const { list } = await setUp();
  const page = async (query: string) => {
    const { total, agents } = await list(query);
    return [total, agents.map(({ name }) => name)];
  };
  expect(await page("?limit=1")).toEqual([3, ["Backup"]]);
  expect(await page("?limit=1&offset=1")).toEqual([3, ["Database"]]);
  expect(await page("?offset=2")).toEqual([3, ["100%_sure\\"]]);
  expect(await page("?offset=9")).toEqual([3, []]);
  expect(await page("?search=ba&limit=1")).toEqual([2, ["Backup"]]);
});

describe("another user's agent", () => {
  const calls = (client: Client, id: number) => [
    client.get(`/api/agents/${id}`),
    client.get(`/api/agents/${id}/metrics`),
    client.get(`/api/agents/${id}/metrics?range=1y`),
    client.put(`/api/agents/${id}`, { name: "taken over" }),
    client.delete(`/api/agents/${id}`),
  ];

  it("is answered like one that does not exist", async () => {
    const { app, bob, charlie, ids } = await setUp();
    const theirs = await Promise.all(calls(app.as(charlie), ids.active.id));
    const nothing = await Promise.all(calls(app.as(charlie), 999_999));
    for (const { status, body } of theirs) expect([status, body.code]).toEqual([404, "not_found"]);
    expect(theirs.map(({ text }) => text)).toEqual(nothing.map(({ text }) => text));
    const { total, counts } = (await app.as(charlie).get("/api/agents")).body;
    expect([total, counts.all]).toEqual([1, 1]);
    expect((await app.as(charlie).get("/api/dashboard")).text).not.toInclude("Database");
    expect((await app.as(bob).get(`/api/agents/${ids.active.id}`)).body.agent.name).toBe("Database");
  });

  it("is read and changed by administrators, and keeps its owner", async () => {
    const { app, alice, bob, ids } = await setUp();
    expect((await app.as(alice).get("/api/agents")).body).toMatchObject({
      total: 4,
      counts: { all: 4, connecting: 2 },
    });
    const path = `/api/agents/${ids.active.id}`;
    for (const seen of [path, `${path}/metrics`]) expect((await app.as(alice).get(seen)).status).toBe(200);
    expect((await app.as(alice).put(path, { name: "taken over" })).status).toBe(200);
    expect((await app.as(bob).get(`/api/agents/${ids.active.id}`)).body.agent.name).toBe("taken over");
    expect((await app.as(alice).delete(`/api/agents/${ids.active.id}`)).status).toBe(200);
    expect((await app.as(bob).get("/api/agents")).body.total).toBe(2);
  });

  it("and one's own require a session or key", async () => {
    const { app, ids } = await setUp();
    for (const path of ["/api/agents", `/api/agents/${ids.active.id}`, `/api/agents/${ids.active.id}/metrics`])
      expect((await app.anybody.get(path)).status).toBe(401);
    expect((await app.anybody.delete(`/api/agents/${ids.active.id}`)).status).toBe(401);
  });
});

it("a server keeps its new name after later reports", async () => {
  const { app, bob, ids } = await setUp();
  const rename = async (name: unknown) => await app.as(bob).put(`/api/agents/${ids.active.id}`, { name });
  const { status, body } = await rename("  Größe 中文  ");
  expect([status, body.success, body.agent.name]).toEqual([200, true, "Größe 中文"]);
  await ids.active.report([sampleAt(START + HOUR + 1)], { hostname: "other-name" });
  const { agent } = (await app.as(bob).get(`/api/agents/${ids.active.id}`)).body;
  expect([agent.name, agent.hostname]).toEqual(["Größe 中文", "other-name"]);
  for (const name of ["", "   ", "x".repeat(256), null, 5, undefined]) {
    const answer = await rename(name);
    expect([name, answer.status, answer.body.errors.map(({ path }) => path)]).toEqual([name, 422, ["name"]]);
  }
  expect((await app.as(bob).get(`/api/agents/${ids.active.id}`)).body.agent.name).toBe("Größe 中文");
});

it("an id that is not a number is answered invalid_id", async () => {
  const { app, bob } = await setUp();
  for (const id of ["x", "1.5", "0", "-1", "1e99"]) {
    for (const path of [`/api/agents/${id}`, `/api/agents/${id}/metrics`]) {
      const { status, body } = await app.as(bob).get(path);
      expect([path, status, body.code]).toEqual([path, 422, "invalid_id"]);
    }
  }
});

it("only an administrator gets the owner's name, and only for other users' servers", async () => {
  const { app, alice, bob, ids } = await setUp();
  const own = await enrollAgent(app, alice, { name: "Own" });
  const { agents } = (await app.as(alice).get("/api/agents")).body;
  expect(agents.map(({ owner }) => owner)).toEqual(["bob", "bob", "bob", "charlie", undefined]);
  const { active } = ids;
  const named = [
    await app.as(alice).get(`/api/agents/${active.id}`),
    await app.as(alice).put(`/api/agents/${active.id}`, { name: "Renamed" }),
  ];
  expect(named.map(({ body }) => body.agent.owner)).toEqual(["bob", "bob"]);
  const unnamed = [
    await app.as(alice).get(`/api/agents/${own.id}`),
    await app.as(alice).get("/api/agents?mine=1"),
    await app.as(bob).get("/api/agents"),
    await app.as(bob).get(`/api/agents/${active.id}`),
    await app.as(bob).get("/api/dashboard"),
  ];
  expect(unnamed.map(({ status, text }) => [status, text.includes('"owner"')])).toEqual(
    unnamed.map(() => [200, false]),
  );
});

it("the list sorts agents in both directions, with those without a value last and then by name", async () => {
  const { names, app, bob } = await setUp();
  expect(await names("?sort=name")).toEqual(["100%_sure\\", "Backup", "Database"]);
  expect(await names("?sort=name&order=desc")).toEqual(["Database", "Backup", "100%_sure\\"]);
  expect(await names("?sort=status")).toEqual(["Backup", "100%_sure\\", "Database"]);
  expect(await names("?sort=reported")).toEqual(["Backup", "Database", "100%_sure\\"]);
  expect(await names("?sort=reported&order=desc")).toEqual(["Database", "Backup", "100%_sure\\"]);
  expect(await names("?order=desc")).toEqual(["100%_sure\\", "Database", "Backup"]);
  expect((await names("?sort=memory")).at(-1)).toBe("100%_sure\\");
  for (const query of ["sort=colour", "order=up", "offset=-1"])
    expect((await app.as(bob).get(`/api/agents?${query}`)).status).toBe(422);
});

it("the list sorts agents by the shares of memory and disk in use, and by CPU usage", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const half = { total: 100, used: 50 };
  for (const [name, cpu, memory, disk] of [
    ["small", 20, { total: 10, used: 9 }, half],
    ["large", 80, { total: 1000, used: 100 }, { total: 10, used: 6 }],
    ["none", null, half, { total: 0, used: 0 }],
  ] as const) {
    const agent = await enrollAgent(app, bob, { name });
    await agent.report([sampleAt(START, { cpu, memory, disk })]);
  }
  const names = async (query: string) =>
    (await app.as(bob).get(`/api/agents?${query}`)).body.agents.map(({ name }) => name);
  expect(await names("sort=cpu&order=desc")).toEqual(["large", "small", "none"]);
  expect(await names("sort=cpu")).toEqual(["small", "large", "none"]);
  expect(await names("sort=memory&order=desc")).toEqual(["small", "none", "large"]);
  expect(await names("sort=disk&order=desc")).toEqual(["large", "small", "none"]);
});

it("the list searches the operating system", async () => {
  const { names } = await setUp();
  expect((await names("?search=no-such-system")).length).toBe(0);
  expect((await names("?search=DEBIAN")).length).toBeGreaterThan(0);
});

it("the list sorts agents by network, load, host, system and start", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  for (const [name, rx, load, hostname, os, boot_time] of [
    ["a", 3, 0.5, "Web", "Ubuntu", "2026-01-01T08:00:00+02:00"],
    ["b", 20, 12, "db", "debian", "2026-01-01T07:00:00Z"],
    ["c", 1, 2, "app", "Arch", undefined],
  ] as const) {
    const agent = await enrollAgent(app, bob, { name });
    const sample = { network: { rx, tx: 0 }, load: [load, 1, 1] as [number, number, number] };
    await agent.report([sampleAt(START, { ...sample, ...(boot_time && { boot_time }) })], { hostname, os });
  }
  await enrollAgent(app, bob, { name: "none", hostname: "zz", os: "" });
  await writeReports(app);
  const names = async (query: string) =>
    (await app.as(bob).get(`/api/agents?${query}`)).body.agents.map(({ name }) => name).join(" ");
  expect(await names("sort=network&order=desc")).toBe("b a c none");
  expect(await names("sort=load&order=desc")).toBe("b c a none");
  expect(await names("sort=hostname")).toBe("c b a none");
  expect(await names("sort=os")).toBe("c b a none");
  expect(await names("sort=uptime")).toBe("b a c none");
  expect(await names("sort=uptime&order=desc")).toBe("a b c none");
});

it("a listed agent has its load, its start and the version of its program", async () => {
  const { list, ids } = await setUp();
  const sample = { load: [0.4, 0.3, 0.2] as [number, number, number], boot_time: "2026-01-01T08:00:00Z" };
  await ids.active.report([sampleAt(START + HOUR + 1000, sample)], { agent_version: "1.4.2" });
  const [backup, database] = (await list()).agents;
  expect(backup).toMatchObject({ load_average: null, boot_time: null, agent_version: null });
  expect(database).toMatchObject({
    load_average: [0.4, 0.3, 0.2],
    boot_time: "2026-01-01T08:00:00.000Z",
    agent_version: "1.4.2",
  });
});

it("a listed agent has the number of its open outages", async () => {
  const { list, ids, app } = await setUp();
  const failed = async (failed_units: string[]) => {
    await app.clock.advance(60_000);
    await ids.active.report([sampleAt(app.clock.now())], { failed_units });
  };
  const counts = async () => Object.fromEntries((await list()).agents.map((agent) => [agent.name, agent.open_outages]));
  expect(await counts()).toEqual({ Backup: 1, Database: 0, "100%_sure\\": 0 });
  await failed([]);
  await failed(["backup.service", "certbot.service"]);
  expect(await counts()).toMatchObject({ Database: 2 });
  await failed(["certbot.service"]);
  expect(await counts()).toMatchObject({ Database: 1 });
});

it("the list selects online agents with open outages, counts them, and has them after the offline ones", async () => {
  const { list, names, ids, app, bob } = await setUp();
  const other = await enrollAgent(app, bob, { name: "Another" });
  await other.report([sampleAt(app.clock.now())]);
  expect(await names("?sort=status")).toEqual(["Backup", "100%_sure\\", "Another", "Database"]);
  for (const failed_units of [[], ["backup.service"]]) {
    await app.clock.advance(60_000);
    await ids.active.report([sampleAt(app.clock.now())], { failed_units });
  }
  expect(await names("?sort=status")).toEqual(["Backup", "Database", "100%_sure\\", "Another"]);
  expect(await names("?sort=status&order=desc")).toEqual(["Another", "100%_sure\\", "Database", "Backup"]);
  expect(await names("?status=alerts")).toEqual(["Database"]);
  expect((await list("?status=alerts")).counts).toMatchObject({ active: 2, inactive: 1, alerts: 1 });
});

it("an agent's detail has the thresholds of its owner's rules, and null where the owner is not alerted", async () => {
  const { app, alice, bob, ids } = await setUp();
  const thresholds = async (user = bob) =>
    (await app.as(user).get(`/api/agents/${ids.active.id}`)).body.agent.thresholds;
  expect(await thresholds()).toEqual({ cpu: null, memory: null, disk: null });
  const rule = { enabled: true, on_cpu_threshold: true, cpu_threshold: 70, on_memory_threshold: false, channels: "[]" };
  const target = { target_type: "agent", target_id: ids.active.id, override_global: true } as const;
  expect((await app.as(bob).post("/api/notifications/settings", { ...target, ...rule })).status).toBe(200);
  for (const user of [bob, alice]) expect(await thresholds(user)).toMatchObject({ cpu: 70, memory: null });
});

it("an agent's detail has the thresholds that its owner set and that count for it, also for administrators", async () => {
  const { app, alice, bob, ids } = await setUp();
  const { id } = ids.active;
  const add = (body: object) =>
    app.as(bob).post("/api/thresholds", { scope: "all", metric: "disk", threshold: 90, minutes: 5, ...body });
  await add({});
  await add({ scope: "agent", agent_id: id, subject: "/var", threshold: 80 });
  await add({ scope: "agent", agent_id: ids.connecting.id, metric: "cpu" });
  for (const user of [bob, alice])
    expect((await app.as(user).get(`/api/agents/${id}`)).body.agent.own_thresholds).toEqual([
      { metric: "disk", subject: "/var", threshold: 80 },
      { metric: "disk", subject: null, threshold: 90 },
    ]);
});
