import { expect, it } from "bun:test";
import type { PublicIncident } from "../../../../src/modules/status-page/incidents/present";
import type { StatusData } from "../../../../src/modules/status-page/publish";
import { renderStatusPage } from "../server-entry";

const NOW = Date.parse("2026-01-15T12:20:00.000Z");

const incident = (key: string, fields: Partial<PublicIncident> = {}): PublicIncident => ({
  ...{ key, path: `/status/acme/incidents/${key}`, title: `Incident ${key}`, impact: "major", status: "identified" },
  ...{ started_at: "2026-01-15T11:00:00.000Z", resolved_at: null, updated_at: "2026-01-15T12:00:00.000Z" },
  components: [{ name: "Payments", status: "partial_outage" }],
  updates: [{ status: "identified", html: "<p>A <em>disk</em></p>", at: "2026-01-15T12:00:00.000Z", edited_at: null }],
  ...fields,
});

const page = (fields: object = {}) =>
  ({
    ...{
      published: true,
      history_days: 14,
      title: "Acme",
      description: "",
      logoUrl: "",
      customCss: "",
      theme: "light",
      groups: [],
    },
    ...{ overall: "operational", unknown: null, updated_at: "2026-01-15T12:00:00.000Z" },
    ...{ monitors: [], agents: [], outages: [], incidents: [], components: [], maintenance: [] },
    ...fields,
  }) as unknown as StatusData & { incident?: PublicIncident };

const MONITOR = {
  ...{ id: 1, name: "Shop", status: "up", unknown: null, maintenance: null, since: null, response_time: 40 },
  ...{ uptime: 100, uptimes: { "24h": 100, "7d": 100, "30d": 100, "90d": 100 } },
  ...{ watched: { "24h": 100, "7d": 100, "30d": 100, "90d": 100 }, last_checked: null, history: [] },
  days: Array.from({ length: 14 }, (_, place) => ({
    date: `2026-01-${String(2 + place).padStart(2, "0")}`,
    ...{ up: 10, down: 0, unknown_seconds: 0 },
  })),
};

const render = (data: ReturnType<typeof page>, language: "en-US" | "zh-CN" = "en-US") =>
  renderStatusPage({
    page: data,
    language,
    base: "",
    path: "/status/acme",
    links: { blog: "", video: "", tempMail: "", repository: "" },
    now: NOW,
  });

it("open incidents stand below the banner and past ones after the services, with their updates, and the page does not claim that all is well", () => {
  const past = incident("past", { status: "resolved", resolved_at: "2026-01-14T12:00:00.000Z" });
  const { html, state } = render(page({ incidents: [incident("open"), past] }));
  expect(state).toBe("There is an open incident");
  const places = ['class="banner degraded"', "Incident open", "Past incidents", "Incident past"].map((text) =>
    html.indexOf(text),
  );
  expect(places.toSorted((one, other) => one - other)).toEqual(places);
  expect(places[0]).toBeGreaterThan(0);
  expect(html).toContain("<p>A <em>disk</em></p>");
  expect(html.replaceAll("<!-- -->", "")).toMatch(
    /Major impact.*since 11:00 UTC, for 1 hour.*Payments.*Partial outage/,
  );
  expect(html).toContain('href="./status/acme/incidents/open"');
});

it("an incident without impact leaves the state of the page as it is", () => {
  expect(render(page({ incidents: [incident("open", { impact: "none" })] })).state).toBe("All systems operational");
});

it("earlier updates of an open incident are behind a summary, and an edited one has a mark", () => {
  const updates = Array.from({ length: 5 }, (_, index) => ({
    ...{ status: "monitoring" as const, html: `<p>Update ${index}</p>`, at: "2026-01-15T12:00:00.000Z" },
    edited_at: index === 0 ? "2026-01-15T12:10:00.000Z" : null,
  }));
  const { html } = render(page({ incidents: [incident("open", { updates })] }), "zh-CN");
  expect(html.indexOf("更早的更新（2）")).toBeGreaterThan(html.indexOf("Update 2"));
  expect(html.indexOf("更早的更新（2）")).toBeLessThan(html.indexOf("Update 3"));
  expect(html.match(/已编辑/g)).toHaveLength(1);
});

it("of several open incidents the latest update is in sight, so that all incidents are", () => {
  const updates = ["Latest", "Before"].map((text) => ({
    ...{ status: "monitoring" as const, html: `<p>${text}</p>`, at: "2026-01-15T12:00:00.000Z", edited_at: null },
  }));
  const { html } = render(page({ incidents: [incident("one", { updates }), incident("two", { updates })] }));
  const order = [...html.replaceAll("<!-- -->", "").matchAll(/Latest|Earlier updates \(1\)|Before/g)].map(
    ([text]) => text,
  );
  expect(order).toEqual(["Latest", "Earlier updates (1)", "Before", "Latest", "Earlier updates (1)", "Before"]);
});

it("the page of an incident has all its updates and leads back, and its head names it", () => {
  const { html, state, start } = render(page({ incident: incident("one"), incidents: [] }));
  expect(state).toBe("Identified: Incident one");
  expect(html).toContain('href="./status/acme"');
  expect(html).not.toContain("banner");
  expect(start.page?.incident?.key).toBe("one");
});

