import { expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { announcements, incidents, incidentUpdates } from "../../../../db/schema";
import { isoTime } from "../../../../lib/time";
import { MINUTE } from "../../../../shared/limits";
import { createTestApp } from "../../../../testing/app";
import { START } from "../../../../testing/clock";
import { AUTO_SETTINGS, createIncidentModel } from "../../../../testing/fixtures/incidents/model";
import { addMonitor, recordOnly } from "../../../../testing/fixtures/monitors";
import { addSubscribers } from "../../../../testing/fixtures/pages/subscribers";
import { publish } from "../../../../testing/fixtures/status-page";
import { writeAutomaticIncidents } from "./automatic";

const setUp = async (names: readonly string[] = ["Shop", "Blog"]) => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const client = app.as(bob);
  const ids: number[] = [];
  for (const name of names) {
    const id = await addMonitor(app, bob, { url: "http://127.0.0.1:9/", name });
    ids.push(id);
    await recordOnly(app, id, [{ at: START - MINUTE }]);
  }
  app.clock.set(START);
  await publish(app, bob, { title: "Acme", monitors: ids });
  const [page] = (await client.get("/api/pages")).body.pages;
  const pageId = page?.id ?? 0;
  const set = (auto_incidents: object | null) => client.put(`/api/pages/${pageId}`, { auto_incidents });
  const check = (id: number, up: boolean) => recordOnly(app, id, [{ at: app.clock.now(), up }]);
  /** Moves the clock and lets the job run once a minute. */
  const pass = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      app.clock.set(app.clock.now() + MINUTE);
      await writeAutomaticIncidents(app.deps);
    }
  };
  /** The incidents of the page, the first one first, with their updates in order. */
  const read = async () => {
    const rows = await app.deps.db.select().from(incidents).orderBy(incidents.id);
    return Promise.all(
      rows.map(async ({ id, title, auto, resolvedAt, startedAt }) => {
        const updates = await app.deps.db
          .select()
          .from(incidentUpdates)
          .where(eq(incidentUpdates.incidentId, id))
          .orderBy(incidentUpdates.id);
        return {
          id,
          title,
          auto,
          resolvedAt,
          startedAt,
          updates: updates.map(({ status, at, by }) => [status, at, by]),
        };
      }),
    );
  };
  const [shop = 0, blog = 0] = ids;
  return { app, client, ids, shop, blog, pageId, set, check, pass, read };
};

const at = (minutes: number) => START + minutes * MINUTE;

it("nothing is published unless the owner of a page has chosen it", async () => {
  const { shop, check, pass, read } = await setUp();
  await check(shop, false);
  await pass(20);
  expect(await read()).toEqual([]);
});

it("an outage is published after its minutes with the texts of the owner and without its cause, and is resolved after all is back", async () => {
  const { app, client, shop, set, check, pass, read } = await setUp();
  expect((await set(AUTO_SETTINGS)).status).toBe(200);
  await check(shop, false);
  await pass(4);
  expect(await read()).toEqual([]);
  await pass(1);
  const [incident] = (await client.get("/api/incidents")).body.incidents;
  expect(incident).toMatchObject({
    ...{ title: "Shop is down", impact: "major", status: "investigating", auto: true, started_at: isoTime(at(0)) },
    components: [{ name: "Shop", status: "major_outage" }],
    latest: { body: "Since 2026年1月15日 12:20 UTC we look into **Shop**.", by: null, at: isoTime(at(5)) },
  });
  const { text } = await app.anybody.get("/api/status/data?page=bob");
  expect(text).not.toMatch(/refused|127\.0\.0\.1|timeout|cause/i);
  await pass(10);
  await check(shop, true);
  await pass(2);
  expect(await read()).toHaveLength(1);
  expect((await read())[0]?.resolvedAt).toBeNull();
  await pass(1);
  await pass(5);
  const updates = [
    ["investigating", at(5), ""],
    ["resolved", at(18), ""],
  ];
  expect(await read()).toMatchObject([{ resolvedAt: at(18), updates }]);
  const detail = (await client.get(`/api/incidents/${incident?.id}`)).body.incident;
  expect(detail.updates[0]?.body).toBe("It is over, after 18 分钟.");
});

it("further components join the open incident, which shows them as they are measured", async () => {
  const { client, shop, blog, set, check, pass, read } = await setUp();
  await set(AUTO_SETTINGS);
  await check(shop, false);
  await pass(3);
  await check(blog, false);
  await pass(3);
  await check(shop, true);
  await pass(3);
  const [incident] = (await client.get("/api/incidents")).body.incidents;
  expect(incident?.components).toEqual([
    expect.objectContaining({ name: "Shop", status: "operational" }),
    expect.objectContaining({ name: "Blog", status: "major_outage" }),
  ]);
  await check(blog, true);
  await pass(3);
  expect(await read()).toMatchObject([
    {
      updates: [
        ["investigating", at(5), ""],
        ["resolved", at(12), ""],
      ],
    },
  ]);
});

it("subscribers get the state of each component when it is published, and that it works again when it is resolved", async () => {
  const { app, shop, blog, pageId, set, check, pass, read } = await setUp();
  await set(AUTO_SETTINGS);
  await addSubscribers(app, pageId, ["dora@example.com"]);
  await check(shop, false);
  await pass(5);
  await check(blog, false);
  await pass(6);
  await check(shop, true);
  await check(blog, true);
  await pass(4);
  expect((await read())[0]?.resolvedAt).not.toBeNull();
  const rows = await app.db.select().from(announcements).orderBy(announcements.id);
  const first = rows[0]?.components[0] ?? 0;
  expect(rows).toMatchObject([
    { changes: [{ id: first, from: "operational", to: "major_outage" }], components: [first] },
    { changes: [{ id: first, from: "major_outage", to: "operational" }], components: [first, expect.any(Number)] },
  ]);
});

