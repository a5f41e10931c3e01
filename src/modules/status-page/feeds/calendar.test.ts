import { expect, it } from "bun:test";
import ICAL from "ical.js";
import { isoTime } from "../../../lib/time";
import { DAY, HOUR, MINUTE } from "../../../shared/limits";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { addMonitor } from "../../../testing/fixtures/monitors";
import { publish } from "../../../testing/fixtures/status-page";

const HOSTILE =
  "Upgrade; of, \\n everything\r\nBEGIN:VEVENT\u0007 数据库升级 😀 and more words so that the line is long";

const setUp = async (env: Record<string, string> = { PUBLIC_URL: "https://watch.example" }) => {
  const app = await createTestApp({ env });
  const { alice } = await app.people();
  const shop = await addMonitor(app, alice, { url: "https://shop.example/", name: "Shop" });
  const hidden = await addMonitor(app, alice, { url: "https://shop.example/", name: "Hidden" });
  const plan = (title: string, schedule: object, targets: object = { monitors: [shop] }) =>
    app.as(alice).post("/api/windows", { title, schedule, ...targets });
  const get = async (query = "?lang=en-US") => {
    app.clock.set(app.clock.now() + MINUTE);
    return app.anybody.get(`/api/status/maintenance.ics${query}`);
  };
  /** The events as Thunderbird's parser reads them. */
  const events = async (query?: string) => {
    const { text } = await get(query);
    for (const line of text.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const calendar = new ICAL.Component(ICAL.parse(text));
    return calendar.getAllSubcomponents("vevent").map((event) => {
      const { uid, summary, description, startDate, endDate } = new ICAL.Event(event);
      return { uid, summary, description, from: startDate.toJSDate().getTime(), to: endDate.toJSDate().getTime() };
    });
  };
  return { app, alice, shop, hidden, plan, get, events };
};

it("the calendar has the maintenance of what is on the page, and a calendar program reads it", async () => {
  const { app, alice, shop, hidden, plan, get, events } = await setUp();
  await publish(app, alice, { title: "Acme", monitors: [shop] });
  await plan(HOSTILE, { kind: "once", from: isoTime(START + DAY), to: isoTime(START + DAY + HOUR) });
  await plan(
    "Secret",
    { kind: "once", from: isoTime(START + DAY), to: isoTime(START + 2 * DAY) },
    { monitors: [hidden] },
  );
  await app.as(alice).post("/api/windows/start", { minutes: 60, all: true });
  const found = await events();
  expect(found).toEqual([
    {
      uid: expect.stringMatching(/^maintenance-\d+-20260115T122000Z@watch\.example$/),
      ...{ summary: "Maintenance", description: "Affects: Shop" },
      ...{ from: START, to: START + HOUR },
    },
    {
      uid: expect.stringMatching(/^maintenance-\d+-20260116T122000Z@watch\.example$/),
      summary: HOSTILE.replace("\r\n", "\n").replace("\u0007", ""),
      description: "Affects: Shop",
      ...{ from: START + DAY, to: START + DAY + HOUR },
    },
  ]);
  expect((await events()).map(({ uid }) => uid)).toEqual(found.map(({ uid }) => uid));
  const chinese = await get("?lang=zh-CN");
  expect(chinese.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
  expect(chinese.text).toContain("X-WR-CALNAME:Acme 维护计划\r\n");
  expect(chinese.text).not.toContain("Secret");
});

it("the calendar has the maintenance of components, also by a tag that nothing has yet", async () => {
  const { app, alice, shop, plan, events } = await setUp();
  const components = [
    { name: "Checkout", monitors: [shop] },
    { name: "Phone", fixed_status: "operational", tag: "phone" },
  ];
  await app.as(alice).post("/api/pages", { slug: "shop", title: "Shop", components });
  const schedule = { kind: "once", from: isoTime(START + DAY), to: isoTime(START + DAY + HOUR) };
  await plan("Upgrade", schedule);
  await plan("New phones", schedule, { tags: ["phone"] });
  await plan("Elsewhere", schedule, { tags: ["mail"] });
  const found = await events("?page=shop&lang=en-US");
  expect(found.map(({ summary, description }) => [summary, description])).toEqual([
    ["Upgrade", "Affects: Checkout"],
    ["New phones", "Affects: Phone"],
  ]);
});

it("weekly maintenance begins at its local time before and after a clock change, and at most 20 times", async () => {
  const { app, alice, shop, plan, events } = await setUp();
  await publish(app, alice, { monitors: [shop] });
  await plan("Weekly", { kind: "weekly", days: [7], at: "03:30", minutes: 30, zone: "Europe/Berlin" });
  const found = await events();
  expect(found).toHaveLength(20);
  expect(found.map(({ from }) => isoTime(from).slice(0, 16)).filter((time) => /-03-(22|29)/.test(time))).toEqual([
    "2026-03-22T02:30",
    "2026-03-29T01:30",
  ]);
});

it("there is no calendar of a page that is not saved, or does not exist", async () => {
  const { app, alice, shop, get, events } = await setUp({});
  expect([(await get()).status, (await get("?page=none")).status]).toEqual([404, 404]);
  await publish(app, alice, { monitors: [shop] });
  expect(await events("?page=alice")).toEqual([]);
});
