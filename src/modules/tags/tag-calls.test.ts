import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { monitors, tags, targetTags } from "../../db/schema";
import { TAG_COLOURS } from "../../shared/tags";
import { createTestApp } from "../../testing/app";
import { enrollAgent } from "../../testing/fixtures/agents";
import type { OwnTag } from "./service";

const shopOf = (more: object = {}) => ({
  name: "shop",
  url: "https://shop.example/",
  interval: 60,
  active: false,
  ...more,
});

const setUp = async () => {
  const app = await createTestApp();
  const people = await app.people();
  const client = app.as(people.bob);
  const add = async (name: string, own: unknown[], owner = people.bob) =>
    (await app.as(owner).post("/api/monitors", shopOf({ name, tags: own }))).body.monitor;
  const names = async (query: string, caller = people.bob) =>
    (await app.as(caller).get(`/api/monitors?${query}`)).body.monitors.map(({ name }: { name: string }) => name);
  return { app, client, add, names, ...people };
};

it("a tag and a search match in any case, in every script", async () => {
  const { add, names } = await setUp();
  await add("Кириллица", [{ name: "Продакшен" }]);
  await add("ÄRGER", [{ name: "Ärger" }]);
  const find = (query: Record<string, string>) => names(String(new URLSearchParams(query)));
  for (const name of ["продакшен", "ПРОДАКШЕН", "Продакшен"]) expect(await find({ tag: name })).toEqual(["Кириллица"]);
  for (const name of ["ärger", "ÄRGER"]) expect(await find({ tag: name })).toEqual(["ÄRGER"]);
  for (const search of ["кирилл", "КИРИЛЛ"]) expect(await find({ search })).toEqual(["Кириллица"]);
});

