import { describe, expect, it } from "bun:test";
import { LIMITS } from "../../shared/limits";
import { createTestApp } from "../../testing/app";

const MONITORS = "/api/monitors";
const PAUSED = { name: "shop", url: "https://shop.example/", interval: 60, active: false };

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const client = app.as(bob);
  return { client, create: (body: Record<string, unknown>) => client.post(MONITORS, { ...PAUSED, ...body }) };
};

const paths = (errors: { path: string }[]) => errors.map(({ path }) => path).sort();

it("a new monitor gets the defaults of fields that were left out", async () => {
  const { client } = await setUp();
  const { status, body } = await client.post(MONITORS, {
    name: " shop ",
    url: " https://shop.example ",
    interval: 300,
  });
  expect(status).toBe(201);
  expect(body.monitor).toMatchObject({
    name: "shop",
    url: "https://shop.example",
    method: "GET",
    interval: 300,
    timeout: 30,
    expected_status: 200,
    headers: {},
    body: "",
    retries: 1,
    retry_pause: 1,
    quick_recheck: true,
    active: true,
    status: "pending",
    response_time: null,
    uptime: null,
    last_checked: null,
    cert_expires_at: null,
    history: [],
  });
  expect(body.monitor.created_at).toMatch(/^2026-01-15T12:20:00\.000Z$/);
});

it("a monitor accepts expected_status and expectedStatus, and null or empty headers and bodies as none", async () => {
  const { create } = await setUp();
  expect((await create({ expectedStatus: 204 })).body.monitor.expected_status).toBe(204);
  expect((await create({ expected_status: 5 })).body.monitor.expected_status).toBe(5);
  for (const headers of [null, "", " ", {}, "{}"]) {
    const { status, body } = await create({ headers, body: null });
    expect([status, body.monitor.headers, body.monitor.body]).toEqual([201, {}, ""]);
  }
});

it("a single status that is sent alone replaces several", async () => {
  const { client, create } = await setUp();
  const { monitor } = (await create({ expected_status: 201, expected_statuses: "2xx,401" })).body;
  expect([monitor.expected_status, monitor.expected_statuses]).toEqual([201, "200-299,401"]);
  const change = async (fields: object) => {
    const { body } = await client.put(`${MONITORS}/${monitor.id}`, { ...PAUSED, ...fields });
    return [body.monitor.expected_status, body.monitor.expected_statuses];
  };
  expect(await change({})).toEqual([201, "200-299,401"]);
  expect(await change({ expectedStatus: 204 })).toEqual([204, ""]);
});

it("a monitor accepts headers as an object or as its JSON text, and drops headers without a name", async () => {
  const { create } = await setUp();
  const headers = { " X-Token ": 'a, b;c="d"', "": "dropped", "  ": "dropped", "x-empty": "" };
  const kept = { "X-Token": 'a, b;c="d"', "x-empty": "" };
  expect((await create({ headers })).body.monitor.headers).toEqual(kept);
  expect((await create({ headers: JSON.stringify(headers) })).body.monitor.headers).toEqual(kept);
});

it("a monitor ignores unknown fields such as id, owner and status", async () => {
  const { create } = await setUp();
  const { body } = await create({ id: 99, user_id: 1, userId: 1, status: "up", uptime: 100, created_at: "2020-01-01" });
  expect(body.monitor).toMatchObject({ status: "paused", uptime: null, created_at: "2026-01-15T12:20:00.000Z" });
  expect(body.monitor.id).not.toBe(99);
});

