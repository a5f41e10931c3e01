import { describe, expect, it } from "bun:test";
import { request } from "node:http";
import { STATUSPAGE_DOCUMENTS } from "../../modules/status-page/statuspage/statuspage";
import { SECOND } from "../../shared/limits";
import { createPage, fillPage, PAGE_PASSWORD as PASSWORD } from "../../testing/fixtures/status/private-pages";
import { startTestServer } from "../../testing/servers/hub";
import { RESOURCES } from "./status-routes";

const DOMAIN = "status.acme.example";
const HUB = "watch.example.com";
const PUBLIC = { PUBLIC_URL: `https://${HUB}` };

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; text: string };
type Sent = { method?: string; headers?: Record<string, string>; body?: string };

/** Sends a path as it is: URL would normalize it, and fetch replaces Host. */
const send = (port: number, host: string, path: string, { method = "GET", headers = {}, body }: Sent = {}) =>
  new Promise<Answer>((resolve, reject) => {
    const options = { port, host: "127.0.0.1", path, method, headers: { ...headers, host }, agent: false };
    const sent = request(options, async (response) => {
      let text = "";
      for await (const chunk of response.setEncoding("utf8")) text += chunk;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    });
    sent.on("error", reject);
    sent.end(body);
  });

type Options = { env?: Record<string, string>; page?: object };

/** A hub with Alice's page `shop` at its own domain, with an incident and a component, and her page `other`. */
const setUp = async ({ env = PUBLIC, page = {} }: Options = {}) => {
  const hub = await startTestServer(env);
  const { alice } = await hub.people();
  const filled = await fillPage(hub, alice, page);
  const other = await createPage(hub, alice, { slug: "other", title: "Other page" });
  const setDomains = async (id: number, domains: string[]) =>
    (await hub.as(alice).put(`/api/pages/${id}`, { domains })).status;
  expect(await setDomains(filled.page.id, [DOMAIN])).toBe(200);
  const at = (path: string, sent?: Sent) => send(hub.port, DOMAIN, path, sent);
  return { hub, alice, ...filled, other, setDomains, at };
};

