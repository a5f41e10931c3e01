import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { monitors } from "../../db/schema";
import { createTestApp } from "../../testing/app";
import { enrollAgent } from "../../testing/fixtures/agents";
import { addMonitor } from "../../testing/fixtures/monitors";
import { addUser } from "../../testing/fixtures/people";
import { publish, readStatusConfig, readStatusData } from "../../testing/fixtures/status-page";

const url = "https://shop.example/";

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  const monitors = [
    await addMonitor(app, bob, { url, name: "shop" }),
    await addMonitor(app, bob, { url, name: "bank" }),
  ];
  const agent = await enrollAgent(app, bob);
  return { app, alice, bob, charlie, monitors: monitors as [number, number], agent: agent.id };
};

it("a configuration that was never saved lists the user's monitors and servers, none of them selected", async () => {
  const { app, bob, monitors, agent, alice } = await setUp();
  const config = await readStatusConfig(app, bob);
  expect(config).toMatchObject({ title: "", description: "", logoUrl: "", customCss: "", path: "/status/bob" });
  expect(config.monitors).toEqual([
    { id: monitors[0], name: "shop", selected: false },
    { id: monitors[1], name: "bank", selected: false },
  ]);
  expect(config.agents).toEqual([{ id: agent, name: "db-1", hostname: "db-1", selected: false }]);
  // An administrator sees the monitors of all users, but can publish only their own.
  expect(await readStatusConfig(app, alice)).toMatchObject({ monitors: [], agents: [], path: "/status" });
});

it("a search finds no monitors and servers of other users", async () => {
  const { app, charlie } = await setUp();
  const { body } = await app.as(charlie).get("/api/status/config?search=a");
  expect(body.config).toMatchObject({ monitors: [], agents: [] });
});

it("a page is public once it is saved; the first administrator's has an address from the beginning", async () => {
  const { app, alice, bob } = await setUp();
  const statusOf = async (slug: string) => (await app.anybody.get(`/api/status/data${slug}`)).status;
  expect([(await readStatusConfig(app, bob)).published, await statusOf("?page=bob")]).toEqual([false, 404]);
  expect([(await readStatusConfig(app, alice)).published, await statusOf("")]).toEqual([false, 200]);
  expect((await readStatusData(app)).published).toBe(false);
  await publish(app, alice, {});
  expect((await readStatusData(app)).published).toBe(true);
  await publish(app, bob, {});
  expect([(await readStatusConfig(app, bob)).published, await statusOf("?page=bob")]).toEqual([true, 200]);
});

it("the chosen monitors and servers may have the names that the configuration is read with", async () => {
  const { app, bob, monitors, agent } = await setUp();
  const chosen = { monitor_ids: [monitors[1], monitors[0]], agent_ids: [agent] };
  await publish(app, bob, chosen);
  expect(await readStatusConfig(app, bob)).toMatchObject(chosen);
  const { status, body } = await app.as(bob).post("/api/status/config", { monitor_ids: [99] });
  expect([status, body.errors]).toEqual([
    422,
    [{ path: "monitor_ids", message: "monitor_ids: none of yours has the id 99" }],
  ]);
});

it("saving a configuration keeps the fields that are not sent", async () => {
  const { app, bob, monitors, agent } = await setUp();
  const page = {
    title: " Shop ",
    description: "All of it",
    logoUrl: "https://shop.example/logo.png",
    customCss: "h1{}",
  };
  const answer = await app.as(bob).post("/api/status/config", { ...page, monitors: [monitors[1]], agents: [agent] });
  expect([answer.status, answer.body.success, typeof answer.body.message]).toEqual([200, true, "string"]);
  const config = await readStatusConfig(app, bob);
  expect(config).toMatchObject({ ...page, title: "Shop" });
  expect(config.monitors.map(({ selected }) => selected)).toEqual([false, true]);
  expect(config.agents.map(({ selected }) => selected)).toEqual([true]);
  await publish(app, bob, { title: "Bank", logo_url: "", custom_css: "" });
  expect(await readStatusConfig(app, bob)).toMatchObject({
    title: "Bank",
    description: "All of it",
    logoUrl: "",
    customCss: "",
  });
  expect((await readStatusData(app, "bob")).monitors.map(({ id }) => id)).toEqual([monitors[1]]);
});