it("a bad assertion is refused by its index and field", async () => {
  const { create } = await setUp();
  const cases: [assertion: unknown, field: string][] = [
    [{ on: "status", op: "=", value: "x" }, "on"],
    [{ on: "body", op: "matches", value: "x" }, "op"],
    [{ on: "body", op: "=", value: "x" }, "op"],
    [{ on: "body", op: "contains" }, "value"],
    [{ on: "body", op: "contains", value: "x".repeat(1025) }, "value"],
    [{ on: "body", op: "contains", value: {} }, "value"],
    [{ on: "json", op: "=", value: "x" }, "path"],
    [{ on: "json", path: "a..b", op: "exists" }, "path"],
    [{ on: "json", path: "x".repeat(300), op: "exists" }, "path"],
    [{ on: "json", path: "$.a[?match(@.b, 'x')]", op: "exists" }, "path"],
    [{ on: "json", path: "a", op: "<", value: "many" }, "value"],
    [{ on: "header", path: "a b", op: "exists" }, "path"],
    [{ on: "time", op: ">", value: 1 }, "op"],
    [{ on: "time", op: "<", value: 0.5 }, "value"],
    [{ on: "time", op: "<", value: 300_001 }, "value"],
  ];
  const good = { on: "time", op: "<", value: 800 };
  for (const [assertion, field] of cases) {
    const { status, body } = await create({ assertions: [{ on: "body", op: "contains", value: "x" }, assertion] });
    expect([assertion, status, paths(body.errors)]).toEqual([assertion, 422, [`assertions.1.${field}`]]);
  }
  expect(paths((await create({ assertions: [good, good] })).body.errors)).toEqual(["assertions.1.on"]);
  const keyword = { on: "body", op: "contains", value: "x" };
  expect(paths((await create({ method: "HEAD", assertions: [keyword] })).body.errors)).toEqual(["assertions.0.on"]);
});

it("assertions are stored with texts as values, and shown in full", async () => {
  const { client, create } = await setUp();
  const { monitor } = (
    await create({
      assertions: [
        { on: "json", path: "a", op: ">", value: 5, ignore_case: true },
        { on: "time", path: "dropped", op: "<", value: 800 },
      ],
    })
  ).body;
  const stored = [
    { on: "json", path: "a", op: ">", value: "5", ignore_case: false },
    { on: "time", path: "", op: "<", value: "800", ignore_case: false },
  ];
  expect(monitor.assertions as unknown).toEqual(stored);
  const { body } = await client.put(`${MONITORS}/${monitor.id}`, { ...PAUSED, name: "other" });
  expect(body.monitor.assertions as unknown).toEqual(stored);
});

