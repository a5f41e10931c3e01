import { describe, expect, it } from "bun:test";
import { eq, isNotNull } from "drizzle-orm";
import { members, securityLog } from "../../../db/schema";
import { DAY, MINUTE } from "../../../shared/limits";
import { createTestApp, type TestApp } from "../../../testing/app";
import { enrollAgent } from "../../../testing/fixtures/agents";
import { addChannel, telegramChannel } from "../../../testing/fixtures/alerts";
import { addMonitor } from "../../../testing/fixtures/monitors";
import { joinTeam, type TestUser } from "../../../testing/fixtures/people";
import { purgeSecurityLog } from "../security-log";

const NOWHERE = "http://127.0.0.1:1/";
const FROM = { "x-forwarded-for": "192.0.2.7" };

const setUp = async () => {
  const app = await createTestApp({ env: { TRUST_PROXY: "1" } });
  const people = await app.people();
  return { app, ...people };
};

const read = async (app: TestApp, viewer: TestUser, query = "") =>
  (await app.as(viewer).get(`/api/audit?${query}`)).body.changes;
const summaries = async (app: TestApp, viewer: TestUser, query = "") =>
  (await read(app, viewer, query)).map(({ action, object }) => `${action} ${object.type} ${object.name}`);

const settings = (more: object = {}) => ({ name: "shop", url: NOWHERE, interval: 60, timeout: 10, ...more });

