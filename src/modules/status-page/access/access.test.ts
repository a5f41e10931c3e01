import { describe, expect, it } from "bun:test";
import { noAnswer } from "../../../db/errors";
import { RESOURCES } from "../../../server/pages/status-routes";
import { MINUTE, SECOND } from "../../../shared/limits";
import { addMonitor } from "../../../testing/fixtures/monitors";
import {
  createPage,
  expectNoLeak,
  fillPage as fill,
  type Hub,
  PAGE_PASSWORD as PASSWORD,
  serveVisitors as setUp,
} from "../../../testing/fixtures/status/private-pages";
import { startTestServer } from "../../../testing/servers/hub";
import { STATUSPAGE_DOCUMENTS } from "../statuspage/statuspage";

/** The addresses below the address of a page. */
const below = (incident: string, component: string) => [
  ...STATUSPAGE_DOCUMENTS.map((name) => `api/v2/${name}.json`),
  ...RESOURCES.map((name) => name.replace(/\[a-z0-9\]\+/, name.startsWith("badge") ? component : incident)),
];

/** The calls of the API that answer visitors of a page. */
const calls = (incident: string): Record<string, string> => ({
  "/api/status/data": "/api/status/data?page=shop",
  "/api/status/incidents/:key": `/api/status/incidents/${incident}?page=shop`,
  "/api/status/style.css": "/api/status/style.css?page=shop",
  "/api/status/feed.xml": "/api/status/feed.xml?page=shop",
  "/api/status/maintenance.ics": "/api/status/maintenance.ics?page=shop",
  "/api/status/history": "/api/status/history?page=shop",
  "/api/status/feed.rss": "/api/status/feed.rss?page=shop",
  "/api/status/embed": "/api/status/embed?page=shop",
  "/api/status/badge/:file": "/api/status/badge/page.svg?page=shop",
  "/api/status/subscribe": "/api/status/subscribe?page=shop",
});
/** Calls below /api/status of users, which answer 401 to visitors. */
const OF_USERS = ["/api/status/config", "/api/status/preview", "/api/status/session", "/api/status/session/"];

