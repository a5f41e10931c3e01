import { describe, expect, it } from "bun:test";
import { madeBy } from "../../../../db/owner";
import { deliveries, events, hubGaps } from "../../../../db/schema";
import { isoTime } from "../../../../lib/time";
import { DAY, HOUR, MINUTE } from "../../../../shared/limits";
import { createTestApp } from "../../../../testing/app";
import { START } from "../../../../testing/clock";
import { enrollAgent } from "../../../../testing/fixtures/agents";
import { addMonitor } from "../../../../testing/fixtures/monitors";
import { addOutage } from "../../../../testing/fixtures/outages";
import { createRandom, seedOr } from "../../../../testing/random";

const at = (offset: number) => isoTime(START + offset);

/** Outages of bob's shop and server and of charlie's monitor: one of four hours at the end of the day before START, and later ones. */
const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  const [reader, admin] = [app.as(bob), app.as(alice)];
  const shop = await addMonitor(app, bob, {
    url: "https://shop.example/",
    name: "shop",
    tags: [{ name: "prod", value: "" }],
  });
  const theirs = await addMonitor(app, charlie, { url: "https://their.example/", name: "theirs" });
  const { id: server } = await enrollAgent(app, bob, { hostname: "web-1" });
  const ofShop = { targetId: shop, errorCode: "timeout", errorDetail: { seconds: 10 } } as const;
  const first = await addOutage(app, bob, { ...ofShop, startedAt: START - 2 * HOUR, endedAt: START + 2 * HOUR });
  const acknowledged = { acknowledgedAt: START + 5 * HOUR, acknowledgedBy: "bob" };
  const second = await addOutage(app, bob, {
    ...ofShop,
    ...acknowledged,
    startedAt: START + 4 * HOUR,
    endedAt: START + 6 * HOUR,
  });
  const offline = { targetType: "agent", targetId: server, kind: "offline" } as const;
  const third = await addOutage(app, bob, { ...offline, startedAt: START + 3 * HOUR });
  const foreign = await addOutage(app, charlie, { targetId: theirs, startedAt: START, endedAt: START + HOUR });
  app.clock.set(START + DAY);
  const ids = async (query: string, as = reader) =>
    (await as.get(`/api/outages?${query}`)).body.outages.map(({ id }) => id);
  const summarize = async (query: string, as = reader) => (await as.get(`/api/outages/summary?${query}`)).body.summary;
  return { app, bob, charlie, reader, admin, ids, summarize, shop, server, first, second, third, foreign };
};

describe("the filter of outages", () => {
  it("selects those that were open at some time of a range", async () => {
    const { ids, first, second, third } = await setUp();
    expect(await ids("")).toEqual([second, third, first]);
    expect(await ids(`to=${at(0)}`)).toEqual([first]);
    expect(await ids(`from=${at(2 * HOUR)}`)).toEqual([second, third]);
    expect(await ids(`from=${at(2 * HOUR - 1)}&to=${at(3 * HOUR)}`)).toEqual([first]);
    expect(await ids(`from=${at(6 * HOUR)}`)).toEqual([third]);
    expect(await ids(`from=${at(30 * DAY)}&to=${at(31 * DAY)}`)).toEqual([third]);
  });

  it("selects by tag, kind and acknowledgement", async () => {
    const { ids, admin, first, second, third, foreign } = await setUp();
    expect(await ids("tag=PROD")).toEqual([second, first]);
    expect(await ids("tag=other")).toEqual([]);
    expect(await ids("tag=prod", admin)).toEqual([second, first]);
    expect(await ids("kind=offline")).toEqual([third]);
    expect(await ids("kind=down,offline")).toEqual([second, third, first]);
    expect(await ids("acknowledged=1")).toEqual([second]);
    expect(await ids("acknowledged=0")).toEqual([third, first]);
    expect(await ids("acknowledged=0&kind=down", admin)).toEqual([foreign, first]);
  });

  it("selects those that a channel of the viewer was notified of, and names the channels", async () => {
    const { app, bob, reader, ids, first, second } = await setUp();
    const event = { ...madeBy(bob), targetType: "monitor", targetId: 1, targetName: "shop", at: START } as const;
    const [row] = await app.db
      .insert(events)
      .values({ ...event, kind: "down", outageId: first })
      .returning();
    const delivery = {
      eventId: row?.id ?? 0,
      channelType: "webhook",
      attempts: 1,
      createdAt: START,
      dueAt: START,
    } as const;
    await app.db.insert(deliveries).values([
      { ...delivery, channelId: 7, channelName: "Ops", state: "sent", endedAt: START },
      { ...delivery, channelId: 8, channelName: "Mail", state: "failed", errorCode: "timeout", endedAt: START },
      { ...delivery, channelId: 9, channelName: "Chat", state: "withheld", errorCode: "muted", endedAt: START },
    ]);
    expect(await ids("channel=7")).toEqual([first]);
    expect(await ids("channel=8")).toEqual([]);
    const { outages } = (await reader.get("/api/outages")).body;
    expect(outages.map(({ id, notified, failed, withheld }) => ({ id, notified, failed, withheld }))).toContainEqual({
      ...{ id: first, notified: ["Ops"] },
      ...{ failed: 1, withheld: "muted" },
    });
    expect(outages.find(({ id }) => id === second)).toMatchObject({ notified: [], failed: 0, withheld: null });
  });

  it("names the owners of other users' targets for administrators", async () => {
    const { admin, reader, foreign } = await setUp();
    const { outages } = (await admin.get("/api/outages?limit=10")).body;
    expect(new Set(outages.map(({ owner }) => owner))).toEqual(new Set(["bob", "charlie"]));
    expect(outages.find(({ id }) => id === foreign)?.owner).toBe("charlie");
    expect((await reader.get("/api/outages")).body.outages.every(({ owner }) => owner === undefined)).toBe(true);
  });

  it("refuses a range that ends before it begins, unknown kinds and malformed times with 422", async () => {
    const { reader } = await setUp();
    const bad = {
      from: [`from=${at(1)}&to=${at(0)}`, `from=${at(0)}&to=${at(0)}`, "from=yesterday"],
      kind: ["kind=up", "kind=down,"],
    };
    for (const [path, queries] of Object.entries(bad))
      for (const query of queries)
        for (const call of ["", "/summary", "/export"]) {
          const { status, body } = await reader.get(`/api/outages${call}?${query}`);
          expect([call, query, status, body.errors[0]?.path]).toEqual([call, query, 422, path]);
        }
  });
});

