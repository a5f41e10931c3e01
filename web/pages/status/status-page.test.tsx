import "../../testing/test-dom";

import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { atom, getDefaultStore } from "jotai";
import { hydrateRoot, type Root } from "react-dom/client";
import type { StatusData } from "../../../src/modules/status-page/publish";
import { nowAtom } from "../../lib/now";
import type { Resource } from "../../lib/resource";
import { signIn, signOut } from "../../session";
import { act } from "../../testing/test-page";
import { createTranslator } from "../shared/translator";
import type { Section } from "./section";
import { renderStatusPage } from "./server-entry";
import { StatusApp, sections } from "./status-page";
import { words } from "./words/all";

const NOW = Date.parse("2026-01-15T12:00:00Z");
const at = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();
const monitor = {
  id: 1,
  name: "Shop <b>",
  status: "down" as const,
  unknown: null,
  maintenance: null,
  since: at(3600),
  response_time: 42.5,
  uptime: 99.9,
  uptimes: { "24h": 90, "7d": 99, "30d": 99.9, "90d": null },
  watched: { "24h": 100, "7d": 100, "30d": 97.2, "90d": null },
  last_checked: at(90),
  history: [{ status: "down" as const, timestamp: at(90) }],
  days: [
    { date: "2026-01-14", up: 0, down: 0, unknown_seconds: 0 },
    { date: "2026-01-15", up: 9, down: 1, unknown_seconds: 0 },
  ],
};
const agent = {
  id: 1,
  name: "db",
  status: "active" as const,
  unknown: null,
  maintenance: null,
  since: null,
  cpu: 61.5,
  memory: 25,
  disk: null,
  network_rx: 8,
  network_tx: 2,
};
const page: StatusData = {
  published: true,
  history_days: 90,
  groups: [],
  components: [],
  maintenance: [],
  incidents: [],
  outages: [],
  title: "Acme",
  description: "All of it",
  logoUrl: "",
  customCss: "",
  theme: "light",
  overall: "partial",
  unknown: null,
  updated_at: at(30),
  monitors: [monitor],
  agents: [{ ...agent, os: "Debian" }],
};
const common = {
  base: "/watch",
  path: "/status/acme",
  links: { blog: "https://blog.example/", video: "", tempMail: "", repository: "" },
};
const render = (language: "zh-CN" | "en-US", shown: StatusData | null = page, parts = sections) =>
  renderStatusPage({ ...common, page: shown, language, now: NOW, parts });

let root: Root | undefined;
beforeEach(() => signOut());
afterEach(async () => {
  await act(() => root?.unmount());
  root = undefined;
  document.body.replaceChildren();
});

/** Hydrates what the hub rendered, with `data` as the state. Gives the errors that React reported. */
const hydrate = async (language: "zh-CN" | "en-US", html: string, data: StatusData | null = page, parts = sections) => {
  const errors: unknown[] = [];
  const reported = spyOn(console, "error").mockImplementation((...words) => void errors.push(words));
  const container = document.body.appendChild(document.createElement("div"));
  container.innerHTML = html;
  const state: Resource<StatusData | null> = { data, error: undefined, loading: false, loadedAt: NOW };
  getDefaultStore().set(nowAtom, NOW);
  await act(() => {
    root = hydrateRoot(
      container,
      <StatusApp
        {...common}
        store={getDefaultStore()}
        i18n={createTranslator(language, { words })}
        source={atom(state, () => {})}
        parts={parts}
      />,
      { onRecoverableError: (error) => errors.push(error) },
    );
  });
  reported.mockRestore();
  return { container, errors };
};

test("the hub renders the whole page in each language, with text escaped and no style attribute", () => {
  const english = render("en-US");
  expect([english.title, english.state]).toEqual(["Acme", "Some systems have issues"]);
  for (const part of [
    "Shop &lt;b&gt;",
    "Updated just now",
    "1 minute ago",
    "99.90%",
    "Debian",
    "Online",
    'href="/watch/login"',
  ])
    expect(english.html).toContain(part);
  expect(english.html).not.toContain("style=");
  for (const part of ["1 down, 1 working normally", "since 11:00 UTC, for 1 hour", "Past outages", "lang=en-US"])
    expect(english.html).toContain(part);
  const chinese = render("zh-CN");
  for (const part of ["部分系统出现问题", "故障", "在线", "服务器"]) expect(chinese.html).toContain(part);
  expect(render("en-US", null).html).toContain("There is no status page here");
  const unpublished = render("en-US", { ...page, published: false, monitors: [], agents: [], overall: null });
  expect([unpublished.title, unpublished.html.includes("banner")]).toEqual(["There is no status page here", false]);
  const slow = page.monitors.flatMap((one) => [one, { ...one, id: one.id + 100, status: "degraded" as const }]);
  expect(render("en-US", { ...page, monitors: slow }).html).toMatch(/1 down, \d working normally.* · 1 slow/);
  const unchecked = render("en-US", { ...page, overall: null });
  expect(unchecked.html).toContain("Nothing has been checked yet");
});

