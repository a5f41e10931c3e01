import { expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { agents, events, messageTemplates, monitors, mutes, notificationRules, outages } from "../../db/schema";
import { createTestApp } from "../../testing/app";
import { enrollAgent, machine, sampleAt } from "../../testing/fixtures/agents";
import { addChannel, addPolicy, recordDown, saveRule } from "../../testing/fixtures/alerts";
import { addMonitor, countHistory } from "../../testing/fixtures/monitors";
import { joinTeam } from "../../testing/fixtures/people";
import { publish, readStatusData } from "../../testing/fixtures/status-page";
import { serveTelegram } from "../../testing/servers/providers";

const NOWHERE = "http://192.0.2.1/";
type Refused = { status: number; body: { code: string; links?: { kind: string; name: string }[] } };
const linksOf = ({ status, body }: Refused) => [
  status,
  body.code,
  ...(body.links ?? []).map(({ kind, name }) => `${kind} ${name}`),
];

const start = async () => {
  const telegram = serveTelegram();
  const app = await createTestApp({ env: { TELEGRAM_API_URL: telegram.origin } });
  const people = await app.people();
  const bob = app.as(people.bob);
  const { id: shop } = (await bob.post("/api/teams", { name: "Shop" })).body.team;
  const monitor = await addMonitor(app, people.bob, { url: NOWHERE, name: "api" });
  const move = (id = monitor, body: object = {}) => bob.post(`/api/monitors/${id}/move`, { team: shop, ...body });
  return { app, ...people, client: bob, shop, monitor, move };
};

it("a monitor without links moves with its history, outages, events and mute", async () => {
  const { app, bob, client, shop, monitor, move } = await start();
  await recordDown(app, monitor);
  await client.post(`/api/monitors/${monitor}/mute`, { forever: true });
  const before = await countHistory(app, monitor);
  expect((await move()).body.dropped).toEqual([]);
  expect(await countHistory(app, monitor)).toEqual(before);
  for (const table of [outages, events, mutes] as (typeof outages)[])
    expect((await app.db.select().from(table)).map(({ teamId, userId }) => [teamId, userId])).toEqual([[shop, bob.id]]);
  expect((await client.get(`/api/monitors/${monitor}`)).body.monitor.outages).toHaveLength(1);
});

it("what would cross is listed, and ends with drop", async () => {
  const { app, bob, client, shop, monitor, move } = await start();
  const channel = await addChannel(app, bob);
  const policy = await addPolicy(app, bob, { name: "Night", steps: [{ after_minutes: 0, channels: [channel] }] });
  const other = await addMonitor(app, bob, { url: NOWHERE, name: "router" });
  const own = { target_type: "monitor", target_id: monitor, override_global: true, critical: true };
  await saveRule(app, bob, { ...own, channels: [channel], policy_id: policy });
  await client.put(`/api/monitors/${monitor}/dependencies`, { parents: [{ type: "monitor", id: other }] });
  const definition = { name: "api", url: NOWHERE, interval: 60, tags: [{ name: "production" }] };
  await client.put(`/api/monitors/${monitor}`, definition);
  await publish(app, bob, { title: "bob's", monitors: [monitor] });
  const links = ["channel chat", "policy Night", "dependency router", "tag production", "page "];
  expect(linksOf(await move())).toEqual([409, "links_would_end", ...links]);
  expect((await app.db.select().from(monitors).where(eq(monitors.id, monitor)))[0]?.teamId).toBe(bob.teamId);
  const { dropped } = (await move(monitor, { drop: true })).body;
  expect(dropped.map(({ kind, name }) => `${kind} ${name}`)).toEqual(links);
  const [rule] = await app.db.select().from(notificationRules);
  expect(rule).toMatchObject({ teamId: shop, overrideGlobal: false, channels: [], policyId: null, critical: true });
  const { parents } = (await client.get(`/api/monitors/${monitor}/dependencies`)).body;
  expect([parents, (await client.get(`/api/monitors/${monitor}`)).body.monitor.tags]).toEqual([[], []]);
  expect((await readStatusData(app, "bob")).monitors).toEqual([]);
});

it("only editors of both teams move, and other users find neither the monitor nor the team", async () => {
  const { app, bob, charlie, shop, monitor } = await start();
  const by = async (team: number, body: object = {}) =>
    linksOf(await app.as(charlie).post(`/api/monitors/${monitor}/move`, { team, ...body }));
  expect(await by(charlie.teamId)).toEqual([404, "not_found"]);
  await joinTeam(app, bob, charlie, { id: bob.teamId, role: "viewer" });
  expect(await by(charlie.teamId)).toEqual([403, "role_insufficient"]);
  await app.as(bob).put(`/api/teams/${bob.teamId}/members/${charlie.id}`, { role: "editor" });
  expect(await by(shop)).toEqual([404, "not_found"]);
  await joinTeam(app, bob, charlie, { id: shop, role: "viewer" });
  expect(await by(shop)).toEqual([403, "role_insufficient"]);
  await app.as(bob).put(`/api/teams/${shop}/members/${charlie.id}`, { role: "editor" });
  expect((await app.as(charlie).post(`/api/monitors/${monitor}/move`, { team: shop })).status).toBe(200);
  expect((await app.db.select().from(monitors))[0]).toMatchObject({ teamId: shop, userId: charlie.id });
});

it("a move counts for the quota of the new team, and a move to the same team changes nothing", async () => {
  const telegram = serveTelegram();
  const app = await createTestApp({ env: { TELEGRAM_API_URL: telegram.origin, QUOTA_MONITORS: "1" } });
  const { bob } = await app.people();
  const client = app.as(bob);
  const { id: shop } = (await client.post("/api/teams", { name: "Shop" })).body.team;
  const first = await addMonitor(app, bob, { url: NOWHERE });
  expect((await client.post(`/api/monitors/${first}/move`, { team: bob.teamId })).body.dropped).toEqual([]);
  expect((await client.post(`/api/monitors/${first}/move`, { team: shop })).status).toBe(200);
  const second = await addMonitor(app, bob, { url: NOWHERE });
  expect(linksOf(await client.post(`/api/monitors/${second}/move`, { team: shop }))).toEqual([409, "quota_reached"]);
});

it("a server goes on reporting after a move, and its machine is a new server when it enrolls again", async () => {
  const { app, bob, client, shop } = await start();
  const server = await enrollAgent(app, bob, { machine_id: "the machine" });
  expect((await client.post(`/api/agents/${server.id}/move`, { team: shop })).body.dropped).toEqual([]);
  expect((await server.report([sampleAt(app.clock.now())])).status).toBe(200);
  const { token } = (await client.post("/api/agents/token/generate")).body;
  const again = (await app.anybody.post("/api/agents/register", { token, ...machine(), machine_id: "the machine" }))
    .body;
  expect(again.agent.id).not.toBe(server.id);
  const rows = await app.db.select().from(agents);
  expect(rows.map(({ id, teamId }) => [id, teamId]).toSorted()).toEqual([
    [server.id, shop],
    [again.agent.id, bob.teamId],
  ]);
});

it("a channel moves with its templates, and the rules and policies that send to it are listed", async () => {
  const { app, bob, client, shop, monitor } = await start();
  const channel = await addChannel(app, bob);
  await client.post("/api/notifications/templates", { channel_id: channel, title: "x", body: "" });
  await addPolicy(app, bob, { name: "Night", steps: [{ after_minutes: 0, channels: [channel] }] });
  await saveRule(app, bob, { target_type: "global-monitor", on_down: true, channels: [channel] });
  await saveRule(app, bob, { target_type: "monitor", target_id: monitor, override_global: true, channels: [channel] });
  const move = (body: object) => client.post(`/api/channels/${channel}/move`, { team: shop, ...body });
  expect(linksOf(await move({}))).toEqual([409, "links_would_end", "policy Night", "rule ", "rule api"]);
  expect((await move({ drop: true })).status).toBe(200);
  expect((await app.db.select().from(messageTemplates))[0]?.teamId).toBe(shop);
  const { data } = (await client.get("/api/notifications")).body;
  expect([data.channels, data.settings.monitors.channels]).toEqual([[], []]);
});
