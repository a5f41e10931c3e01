import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { channels, members, monitors, outages, teams } from "../../../db/schema";
import { createTestApp } from "../../../testing/app";
import { addChannel } from "../../../testing/fixtures/alerts";
import { addMonitor, recordOnly } from "../../../testing/fixtures/monitors";
import { addMember } from "../../../testing/fixtures/people";

const SHOP = "http://192.0.2.1/";

/** A team of bob's with a viewer and an editor, and a monitor of bob's. */
const setUp = async () => {
  const app = await createTestApp({ env: { PRIVATE_TARGETS: "all" } });
  const people = await app.people();
  const { teamId } = people.bob;
  const shop = await addMonitor(app, people.bob, { url: SHOP, headers: { "x-token": "secret" }, active: false });
  return {
    app,
    ...people,
    shop,
    teamId,
    team: `?team=${teamId}`,
    viewer: await addMember(app, teamId, "viewer"),
    editor: await addMember(app, teamId, "editor"),
  };
};

const refused = { status: 403, body: { code: "role_insufficient" } };

describe("the team of a call", () => {
  it("is the own one unless it is chosen: lists have its rows only, and what is made belongs to it", async () => {
    const { app, editor, team, teamId } = await setUp();
    const client = app.as(editor);
    const made = { name: "mine", url: SHOP, interval: 60, active: false };
    const own = (await client.post("/api/monitors", made)).body.monitor.id;
    const theirs = (await client.post(`/api/monitors${team}`, { ...made, name: "theirs" })).body.monitor.id;
    const rows = await app.db.select().from(monitors).where(eq(monitors.userId, editor.id)).orderBy(monitors.id);
    expect(rows.map((row) => [row.id, row.teamId])).toEqual([
      [own, editor.teamId],
      [theirs, teamId],
    ]);
    const names = async (query: string) =>
      (await client.get(`/api/monitors${query}`)).body.monitors.map(({ name }) => name);
    expect(await names("")).toEqual(["shop", "mine", "theirs"]);
    expect(await names(team)).toEqual(["shop", "theirs"]);
    expect(await names(`?team=${editor.teamId}`)).toEqual(["mine"]);
  });

  it("names the team of each row for members who see several teams at once, but not their own", async () => {
    const { app, bob, editor, shop, team, teamId } = await setUp();
    await app.db.update(teams).set({ name: "Shop" }).where(eq(teams.id, teamId));
    const client = app.as(editor);
    await client.post("/api/monitors", { name: "mine", url: SHOP, interval: 60, active: false });
    const listed = async (user: typeof bob, query = "") =>
      (await app.as(user).get(`/api/monitors${query}`)).body.monitors.map(({ name, team }) => [name, team]);
    const named = { id: teamId, name: "Shop" };
    expect(await listed(editor)).toEqual([
      ["shop", named],
      ["mine", undefined],
    ]);
    expect(await listed(editor, "?fields=compact")).toEqual(await listed(editor));
    expect((await client.get(`/api/monitors/${shop}`)).body.monitor.team).toEqual(named);
    expect(await listed(editor, team)).toEqual([["shop", undefined]]);
    expect(await listed(bob)).toEqual([["shop", undefined]]);
  });

  it("is not found for others, and for what is no id of a team", async () => {
    const { app, charlie, alice, team } = await setUp();
    for (const user of [charlie, alice])
      expect(await app.as(user).get(`/api/monitors${team}`)).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
    for (const id of ["", "0", "x", "1e3", "9".repeat(30)])
      expect((await app.as(charlie).get(`/api/monitors?team=${id}`)).status).toBe(404);
  });
});

describe("a viewer", () => {
  it("mutes for up to an hour, and neither shortens nor ends a mute that may last longer", async () => {
    const { app, bob, viewer, shop } = await setUp();
    const client = app.as(viewer);
    const path = `/api/monitors/${shop}/mute` as const;
    expect((await client.post(path, { minutes: 60 })).status).toBe(200);
    expect((await client.delete(path)).status).toBe(200);
    for (const body of [{ minutes: 61 }, { until_recovery: true }, {}])
      expect(await client.post(path, body)).toMatchObject(refused);
    expect((await app.as(bob).post(path, { minutes: 120 })).status).toBe(200);
    expect(await client.post(path, { minutes: 5 })).toMatchObject(refused);
    expect(await client.delete(path)).toMatchObject(refused);
    await app.clock.advance(60 * 60_000);
    expect((await client.delete(path)).status).toBe(200);
  });

  it("acknowledges an outage, and does not write its note", async () => {
    const { app, bob, viewer } = await setUp();
    const down = await addMonitor(app, bob, { url: SHOP });
    await recordOnly(app, down, [{ at: app.clock.now(), up: false }]);
    const [outage] = await app.db.select().from(outages);
    const path = `/api/outages/${outage?.id}` as const;
    expect((await app.as(viewer).post(`${path}/acknowledge`, { note: "on it" })).status).toBe(200);
    expect(await app.as(viewer).put(`${path}/note`, { text: "x" })).toMatchObject(refused);
  });

  it("has no stored secrets sent, also to another address", async () => {
    const { app, viewer, editor, shop } = await setUp();
    const body = { id: shop, url: "http://127.0.0.1:1/" };
    expect(await app.as(viewer).post("/api/monitors/probe", body)).toMatchObject(refused);
    expect((await app.as(editor).post("/api/monitors/probe", body)).status).toBe(200);
  });

  it("changes none of many monitors", async () => {
    const { app, viewer, editor, shop } = await setUp();
    const own = await addMonitor(app, viewer, { url: SHOP });
    const pause = { action: "pause", ids: [shop, own, 999] };
    expect((await app.as(viewer).post("/api/monitors/bulk", pause)).body).toMatchObject({
      ids: [own],
      refused: [
        { id: shop, code: "role_insufficient" },
        { id: 999, code: "not_found" },
      ],
    });
    const count = async (user: typeof viewer) =>
      (await app.as(user).post("/api/monitors/bulk", { action: "delete", filter: {}, dry_run: true })).body;
    expect(await count(viewer)).toMatchObject({ matched: 1 });
    expect(await count(editor)).toMatchObject({ matched: 1 });
  });
});

