import { expect, it } from "bun:test";
import { createTestApp } from "../../../../testing/app";
import { createKuma, importFile, type KumaContent } from "../../../../testing/fixtures/imports/kuma";
import { publish } from "../../../../testing/fixtures/status-page";

const monitor = (id: number, name: string) => ({
  id,
  name,
  type: "http",
  url: "https://shop.example.com/",
  interval: 60,
});
const CONTENT: KumaContent = {
  monitor: [monitor(1, "Shop"), monitor(2, "Blog")],
  status_page: [
    { id: 1, slug: "hidden", title: "Hidden", published: 0 },
    { id: 2, slug: "shop", title: "Shop status" },
    { id: 3, slug: "eu", title: "Europe", theme: "dark", description: "Only Europe" },
  ],
  group: [
    { id: 1, name: "Services", status_page_id: 2 },
    { id: 2, name: "Web", status_page_id: 3, weight: 2 },
    { id: 3, name: "Core", status_page_id: 3, weight: 1 },
  ],
  monitor_group: [
    { monitor_id: 1, group_id: 1 },
    { monitor_id: 1, group_id: 2 },
    { monitor_id: 2, group_id: 3 },
  ],
  incident: [
    {
      ...{ title: "Shop is slow", content: "We look **into** it.", style: "danger", status_page_id: 2 },
      created_date: "2026-01-15 10:00:00",
    },
    {
      ...{ title: "Old news", content: "Over.", style: "info", status_page_id: 3, pin: 0, active: 0 },
      ...{ created_date: "2026-01-10 10:00:00", last_updated_date: "2026-01-10 12:00:00" },
    },
    { title: "Of a hidden page", content: "x", status_page_id: 1, created_date: "2026-01-10 10:00:00" },
  ],
};

const start = async () => {
  const app = await createTestApp();
  const { alice } = await app.people();
  const get = async (path: string) => JSON.parse((await app.as(alice).get(path)).text);
  return { app, alice, get };
};

it("every published page of Uptime Kuma is taken with its groups and announcements, and only once", async () => {
  const { app, alice, get } = await start();
  const file = createKuma(2, CONTENT);
  const { body } = await importFile(app, alice, file);
  const outcomes = () =>
    body.items.filter(({ part }) => part !== "monitors").map(({ part, name, outcome }) => [part, name, outcome]);
  expect(outcomes()).toEqual([
    ["status_page", "Hidden", "skip"],
    ["status_page", "Shop status", "take"],
    ["pages", "Europe", "take"],
    ["incidents", "Shop is slow", "take"],
    ["incidents", "Old news", "take"],
    ["incidents", "Of a hidden page", "skip"],
  ]);
  const { pages } = await get("/api/pages");
  expect(pages).toMatchObject([
    { title: "Shop status", first: true },
    { title: "Europe", slug: "eu" },
  ]);
  const { page } = await get(`/api/pages/${pages[1].id}`);
  expect(page).toMatchObject({ theme: "dark", description: "Only Europe" });
  expect(page.components).toMatchObject([
    { label: "Blog", group: "Core" },
    { label: "Shop", group: "Web" },
  ]);
  const { incidents } = await get("/api/incidents");
  expect(incidents).toMatchObject([
    {
      title: "Shop is slow",
      impact: "major",
      status: "identified",
      started_at: "2026-01-15T10:00:00.000Z",
      pages: [pages[0].id],
    },
    { title: "Old news", impact: "none", resolved_at: "2026-01-10T12:00:00.000Z", pages: [pages[1].id] },
  ]);

  const again = await importFile(app, alice, file);
  expect(again.body.counts).toMatchObject({ take: 0, change: 0, skip: 2, exists: 6 });
  expect(again.body.items.flatMap(({ outcome, notes }) => (outcome === "exists" ? notes : []))).toEqual([]);
  expect((await get("/api/pages")).pages).toEqual(pages);
});

it("the first page of Uptime Kuma becomes a further one where the user has saved a page", async () => {
  const { app, alice, get } = await start();
  await publish(app, alice, { title: "Ours" });
  const file = createKuma(1, CONTENT);
  expect((await importFile(app, alice, file)).body.counts.skip).toBe(2);
  const { pages } = await get("/api/pages");
  expect(pages.map(({ title }: { title: string }) => title)).toEqual(["Ours", "Shop status", "Europe"]);
  const { incidents } = await get("/api/incidents");
  expect(incidents[0].pages).toEqual([pages[1].id]);
  const again = await importFile(app, alice, file);
  expect(again.body.items.flatMap(({ outcome, notes }) => (outcome === "exists" ? notes : []))).toEqual([]);
  expect((await get("/api/pages")).pages.length).toBe(3);
});
