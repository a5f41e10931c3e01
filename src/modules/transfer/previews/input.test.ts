import { Database } from "bun:sqlite";
import { expect, it } from "bun:test";
import { copyFileSync, readdirSync, truncateSync } from "node:fs";
import { dirname, join } from "node:path";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { beatTime, createKuma, importer, type KumaContent, uploadOf } from "../../../testing/fixtures/imports/kuma";
import { folderOf } from "./store";

const HTTP = { type: "http", url: "http://127.0.0.1:9/", interval: 60, timeout: 30, active: 0 };

const start = async (env: Record<string, string> = {}) => {
  const app = await createTestApp({ env });
  const { alice } = await app.people();
  return { app, alice, ...importer(app.send, alice.token) };
};

const formOf = (content: string | Uint8Array<ArrayBuffer>, name = "kuma.db"): FormData => {
  const form = new FormData();
  form.set("file", new Blob([content]), name);
  return form;
};

const notesOf = async (content: KumaContent) => {
  const { preview } = await start();
  const { body } = await preview(uploadOf(createKuma(1, content)));
  return body.items.map(({ name, outcome, notes }) => [name, outcome, ...notes.map(({ code }) => code)]);
};

it("what is no file of a known product is refused with the known ones", async () => {
  const { preview } = await start();
  const files = ["", "hello", "PK\u0003\u0004", "{}", "[]", '{"monitorList": 1', "hello: world\n"];
  for (const file of files) {
    const { status, body } = await preview(formOf(file));
    expect([file, status]).toEqual([file, 422]);
    expect(["import_unknown", "import_unreadable", "validation"]).toContain(body.code);
  }
  expect((await preview(formOf("hello"))).body.message).toContain("Uptime Kuma");
});

it("a database of another program is unknown", async () => {
  const { preview } = await start();
  const file = createKuma(1, {}, (database) => {
    for (const table of ["monitor", "heartbeat"]) database.run(`drop table ${table}`);
  });
  expect((await preview(uploadOf(file))).body.code).toBe("import_unknown");
});

it("a truncated, an encrypted and a damaged database are refused with the reason, and nothing is kept", async () => {
  const { preview } = await start();
  const file = createKuma(1, {
    monitor: Array.from({ length: 200 }, (_, id) => ({ id: id + 1, name: "x".repeat(100), ...HTTP })),
  });
  const cut = join(dirname(file), "cut.db");
  copyFileSync(file, cut);
  truncateSync(cut, 8192);
  const { status, body } = await preview(uploadOf(cut));
  expect([status, body.code]).toEqual([422, "import_unreadable"]);
  expect(body.message).toContain("damaged");
  const bytes = new Uint8Array(await Bun.file(file).arrayBuffer());
  for (let at = 100; at < bytes.length; at += 7) bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  expect((await preview(formOf(bytes))).status).toBe(422);
  const noise = crypto.getRandomValues(new Uint8Array(8192));
  expect((await preview(formOf(noise))).body.code).toBe("import_unknown");
});

it("a history that is damaged is named, and the monitors are imported", async () => {
  const { preview, apply, app, alice } = await start();
  const beats = Array.from({ length: 5000 }, (_, index) => ({
    ...{ monitor_id: 1, status: 1, msg: "x".repeat(50), time: beatTime(START - index * 60_000), ping: 10 },
  }));
  const file = createKuma(1, { monitor: [{ id: 1, name: "Shop", ...HTTP }], heartbeat: beats });
  const bytes = new Uint8Array(await Bun.file(file).arrayBuffer());
  bytes.fill(0xff, bytes.length - 10 * 4096);
  const { body } = await preview(formOf(bytes));
  expect(body.counts).toMatchObject({ take: 1 });
  const done = await apply(body.id);
  expect([done.status, done.body.history]).toEqual([200, { days: 0, outages: 0 }]);
  expect(done.body.items.at(-1)).toMatchObject({ name: "history", notes: [{ code: "history_unreadable" }] });
  expect((await app.as(alice).get("/api/monitors")).body.total).toBe(1);
});

