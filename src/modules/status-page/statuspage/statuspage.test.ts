import { expect, it } from "bun:test";
import { MINUTE } from "../../../shared/limits";
import { COMPONENT_STATUSES } from "../../../shared/status/components";
import { enrollAgent, sampleAt } from "../../../testing/fixtures/agents";
import { addMonitor, record } from "../../../testing/fixtures/monitors";
import { publish } from "../../../testing/fixtures/status-page";
import { startTestServer } from "../../../testing/servers/hub";
import { judge } from "../pages/measured";
import type { StatuspageComponent, StatuspageMaintenance } from "./shapes";

/** Checks an answer as strict clients do: each field is there, has its type, and no id is there twice. */
const assertShape = (document: Record<string, unknown>) => {
  const ids: string[] = [];
  const isTime = (value: unknown) => typeof value === "string" && new Date(value).toISOString() === value;
  const fields = (value: object, names: string) => expect(Object.keys(value).toSorted().join(" ")).toBe(names);
  const page = document.page as Record<string, string>;
  fields(page, "id name time_zone updated_at url");
  expect([isTime(page.updated_at), page.id]).toEqual([true, expect.stringMatching(/^[a-z]{12}$/)]);
  const component = ({ components, ...one }: StatuspageComponent) => {
    fields(
      one,
      "created_at description group group_id id name only_show_if_degraded page_id position showcase start_date status updated_at",
    );
    expect(one.id).toMatch(/^[a-z]{12}$/);
    expect(COMPONENT_STATUSES).toContain(one.status);
    expect([isTime(one.created_at), isTime(one.updated_at), one.page_id]).toEqual([true, true, page.id ?? ""]);
    expect(components === undefined).toBe(!one.group);
    expect(one.name).not.toBe("");
  };
  const listed = (document.components ?? []) as StatuspageComponent[];
  for (const one of listed) {
    component(one);
    ids.push(one.id);
    if (one.group_id !== null) expect(listed.find(({ id }) => id === one.group_id)?.components).toContain(one.id);
  }
  for (const one of (document.scheduled_maintenances ?? []) as StatuspageMaintenance[]) {
    fields(
      one,
      "components created_at id impact incident_updates monitoring_at name page_id resolved_at scheduled_for scheduled_until shortlink started_at status updated_at",
    );
    for (const time of [one.scheduled_for, one.scheduled_until, one.created_at, one.updated_at, one.started_at])
      expect([time, isTime(time)]).toEqual([time, true]);
    expect(["scheduled", "in_progress", "verifying", "completed"]).toContain(one.status);
    expect(one.incident_updates.length).toBeGreaterThan(0);
    for (const update of one.incident_updates)
      expect([update.incident_id, isTime(update.created_at)]).toEqual([one.id, true]);
    one.components.forEach(component);
    ids.push(one.id);
  }
  expect(new Set(ids).size).toBe(ids.length);
  if (document.status) {
    fields(document.status, "description indicator");
    const { indicator } = document.status as { indicator: string };
    expect(["none", "minor", "major", "critical", "maintenance"]).toContain(indicator);
  }
};

const setUp = async () => {
  const app = await startTestServer({ PUBLIC_URL: "https://watch.example.com" });
  const people = await app.people();
  const read = async (path: string) => {
    // The answers are at most five seconds old.
    await app.clock.advance(6000);
    const { status, headers, text } = await app.call(path, { headers: { host: "watch.example.com" } });
    expect([path, status, headers.get("access-control-allow-origin")]).toEqual([path, 200, "*"]);
    const document = JSON.parse(text);
    assertShape(document);
    return document;
  };
  const add = async (name: string, up: boolean | null) => {
    const id = await addMonitor(app, people.alice, { name, url: "http://192.0.2.1/", active: up !== null });
    if (up !== null) await record(app, id, [{ at: app.clock.now(), up }]);
    return id;
  };
  return { app, read, add, ...people };
};