it("an invalid field is refused by its name", async () => {
  const { app, bob } = await setUp();
  const refused = async (page: object) => {
    const { status, body } = await app.as(bob).post("/api/status/config", page);
    return [status, body.code, [...new Set(body.errors?.map(({ path }) => path.split(".")[0]))]];
  };
  for (const [page, path] of [
    [{ title: "x".repeat(201) }, "title"],
    [{ description: "x".repeat(2001) }, "description"],
    [{ logoUrl: "http://shop.example/logo.png" }, "logoUrl"],
    [{ logo_url: "javascript:alert(1)" }, "logo_url"],
    [{ customCss: "x".repeat(65_537) }, "customCss"],
    [{ monitors: "all" }, "monitors"],
    [{ monitors: [0] }, "monitors"],
    [{ agents: [1.5] }, "agents"],
    [{ groups: [{ name: " " }] }, "groups"],
    [{ groups: [{ name: "x".repeat(101) }] }, "groups"],
    [{ groups: [{ name: "Shop", monitors: [999] }] }, "groups"],
    [{ groups: Array.from({ length: 51 }, () => ({ name: "Shop" })) }, "groups"],
    [{ monitors: Array.from({ length: 1001 }, (_, id) => id + 1) }, "monitors"],
  ] as const)
    expect([path, await refused(page)]).toEqual([path, [422, "validation", [path]]]);
  expect((await app.anybody.get("/api/status/config")).status).toBe(401);
  expect((await app.anybody.post("/api/status/config", {})).status).toBe(401);
});

it("groups name chosen items in order, each once, and items that are not chosen or deleted leave them", async () => {
  const { app, bob, monitors, agent } = await setUp();
  const [shop, bank] = monitors;
  const groups = [
    { name: " Sales ", monitors: [bank, bank, shop], agents: [agent] },
    { name: "Money", monitors: [bank] },
  ];
  await publish(app, bob, { monitors: [bank, shop], agents: [agent], groups });
  const config = await readStatusConfig(app, bob);
  expect([config.monitor_ids, config.agent_ids]).toEqual([[bank, shop], [agent]]);
  expect(config.groups).toEqual([
    { name: "Sales", monitors: [bank, shop], agents: [agent] },
    { name: "Money", monitors: [], agents: [] },
  ]);
  await publish(app, bob, { monitors: [shop] });
  expect((await readStatusData(app, "bob")).groups[0]).toEqual({ name: "Sales", monitors: [shop], agents: [agent] });
  await app.as(bob).delete(`/api/monitors/${shop}`);
  expect((await readStatusData(app, "bob")).groups[0]?.monitors).toEqual([]);
  expect((await readStatusConfig(app, bob)).groups[0]?.monitors).toEqual([]);
});

it("a preview shows the page with a configuration, sanitized and validated, and saves nothing", async () => {
  const { app, bob, charlie, monitors } = await setUp();
  await publish(app, bob, { title: "Bob's", monitors: [monitors[0]] });
  const preview = async (page: object, user = bob) => {
    const { status, text } = await app.as(user).post("/api/status/preview", page);
    return { status, body: JSON.parse(text) };
  };
  const draft = { title: "New", monitors: [monitors[1]], customCss: "h1 { color: red; background: url(x) }" };
  const { status, body } = await preview(draft);
  expect([status, body.data.title, body.data.monitors[0].name]).toEqual([200, "New", "bank"]);
  expect(body.data.customCss).not.toContain("url");
  expect((await readStatusData(app, "bob")).title).toBe("Bob's");
  expect((await preview({ monitors: [monitors[0]] }, charlie)).status).toBe(422);
  expect((await preview({ title: "First" }, charlie)).body.data).toMatchObject({ published: true, monitors: [] });
  expect((await app.anybody.get("/api/status/data?page=charlie")).status).toBe(404);
});

