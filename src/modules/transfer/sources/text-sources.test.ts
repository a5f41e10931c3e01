import { expect, it } from "bun:test";
import { DAY, SECOND } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { importer } from "../../../testing/fixtures/imports/kuma";

const start = async () => {
  const app = await createTestApp();
  const { alice } = await app.people();
  const calls = importer(app.send, alice.token);
  const preview = (content: string) => {
    const form = new FormData();
    form.set("file", new Blob([content]), "file");
    return calls.preview(form);
  };
  return { app, client: app.as(alice), ...calls, preview };
};

const rowsOf = (body: { items: { name: string; outcome: string; notes: { code: string }[] }[] }) =>
  body.items.map(({ name, outcome, notes }) => [name, outcome, ...notes.map(({ code }) => code)]);

it("a CSV file has its columns in any order, separators of three kinds, quotes and a byte order mark", async () => {
  const { preview, apply, client } = await start();
  const text =
    '\uFEFFInterval;Name;URL;tags;expected;keyword\r\n300;"Shop; main";http://127.0.0.1:9/;"web,eu:1";200-299;ok\r\n;;127.0.0.1:9;;;\r\n';
  const { body } = await preview(text);
  expect([body.source, ...rowsOf(body)]).toEqual(["csv", ["Shop; main", "take"], ["127.0.0.1:9", "take"]]);
  await apply(body.id, { paused: true });
  const { monitors } = (await client.get("/api/monitors?fields=all")).body;
  expect(monitors).toMatchObject([
    {
      ...{ name: "Shop; main", kind: "http", interval: 300, expected_statuses: "200-299" },
      tags: [{ name: "eu", value: "1" }, { name: "web" }],
      assertions: [{ on: "body", op: "contains", value: "ok" }],
    },
    { name: "127.0.0.1:9", kind: "tcp", config: { host: "127.0.0.1", port: 9 } },
  ]);
  const again = await preview(text);
  expect(again.body.counts).toMatchObject({ take: 0, exists: 2 });
});

it("a CSV file without a column of addresses is unknown, and its bad lines are listed", async () => {
  const { preview } = await start();
  expect((await preview("a,b\n1,2\n")).body.code).toBe("import_unknown");
  const { body } = await preview(
    "name,url,type,interval\nOften,example.com,http,5\nOther,example.com,snmp,60\nBad,ftp://x,http,60\n",
  );
  expect(rowsOf(body)).toEqual([
    ["Often", "change", "interval_changed"],
    ["Other", "skip", "kind_unsupported"],
    ["Bad", "skip", "invalid"],
  ]);
});

it("monitors of UptimeRobot alert on a text that exists or is missing, and their heartbeats have new URLs", async () => {
  const { preview, apply, client } = await start();
  const common = { url: "https://shop.example.com/", interval: 300, timeout: 30, status: 2 };
  const monitors = [
    { ...common, id: 1, friendly_name: "Shop", type: 1, http_method: 2, status: 0 },
    { ...common, id: 2, friendly_name: "Broken", type: 2, keyword_type: 1, keyword_value: "error" },
    { ...common, id: 3, friendly_name: "Good", type: 2, keyword_type: 2, keyword_value: "ok", interval: 30 },
    { ...common, id: 4, friendly_name: "Mail", type: 4, sub_type: 4, url: "mail.example.com" },
    { ...common, id: 5, friendly_name: "Job", type: 5, url: "https://heartbeat.example.com/x" },
    { ...common, id: 6, friendly_name: "Other", type: 77 },
  ];
  const { body } = await preview(JSON.stringify({ stat: "ok", monitors }));
  expect([body.source, ...rowsOf(body)]).toEqual([
    "uptimerobot",
    ["Shop", "take"],
    ["Broken", "take"],
    ["Good", "change", "interval_changed"],
    ["Mail", "take"],
    ["Job", "change", "address_new"],
    ["Other", "skip", "kind_unsupported"],
  ]);
  await apply(body.id, { paused: true });
  expect((await client.get("/api/monitors?fields=all")).body.monitors).toMatchObject([
    { method: "GET", expected_statuses: "200-399" },
    { assertions: [{ on: "body", op: "lacks", value: "error" }] },
    { assertions: [{ on: "body", op: "contains", value: "ok" }] },
    { kind: "tcp", config: { host: "mail.example.com", port: 25 } },
    { kind: "heartbeat" },
  ]);
});