describe("the summary of outages", () => {
  it("has totals of the range, and how long outages lasted on each of its days", async () => {
    const { summarize, first } = await setUp();
    const summary = await summarize(`from=${at(-24 * HOUR)}&to=${at(24 * HOUR)}&kind=down`);
    expect(summary).toMatchObject({ outages: 2, open: 0, seconds: 6 * 3600, mean_time_to_repair: 3 * 3600 });
    expect(summary.longest).toEqual({ id: first, seconds: 4 * 3600 });
    const days = summary.days.map(({ date, outages, seconds }) => [date, outages, seconds / 3600]);
    expect(days).toEqual([
      ["2026-01-14", 0, 0],
      ["2026-01-15", 2, 6],
      ["2026-01-16", 0, 0],
    ]);
    const shifted = await summarize(`from=${at(-24 * HOUR)}&to=${at(24 * HOUR)}&kind=down&zone=Asia/Shanghai`);
    expect(shifted.days.map(({ date, outages, seconds }) => [date, outages, seconds / 3600])).toEqual([
      ["2026-01-14", 0, 0],
      ["2026-01-15", 1, 4],
      ["2026-01-16", 1, 2],
    ]);
  });

  it("counts an outage from the time that its uptime counts it from", async () => {
    const { app, bob, summarize, shop } = await setUp();
    const start = START + 10 * HOUR;
    const times = { startedAt: start, countedFrom: start - 30_000, endedAt: start + MINUTE };
    const id = await addOutage(app, bob, { targetId: shop, ...times });
    const summary = await summarize(`from=${at(10 * HOUR - MINUTE)}&to=${at(11 * HOUR)}&kind=down`);
    expect(summary).toMatchObject({ outages: 1, seconds: 90, longest: { id, seconds: 90 }, mean_time_to_repair: 90 });
  });

  it("counts an open outage until now, and only what lies within the range", async () => {
    const { summarize, third } = await setUp();
    const open = await summarize(`from=${at(4 * HOUR)}&to=${at(40 * HOUR)}&kind=offline`);
    expect(open).toMatchObject({ outages: 1, open: 1, seconds: 20 * 3600, mean_time_to_repair: null });
    expect(open.longest).toEqual({ id: third, seconds: 20 * 3600 });
  });

  it("says which share of the range so far was watched, and nothing of the future", async () => {
    const { app, summarize } = await setUp();
    await app.db.insert(hubGaps).values([
      { startedAt: START - HOUR, endedAt: START + 6 * HOUR, reason: "hub_stopped" },
      { startedAt: START + 23 * HOUR, endedAt: null, reason: "hub_offline" },
    ]);
    expect((await summarize(`from=${at(0)}&to=${at(48 * HOUR)}`)).watched).toBe(70.83);
    expect(await summarize(`from=${at(48 * HOUR)}&to=${at(50 * HOUR)}&kind=down`)).toMatchObject({
      ...{ outages: 0, seconds: 0, longest: null, watched: null },
    });
  });

  it("has days of 23 and 25 hours where the clock changes", async () => {
    const { app, summarize, charlie, admin } = await setUp();
    const [from, to] = [Date.UTC(2025, 9, 24, 22), Date.UTC(2025, 9, 26, 23)];
    await addOutage(app, charlie, { targetId: 2, startedAt: from, endedAt: to });
    const range = `from=${isoTime(from)}&to=${isoTime(to)}&zone=Europe/Berlin`;
    const { days } = await summarize(range, admin);
    expect(days.map(({ date, seconds }) => [date, seconds / 3600])).toEqual([
      ["2025-10-25", 24],
      ["2025-10-26", 25],
    ]);
  });

  it("refuses more than 400 days and unknown time zones with 422", async () => {
    const { reader, summarize } = await setUp();
    expect((await summarize(`from=${at(-400 * DAY)}&to=${at(0)}`)).days.length).toBe(401);
    const bad = [
      ["from", `from=${at(-4000 * DAY)}&to=${at(0)}`],
      ["from", `from=${at(-4000 * DAY)}`],
      ["zone", "zone=Mars/Base"],
    ] as const;
    for (const [path, query] of bad) {
      const { status, body } = await reader.get(`/api/outages/summary?${query}`);
      expect([query, status, body.errors[0]?.path]).toEqual([query, 422, path]);
    }
  });

  it("agrees with a count by the minute for random outages and ranges", async () => {
    const { app, charlie, admin, summarize } = await setUp();
    const { below: random } = createRandom(seedOr(7));
    const spans = Array.from({ length: 40 }, () => {
      const from = START - random(72 * 60) * MINUTE;
      return { from, to: from + random(40 * 60) * MINUTE };
    });
    for (const { from, to } of spans)
      await addOutage(app, charlie, { targetId: 2, kind: "slow", startedAt: from, endedAt: to });
    for (let round = 0; round < 5; round++) {
      const from = START - random(80 * 60) * MINUTE;
      const to = from + (1 + random(80 * 60)) * MINUTE;
      const range = `from=${isoTime(from)}&to=${isoTime(to)}&zone=Asia/Kathmandu&kind=slow`;
      const summary = await summarize(range, admin);
      const minutes = (start: number, end: number) => {
        let sum = 0;
        for (let time = start; time < end; time += MINUTE)
          sum += spans.filter((span) => span.from <= time && span.to > time).length;
        return sum * 60;
      };
      expect(summary.seconds).toBe(minutes(from, to));
      for (const day of summary.days) expect(day.seconds).toBe(minutes(Date.parse(day.from), Date.parse(day.to)));
      expect(summary.days[0]?.from).toBe(isoTime(from));
      expect(summary.days.at(-1)?.to).toBe(isoTime(to));
    }
  });
});

