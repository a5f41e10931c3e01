import { describe, expect, it } from "bun:test";
import { channelFollows } from "../../../db/schema";
import { MINUTE } from "../../../shared/limits";
import {
  addChannel,
  createAlertApp,
  readDeliveries,
  recordDown,
  recover,
  runDeliveries,
  telegramChannel,
} from "../../../testing/fixtures/alerts";
import { addMonitor } from "../../../testing/fixtures/monitors";
import { joinTeam, type TestUser } from "../../../testing/fixtures/people";

/** A team of bob's with a monitor whose alerts go to its chat 1. Charlie is a viewer of it, with a channel of his own to chat 2. */
const setUp = async (options: Parameters<typeof createAlertApp>[0] = {}) => {
  const world = await createAlertApp(options);
  const { app, bob, charlie, delivery, telegram } = world;
  const { id } = (await app.as(bob).post("/api/teams", { name: "Shop" })).body.team;
  const query = `?team=${id}` as const;
  await joinTeam(app, bob, charlie, { id, role: "viewer" });
  const team = (await app.as(bob).post(`/api/notifications/channels${query}`, telegramChannel("team", "1"))).body.data
    .id;
  const rule = { target_type: "global-monitor", enabled: true, on_down: true, on_recovery: true, channels: [team] };
  await app.as(bob).post(`/api/notifications/settings${query}`, rule);
  const monitor = await addMonitor(app, { ...bob, teamId: id }, { url: "http://192.0.2.1/" });
  const own = await addChannel(app, charlie, telegramChannel("phone", "2"));
  const follow = (user: TestUser, channels: number[]) =>
    app.as(user).put(`/api/notifications/follows/${id}`, { channels });
  const goDown = async () => {
    await recordDown(app, monitor);
    await runDeliveries(app, delivery);
  };
  /** The chats that got a message, in order. */
  const chats = () => telegram.messages.map(({ chat }) => chat).toSorted();
  return { ...world, id, query, team, monitor, own, follow, goDown, chats };
};

describe("an own channel of a member", () => {
  it("gets the alerts and recoveries of the team in the language of the member, while they are a member", async () => {
    const { app, bob, charlie, id, monitor, own, follow, goDown, chats, telegram, delivery } = await setUp();
    await app.as(bob).put("/api/auth/language", { language: "zh-CN" });
    await app.as(charlie).put("/api/auth/language", { language: "en-US" });
    expect((await follow(charlie, [own])).status).toBe(200);
    await goDown();
    expect(chats()).toEqual(["1", "2"]);
    const textOf = (chat: string) => telegram.messages.find((message) => message.chat === chat)?.text ?? "";
    expect(textOf("2")).toContain("is down");
    expect(textOf("1")).not.toContain("is down");
    expect((await readDeliveries(app)).map(({ channelName }) => channelName)).toEqual(["team", "phone (charlie)"]);
    await app.as(bob).delete(`/api/teams/${id}/members/${charlie.id}`);
    await app.clock.advance(MINUTE);
    await recover(app, monitor);
    await runDeliveries(app, delivery);
    expect(
      (await readDeliveries(app)).map(({ channelName, state, errorCode }) => [channelName, state, errorCode]),
    ).toEqual([
      ["team", "sent", null],
      ["phone (charlie)", "sent", null],
      ["team", "sent", null],
    ]);
    expect(chats()).toEqual(["1", "1", "2"]);
    expect(await app.db.select().from(channelFollows)).toEqual([]);
  });

  it("gets nothing that was planned before the membership ended", async () => {
    const { app, bob, charlie, id, own, follow, monitor, chats, delivery } = await setUp({
      telegram: () => Response.json({ ok: false, error_code: 500, description: "down" }, { status: 500 }) as never,
    });
    await follow(charlie, [own]);
    await recordDown(app, monitor);
    await runDeliveries(app, delivery);
    const before = chats().filter((chat) => chat === "2").length;
    await app.as(bob).delete(`/api/teams/${id}/members/${charlie.id}`);
    await app.clock.advance(60 * MINUTE);
    await runDeliveries(app, delivery);
    expect(chats().filter((chat) => chat === "2")).toHaveLength(before);
    const [ofMember] = (await readDeliveries(app)).filter(({ channelId }) => channelId === own);
    expect(ofMember).toMatchObject({ state: "failed", errorCode: "channel_unavailable" });
  });

  it("gets nothing while the rule of the team is switched off, or the target is muted", async () => {
    const { app, bob, charlie, query, monitor, own, follow, goDown, chats } = await setUp();
    await follow(charlie, [own]);
    await app.as(bob).post(`/api/monitors/${monitor}/mute`, { minutes: 30 });
    await goDown();
    expect(chats()).toEqual([]);
    await app.as(bob).post(`/api/notifications/settings${query}`, { target_type: "global-monitor", enabled: false });
    await app.as(bob).delete(`/api/monitors/${monitor}/mute`);
    await goDown();
    expect(chats()).toEqual([]);
  });

  it("gets one message although the team shares it with another team that it follows", async () => {
    const { app, bob, charlie, own, follow, goDown, chats, delivery } = await setUp();
    await follow(charlie, [own]);
    const { id } = (await app.as(bob).post("/api/teams", { name: "Mail" })).body.team;
    await joinTeam(app, bob, charlie, { id, role: "viewer" });
    const rule = { target_type: "global-monitor", enabled: true, on_down: true };
    await app.as(bob).post(`/api/notifications/settings?team=${id}`, rule);
    await app.as(charlie).put(`/api/notifications/follows/${id}`, { channels: [own] });
    const other = await addMonitor(app, { ...bob, teamId: id }, { url: "http://192.0.2.2/" });
    await recordDown(app, other);
    await goDown();
    await runDeliveries(app, delivery);
    expect(chats()).toEqual(["1", "2", "2"]);
  });

  it("no longer follows when it moves to another team or is deleted", async () => {
    const { app, charlie, own, follow, goDown, chats } = await setUp();
    await follow(charlie, [own]);
    const { id } = (await app.as(charlie).post("/api/teams", { name: "Elsewhere" })).body.team;
    expect((await app.as(charlie).post(`/api/channels/${own}/move`, { team: id, drop: true })).status).toBe(200);
    await goDown();
    expect(chats()).toEqual(["1"]);
    expect((await app.as(charlie).get("/api/notifications/follows")).body.data).toEqual({ channels: [], teams: [] });
  });
});

