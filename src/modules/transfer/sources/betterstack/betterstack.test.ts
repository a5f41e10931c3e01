import { expect, it, onTestFinished } from "bun:test";
import { DAY, HOUR, MINUTE } from "../../../../shared/limits";
import { createTestApp } from "../../../../testing/app";
import { START } from "../../../../testing/clock";
import { importer } from "../../../../testing/fixtures/imports/kuma";

const monitor = (id: string, attributes: object) => ({
  ...{ id, type: "monitor" },
  attributes: {
    ...{ url: "https://shop.example.com/", pronounceable_name: `Monitor ${id}`, monitor_type: "status", status: "up" },
    ...{ check_frequency: 180, request_timeout: 30, http_method: "get", request_headers: [], paused_at: null },
    ...attributes,
  },
});
const MONITORS = [
  monitor("1", { monitor_group_id: 7, request_headers: [{ id: "h", name: "X-Key", value: "a" }], ssl_expiration: 14 }),
  monitor("2", { monitor_type: "expected_status_code", expected_status_codes: [200, 301], verify_ssl: false }),
  monitor("3", { monitor_type: "keyword_absence", required_keyword: "error", paused_at: "2025-01-01T00:00:00Z" }),
  monitor("4", { monitor_type: "smtp", url: "mail.example.com", port: "465,587", request_timeout: 2500 }),
  monitor("5", {
    monitor_type: "tcp",
    url: "db.example.com",
    port: "5432",
    request_timeout: 5000,
    check_frequency: 30,
  }),
  monitor("6", { monitor_type: "dns", url: "1.1.1.1", request_body: "example.com", request_timeout: 5000 }),
  monitor("7", { monitor_type: "playwright" }),
];
const pageSection = (id: number, page: number, name: string) => ({
  ...{ id: `${id}`, type: "status_page_section" },
  attributes: { name, position: 0, status_page_id: page },
});
const pageResource = (section: number, id: number, resource_type: string, position: number) => ({
  ...{ id: `${section}-${id}`, type: "status_page_resource" },
  attributes: { status_page_section_id: section, resource_id: id, resource_type, position },
});
const LISTS: Record<string, object[]> = {
  "monitor-groups": [{ id: "7", type: "monitor_group", attributes: { name: "Core", paused: false } }],
  monitors: MONITORS,
  heartbeats: [
    {
      ...{ id: "9", type: "heartbeat" },
      attributes: {
        name: "Backup",
        url: "https://uptime.betterstack.com/api/v1/heartbeat/x",
        period: 3600,
        grace: 300,
      },
    },
  ],
  "status-pages": [
    { id: "3", type: "status_page", attributes: { company_name: "Acme", subdomain: "acme", custom_domain: null } },
    { id: "4", type: "status_page", attributes: { company_name: "Second", subdomain: "second" } },
  ],
  "status-pages/3/sections": [pageSection(31, 3, "API")],
  "status-pages/3/resources": [pageResource(31, 2, "Monitor", 0), pageResource(31, 9, "Heartbeat", 1)],
  "status-pages/4/sections": [pageSection(41, 4, "Web")],
  "status-pages/4/resources": [pageResource(41, 1, "Monitor", 0)],
};

const iso = (time: number) => new Date(time).toISOString();

type Incident = { from: number; to?: number | null; cause?: string; status?: string };

/** An incident of a monitor or a heartbeat, as the list of incidents has it. */
const incident = (of: object, { from, to = null, cause = "Status 500", status = "Resolved" }: Incident) => ({
  ...{ id: `${from}`, type: "incident" },
  attributes: { name: "x", started_at: iso(from), resolved_at: to === null ? null : iso(to), cause, status },
  relationships: Object.fromEntries(Object.entries(of).map(([type, id]) => [type, { data: { id, type } }])),
});

