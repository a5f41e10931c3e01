import { expect, it } from "bun:test";
import { createTestApp } from "../../../../testing/app";
import { START } from "../../../../testing/clock";
import { enrollAgent, sampleAt, writeReports } from "../../../../testing/fixtures/agents";
import { createDatabase, type Tables } from "../../../../testing/fixtures/imports/database";
import { importer, uploadOf } from "../../../../testing/fixtures/imports/kuma";
import type { TestUser } from "../../../../testing/fixtures/people";

const start = async (env: Record<string, string> = {}) => {
  const app = await createTestApp({ env });
  const { alice, bob } = await app.people();
  const as = (user: TestUser) => {
    const calls = importer(app.send, user.token);
    const importFile = async (tables: Tables) => {
      const preview = (await calls.preview(uploadOf(createDatabase(tables)))).body;
      return { preview, body: (await calls.apply(preview.id)).body };
    };
    return { ...calls, importFile, client: app.as(user) };
  };
  return { app, alice, bob, as, ...as(alice) };
};

type Answer = { items: { name: string; outcome: string; notes: { code: string }[] }[] };
const rowsOf = ({ items }: Answer) =>
  items.map(({ name, outcome, notes }) => [name, outcome, ...notes.map(({ code }) => code)]);

const CLIENT = {
  ...{ uuid: "c1", name: "tokyo-1", group: "asia", tags: "prod<red>;web", weight: 2, price: 12.5, billing_cycle: 365 },
  ...{ auto_renewal: 0, currency: "$", expired_at: "2026-12-31 00:00:00+00:00", remark: "" },
  ...{ traffic_limit: 1e12, traffic_limit_type: "up" },
};
const KOMARI: Tables = {
  clients: [
    CLIENT,
    {
      ...{ ...CLIENT, uuid: "c2", name: "free-1", group: "", tags: "", weight: 1, price: -1, traffic_limit: 0 },
      expired_at: "0001-01-01 00:00:00+00:00",
    },
    { ...CLIENT, uuid: "c3", name: "forever", weight: 3, currency: "gold", traffic_limit: 0, auto_renewal: 1 },
  ],
  ping_tasks: [{ id: 1, name: "Cloudflare" }],
};

it("servers of komari bring groups, tags, prices, ends and quotas, and enroll with a token each", async () => {
  const { app, alice, importFile, client } = await start();
  const { preview, body } = await importFile(KOMARI);
  expect([preview.source, ...rowsOf(preview)]).toEqual([
    "komari",
    ["free-1", "take"],
    ["tokyo-1", "change", "reset_day_unknown"],
    ["forever", "change", "field_left_out", "field_left_out"],
    ["Cloudflare", "skip", "object_unsupported"],
  ]);
  expect(preview.items.every(({ enrollment }) => enrollment === null)).toBe(true);
  expect(rowsOf(body)).toEqual(rowsOf(preview));
  const { agents } = (await client.get("/api/agents?sort=name")).body;
  expect(agents).toMatchObject([
    { name: "forever", status: "connecting" },
    { name: "free-1", status: "connecting" },
    {
      name: "tokyo-1",
      status: "connecting",
      tags: [{ name: "group", value: "asia" }, { name: "prod" }, { name: "web" }],
    },
  ]);
  const tokyo = body.items.find(({ name }) => name === "tokyo-1");
  const detail = (await client.get(`/api/agents/${tokyo?.target_id}`)).body.agent;
  expect(detail.plan).toEqual({
    traffic: { quota: 1e12, reset_day: 1, zone: "UTC", mode: "tx", correction: null },
    contract: { ends_on: "2026-12-31", price: 12.5, currency: "USD", months: 12, note: "" },
  });
  const enrolled = await enrollAgent(app, alice, { token: tokyo?.enrollment?.token ?? "", hostname: "vm-1234" });
  expect(enrolled.id).toBe(tokyo?.target_id ?? 0);
  expect((await client.get(`/api/agents/${enrolled.id}`)).body.agent).toMatchObject({
    ...{ name: "tokyo-1", hostname: "vm-1234", plan: detail.plan },
  });
  expect((await client.get("/api/agents")).body.total).toBe(3);
});

it("a second import adds no server, and gives new tokens for those that have not reported", async () => {
  const { app, alice, importFile, client } = await start();
  const first = (await importFile(KOMARI)).body;
  const tokenOf = (answer: typeof first, name: string) =>
    answer.items.find((item) => item.name === name)?.enrollment?.token ?? null;
  const machine = await enrollAgent(app, alice, { token: tokenOf(first, "tokyo-1") ?? "", hostname: "tokyo-1" });
  await machine.report([sampleAt(START)]);
  await writeReports(app);
  const { preview, body } = await importFile(KOMARI);
  expect(rowsOf(preview)).toEqual([
    ["free-1", "exists", "command_again"],
    ["tokyo-1", "exists"],
    ["forever", "exists", "command_again"],
    ["Cloudflare", "skip", "object_unsupported"],
  ]);
  expect([tokenOf(body, "tokyo-1"), tokenOf(body, "free-1")]).toEqual([null, expect.stringMatching(/^wkt_/)]);
  expect((await client.get("/api/agents")).body.total).toBe(3);
  // The first token of this server is replaced.
  expect(
    (await client.get("/api/agents/tokens")).body.tokens.filter(({ used }: { used: boolean }) => !used),
  ).toHaveLength(2);
});

