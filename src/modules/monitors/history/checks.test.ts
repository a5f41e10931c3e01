import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { checkBlocks } from "../../../db/schema";
import { checkError } from "../../../shared/check-error";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { addMonitor, countHistory, record } from "../../../testing/fixtures/monitors";
import { PASSWORD } from "../../../testing/fixtures/people";
import { deleteExpiredHistory } from "./checks";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

const setUp = async (env: Record<string, string> = {}) => {
  const app = await createTestApp({ env });
  const { bob } = await app.people();
  const id = await addMonitor(app, bob, { url: "https://shop.example/" });
  const other = await addMonitor(app, bob, { url: "https://blog.example/" });
  const page = async (query = "") => (await app.as(bob).get(`/api/monitors/${id}/checks${query}`)).body;
  /** All pages, one after the other. */
  const walk = async (query: string) => {
    const found: number[] = [];
    let [before, pages] = ["", 0];
    for (;;) {
      const { checks, next } = await page(`?${query}${before}`);
      found.push(...checks.map(({ id }) => id));
      pages++;
      if (next === null) return { found, pages };
      before = `&before=${next}`;
    }
  };
  return { app, bob, id, other, page, walk };
};

describe("the checks of a monitor", () => {
  it("are listed with all fields, newest first", async () => {
    const { app, id, page } = await setUp();
    await record(app, id, [
      { at: START - 2 * MINUTE, time: 12.5 },
      { at: START - MINUTE, up: false, time: null, statusCode: null, error: checkError("timeout", { seconds: 2 }) },
    ]);
    expect(await page()).toEqual({
      success: true,
      next: null,
      checks: [
        {
          id: START - MINUTE,
          checked_at: new Date(START - MINUTE).toISOString(),
          status: "down",
          slow: false,
          response_time: null,
          packet_loss: null,
          status_code: null,
          error: "timeout: no complete answer within 2 s",
          error_code: "timeout",
          error_detail: { seconds: 2 },
        },
        {
          id: START - 2 * MINUTE,
          checked_at: new Date(START - 2 * MINUTE).toISOString(),
          status: "up",
          slow: false,
          response_time: 12.5,
          packet_loss: null,
          status_code: 200,
          error: null,
          error_code: null,
          error_detail: null,
        },
      ],
    } as unknown as Awaited<ReturnType<typeof page>>);
  });

  it("are paged over many hours and gaps, each exactly once", async () => {
    const { app, id, other, walk } = await setUp();
    // Every half hour for two days, then none for ten days, then a few up to the end of the retention.
    const times = Array.from({ length: 96 }, (_, index) => START - index * 30 * MINUTE);
    times.push(...[12, 12.5, 20, 29.9].map((days) => START - days * DAY));
    await record(app, id, times.map((at) => ({ at })).reverse());
    await record(app, other, [{ at: START - 3 * DAY }]);
    for (const limit of [7, 50, 100, 500]) expect((await walk(`limit=${limit}`)).found).toEqual(times);
    expect((await walk("limit=40")).pages).toBe(3);
  });

  it("are filtered by status, also when it is rare", async () => {
    const { app, id, walk, page } = await setUp();
    const times = Array.from({ length: 200 }, (_, index) => START - index * 3 * HOUR);
    const bad = [times[60]!, times[61]!, times[199]!];
    await record(app, id, times.map((at) => ({ at, up: !bad.includes(at) })).reverse());
    expect((await walk("status=down&limit=2")).found).toEqual(bad);
    expect((await page("?status=up&limit=500")).checks).toHaveLength(197);
    expect((await page(`?status=down&before=${bad[0]}`)).checks.map(({ id }) => id)).toEqual(bad.slice(1));
  });

  it("are limited to 50 in the detail of a monitor", async () => {
    const { app, bob, id } = await setUp();
    await record(
      app,
      id,
      Array.from({ length: 60 }, (_, index) => ({ at: START - (60 - index) * MINUTE })),
    );
    const { checks } = (await app.as(bob).get(`/api/monitors/${id}`)).body.monitor;
    expect([checks.length, checks[0]?.id]).toEqual([50, START - MINUTE]);
  });

  it("are found over a retention of years", async () => {
    const { app, id, page } = await setUp({ RETENTION_CHECK_DAYS: "3650" });
    await record(app, id, [{ at: START - 3649 * DAY, up: false }]);
    expect((await page("?status=down")).checks).toHaveLength(1);
  });

  it("skip a damaged block, which is logged once", async () => {
    const { app, id, page } = await setUp();
    await record(app, id, [{ at: START - 5 * HOUR }, { at: START - 3 * HOUR }, { at: START - MINUTE }]);
    const hour = Math.floor((START - 3 * HOUR) / HOUR);
    await app.db
      .update(checkBlocks)
      .set({ data: new Uint8Array([1, 2, 3]) })
      .where(eq(checkBlocks.hour, hour));
    for (let read = 0; read < 2; read++) {
      expect((await page()).checks.map((check) => check.id)).toEqual([START - MINUTE, START - 5 * HOUR]);
    }
    const damaged = app.logged.filter((line) => line.includes("stored checks are damaged"));
    expect(damaged.map((line) => JSON.parse(line))).toMatchObject([{ level: "error", monitor: id, hour }]);
  });

  it("are an empty list before the first one", async () => {
    const { page } = await setUp();
    for (const before of [1, 2 ** 53 - 1]) expect((await page(`?before=${before}`)).checks).toEqual([]);
  });
});

describe("retention", () => {
  it("purges checks and hourly sums after a year, and daily sums never", async () => {
    const { app, id } = await setUp();
    await record(app, id, [
      { at: START - 400 * DAY },
      { at: START - 366 * DAY },
      { at: START - 364 * DAY },
      { at: START },
    ]);
    expect(await countHistory(app, id)).toEqual({ checks: 4, hours: 4, days: 4 });
    expect(await deleteExpiredHistory(app.deps)).toBe(false);
    expect(await countHistory(app, id)).toEqual({ checks: 2, hours: 2, days: 4 });
  });

  it("follows the settings", async () => {
    const { app, id } = await setUp({ RETENTION_CHECK_DAYS: "2", RETENTION_HOUR_DAYS: "7" });
    await record(app, id, [{ at: START - 8 * DAY }, { at: START - 3 * DAY }, { at: START - DAY }]);
    await deleteExpiredHistory(app.deps);
    expect(await countHistory(app, id)).toEqual({ checks: 1, hours: 2, days: 3 });
  });
});

it("deleting a monitor deletes its history, and no other monitor's", async () => {
  const { app, bob, id, other } = await setUp();
  const times = [START, START + HOUR, START + 40 * DAY, START + 400 * DAY];
  for (const monitor of [id, other])
    await record(
      app,
      monitor,
      times.map((at) => ({ at })),
    );
  app.clock.set(START + 401 * DAY);
  // The first session has expired.
  const { token } = (await app.anybody.post("/api/auth/login", { username: "bob", password: PASSWORD })).body;
  expect((await app.as({ ...bob, token }).delete(`/api/monitors/${id}`)).body.success).toBe(true);
  expect(await countHistory(app, id)).toEqual({ checks: 0, hours: 0, days: 0 });
  expect(await countHistory(app, other)).toEqual({ checks: 4, hours: 4, days: 3 });
  expect((await app.as({ ...bob, token }).get(`/api/monitors/${id}`)).status).toBe(404);
});
