import { expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { incidents, pageComponents } from "../../../db/schema";
import { MINUTE } from "../../../shared/limits";
import { addMonitor, record } from "../../../testing/fixtures/monitors";
import { createPage, serveVisitors } from "../../../testing/fixtures/status/private-pages";

const setUp = async () => {
  const { hub, get, alice } = await serveVisitors({ PUBLIC_URL: "http://127.0.0.1" });
  const monitor = await addMonitor(hub, alice, { name: "m", url: "http://192.0.2.1/" });
  const page = await createPage(hub, alice, {
    slug: "shop",
    title: 'Shop <"&>',
    components: [
      { name: "Checkout", monitors: [monitor] },
      { name: "Phone", fixed_status: "partial_outage" },
    ],
  });
  return { hub, get, alice, monitor, page };
};

it("a page has its state in a frame, in each theme and language, and nothing else of it may be framed", async () => {
  const { hub, get, alice, page } = await setUp();
  const { status, headers, text } = await get("/status/shop/embed?lang=en-US");
  expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(text).toInclude("Some systems have issues");
  expect(text).toInclude('title="Shop &#60;&#34;&#38;&#62;: Some systems have issues"');
  expect(text).toInclude('href="http://127.0.0.1/status/shop" target="_blank"');
  expect(text).not.toInclude("<script");
  expect(headers.get("x-frame-options")).toBeNull();
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; .*frame-ancestors \*$/);
  // The policy allows the very style of the document.
  const style = /<style>(.*)<\/style>/s.exec(text)?.[1] ?? "";
  expect(policy).toInclude(new Bun.CryptoHasher("sha256").update(style).digest("base64"));
  expect((await get("/status/shop/embed?lang=zh-CN")).text).toInclude("部分系统出现问题");
  const dark = (await get("/status/shop/embed?theme=dark&lang=en-US")).text;
  expect([dark.includes("prefers-color-scheme"), dark.includes("color-scheme:dark")]).toEqual([false, true]);
  expect((await get("/status/shop/embed?theme=blue")).status).toBe(422);
  for (const path of [
    "/status/shop",
    "/status/shop/history",
    "/status/shop/data.json",
    "/status/shop/embed2",
    "/login",
  ]) {
    const answer = await get(path);
    expect([path, answer.headers.get("x-frame-options")]).toEqual([path, "DENY"]);
    expect(answer.headers.get("content-security-policy")).toInclude("frame-ancestors 'none'");
  }
  await hub.as(alice).put(`/api/pages/${page.id}`, { components: [{ name: "Phone", fixed_status: "operational" }] });
  expect((await get("/status/shop/embed?lang=en-US")).text).toInclude("All systems operational");
});

it("a page and its components have badges, and components of other pages have none there", async () => {
  const { hub, get, alice, page, monitor } = await setUp();
  await record(hub, monitor, [{ at: hub.clock.now(), up: true }]);
  const other = await createPage(hub, alice, {
    slug: "other",
    components: [{ name: "X", fixed_status: "operational" }],
  });
  const label = async (path: string) => /aria-label="([^"]*)"/.exec((await get(path)).text)?.[1];
  expect(await label("/status/shop/badge/page.svg")).toBe("Shop &#60;&#34;&#38;&#62;: partial outage");
  const [checkout, phone] = page.components;
  await hub.clock.advance(MINUTE);
  expect(await label(`/status/shop/badge/${phone?.key}.svg`)).toBe("Phone: partial outage");
  expect(await label(`/status/shop/badge/${checkout?.key}.svg`)).toBe("Checkout: operational");
  const answer = await get(`/status/shop/badge/${phone?.key}.svg`);
  expect(answer.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
  expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect((await get(`/status/shop/badge/${other.components[0]?.key}.svg`)).status).toBe(404);
  expect((await get("/api/status/badge/nothing.svg?page=shop")).status).toBe(404);
  expect((await get("/status/unknown/badge/page.svg")).status).toBe(404);
});

it("imported components and incidents, whose keys may have digits, have their badges and data below the page", async () => {
  const { hub, get, alice, page } = await setUp();
  const created = await hub.as(alice).post("/api/incidents", { title: "Fire", body: "x", pages: [page.id] });
  await hub.db.update(pageComponents).set({ key: "abc123def456" }).where(eq(pageComponents.name, "Phone"));
  await hub.db.update(incidents).set({ publicKey: "z9y8x7w6v5u4" }).where(eq(incidents.id, created.body.incident.id));
  await hub.clock.advance(MINUTE);
  expect((await get("/status/shop/badge/abc123def456.svg")).text).toInclude("Phone: partial outage");
  expect(JSON.parse((await get("/status/shop/incidents/z9y8x7w6v5u4.json")).text).incident.title).toBe("Fire");
});

it("the RSS feed has the entries of the Atom feed, and a new entry for each update", async () => {
  const { hub, get, alice, page } = await setUp();
  const created = await hub.as(alice).post("/api/incidents", {
    ...{ title: "Fire & smoke", impact: "major", status: "investigating", body: "We **look**.", pages: [page.id] },
  });
  const read = async () => (await get("/status/shop/feed.rss?lang=en-US")).text;
  const first = await read();
  expect((await get("/status/shop/feed.rss")).headers.get("content-type")).toBe("application/rss+xml; charset=utf-8");
  expect(first).toInclude("<title>Investigating: Fire &#38; smoke</title>");
  expect(first).toInclude("&#60;strong&#62;look&#60;/strong&#62;");
  expect(first).toMatch(/<link>http:\/\/127.0.0.1\/status\/shop\/incidents\/[a-z]+<\/link>/);
  expect(first).toMatch(/<pubDate>\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT<\/pubDate>/);
  const guid = (text: string) => /<guid isPermaLink="false">([^<]*)</.exec(text)?.[1];
  await hub.clock.advance(MINUTE);
  await hub.as(alice).post(`/api/incidents/${created.body.incident.id}/updates`, { status: "monitoring", body: "x" });
  const second = await read();
  expect(second).toInclude("Monitoring: Fire");
  expect(guid(second)).not.toBe(guid(first));
});
