import { expect, it } from "bun:test";
import { asc, eq } from "drizzle-orm";
import { pageComponents } from "../../../db/schema";
import { createTestApp, type TestApp } from "../../../testing/app";
import { call } from "../../../testing/client";
import { enrollAgent } from "../../../testing/fixtures/agents";
import { addMonitor, record } from "../../../testing/fixtures/monitors";
import { addMember, type TestUser } from "../../../testing/fixtures/people";
import { publish, readStatusConfig, readStatusData } from "../../../testing/fixtures/status-page";

const setUp = async () => {
  const app = await createTestApp();
  const people = await app.people();
  const add = (owner: TestUser, name: string) =>
    addMonitor(app, owner, { name, url: "http://192.0.2.1/", active: false });
  return { app, add, ...people };
};

const create = async (app: TestApp, owner: TestUser, page: object) => {
  const { status, body, text } = await app.as(owner).post("/api/pages", page);
  if (status !== 201) throw new Error(`the page was not created: ${status} ${text}`);
  return body.page;
};

const read = async (app: TestApp, owner: TestUser, id: number) =>
  (await app.as(owner).get(`/api/pages/${id}`)).body.page;

it("a team has several pages, and the first one stays the page of the settings screen", async () => {
  const { app, alice, bob } = await setUp();
  await publish(app, alice, { title: "First" });
  await publish(app, bob, { title: "Bob's" });
  const shop = await create(app, alice, { slug: " Shop ", title: "Shop", noindex: true });
  expect(shop).toMatchObject({ slug: "shop", path: "/status/shop", first: false, noindex: true });
  const { pages } = (await app.as(alice).get("/api/pages")).body;
  expect(pages.map(({ title, path, first }) => [title, path, first])).toEqual([
    ["First", "/status", true],
    ["Shop", "/status/shop", false],
  ]);
  await publish(app, alice, { title: "Renamed" });
  expect((await readStatusConfig(app, alice)).title).toBe("Renamed");
  expect([(await readStatusData(app)).title, (await readStatusData(app, "shop")).title]).toEqual(["Renamed", "Shop"]);
  // Of the others, the oldest is the first once the first one is deleted.
  expect((await app.as(alice).delete(`/api/pages/${pages[0]?.id}`)).status).toBe(200);
  expect((await readStatusConfig(app, alice)).title).toBe("Shop");
  expect((await readStatusData(app)).title).toBe("Shop");
  expect((await readStatusData(app, "bob")).title).toBe("Bob's");
});

it("a slug is taken once for all teams, and addresses of Wakeful itself always are", async () => {
  const { app, alice, bob } = await setUp();
  await create(app, alice, { slug: "shop" });
  for (const slug of ["shop", "SHOP", "config", "api", "feed", "history", "embed", "style", "subscribe"]) {
    const { status, body } = await app.as(bob).post("/api/pages", { slug });
    expect([slug, status, body.code]).toEqual([slug, 409, "address_taken"]);
  }
  for (const slug of ["", "a b", "a/b", "..", "x".repeat(101)]) {
    const { status, body } = await app.as(bob).post("/api/pages", { slug });
    expect([slug, status, body.code, body.errors?.[0]?.path]).toEqual([slug, 422, "validation", "slug"]);
  }
});

it("users whose names are reserved addresses have pages at other ones", async () => {
  const { app, charlie } = await setUp();
  await app.as(charlie).put(`/api/users/${charlie.id}`, { username: "embed" });
  await publish(app, charlie, { title: "x" });
  expect((await app.as(charlie).get("/api/pages")).body.pages[0]?.slug).toMatch(/^(charlie|embed-2)$/);
});

it("components keep their ids and keys while they are moved and changed, and go with their page", async () => {
  const { app, add, alice } = await setUp();
  const [one, other] = [await add(alice, "One"), await add(alice, "Other")];
  const { id: server } = await enrollAgent(app, alice, { machine_id: "db", name: "db" });
  const page = await create(app, alice, {
    slug: "shop",
    components: [
      { monitors: [one] },
      { name: "Shop", group: "Sales", monitors: [one, other], agents: [server], mode: "at_least", n: 2 },
      { name: "Phone", fixed_status: "partial_outage", show: "none" },
    ],
  });
  expect(page.components).toMatchObject([
    { label: "One", name: null, group: "", monitors: [one], mode: "all", n: 1, show: "bar", listed: false },
    { label: "Shop", group: "Sales", monitors: [one, other], agents: [server], mode: "at_least", n: 2 },
    { label: "Phone", fixed_status: "partial_outage", show: "none", monitors: [], agents: [], tag: null },
  ]);
  for (const { key } of [page, ...page.components]) expect(key).toMatch(/^[a-z]{12}$/);
  const [first, second] = page.components;
  const components = [
    { id: second?.id, name: "Sales", tag: "eu" },
    { id: first?.id, monitors: [one], description: "x" },
  ];
  const changed = (await app.as(alice).put(`/api/pages/${page.id}`, { components })).body.page;
  expect(changed.components.map(({ id, key, label, tag }) => [id, key, label, tag])).toEqual([
    [second?.id ?? 0, second?.key ?? "", "Sales", "eu"],
    [first?.id ?? 0, first?.key ?? "", "One", null],
  ]);
  // Without components, they stay.
  await app.as(alice).put(`/api/pages/${page.id}`, { title: "x" });
  expect((await read(app, alice, page.id)).components.length).toBe(2);
  // A deleted target is no error for the component that had it.
  await app.as(alice).delete(`/api/monitors/${one}`);
  const kept = (await read(app, alice, page.id)).components[1];
  expect(kept?.label).toBe("");
  expect(
    (await app.as(alice).put(`/api/pages/${page.id}`, { components: [{ id: kept?.id, monitors: [one] }] })).status,
  ).toBe(200);
  await app.as(alice).delete(`/api/pages/${page.id}`);
  expect(await app.db.$count(pageComponents)).toBe(0);
});

