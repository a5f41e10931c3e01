import { expect, it } from "bun:test";
import { DAY } from "../../../../shared/limits";
import { createTestApp } from "../../../../testing/app";
import { START } from "../../../../testing/clock";
import { createKuma, HTTP, importer, importFile, uploadOf } from "../../../../testing/fixtures/imports/kuma";

const MONITORS = [
  { ...HTTP, id: 11, name: "Production", type: "group" },
  { ...HTTP, id: 12, name: "Shop", parent: 11, url: "https://shop.example/" },
  { ...HTTP, id: 13, name: "Game", type: "gamedig" },
];
const TIMES = { start_time: "23:30", end_time: "01:00", timezone: "Europe/Berlin" };
const MAINTENANCE: Record<string, string | number>[] = [
  { id: 1, title: "Weekdays", strategy: "recurring-weekday", weekdays: "[0,1,5]", ...TIMES },
  { id: 2, title: "Monthly", strategy: "recurring-day-of-month", days_of_month: '[15,"lastDay1"]', ...TIMES },
  {
    ...{ id: 3, title: "Fortnight", strategy: "recurring-interval", interval_day: 14, ...TIMES },
    ...{ start_date: "2025-12-07 00:00:00", start_time: "02:00:00", end_time: "03:00:00" },
  },
  { id: 4, title: "Third day", strategy: "recurring-interval", interval_day: 3, ...TIMES },
  { id: 5, title: "Nightly", strategy: "cron", cron: "30 3 * * *", duration: 5400, timezone: "SAME_AS_SERVER" },
  { id: 6, title: "Never", strategy: "cron", cron: "0 3 31 2 *", duration: 3600, timezone: "UTC" },
  {
    ...{ id: 7, title: "Move", strategy: "single", timezone: "Asia/Shanghai" },
    ...{ start_date: "2026-02-01 02:00:00", end_date: "2026-02-01 04:30:00" },
  },
  {
    ...{ id: 8, title: "Moved", strategy: "single", timezone: "UTC" },
    ...{ start_date: "2025-02-01 02:00:00", end_date: "2025-02-01 04:30:00" },
  },
  { id: 9, title: "By hand", strategy: "manual" },
  { id: 10, title: "Off", strategy: "manual", active: 0 },
  { id: 11, title: "Of a game", strategy: "cron", cron: "0 3 * * *", duration: 3600, timezone: "UTC" },
];
/** The cron expression is about a group, which becomes a tag, and the last one about a monitor that is not taken. */
const LINKED = MAINTENANCE.map(({ id = 0 }) => ({
  maintenance_id: id,
  monitor_id: id === 11 ? 13 : id === 5 ? 11 : 12,
}));
const CONTENT = { monitor: MONITORS, maintenance: MAINTENANCE, monitor_maintenance: LINKED };

const withZone = (zone: string) => ({ ...CONTENT, setting: [{ key: "serverTimezone", value: `"${zone}"` }] });

const start = async () => {
  const app = await createTestApp();
  const { alice } = await app.people();
  const rowsOf = ({ items }: { items: { part: string; name: string; outcome: string; notes: { code: string }[] }[] }) =>
    items
      .filter(({ part }) => part === "windows")
      .map(({ name, outcome, notes }) => [name, outcome, ...notes.map(({ code }) => code)]);
  const windows = async () => (await app.as(alice).get("/api/windows")).body.windows;
  return { app, alice, rowsOf, windows };
};

const EXPECTED = [
  ["Weekdays", "take"],
  ["Monthly", "take"],
  ["Monthly", "take"],
  ["Fortnight", "take"],
  ["Third day", "skip", "schedule_unsupported"],
  ["Nightly", "take"],
  ["Never", "skip", "invalid"],
  ["Move", "take"],
  ["Moved", "skip", "window_over"],
  ["By hand", "change", "window_open"],
  ["Off", "skip", "window_inactive"],
  ["Of a game", "skip", "parent_left_out"],
];