describe("the log of changes", () => {
  it("has each change of a monitor with its old and new values, the user, the address and the key", async () => {
    const { app, bob } = await setUp();
    const created = await app.as(bob).post("/api/monitors", settings({ active: false }), FROM);
    const { id } = created.body.monitor;
    const { key } = (await app.as(bob).post("/api/keys", { name: "deploy", scope: "full" })).body;
    app.clock.set(app.clock.now() + MINUTE);
    const byKey = { authorization: `Bearer ${key}`, "content-type": "application/json", ...FROM };
    const changed = { method: "PUT", headers: byKey, body: JSON.stringify(settings({ interval: 300, name: "Shop" })) };
    expect((await app.send(new Request(`http://localhost/api/monitors/${id}`, changed))).status).toBe(200);
    await app.as(bob).post(`/api/monitors/${id}/resume`);
    await app.as(bob).post(`/api/monitors/${id}/resume`);
    await app.as(bob).delete(`/api/monitors/${id}`);
    const [deleted, resumed, edited, made, ...others] = await read(app, bob, `object=monitor:${id}`);
    expect(others).toEqual([]);
    expect(deleted).toMatchObject({ action: "deleted", object: { name: "Shop" }, fields: {} });
    expect(resumed).toMatchObject({ action: "resumed", fields: { active: [false, true] } });
    expect(edited).toMatchObject({
      ...{ at: new Date(app.clock.now()).toISOString(), user: "bob", key: "deploy", address: "192.0.2.7" },
      ...{ action: "changed", object: { type: "monitor", id, name: "Shop" }, objects: 1 },
      fields: { name: ["shop", "Shop"], interval: [60, 300] },
    });
    expect(made).toMatchObject({ action: "created", key: null, object: { name: "shop" }, fields: {} });
  });

  it("says only that a header, a body, a password, or the secret part of an address changed", async () => {
    const { app, bob } = await setUp();
    const secrets = (word: string) =>
      settings({
        ...{ url: `https://user:${word}@shop.example/health?token=${word}`, method: "POST", active: false },
        ...{ headers: { Authorization: word }, body: word },
      });
    const { id } = (await app.as(bob).post("/api/monitors", secrets("first secret"))).body.monitor;
    await app.as(bob).put(`/api/monitors/${id}`, secrets("second secret"));
    await app
      .as(bob)
      .put(`/api/monitors/${id}`, { ...secrets("second secret"), url: "https://blog.example/?token=third" });
    const [moved, changed] = await read(app, bob, `object=monitor:${id}`);
    expect(changed?.fields).toEqual({ url: null, headers: null, body: null });
    expect(moved?.fields).toEqual({
      url: ["https://••••@shop.example/health?token=••••", "https://blog.example/?token=••••"],
    });
    const channel = await addChannel(app, bob);
    const botToken = telegramChannel().config.botToken.replace(/.{4}$/, "abcd");
    const body = { ...telegramChannel(), config: { ...telegramChannel().config, botToken } };
    await app.as(bob).put(`/api/notifications/channels/${channel}`, body);
    expect((await read(app, bob, `object=channel:${channel}`))[0]?.fields).toEqual({ bot_token: null });
    const stored = JSON.stringify(await app.db.select().from(securityLog));
    for (const secret of ["first secret", "second secret", "third", botToken]) expect(stored).not.toContain(secret);
  });

  it("hides the values of a field that is not named", async () => {
    const { changedFields } = await import("./fields");
    expect(changedFields("tag", { before: { name: "a", newColumn: 1 }, after: { name: "b", newColumn: 2 } })).toEqual({
      name: ["a", "b"],
      new_column: null,
    });
    const days = { before: { days: [7] }, after: { days: [7, 30] } };
    expect(changedFields("monitor", { ...days, further: ["days"] })).toEqual({ days: ["7", "7, 30"] });
    expect(changedFields("monitor", days)).toEqual({ days: null });
  });

  it("has a call that changes many monitors as one entry, and each in the changes of its monitor", async () => {
    const { app, bob } = await setUp();
    const ids: number[] = [];
    for (let index = 0; index < 3; index++)
      ids.push(await addMonitor(app, bob, { name: `shop ${index}`, url: NOWHERE }));
    await app.as(bob).post("/api/monitors/bulk", { ids, set: { interval: 600, add_tags: [{ name: "shop" }] } });
    await app.as(bob).post("/api/monitors/bulk", { ids, action: "pause", dry_run: true });
    const [all, ...earlier] = await read(app, bob);
    expect(all).toMatchObject({ action: "changed", objects: 3, fields: { interval: [60, 600], tags: ["", "shop"] } });
    expect(earlier.map(({ action }) => action)).toEqual(["created", "created", "created"]);
    for (const id of ids)
      expect((await read(app, bob, `object=monitor:${id}`)).map(({ action }) => action)).toEqual([
        "changed",
        "created",
      ]);
    await app.as(bob).post("/api/monitors/bulk", { ids, action: "delete" });
    expect((await read(app, bob))[0]).toMatchObject({ action: "deleted", objects: 3 });
  });

  it("has how a monitor alerts, its mutes, dependencies and objective as its changes", async () => {
    const { app, bob } = await setUp();
    const id = await addMonitor(app, bob, { name: "shop", url: NOWHERE });
    const parent = await addMonitor(app, bob, { name: "router", url: NOWHERE });
    const channel = await addChannel(app, bob, { ...telegramChannel(), name: "On call" });
    const client = app.as(bob);
    const rule = { target_type: "monitor", target_id: id, override_global: true, channels: [channel] };
    await client.post("/api/notifications/settings", rule);
    await client.put(`/api/monitors/${id}/dependencies`, { parents: [{ type: "monitor", id: parent }] });
    await client.put(`/api/monitors/${id}/objective`, { target: 99.9, period: "30d" });
    await client.post(`/api/monitors/${id}/mute`, { until_recovery: true });
    await client.delete(`/api/monitors/${id}/mute`);
    await client.delete(`/api/monitors/${id}/mute`);
    await client.delete(`/api/monitors/${id}/objective`);
    const shown = (await read(app, bob, `object=monitor:${id}`)).map(({ action, fields }) => ({ action, fields }));
    expect(shown).toMatchObject([
      { action: "changed", fields: { objective: [99.9, null] } },
      { action: "unmuted", fields: {} },
      { action: "muted", fields: { until_recovery: [null, true] } },
      { action: "changed", fields: { objective: [null, 99.9], objective_period: [null, "30d"] } },
      { action: "changed", fields: { parents: ["", "router"] } },
      { action: "changed", fields: { own_rule: [false, true], channels: ["", "On call"] } },
      { action: "created" },
    ]);
  });

  it("has an import as one entry that counts what it created", async () => {
    const { app, bob } = await setUp();
    const monitors = ["shop", "blog"].map((name) => settings({ name }));
    await app.as(bob).post("/api/import", { format: "wakeful-configuration", version: 1, monitors });
    await app.as(bob).post("/api/import", { format: "wakeful-configuration", version: 1, monitors });
    expect(await read(app, bob)).toMatchObject([
      { action: "created", object: { type: "import", name: "wakeful" }, fields: { monitors: [null, 2] } },
    ]);
  });

  it("has who created a team and who joined, changed and left it, for its members", async () => {
    const { app, alice, bob, charlie } = await setUp();
    const { team } = (await app.as(bob).post("/api/teams", { name: "Shop" })).body;
    await joinTeam(app, bob, charlie, { id: team.id, role: "viewer" });
    for (const role of ["editor", "editor"])
      await app.as(bob).put(`/api/teams/${team.id}/members/${charlie.id}`, { role });
    const shown = async (viewer: TestUser) =>
      (await read(app, viewer, "object=team,member")).map(
        ({ user, action, object, fields }) => `${user} ${action} ${object.name} ${JSON.stringify(fields)}`,
      );
    const expected = [
      'bob changed charlie {"role":["viewer","editor"]}',
      'charlie created charlie {"role":[null,"viewer"]}',
      "bob created Shop {}",
    ];
    expect([await shown(bob), await shown(charlie)]).toEqual([expected, expected]);
    await app.as(charlie).delete(`/api/teams/${team.id}/members/${charlie.id}`);
    expect((await shown(bob))[0]).toBe('charlie deleted charlie {"role":["editor",null]}');
    expect(await shown(charlie)).toEqual([]);
    await app.as(bob).delete(`/api/teams/${team.id}`);
    expect(await shown(bob)).toEqual([]);
    expect((await shown(alice)).slice(0, 2)).toEqual([
      "bob deleted Shop {}",
      'charlie deleted charlie {"role":["editor",null]}',
    ]);
  });

  it("has an enrolled server without a user, and its deletion", async () => {
    const { app, bob } = await setUp();
    const { id } = await enrollAgent(app, bob, { hostname: "db-7" });
    await app.as(bob).delete(`/api/agents/${id}`);
    expect(await read(app, bob, `object=agent:${id}`)).toMatchObject([
      { action: "deleted", user: "bob", object: { name: "db-7" } },
      { action: "created", user: null, object: { name: "db-7" } },
    ]);
  });
});

