import { describe, expect, it } from "bun:test";
import { isoTime } from "../../../lib/time";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { addMonitor } from "../../../testing/fixtures/monitors";
import { publish, readStatusData } from "../../../testing/fixtures/status-page";
import { startTestServer } from "../../../testing/servers/hub";
import type { StatuspageMaintenance } from "./shapes";

const setUp = async () => {
  const app = await startTestServer();
  const { alice } = await app.people();
  const add = (name: string) => addMonitor(app, alice, { url: "https://shop.example/", name });
  const [shop, blog] = [await add("Shop"), await add("Blog")];
  await publish(app, alice, { monitors: [shop, blog] });
  const start = app.clock.now();
  const once = (from: number, to: number) => ({
    ...{ title: "Upgrade", monitors: [shop] },
    schedule: { kind: "once" as const, from: isoTime(start + from), to: isoTime(start + to) },
  });
  const client = app.as(alice);
  const create = async (body: object) => (await client.post("/api/windows", body)).body.window.id as number;
  const change = async (id: number, body: object) => {
    const { status, text } = await client.put(`/api/windows/${id}`, body);
    if (status !== 200) throw new Error(text);
  };
  const read = async () => {
    // The answers are at most five seconds old.
    await app.clock.advance(6000);
    const { text } = await app.call("/status/api/v2/scheduled-maintenances.json");
    return (JSON.parse(text) as { scheduled_maintenances: StatuspageMaintenance[] }).scheduled_maintenances;
  };
  const shown = async () =>
    (await read()).map(({ name, status, scheduled_for, scheduled_until }) => [
      ...[name, status],
      ...[scheduled_for, scheduled_until].map((time) => (Date.parse(time) - start) / MINUTE),
    ]);
  return { app, client, shop, blog, start, once, create, change, read, shown };
};

describe("maintenance that is changed", () => {
  it("while it runs stays one with its id, its beginning, and what it is about now", async () => {
    const { app, client, shop, blog, once, create, change, read, shown } = await setUp();
    const id = await create(once(10 * MINUTE, HOUR));
    const [{ id: key } = { id: "" }] = await read();
    await app.clock.advance(20 * MINUTE);
    await change(id, { ...once(10 * MINUTE, HOUR), title: "Upgrade of all" });
    expect(await shown()).toEqual([["Upgrade of all", "in_progress", 10, 60]]);
    await app.clock.advance(5 * MINUTE);
    await change(id, { ...once(10 * MINUTE, 2 * HOUR), monitors: [shop, blog] });
    await change(id, { ...once(15 * MINUTE, 2 * HOUR), monitors: [blog] });
    const [changed] = await read();
    expect(await shown()).toEqual([["Upgrade", "in_progress", 10, 120]]);
    expect([changed?.id, changed?.components.map(({ name }) => name)]).toEqual([key, ["Blog"]]);
    expect((await readStatusData(app)).maintenance).toMatchObject([{ id, from: changed?.scheduled_for ?? "" }]);
    const calendar = (await app.anybody.get("/api/status/maintenance.ics")).text;
    expect(calendar.match(/DTSTART:.*/g)).toEqual([
      `DTSTART:${(changed?.scheduled_for ?? "").replace(/[-:]|\.000/g, "")}`,
    ]);
    await client.post(`/api/windows/${id}/end`);
    expect((await shown()).map(([, status]) => status)).toEqual(["completed"]);
    const history = (await app.anybody.get("/api/status/history")).body.history.maintenance;
    expect(history.map(({ title }) => title)).toEqual(["Upgrade"]);
    // Ended too early, and set to go on.
    await app.clock.advance(5 * MINUTE);
    await change(id, once(10 * MINUTE, 2 * HOUR));
    expect(await shown()).toEqual([["Upgrade", "in_progress", 10, 120]]);
    expect((await read()).map((one) => one.id)).toEqual([key]);
  });

  it("before it begins keeps its id, and one that recurs keeps those of all its occurrences", async () => {
    const { app, shop, once, create, change, read } = await setUp();
    const id = await create(once(10 * MINUTE, HOUR));
    const weekly = { title: "Weekly", monitors: [shop] };
    const schedule = { kind: "weekly" as const, days: [4], at: "13:00", minutes: 60, zone: "UTC" };
    const other = await create({ ...weekly, schedule });
    const keys = async () => (await read()).map((one) => one.id);
    const before = await keys();
    expect(new Set(before).size).toBe(before.length);
    await change(id, { ...once(10 * MINUTE, 2 * HOUR), title: "Other" });
    await app.clock.advance(50 * MINUTE);
    await change(other, { ...weekly, title: "Weekly restart", schedule: { ...schedule, minutes: 90 } });
    expect(await keys()).toEqual(before);
  });

  it("to another time after it was over, or while it runs, is a second one", async () => {
    const { app, once, create, change, read, shown } = await setUp();
    const id = await create(once(10 * MINUTE, HOUR));
    await app.clock.advance(20 * MINUTE);
    await change(id, once(3 * HOUR, 4 * HOUR));
    expect((await shown()).map(([, status, , until]) => [status, until])).toEqual([
      ["scheduled", 240],
      ["completed", 20],
    ]);
    await app.clock.set(app.clock.now() + DAY);
    await change(id, once(30 * HOUR, 31 * HOUR));
    const found = await read();
    expect(found.map(({ status }) => status)).toEqual(["scheduled", "completed", "completed"]);
    expect(new Set(found.map((one) => one.id)).size).toBe(3);
  });

  it("says when it was entered and changed, the same in each answer", async () => {
    const { app, start, once, create, change, read } = await setUp();
    const id = await create(once(30 * MINUTE, HOUR));
    const times = async () =>
      (await read()).map((one) => [one.created_at, one.updated_at].map((time) => Date.parse(time) - start));
    expect(await times()).toEqual([[0, 0]]);
    expect(await times()).toEqual([[0, 0]]);
    await app.clock.set(start + 10 * MINUTE);
    await change(id, once(30 * MINUTE, 2 * HOUR));
    expect(await times()).toEqual([[0, 10 * MINUTE]]);
    await app.clock.set(start + 40 * MINUTE);
    expect(await times()).toEqual([[0, 30 * MINUTE]]);
    await app.clock.set(start + 50 * MINUTE);
    await change(id, once(30 * MINUTE, 3 * HOUR));
    expect(await times()).toEqual([[0, 50 * MINUTE]]);
    await app.clock.set(start + 4 * HOUR);
    expect(await times()).toEqual([[0, 3 * HOUR]]);
  });
});
