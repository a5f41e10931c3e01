import { describe, expect, it } from "bun:test";
import { incidents, incidentUpdates } from "../../../db/schema";
import { isoTime } from "../../../lib/time";
import { HOUR, MINUTE } from "../../../shared/limits";
import { INCIDENT_LIMITS } from "../../../shared/status/incidents";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { addMonitor, recordOnly } from "../../../testing/fixtures/monitors";
import { addMember } from "../../../testing/fixtures/people";
import { publish } from "../../../testing/fixtures/status-page";

const setUp = async () => {
  const app = await createTestApp();
  const people = await app.people();
  const { bob, charlie } = people;
  const client = app.as(bob);
  const shop = await addMonitor(app, bob, { url: "http://127.0.0.1:9/", name: "Shop" });
  await publish(app, bob, { title: "Acme", monitors: [shop] });
  const [page] = (await client.get("/api/incidents")).body.pages;
  if (!page) throw new Error("there is no page");
  const write = async (body: object = {}) =>
    (await client.post("/api/incidents", { title: "Payments fail", body: "We look into it.", ...body })).body.incident;
  const post = (id: number, body: object) =>
    client.post(`/api/incidents/${id}/updates`, { status: "identified", body: "A disk is full.", ...body });
  return { app, ...people, client, others: app.as(charlie), shop, page, write, post };
};

const at = (minutes: number) => isoTime(START + minutes * MINUTE);