describe("at the domain of a page", () => {
  it("the page is at the root with everything that belongs to it, and everything else is 404", async () => {
    const { page, incident, at } = await setUp();
    const component = page.components[0]?.key ?? "";
    const resources = RESOURCES.map((name) =>
      name.replace(/\[a-z0-9\]\+/, name.startsWith("badge") ? component : incident),
    );
    const paths = [
      ...["/", "/?lang=zh-CN", "/history", "/history?month=2026-01", `/incidents/${incident}`],
      ...STATUSPAGE_DOCUMENTS.map((name) => `/api/v2/${name}.json`),
      ...resources.map((name) => `/${name}`),
      ...["/robots.txt", "/favicon.ico", "/apple-touch-icon.png", "/icon-180.png", "/theme.js"],
    ];
    for (const path of paths) {
      const { status, headers } = await at(path);
      expect([path, status]).toEqual([path, 200]);
      expect([path, headers["x-content-type-options"]]).toEqual([path, "nosniff"]);
      expect([path, (await at(path, { method: "HEAD" })).status]).toEqual([path, 200]);
    }
    const foreign = [
      ...["/status", "/status/", "/status/shop", "/status/other", "/status/config", "/status/config/preview"],
      ...["/login", "/dashboard", "/monitors", "/wall", "/agents", "/api", "/api/docs", "/api/docs/openapi.json"],
      ...["/api/auth/me", "/api/status/data", "/api/status/data?page=other", "/api/status/config", "/api/pages"],
      ...["/api/status/session", "/api/monitors", "/metrics", "/health", "/healthz", "/ping/abc", "/badge/1.svg"],
      ...["/internal/tls-ask?domain=status.acme.example", "/install.sh", "/downloads/x", "/service-worker.js"],
      ...["/manifest.webmanifest", "/index.html", "/status.html", "/main-0a1b2c3d.js", "/page-access.js"],
      ...["/.well-known/security.txt", "/config", "/other", "//", "/../other", "/%2e%2e/other", "/..%2fother"],
      ...["/api/v2/none.json", "/api/v2/../../../api/pages", "/incidents/abcdefghijkl.json", "/badge/1.svg"],
      ...["/subscription", "/history/x", "/shop", "/\\other", "/%00", "/%ff"],
    ];
    for (const path of foreign) {
      const { status, text } = await at(path);
      expect([path, status]).toEqual([path, 404]);
      expect([path, text.includes("Other page")]).toEqual([path, false]);
    }
    // The parser of URLs resolves dots.
    for (const path of ["/..", "/history/..", "/%2e%2e/%2e%2e/"])
      expect((await at(path)).text).toInclude("Secret shop");
    for (const path of ["/", "/history", "/api/auth/login", "/api/auth/register", "/data.json", "/status/shop/access"])
      for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
        const { status } = await at(path, { method, body: "{}", headers: { "content-type": "application/json" } });
        expect([method, path, status]).toEqual([method, path, 404]);
      }
  });

  it("documents, feeds and data link the domain, with addresses that begin at the root", async () => {
    const { hub, incident, at } = await setUp({ env: { PUBLIC_URL: `https://${HUB}/up`, BASE_PATH: "/up/" } });
    const address = `https://${DOMAIN}`;
    for (const [path, own] of [
      ["/", "/"],
      ["/history", "/history"],
      [`/incidents/${incident}`, `/incidents/${incident}`],
    ]) {
      const { text } = await at(path ?? "");
      expect(text).toInclude('<base href="/">');
      expect(text).toInclude(`<link rel="canonical" href="${address}${own}">`);
      expect(text).toInclude('href="./feed.xml?lang=');
      expect(text).toInclude(`"path":"${own === "/" ? "" : own}"`);
      // No link leads to the web interface.
      expect(text).not.toMatch(/href="[^"]*(\/login|\/up\/|\/status\/)/);
    }
    for (const [path, hosted] of [
      ["/feed.xml", `<link rel="alternate" type="text/html" href="${address}"/>`],
      ["/feed.rss", `<link>${address}/incidents/${incident}</link>`],
      ["/api/v2/summary.json", `"url":"${address}"`],
      ["/embed", `href="${address}"`],
    ]) {
      const own = await at(path ?? "");
      expect(own.text).toInclude(hosted ?? "");
      // The same below the address of the hub, where the document names the domain as its canonical address.
      expect((await send(hub.port, HUB, `/up/status/shop${path}`)).text).toInclude(hosted ?? "");
    }
    const below = await send(hub.port, HUB, "/up/status/shop");
    expect(below.text).toInclude(`<link rel="canonical" href="${address}/">`);
    expect(below.text).toInclude('<base href="/up/">');
    expect((await at("/up/status/shop")).status).toBe(404);
    expect((await at("/up/")).status).toBe(404);
  });

  it("Host may have a port, upper case and a dot at the end, and other names are not the page", async () => {
    const { hub } = await setUp();
    for (const host of [`${DOMAIN}:8443`, "STATUS.Acme.Example", `${DOMAIN}.`, `${DOMAIN}.:443`])
      expect([host, (await send(hub.port, host, "/data.json")).status]).toEqual([host, 200]);
    for (const host of [`x.${DOMAIN}`, "acme.example", `${DOMAIN}x`, `${DOMAIN}..`, "status.acme.example.evil.example"])
      expect([host, (await send(hub.port, host, "/data.json")).status]).toEqual([host, 421]);
    for (const host of [`${DOMAIN}, ${HUB}`, `${DOMAIN}/`, `a@${DOMAIN}`, `${DOMAIN}%00`, `[${DOMAIN}]`])
      expect([host, (await send(hub.port, host, "/data.json")).status]).toEqual([host, 400]);
    // Names of hosts in other headers do not count.
    const forwarded = { "x-forwarded-host": DOMAIN, forwarded: `host=${DOMAIN}` };
    expect((await send(hub.port, HUB, "/data.json", { headers: forwarded })).status).toBe(404);
  });

  it("without PUBLIC_URL, a domain never reaches the web interface, and other names do", async () => {
    const { hub, at } = await setUp({ env: {} });
    for (const path of ["/login", "/api/auth/me", "/health"]) {
      expect([path, (await at(path)).status]).toEqual([path, 404]);
      expect([path, (await send(hub.port, "any.example", path)).status]).not.toEqual([path, 404]);
    }
    expect((await at("/")).text).toInclude("Secret shop");
  });

  it("a password opens the page with a cookie for this host and all its paths", async () => {
    const { at, setDomains, page } = await setUp({ page: { access: "password", password: PASSWORD } });
    for (const path of ["/", "/history", "/data.json", "/api/v2/summary.json", "/feed.xml", "/badge/page.svg"])
      expect([path, (await at(path)).status]).toEqual([path, 401]);
    expect((await at("/")).text).toInclude('action="./access"');
    const enter = (password: string) =>
      at("/access", {
        method: "POST",
        body: new URLSearchParams({ password }).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded", "x-forwarded-proto": "https" },
      });
    expect((await enter("wrong")).status).toBe(401);
    const { status, headers } = await enter(PASSWORD);
    expect([status, headers.location]).toEqual([303, "/"]);
    const [cookie = ""] = headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/^status_\w+=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/);
    const own = { headers: { cookie: cookie.split(";")[0] ?? "" } };
    for (const path of ["/", "/history", "/data.json", "/api/v2/summary.json"])
      expect([path, (await at(path, own)).status]).toEqual([path, 200]);
    expect(await setDomains(page.id, [])).toBe(200);
    expect((await at("/data.json", own)).status).toBe(421);
  });

  it("a page for members leads to its address at the hub", async () => {
    const { at } = await setUp({ page: { access: "members" } });
    const { status, text } = await at("/");
    expect(status).toBe(401);
    expect(text).toInclude(`href="https://${HUB}/status/shop"`);
    expect(text).not.toInclude("page-access.js");
    expect(text).not.toInclude("./login");
  });

  it("visitors subscribe to this page only, and bodies have their limits", async () => {
    const { at } = await setUp();
    const subscribe = (path: string, body: string) =>
      at(path, { method: "POST", body, headers: { "content-type": "application/json" } });
    const hook = JSON.stringify({ url: "https://hooks.example.com/x" });
    expect((await subscribe("/subscribe", hook)).status).toBe(202);
    // A page in the query does not count.
    expect((await subscribe("/subscribe?page=none", hook)).status).toBe(202);
    expect(JSON.parse((await at("/subscribe?page=none")).text).components).toHaveLength(1);
    expect((await subscribe("/subscribe", JSON.stringify({ url: "x".repeat(20_000) }))).status).toBe(413);
    expect((await at("/subscription/1-abc")).status).toBe(200);
    expect((await at("/subscription/1-abc")).text).toInclude('href="/"');
  });

  it("a domain that is removed, or whose page is deleted, is a foreign name at once", async () => {
    const { hub, alice, page, other, setDomains, at } = await setUp();
    expect((await at("/data.json")).status).toBe(200);
    expect(await setDomains(page.id, [])).toBe(200);
    expect((await at("/data.json")).status).toBe(421);
    expect(await setDomains(other.id, [DOMAIN])).toBe(200);
    expect((await at("/")).text).toInclude("Other page");
    expect((await hub.as(alice).delete(`/api/pages/${other.id}`)).status).toBe(200);
    expect((await at("/data.json")).status).toBe(421);
    expect(await setDomains(page.id, [DOMAIN])).toBe(200);
    expect((await at("/")).text).toInclude("Secret shop");
  });
});