it("views, virtual and generated columns and triggers of a database are not read or run", async () => {
  const { preview } = await start();
  const file = createKuma(1, { monitor: [{ id: 1, name: "Shop", ...HTTP }] }, (database) => {
    database.run("create table secret (id integer primary key, config text, name text, active integer)");
    database.run(
      `insert into secret (config, name) values ('{"type":"discord","discordWebhookUrl":"https://example.com/"}', 'x')`,
    );
    database.run("drop table notification");
    database.run("create view notification as select id, name, config, 1 as active from secret");
    database.run("create trigger t after insert on monitor begin delete from monitor; end");
    database.run("drop table tag");
    database.run("create table tag (id integer primary key, name text as (printf('%.*c', 1000000, 'x')), color text)");
  });
  const { status, body } = await preview(uploadOf(file));
  expect(status).toBe(200);
  expect(body.items.map(({ path }) => path)).toEqual(["monitor:1"]);
});

it("the write-ahead log of a database in use is read, and without it the database is as old as its last checkpoint", async () => {
  const { preview } = await start();
  const file = createKuma(2, { monitor: [{ id: 1, name: "Shop", ...HTTP }] });
  const database = new Database(file);
  database.run("pragma journal_mode = wal");
  database.run("pragma wal_autocheckpoint = 0");
  database.run(
    "insert into monitor (id, name, type, url, interval) values (2, 'New', 'http', 'https://new.example.com/', 60)",
  );
  const [copy, wal] = [join(dirname(file), "copy.db"), join(dirname(file), "copy.db-wal")];
  copyFileSync(file, copy);
  copyFileSync(`${file}-wal`, wal);
  database.close();
  const names = async (form: FormData) => (await preview(form)).body.items.map(({ name }) => name);
  expect(await names(uploadOf(copy, wal))).toEqual(["Shop", "New"]);
  expect(await names(uploadOf(copy))).toEqual(["Shop"]);
});

it("a backup of 1.x in JSON has monitors, channels and tags", async () => {
  const { preview, apply } = await start();
  const backup = {
    version: "1.23.16",
    notificationList: [
      {
        id: 3,
        name: "Ops",
        config: '{"type":"gotify","gotifyserverurl":"https://g.example.com","gotifyapplicationToken":"AbC"}',
        active: true,
      },
    ],
    monitorList: [
      {
        ...{ id: 5, name: "Shop", active: false, maxretries: 0, acceptedStatuscodes: ["200-299", "401"] },
        ...{ type: "http", url: "https://shop.example.com/", interval: 60, timeout: 30 },
        ...{
          ignoreTls: true,
          notificationIDList: { 3: true },
          tags: [{ tag_id: 1, name: "web", color: "#DC2626", value: "" }],
        },
      },
    ],
    proxyList: [],
  };
  const { body } = await preview(formOf(JSON.stringify(backup), "backup.json"));
  expect(body).toMatchObject({ source: "kuma", version: "1.23.16", counts: { take: 2 } });
  const done = await apply(body.id);
  expect(done.body.counts).toMatchObject({ take: 2 });
});