describe("the tags of a monitor", () => {
  it("are created with it, and answered by name with a colour in every form of a list", async () => {
    const { client, add } = await setUp();
    const own = [{ name: " production ", color: "pink" }, { name: "region", value: "eu-west" }, { name: "backend" }];
    const { id, tags: created } = await add("shop", own);
    expect(created).toEqual([
      { name: "backend", color: expect.any(String) },
      { name: "production", color: "pink" },
      { name: "region", color: expect.any(String), value: "eu-west" },
    ]);
    expect(TAG_COLOURS).toContain(created[0]?.color as never);
    expect((await client.get(`/api/monitors/${id}`)).body.monitor.tags).toEqual(created);
    for (const fields of ["", "?fields=all", "?fields=compact"])
      expect((await client.get(`/api/monitors${fields}`)).body.monitors[0]?.tags).toEqual(created);
  });

  it("are replaced by an update that sends them, and kept by one that does not", async () => {
    const { client, add } = await setUp();
    const { id, tags: before } = await add("shop", [{ name: "a" }, { name: "b", value: "1" }]);
    expect((await client.put(`/api/monitors/${id}`, shopOf())).body.monitor.tags).toEqual(before);
    await client.post(`/api/monitors/${id}/pause`);
    const answer = await client.put(
      `/api/monitors/${id}`,
      shopOf({ tags: [{ name: "b", value: "2" }, { name: "c" }] }),
    );
    expect(answer.body.monitor.tags).toMatchObject([{ name: "b", value: "2" }, { name: "c" }]);
    expect((await client.put(`/api/monitors/${id}`, shopOf({ tags: [] }))).body.monitor.tags).toEqual([]);
  });

  it("are the same tag for names that differ in case, and the colour of one that exists is kept", async () => {
    const { client, add } = await setUp();
    await add("shop", [{ name: "Prod", color: "green" }]);
    const { tags: second } = await add("api", [{ name: "PROD", color: "pink" }]);
    expect(second).toEqual([{ name: "Prod", color: "green" }]);
    expect((await client.get("/api/tags")).body.tags).toMatchObject([{ name: "Prod", monitors: 2, agents: 0 }]);
  });

  it("are refused when they are malformed, named twice or too many", async () => {
    const { app, client, add } = await setUp();
    const many = Array.from({ length: 21 }, (_, index) => ({ name: `tag ${index}` }));
    const bad: [unknown, string][] = [
      ["a", "tags"],
      [[{ name: " " }], "tags.0.name"],
      [[{ name: "a:b" }], "tags.0.name"],
      [[{ name: "a\nb" }], "tags.0.name"],
      [[{ name: "a".repeat(51) }], "tags.0.name"],
      [[{ name: "a", value: "a".repeat(51) }], "tags.0.value"],
      [[{ name: "a", color: "mauve" }], "tags.0.color"],
      [[{ name: "a" }, { name: "A " }], "tags.1.name"],
      [many, "tags"],
    ];
    for (const [sent, path] of bad) {
      const { status, body } = await client.post("/api/monitors", shopOf({ tags: sent }));
      expect([sent, status, body.code, body.errors?.[0]?.path]).toEqual([sent, 422, "validation", path]);
    }
    for (let round = 0; round < 5; round++)
      await add(
        `${round}`,
        many.slice(0, 20).map(({ name }) => ({ name: `${name} of ${round}` })),
      );
    const { status, body } = await client.post("/api/monitors", shopOf({ tags: [{ name: "one more" }] }));
    expect([status, body.code]).toEqual([409, "too_many_tags"]);
    expect(await app.db.$count(monitors)).toBe(5);
    expect((await add("again", [{ name: "tag 1 of 3" }])).tags).toHaveLength(1);
  });

  it("are those of its owner, also when an administrator saves them", async () => {
    const { app, client, add, alice } = await setUp();
    const { id } = await add("shop", [{ name: "a", color: "teal" }]);
    const sent = shopOf({ tags: [{ name: "a" }, { name: "b" }] });
    const { body } = await app.as(alice).put(`/api/monitors/${id}`, sent);
    expect(body.monitor.tags).toMatchObject([{ name: "a", color: "teal" }, { name: "b" }]);
    expect((await client.get("/api/tags")).body.tags).toHaveLength(2);
    expect((await app.as(alice).get("/api/tags")).body.tags).toEqual([]);
  });

  it("filter a list by name and value, several of them together", async () => {
    const { names, add, alice, charlie } = await setUp();
    await add("one", [{ name: "region", value: "eu" }, { name: "web" }]);
    await add("two", [{ name: "region", value: "us" }, { name: "web" }]);
    await add("three", [{ name: "region", value: "eu" }]);
    await add("theirs", [{ name: "web" }], charlie);
    expect(await names("tag=region")).toEqual(["one", "two", "three"]);
    expect(await names("tag=region:eu")).toEqual(["one", "three"]);
    expect(await names("tag=region:eu&tag=web")).toEqual(["one"]);
    expect(await names("tag=REGION:eu&tag=Web")).toEqual(["one"]);
    expect(await names("tag=region:eu,web")).toEqual([]);
    expect(await names("tag=web")).toEqual(["one", "two"]);
    expect(await names("tag=web", alice)).toEqual(["one", "two", "theirs"]);
    expect(await names("tag=nothing")).toEqual([]);
    expect(await names(`tag=${"x".repeat(101)}`)).toEqual([]);
  });

  it("refuse a filter that is too long, or has too many of them", async () => {
    const { client } = await setUp();
    const many = Array.from({ length: 21 }, () => "tag=a").join("&");
    for (const query of [many, `tag=${"a".repeat(102)}`])
      expect((await client.get(`/api/monitors?${query}`)).body.code).toBe("validation");
  });

  it("are deleted with it, with their owner, and not left behind by an update at the same time", async () => {
    const { app, client, add, alice, bob } = await setUp();
    const { id } = await add("shop", [{ name: "a" }]);
    await add("other", [{ name: "a" }]);
    await Promise.all([
      client.put(`/api/monitors/${id}`, shopOf({ tags: [{ name: "b" }] })),
      client.delete(`/api/monitors/${id}`),
    ]);
    expect(await app.db.$count(targetTags, eq(targetTags.targetId, id))).toBe(0);
    await app.as(alice).delete(`/api/users/${bob.id}`);
    expect([await app.db.$count(tags), await app.db.$count(targetTags)]).toEqual([0, 0]);
  });
});

it("a server has tags, by which the list of servers is filtered", async () => {
  const { app, client, bob } = await setUp();
  const [db, web] = [
    await enrollAgent(app, bob, { hostname: "db-1" }),
    await enrollAgent(app, bob, { hostname: "web-1" }),
  ];
  const { body } = await client.put(`/api/agents/${db.id}`, { name: "db", tags: [{ name: "rack", value: "7" }] });
  expect(body.agent.tags).toMatchObject([{ name: "rack", value: "7" }]);
  await client.put(`/api/agents/${db.id}`, { name: "database" });
  const hosts = async (query: string) =>
    (await client.get(`/api/agents?${query}`)).body.agents.map(({ id }: { id: number }) => id);
  expect(await hosts("tag=rack:7")).toEqual([db.id]);
  expect(await hosts("tag=rack:8")).toEqual([]);
  expect(await hosts("")).toEqual([db.id, web.id]);
  await client.delete(`/api/agents/${db.id}`);
  expect(await app.db.$count(targetTags)).toBe(0);
});

