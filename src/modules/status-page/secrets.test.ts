import { describe, expect, it } from "bun:test";
import { START } from "../../testing/clock";
import { enrollAgent, sampleAt } from "../../testing/fixtures/agents";
import { addMonitor, record } from "../../testing/fixtures/monitors";
import { publish, readStatusConfig, readStatusData } from "../../testing/fixtures/status-page";
import { startTestServer } from "../../testing/servers/hub";

/** Secrets that only their owner may see, a different one in each field. */
const SECRETS = [
  "hidden-host.example",
  "secret-path",
  "X-Secret-Header",
  "secret-value",
  "secret-body",
  "secret-reason",
  "10.66.6.6",
  "hidden-monitor",
  "hidden-machine",
  "hidden-agent",
  "shown-machine",
  "shown-system",
  "shown-kernel",
];

const setUp = async () => {
  const app = await startTestServer();
  const { alice, bob } = await app.people();
  const private_ = {
    url: "https://hidden-host.example/secret-path",
    headers: { "X-Secret-Header": "secret-value" },
    body: "secret-body",
    method: "POST" as const,
  };
  const shown = await addMonitor(app, bob, { ...private_, name: "shop" });
  const hidden = await addMonitor(app, bob, { ...private_, name: "hidden-monitor" });
  const others = await addMonitor(app, alice, { ...private_, name: "hidden-monitor of alice" });
  for (const id of [shown, hidden, others])
    await record(app, id, [{ at: START, up: false, error: { code: "status", detail: { actual: "secret-reason" } } }]);
  const addresses = { ip_addresses: ["10.66.6.6"] };
  const facts = { ...addresses, hostname: "shown-machine", os: "shown-system", version: "shown-kernel" };
  const shownAgent = await enrollAgent(app, bob, { ...facts, machine_id: "m1", name: "web" });
  const hiddenAgent = await enrollAgent(app, bob, {
    ...addresses,
    machine_id: "m2",
    name: "hidden-agent",
    hostname: "hidden-machine",
  });
  await shownAgent.report([sampleAt(START)], facts);
  await hiddenAgent.report([sampleAt(START)], { ...addresses, hostname: "hidden-machine" });
  return { app, alice, bob, ids: { shown, hidden, others }, agents: { shown: shownAgent, hidden: hiddenAgent } };
};

/** Every public address, with existing ids. */
const openAddresses = (ids: number[], slugs: string[]) => [
  "/api/status/data",
  "/api/status/style.css",
  "/api/status/feed.xml",
  "/status",
  ...slugs.flatMap((slug) => [
    `/api/status/data?page=${slug}`,
    `/api/status/style.css?page=${slug}`,
    `/api/status/feed.xml?page=${slug}`,
    `/status/${slug}`,
  ]),
  ...ids.flatMap((id) => [`/badge/${id}.svg`, `/badge/${id}.svg?type=uptime`, `/badge/${id}.svg?type=uptime&days=90`]),
  ...ids.flatMap((id) => [
    `/api/status/data?page=${id}`,
    `/status/${id}`,
    `/api/monitors/${id}`,
    `/api/agents/${id}`,
    `/api/monitors/${id}/checks`,
  ]),
  "/api/status/config",
  "/api/monitors",
  "/api/agents",
  "/api/dashboard",
  "/api/users",
  "/api/notifications",
  "/api/notifications/history",
];

it("public addresses show visitors only what is on a page", async () => {
  const { app, bob, ids, agents } = await setUp();
  const hidden = { show_hostname: false, show_os: false, show_version: false };
  await publish(app, bob, { title: "Bob's", monitors: [ids.shown], agents: [agents.shown.id], ...hidden });
  const everything = [...Object.values(ids), agents.shown.id, agents.hidden.id];
  for (const path of openAddresses(everything, ["bob", "alice", "charlie"])) {
    const { text, headers } = await app.call(path);
    const all = text + JSON.stringify([...headers]);
    expect([path, SECRETS.filter((secret) => all.includes(secret))]).toEqual([path, []]);
    expect([path, [bob.token, agents.shown.key].some((key) => all.includes(key))]).toEqual([path, false]);
  }
  // The published values are present, so the search above covers real content.
  const data = await readStatusData(app, "bob");
  expect([data.overall, data.monitors[0]?.name, data.agents[0]?.name]).toEqual(["partial", "shop", "web"]);
});

it("the data of a page has exactly the documented fields", async () => {
  const { app, bob, ids, agents } = await setUp();
  await publish(app, bob, { monitors: [ids.shown], agents: [agents.shown.id] });
  const data = await readStatusData(app, "bob");
  const keys = (value: object = {}) => Object.keys(value).toSorted().join(" ");
  const [monitor] = data.monitors;
  const ofPage =
    "agents components customCss description groups history_days incidents logoUrl maintenance monitors outages overall published theme title unknown updated_at";
  const ofMonitor =
    "days history id last_checked maintenance name response_time since status unknown uptime uptimes watched";
  const ofAgent = "cpu disk hostname id maintenance memory name network_rx network_tx os since status unknown version";
  expect([data, monitor, data.agents[0]].map((one) => keys(one))).toEqual([ofPage, ofMonitor, ofAgent]);
  expect(keys(monitor?.history[0])).toBe("status timestamp");
});