it("the first update that a person writes stops it, and nothing is published again for the same outage", async () => {
  const { client, shop, set, check, pass, read } = await setUp();
  await set(AUTO_SETTINGS);
  await check(shop, false);
  await pass(6);
  const id = (await read())[0]?.id ?? 0;
  await client.post(`/api/incidents/${id}/updates`, { status: "identified", body: "A disk." });
  await check(shop, true);
  await pass(20);
  expect(await read()).toMatchObject([{ auto: false, resolvedAt: null }]);
  await client.post(`/api/incidents/${id}/updates`, { status: "resolved", body: "Over." });
  await pass(1);
  await check(shop, false);
  await pass(6);
  const [, second] = await read();
  expect(second).toMatchObject({ auto: true, resolvedAt: null });
  await client.post(`/api/incidents/${second?.id}/updates`, { status: "resolved", body: "We do not care." });
  await pass(20);
  expect(await read()).toHaveLength(2);
  await check(shop, true);
  await pass(1);
  await check(shop, false);
  await pass(6);
  const third = (await read())[2];
  expect(third?.auto).toBe(true);
  expect((await client.delete(`/api/incidents/${third?.id}`)).status).toBe(200);
  await pass(20);
  expect(await read()).toHaveLength(2);
});

it("an incident of a person about the component, or about nothing in particular, keeps the hub from publishing", async () => {
  const { client, shop, blog, set, check, pass, read } = await setUp();
  await set(AUTO_SETTINGS);
  const [page] = (await client.get("/api/incidents")).body.pages;
  const component = (id: number) => page?.components.find(({ monitors }) => monitors.includes(id))?.id ?? 0;
  const write = async (title: string, components: object[]) =>
    (await client.post("/api/incidents", { title, body: "We know.", components })).body.incident.id;
  await write("Blog", [{ id: component(blog), status: "partial_outage" }]);
  await check(blog, false);
  await pass(10);
  expect(await read()).toHaveLength(1);
  const all = await write("Something", []);
  await check(shop, false);
  await pass(10);
  expect(await read()).toHaveLength(2);
  await client.delete(`/api/incidents/${all}`);
  await pass(1);
  expect(await read()).toHaveLength(2);
  expect((await read())[1]?.title).toBe("Shop is down");
});

it("settings are refused that would publish too soon or nothing", async () => {
  const { set } = await setUp();
  for (const change of [{ after: 4 }, { after: 1441 }, { resolve_after: 0 }, { title: " " }, { body: "" }])
    expect([change, (await set({ ...AUTO_SETTINGS, ...change })).status]).toEqual([change, 422]);
  expect((await set(null)).status).toBe(200);
});

it("a sequence of outages, maintenance, mutes, written updates and runs at the same time publishes what a simple model does", async () => {
  for (let round = 0; round < 6; round++) {
    const { app, client, ids, set, check, read } = await setUp(["A", "B", "C"]);
    await set(AUTO_SETTINGS);
    let seed = 977 * (round + 1);
    const random = (most: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * most);
    };
    const model = createIncidentModel(ids.length);
    const done: string[] = [];
    const isDown = ids.map(() => false);
    const isMuted = ids.map(() => false);
    const quiet = ids.map(() => 0);
    for (let minute = 1; minute <= 70; minute++) {
      app.clock.set(at(minute));
      const now = app.clock.now();
      const index = random(ids.length);
      const id = ids[index] ?? 0;
      const dice = random(20);
      if (dice < 5) {
        isDown[index] = !isDown[index];
        done.push(`${minute} ${isDown[index] ? "fail" : "recover"} ${index}`);
        await check(id, !isDown[index]);
        if (isDown[index]) model.fail(index, now);
        else model.recover(index, now);
      } else if (dice === 5 && (quiet[index] ?? 0) <= now) {
        const to = now + (1 + random(12)) * MINUTE;
        quiet[index] = to;
        done.push(`${minute} maintain ${index} to ${(to - START) / MINUTE}`);
        const schedule = { kind: "once", from: isoTime(now), to: isoTime(to) };
        expect((await client.post("/api/windows", { title: "x", monitors: [id], schedule })).status).toBe(201);
        model.maintain(index, to);
      } else if (dice === 6) {
        isMuted[index] = !isMuted[index];
        done.push(`${minute} ${isMuted[index] ? "mute" : "unmute"} ${index}`);
        const answer = isMuted[index]
          ? await client.post(`/api/monitors/${id}/mute`, { minutes: 1000 })
          : await client.delete(`/api/monitors/${id}/mute`);
        expect(answer.status).toBe(200);
        model.mute(index, isMuted[index] === true);
      } else if (dice === 7) {
        const rows = await read();
        const place = rows.findIndex(({ resolvedAt }) => resolvedAt === null);
        if (place >= 0) {
          const status = random(2) === 0 ? "identified" : "resolved";
          done.push(`${minute} write ${place} ${status}`);
          await client.post(`/api/incidents/${rows[place]?.id}/updates`, { status, body: "By hand." });
          model.write(place, status, now);
        }
      }
      // Two instances at once; each has only what is stored, as after a restart.
      await Promise.all([writeAutomaticIncidents(app.deps), writeAutomaticIncidents({ ...app.deps })]);
      model.tick(now);
      const found = (await read()).map(({ auto, updates }) => ({ auto, updates }));
      expect([done, found]).toEqual([done, model.list.map(({ auto, updates }) => ({ auto, updates }))] as never);
    }
  }
});