describe("a private page", () => {
  it("is refused by everything that answers for a page, and opened by its cookie or its key", async () => {
    const { hub, get, enter, alice } = await setUp();
    const { page, incident } = await fill(hub, alice, { access: "password", password: PASSWORD });
    const ofApi = calls(incident);
    const routes = hub.app.routes.map(({ path }) => path).filter((path) => path.startsWith("/api/status"));
    // A new route has to be added to the table above, and to pass the gate.
    expect([...new Set(routes)].filter((path) => !OF_USERS.includes(path)).toSorted()).toEqual(
      Object.keys(ofApi).toSorted(),
    );
    const programs = [
      ...below(incident, page.components[0]?.key ?? "").map((name) => `/status/shop/${name}`),
      ...Object.values(ofApi),
    ];
    const documents = ["/status/shop", "/status/shop/history", `/status/shop/incidents/${incident}`];
    const { key } = (await hub.as(alice).post(`/api/pages/${page.id}/key`)).body;
    const withKey = (path: string) => `${path}${path.includes("?") ? "&" : "?"}key=${key}`;
    const cookie = await enter("/status/shop");
    for (const path of [...programs, ...documents]) {
      const refused = await get(path);
      expect([path, refused.status]).toEqual([path, 401]);
      expect([path, refused.headers.get("cache-control")]).toEqual([path, "no-store"]);
      expectNoLeak(refused.text + JSON.stringify([...refused.headers]));
      if (programs.includes(path)) expect(refused.body.code).toBe("page_password_required");
      const opened = await get(path, cookie);
      expect([path, opened.status]).toEqual([path, 200]);
      expect([path, opened.headers.get("cache-control")]).toEqual([
        path,
        expect.stringMatching(/^(private, no-cache|no-store)$/),
      ]);
      expect([path, opened.headers.get("referrer-policy")]).toEqual([path, "no-referrer"]);
      expect([path, opened.headers.get("x-robots-tag")]).toEqual([path, "noindex"]);
      // A key in the address of a document would stay in the history of the browser.
      const byKey = await get(withKey(path));
      expect([path, byKey.status]).toEqual([path, programs.includes(path) ? 200 : 401]);
      expect([path, (await get(withKey(path).replace("key=page", "key=pagf"))).status]).toEqual([path, 401]);
    }
  });

  it("takes subscriptions of visitors with access alone, and shows nothing under a link that is not valid", async () => {
    const { hub, enter, get, alice } = await setUp();
    await fill(hub, alice, { access: "password", password: PASSWORD });
    const subscribe = (path: string, cookie = "") =>
      hub.call(path, {
        method: "POST",
        headers: { "content-type": "application/json", ...(cookie && { cookie }) },
        body: JSON.stringify({ url: "https://hooks.example.com/x" }),
      });
    const paths = ["/status/shop/subscribe", "/api/status/subscribe?page=shop"];
    for (const path of paths) expect([path, (await subscribe(path)).status]).toEqual([path, 401]);
    const cookie = await enter("/status/shop");
    for (const path of paths) expect([path, (await subscribe(path, cookie)).status]).toEqual([path, 202]);
    expectNoLeak((await get("/status/shop/subscription/1-abc")).text);
  });

  it("does not make the badges of its monitors public", async () => {
    const { hub, get, alice } = await setUp();
    const monitor = await addMonitor(hub, alice, { name: "Shop", url: "http://192.0.2.1/", active: false });
    await hub.as(alice).post("/api/status/config", { title: "x", monitors: [monitor] });
    const [{ id = 0 } = {}] = (await hub.as(alice).get("/api/pages")).body.pages;
    const badge = async (query = "") => (await get(`/badge/${monitor}.svg${query}`)).status;
    expect(await badge()).toBe(200);
    await hub.as(alice).put(`/api/pages/${id}`, { access: "password", password: PASSWORD });
    expect(await badge()).toBe(404);
    const { key } = (await hub.as(alice).post(`/api/pages/${id}/key`)).body;
    expect([await badge(`?key=${key}`), await badge("?key=page_x")]).toEqual([200, 404]);
  });

  it("shows its title only if it is to be public, and a form without scripts in the language of the reader", async () => {
    const { hub, alice } = await setUp();
    const { page } = await fill(hub, alice, { access: "password", password: PASSWORD });
    const open = (language: string) => hub.call("/status/shop", { headers: { "accept-language": language } });
    const english = (await open("en")).text;
    expect(english).toInclude("This status page is private");
    expect(english).toInclude('action="./status/shop/access"');
    expect(english).not.toMatch(/<script(?! type="application\/json" id="settings")/);
    expect((await open("zh")).text).toInclude("此状态页不公开");
    await hub.as(alice).put(`/api/pages/${page.id}`, { title_public: true });
    expect((await open("en")).text).toInclude("<h1>Secret shop</h1>");
  });

  it("is closed to earlier visitors once its password or access changes, and for ever to its earlier key", async () => {
    const { hub, get, enter, alice } = await setUp();
    const { page } = await fill(hub, alice, { access: "password", password: PASSWORD });
    const path = `/api/pages/${page.id}` as const;
    const first = await enter("/status/shop");
    const { key } = (await hub.as(alice).post(`${path}/key`)).body;
    await hub.as(alice).put(path, { title: "Secret shop 2" });
    expect((await get("/status/shop", first)).status).toBe(200);
    await hub.as(alice).put(path, { password: "another password" });
    expect((await get("/status/shop", first)).status).toBe(401);
    const second = await enter("/status/shop", "another password");
    expect((await get("/status/shop", second)).status).toBe(200);
    await hub.as(alice).put(path, { access: "public" });
    expect((await get("/status/shop")).status).toBe(200);
    await hub.as(alice).put(path, { access: "password", password: "another password" });
    expect((await get("/status/shop", second)).status).toBe(401);
    expect((await get(`/status/shop/data.json?key=${key}`)).status).toBe(401);
  });

  it("has one key, which is replaced and revoked", async () => {
    const { hub, get, alice, bob } = await setUp();
    const { page } = await fill(hub, alice, { access: "password", password: PASSWORD });
    const path = `/api/pages/${page.id}/key` as const;
    const read = async (key: string) => (await get(`/status/shop/feed.xml?key=${key}`)).status;
    const one = (await hub.as(alice).post(path)).body.key;
    const other = (await hub.as(alice).post(path)).body.key;
    expect([await read(one), await read(other)]).toEqual([401, 200]);
    expect((await hub.as(bob).delete(path)).status).toBe(404);
    expect((await hub.as(alice).delete(path)).status).toBe(200);
    expect(await read(other)).toBe(401);
    await hub.as(alice).put(`/api/pages/${page.id}`, { access: "public" });
    expect((await hub.as(alice).post(path)).status).toBe(422);
  });

  it("is not opened by the cookie of another page, nor the one at /status by that of a page below it", async () => {
    const { hub, get, form, enter, alice, bob } = await setUp();
    await hub.as(alice).post("/api/status/config", { title: "Front" });
    const [{ id = 0 } = {}] = (await hub.as(alice).get("/api/pages")).body.pages;
    await hub.as(alice).put(`/api/pages/${id}`, { access: "password", password: PASSWORD });
    await createPage(hub, bob, { slug: "shop", access: "password", password: PASSWORD });
    const front = await form("/status/access", PASSWORD);
    expect(front.headers.get("set-cookie")).toMatch(
      /^status_[a-z]{12}=[\w.-]+; Path=\/status; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
    );
    const [frontCookie = "", shopCookie] = [
      front.headers.get("set-cookie")?.split(";")[0],
      await enter("/status/shop"),
    ];
    expect((await get("/status", frontCookie)).status).toBe(200);
    expect((await get("/status/shop", frontCookie)).status).toBe(401);
    expect((await get("/status", shopCookie)).status).toBe(401);
    // Under the name of the other cookie, too.
    const forged = `${shopCookie.split("=")[0]}=${frontCookie.split("=")[1]}`;
    expect((await get("/status/shop", forged)).status).toBe(401);
    expect((await get("/status/shop", `${forged}; ${shopCookie}`)).status).toBe(200);
    // A page that has taken over the address is another page.
    const [{ id: shop = 0 } = {}] = (await hub.as(bob).get("/api/pages")).body.pages;
    await hub.as(bob).delete(`/api/pages/${shop}`);
    await createPage(hub, bob, { slug: "shop", access: "password", password: PASSWORD });
    expect((await get("/status/shop", shopCookie)).status).toBe(401);
  });

  it("refuses passwords after ten wrong ones from one address, whatever a client claims to be", async () => {
    const { hub, form, alice } = await setUp();
    await createPage(hub, alice, { slug: "shop", access: "password", password: PASSWORD });
    for (let attempt = 1; attempt <= 10; attempt++) {
      const headers = { "x-forwarded-for": `203.0.113.${attempt}` };
      const { status, text } = await form("/status/shop/access", "wrong password", headers);
      expect([attempt, status]).toEqual([attempt, 401]);
      expect(text).toInclude('role="alert"');
    }
    const refused = await form("/status/shop/access", PASSWORD, { "x-forwarded-for": "203.0.113.99" });
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    await hub.clock.advance(15 * MINUTE + SECOND);
    expect((await form("/status/shop/access", PASSWORD)).status).toBe(303);
  });

  it("takes its password by a form alone, of at most 4 KiB, and sends a cookie over https only where it was given so", async () => {
    const { hub, form, get, alice } = await setUp({ PUBLIC_URL: "https://127.0.0.1", BASE_PATH: "/watch" });
    await createPage(hub, alice, { slug: "shop", access: "password", password: PASSWORD });
    const { status, headers } = await form("/watch/status/shop/access?lang=zh-CN", PASSWORD);
    expect([status, headers.get("location")]).toEqual([303, "/watch/status/shop?lang=zh-CN"]);
    expect(headers.get("set-cookie")).toMatch(/; Path=\/watch\/status\/shop; .*; Secure$/);
    expect((await form("/watch/status/shop/access", "x".repeat(5000))).status).toBe(413);
    const reloaded = await get("/watch/status/shop/access");
    expect([reloaded.status, reloaded.headers.get("location")]).toEqual([303, "/watch/status/shop"]);
    expect((await form("/watch/status/unknown/access", PASSWORD)).status).toBe(404);
  });

  it("is not shown from the time in which it was public while the database is unavailable", async () => {
    const state = { failure: null as Error | null };
    const { createPages } = await import("./pages");
    const hub: Hub = await startTestServer(
      {},
      {
        admit: async (...visit) => {
          if (state.failure) throw state.failure;
          return createPages(hub.deps).admit(...visit);
        },
      },
    );
    const { alice } = await hub.people();
    const page = await createPage(hub, alice, { slug: "shop", title: "Secret shop" });
    expect((await hub.call("/status/shop")).text).toInclude("Secret shop");
    await hub.clock.advance(MINUTE);
    state.failure = noAnswer();
    expect((await hub.call("/status/shop")).text).toInclude("Secret shop");
    state.failure = null;
    await hub.as(alice).put(`/api/pages/${page.id}`, { access: "password", password: PASSWORD });
    expect((await hub.call("/status/shop")).status).toBe(401);
    state.failure = noAnswer();
    const { status, text } = await hub.call("/status/shop");
    expect(status).toBe(503);
    expectNoLeak(text);
  });
});