it("the log of a monitor of UptimeRobot becomes its outages and watched time since it was last paused", async () => {
  const { preview, apply, client } = await start();
  const entry = (type: number, days: number, duration: number, detail = "") => ({
    ...{ type, datetime: (START - days * DAY) / SECOND, duration, reason: { code: "1", detail } },
  });
  const logs = [
    entry(2, 8, 8 * 86_400, "OK"),
    entry(1, 9, 86_400, "Connection timeout"),
    entry(98, 10, 86_400),
    entry(99, 12, 2 * 86_400),
    entry(1, 20, 8 * 86_400, "before the pause"),
    { type: 1, datetime: "x", duration: -1, reason: null },
  ];
  const common = { url: "https://shop.example.com/", type: 1, interval: 300, timeout: 30, status: 0 };
  const monitors = [
    { ...common, id: 1, friendly_name: "Shop", logs },
    { ...common, id: 2, friendly_name: "New", url: "https://new.example.com/", logs: "none" },
  ];
  const { body } = await preview(JSON.stringify({ stat: "ok", monitors }));
  expect(body.history_from).toBe(new Date(START - 10 * DAY).toISOString());
  const done = await apply(body.id);
  expect(done.body.history).toEqual({ days: 0, outages: 1 });
  const id = done.body.items.find(({ name }) => name === "Shop")?.target_id ?? 0;
  expect((await client.get(`/api/outages?target=monitor:${id}`)).body.outages).toMatchObject([
    {
      started_at: new Date(START - 9 * DAY).toISOString(),
      ended_at: new Date(START - 8 * DAY).toISOString(),
      error_detail: { source: "UptimeRobot", text: "Connection timeout" },
    },
  ]);
  const { monitor } = (await client.get(`/api/monitors/${id}`)).body;
  expect(monitor).toMatchObject({ availability: { "90d": { watched_seconds: 10 * 86_400, down_seconds: 86_400 } } });
});

const GATUS = `
alerting:
  discord:
    webhook-url: "https://discord.com/api/webhooks/1/a"
  slack: { webhook-url: "\${SLACK_URL}" }
  jetbrainsspace: { project: x }
maintenance: { start: "23:00", duration: 1h, timezone: Europe/Berlin, every: [Monday, Thursday] }
endpoints:
  - name: shop
    group: core
    url: "https://shop.example.com/health"
    interval: 5m
    maintenance-windows: [{ start: "04:00", duration: 90m }, { start: "4", duration: 1h }]
    conditions:
      - "[STATUS] == 200"
      - "[RESPONSE_TIME] < 500"
      - "[BODY].status == UP"
      - "[BODY] == pat(*ok*)"
      - "[CERTIFICATE_EXPIRATION] > 48h"
      - "[IP] == 127.0.0.1"
    alerts: [{ type: discord, failure-threshold: 2 }]
  - { name: often, url: "tcp://db.example.com:5432", interval: 10s, conditions: ["[CONNECTED] == true"] }
  - { name: names, url: "1.1.1.1", dns: { query-name: example.com, query-type: A }, conditions: ["[DNS_RCODE] == NOERROR"] }
  - { name: secret, url: "https://\${HOST}/", conditions: ["[STATUS] < 400"], enabled: false }
  - { name: old, url: "sctp://host:1", conditions: [] }
external-endpoints:
  - { name: job, group: core, token: potato, heartbeat: { interval: 30m } }
`;

it("endpoints of Gatus become monitors with what their conditions say", async () => {
  const { preview, apply, client } = await start();
  const { body } = await preview(GATUS);
  expect([body.source, ...rowsOf(body)]).toEqual([
    "gatus",
    ["discord", "take"],
    ["slack", "skip", "secret_missing", "invalid"],
    ["jetbrainsspace", "skip", "provider_unsupported"],
    ["shop", "change", "field_left_out"],
    ["often", "change", "interval_changed"],
    ["names", "take"],
    ["secret", "paused", "expression_unsupported"],
    ["old", "skip", "kind_unsupported"],
    ["job", "change", "address_new"],
    ["maintenance", "take"],
    ["shop", "take"],
    ["shop", "skip", "invalid"],
  ]);
  await apply(body.id, { paused: true });
  const { monitors } = (await client.get("/api/monitors?fields=all")).body;
  expect(monitors[0]).toMatchObject({
    ...{ name: "shop", interval: 300, retries: 1, expected_statuses: "200", certificate_days: [2] },
    tags: [{ name: "group", value: "core" }],
    assertions: [
      { on: "time", op: "<", value: "500" },
      { on: "json", path: "status", op: "=", value: "UP" },
      { on: "body", op: "contains", value: "ok" },
    ],
  });
  const { windows } = (await client.get("/api/windows")).body;
  expect(windows.toSorted((one, other) => one.id - other.id)).toMatchObject([
    {
      ...{ title: "maintenance", all: false, monitors: monitors.map(({ id }) => id).toSorted((a, b) => a - b) },
      schedule: { kind: "weekly", days: [1, 4], at: "23:00", minutes: 60, zone: "Europe/Berlin" },
    },
    {
      ...{ title: "shop", monitors: [monitors[0]?.id] },
      schedule: { kind: "weekly", days: [1, 2, 3, 4, 5, 6, 7], at: "04:00", minutes: 90, zone: "UTC" },
    },
  ]);
  const { channels, settings } = (await client.get("/api/notifications")).body.data;
  expect(settings.specificMonitors[monitors[0]?.id ?? 0] ?? settings.monitors).toMatchObject({
    channels: [channels[0]?.id],
  });
});

it("a YAML file that stands for a huge document, or is no valid one, is refused", async () => {
  const { preview } = await start();
  const bomb = ["endpoints: []", "a0: &a0 [x,x,x,x,x,x,x,x,x]"];
  for (let level = 1; level < 12; level++)
    bomb.push(
      `a${level}: &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(",")}]`,
    );
  expect((await preview(bomb.join("\n"))).body).toMatchObject({ code: "import_unreadable" });
  expect((await preview("endpoints: [\n  - {")).body.code).toBe("import_unreadable");
});
