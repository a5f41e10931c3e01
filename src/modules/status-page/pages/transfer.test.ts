import { expect, it } from "bun:test";
import { createTestApp, type TestApp } from "../../../testing/app";
import { enrollAgent } from "../../../testing/fixtures/agents";
import { withoutIds } from "../../../testing/fixtures/imports/exported";
import { AUTO_SETTINGS } from "../../../testing/fixtures/incidents/model";
import { addMonitor } from "../../../testing/fixtures/monitors";
import type { TestUser } from "../../../testing/fixtures/people";
import { publish } from "../../../testing/fixtures/status-page";
import { admit } from "../access/gate";
import { statuspageDocument } from "../statuspage/statuspage";

const download = async (app: TestApp, owner: TestUser) => JSON.parse((await app.as(owner).get("/api/export")).text);

const upload = async (app: TestApp, owner: TestUser, file: unknown) => {
  const { status, text } = await app.as(owner).post("/api/import", file);
  if (status !== 200) throw new Error(`the file was not imported: ${status} ${text}`);
  return JSON.parse(text);
};

const partsOf = ({ pages, incidents }: { pages: unknown; incidents: unknown }) =>
  withoutIds({ exported_at: "", ...{ pages, incidents } } as { exported_at: string });

/** Bob's pages: the first one with a component of its own, and a further one with several, all in an incident. */
const furnished = async () => {
  const app = await createTestApp();
  const people = await app.people();
  const { bob } = people;
  const add = (name: string) => addMonitor(app, bob, { name, url: `http://127.0.0.1:9/${name}`, active: false });
  const [shop, blog] = [await add("Shop"), await add("Blog")];
  const server = await enrollAgent(app, bob, { hostname: "db-1" });
  await publish(app, bob, { title: "All", monitors: [shop] });
  const [first] = (await app.as(bob).get("/api/pages")).body.pages;
  const fixed = { name: "Support", fixed_status: "degraded_performance" } as const;
  await app.as(bob).put(`/api/pages/${first?.id}`, { noindex: true, components: [fixed] });
  const { page: eu } = (
    await app.as(bob).post("/api/pages", {
      ...{ slug: "eu", title: "Europe", description: "Only Europe", theme: "dark", noindex: true, show_os: false },
      ...{ history_days: 365, zone: "Europe/Berlin", auto_incidents: AUTO_SETTINGS },
      components: [
        { name: "API", group: "Web", description: "All of it", monitors: [shop, blog], mode: "at_least", n: 2 },
        { monitors: [blog], group: "Web", show: "none" },
        { name: "Data", agents: [server.id], tag: "db:eu", mode: "any" },
        ...[fixed, fixed],
      ],
    })
  ).body;
  const listed = (await app.as(bob).get(`/api/pages/${first?.id}`)).body.page.components;
  const sent = (ids: (number | undefined)[]) =>
    ids.map((id) => ({ id: id as number, status: "major_outage" as const }));
  const incident = {
    ...{ title: "Slow", impact: "major" as const, body: "We look into it.", started_at: "2026-01-15T11:00:00Z" },
    pages: [eu.id, first?.id as number],
    components: sent([eu.components[1]?.id, eu.components[4]?.id, listed[0]?.id, listed[1]?.id]),
  };
  const { id } = (await app.as(bob).post("/api/incidents", incident)).body.incident;
  const { body } = await app.as(bob).post(`/api/incidents/${id}/updates`, { status: "monitoring", body: "Better." });
  const [latest] = body.incident.updates;
  await app.as(bob).put(`/api/incidents/${id}/updates/${latest?.id}`, { body: "Much better." });
  await app.as(bob).post("/api/incidents", { title: "Only Europe", body: "Done.", status: "resolved", pages: [eu.id] });
  return { app, ...people, eu };
};