describe("who made a row", () => {
  it("is the member who last changed its address, because their role decides what it may reach", async () => {
    const { app, alice, editor, teamId, shop } = await setUp();
    const madeBy = async () => (await app.db.select().from(monitors).where(eq(monitors.id, shop)))[0]?.userId;
    await app.db.insert(members).values({ teamId, userId: alice.id, role: "owner" });
    const change = { name: "shop", url: "http://192.0.2.2/", interval: 60, active: false };
    await app.as(alice).put(`/api/monitors/${shop}`, change);
    expect(await madeBy()).toBe(alice.id);
    await app.as(editor).put(`/api/monitors/${shop}`, { ...change, name: "renamed", interval: 120 });
    expect(await madeBy()).toBe(alice.id);
    await app.as(editor).put(`/api/monitors/${shop}`, { ...change, url: SHOP });
    expect(await madeBy()).toBe(editor.id);
  });

  it("stays when an administrator who is no member changes it", async () => {
    const { app, alice, bob, shop } = await setUp();
    const change = { name: "shop", url: SHOP, method: "HEAD", interval: 60, active: false };
    expect((await app.as(alice).put(`/api/monitors/${shop}`, change)).status).toBe(200);
    expect((await app.db.select().from(monitors))[0]?.userId).toBe(bob.id);
  });

  it("is the member who last changed where a channel sends to", async () => {
    const { app, bob, editor } = await setUp();
    const id = await addChannel(app, bob);
    const madeBy = async () => (await app.db.select().from(channels).where(eq(channels.id, id)))[0]?.userId;
    const [channel] = (await app.as(bob).get("/api/notifications")).body.data.channels;
    if (!channel) throw new Error("the channel is missing");
    const { name, type, config } = channel;
    const path = `/api/notifications/channels/${id}` as const;
    expect((await app.as(editor).put(path, { name: "renamed", type, config })).status).toBe(200);
    expect(await madeBy()).toBe(bob.id);
    expect((await app.as(editor).put(path, { name, type, config: { ...config, chatId: "7" } })).status).toBe(200);
    expect(await madeBy()).toBe(editor.id);
  });
});

describe("deleting a member", () => {
  it("hands what they made for the team over to an owner", async () => {
    const { app, alice, bob, editor, team } = await setUp();
    const made = { name: "theirs", url: SHOP, interval: 60, active: false };
    const { id } = (await app.as(editor).post(`/api/monitors${team}`, made)).body.monitor;
    await addMonitor(app, editor, { url: SHOP });
    expect((await app.as(alice).delete(`/api/users/${editor.id}`)).status).toBe(200);
    const rows = await app.db.select().from(monitors).orderBy(monitors.id);
    expect(rows.map((row) => [row.name, row.userId])).toEqual([
      ["shop", bob.id],
      ["theirs", bob.id],
    ]);
    expect((await app.as(bob).get(`/api/monitors/${id}`)).status).toBe(200);
  });

  it("is refused for the last owner of a team with other members", async () => {
    const app = await createTestApp();
    const { alice, bob, charlie } = await app.people();
    const [team] = await app.db.insert(teams).values({ name: "Shop", createdAt: 0 }).returning();
    const teamId = team?.id ?? 0;
    await app.db.insert(members).values([
      { teamId, userId: bob.id, role: "owner" },
      { teamId, userId: charlie.id, role: "editor" },
    ]);
    const shop = await addMonitor(app, { ...bob, teamId }, { url: "https://shop.example/" });
    const path = `/api/users/${bob.id}` as const;
    expect(await app.as(alice).delete(path)).toMatchObject({ status: 409, body: { code: "last_owner" } });
    await app.db.update(members).set({ role: "owner" }).where(eq(members.userId, charlie.id));
    expect((await app.as(alice).delete(path)).status).toBe(200);
    const rows = await app.db.select().from(monitors);
    expect(rows.map(({ id, userId }) => [id, userId])).toEqual([[shop, charlie.id]]);
  });
});