it("components that are not valid are refused, with those of another team as if they did not exist", async () => {
  const { app, add, alice, bob } = await setUp();
  const [own, foreign] = [await add(alice, "own"), await add(bob, "foreign")];
  const page = await create(app, alice, { slug: "shop" });
  const bobs = await create(app, bob, { slug: "bobs", components: [{ monitors: [foreign] }] });
  const refused = async (component: object) => {
    const { status, body } = await app.as(alice).put(`/api/pages/${page.id}`, { components: [component] });
    return [status, body.errors?.[0]?.message];
  };
  expect(await refused({ monitors: [foreign] })).toEqual([
    422,
    `components.0.monitors.0: there is no monitor ${foreign}`,
  ]);
  expect(await refused({ monitors: [999_999] })).toEqual([422, "components.0.monitors.0: there is no monitor 999999"]);
  expect(await refused({ monitors: [own], id: bobs.components[0]?.id })).toEqual([
    422,
    `components.0.id: the page has no other component ${bobs.components[0]?.id} of its own`,
  ]);
  expect((await refused({ name: "x" }))[1]).toContain("components.0.monitors: expected a monitor");
  expect((await refused({ tag: "eu" }))[1]).toContain("components.0.name: expected a name");
  expect((await refused({ name: "x", monitors: [own], mode: "at_least", n: 2 }))[1]).toContain("expected at most 1");
  expect((await refused({ name: "x", fixed_status: "fine" }))[0]).toBe(422);
  const many = Array.from({ length: 501 }, () => ({ name: "x", fixed_status: "operational" }));
  expect((await app.as(alice).put(`/api/pages/${page.id}`, { components: many })).status).toBe(422);
  expect((await app.as(alice).put(`/api/pages/${page.id}`, { components: many.slice(1) })).status).toBe(200);
  expect((await app.as(bob).get(`/api/pages/${page.id}`)).status).toBe(404);
});

it("a page that was saved by another editor is not overwritten", async () => {
  const { app, alice } = await setUp();
  const page = await create(app, alice, { slug: "shop", title: "Shop" });
  const editor = await addMember(app, alice.teamId, "editor");
  const path = `/api/pages/${page.id}` as const;
  const first = await app
    .as(editor)
    .put(`${path}?team=${alice.teamId}`, { title: "First", updated_at: page.updated_at });
  expect(first.status).toBe(200);
  const second = await app.as(alice).put(path, { title: "Second", updated_at: page.updated_at });
  expect([second.status, second.body.code, second.body.current?.title]).toEqual([409, "rule_changed", "First"]);
  const save = async (version: string) => {
    const headers = {
      "if-match": `"${version}"`,
      authorization: `Bearer ${alice.token}`,
      "content-type": "application/json",
    };
    return (await call(app.send, path, { method: "PUT", headers, body: '{"title":"Second"}' })).status;
  };
  expect([await save(page.updated_at), await save(first.body.page.updated_at)]).toEqual([409, 200]);
});

it("a team has at most 50 pages", async () => {
  const { app, alice } = await setUp();
  for (let number = 0; number < 50; number++) await create(app, alice, { slug: `page-${number}` });
  const { status, body } = await app.as(alice).post("/api/pages", { slug: "more" });
  expect([status, body.code]).toEqual([409, "too_many_pages"]);
});

it("what the lists of a page name has a component each, which keeps its key while it is listed", async () => {
  const { app, add, alice } = await setUp();
  const [one, other] = [await add(alice, "One"), await add(alice, "Other")];
  const groups = [
    { name: "Shop", monitors: [other] },
    { name: "Databases", tag: "db" },
  ];
  await publish(app, alice, { monitors: [one, other], groups });
  const [{ id = 0 } = {}] = (await app.as(alice).get("/api/pages")).body.pages;
  const before = (await read(app, alice, id)).components;
  expect(before.map(({ label, group, listed, tag }) => [label, group, listed, tag])).toEqual([
    ["Other", "Shop", true, null],
    ["Databases", "Databases", true, "db"],
    ["One", "", true, null],
  ]);
  await app.as(alice).put(`/api/pages/${id}`, { components: [{ name: "Phone", fixed_status: "operational" }] });
  await publish(app, alice, { monitors: [other], groups: [{ name: "All", monitors: [other] }] });
  const after = (await read(app, alice, id)).components;
  expect(after.map(({ label, group, key }) => [label, group, key])).toEqual([
    ["Other", "All", before[0]?.key ?? ""],
    ["Phone", "", after[1]?.key ?? ""],
  ]);
  await app.as(alice).delete(`/api/monitors/${other}`);
  expect((await read(app, alice, id)).components.map(({ label }) => label)).toEqual(["Phone"]);
});