for (const version of [1, 2] as const)
  it(`maintenance of Uptime Kuma ${version} becomes windows of the monitors, and a second run adds none`, async () => {
    const { app, alice, rowsOf, windows } = await start();
    const file = createKuma(version, withZone("Europe/Paris"));
    const preview = await importer(app.send, alice.token).preview(uploadOf(file));
    expect(rowsOf(preview.body)).toEqual(EXPECTED);
    expect(await windows()).toEqual([]);

    expect(rowsOf((await importFile(app, alice, file)).body)).toEqual(EXPECTED);
    const [shop] = (await app.as(alice).get("/api/monitors")).body.monitors;
    const monitors = [shop?.id];
    const weekly = { at: "23:30", minutes: 90, zone: "Europe/Berlin" };
    expect((await windows()).toSorted((one, other) => one.id - other.id)).toMatchObject([
      { title: "Weekdays", monitors, schedule: { kind: "weekly", days: [1, 5, 7], weeks: 1, ...weekly } },
      { title: "Monthly", monitors, schedule: { kind: "monthly", day: 15, ...weekly } },
      { title: "Monthly", monitors, schedule: { kind: "monthly", day: "last", ...weekly } },
      { monitors, schedule: { kind: "weekly", days: [7], weeks: 2, anchor: "2025-12-07", at: "02:00", minutes: 60 } },
      {
        ...{ title: "Nightly", monitors: [], tags: ["group:Production"] },
        schedule: { kind: "cron", cron: "30 3 * * *", minutes: 90, zone: "Europe/Paris" },
      },
      { title: "Move", schedule: { from: "2026-01-31T18:00:00.000Z", to: "2026-01-31T20:30:00.000Z" } },
      { title: "By hand", current: { from: expect.any(String) }, schedule: { kind: "open" } },
    ]);

    const again = await importFile(app, alice, file);
    expect(rowsOf(again.body).filter(([, outcome]) => outcome === "take" || outcome === "change")).toEqual([]);
    expect(await windows()).toHaveLength(7);
  });

it("a window that was deleted here is imported again, and a file without a time zone says that UTC is used", async () => {
  const { app, alice, rowsOf, windows } = await start();
  const file = createKuma(2, { ...CONTENT, maintenance: MAINTENANCE.filter(({ id }) => id === 5 || id === 9) });
  expect(rowsOf((await importFile(app, alice, file)).body)).toEqual([
    ["Nightly", "change", "zone_unknown"],
    ["By hand", "change", "window_open"],
  ]);
  const running = (await windows()).find(({ title }) => title === "By hand");
  await app.as(alice).delete(`/api/windows/${running?.id}`);
  await importFile(app, alice, file);
  expect((await windows()).map(({ title }) => title).toSorted()).toEqual(["By hand", "Nightly"]);
});

it("a window of a monitor that is left out is left out, too", async () => {
  const { app, alice, rowsOf, windows } = await start();
  const file = createKuma(2, { ...CONTENT, maintenance: MAINTENANCE.slice(0, 1) });
  const { body } = await importFile(app, alice, file, { skip: ["monitor:12"] });
  expect(rowsOf(body)).toEqual([["Weekdays", "skip", "parent_left_out"]]);
  expect(await windows()).toEqual([]);
});

it("recurring maintenance whose last day is over is left out, and one to come says that its last day is", async () => {
  const { app, alice, rowsOf } = await start();
  const days = [START - DAY, START + DAY].map((time) => new Date(time).toISOString().slice(0, 19).replace("T", " "));
  const maintenance = days.map((end_date, id) => ({
    ...{ id: id + 1, title: `until ${id}`, strategy: "recurring-weekday", weekdays: "[3]", end_date, ...TIMES },
  }));
  const { body } = await importFile(app, alice, createKuma(2, { ...CONTENT, maintenance }));
  expect(rowsOf(body)).toEqual([
    ["until 0", "skip", "window_over"],
    ["until 1", "change", "field_left_out"],
  ]);
});