it("a page shows a server's hostname, system and version, each unless its owner disabled it", async () => {
  const { app, bob, agents } = await setUp();
  const shown = async (page: object) => {
    await publish(app, bob, page);
    const { hostname, os, version } = (await readStatusData(app, "bob")).agents[0] ?? {};
    return [hostname, os, version];
  };
  const all = ["shown-machine", "shown-system", "shown-kernel"];
  expect(await shown({ agents: [agents.shown.id] })).toEqual(all);
  expect(await shown({ show_os: false, showVersion: false })).toEqual(["shown-machine", undefined, undefined]);
  expect(await shown({ showHostname: false, showOs: true })).toEqual([undefined, "shown-system", undefined]);
  expect(await shown({ show_os: false, show_version: true })).toEqual([undefined, undefined, "shown-kernel"]);
  expect(await shown({ title: "Bob's" })).toEqual([undefined, undefined, "shown-kernel"]);
  expect(await readStatusConfig(app, bob)).toMatchObject({ show_hostname: false, show_os: false, show_version: true });
  const { status, body } = await app.as(bob).post("/api/status/config", { show_os: "yes" });
  expect([status, body.errors[0]?.path]).toEqual([422, "show_os"]);
});

describe("a badge", () => {
  it("exists for items on a page, and answers the same 404 for all others", async () => {
    const { app, bob, ids } = await setUp();
    const before = await app.call(`/badge/${ids.shown}.svg`);
    await publish(app, bob, { monitors: [ids.shown] });
    const shown = await app.call(`/badge/${ids.shown}.svg`);
    expect([before.status, shown.status, shown.headers.get("content-type")]).toEqual([
      404,
      200,
      "image/svg+xml; charset=utf-8",
    ]);
    expect(shown.text).toInclude("<title>shop: down</title>");
    const nothing = await app.call("/badge/987654.svg");
    for (const id of [ids.hidden, ids.others]) {
      const { status, text, headers } = await app.call(`/badge/${id}.svg`);
      expect([status, text]).toEqual([404, nothing.text]);
      expect([headers.get("content-type"), headers.get("cache-control")]).toEqual([
        "application/json;charset=utf-8",
        "no-store",
      ]);
    }
    await app.as(bob).post(`/api/monitors/${ids.shown}/pause`);
    expect((await app.call(`/badge/${ids.shown}.svg`)).text).toInclude("shop: paused");
  });

  it("shows the uptime of a number of days, and never rounds it up to 100 %", async () => {
    const { app, bob, ids } = await setUp();
    await publish(app, bob, { monitors: [ids.shown] });
    await record(app, ids.shown, [{ at: START + 60_000 }]);
    app.clock.set(START + 240_000);
    expect((await app.call(`/badge/${ids.shown}.svg?type=uptime&days=7`)).text).toInclude("shop · 7 d: 75.00%");
    app.clock.set(START + 365 * 86_400_000);
    await record(app, ids.shown, [{ at: START + 365 * 86_400_000, up: false }, { at: START + 365 * 86_400_000 + 1 }]);
    app.clock.set(START + 365 * 86_400_000 + 1);
    expect((await app.call(`/badge/${ids.shown}.svg?type=uptime&days=90`)).text).toInclude("shop · 90 d: 99.99%");
    for (const query of ["days=0", "days=91", "days=x", "type=other"])
      expect([query, (await app.call(`/badge/${ids.shown}.svg?type=uptime&${query}`)).status]).toEqual([query, 422]);
    for (const file of ["x.svg", "1", "1.png", "..svg", "9007199254740993.svg"])
      expect([file, (await app.call(`/badge/${file}`)).body.code]).toEqual([file, "invalid_id"]);
  });

  it("escapes names that are markup", async () => {
    const { app, bob } = await setUp();
    const id = await addMonitor(app, bob, { url: "https://a.example/", name: `<script>"x"&'y'</script>` });
    await publish(app, bob, { monitors: [id] });
    const { text } = await app.call(`/badge/${id}.svg`);
    expect(text).not.toMatch(/<script|"x"&/);
    expect(text).toInclude("pending");
  });
});