it("servers beyond the quota are listed, those without a token wait for another import, and keys create no tokens", async () => {
  const { app, bob, as } = await start({ QUOTA_SERVERS: "2", QUOTA_ENROLLMENT_TOKENS: "1" });
  const { preview, body } = await as(bob).importFile(KOMARI);
  const expected = [
    ["free-1", "take"],
    ["tokyo-1", "change", "reset_day_unknown"],
  ];
  expect(rowsOf(preview).slice(0, 2)).toEqual(expected);
  expect(rowsOf(preview)[2]).toContain("quota");
  expect(rowsOf(body).slice(0, 2)).toEqual([
    ["free-1", "take"],
    ["tokyo-1", "change", "reset_day_unknown", "command_missing"],
  ]);
  const { key } = (await app.as(bob).post("/api/keys", { name: "cli", scope: "full" })).body as unknown as {
    key: string;
  };
  const byKey = importer(app.send, key);
  const again = (await byKey.preview(uploadOf(createDatabase(KOMARI)))).body;
  const done = (await byKey.apply(again.id)).body;
  expect(rowsOf(done)[0]).toEqual(["free-1", "exists", "command_again", "command_session"]);
  expect(done.items.every(({ enrollment }) => enrollment === null)).toBe(true);
});

it("tokens of an import are read again in its report, but not by an API key without the scope enroll", async () => {
  const { app, bob, as } = await start();
  const { importFile, report } = as(bob);
  const { preview, body } = await importFile(KOMARI);
  expect((await report(preview.id)).body.items).toEqual(body.items);
  const { key } = (await app.as(bob).post("/api/keys", { name: "cli", scope: "full" })).body as unknown as {
    key: string;
  };
  const { items } = (await importer(app.send, key).report(preview.id)).body;
  expect(items.every(({ enrollment }) => enrollment === null)).toBe(true);
  const scopes = ["apply", "enroll"];
  const enrolling = (await app.as(bob).post("/api/keys", { name: "cli", scopes })).body as unknown as { key: string };
  expect((await importer(app.send, enrolling.key).report(preview.id)).body.items).toEqual(body.items);
});

it("an import with a key for imports and enrollment issues the commands of its servers", async () => {
  const { app, bob } = await start();
  const scopes = ["apply", "enroll"];
  const { key } = (await app.as(bob).post("/api/keys", { name: "cli", scopes })).body as unknown as { key: string };
  const calls = importer(app.send, key);
  const { id } = (await calls.preview(uploadOf(createDatabase(KOMARI)))).body;
  const { items } = (await calls.apply(id)).body;
  expect(items.map(({ name, enrollment }) => [name, enrollment !== null])).toEqual([
    ["free-1", true],
    ["tokyo-1", true],
    ["forever", true],
    ["Cloudflare", false],
  ]);
});

it("a deleted server takes its token with it", async () => {
  const { app, importFile, client } = await start();
  const { body } = await importFile(KOMARI);
  const [first] = body.items;
  await client.delete(`/api/agents/${first?.target_id}`);
  const refused = await app.anybody.post("/api/agents/register", {
    ...{ token: first?.enrollment?.token, machine_id: "m".repeat(40), hostname: "x", name: "x" },
    ...{ ip_addresses: [], os: "Linux", version: "1" },
  });
  expect(refused.body.code).toBe("token_invalid");
  expect((await importFile(KOMARI)).preview.items[0]).toMatchObject({ name: "free-1", outcome: "take" });
});

const note = (billing: object, plan: object = {}) => JSON.stringify({ billingDataMod: billing, planDataMod: plan });
const NEZHA: Tables = {
  servers: [
    {
      ...{ id: 1, uuid: "u1", name: "hk-1", note: "rack 3", display_index: 1, deleted_at: null },
      public_note: note(
        { endDate: "2026-11-01T00:00:00+08:00", cycle: "季", amount: "€3.99", autoRenewal: "1" },
        { trafficVol: "1.5TB/月", trafficType: "2" },
      ),
    },
    {
      ...{ id: 2, uuid: "u2", name: "hk-2", note: "", display_index: 0, deleted_at: null },
      public_note: note({ endDate: "0000-00-00T23:59:59+08:00", amount: "0" }),
    },
    { id: 3, uuid: "u3", name: "bad", note: "", display_index: 0, deleted_at: null, public_note: "{oops" },
    { id: 4, uuid: "u4", name: "gone", note: "", display_index: 0, deleted_at: "2025-01-01", public_note: "" },
  ],
  server_groups: [{ id: 7, name: "Hong Kong" }],
  server_group_servers: [{ server_group_id: 7, server_id: 1 }],
  services: [
    { id: 1, name: "Shop", type: 1, target: "https://shop.example.com/", duration: 60 },
    { id: 2, name: "Gateway", type: 2, target: "gw.example.com", duration: 30 },
    { id: 3, name: "SSH", type: 3, target: "[2001:db8::1]:22", duration: 60 },
    { id: 4, name: "Command", type: 4, target: "ls", duration: 60 },
  ],
  alert_rules: [{ id: 1, name: "CPU" }],
};