it("unknown hosts take one query in five seconds, and a page stays at its domain without a database", async () => {
  const { hub, at } = await setUp({ env: {} });
  let queries = 0;
  const select = hub.db.select.bind(hub.db);
  let isDown = false;
  hub.db.select = ((...fields: Parameters<typeof select>) => {
    queries++;
    if (isDown) throw new Error("the database is gone");
    return select(...fields);
  }) as typeof hub.db.select;
  expect((await send(hub.port, "first.example", "/robots.txt")).status).toBe(200);
  queries = 0;
  const hosts = Array.from({ length: 200 }, (_, index) => `${"x".repeat(index % 60)}${index}.example`);
  for (const host of hosts) expect((await send(hub.port, host, "/robots.txt")).status).toBe(200);
  expect(queries).toBe(0);
  hub.clock.advance(6 * SECOND);
  await Promise.all(hosts.slice(0, 50).map((host) => send(hub.port, host, "/robots.txt")));
  expect(queries).toBe(1);
  isDown = true;
  hub.clock.advance(6 * SECOND);
  expect((await at("/robots.txt")).text).toInclude("Disallow: /subscription/");
});

describe("the question of a proxy whether to get a certificate", () => {
  const ask = (port: number, query: string, headers: Record<string, string> = {}) =>
    send(port, `127.0.0.1:${port}`, `/internal/tls-ask${query}`, { headers });

  it("is answered 200 for the domain of a page, and 404 for all other texts, without a line in the log", async () => {
    const { hub } = await setUp();
    const lines = hub.logged.length;
    for (const domain of [DOMAIN, "STATUS.ACME.EXAMPLE", `${DOMAIN}.`])
      expect([domain, (await ask(hub.port, `?domain=${domain}`)).status]).toEqual([domain, 200]);
    const queries = [
      ...["", "?", "?domain=", `?host=${DOMAIN}`, `?domain=${HUB}`, "?domain=localhost", "?domain=127.0.0.1"],
      ...[`?domain=${DOMAIN}:443`, `?domain=https://${DOMAIN}`, `?domain=${DOMAIN}/x`, `?domain=x.${DOMAIN}`],
      ...["?domain=*", "?domain=%00", `?domain=${"x".repeat(7000)}`, `?domain=${DOMAIN}&domain=${DOMAIN}`],
      ...["?domain=__proto__", "?domain=constructor", "?domain=%F0%9F%92%A9.example", "?domain[]=x"],
    ];
    for (const query of queries) expect([query, (await ask(hub.port, query)).status]).toEqual([query, 404]);
    expect((await send(hub.port, "127.0.0.1", "/internal/tls-ask", { method: "POST" })).status).toBe(404);
    expect(hub.logged.slice(lines)).toEqual([]);
  });

  it("is refused to other machines, by the connection and not by headers", async () => {
    const { hub } = await setUp({ env: { TRUST_PROXY: "true" } });
    const query = `?domain=${DOMAIN}`;
    for (const header of ["x-forwarded-for", "x-real-ip", "forwarded", "via", "x-forwarded-host"])
      expect([header, (await ask(hub.port, query, { [header]: "127.0.0.1" })).status]).toEqual([header, 404]);
    const { server } = hub.app;
    if (!server) throw new Error("there is no server");
    for (const [address, status] of [
      ["192.0.2.7", 404],
      ["::ffff:192.0.2.7", 404],
      ["fe80::1", 404],
      ["::1", 200],
      ["::ffff:127.0.0.1", 200],
      ["127.8.9.10", 200],
    ] as const) {
      server.requestIP = () => ({ address, port: 1, family: "IPv4" });
      expect([address, (await ask(hub.port, query)).status]).toEqual([address, status]);
    }
  });
});