test("the browser takes over what the hub rendered without a warning, signed in or not", async () => {
  for (const language of ["zh-CN", "en-US"] as const)
    for (const data of [page, null, { ...page, monitors: [], agents: [], overall: null }]) {
      signIn("token", { id: 1, username: "alice", role: "admin" });
      const { container, errors } = await hydrate(language, render(language, data).html, data);
      expect(errors).toEqual([]);
      expect(container.querySelector(".avatar")?.textContent).toBe("A");
      await act(() => root?.unmount());
      container.remove();
      signOut();
    }
});

test.each([
  ["en-US", ["The current status is unknown", "since 11:50 UTC, for 10 minutes", "Unknown", "for 10 minutes"]],
  ["zh-CN", ["当前状态未知", "11:50 UTC 起，已持续 10 分钟", "未知", "已持续 10 分钟"]],
] as const)("while nothing can be known, visitors read that and since when, and not why, in %s", (language, texts) => {
  const unknown = { since: at(600) };
  const monitors = page.monitors.map((one) => ({ ...one, unknown }));
  const agents = page.agents.map((one) => ({ ...one, unknown }));
  const { html, state } = render(language, { ...page, overall: null, unknown, monitors, agents });
  expect<string>(state).toBe(texts[0]);
  for (const text of texts) expect(html).toContain(text);
  expect(html).toContain('class="banner unknown"');
  expect(html).not.toMatch(/class="card (service|host) (?!unknown)/);
  expect(html).not.toContain('class="broken"');
  expect(html).not.toMatch(/network|offline|Wakeful’s|控制台|网络中断/);
});

test.each([
  ["en-US", ["Under maintenance", "until 13:00 UTC", "Database upgrade", "Shop &lt;b&gt;, db"]],
  ["zh-CN", ["系统维护中", "至 13:00 UTC", "Database upgrade", "维护中"]],
] as const)(
  "a service in maintenance is neither down nor named as broken, and maintenance is listed, in %s",
  (language, texts) => {
    const [from, until] = [at(0), at(-3600)];
    const data: StatusData = {
      ...page,
      overall: "maintenance",
      monitors: [{ ...monitor, maintenance: { until } }],
      agents: page.agents.map((one) => ({ ...one, maintenance: { until } })),
      maintenance: [{ id: 2, title: "Database upgrade", from, to: until, monitors: [1], agents: [1] }],
    };
    const { html, state } = render(language, data);
    expect<string>(state).toBe(texts[0]);
    for (const text of texts) expect(html).toContain(text);
    expect(html).toContain('class="banner maintenance"');
    expect(html).not.toMatch(/class="card (service|host) (?!maintenance)/);
    expect(html).not.toContain('class="broken"');
  },
);

test("a heartbeat whose ping may have been lost is unknown, and not what is broken first", () => {
  const unknown = { since: at(600) };
  const backup = { ...monitor, id: 2, name: "Backup", unknown };
  const { html } = render("en-US", { ...page, overall: "operational", monitors: [backup] });
  expect(html).toContain("card service unknown");
  const alone = render("en-US", { ...page, overall: null, monitors: [backup], agents: [] });
  expect(alone.html).toContain("The current status is unknown");
});

test.each([
  ["en-US", '99.90%<small class="watched"> of 97.2% watched</small>'],
  ["zh-CN", '99.90%<small class="watched"> 观测 97.2%</small>'],
] as const)("an uptime has the share of the time that was watched, where that is less than all, in %s", (...row) => {
  const { html } = render(row[0]);
  expect(html).toContain(`<dd>${row[1]}</dd>`);
  expect(html).toContain("<dd>99.00%</dd>");
});

test("what the pale days before the first check mean is said once on the page: since when, or in general where that differs", () => {
  const unwatched = [page.monitors[0], { ...monitor, id: 2, name: "Mail" }].flatMap((one) => one ?? []);
  const groups = [{ name: "Sales", monitors: [2], agents: [] }];
  const notes = (data: StatusData) => render("en-US", data).html.match(/Watched since [^<·]+ ·|Pale days[^<·]+ ·/g);
  expect(notes({ ...page, monitors: unwatched, groups })).toEqual(["Watched since Jan 15 ·"]);
  const days = monitor.days.map((day) => ({ ...day, up: 9 }));
  const mixed = unwatched.map((one) => (one.id === 2 ? { ...one, days } : one));
  expect(notes({ ...page, monitors: mixed, groups })).toEqual(["Pale days: not watched yet ·"]);
  expect(notes({ ...page, monitors: mixed.slice(1) })).toBeNull();
  const never = monitor.days.map((day) => ({ ...day, up: 0, down: 0 }));
  expect(notes({ ...page, monitors: [{ ...monitor, days: never }] })).toEqual(["Pale days: not watched yet ·"]);
});

test("past outages stand under their days, folded ones with their number", () => {
  const outage = {
    id: 7,
    target_type: "monitor" as const,
    target_id: 1,
    name: "Shop <b>",
    started_at: "2026-01-14T08:00:00.000Z",
    ended_at: "2026-01-14T10:30:00.000Z",
    changed_at: "2026-01-14T10:30:00.000Z",
    count: 14,
    seconds: 4200,
  };
  const open = { ...outage, id: 8, count: 1, started_at: at(3600), ended_at: null, seconds: 0 };
  const { html } = render("en-US", { ...page, outages: [open, outage] });
  expect(html).toContain("08:00 UTC – 10:30 UTC · failed 14 times · 1 hour 10 minutes in total");
  expect(html).toContain("11:00 UTC – now");
  expect(html.indexOf("Jan 15, 2026")).toBeLessThan(html.indexOf("Jan 14, 2026"));
  expect(render("en-US").html).toContain("No outages in the last 14 days.");
  const planned = { ...open, maintenance: true };
  expect(render("en-US", { ...page, outages: [planned] }).html).toMatch(
    /class="past running"><b>[^<]+<\/b> <span>[^<]+ · Maintenance</,
  );
});

test("days beyond twelve outages are folded, and the newest day never is", () => {
  const outages = Array.from({ length: 30 }, (_, index) => ({
    id: 100 - index,
    target_type: "agent" as const,
    target_id: 1,
    name: `o${index}`,
    started_at: at(index < 14 ? index * 60 : index * 86_400),
    ended_at: at(0),
    changed_at: at(0),
    count: 1,
    seconds: 60,
  }));
  const { html } = render("en-US", { ...page, outages });
  const fold = html.indexOf('<details class="earlier">');
  expect(html.indexOf("<b>o13</b>")).toBeLessThan(fold);
  expect(html.indexOf("<b>o14</b>")).toBeGreaterThan(fold);
});

test("the only header element is the navigation bar, so that an owner's CSS for it paints nothing else", () => {
  expect(render("en-US").html.match(/<header/g)).toHaveLength(1);
});

test("a service's figures stay in the document while its row is closed, so that they are read without a script", () => {
  const { html } = render("en-US");
  expect(html).toContain("<details><summary><h3>Shop &lt;b&gt;</h3>");
  for (const part of ["24 hours", "Response time", "Last 24 checks"]) expect(html).toContain(part);
});

test("a section is one entry of the registry: the hub and the browser draw it where it stands", async () => {
  const incidents: Section = { key: "incidents", draw: ({ page: shown }) => <h2>{`Incidents of ${shown.title}`}</h2> };
  const parts = [sections[0] as Section, incidents, ...sections.slice(1)];
  const { html } = render("en-US", page, parts);
  expect(html.indexOf("Incidents of Acme")).toBeGreaterThan(html.indexOf("banner"));
  expect(html.indexOf("Incidents of Acme")).toBeLessThan(html.indexOf("card service"));
  const { container, errors } = await hydrate("en-US", html, page, parts);
  expect(errors).toEqual([]);
  expect(container.textContent).toContain("Incidents of Acme");
});