it("servers of Nezha bring what their public notes say, and services become monitors", async () => {
  const { importFile, client } = await start();
  const { preview, body } = await importFile(NEZHA);
  expect([preview.source, ...rowsOf(preview)]).toEqual([
    "nezha",
    ["Shop", "change", "location_differs"],
    ["Gateway", "change", "location_differs", "interval_changed"],
    ["SSH", "change", "location_differs"],
    ["Command", "skip", "kind_unsupported"],
    ["hk-1", "change", "field_left_out", "reset_day_unknown"],
    ["hk-2", "take"],
    ["bad", "take"],
    ["CPU", "skip", "object_unsupported"],
  ]);
  const id = body.items.find(({ name }) => name === "hk-1")?.target_id;
  expect((await client.get(`/api/agents/${id}`)).body.agent).toMatchObject({
    tags: [{ name: "group", value: "Hong Kong" }],
    plan: {
      traffic: { quota: 1.5e12, mode: "sum" },
      contract: { ends_on: "2026-11-01", price: 3.99, currency: "EUR", months: 3, note: "rack 3" },
    },
  });
  expect((await client.get("/api/monitors?fields=all&search=SSH")).body.monitors).toMatchObject([
    { kind: "tcp", config: { host: "2001:db8::1", port: 22 } },
  ]);
});

const SYSTEM = { id: "s1", name: "db", host: "10.0.0.1", port: "45876", info: "{}", status: "up" };
const BESZEL: Tables = {
  systems: [SYSTEM, { ...SYSTEM, id: "s2", name: "web", host: "10.0.0.2" }],
  alerts: [
    { id: "a1", system: "s1", name: "CPU", value: 80, min: 10 },
    { id: "a2", system: "s2", name: "CPU", value: 80, min: 10 },
    { id: "a3", system: "s1", name: "Disk", value: 90, min: 5 },
    { id: "a4", system: "s1", name: "Bandwidth", value: 100, min: 5 },
    { id: "a5", system: "s1", name: "Status", value: 0, min: 5 },
    { id: "a6", system: "s2", name: "Memory", value: 900, min: 5 },
    { id: "a7", system: "gone", name: "CPU", value: 1, min: 5 },
  ],
  user_settings: [{ id: "u1", settings: JSON.stringify({ webhooks: ["discord://token@1"] }) }],
};

it("systems of Beszel bring their alerts as thresholds, once for all servers where these are equal", async () => {
  const { importFile, client } = await start();
  const { preview, body } = await importFile(BESZEL);
  const expected = [
    ["db", "take"],
    ["web", "take"],
    ["CPU", "take"],
    ["db: Disk", "take"],
    ["Bandwidth", "skip", "object_unsupported"],
    ["Status", "skip", "offline_rule"],
    ["web: Memory", "skip", "invalid"],
    ["discord", "skip", "object_unsupported"],
  ];
  expect(rowsOf(preview)).toEqual(expected);
  expect(rowsOf(body)).toEqual(expected);
  const { thresholds } = (await client.get("/api/thresholds")).body;
  expect(thresholds).toMatchObject([
    { scope: "all", metric: "cpu", threshold: 80, clear: 75, minutes: 10 },
    { scope: "agent", agent: { name: "db" }, metric: "disk", threshold: 90, minutes: 5 },
  ]);
  expect((await importFile(BESZEL)).body.counts).toMatchObject({ take: 0, change: 0, exists: 4 });
  expect((await client.get("/api/thresholds")).body.thresholds).toHaveLength(2);
});

it("a threshold is left out with its server", async () => {
  const { preview, apply, client } = await start();
  const { body } = await preview(uploadOf(createDatabase(BESZEL)));
  const done = (await apply(body.id, { skip: ["server:s1"] })).body;
  expect(rowsOf(done)).toContainEqual(["db: Disk", "skip", "parent_left_out"]);
  expect((await client.get("/api/thresholds")).body.thresholds).toHaveLength(1);
});

it("the YAML file of Beszel has its systems", async () => {
  const { preview } = await start();
  const form = new FormData();
  const text =
    "# Values for port, users, and token are optional.\n\nsystems:\n    - name: db\n      host: 10.0.0.1\n      port: 45876\n      users: []\n    - host: web\n";
  form.set("file", new Blob([text]), "config.yml");
  const { body } = await preview(form);
  expect([body.source, ...rowsOf(body)]).toEqual(["beszel", ["db", "take"], ["web", "take"]]);
});