/** A stand-in for the API with pages of four resources. `answer` may answer a request in its place. */
const startApi = (answer: (url: URL, count: number) => Response | undefined = () => undefined) => {
  let count = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const url = new URL(request.url);
      const other = answer(url, ++count);
      if (other) return other;
      if (request.headers.get("authorization") !== "Bearer token-1") return new Response("{}", { status: 401 });
      const list = LISTS[url.pathname.replace(/^\/api\/v\d\//, "")] ?? [];
      const page = Number(url.searchParams.get("page") ?? 1);
      const next = page * 4 < list.length ? `https://uptime.betterstack.com${url.pathname}?page=${page + 1}` : null;
      return Response.json({ data: list.slice((page - 1) * 4, page * 4), pagination: { next } });
    },
  });
  onTestFinished(() => server.stop(true));
  return `http://127.0.0.1:${server.port}`;
};

const start = async (answer?: Parameters<typeof startApi>[0]) => {
  const app = await createTestApp({ env: { PROVIDER_ORIGINS: `https://uptime.betterstack.com=${startApi(answer)}` } });
  const { alice } = await app.people();
  const client = app.as(alice);
  const byKey = async (key: unknown, source = "betterstack") =>
    (await client.post("/api/import/preview", { source, key })) as unknown as {
      status: number;
      body: Body;
    };
  return { app, client, byKey, ...importer(app.send, alice.token) };
};

/** Answers the list of monitors with a monitor created 30 days ago, and the list of incidents with these. */
const withIncidents =
  (incidents: object[], attributes: object = {}) =>
  (url: URL): Response | undefined => {
    const created = { created_at: iso(START - 30 * DAY), last_checked_at: iso(START - MINUTE), ...attributes };
    if (url.pathname.endsWith("/monitors")) return Response.json({ data: [monitor("1", created)] });
    return url.pathname.endsWith("/incidents") ? Response.json({ data: incidents }) : undefined;
  };

type Body = { source: string; id: string; code: string; message: string; items: Row[]; history_from: string | null };
type Row = { name: string; outcome: string; notes: { code: string }[] };
const rowsOf = ({ items }: Body) =>
  items.map(({ name, outcome, notes }) => [name, outcome, ...notes.map((one) => one.code)]);

it("a token of Better Stack brings monitors, groups, heartbeats and status pages, page by page", async () => {
  const { byKey, apply, client } = await start();
  const { body } = await byKey("token-1");
  expect([body.source, ...rowsOf(body)]).toEqual([
    "betterstack",
    ["Core", "change", "group_as_tag"],
    ["Monitor 1", "take"],
    ["Monitor 2", "take"],
    ["Monitor 3", "take"],
    ["Monitor 4", "change", "field_left_out"],
    ["Monitor 5", "change", "interval_changed"],
    ["Monitor 6", "take"],
    ["Monitor 7", "skip", "kind_unsupported"],
    ["Backup", "change", "address_new"],
    ["Acme", "take"],
    ["Second", "take"],
  ]);
  await apply(body.id, { paused: true });
  const { pages } = (await client.get("/api/pages")).body;
  expect(pages).toMatchObject([{ title: "Acme" }, { title: "Second", slug: "second" }]);
  const { components } = (await client.get(`/api/pages/${pages[1]?.id ?? 0}`)).body.page;
  expect(components).toMatchObject([{ label: "Monitor 1", group: "Web" }]);
  const { monitors } = (await client.get("/api/monitors?fields=all&sort=created")).body;
  expect(monitors).toMatchObject([
    { expected_statuses: "200-299", tags: [{ name: "group", value: "Core" }], certificate_days: [14], interval: 180 },
    { expected_statuses: "200,301", accept_self_signed: true },
    { assertions: [{ on: "body", op: "lacks", value: "error" }] },
    { kind: "tcp", config: { host: "mail.example.com", port: 465, preset: "smtp", tls: "direct" }, timeout: 3 },
    { kind: "tcp", config: { host: "db.example.com", port: 5432 }, timeout: 5, interval: 60 },
    { kind: "dns", config: { name: "example.com", type: "A", server: "1.1.1.1" } },
    { kind: "heartbeat", config: { every: 3600, grace: 300 } },
  ]);
  const { config } = (await client.get("/api/status/config")).body as unknown as { config: object };
  expect(config).toMatchObject({ groups: [{ name: "API", monitors: [monitors[1]?.id, monitors[6]?.id] }] });
  const again = (await byKey("token-1")).body;
  expect(rowsOf(again).filter(([, outcome]) => outcome === "exists")).toHaveLength(9);
});