describe("the document", () => {
  it("has title, description and state in its head, escaped", async () => {
    const { app, bob, ids } = await setUp();
    const title = `</title><script>alert("1")</script>$&`;
    await publish(app, bob, { title, description: `"><img src=x onerror=alert(1)>`, monitors: [ids.shown] });
    const { status, text, headers } = await app.call("/status/bob", {
      headers: { "accept-language": "en-GB,en;q=0.9" },
    });
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([
      200,
      "text/html; charset=utf-8",
      "no-cache",
    ]);
    expect(headers.get("content-security-policy")).toInclude("default-src 'self'");
    expect(text).not.toMatch(/<script>alert|<img|onerror=alert\(1\)>"/);
    expect(text).toInclude('<html lang="en-US"');
    expect(text).toInclude('<meta property="og:title" content="&#60;/title&#62;');
    expect(text).toMatch(/<meta property="og:description" content="Major outage · &#34;&#62;/);
    expect(text).toMatch(/<title>&#60;.*\$&#38; · Major outage<\/title>/);
    expect(text.match(/<script[^>]*>/g)).toEqual([
      '<script type="application/json" id="settings">',
      '<script type="application/json" id="start">',
    ]);
    const chinese = await app.call("/status/bob", { headers: { "accept-language": "zh-TW" } });
    expect(chinese.text).toInclude("出现严重故障");
    expect((await app.call("/status/bob", { headers: { "accept-language": "fr" } })).text).toInclude('lang="zh-CN"');
  });

  it("allows images from its logo's origin only", async () => {
    const { app, bob } = await setUp();
    const policyOf = async (path: string) => (await app.call(path)).headers.get("content-security-policy") ?? "";
    const images = async (logoUrl: string) => {
      await publish(app, bob, { logoUrl });
      return /img-src ([^;]*)/.exec(await policyOf("/status/bob"))?.[1];
    };
    expect(await images("https://cdn.example:8443/a/logo.png?x=1")).toBe("'self' data: https://cdn.example:8443");
    expect(await images("https://CDN.example/logo.png; script-src *")).toBe("'self' data: https://cdn.example");
    expect(await images("data:image/png;base64,AAAA")).toBe("'self' data:");
    expect(await images("")).toBe("'self' data:");
    for (const path of ["/", "/status", "/status/unknown", "/api/docs"])
      expect(await policyOf(path)).toInclude("img-src 'self' data:;");
  });

  it("redirects every other spelling of its address to the canonical one", async () => {
    const { app, bob } = await setUp();
    await publish(app, bob, { title: "Bob's" });
    for (const path of [
      "/status/BOB",
      "/status/%62ob",
      "/status/%EF%BD%82ob",
      "/status/bob/",
      "/status/%f0%9d%90%9bob",
    ]) {
      const { status, headers, text } = await app.call(path);
      expect([path, status, headers.get("location"), text]).toEqual([path, 301, "/status/bob", ""]);
    }
    expect((await app.call("/status/")).headers.get("location")).toBe("/status");
    expect((await app.call("/status/bob")).status).toBe(200);
    expect((await app.call("/api/status/style.css?page=BOB")).status).toBe(200);
  });

  it("may be indexed by search engines, unlike all other pages", async () => {
    const { app, bob } = await setUp();
    await publish(app, bob, { title: "Bob's" });
    expect((await app.call("/status/bob")).headers.get("x-robots-tag")).toBeNull();
    for (const path of [
      "/",
      "/status",
      "/status/unknown",
      "/status/config",
      "/login",
      "/api/docs",
      "/api/status/data",
      "/health",
    ])
      expect([path, (await app.call(path)).headers.get("x-robots-tag")]).toEqual([path, "noindex"]);
  });

  it("shows no state while it is empty", async () => {
    const { app, bob } = await setUp();
    const read = async (path: string) => (await app.call(path, { headers: { "accept-language": "en" } })).text;
    const unpublished = await read("/status");
    expect(unpublished).toInclude("There is no status page here");
    expect(unpublished).not.toInclude('class="banner');
    await publish(app, bob, {});
    const empty = await read("/status/bob");
    expect(empty).toInclude("Nothing has been published here yet");
    expect(empty).toInclude('class="banner empty"');
    // What visitors see: the words of the page follow it as data.
    for (const text of [unpublished, empty])
      expect(text.replace(/<script.*?<\/script>/gs, "")).not.toInclude("operational");
  });

  it("answers 304 to its ETag, links to its owner's stylesheet, and is not the console's page", async () => {
    const { app, bob } = await setUp();
    await publish(app, bob, { title: "Bob's", customCss: "h1 { color: red; background: url(x) }" });
    const first = await app.call("/status/bob");
    const again = await app.call("/status/bob", { headers: { "if-none-match": first.headers.get("etag") ?? "" } });
    expect([again.status, again.text]).toEqual([304, ""]);
    expect(first.text).toInclude('href="./status/bob/style.css"');
    const style = await app.call("/api/status/style.css?page=bob");
    expect([style.headers.get("content-type"), style.text]).toEqual([
      "text/css; charset=utf-8",
      "h1 {\ncolor: red;\n}",
    ]);
    expect((await app.call("/status/config")).text).not.toInclude("og:title");
    const { customCss, css_dropped } = await readStatusConfig(app, bob);
    expect([customCss, css_dropped]).toEqual(["h1 { color: red; background: url(x) }", ["background: url(x)"]]);
  });

  it("answers 404 for an unknown slug, which must not be indexed", async () => {
    const { app } = await setUp();
    for (const path of ["/status/unknown", "/status/bob", "/status/%E0%A4%A", "/status/%00", "/status/..%2f..%2fetc"]) {
      const { status, text } = await app.call(path);
      expect([path, status]).toEqual([path, 404]);
      expect(text).toInclude("noindex");
    }
  });
});
