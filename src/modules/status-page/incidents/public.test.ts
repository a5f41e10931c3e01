import { expect, it } from "bun:test";
import { isoTime } from "../../../lib/time";
import { DAY, MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { addMonitor, recordOnly } from "../../../testing/fixtures/monitors";
import { publish, readStatusData } from "../../../testing/fixtures/status-page";

const setUp = async () => {
  const app = await createTestApp();
  const { bob, charlie } = await app.people();
  const client = app.as(bob);
  const add = (name: string) => addMonitor(app, bob, { url: "http://127.0.0.1:9/", name });
  const [shop, blog] = [await add("Shop"), await add("Blog")];
  for (const id of [shop, blog]) await recordOnly(app, id, [{ at: START }]);
  await publish(app, bob, { title: "Acme", monitors: [shop, blog] });
  await publish(app, charlie, { title: "Other" });
  const [page] = (await client.get("/api/incidents")).body.pages;
  const componentOf = (name: string) => page?.components.find((one) => one.name === name)?.id ?? 0;
  const write = async (body: object = {}) =>
    (await client.post("/api/incidents", { title: "Payments fail", body: "We look into it.", ...body })).body.incident;
  const post = (id: number, body: object) => client.post(`/api/incidents/${id}/updates`, body);
  const incident = async (key: string, slug = "bob") => {
    const { status, text } = await app.anybody.get(`/api/status/incidents/${key}?page=${slug}`);
    return { status, incident: JSON.parse(text).incident };
  };
  return { app, client, componentOf, write, post, incident, read: () => readStatusData(app, "bob") };
};

const at = (minutes: number) => isoTime(START + minutes * MINUTE);

it("visitors see open incidents and those of the last 14 days at once, with safe HTML and without names of users", async () => {
  const { app, read, write, post } = await setUp();
  const open = await write({ body: "See <b>[here](javascript:x)</b>" });
  await post(open.id, { status: "identified", body: "A **disk** is full." });
  const past = await write({ title: "Slow", status: "resolved", started_at: at(-180), at: at(-60) });
  await write({
    title: "Old",
    status: "resolved",
    started_at: isoTime(START - 16 * DAY),
    at: isoTime(START - 15 * DAY),
  });
  const { incidents } = await read();
  expect(incidents).toEqual([
    {
      path: `/status/bob/incidents/${open.key}`,
      ...{ key: open.key, title: "Payments fail", impact: "minor", status: "identified", components: [] },
      ...{ started_at: at(0), resolved_at: null, updated_at: incidents[0]?.updated_at ?? "" },
      updates: [
        { status: "identified", html: "<p>A <strong>disk</strong> is full.</p>", at: at(0), edited_at: null },
        { status: "investigating", html: "<p>See &#60;b&#62;here&#60;/b&#62;</p>", at: at(0), edited_at: null },
      ],
    },
    {
      path: `/status/bob/incidents/${past.key}`,
      ...{ key: past.key, title: "Slow", impact: "minor", status: "resolved", components: [] },
      ...{ started_at: at(-180), resolved_at: at(-60), updated_at: at(0) },
      updates: [{ status: "resolved", html: "<p>We look into it.</p>", at: at(-60), edited_at: null }],
    },
  ]);
  const { text } = await app.anybody.get("/api/status/data?page=bob");
  expect(text).not.toContain('"by"');
});

it("an incident has a public address with all its updates, on its pages only", async () => {
  const { write, post, incident, read } = await setUp();
  const { id, key } = await write();
  for (let count = 1; count <= 12; count++) await post(id, { status: "monitoring", body: `Update ${count}.` });
  expect((await read()).incidents[0]?.updates).toHaveLength(10);
  const shown = await incident(key);
  expect([shown.status, shown.incident.updates.length, shown.incident.updates[0].html]).toEqual([
    200,
    13,
    "<p>Update 12.</p>",
  ]);
  for (const [wrong, slug] of [
    [key, "charlie"],
    [key, "missing"],
    ["aaaaaaaaaaaa", "bob"],
    ["%2e%2e", "bob"],
    [String(id), "bob"],
  ] as const)
    expect([wrong, slug, (await incident(wrong, slug)).status]).toEqual([wrong, slug, 404]);
});

it("the state that an open incident gives a component wins over the measured one, the worst of several, until it is resolved", async () => {
  const { client, read, write, post, componentOf } = await setUp();
  const states = async () => {
    const { monitors, overall } = await read();
    return [overall, ...monitors.map(({ component_status }) => component_status)] as unknown[];
  };
  expect(await states()).toEqual(["operational", undefined, undefined]);
  const first = await write({ components: [{ id: componentOf("Shop"), status: "degraded_performance" }] });
  expect(await states()).toEqual(["degraded", "degraded_performance", undefined]);
  const second = await write({ components: [{ id: componentOf("Shop"), status: "major_outage" }] });
  expect(await states()).toEqual(["partial", "major_outage", undefined]);
  const [change] = [{ components: [{ id: componentOf("Shop"), status: "operational" }] }];
  await client.put(`/api/incidents/${second.id}`, change);
  expect(await states()).toEqual(["degraded", "degraded_performance", undefined]);
  await post(first.id, { status: "resolved", body: "Done." });
  expect(await states()).toEqual(["operational", "operational", undefined]);
  await post(second.id, { status: "resolved", body: "Done." });
  expect(await states()).toEqual(["operational", undefined, undefined]);
});

it("an item has the start of the incident that gives it its state, unless it is measured as down for longer", async () => {
  const { app, client, read, write, componentOf } = await setUp();
  const since = async () => (await read()).monitors.map((one) => one.since);
  const state = (name: string, status: string, from: number) => {
    const components = [{ id: componentOf(name), status }];
    return write({ components, started_at: at(from) });
  };
  expect(await since()).toEqual([null, null]);
  await state("Shop", "degraded_performance", -50);
  expect(await since()).toEqual([at(-50), null]);
  const worst = await state("Shop", "major_outage", -10);
  const other = await state("Shop", "major_outage", -20);
  expect(await since()).toEqual([at(-20), null]);
  await client.post(`/api/incidents/${other.id}/updates`, { status: "resolved", body: "Done." });
  expect(await since()).toEqual([at(-10), null]);
  const [{ id: shop = 0 } = {}] = (await read()).monitors;
  await app.clock.advance(MINUTE);
  await recordOnly(app, shop, [{ at: app.clock.now(), up: false }]);
  expect(await since()).toEqual([at(-10), null]);
  await client.put(`/api/incidents/${worst.id}`, { components: [{ id: componentOf("Blog"), status: "operational" }] });
  expect(await since()).toEqual([at(-50), null]);
});

it("the overall status is the worst of items and open incidents", async () => {
  const { read, write, post, componentOf } = await setUp();
  const overall = async () => (await read()).overall;
  const minor = await write({ impact: "minor" });
  expect(await overall()).toBe("operational");
  await post(minor.id, { status: "resolved", body: "Done." });
  const major = await write({ impact: "major" });
  expect(await overall()).toBe("partial");
  const critical = await write({
    impact: "critical",
    components: [{ id: componentOf("Shop"), status: "major_outage" }],
  });
  expect(await overall()).toBe("outage");
  await post(critical.id, { status: "resolved", body: "Done." });
  await post(major.id, { status: "resolved", body: "Done." });
  expect(await overall()).toBe("operational");
});

it("the feed has an entry for each incident, which keeps its id, with its latest update", async () => {
  const { app, write, post } = await setUp();
  const { id, key } = await write({ title: "<Payments> & more" });
  const read = async () => (await app.anybody.get("/api/status/feed.xml?page=bob&lang=en-US")).text;
  const entryOf = (feed: string) => /<entry>[\s\S]*?<\/entry>/.exec(feed)?.[0] ?? "";
  const first = entryOf(await read());
  expect(first).toContain("<title>Investigating: &#60;Payments&#62; &#38; more</title>");
  expect(first).toContain(`/status/bob/incidents/${key}"`);
  expect(first).toContain('<content type="html">&#60;p&#62;We look into it.&#60;/p&#62;</content>');
  await app.clock.advance(MINUTE);
  await post(id, { status: "resolved", body: "It is over." });
  const second = entryOf(await read());
  const idOf = (entry: string) => /<id>(.*)<\/id>/.exec(entry)?.[1];
  expect([idOf(second), second.includes("Resolved: "), second.includes(`<updated>${at(1)}`)]).toEqual([
    idOf(first),
    true,
    true,
  ]);
});

it("the list of open incidents has the measured state of components beside the one that visitors see", async () => {
  const { client, componentOf, write } = await setUp();
  await write({ components: [{ id: componentOf("Shop"), status: "partial_outage" }] });
  const [incident] = (await client.get("/api/incidents")).body.incidents;
  expect(incident?.components).toMatchObject([{ name: "Shop", status: "partial_outage", measured: "operational" }]);
});
