import { expect, it } from "bun:test";
import { MINUTE } from "../../../shared/limits";
import { addMonitor, record } from "../../../testing/fixtures/monitors";
import { createPage, PAGE_PASSWORD, serveVisitors } from "../../../testing/fixtures/status/private-pages";
import { publish } from "../../../testing/fixtures/status-page";

type Answer = { status: number; headers: Headers };
/** The status of an answer, and who may frame it by each of both headers. */
const framing = ({ status, headers }: Answer) => [
  status,
  headers.get("x-frame-options"),
  /frame-ancestors ([^;]*)/.exec(headers.get("content-security-policy") ?? "")?.[1],
];
const BY_ANYONE = [200, null, "*"];
const refused = (status: number) => [status, "DENY", "'none'"];

it("the frame of a page may be framed where the page may be read, and no refusal may", async () => {
  const { hub, get, alice } = await serveVisitors();
  const add = (slug: string, more: object = {}) => createPage(hub, alice, { slug, title: slug, ...more });
  await add("open");
  const secret = await add("secret", { access: "password", password: PAGE_PASSWORD });
  await add("team", { access: "members" });
  const { key } = (await hub.as(alice).post(`/api/pages/${secret.id}/key`)).body;
  const frames = async (path: string) => framing(await get(path));
  for (const path of ["/status/open/embed", "/status/open/embed?theme=dark&lang=zh-CN", "/api/status/embed?page=open"])
    expect([path, await frames(path)]).toEqual([path, BY_ANYONE]);
  expect(await frames(`/status/secret/embed?key=${key}`)).toEqual(BY_ANYONE);
  for (const [path, status] of [
    ["/status/secret/embed", 401],
    ["/status/secret/embed?key=wrong", 401],
    ["/status/team/embed", 401],
    ["/status/unknown/embed", 404],
    ["/status/open/embed?theme=blue", 422],
    ["/status/open", 200],
    ["/status/open/badge/page.svg", 200],
    ["/status/open/feed.xml", 200],
    ["/status/open/api/v2/summary.json", 200],
    ["/status/secret", 401],
  ] as const)
    expect([path, await frames(path)]).toEqual([path, refused(status)]);
});

const GONE = "2026-01-01T00:00:00Z";
type Component = { name: string; fixed_status?: string; monitors?: number[] };
const fixed = (...states: string[]): Component[] =>
  states.map((fixed_status, place) => ({ name: `c${place}`, fixed_status }));

it.each([
  ["operational", fixed("operational"), null, "All systems operational", "operational"],
  [
    "operational beside an incident that affects nothing",
    fixed("operational"),
    "none",
    "All systems operational",
    "operational",
  ],
  ["an incident alone", fixed("operational"), "minor", "There is an open incident", "open incident"],
  ["slow", fixed("operational", "degraded_performance"), null, "Some systems respond slowly", "degraded"],
  ["partly down", fixed("operational", "major_outage"), null, "Some systems have issues", "partial outage"],
  ["a large incident alone", fixed("operational"), "major", "Some systems have issues", "partial outage"],
  ["down", fixed("major_outage"), null, "Major outage", "major outage"],
  ["a critical incident alone", fixed("operational"), "critical", "Major outage", "major outage"],
  ["in maintenance", fixed("under_maintenance", "operational"), null, "Under maintenance", "maintenance"],
  ["never checked", "unchecked", null, "Nothing has been checked yet", "no data"],
  ["unknown", "unknown", null, "The current status is unknown", "unknown"],
  ["empty", [], null, "Nothing has been published here yet", "no data"],
] as const)(
  "banner, frame and badge of a page have the same state: %s",
  async (_, components, impact, words, value) => {
    const { hub, get, alice } = await serveVisitors();
    const monitor = await addMonitor(hub, alice, { name: "m", url: "http://192.0.2.1/" });
    // Unchecked targets do not count in a component, and an item in the lists of the first page has its own state.
    const isListed = components === "unchecked";
    if (isListed) await publish(hub, alice, { title: "Shop", monitors: [monitor] });
    const address = isListed ? "/status" : "/status/shop";
    if (components === "unknown") await record(hub, monitor, [{ at: hub.clock.now(), up: true }]);
    const measured = [{ name: "Measured", monitors: [monitor] }];
    const page = await createPage(hub, alice, {
      ...{ slug: "shop", title: "Shop" },
      components: typeof components === "string" ? measured : components,
    });
    if (impact)
      await hub
        .as(alice)
        .post("/api/incidents", { title: "Fire", body: "x", impact, pages: [page.id], started_at: GONE });
    if (components === "unknown") {
      const since = hub.clock.now();
      hub.deps.watching.observe("hub_offline", () => since);
      hub.deps.watching.look();
      await hub.deps.watching.stored();
    }
    await hub.clock.advance(MINUTE);
    const document = (await get(`${address}?lang=en-US`)).text;
    const banner = /class="state" role="status">.*?<span>([^<]*)<\/span>/s.exec(document)?.[1];
    const frame = /<span>([^<]*)<\/span>/.exec((await get(`${address}/embed?lang=en-US`)).text)?.[1];
    const badge = /aria-label="Shop: ([^"]*)"/.exec((await get(`${address}/badge/page.svg`)).text)?.[1];
    expect([banner, frame, badge]).toEqual([words, words, value]);
  },
);
