import { expect, it } from "bun:test";
import { isoTime } from "../../../lib/time";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent } from "../../../testing/fixtures/agents";
import { addMonitor, record } from "../../../testing/fixtures/monitors";
import { publish, readStatusData } from "../../../testing/fixtures/status-page";

const setUp = async () => {
  const app = await createTestApp();
  const { alice } = await app.people();
  const add = (name: string) => addMonitor(app, alice, { url: "https://shop.example/", name });
  const shop = await add("shop");
  const plan = (title: string, from: number, minutes: number, targets: object = { monitors: [shop] }) => {
    const schedule = { kind: "once", from: isoTime(from), to: isoTime(from + minutes * MINUTE) };
    return app.as(alice).post("/api/windows", { title, schedule, ...targets });
  };
  return { app, alice, add, shop, plan };
};

it("a service in maintenance is shown so with its end, whatever its checks say, and so is the page unless something else is wrong", async () => {
  const { app, alice, add, shop, plan } = await setUp();
  const blog = await add("blog");
  const { id: agent } = await enrollAgent(app, alice);
  await publish(app, alice, { monitors: [shop, blog], agents: [agent] });
  const start = app.clock.now();
  await record(app, shop, [{ at: start, up: false }]);
  await record(app, blog, [{ at: start }]);
  const look = async () => {
    app.clock.set(app.clock.now() + 10_000);
    const { overall, monitors, agents } = await readStatusData(app);
    return [overall, monitors.map(({ maintenance }) => maintenance?.until ?? null), agents[0]?.maintenance];
  };
  const badge = async () => (await app.anybody.get(`/badge/${shop}.svg`)).text;
  expect(await look()).toEqual(["partial", [null, null], null]);
  expect(await badge()).toInclude(": down");
  await plan("Upgrade", app.clock.now(), 60, { monitors: [shop], agents: [agent] });
  const until = isoTime(app.clock.now() + HOUR);
  expect(await look()).toEqual(["maintenance", [until, null], { until }]);
  expect(await badge()).toInclude(": maintenance");
  await record(app, blog, [{ at: app.clock.now(), up: false }]);
  expect((await look())[0]).toBe("partial");
});

it("maintenance is listed that runs or begins in the next seven days, of what is on the page alone", async () => {
  const { app, alice, add, shop, plan } = await setUp();
  const [blog, hidden] = [await add("blog"), await add("hidden")];
  await publish(app, alice, { monitors: [shop, blog] });
  await plan("Running", START - MINUTE, 60, { all: true });
  await plan("Soon", START + DAY, 30, { monitors: [blog, hidden] });
  await plan("Secret plan", START + DAY, 30, { monitors: [hidden] });
  await plan("Far", START + 8 * DAY, 30);
  const read = async () => {
    const { maintenance } = await readStatusData(app);
    return maintenance.map(({ title, from, monitors }) => [title, from, monitors]);
  };
  expect(await read()).toEqual([
    ["Running", isoTime(START), [shop, blog]],
    ["Soon", isoTime(START + DAY), [blog]],
  ]);
  for (let day = 1; day < 14; day++) await plan(`Day ${day}`, START + day * 11 * HOUR, 10);
  app.clock.set(START + 10_000);
  expect(await read()).toHaveLength(11);
  expect(JSON.stringify(await readStatusData(app))).not.toInclude("Secret plan");
});

it("a day says how much of it was maintenance, and how many failed checks were in it", async () => {
  const { app, alice, shop, plan } = await setUp();
  await publish(app, alice, { monitors: [shop] });
  await plan("Upgrade", START + 10 * MINUTE, 60);
  const at = (minute: number, up: boolean) => ({ at: START + minute * MINUTE, up });
  for (const [minute, up] of [
    [0, true],
    [10, false],
    [20, false],
    [40, false],
    [60, true],
    [80, true],
  ] as const) {
    app.clock.set(START + minute * MINUTE);
    await record(app, shop, [at(minute, up)]);
  }
  app.clock.set(START + 100 * MINUTE);
  const today = async () => (await readStatusData(app)).monitors[0]?.days.at(-1);
  expect(await today()).toMatchObject({ up: 3, down: 3, maintenance_seconds: 3600, held: 3 });
  // An outage of the same length outside of it.
  await record(app, shop, [at(90, false)]);
  app.clock.set(START + 140 * MINUTE);
  await record(app, shop, [at(140, true)]);
  expect(await today()).toMatchObject({ down: 4, maintenance_seconds: 3600, held: 2 });
});