describe("a viewer of the log of changes", () => {
  it("sees the changes in their own teams, and an administrator those of all and of the hub", async () => {
    const { app, alice, bob, charlie } = await setUp();
    await addMonitor(app, bob, { name: "bob's", url: NOWHERE });
    await app.as(charlie).post("/api/monitors", settings({ name: "charlie's" }));
    await app.as(alice).put("/api/auth/registration", { open: false });
    expect(await summaries(app, bob)).toEqual(["created monitor bob's"]);
    expect(await summaries(app, charlie)).toEqual(["created monitor charlie's"]);
    expect(await summaries(app, alice)).toContain("changed settings ");
    expect(await summaries(app, alice)).toContain("created monitor charlie's");
    expect((await app.anybody.get("/api/audit")).status).toBe(401);
  });

  it("sees addresses of their own changes, and of all changes if they own the team", async () => {
    const { app, alice, bob, charlie } = await setUp();
    await app.db.insert(members).values({ userId: charlie.id, teamId: bob.teamId, role: "editor" });
    await app.as(bob).post("/api/walls", { name: "Office" }, FROM);
    await app.as(charlie).post("/api/walls", { name: "Hall" }, FROM);
    await app.db.update(securityLog).set({ teamId: bob.teamId }).where(isNotNull(securityLog.action));
    const addresses = async (viewer: TestUser) =>
      (await read(app, viewer, "object=wall")).map(({ user, address }) => [user, address]);
    const all = [
      ["charlie", "192.0.2.7"],
      ["bob", "192.0.2.7"],
    ];
    expect(await addresses(bob)).toEqual(all);
    expect(await addresses(alice)).toEqual(all);
    expect(await addresses(charlie)).toEqual([
      ["charlie", "192.0.2.7"],
      ["bob", null],
    ]);
    const { key } = (await app.as(bob).post("/api/keys", { name: "metrics", scope: "read" })).body;
    const asKey = { ...bob, token: key };
    expect((await addresses(asKey)).map(([, address]) => address)).toEqual([null, null]);
  });

  it("filters by object, user and time, and reads page after page", async () => {
    const { app, bob, charlie } = await setUp();
    const start = app.clock.now();
    for (let minute = 0; minute < 5; minute++) {
      app.clock.set(start + minute * MINUTE);
      await app.as(bob).post("/api/walls", { name: `wall ${minute}` });
    }
    await app.as(bob).post("/api/reports/links", { period: "last_month", name: "Acme" });
    const page = (await app.as(bob).get("/api/audit?limit=4")).body;
    expect(page.changes).toHaveLength(4);
    const rest = (await app.as(bob).get(`/api/audit?limit=4&before=${page.next}`)).body;
    expect([rest.changes.map(({ object }) => object.name), rest.next]).toEqual([["wall 1", "wall 0"], null]);
    const time = (minute: number) => encodeURIComponent(new Date(start + minute * MINUTE).toISOString());
    expect(await summaries(app, bob, `from=${time(1)}&to=${time(3)}`)).toEqual([
      "created wall wall 2",
      "created wall wall 1",
    ]);
    expect(await summaries(app, bob, "object=report_link,wall&limit=2")).toEqual([
      "created report_link Acme",
      "created wall wall 4",
    ]);
    expect(await summaries(app, bob, "user=charlie")).toEqual([]);
    for (const query of ["object=nothing", "object=monitor:x", "object=monitor:1:2", "before=999999", "limit=0"])
      expect((await app.as(bob).get(`/api/audit?${query}`)).status).toBe(422);
    expect((await app.as(charlie).get(`/api/audit?before=${page.next}`)).status).toBe(422);
  });
});