it("values of other types and out of bounds become notes or reasons", async () => {
  expect(
    await notesOf({
      monitor: [
        { id: 1, name: null, ...HTTP },
        { id: 2, name: "Often", ...HTTP, interval: 20, timeout: 0 },
        { id: 3, name: "Negative", ...HTTP, interval: -5 },
        { id: 4, name: "Text", ...HTTP, interval: "abc" },
        { id: 5, name: "Headers", ...HTTP, headers: "Accept: text" },
        { id: 6, name: "Tries", ...HTTP, maxretries: 40 },
        { id: 7, name: "Codes", ...HTTP, accepted_statuscodes_json: "nonsense" },
        { id: 8, name: "a\u202eb\u0007c", ...HTTP },
        { id: 9, name: "Upside", ...HTTP, upside_down: 1, url: "https://u.example.com/" },
        { id: 11, name: "Upside job", type: "push", upside_down: 1, push_token: "Ab3dEf6hIj", interval: 60 },
        { id: 10, name: "Query", ...HTTP, type: "json-query", json_path: "$count(items)", expected_value: "1" },
      ],
    }),
  ).toEqual([
    ["http://127.0.0.1:9/", "change", "name_changed"],
    ["Often", "change", "interval_changed"],
    ["Negative", "change", "interval_changed"],
    ["Text", "take"],
    ["Headers", "change", "field_left_out"],
    ["Tries", "change", "retries_changed", "retry_pause_changed"],
    ["Codes", "take"],
    ["a b c", "change", "name_changed"],
    ["Upside", "take"],
    ["Query", "paused", "expression_unsupported"],
    ["Upside job", "paused", "inverted"],
  ]);
});

it("groups that contain each other, and tags beyond the limits, do no harm", async () => {
  const tag = Array.from({ length: 150 }, (_, index) => ({ id: index + 1, name: `t${index}`, color: "red" }));
  const { preview, apply, app, alice } = await start();
  const file = createKuma(1, {
    monitor: [
      { id: 1, name: "A", type: "group", parent: 2 },
      { id: 2, name: "B", type: "group", parent: 1 },
      { id: 3, name: "Shop", ...HTTP, parent: 1 },
      ...Array.from({ length: 8 }, (_, index) => ({ id: index + 10, name: `M${index}`, ...HTTP })),
    ],
    tag,
    monitor_tag: tag.map(({ id }) => ({ monitor_id: 10 + (id % 8), tag_id: id })),
  });
  const { body } = await preview(uploadOf(file));
  const done = await apply(body.id);
  expect(done.body.items.filter(({ outcome }) => outcome === "skip")).toEqual([]);
  expect((await app.as(alice).get("/api/monitors")).body.total).toBe(9);
  expect(done.body.items.flatMap(({ notes }) => notes.map(({ code }) => code))).toContain("tags_left_out");
});

it("a body that is no form, several files, and one above the limit are refused", async () => {
  const { app, alice, preview } = await start({ IMPORT_MAX_BYTES: "1000000" });
  const send = (init: RequestInit) =>
    app.send(
      new Request("http://localhost/api/import/preview", {
        method: "POST",
        ...init,
        headers: { authorization: `Bearer ${alice.token}`, ...(init.headers as Record<string, string>) },
      }),
    );
  expect((await send({ body: "{}", headers: { "content-type": "application/json" } })).status).toBe(422);
  expect((await send({})).status).toBe(422);
  const two = formOf("one");
  two.append("other", new Blob(["two"]), "other.db");
  expect((await preview(two)).status).toBe(422);
  const { status, body } = await preview(formOf(new Uint8Array(1_100_000)));
  expect([status, body.code]).toEqual([413, "too_large"]);
});

it("a refused file leaves nothing on the disk", async () => {
  const { app, preview } = await start();
  await preview(formOf("hello"));
  expect(readdirSync(folderOf(app.deps))).toEqual([]);
});

it("a history that begins at a time beyond any date is left out", async () => {
  const { preview, apply } = await start();
  const sum = { monitor_id: 1, timestamp: 1e15, up: 1, down: 0, ping: 20, ping_min: 1, ping_max: 30 };
  const content = { monitor: [{ id: 1, name: "Shop", ...HTTP }], stat_daily: [sum], stat_hourly: [sum] };
  const { status, body } = await preview(uploadOf(createKuma(2, content)));
  expect([status, body.history_from]).toEqual([200, null]);
  expect((await apply(body.id)).body.history).toEqual({ days: 0, outages: 0 });
});