describe("ids of another user's monitors and servers", () => {
  it("are refused with the same message as unknown ids, also for administrators", async () => {
    const { app, alice, charlie, monitors, agent } = await setUp();
    for (const other of [alice, charlie])
      for (const [field, id] of [
        ["monitors", monitors[0]],
        ["agents", agent],
        ["groups", monitors[0]],
      ] as const) {
        const page = (one: number) => ({ [field]: field === "groups" ? [{ name: "Shop", monitors: [one] }] : [one] });
        const foreign = await app.as(other).post("/api/status/config", page(id));
        const unknown = await app.as(other).post("/api/status/config", page(id + 1000));
        expect([foreign.status, foreign.body.errors[0]?.path]).toEqual([422, field]);
        expect(foreign.text.replaceAll(String(id), "#")).toBe(unknown.text.replaceAll(String(id + 1000), "#"));
      }
    expect((await readStatusData(app)).monitors).toEqual([]);
  });
});

it("deleted monitors and servers disappear from the page and its configuration", async () => {
  const { app, bob, monitors, agent } = await setUp();
  await publish(app, bob, { monitors, agents: [agent] });
  await app.as(bob).delete(`/api/monitors/${monitors[0]}`);
  await app.as(bob).delete(`/api/agents/${agent}`);
  const data = await readStatusData(app, "bob");
  expect([data.monitors.map(({ id }) => id), data.agents]).toEqual([[monitors[1]], []]);
  expect((await readStatusConfig(app, bob)).monitors).toHaveLength(1);
});

describe("the address of a page", () => {
  it("is derived from the username, and stays the same once the page is saved", async () => {
    const { app } = await setUp();
    const named = [
      ["ann müller", "/status/ann-m%C3%BCller", "ann-müller"],
      ["ann-müller", "/status/ann-m%C3%BCller-2", "ann-müller-2"],
      ["张三", "/status/%E5%BC%A0%E4%B8%89", "张三"],
      ["config", "/status/config-2", "config-2"],
      ["../..", "/status/page", "page"],
      ["a.css", "/status/a-css", "a-css"],
    ] as const;
    for (const [username, path, slug] of named) {
      const user = await addUser(app.deps, username);
      expect((await readStatusConfig(app, user)).path).toBe(path);
      await publish(app, user, { title: username });
      expect((await readStatusConfig(app, user)).path).toBe(path);
      expect((await readStatusData(app, slug)).title).toBe(username);
      expect((await readStatusData(app, slug.toUpperCase())).title).toBe(username);
    }
  });

  it("is unique when two users with the same address save at once", async () => {
    const { app } = await setUp();
    const twins = await Promise.all(["a b", "a-b"].map((name) => addUser(app.deps, name)));
    await Promise.all(twins.map((user) => publish(app, user, { title: user.username })));
    const paths = await Promise.all(twins.map(async (user) => (await readStatusConfig(app, user)).path));
    expect(paths.toSorted()).toEqual(["/status/a-b", "/status/a-b-2"]);
  });
});

it("a configuration lists at most 1,000 monitors, selected ones first, and a search finds the others", async () => {
  const { app, alice } = await setUp();
  const first = await addMonitor(app, alice, { url, name: "shop" });
  const [row] = await app.db.select().from(monitors).where(eq(monitors.id, first));
  const { id: _, ...shop } = row as NonNullable<typeof row>;
  const more = await app.db
    .insert(monitors)
    .values(Array.from({ length: 1100 }, (_, index) => ({ ...shop, name: `Shop ${index}_` })))
    .returning({ id: monitors.id });
  const last = more.at(-1)?.id as number;
  await publish(app, alice, { monitors: [last] });
  const config = await readStatusConfig(app, alice);
  expect([config.monitors.length, config.monitors_total, config.agents_total]).toEqual([1000, 1101, 0]);
  expect(config.monitors.at(-1)).toEqual({ id: last, name: "Shop 1099_", selected: true });
  const find = async (search: string) =>
    JSON.parse((await app.as(alice).get(`/api/status/config?search=${encodeURIComponent(search)}`)).text).config;
  expect((await find("sHOP 1098_")).monitors).toEqual([{ id: last - 1, name: "Shop 1098_", selected: false }]);
  expect((await find("%")).monitors).toEqual([]);
  expect(await find("1098_")).toMatchObject({ monitors_total: 1101, agents: [] });
});
