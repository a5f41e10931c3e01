import { expect, it } from "bun:test";
import { existsSync } from "node:fs";
import { MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import {
  createKuma,
  HTTP,
  importer,
  importFile,
  type KumaContent,
  SHOP,
  uploadOf,
} from "../../../testing/fixtures/imports/kuma";
import type { TestUser } from "../../../testing/fixtures/people";
import { readStatusConfig } from "../../../testing/fixtures/status-page";
import { findPreview } from "./store";

const outcomes = ({ items }: { items: { name: string; outcome: string }[] }) =>
  Object.fromEntries(items.map(({ name, outcome }) => [name, outcome]));

const start = async (env: Record<string, string> = {}) => {
  const app = await createTestApp({ env });
  const people = await app.people();
  return { app, ...people, as: (user: TestUser) => importer(app.send, user.token) };
};

it("a preview says what becomes of each object and creates nothing", async () => {
  const { app, alice, as } = await start();
  const { status, body } = await as(alice).preview(uploadOf(createKuma(2, SHOP)));
  expect(status).toBe(200);
  expect(body).toMatchObject({ source: "kuma", version: "2", history_from: null });
  expect(outcomes(body)).toEqual({
    Ops: "take",
    Pager: "skip",
    Production: "change",
    Shop: "take",
    Database: "take",
    Backup: "take",
    Game: "skip",
    "Shop status": "take",
  });
  expect(body.counts).toEqual({ take: 5, change: 1, paused: 0, skip: 2, exists: 0 });
  const monitors = await app.as(alice).get("/api/monitors");
  expect(monitors.body.total).toBe(0);
  expect((await app.as(alice).get("/api/notifications")).body.data.channels).toEqual([]);
});

it("an import creates monitors with tags, channels with secrets, rules and the page", async () => {
  const { app, alice } = await start();
  const { status, body } = await importFile(app, alice, createKuma(2, SHOP));
  expect(status).toBe(200);
  const { monitors } = (await app.as(alice).get("/api/monitors?fields=all&sort=name")).body;
  const byName = Object.fromEntries(monitors.map((monitor) => [monitor.name, monitor]));
  expect(Object.keys(byName)).toEqual(["Backup", "Database", "Shop"]);
  expect(byName.Shop).toMatchObject({
    url: "http://127.0.0.1:9/health",
    interval: 60,
    timeout: 48,
    retries: 0,
    expected_statuses: "200-299",
    tags: [
      { name: "group", value: "Production" },
      { name: "team- web", value: "eu", color: "blue" },
    ],
  });
  expect(byName.Database).toMatchObject({ kind: "tcp", config: { host: "127.0.0.1", port: 9 } });
  expect(byName.Backup).toMatchObject({ kind: "heartbeat", config: { every: 3600, grace: 1200 } });
  const { channels, settings } = (await app.as(alice).get("/api/notifications")).body.data;
  const [ops] = channels;
  expect(ops).toMatchObject({ name: "Ops", type: "discord", enabled: true });
  expect(settings.monitors).toMatchObject({ enabled: true, channels: [ops?.id] });
  expect(settings.specificMonitors).toMatchObject({
    [byName.Database?.id ?? 0]: { enabled: false, overrideGlobal: true },
  });
  expect(await readStatusConfig(app, alice)).toMatchObject({
    title: "Shop status",
    groups: [{ name: "Public", monitors: [byName.Shop?.id, byName.Database?.id] }],
  });
  expect(body.items.find(({ name }) => name === "Shop")?.target_id).toBe(byName.Shop?.id as number);
});

it("a ping to the old address of a heartbeat arrives after only the host was changed", async () => {
  const { app, alice } = await start();
  await importFile(app, alice, createKuma(1, SHOP));
  const { status } = await app.anybody.get("/api/push/Ab3dEf6hIj?status=up&msg=OK&ping=");
  expect(status).toBe(200);
  const { monitors } = (await app.as(alice).get("/api/monitors?search=Backup")).body;
  expect(monitors[0]?.status).toBe("up");
});

it("a second import of the same file adds nothing, also after an object was renamed here", async () => {
  const { app, alice } = await start();
  const file = createKuma(2, SHOP);
  await importFile(app, alice, file);
  const before = (await app.as(alice).get("/api/monitors?fields=all")).body;
  const [shop] = before.monitors.filter(({ name }) => name === "Shop");
  await app.as(alice).put(`/api/monitors/${shop?.id}`, { name: "Store", url: HTTP.url, interval: 60 });
  const { preview, body } = await importFile(app, alice, file);
  expect(preview.counts).toEqual({ take: 0, change: 1, paused: 0, skip: 2, exists: 5 });
  expect(body.counts).toEqual(preview.counts);
  expect(body.items.flatMap(({ notes }) => notes.map(({ code }) => code))).not.toContain("differs");
  expect((await app.as(alice).get("/api/monitors")).body.total).toBe(before.total);
});

it("a newer file offers what is new, and names what is gone and what differs", async () => {
  const { app, alice } = await start();
  await importFile(app, alice, createKuma(2, SHOP));
  const [group, shop, database, backup] = SHOP.monitor ?? [];
  const newer = {
    ...SHOP,
    monitor: [group ?? {}, { ...shop, interval: 120 }, backup ?? {}, { ...database, id: 9, name: "Replica" }],
  };
  const { preview } = await importFile(app, alice, createKuma(2, newer));
  const found = Object.fromEntries(
    preview.items.map(({ path, outcome, notes }) => [path, [outcome, ...notes.map(({ code }) => code)]]),
  );
  expect(found).toMatchObject({
    "monitor:2": ["exists", "differs"],
    "monitor:3": ["exists", "gone"],
    "monitor:4": ["exists"],
    "monitor:9": ["take"],
  });
});

it("objects that are equal to own ones are not created again", async () => {
  const { app, alice } = await start();
  const fields = {
    url: HTTP.url,
    expected_statuses: "200-299",
    interval: 60,
    timeout: 48,
    retries: 0,
    retry_pause: 60,
  };
  await app.as(alice).post("/api/monitors", { name: "Shop", ...fields, certificate_days: [21, 14, 7] });
  const { preview } = await importFile(app, alice, createKuma(2, { monitor: [{ id: 2, name: "Shop", ...HTTP }] }));
  expect(outcomes(preview)).toEqual({ Shop: "exists" });
});

it("chosen objects are left out, and monitors may arrive paused", async () => {
  const { app, alice } = await start();
  const { body } = await importFile(app, alice, createKuma(2, SHOP), {
    skip: ["monitor:3", "channel:1"],
    paused: true,
  });
  expect(outcomes(body)).toMatchObject({ Database: "skip", Ops: "skip", Shop: "take" });
  const { monitors } = (await app.as(alice).get("/api/monitors")).body;
  expect(monitors.map(({ name, active }) => [name, active])).toEqual([
    ["Shop", false],
    ["Backup", false],
  ]);
});

it("a bad object does not keep the others from being imported", async () => {
  const { app, alice } = await start();
  const monitor: KumaContent["monitor"] = [
    { id: 1, name: "Good", ...HTTP },
    { id: 2, name: "No address", ...HTTP, url: "ftp://example.com" },
    { id: 3, name: "No port", type: "port", hostname: "127.0.0.1", port: null },
  ];
  const { preview, body } = await importFile(app, alice, createKuma(1, { monitor }));
  expect(outcomes(preview)).toEqual({ Good: "take", "No address": "skip", "No port": "skip" });
  expect(outcomes(body)).toEqual(outcomes(preview));
  expect(body.items[1]?.notes).toMatchObject([{ code: "invalid" }]);
});

it("a user over their quota gets what fits, and the rest is listed", async () => {
  const { app, bob } = await start({ QUOTA_MONITORS: "250", PRIVATE_TARGETS: "all" });
  const monitor = Array.from({ length: 260 }, (_, index) => ({
    ...{ id: index + 1, name: `Shop ${index}`, ...HTTP, url: `http://127.0.0.1:9/${index}` },
  }));
  const { preview, body } = await importFile(app, bob, createKuma(1, { monitor }));
  expect(preview.counts).toMatchObject({ take: 250, skip: 10 });
  expect(body.counts).toEqual(preview.counts);
  expect(body.items.at(-1)?.notes).toMatchObject([{ code: "quota", detail: "250 monitors" }]);
});

it("private targets of ordinary users arrive paused, and those of administrators do not", async () => {
  const { app, alice, bob } = await start();
  const file = createKuma(1, {
    monitor: [
      { id: 1, name: "Router", type: "port", hostname: "192.168.1.1", port: 9, interval: 60 },
      { id: 2, name: "Own", ...HTTP, url: "http://localhost:8080/" },
    ],
  });
  const { body } = await importFile(app, bob, file);
  expect(outcomes(body)).toEqual({ Router: "paused", Own: "paused" });
  expect(body.items[0]?.notes).toMatchObject([{ code: "private_target", detail: "192.168.1.1" }]);
  expect((await app.as(bob).get("/api/monitors")).body.monitors.map(({ active }) => active)).toEqual([false, false]);
  expect(outcomes((await importFile(app, alice, file, { paused: true })).body)).toEqual({
    Router: "take",
    Own: "take",
  });
});

it("a preview belongs to its user, ends after half an hour, and is applied once", async () => {
  const { app, alice, bob, as } = await start();
  const file = createKuma(2, SHOP);
  const { id } = (await as(alice).preview(uploadOf(file))).body;
  const { folder } = await findPreview(app.deps, alice.id, id);
  expect((await as(bob).apply(id)).status).toBe(404);
  expect((await as(alice).report(id)).status).toBe(409);
  expect(existsSync(folder)).toBe(true);
  expect((await as(alice).apply(id)).status).toBe(200);
  expect(existsSync(folder)).toBe(false);
  expect((await as(alice).apply(id)).status).toBe(409);
  expect((await as(bob).report(id)).status).toBe(404);
  const csv = await as(alice).report(id, ".csv");
  expect(csv.text.split("\r\n").slice(0, 2)).toEqual([
    "part,name,kind,outcome,id,notes",
    expect.stringMatching(/^channels,Ops,discord,take,\d+,$/),
  ]);
  app.clock.set(START + 31 * MINUTE);
  expect((await as(alice).report(id)).status).toBe(404);
  const late = (await as(alice).preview(uploadOf(file))).body;
  app.clock.set(START + 62 * MINUTE);
  expect((await as(alice).apply(late.id)).status).toBe(404);
});