it("incidents of Better Stack become outages of the time that each monitor was watched in", async () => {
  const incidents = [
    incident({ monitor: "1" }, { from: START - 2 * HOUR, to: null, cause: "Timeout", status: "Started" }),
    incident({ monitor: "1" }, { from: START - 3 * HOUR, to: null, status: "Unconfirmed" }),
    incident({}, { from: START - DAY, to: START - DAY + HOUR, cause: "Disk space" }),
    incident({ monitor: "99" }, { from: START - DAY, to: START - DAY + HOUR }),
    incident({ heartbeat: "9" }, { from: START - 2 * DAY, to: START - 2 * DAY + HOUR, cause: "Missed heartbeat" }),
    incident({ monitor: "1" }, { from: START - 3 * DAY + HOUR, to: START - 3 * DAY + 4 * HOUR, cause: "SSL" }),
    incident({ monitor: "1" }, { from: START - 3 * DAY, to: START - 3 * DAY + 2 * HOUR }),
  ];
  const { byKey, apply, client } = await start(withIncidents(incidents));
  const { body } = await byKey("token-1");
  expect(body.history_from).toBe(iso(START - 30 * DAY));
  const done = await apply(body.id, { paused: true });
  expect(done.body.history).toEqual({ days: 0, outages: 2 });
  const id = done.body.items.find(({ name }) => name === "Monitor 1")?.target_id;
  const { outages } = (await client.get(`/api/outages?target=monitor:${id}`)).body;
  expect(outages).toMatchObject([
    {
      started_at: iso(START - 2 * HOUR),
      ended_at: iso(START - MINUTE),
      ...{ error_code: "imported", error_detail: { source: "Better Stack", text: "Timeout" } },
    },
    {
      started_at: iso(START - 3 * DAY),
      ended_at: iso(START - 3 * DAY + 4 * HOUR),
      ...{ error_code: "imported", error_detail: { source: "Better Stack", text: "Status 500" } },
    },
  ]);
  const { monitor: detail } = (await client.get(`/api/monitors/${id}`)).body;
  expect(detail).toMatchObject({
    imported: { source: "betterstack" },
    availability: { "90d": { watched_seconds: 30 * 86_400 - 60, down_seconds: 6 * 3600 - 60 } },
  });
  const again = await byKey("token-1");
  expect((await apply(again.body.id)).body.history).toEqual({ days: 0, outages: 0 });
});

it("incidents of Better Stack about what expires later are left out with the reason", async () => {
  const causes = [
    "SSL certificate will expire in 14 days",
    "Domain x.io expires in 30 days",
    "SSL certificate has expired",
  ];
  const incidents = causes.map((cause, index) => {
    const from = START - (2 * index + 1) * DAY;
    return incident({ monitor: "1" }, { from, to: from + HOUR, cause });
  });
  const { byKey, apply } = await start(withIncidents(incidents));
  const { body } = await byKey("token-1");
  expect(rowsOf(body)).toContainEqual(["Monitor 1", "change", "warnings_left_out"]);
  expect((await apply(body.id)).body.history.outages).toBe(1);
});

it("a monitor of Better Stack that is paused has a history until then, and one that was never checked has none", async () => {
  const paused = { paused_at: iso(START - 10 * DAY), last_checked_at: iso(START - 10 * DAY - MINUTE) };
  const { byKey, apply, client } = await start(withIncidents([], paused));
  const done = await apply((await byKey("token-1")).body.id);
  const id = done.body.items.find(({ name }) => name === "Monitor 1")?.target_id;
  expect((await client.get(`/api/monitors/${id}`)).body.monitor).toMatchObject({
    availability: { "90d": { watched_seconds: 20 * 86_400 - 60, down_seconds: 0 } },
  });
  const other = await start(withIncidents([], { status: "pending" }));
  expect((await other.byKey("token-1")).body.history_from).toBeNull();
});