it("further pages, components and the parts of incidents are exported and imported, and only once", async () => {
  const { app, bob, charlie } = await furnished();
  await enrollAgent(app, charlie, { machine_id: "m2", hostname: "db-1" });
  const file = await download(app, bob);
  expect(file.pages).toMatchObject([
    { first: true, title: "All", noindex: true, components: [{ name: "Support" }] },
    {
      first: false,
      slug: "eu",
      history_days: 365,
      zone: "Europe/Berlin",
      auto_incidents: AUTO_SETTINGS,
      components: [{ n: 2 }, { name: null, show: "none" }, { tag: "db:eu" }, {}, {}],
    },
  ]);
  expect(file.incidents[0].components).toEqual([
    { page: file.pages[0].id, name: "Shop", group: "", status: "major_outage" },
    { page: file.pages[0].id, name: "Support", group: "", status: "major_outage" },
    { page: file.pages[1].id, name: "Blog", group: "Web", status: "major_outage" },
    { page: file.pages[1].id, name: "Support", group: "", nth: 2, status: "major_outage" },
  ]);
  const first = await upload(app, charlie, file);
  expect(first.created).toMatchObject({ status_page: 1, pages: 1, incidents: 2 });
  // Bob's address is in use.
  expect(first.notes).toMatchObject([{ path: "pages.1", code: "page_address_new" }]);
  const theirs = await download(app, charlie);
  expect(partsOf(theirs)).toEqual(partsOf(file));
  expect(theirs.pages[1].slug).toBe("eu-2");
  expect(theirs.pages[1].components[0].monitors).toEqual(theirs.monitors.map(({ id }: { id: number }) => id));
  const keys = (of: typeof file) => of.pages.flatMap(({ components }: { components: { key: string }[] }) => components);
  expect(keys(theirs)[0].key).not.toBe(keys(file)[0].key);

  const second = await upload(app, charlie, file);
  expect(second.created).toMatchObject({ status_page: 0, pages: 0, incidents: 0 });
  expect(second.skipped).toMatchObject({ status_page: 1, pages: 1, incidents: 2 });
  expect(second.notes).toEqual([]);
  expect({ ...(await download(app, charlie)), exported_at: "" }).toEqual({ ...theirs, exported_at: "" });
});

it("an import where nothing of the file exists keeps addresses and Statuspage ids", async () => {
  const { app, bob } = await furnished();
  const file = await download(app, bob);
  const other = await createTestApp();
  const { alice } = await other.people();
  const summaryOf = async ({ deps }: TestApp) => {
    const pass = await admit(deps, "eu", {});
    const answer = pass && (await statuspageDocument(deps, pass, "summary"));
    return (await answer?.(new Request("http://127.0.0.1/")))?.json();
  };
  expect((await upload(other, alice, file)).notes.map(({ code }: { code: string }) => code)).toEqual([
    "server_missing",
  ]);
  const [before, after] = [await summaryOf(app), await summaryOf(other)];
  expect(after.page.id).toBe(before.page.id);
  const ids = ({ components, incidents }: typeof before) =>
    [components, incidents].map((list) => list.map(({ id, name }: { id: string; name: string }) => [id, name]));
  expect(ids(after)).toEqual(ids(before));
  expect(after.incidents[0].created_at).toBe(before.incidents[0].created_at);
});

it("a page of the team with the address of one in the file stays as it is, with a note", async () => {
  const { app, bob, eu } = await furnished();
  const file = await download(app, bob);
  await app.as(bob).put(`/api/pages/${eu.id}`, { title: "Renamed", components: [] });
  const before = await download(app, bob);
  const { created, notes } = await upload(app, bob, file);
  expect(created).toMatchObject({ pages: 0, incidents: 0 });
  expect(notes).toMatchObject([{ path: "pages.1", code: "kept" }]);
  expect((await download(app, bob)).pages).toEqual(before.pages);
});

it("deleted monitors are not in the pages of a file, and a component is without its only one", async () => {
  const { app, bob } = await furnished();
  for (const { id } of (await download(app, bob)).monitors) await app.as(bob).delete(`/api/monitors/${id}`);
  const file = await download(app, bob);
  expect(file.pages[1].components.map(({ name }: { name: string }) => name)).toEqual(["Data", "Support", "Support"]);
  expect((await upload(app, bob, file)).notes).toEqual([]);
});

it("a file with invalid pages is refused with the place of each problem", async () => {
  const { app, bob } = await furnished();
  const file = await download(app, bob);
  const errorsOf = async (changes: object) => {
    const { status, text } = await app.as(bob).post("/api/import", { ...file, ...changes });
    return [status, JSON.parse(text).errors?.map(({ path }: { path: string }) => path)];
  };
  const page = { slug: "new", title: "New" };
  expect(await errorsOf({ pages: [{ ...page, slug: "a/b" }], incidents: [] })).toEqual([422, ["pages.0.slug"]]);
  expect(await errorsOf({ pages: [{ ...page, logo_url: "x" }], incidents: [] })).toEqual([422, ["pages.0.logo_url"]]);
  expect(await errorsOf({ pages: [{ ...page, components: [{ name: "x" }] }], incidents: [] })).toEqual([
    ...[422, ["pages.0.components.0.monitors"]],
  ]);
  expect(await errorsOf({ pages: [{ ...page, components: [{ monitors: [99] }] }], incidents: [] })).toEqual([
    ...[422, ["pages.0.components.0.monitors.0"]],
  ]);
  expect((await errorsOf({ pages: [] }))[0]).toBe(422);
  expect(await errorsOf({ pages: Array.from({ length: 51 }, () => page), incidents: [] })).toEqual([422, ["pages"]]);
});
