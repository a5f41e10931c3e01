import { expect, it } from "bun:test";
import { DAY } from "../../../../shared/limits";
import { createTestApp } from "../../../../testing/app";
import { START } from "../../../../testing/clock";
import { importer, uploadOf } from "../../../../testing/fixtures/imports/kuma";
import { createXugou, type XugouContent, xugouText } from "../../../../testing/fixtures/imports/xugou";

const dateOf = (days: number) => new Date(START - days * DAY).toISOString().slice(0, 10);

const MONITOR = {
  ...{ id: 1, name: "Shop", url: "http://127.0.0.1:9/", method: "GET", interval: 60, timeout: 30 },
  ...{ expected_status: 2, headers: "{}", body: "", created_by: 1, active: 0 },
};
const CONTENT: XugouContent = {
  agent_metrics_24h: [{ id: 1, agent_id: 1, disk_metrics: '[{"device":"/dev/sda;1"}]' }],
  users: [{ id: 1, username: "admin", password: "secret", created_at: "2025-05-01T00:00:00.000Z" }],
  agents: [{ id: 1, name: "web-1", token: "secret", created_by: 1, hostname: "web-1" }],
  monitors: [
    MONITOR,
    {
      ...{ ...MONITOR, id: 2, name: "It's the API", method: "POST", expected_status: 201, interval: 30 },
      ...{ headers: '{"X-Key":"a"}', body: 'first\nsecond "line"' },
    },
    { ...MONITOR, id: 3, name: "Odd", method: "TRACE" },
  ],
  monitor_daily_stats: [
    { date: dateOf(2), up_checks: 1440, down_checks: 0, avg_response_time: 20, max_response_time: 90 },
    { date: dateOf(1), up_checks: 1296, down_checks: 144, avg_response_time: 30, max_response_time: 200 },
  ].map((row) => ({ ...row, monitor_id: 1, min_response_time: 10 })),
  notification_channels: [
    { id: 1, name: "Group", type: "telegram", config: '{"botToken": "1:a", "chatId": "-1002608818360"}', enabled: 1 },
    { id: 2, name: "Ops", type: "feishu", config: '{"webhookUrl": "https://open.feishu.cn/x"}', enabled: 1 },
    { id: 3, name: "Pager", type: "sms", config: "{}", enabled: 1 },
  ],
  notification_settings: [
    { id: 1, user_id: 1, target_type: "global-monitor", target_id: 0, enabled: 1, on_down: 1, channels: "[1,2]" },
    { id: 2, user_id: 1, target_type: "monitor", target_id: 2, enabled: 1, on_down: 1, channels: "[]" },
  ],
  notification_templates: [{ id: 1, name: "Own", is_default: 0, created_at: "a", updated_at: "a" }],
  status_page_config: [
    { id: 1, user_id: 1, title: "Status", description: "Ours", logo_url: "/logo.png" },
    { id: 2, user_id: 1, title: "EU & US", description: "Theirs", custom_css: "h1 { color: teal }" },
  ],
  status_page_monitors: [
    ...[1, 9].map((monitor_id) => ({ config_id: 1, monitor_id })),
    { config_id: 2, monitor_id: 2 },
  ],
};

const start = async () => {
  const app = await createTestApp();
  const { alice } = await app.people();
  const calls = importer(app.send, alice.token);
  const preview = (text: string) => {
    const form = new FormData();
    form.set("file", new Blob([text]), "export.sql");
    return calls.preview(form);
  };
  return { app, client: app.as(alice), ...calls, preview, previewFile: calls.preview };
};

const rowsOf = (body: { items: { name: string; outcome: string; notes: { code: string }[] }[] }) =>
  body.items.map(({ name, outcome, notes }) => [name, outcome, ...notes.map(({ code }) => code)]);

const EXPECTED = [
  ["Group", "skip", "public_group"],
  ["Ops", "take"],
  ["Pager", "skip", "provider_unsupported"],
  ["Shop", "take"],
  ["It's the API", "change", "interval_changed"],
  ["Odd", "paused", "method_unsupported"],
  ["web-1", "take"],
  ["Status", "change", "field_left_out"],
  ["EU & US", "take"],
  ["Own", "skip", "template_left_out"],
];