describe("a field out of bounds is refused with 422:", () => {
  const long = (length: number) => "x".repeat(length);
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, "1"]));
  const cases: [field: string, good: unknown[], bad: unknown[]][] = [
    ["name", ["x", long(LIMITS.monitorName)], ["", "  ", long(LIMITS.monitorName + 1), 7, null]],
    [
      "url",
      ["http://a", "HTTPS://user:pass@a.example:8443/x?y#z", `http://a/${long(LIMITS.url - 9)}`, "http://[::1]/"],
      [
        "",
        "a.example",
        "ftp://a",
        "http://",
        "http:///x",
        "http://a b/",
        "http://a:99999/",
        `http://a/${long(2040)}`,
        7,
      ],
    ],
    ["method", ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"], ["get", "TRACE", "CONNECT", "", 1]],
    ["interval", [60, 86_400, "60"], [0, 59, 86_401, 60.5, "59", "", "x", null, Number.NaN, -60]],
    ["timeout", [1, 60], [0, 301, 1.5, "0", -1, 61]],
    ["expected_status", [1, 5, 100, 599], [0, 6, 99, 600, 200.5, "200"]],
    ["expectedStatus", [2], [0, 1000]],
    [
      "expected_statuses",
      ["", " ", "200", "200-299,401", "2xx, 401"],
      ["x", "99", "299-200", "200;201", `200${",201".repeat(25)}`, 200, null],
    ],
    [
      "assertions",
      [
        [],
        [{ on: "body", op: "lacks", value: "error", ignore_case: true }],
        [{ on: "json", path: `$.${"a".repeat(254)}`, op: ">=", value: 5 }],
        [{ on: "json", path: "data.ok", op: "=", value: true }],
        [{ on: "json", path: "data.text", op: "=", value: "" }],
        [{ on: "header", path: "X-Cache", op: "exists" }],
        [{ on: "time", op: "<", value: 800 }],
        Array(10).fill({ on: "body", op: "contains", value: "x".repeat(1024) }),
      ],
      [null, Array(11).fill({ on: "body", op: "contains", value: "x" })],
    ],
    ["accept_self_signed", [true, false], ["true", 1, null]],
    ["ip_family", ["any", "4", "6"], ["", "5", 4, null]],
    ["retries", [0, 10], [-1, 11, 0.5, "11"]],
    ["retry_pause", [1, 45], [0, 61, 1.5, "0", 46]],
    ["quick_recheck", [true, false], ["true", 1, null]],
    ["active", [false], ["true", 1, null]],
    ["body", ["", long(LIMITS.body)], [long(LIMITS.body + 1), "ü".repeat(LIMITS.body / 2 + 1), 7, {}]],
    [
      "headers",
      [many(LIMITS.headers), { a: long(LIMITS.headerValue) }, { a: long(8000), b: long(8000), c: long(381) }],
      [
        many(LIMITS.headers + 1),
        { a: long(LIMITS.headerValue + 1) },
        { a: long(8000), b: long(8000), c: long(382) },
        { a: "ü".repeat(8000), b: "x".repeat(400) },
        { "a b": "1" },
        { "a:": "1" },
        { a: "1\r\nX-Injected: 2" },
        { a: "1\u0000" },
        { a: 1 },
        { Connection: "close" },
        { "Content-Length": "5" },
        { "transfer-ENCODING": "chunked" },
        [],
        ["a"],
        [["a", "b"]],
        true,
        "[]",
        "{",
        "null x",
        '"a"',
        '{"a":1}',
        7,
      ],
    ],
  ];
  for (const [field, good, bad] of cases) {
    it(`${field}`, async () => {
      const { create } = await setUp();
      for (const value of good) expect([value, (await create({ [field]: value })).status]).toEqual([value, 201]);
      for (const value of bad) {
        const { status, body } = await create({ [field]: value });
        expect([value, status, body.code, paths(body.errors ?? [])]).toEqual([value, 422, "validation", [field]]);
        for (const { message } of body.errors) expect(message).toMatch(new RegExp(`^${field}: .*\\w`));
      }
    });
  }

  it("several fields at once, with one entry for each", async () => {
    const { create } = await setUp();
    const { body } = await create({
      name: "",
      url: "x",
      method: "TRACE",
      interval: 1,
      timeout: 0,
      retries: 19,
    });
    expect(paths(body.errors)).toEqual(["interval", "method", "name", "retries", "timeout", "url"]);
    const more = await create({ url: "http://a b", timeout: 120, headers: { "a b": "1" } });
    expect(paths(more.body.errors)).toEqual(["headers", "timeout", "url"]);
  });

  it("the parameters of a list", async () => {
    const { client } = await setUp();
    for (const query of ["limit=0", "limit=-1", "limit=x", "offset=-1", "status=nope", "history=41", "history=-1"]) {
      const { status, body } = await client.get(`${MONITORS}?${query}`);
      expect([query, status, body.code, paths(body.errors)]).toEqual([
        query,
        422,
        "validation",
        [query.split("=")[0]!],
      ]);
    }
  });

  it("any number of bad headers, with one entry", async () => {
    const { create } = await setUp();
    const { body } = await create({ headers: { "a b": "1", "c d": "2", Connection: "close" } });
    expect(paths(body.errors)).toEqual(["headers"]);
  });
});

it("a new monitor requires name, url and interval", async () => {
  const { client } = await setUp();
  expect(paths((await client.post(MONITORS, {})).body.errors)).toEqual(["interval", "name", "url"]);
});

it("an error names every bad field at once, including those that the kind validates beyond its schema", async () => {
  const { create } = await setUp();
  const bad = { name: " ", url: "http://[", headers: { "a b": "c" }, interval: 60, timeout: 90, retries: 19 };
  const { status, body } = await create(bad);
  expect([status, body.code]).toEqual([422, "validation"]);
  expect(paths(body.errors)).toEqual(["headers", "name", "retries", "timeout", "url"]);
  expect(paths((await create({ ...bad, interval: "often", url: 5 })).body.errors)).toEqual([
    "headers",
    "interval",
    "name",
    "retries",
    "url",
  ]);
});
