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
    ...{ published: true, title: "Acme", description: "", logoUrl: "", customCss: "", theme: "light", groups: [] },
    ...{ overall: "operational", unknown: null, updated_at: "2026-01-15T12:00:00.000Z" },
    ...{ monitors: [], agents: [], outages: [], incidents: [], components: [], maintenance: [] },
    ...fields,
  }) as unknown as StatusData & { incident?: PublicIncident };

const render = (data: ReturnType<typeof page>, language: "en-US" | "zh-CN" = "en-US") =>
  renderStatusPage({
    page: data,
    language,
    base: "",
    path: "/status/acme",
    links: { blog: "", video: "", tempMail: "", repository: "" },
    now: NOW,
  });

it("open incidents stand above the banner and past ones below, with their updates, and the page does not claim that all is well", () => {
  const past = incident("past", { status: "resolved", resolved_at: "2026-01-14T12:00:00.000Z" });
  const { html, state } = render(page({ incidents: [incident("open"), past] }));
  expect(state).toBe("There is an open incident");
  const places = ["Incident open", 'class="banner degraded"', "Past incidents", "Incident past"].map((text) =>
    html.indexOf(text),
  );
  expect(places.toSorted((one, other) => one - other)).toEqual(places);
  expect(places[0]).toBeGreaterThan(0);
  expect(html).toContain("<p>A <em>disk</em></p>");
  expect(html).toContain("Major impact · Affected: Payments · since 11:00 UTC");
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