it("the text of an export has monitors, channels, rules, the page and the days of each monitor", async () => {
  const { preview, apply, client } = await start();
  const { body } = await preview(xugouText(CONTENT));
  expect([body.source, body.history_from, ...rowsOf(body)]).toEqual([
    ...["xugou", `${dateOf(2)}T00:00:00.000Z`],
    ...EXPECTED,
  ]);
  const done = await apply(body.id);
  expect(done.body.history).toEqual({ days: 2, outages: 0 });
  const { monitors } = (await client.get("/api/monitors?fields=all&sort=created")).body;
  const [shop, api] = monitors;
  expect([shop, api]).toMatchObject([
    { method: "GET", expected_statuses: "200-299", retries: 0, active: false },
    { method: "POST", expected_statuses: "201", body: 'first\nsecond "line"' },
  ]);
  const { channels, settings } = (await client.get("/api/notifications")).body.data;
  expect(channels).toMatchObject([{ name: "Ops", type: "feishu" }]);
  expect(settings.specificMonitors[shop?.id ?? 0]?.channels ?? settings.monitors.channels).toEqual(
    channels.map(({ id }) => id),
  );
  const { pages } = (await client.get("/api/pages")).body;
  expect(pages).toMatchObject([{ title: "Status" }, { title: "EU & US", slug: "eu-us" }]);
  const { components, custom_css } = (await client.get(`/api/pages/${pages[1]?.id ?? 0}`)).body.page;
  expect([components, custom_css]).toMatchObject([[{ label: "It's the API" }], "h1 { color: teal }"]);
  const { points } = (await client.get(`/api/monitors/${shop?.id}/series?range=1y`)).body;
  expect(points).toMatchObject([
    { up: 1440, down: 0, avg: 20, min: 10, max: 90, p95: null },
    { up: 1296, down: 144, avg: 30, min: 10, max: 200, p95: null },
  ]);
  const again = await preview(xugouText(CONTENT));
  expect(again.body.counts).toMatchObject({ take: 0, change: 0, paused: 0, exists: 7 });
});

it("the file of a local database is read as its export is", async () => {
  const { previewFile } = await start();
  const { body } = await previewFile(uploadOf(createXugou(CONTENT)));
  expect([body.source, ...rowsOf(body)]).toEqual(["xugou", ...EXPECTED]);
});

it("rows of a dump without names of columns are in the order of the table, and each user has own settings", async () => {
  const { preview } = await start();
  const dump = `PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
-- a comment; with a semicolon
CREATE TABLE status_page_config (id integer, title text);
CREATE TABLE monitors (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, url TEXT, active int, expected_status int DEFAULT 200, CHECK (active > 0));
INSERT INTO monitors VALUES(1,unistr('a\\u000ab'),'https://example.com/',1,-200),(2,'b','https://example.com/b',1,301);
COMMIT;
`;
  const { body } = await preview(dump);
  expect(rowsOf(body)).toEqual([
    ["a b", "skip", "invalid"],
    ["b", "take"],
  ]);
});

const HEAD = xugouText({});

it("statements and values that no export has refuse the file", async () => {
  const { preview } = await start();
  const row = "INSERT INTO monitors (id, name) VALUES";
  const bad = [
    "ATTACH DATABASE '/etc/x' AS x;",
    "PRAGMA writable_schema=ON;",
    "CREATE TRIGGER t AFTER INSERT ON monitors BEGIN DELETE FROM users; END;",
    "CREATE VIEW v AS SELECT 1;",
    "CREATE VIRTUAL TABLE v USING fts5(a);",
    "CREATE TABLE monitors2 AS SELECT * FROM users;",
    "UPDATE monitors SET name = 'x';",
    "SELECT load_extension('x');",
    "INSERT INTO monitors SELECT * FROM users;",
    `${row} (1, (SELECT password FROM users));`,
    `${row} (1, randomblob(1000000000));`,
    `${row} (1, 'a' || 'b');`,
    `${row} (1, 'a'); extra`,
    `${row} (1, 'a`,
    `${row} (1, ${"replace(".repeat(20)}'a'${",'a','b')".repeat(20)});`,
  ];
  for (const statement of bad) {
    const { body } = await preview(`${HEAD}${statement}`);
    expect([statement, body.code]).toEqual([statement, "import_unreadable"]);
  }
});

it("a text can't be made larger by its functions", async () => {
  const { preview } = await start();
  const name = `replace('${"a".repeat(1000)}','a','${"b".repeat(1000)}')`;
  const { body } = await preview(
    `${HEAD}INSERT INTO monitors (id, name, url, active, expected_status) VALUES(1, ${name}, 'https://example.com/', 1, 200);`,
  );
  expect(body.items[0]?.name).toBe("a".repeat(200));
});