it("two first saves at the same time make one page", async () => {
  const { app, bob } = await setUp();
  await Promise.all(["a", "b", "c"].map((title) => publish(app, bob, { title })));
  expect((await app.as(bob).get("/api/pages")).body.pages.length).toBe(1);
});

it("a renamed tag is renamed in components too", async () => {
  const { app, alice } = await setUp();
  await addMonitor(app, alice, {
    name: "x",
    url: "http://192.0.2.1/",
    active: false,
    tags: [{ name: "db", value: "" }],
  });
  const page = await create(app, alice, { slug: "shop", components: [{ name: "Databases", tag: "db" }] });
  const [{ id = 0 } = {}] = (await app.as(alice).get("/api/tags")).body.tags;
  await app.as(alice).put(`/api/tags/${id}`, { name: "database" });
  const [row] = await app.db
    .select()
    .from(pageComponents)
    .where(eq(pageComponents.pageId, page.id))
    .orderBy(asc(pageComponents.id));
  expect(row?.target.tag).toMatch(/^database/);
});

it("visitors see composed components with their days and status, and not what they are made of", async () => {
  const { app, alice } = await setUp();
  const add = (name: string) => addMonitor(app, alice, { name, url: "http://192.0.2.1/" });
  const [good, bad] = [await add("secret one"), await add("secret other")];
  await record(app, good, [{ at: app.clock.now(), up: true }]);
  await record(app, bad, [{ at: app.clock.now(), up: false }]);
  await create(app, alice, {
    slug: "shop",
    components: [
      { name: "Checkout", group: "Shop", description: "Carts", monitors: [good, bad] },
      { name: "Search", monitors: [good, bad], mode: "any", show: "none" },
      { name: "Phone", fixed_status: "degraded_performance" },
    ],
  });
  const data = await readStatusData(app, "shop");
  expect(
    data.components.map(({ name, group, status, component_status, days }) => [
      name,
      group,
      status,
      component_status,
      days.length,
    ]),
  ).toEqual([
    ["Checkout", "Shop", "down", "partial_outage", 90],
    ["Search", "", "up", "operational", 0],
    ["Phone", "", "degraded", "degraded_performance", 0],
  ]);
  const [checkout] = data.components;
  expect([checkout?.days.at(-1), checkout?.uptimes["90d"]]).toMatchObject([{ up: 1, down: 1 }, null]);
  expect([data.overall, data.monitors]).toEqual(["partial", []]);
  expect(JSON.stringify(data)).not.toContain("secret");
});

it("a preview shows a page with a change and the measured states that incidents hide, and saves nothing", async () => {
  const { app, alice } = await setUp();
  const shop = await addMonitor(app, alice, { name: "Shop", url: "http://192.0.2.1/" });
  const bank = await addMonitor(app, alice, { name: "Bank", url: "http://192.0.2.1/" });
  await record(app, shop, [{ at: Date.now(), up: true }]);
  const page = await create(app, alice, { slug: "shop", title: "Shop", components: [{ monitors: [shop] }] });
  const [{ id: component = 0 } = {}] = page.components;
  const components = [{ id: component, status: "major_outage" }];
  const incident = { title: "Down", impact: "major", body: "x", pages: [page.id], components };
  expect((await app.as(alice).post("/api/incidents", incident)).status).toBe(201);
  const preview = async (change: object) => {
    const { status, body } = await app.as(alice).post(`/api/pages/${page.id}/preview`, change);
    if (status !== 200) return status;
    const { title, history_days, components } = body.data;
    return [title, history_days, components.map((one) => [one.name, one.component_status, one.measured_status])];
  };
  const stored = ["Shop", "major_outage", "operational"];
  expect(await preview({})).toEqual(["Shop", 90, [stored]]);
  const added = [
    { name: "Phone", fixed_status: "partial_outage" },
    { id: component, name: "Sales", monitors: [shop, bank] },
  ];
  expect(await preview({ title: "Sales", history_days: 30, components: added })).toEqual([
    "Sales",
    30,
    [
      ["Phone", "partial_outage", undefined],
      ["Sales", "major_outage", "operational"],
    ],
  ]);
  expect(await preview({ components: [{ monitors: [999_999] }] })).toBe(422);
  const { title, components: shown } = await readStatusData(app, "shop");
  expect([title, shown.map((one) => [one.name, one.component_status, one.measured_status])]).toEqual([
    "Shop",
    [["Shop", "major_outage", undefined]],
  ]);
});
