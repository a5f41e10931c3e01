import { onTestFinished, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../../core/config";
import { AppError } from "../../../core/errors";
import { createDatabase } from "../../../testing/fixtures/imports/database";
import { beatTime, createKuma, SHOP } from "../../../testing/fixtures/imports/kuma";
import { GITHUB, SENDGRID } from "../../../testing/fixtures/imports/statuspage";
import { createXugou, xugouText } from "../../../testing/fixtures/imports/xugou";
import { createRandom, seedOr } from "../../../testing/random";
import { repetitions } from "../../../testing/repetitions";
import { sourceOf } from "./registry";

const config = readConfig({ NODE_ENV: "test" });

/** Reads a file as an import does, with its history. Anything but a refusal is an error of the source. */
const read = async (file: string, bytes: Uint8Array): Promise<void> => {
  writeFileSync(file, bytes);
  const upload = { file, size: bytes.length, hasWal: false };
  try {
    const source = await sourceOf(upload);
    const draft = await source?.read(upload, { config, now: 0 });
    JSON.stringify(draft);
    if (draft?.history && source?.readHistory)
      for await (const part of source.readHistory(upload, new Set([1, 2, 3, 4]))) JSON.stringify(part);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
};

const BEATS = Array.from({ length: 100 }, (_, index) => ({
  ...{ monitor_id: 2, status: index % 2, important: 1, msg: "x", ping: 10 },
  time: beatTime(index * 60_000),
}));

const XUGOU = {
  users: [{ id: 1, username: "admin", password: "x", created_at: "2025-05-01T00:00:00.000Z" }],
  monitors: [1, 2, 3].map((id) => ({
    ...{ id, name: `it's ${id}`, url: "https://example.com/", method: "GET", interval: 60, timeout: 30 },
    ...{ expected_status: 200, headers: '{"a":"b"}', body: "a\nb", created_by: 1, active: 1 },
  })),
  monitor_daily_stats: [1, 2, 3].map((id) => ({ monitor_id: id, date: "2025-11-01", up_checks: 9, down_checks: 1 })),
  notification_channels: [{ id: 1, name: "Ops", type: "telegram", config: '{"botToken":"a"}', enabled: 1 }],
  notification_settings: [
    { id: 1, user_id: 1, target_type: "global-monitor", enabled: 1, on_down: 1, channels: "[1]" },
  ],
  status_page_config: [{ id: 1, user_id: 1, title: "Status" }],
  status_page_monitors: [{ config_id: 1, monitor_id: 1 }],
};

const SERVERS: [name: string, tables: Parameters<typeof createDatabase>[0]][] = [
  [
    "Beszel",
    {
      systems: [1, 2].map((id) => ({ id: `s${id}`, name: `db ${id}`, host: "10.0.0.1", port: "45876", info: "{}" })),
      alerts: [{ id: "a", system: "s1", name: "CPU", value: 80, min: 10 }],
      user_settings: [{ id: "u", settings: '{"webhooks":["discord://a@b"]}' }],
    },
  ],
  [
    "Nezha",
    {
      servers: [1, 2].map((id) => ({
        ...{ id, uuid: `u${id}`, name: `hk ${id}`, note: "a", display_index: 1, deleted_at: null },
        public_note:
          '{"billingDataMod":{"endDate":"2026-11-01","cycle":"m","amount":"$3"},"planDataMod":{"trafficVol":"1TB"}}',
      })),
      server_groups: [{ id: 1, name: "asia" }],
      server_group_servers: [{ server_group_id: 1, server_id: 1 }],
      services: [1, 2, 3].map((type) => ({ id: type, name: "x", type, target: "example.com:22", duration: 60 })),
    },
  ],
  [
    "komari",
    {
      clients: [1, 2].map((id) => ({
        ...{ uuid: `c${id}`, name: `tokyo ${id}`, group: "asia", tags: "a;b<red>", weight: 1, price: 3, currency: "$" },
        ...{ billing_cycle: 30, auto_renewal: 0, expired_at: "2026-11-01 00:00:00", traffic_limit: 1e12, remark: "" },
      })),
    },
  ],
];

const TEXTS = [
  '{"data":[{"id":"7","type":"monitor_group","attributes":{"name":"a"}},{"id":"1","type":"monitor","attributes":{"url":"https://example.com/","monitor_type":"keyword","required_keyword":"a","monitor_group_id":7,"request_headers":[{"name":"a","value":"b"}]}},{"id":"3","type":"status_page","attributes":{"company_name":"x"}}]}',
  "systems:\n  - name: db\n    host: 10.0.0.1\n    port: 45876\n    users: [a@example.com]\n",
  JSON.stringify({
    version: "1.23.16",
    notificationList: [],
    proxyList: [],
    monitorList: [
      { id: 1, name: "Shop", type: "http", url: "http://127.0.0.1:9/", interval: 60, tags: [{ name: "a" }] },
    ],
  }),
  JSON.stringify({ checks: [{ name: "a", uuid: "5f0c2f1e-0c7a-4c39-9d53-3c9d8f1e2a11", timeout: 60, tags: "x y" }] }),
  JSON.stringify({
    monitors: [
      {
        ...{ id: 1, friendly_name: "Shop", type: 1, url: "https://example.com/", interval: 300 },
        logs: [{ type: 1, datetime: 1_768_000_000, duration: 60, reason: { code: "1", detail: "timeout" } }],
      },
    ],
  }),
  'endpoints:\n  - name: a\n    group: g\n    url: "https://example.com"\n    interval: 5m\n    conditions: ["[STATUS] == 200"]\nalerting: { discord: { webhook-url: "https://example.com/" } }\n',
  JSON.stringify(GITHUB),
  JSON.stringify(SENDGRID.summary),
  'name,url,tags\n"a; b",https://example.com/,x:1\n',
];

/** Some bytes of a file changed, cut off or repeated. */
const mutate = (bytes: Uint8Array, random: ReturnType<typeof createRandom>): Uint8Array => {
  const changed = Uint8Array.from(bytes);
  for (let count = 1 + random.below(20); count > 0; count--) changed[random.below(changed.length)] = random.below(256);
  return random.below(4) === 0 ? changed.subarray(0, random.below(changed.length)) : changed;
};

const database = (version: 1 | 2) => new Uint8Array(readFileSync(createKuma(version, { ...SHOP, heartbeat: BEATS })));
const FILES: [name: string, bytes: () => Uint8Array][] = [
  ["a database of 1.x", () => database(1)],
  ["a database of 2.x", () => database(2)],
  ["a database of xugou", () => new Uint8Array(readFileSync(createXugou(XUGOU)))],
  ...SERVERS.map(([name, tables]): [string, () => Uint8Array] => [
    `a database of ${name}`,
    () => new Uint8Array(readFileSync(createDatabase(tables))),
  ]),
  ["an export of xugou", () => new TextEncoder().encode(xugouText(XUGOU))],
  ...TEXTS.map((text): [string, () => Uint8Array] => [text.slice(0, 20), () => new TextEncoder().encode(text)]),
];

const SEED = seedOr(1);

test.each(FILES)(`mutations of %s are read or refused, with seed ${SEED}`, async (_name, bytesOf) => {
  const random = createRandom(SEED);
  const folder = mkdtempSync(join(tmpdir(), "wakeful-mutated-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bytes = bytesOf();
  for (let count = repetitions(200, 10_000); count > 0; count--)
    await read(join(folder, "file"), mutate(bytes, random));
});