it("of very many incidents of Better Stack the latest are read, and nothing is said about the time before", async () => {
  let pages = 0;
  const answer = (url: URL): Response | undefined => {
    if (!url.pathname.endsWith("/incidents")) return withIncidents([])(url);
    const from = START - ++pages * 2 * HOUR;
    const data = [incident({ monitor: "1" }, { from, to: from + HOUR })];
    return Response.json({ data, pagination: { next: `${url.pathname}?page=${pages + 1}` } });
  };
  const { byKey } = await start(answer);
  const { body } = await byKey("token-1");
  expect([pages, body.history_from]).toEqual([100, iso(START - 200 * HOUR)]);
});

it("the import waits when Better Stack asks for fewer requests, but not for long", async () => {
  let count = 0;
  const limited = (seconds: string) => () =>
    ++count === 3 ? new Response("", { status: 429, headers: { "retry-after": seconds } }) : undefined;
  const { body } = await (await start(limited("30"))).byKey("token-1");
  expect(rowsOf(body)).toContainEqual(["Monitor 1", "take"]);
  count = 0;
  expect((await (await start(limited("600"))).byKey("token-1")).body.message).toContain("no more requests");
});

it("an answer of Better Stack may be pasted as a file", async () => {
  const { preview } = await start();
  const form = new FormData();
  form.set("file", new Blob([JSON.stringify({ data: MONITORS.slice(1, 3), pagination: {} })]), "monitors.json");
  const { body } = await preview(form);
  expect([body.source, ...rowsOf(body)]).toEqual(["betterstack", ["Monitor 2", "take"], ["Monitor 3", "take"]]);
});

it("a key that is refused, also half way, or a body that is none, is refused with the reason", async () => {
  const { byKey, client } = await start();
  const { status, body } = await byKey("other");
  expect([status, body.code, body.message]).toEqual([
    ...[422, "import_refused", "Better Stack can't be read with this key: it refuses the key."],
  ]);
  for (const key of ["", "a b", "x".repeat(501), 7, null, "a\n"])
    expect((await byKey(key)).body.code).toBe("validation");
  expect((await byKey("token-1", "kuma")).body.code).toBe("validation");
  expect((await client.post("/api/import/preview", [])).status).toBe(422);
});

const BROKEN: [name: string, answer: (url: URL, count: number) => Response | undefined, reason: string][] = [
  [
    "revokes the key half way",
    (_, count) => (count > 2 ? new Response("", { status: 403 }) : undefined),
    "refuses the key",
  ],
  [
    "revokes the key before the incidents",
    (url) => (url.pathname.endsWith("/incidents") ? new Response("", { status: 401 }) : undefined),
    "refuses the key",
  ],
  ["limits its requests", () => new Response("", { status: 429 }), "no more requests"],
  ["fails", () => new Response("", { status: 500 }), "status 500"],
  ["redirects", () => Response.redirect("https://example.com/", 302), "status 302"],
  ["answers HTML", () => new Response("<p>"), "no JSON"],
  [
    ...([
      "refers to another host",
      () => Response.json({ data: [], pagination: { next: "https://example.com/x" } }),
    ] as const),
    "another address",
  ],
  [
    ...(["never ends", (url: URL) => Response.json({ data: [], pagination: { next: url.pathname } })] as const),
    "more objects",
  ],
];

it.each(BROKEN)("a product that %s is refused with the reason, and nothing is created", async (_, answer, reason) => {
  const { byKey, client } = await start(answer);
  const { body } = await byKey("token-1");
  expect([body.code, body.message]).toEqual(["import_refused", expect.stringContaining(reason)]);
  expect((await client.get("/api/monitors")).body.total).toBe(0);
});