describe("the choice of own channels", () => {
  it("is read back, logged for the team, and replaced as a whole", async () => {
    const { app, bob, charlie, id, query, own, follow } = await setUp();
    await follow(charlie, [own, own]);
    const { data } = (await app.as(charlie).get("/api/notifications/follows")).body;
    expect(data.teams).toEqual([{ team: id, channels: [own] }]);
    expect(data.channels.map(({ name }) => name)).toEqual(["phone"]);
    const { changes } = (await app.as(bob).get(`/api/audit${query}&object=member`)).body;
    expect(changes[0]).toMatchObject({ user: "charlie", action: "changed", fields: { channels: ["", "phone"] } });
    await follow(charlie, []);
    expect(await app.db.select().from(channelFollows)).toEqual([]);
  });

  it("is in the export of the personal team by the name of the team, and is imported once", async () => {
    const { app, bob, charlie, id, query, own, follow } = await setUp();
    await follow(charlie, [own]);
    const file = (await app.as(charlie).get("/api/export")).body;
    expect(file.follows).toEqual({ Shop: [own] });
    expect((await app.as(bob).get(`/api/export${query}`)).body.follows).toEqual({});
    await follow(charlie, []);
    expect((await app.as(charlie).post("/api/import", file)).body.created.follows).toBe(1);
    expect(await app.db.select().from(channelFollows)).toEqual([{ userId: charlie.id, teamId: id, channelId: own }]);
    expect((await app.as(charlie).post("/api/import", file)).body).toMatchObject({
      created: { follows: 0 },
      skipped: { follows: 1 },
    });
    const unknown = { ...file, follows: { Elsewhere: [own] } };
    expect((await app.as(charlie).post("/api/import", unknown)).body.created.follows).toBe(0);
  });

  it("is refused for channels of others, more than five, the personal team, and teams of others", async () => {
    const { app, alice, bob, charlie, team, own, follow } = await setUp();
    expect((await follow(charlie, [team])).status).toBe(422);
    expect((await follow(charlie, [own, 1e6])).status).toBe(422);
    expect((await follow(charlie, [1, 2, 3, 4, 5, 6])).status).toBe(422);
    const personal = `/api/notifications/follows/${charlie.teamId}` as const;
    expect((await app.as(charlie).put(personal, { channels: [own] })).status).toBe(404);
    const ofBob = `/api/notifications/follows/${bob.teamId}` as const;
    expect((await app.as(charlie).put(ofBob, { channels: [own] })).status).toBe(404);
    expect((await follow(alice, [])).status).toBe(404);
    expect(await app.db.select().from(channelFollows)).toEqual([]);
  });
});