describe("a tag", () => {
  it("is renamed and recoloured wherever it is used", async () => {
    const { client, add, names } = await setUp();
    await add("shop", [{ name: "prod" }]);
    const tag = (await client.get("/api/tags")).body.tags[0] as OwnTag;
    const { body } = await client.put(`/api/tags/${tag.id}`, { name: "Production", color: "yellow" });
    expect(body.tags).toEqual([{ id: tag.id, name: "Production", color: "yellow", monitors: 1, agents: 0 }]);
    expect(await names("tag=Production")).toEqual(["shop"]);
    expect((await client.get("/api/monitors")).body.monitors[0]?.tags).toEqual([
      { name: "Production", color: "yellow" },
    ]);
  });

  it("is not renamed to another one, and only by its owner", async () => {
    const { app, client, add, alice } = await setUp();
    await add("shop", [{ name: "a" }, { name: "b" }]);
    const a = (await client.get("/api/tags")).body.tags[0] as OwnTag;
    expect((await client.put(`/api/tags/${a.id}`, { name: "B" })).body.code).toBe("tag_exists");
    expect((await client.put(`/api/tags/${a.id}`, { name: "A" })).status).toBe(200);
    for (const answer of [
      await app.as(alice).put(`/api/tags/${a.id}`, { color: "blue" }),
      await app.as(alice).delete(`/api/tags/${a.id}`),
      await client.put("/api/tags/999", { color: "blue" }),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, "not_found"]);
  });

  it("is taken from what has it when it is deleted", async () => {
    const { client, add } = await setUp();
    const { id } = await add("shop", [{ name: "a" }, { name: "b" }]);
    const a = (await client.get("/api/tags")).body.tags[0] as OwnTag;
    expect((await client.delete(`/api/tags/${a.id}`)).status).toBe(200);
    expect((await client.get(`/api/monitors/${id}`)).body.monitor.tags).toMatchObject([{ name: "b" }]);
  });
});

it("an exported file has the tags of monitors and servers, and an import brings them back", async () => {
  const { app, add, bob, charlie } = await setUp();
  await add("shop", [
    { name: "prod", color: "pink" },
    { name: "region", value: "eu" },
  ]);
  const machine = { hostname: "db-1" };
  const db = await enrollAgent(app, bob, machine);
  await app.as(bob).put(`/api/agents/${db.id}`, { name: "db", tags: [{ name: "prod" }] });
  const file = JSON.parse((await app.as(bob).get("/api/export")).text);
  const theirs = await enrollAgent(app, charlie, { ...machine, machine_id: "another" });
  for (const _ of [1, 2]) expect((await app.as(charlie).post("/api/import", file)).status).toBe(200);
  const { tags: own } = (await app.as(charlie).get("/api/tags")).body;
  expect(own).toMatchObject([
    { name: "prod", color: "pink", monitors: 1, agents: 1 },
    { name: "region", monitors: 1, agents: 0 },
  ]);
  expect((await app.as(charlie).get(`/api/agents/${theirs.id}`)).body.agent.tags).toEqual([
    { name: "prod", color: "pink" },
  ]);
});

it("a group of a status page holds what has its tag when the page is built, without naming the tag to visitors", async () => {
  const { app, client, add, bob } = await setUp();
  const { id: shop } = await add("shop", [{ name: "env", value: "prod" }]);
  const { id: test } = await add("test", [{ name: "env", value: "test" }]);
  const { id: plain } = await add("plain", []);
  const groups = [{ name: "Production", tag: "env:prod" }];
  await client.post("/api/status/config", { title: "x", monitors: [plain], groups });
  expect((await client.get("/api/status/config")).body).toMatchObject({ config: { groups: [{ tag: "env:prod" }] } });
  const read = async () => JSON.parse((await app.as(bob).get("/api/status/data?page=bob")).text).data;
  const data = await read();
  expect(data.monitors.map((one: { id: number }) => one.id)).toEqual([plain, shop]);
  expect(data.groups).toEqual([{ name: "Production", monitors: [shop], agents: [] }]);
  const { id: later } = await add("later", [{ name: "env", value: "prod" }]);
  expect((await read()).groups[0].monitors).toEqual([later, shop]);
  expect((await app.anybody.get(`/badge/${shop}.svg`)).text).toInclude("shop: paused");
  expect((await app.anybody.get(`/badge/${test}.svg`)).status).toBe(404);
  const [env] = (await client.get("/api/tags")).body.tags as OwnTag[];
  await client.put(`/api/tags/${env?.id}`, { name: "stage" });
  expect((await client.get("/api/status/config")).body).toMatchObject({ config: { groups: [{ tag: "stage:prod" }] } });
  expect((await read()).groups[0].monitors).toEqual([later, shop]);
});