it("a page answers in Statuspage's form, with groups, stable ids and the worst status", async () => {
  const { app, read, add, alice } = await setUp();
  const [good, bad, paused] = [await add("Good", true), await add("Bad", false), await add("Paused", null)];
  const { id: server, report } = await enrollAgent(app, alice, { machine_id: "db", name: "db" });
  await report([sampleAt(app.clock.now())]);
  await publish(app, alice, {
    title: "Acme",
    monitors: [good, paused],
    agents: [server],
    groups: [{ name: "Shop", monitors: [good] }],
  });
  const summary = await read("/status/api/v2/summary.json");
  expect(Object.keys(summary)).toEqual(["page", "components", "incidents", "scheduled_maintenances", "status"]);
  expect(summary.page).toMatchObject({ name: "Acme", url: "https://watch.example.com/status", time_zone: "Etc/UTC" });
  expect(summary.status).toEqual({ indicator: "none", description: "All Systems Operational" });
  const shown = (components: StatuspageComponent[]) =>
    components.map(({ name, status, group, position }) => [name, status, group, position]);
  expect(shown(summary.components)).toEqual([
    ["Shop", "operational", true, 1],
    ["Good", "operational", false, 1],
    ["Paused", "operational", false, 2],
    ["db", "operational", false, 3],
  ]);
  const [{ id = 0 } = {}] = (await app.as(alice).get("/api/pages")).body.pages;
  await app.as(alice).put(`/api/pages/${id}`, {
    zone: "Europe/Berlin",
    components: [
      { name: "Checkout", group: "Shop", monitors: [good, bad] },
      { name: "Search", monitors: [good, bad], mode: "any" },
      { name: "Phone", fixed_status: "degraded_performance", description: "By hand" },
    ],
  });
  const after = await read("/status/api/v2/summary.json");
  expect(after.page.time_zone).toBe("Europe/Berlin");
  expect(shown(after.components)).toEqual([
    ["Shop", "partial_outage", true, 1],
    ["Good", "operational", false, 1],
    ["Checkout", "partial_outage", false, 2],
    ["Paused", "operational", false, 2],
    ["db", "operational", false, 3],
    ["Search", "operational", false, 4],
    ["Phone", "degraded_performance", false, 5],
  ]);
  expect(after.status).toEqual({ indicator: "major", description: "Partial System Outage" });
  const ids = (list: StatuspageComponent[]) => new Map(list.map(({ name, id }) => [name, id]));
  for (const [name, id] of ids(summary.components)) expect([name, ids(after.components).get(name)]).toEqual([name, id]);
});

it("every document of a page has the shape that strict clients read, under each address of the page", async () => {
  const { app, read, add, alice } = await setUp();
  await publish(app, alice, { title: "Acme", monitors: [await add("Bad", false)] });
  const documents: [name: string, fields: string][] = [
    ["summary", "page components incidents scheduled_maintenances status"],
    ["status", "page status"],
    ["components", "page components"],
    ["incidents", "page incidents"],
    ["incidents/unresolved", "page incidents"],
    ["scheduled-maintenances", "page scheduled_maintenances"],
    ["scheduled-maintenances/upcoming", "page scheduled_maintenances"],
    ["scheduled-maintenances/active", "page scheduled_maintenances"],
  ];
  for (const [name, fields] of documents)
    for (const page of ["", "/alice", "/ALICE"]) {
      const document = await read(`/status${page}/api/v2/${name}.json`);
      expect([name, Object.keys(document).join(" ")]).toEqual([name, fields]);
    }
  expect((await read("/status/api/v2/status.json")).status).toEqual({
    indicator: "critical",
    description: "Major Service Outage",
  });
  for (const path of [
    "/status/missing/api/v2/summary.json",
    "/status/api/v2/nothing.json",
    "/status/api/v2/toString.json",
    "/status/%ff/api/v2/summary.json",
  ]) {
    const { status } = await app.call(path, { headers: { host: "watch.example.com" } });
    expect([path, status]).toEqual([path, 404]);
  }
});

it("a page asks search engines not to list it, if its owner wishes so", async () => {
  const { app, alice } = await setUp();
  await app.as(alice).post("/api/pages", { slug: "shop", title: "Shop" });
  const { id } = (await app.as(alice).post("/api/pages", { slug: "inner", title: "Inner", noindex: true })).body.page;
  const robots = async (slug: string) =>
    (await app.call(`/status/${slug}`, { headers: { host: "watch.example.com" } })).headers.get("x-robots-tag");
  expect([await robots("shop"), await robots("inner")]).toEqual([null, "noindex"]);
  await app.as(alice).put(`/api/pages/${id}`, { noindex: false });
  expect(await robots("inner")).toBe(null);
});