describe("an incident", () => {
  it("has the state of its latest update, ends when it is resolved, and opens again", async () => {
    const { app, client, page, write, post } = await setUp();
    const written = await write();
    expect(written).toMatchObject({
      ...{ title: "Payments fail", impact: "minor", status: "investigating", started_at: at(0), resolved_at: null },
      ...{ outage_id: null, auto: false, pages: [page.id], components: [] },
      updates: [{ status: "investigating", html: "<p>We look into it.</p>", by: "bob", at: at(0), edited_at: null }],
    });
    expect(written.key).toMatch(/^[a-z]{12}$/);
    await app.clock.advance(10 * MINUTE);
    const identified = (await post(written.id, {})).body.incident;
    expect([identified.status, identified.updates.map(({ at }) => at)]).toEqual(["identified", [at(10), at(0)]]);
    await app.clock.advance(10 * MINUTE);
    await post(written.id, { status: "resolved", body: "It is over." });
    expect((await client.get(`/api/incidents/${written.id}`)).body.incident).toMatchObject({
      ...{ status: "resolved", resolved_at: at(20) },
    });
    // An update about an earlier time does not change the state.
    await post(written.id, { status: "monitoring", at: at(15) });
    expect((await client.get("/api/incidents?state=resolved")).body.incidents).toMatchObject([
      { id: written.id, status: "resolved", latest: { body: "It is over." } },
    ]);
    const again = (await post(written.id, { status: "monitoring" })).body.incident;
    expect([again.status, again.resolved_at]).toEqual(["monitoring", null]);
    expect((await client.get("/api/incidents?state=open")).body).toMatchObject({
      total: 1,
      incidents: [{ id: written.id }],
    });
  });

  it("may be over when it is written, with times in the past, but not in the future or before it began", async () => {
    const { client, write, post } = await setUp();
    const past = await write({ status: "resolved", started_at: at(-120), at: at(-60) });
    expect(past).toMatchObject({ started_at: at(-120), resolved_at: at(-60), status: "resolved" });
    await post(past.id, { status: "investigating", at: at(-110) });
    const body = { title: "x", body: "x" };
    const refused = [
      [client.post("/api/incidents", { ...body, at: at(5) }), "at"],
      [client.post("/api/incidents", { ...body, started_at: at(5) }), "started_at"],
      [client.post("/api/incidents", { ...body, started_at: at(-5), at: at(-6) }), "at"],
      [post(past.id, { at: at(-121) }), "at"],
      [client.put(`/api/incidents/${past.id}`, { started_at: at(-100) }), "started_at"],
      [client.put(`/api/incidents/${past.id}/updates/${past.updates[0]?.id}`, { at: at(-130) }), "at"],
      [client.post("/api/incidents", { ...body, body: " " }), "body"],
      [client.post("/api/incidents", { ...body, body: "x".repeat(5001) }), "body"],
      [client.post("/api/incidents", { ...body, status: "over" }), "status"],
    ] as const;
    for (const [call, path] of refused) {
      const { status, text } = await call;
      expect([status, JSON.parse(text).errors?.[0]?.path]).toEqual([422, path]);
    }
  });

  it("marks an update that was edited, and an edit that changes nothing leaves no mark", async () => {
    const { app, client, write } = await setUp();
    const { id, updates } = await write();
    const path = `/api/incidents/${id}/updates/${updates[0]?.id}` as const;
    expect((await client.put(path, { body: "We look into it." })).body.incident.updates[0]?.edited_at).toBeNull();
    await app.clock.advance(MINUTE);
    const { incident } = (await client.put(path, { body: "We *know* it.", status: "identified" })).body;
    expect(incident).toMatchObject({
      status: "identified",
      updates: [{ body: "We *know* it.", html: "<p>We <em>know</em> it.</p>", at: at(0), edited_at: at(1) }],
    });
    expect((await client.put(`/api/incidents/${id}/updates/999999`, {})).status).toBe(404);
  });

  it("is not overwritten by a second person: they get 409 with the text of the first", async () => {
    const { client, write, post } = await setUp();
    const { id, updated_at, updates } = await write();
    expect((await post(id, { body: "The first.", updated_at })).status).toBe(201);
    const late = [
      post(id, { body: "The second.", updated_at }),
      client.put(`/api/incidents/${id}`, { title: "Another", updated_at }),
      client.put(`/api/incidents/${id}/updates/${updates[0]?.id}`, { body: "Another", updated_at }),
    ];
    for (const call of late) {
      const { status, text } = await call;
      const { code, current } = JSON.parse(text);
      expect([status, code, current.updates[0].body]).toEqual([409, "incident_changed", "The first."]);
    }
    const { incident } = (await client.get(`/api/incidents/${id}`)).body;
    expect([incident.title, incident.updates.length]).toEqual(["Payments fail", 2]);
    // Each change has a version of its own, also within a millisecond.
    const [one, other] = [await client.put(`/api/incidents/${id}`, { impact: "major" }), await post(id, {})];
    expect(new Set([one, other].map(({ body }) => body.incident.updated_at)).size).toBe(2);
  });

  it("sets states of components of its pages, and of no others", async () => {
    const { app, client, charlie, others, page, write, post } = await setUp();
    const [component] = page.components;
    expect(component?.name).toBe("Shop");
    const affected = [{ id: component?.id, status: "partial_outage" }];
    const { id, components } = await write({ components: affected });
    expect(components as object[]).toEqual([{ ...affected[0], name: "Shop" }]);
    const worse = [{ id: component?.id, status: "major_outage" }];
    expect((await post(id, { components: worse })).body.incident.components).toMatchObject(worse);
    expect((await post(id, {})).body.incident.components).toMatchObject(worse);
    expect((await client.put(`/api/incidents/${id}`, { components: [] })).body.incident.components).toEqual([]);
    const theirs = await addMonitor(app, charlie, { url: "http://127.0.0.1:9/" });
    await publish(app, charlie, { monitors: [theirs] });
    const [foreign] = (await others.get("/api/incidents")).body.pages;
    const refused = [
      [{ pages: [foreign?.id] }, "pages.0"],
      [{ pages: [] }, "pages"],
      [{ components: [{ id: foreign?.components[0]?.id, status: "operational" }] }, "components.0.id"],
      [{ components: [{ id: component?.id, status: "broken" }] }, "components.0.status"],
      [{ outage_id: 999_999 }, "outage_id"],
    ] as const;
    for (const [body, path] of refused) {
      const { status, text } = await client.post("/api/incidents", { title: "x", body: "x", ...body });
      expect([body, status, JSON.parse(text).errors?.[0]?.path] as unknown).toEqual([body, 422, path]);
    }
  });

  it("is about an outage of the team, by which it is found", async () => {
    const { app, client, others, shop, write } = await setUp();
    await recordOnly(app, shop, [{ at: START - HOUR }, { at: START, up: false }]);
    const [outage] = (await client.get(`/api/outages?target=monitor:${shop}`)).body.outages;
    const { id } = await write({ outage_id: outage?.id });
    await write();
    expect((await client.get(`/api/incidents?outage=${outage?.id}`)).body).toMatchObject({
      total: 1,
      incidents: [{ id }],
    });
    const stolen = await others.post("/api/incidents", { title: "x", body: "x", outage_id: outage?.id ?? 0 });
    expect(stolen.status).toBe(422);
  });

  it("belongs to its team: viewers read it, and users of other teams do not find it", async () => {
    const { app, bob, others, write } = await setUp();
    const { id } = await write();
    const viewer = app.as(await addMember(app, bob.teamId, "viewer"));
    expect((await viewer.get(`/api/incidents/${id}`)).body.incident.title).toBe("Payments fail");
    expect((await viewer.post(`/api/incidents/${id}/updates`, { status: "resolved", body: "x" })).status).toBe(403);
    for (const call of [others.get(`/api/incidents/${id}`), others.delete(`/api/incidents/${id}`)])
      expect((await call).status).toBe(404);
    const editor = app.as(await addMember(app, bob.teamId, "editor"));
    expect((await editor.delete(`/api/incidents/${id}`)).status).toBe(200);
    expect(await app.db.$count(incidentUpdates)).toBe(0);
  });

  it("is one of at most 500 that are open, and has at most 200 updates", async () => {
    const { app, bob, client, write, post } = await setUp();
    const { id } = await write();
    const [row] = await app.db.select().from(incidents);
    const rows = Array.from({ length: INCIDENT_LIMITS.open - 1 }, (_, index) => {
      const { id: _id, ...columns } = row as typeof incidents.$inferSelect;
      return { ...columns, publicKey: `key ${index}`, teamId: bob.teamId };
    });
    await app.db.insert(incidents).values(rows);
    expect((await client.post("/api/incidents", { title: "x", body: "x" })).text).toContain("too_many_incidents");
    expect((await client.post("/api/incidents", { title: "x", body: "x", status: "resolved" })).status).toBe(201);
    const update = { incidentId: id, status: "monitoring" as const, body: "x", at: START, by: "", editedAt: null };
    await app.db.insert(incidentUpdates).values(Array.from({ length: INCIDENT_LIMITS.updates - 1 }, () => update));
    expect((await post(id, {})).text).toContain("too_many_updates");
  });
});