describe("changes and deletions of one monitor", () => {
  it("at the same time leave exactly one deletion, which is the last entry", async () => {
    const { app, bob } = await setUp();
    const id = await addMonitor(app, bob, { name: "shop", url: NOWHERE, active: false });
    const client = app.as(bob);
    const calls = [2, 3, 4].map((retries) => client.put(`/api/monitors/${id}`, settings({ retries, interval: 600 })));
    const deletions = [client.delete(`/api/monitors/${id}`), client.delete(`/api/monitors/${id}`)];
    await Promise.all([...calls, ...deletions]);
    const actions = (await read(app, bob, `object=monitor:${id}`)).map(({ action }) => action);
    expect(actions[0]).toBe("deleted");
    expect(actions.filter((action) => action === "deleted")).toHaveLength(1);
  });
});

describe("the retention of changes", () => {
  const row = (at: number, teamId: number | null) => ({
    ...{ at, kind: "change", username: "bob", address: "", detail: "", teamId },
    ...{ action: "changed" as const, objectType: "monitor" as const, objectId: 1, objectName: "shop", fields: {} },
  });

  it("purges changes after RETENTION_AUDIT_DAYS", async () => {
    const app = await createTestApp({ env: { RETENTION_AUDIT_DAYS: "7" } });
    const { bob } = await app.people();
    await app.db.insert(securityLog).values([row(app.clock.now(), bob.teamId), row(app.clock.now() + 1, bob.teamId)]);
    await app.clock.advance(7 * DAY + 1);
    await purgeSecurityLog(app.deps);
    expect(await app.db.$count(securityLog, eq(securityLog.teamId, bob.teamId))).toBe(1);
  });

  it("keeps the latest ones of each team, so that a team displaces only its own", async () => {
    const { app, bob, charlie } = await setUp();
    const [now, at] = [app.clock.now(), (index: number) => app.clock.now() + Math.floor(index / 3)];
    await app.db.insert(securityLog).values([row(now, charlie.teamId), row(now, null)]);
    await app.db.insert(securityLog).values(Array.from({ length: 30 }, (_, index) => row(at(index), bob.teamId)));
    const ids = (await app.db.select({ id: securityLog.id }).from(securityLog))
      .map(({ id }) => id)
      .sort((a, b) => a - b);
    await purgeSecurityLog(app.deps, { perTeam: 10 });
    const kept = await app.db.select({ id: securityLog.id }).from(securityLog);
    const expected = [...ids.slice(0, -30), ...ids.slice(-10)];
    expect(kept.map(({ id }) => id).sort((a, b) => a - b)).toEqual(expected);
  });

  it("keeps a deletion of a user for administrators, with the changes in the user's team", async () => {
    const { app, alice, bob } = await setUp();
    await app.as(bob).post("/api/walls", { name: "Office" });
    await app.as(alice).delete(`/api/users/${bob.id}`);
    expect((await summaries(app, alice)).slice(0, 2)).toEqual(["deleted user bob", "created wall Office"]);
  });
});