it("a page that is not saved has no documents", async () => {
  const { app } = await setUp();
  expect((await app.call("/status/api/v2/summary.json", { headers: { host: "watch.example.com" } })).status).toBe(404);
});

it("maintenance of a page's components is scheduled, then in progress, then completed", async () => {
  const { app, read, add, alice, bob } = await setUp();
  const [bad, good] = [await add("Bad", false), await add("Good", true)];
  await publish(app, alice, { title: "Acme", monitors: [bad, good] });
  const now = app.clock.now();
  const at = (minutes: number) => new Date(now + minutes * MINUTE).toISOString();
  const schedule = { kind: "once", from: at(30), to: at(60) };
  await app.as(alice).post("/api/windows", { title: "Upgrade", monitors: [bad], schedule });
  await app.as(bob).post("/api/windows", { title: "Bob's", all: true, schedule });
  const later = { kind: "once", from: at(90), to: at(120) };
  await app.as(alice).post("/api/windows", { title: "", monitors: [good], schedule: later });
  const maintenances = async (name = "") =>
    (await read(`/status/api/v2/scheduled-maintenances${name}.json`)).scheduled_maintenances as StatuspageMaintenance[];
  const shown = async (name?: string) => (await maintenances(name)).map((one) => [one.name, one.status]);
  expect(await shown("/upcoming")).toContainEqual(["Upgrade", "scheduled"]);
  const [{ id, components } = { id: "", components: [] }] = (await maintenances()).filter(
    (one) => one.name === "Upgrade",
  );
  expect(components.map(({ name, status }) => [name, status])).toEqual([["Bad", "major_outage"]]);
  await app.clock.advance(40 * MINUTE);
  expect([await shown("/active"), (await maintenances("/active"))[0]?.id]).toEqual([[["Upgrade", "in_progress"]], id]);
  const summary = await read("/status/api/v2/summary.json");
  expect(summary.components.map(({ name, status }: StatuspageComponent) => [name, status])).toEqual([
    ["Bad", "under_maintenance"],
    ["Good", "operational"],
  ]);
  expect(summary.status.indicator).toBe("maintenance");
  await app.clock.advance(30 * MINUTE);
  const [completed] = (await maintenances()).filter((one) => one.name === "Upgrade");
  expect([completed?.status, completed?.resolved_at, completed?.id]).toEqual(["completed", at(60), id]);
  expect((await maintenances()).map(({ name }) => name)).not.toContain("Bob's");
});

it("the status of a component follows from the states of its targets and its mode", () => {
  const cases: [mode: "any" | "all" | "at_least", n: number, states: (string | null)[], status: string][] = [
    ["all", 1, ["good", "good"], "operational"],
    ["all", 1, ["good", "slow"], "degraded_performance"],
    ["all", 1, ["good", "bad"], "partial_outage"],
    ["all", 1, ["bad", "bad"], "major_outage"],
    ["all", 1, [null, "good"], "operational"],
    ["all", 1, [null, "bad"], "major_outage"],
    ["all", 1, [null], "operational"],
    ["all", 1, [], "operational"],
    ["any", 1, ["good", "bad"], "operational"],
    ["any", 1, ["slow", "bad"], "degraded_performance"],
    ["any", 1, ["bad", "bad"], "major_outage"],
    ["at_least", 2, ["good", "good", "bad"], "operational"],
    ["at_least", 2, ["good", "slow", "bad"], "degraded_performance"],
    ["at_least", 2, ["good", "bad", "bad"], "partial_outage"],
    ["at_least", 2, ["bad", "bad", "bad"], "major_outage"],
    // Of targets that count there may be fewer than are needed.
    ["at_least", 3, ["good", null, null], "operational"],
  ];
  for (const [mode, n, states, status] of cases)
    expect([mode, n, states, judge({ mode, n }, states as never)]).toEqual([mode, n, states, status]);
});