it("a key with the scope publish writes incidents and updates, and reads and deletes none", async () => {
  const { app, client, bob } = await setUp();
  const { key } = (await client.post("/api/keys", { name: "CI", scopes: ["publish"] })).body;
  const ci = app.as({ ...bob, token: key });
  const written = await ci.post("/api/incidents", { title: "Deploy", body: "Something is slow." });
  expect(written.status).toBe(201);
  const path = `/api/incidents/${written.body.incident.id}` as const;
  expect((await ci.post(`${path}/updates`, { status: "resolved", body: "Done." })).status).toBe(201);
  for (const call of [ci.get("/api/incidents"), ci.get(path), ci.put(path, { title: "x" }), ci.delete(path)])
    expect((await call).status).toBe(403);
});

it("without a status page there is nothing to publish an incident on", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const { status, text } = await app.as(bob).post("/api/incidents", { title: "x", body: "x" });
  expect([status, JSON.parse(text).errors[0].path]).toEqual([422, "pages"]);
});

it("templates are listed by name, changed and deleted, at most 100 of them", async () => {
  const { client, others } = await setUp();
  const text = { name: "Network", status: "investigating", title: "{{component}} is slow", body: "Since {{since}}." };
  const { id } = (await client.post("/api/incidents/texts", text)).body.text;
  await client.post("/api/incidents/texts", { ...text, name: "Database" });
  await client.put(`/api/incidents/texts/${id}`, { ...text, name: "Cable" });
  expect((await client.get("/api/incidents/texts")).body.texts.map(({ name }) => name)).toEqual(["Cable", "Database"]);
  expect((await others.put(`/api/incidents/texts/${id}`, text)).status).toBe(404);
  expect((await client.delete(`/api/incidents/texts/${id}`)).status).toBe(200);
  for (let count = 1; count < 100; count++) await client.post("/api/incidents/texts", text);
  expect((await client.post("/api/incidents/texts", text)).text).toContain("too_many_incident_texts");
});