describe("the export of outages", () => {
  it("is a CSV file of what the filter selects", async () => {
    const { app, reader, bob } = await setUp();
    const named = await addMonitor(app, bob, { url: "https://x.example/", name: '=HYPERLINK("x"),1' });
    await addOutage(app, bob, { targetId: named, startedAt: START + 7 * HOUR, endedAt: START + 8 * HOUR });
    const { status, headers, text } = await reader.get("/api/outages/export?kind=down");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(headers.get("content-disposition")).toBe('attachment; filename="outages.csv"');
    const [head, ...rows] = text.replace("\uFEFF", "").trimEnd().split("\r\n");
    expect(head?.split(",").slice(0, 5)).toEqual(["id", "target_type", "target_id", "target_name", "kind"]);
    expect(rows.length).toBe(3);
    expect(rows[0]).toContain(`"'=HYPERLINK(""x""),1"`);
    expect(rows[1]).toContain(",shop,down,");
    expect(rows[1]).toContain(",7200,timeout,");
  });

  it("is a JSON file with the fields of the list", async () => {
    const { reader } = await setUp();
    const { text, headers } = await reader.get("/api/outages/export?format=json&open=1");
    expect(headers.get("content-type")).toBe("application/json");
    expect(JSON.parse(text).outages).toEqual((await reader.get("/api/outages?open=1")).body.outages);
  });
});

describe("the note of an outage", () => {
  it("is written, replaced and deleted by everyone who sees the outage, and says by whom", async () => {
    const { app, bob, reader, admin, first } = await setUp();
    const written = { text: "The disk was full.\nIt is larger now.", by: "bob", at: isoTime(app.clock.now()) };
    const answer = await reader.put(`/api/outages/${first}/note`, { text: ` ${written.text}\u202e ` });
    expect(answer.body.note).toEqual(written);
    expect((await reader.get(`/api/outages/${first}`)).body.outage.note).toEqual(written);
    expect((await admin.put(`/api/outages/${first}/note`, { text: "Done" })).body.note).toMatchObject({ by: "alice" });
    expect((await app.as(bob).put(`/api/outages/${first}/note`, { text: "" })).body.note).toBeNull();
  });

  it("of an outage that the caller does not see is not found, and one that is too long is refused", async () => {
    const { reader, foreign, first } = await setUp();
    expect((await reader.put(`/api/outages/${foreign}/note`, { text: "mine" })).status).toBe(404);
    expect((await reader.put(`/api/outages/${first}/note`, { text: "x".repeat(4001) })).status).toBe(422);
    expect((await reader.get(`/api/outages/${first}`)).body.outage.note).toBeNull();
  });
});