it("the state that an incident gives a service stands in place of the measured one", () => {
  const monitor = {
    ...{ id: 1, name: "Payments", status: "up", unknown: null, since: null, response_time: 1, uptime: 100 },
    ...{ uptimes: { "24h": 100, "7d": 100, "30d": 100, "90d": 100 }, watched: {}, last_checked: null },
    ...{ history: [], days: [], component_status: "major_outage" },
  };
  const { html } = render(page({ overall: "outage", monitors: [monitor], incidents: [incident("open")] }));
  expect(html).toContain("Major outage</span>");
  expect(html).toContain("<b>Payments</b>");
});

it("a preview shows the measured state beside the one of an incident", () => {
  const states = { component_status: "major_outage", measured_status: "operational" };
  const { html } = render(page({ monitors: [{ ...MONITOR, ...states }], incidents: [incident("open")] }));
  expect(html).toContain("measured: Operational");
});

it("a page without incidents has only the sections that the browser draws without loading others", () => {
  const boundaries = ({ html }: ReturnType<typeof render>) => html.match(/<!--\$-->/g)?.length;
  expect(boundaries(render(page({ monitors: [MONITOR] })))).toBe(3);
  expect(boundaries(render(page({ monitors: [MONITOR], incidents: [incident("open")] })))).toBe(7);
});

it("open incidents are in the order of their impact", () => {
  const incidents = (["none", "minor", "critical", "major"] as const).map((impact) => incident(impact, { impact }));
  const { html } = render(page({ incidents }));
  const titles = [...html.matchAll(/>Incident (none|minor|critical|major)</g)].map(([, impact]) => impact);
  expect(titles).toEqual(["critical", "major", "minor", "none"]);
});

it("the banner counts services by the states that incidents give them, and leaves their names to the incidents", () => {
  const states = ["major_outage", "degraded_performance", "operational", "under_maintenance", undefined];
  const monitors = states.map((component_status, id) => ({ ...MONITOR, id, name: `Shop ${id}`, component_status }));
  const draw = (...more: object[]) =>
    render(page({ overall: "partial", monitors: [...monitors, ...more], incidents: [incident("open")] })).html;
  const named = (html: string) => html.match(/<ul class="broken">.*?<\/ul>/)?.[0];
  const alone = draw();
  expect(alone.replaceAll("<!-- -->", "")).toContain("1 down, 2 working normally · 1 slow");
  expect(named(alone)).toBeUndefined();
  // No incident is about this one.
  const another = draw({ ...MONITOR, id: 9, name: "Bank", status: "down" });
  expect(another.replaceAll("<!-- -->", "")).toContain("2 down, 2 working normally · 1 slow");
  expect(named(another)).toMatch(/<b>Bank<\/b>(?!.*Shop)/);
});

const mark = (title: string, from: string, to: string | null) => ({
  ...{ path: `/status/acme/incidents/${title.toLowerCase()}`, title },
  ...{ from: `2026-01-${from}T10:00:00.000Z`, to: to && `2026-01-${to}T10:00:00.000Z` },
});

it("incidents are marks below the bar of what they name, those of the same days together", () => {
  const incidents = [mark("First", "03", "05"), mark("Second", "05", "06"), mark("Open", "14", null)];
  const { html } = render(page({ monitors: [{ ...MONITOR, incidents }] }));
  const links = [...html.matchAll(/<a href="([^"]+)" aria-label="(Incident[^"]+)"/g)].map(([, ...parts]) => parts);
  expect(links).toEqual([
    ["./status/acme/history?day=2026-01-03", "Incident: First · Second"],
    ["./status/acme/incidents/open", "Incident: Open"],
  ]);
  expect(html).toMatch(/class="sign" d="M1.5 8H4.5"/);
  expect(html).toContain('class="slots days d14"');
  expect(html).toContain("14-day uptime");
});

const history = {
  ...{ month: "2026-01", day: null, zone: "Europe/Berlin", earlier: "2025-12", later: null },
  ...{ from: "2025-12-31T23:00:00.000Z", to: "2026-01-31T23:00:00.000Z" },
  incidents: [incident("over", { started_at: "2025-12-30T10:00:00.000Z", resolved_at: "2026-01-02T23:30:00.000Z" })],
  outages: [
    {
      ...{ id: 4, target_type: "monitor", target_id: 1, name: "Shop", count: 1, seconds: 300 },
      ...{ started_at: "2026-01-14T23:30:00.000Z", ended_at: "2026-01-14T23:35:00.000Z", changed_at: "" },
    },
  ],
  maintenance: [
    {
      ...{ id: 2, title: "", monitors: [1], agents: [] },
      ...{ from: "2026-01-10T10:00:00.000Z", to: "2026-01-10T11:00:00.000Z" },
    },
  ],
};

it("the history is by day in the zone of the page, newest first, with links to the months beside it", () => {
  const { html, state } = render(page({ history }));
  expect(state).toBe("History");
  const places = [
    "January 2026",
    "Thursday, January 15, 2026",
    "00:30 – 00:35",
    "Saturday, January 10, 2026",
    "11:00 – 12:00",
  ]
    .concat(["Thursday, January 1, 2026", "Incident over", "Dec 30, 11:00 – Jan 3, 00:30"])
    .map((text) => html.indexOf(text));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places[0]).toBeGreaterThan(0);
  expect(html).toContain('rel="prev" href="./status/acme?month=2025-12"');
  expect(html).not.toContain('rel="next"');
  expect(html).toContain("Times are in Europe/Berlin.");
  expect(render(page({ history }), "zh-CN").html).toContain("2026年1月15日");
});
