import { describe, expect, it } from "bun:test";
import { madeBy, viewerOf } from "../../../db/owner";
import { hubGaps } from "../../../db/schema";
import { checkError } from "../../../shared/check-error";
import { createTestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { addMonitor, record, recordOnly, rollUp } from "../../../testing/fixtures/monitors";
import { fc } from "../../../testing/property";
import { repetitions } from "../../../testing/repetitions";
import { setActive } from "../change";
import { findMonitor } from "../service";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

const pick = ({ last_at, ended_at }: { last_at: string; ended_at: string | null }) => ({ last_at, ended_at });

const setUp = async () => {
  const app = await createTestApp();
  const { alice, bob, charlie } = await app.people();
  const add = (owner = bob) => addMonitor(app, owner, { url: "https://shop.example/" });
  const page = async (id: number, query = "") => (await app.as(alice).get(`/api/monitors/${id}/runs?${query}`)).body;
  /** The runs of all pages, with those that continue on the next page as one. */
  const walk = async (id: number, query: string) => {
    const all: Awaited<ReturnType<typeof page>>["runs"] = [];
    for (let [before, next] = ["", 0 as number | null]; next !== null; before = `&before=${next}`) {
      const answer = await page(id, `${query}${before}`);
      for (const run of answer.runs) {
        const last = all.at(-1);
        if (last?.continues) all[all.length - 1] = { ...run, ...pick(last), checks: last.checks + run.checks };
        else all.push(run);
      }
      next = answer.next;
    }
    return all;
  };
  return { app, alice, bob, charlie, add, page, walk };
};

const refused = checkError("refused");
const down = (at: number) => ({ at, up: false, time: null, statusCode: null, error: refused });
const iso = (time: number) => new Date(time).toISOString();

describe("the runs of a monitor", () => {
  it("before a time beyond all checks are those of the first page", async () => {
    const { app, add, page } = await setUp();
    const id = await add();
    await record(app, id, [down(START - MINUTE)]);
    expect(await page(id, `before=${Number.MAX_SAFE_INTEGER}`)).toEqual(await page(id));
  });

  it("are checks in a row with the same result, newest first", async () => {
    const { app, add, page } = await setUp();
    const id = await add();
    const status = checkError("status", { actual: 503, expected: "200" });
    await record(app, id, [
      { at: START - 6 * MINUTE, time: 10 },
      { at: START - 5 * MINUTE, time: 20, statusCode: 204 },
      down(START - 4 * MINUTE),
      { at: START - 3 * MINUTE, up: false, time: 5, statusCode: 503, error: status },
      { at: START - 2 * MINUTE, up: false, time: 7, statusCode: 503, error: status },
      { at: START - MINUTE, time: 30 },
    ]);
    const none = { error_code: null, error_detail: null, continues: false };
    expect(await page(id)).toMatchObject({
      next: null,
      runs: [
        { id: START - MINUTE, status: "up", ended_at: null, checks: 1, response_time: 30, ...none },
        {
          id: START - 3 * MINUTE,
          status: "down",
          started_at: iso(START - 3 * MINUTE),
          last_at: iso(START - 2 * MINUTE),
          ended_at: iso(START - MINUTE),
          checks: 2,
          response_time: 6,
          status_code: 503,
          error_code: "status",
          error_detail: { actual: 503, expected: "200" },
        },
        { checks: 1, status_code: null, error_code: "refused", response_time: null },
        { id: START - 6 * MINUTE, status: "up", checks: 2, response_time: 15, status_code: 204, ...none },
      ],
    });
    expect((await page(id, "status=down")).runs.map(({ checks }) => checks)).toEqual([2, 1]);
    expect((await page(id, "status=up")).runs.map(({ checks }) => checks)).toEqual([1, 2]);
  });

  it("of a monitor that is up for months are one, without reading its checks", async () => {
    const { app, add, page } = await setUp();
    const id = await add();
    const times = Array.from({ length: 500 }, (_, index) => START - (499 - index) * 4 * HOUR);
    await record(
      app,
      id,
      times.map((at) => ({ at, time: 10 })),
    );
    const { runs } = await page(id);
    expect(runs).toMatchObject([{ id: times[0], last_at: iso(START), checks: 500, response_time: 10 }]);
  });

  it("end with a gap of the hub of two minutes or more, and the page has these gaps", async () => {
    const { app, add, page } = await setUp();
    const id = await add();
    const gap = { startedAt: START - 7 * MINUTE, endedAt: START - 5 * MINUTE, reason: "hub_offline" as const };
    const short = { ...gap, startedAt: START - 4 * MINUTE, endedAt: START - 3 * MINUTE };
    const old = { ...gap, startedAt: START - 30 * MINUTE, endedAt: START - 20 * MINUTE };
    await app.db.insert(hubGaps).values([old, gap, short]);
    await record(
      app,
      id,
      [10, 9, 8, 4, 2, 1].map((before) => ({ at: START - before * MINUTE })),
    );
    const { runs, gaps } = await page(id);
    expect(runs.map(pick)).toEqual([
      { last_at: iso(START - MINUTE), ended_at: null },
      { last_at: iso(START - 8 * MINUTE), ended_at: iso(START - 7 * MINUTE) },
    ]);
    expect(gaps).toEqual([{ from: iso(START - 7 * MINUTE), to: iso(START - 5 * MINUTE), reason: "hub_offline" }]);
    expect((await page(id, "status=up")).gaps).toEqual([]);
  });

  it("end with a pause, and are none before the first check", async () => {
    const { app, bob, add, page } = await setUp();
    const id = await add();
    expect(await page(id)).toMatchObject({ runs: [], next: null });
    const set = async (at: number, active: boolean) => {
      app.clock.set(at);
      await setActive(app.deps, await findMonitor(app.deps, viewerOf(madeBy(bob)), id), active);
    };
    await recordOnly(app, id, [{ at: START }, { at: START + MINUTE }]);
    await set(START + 90_000, false);
    await set(START + 5 * HOUR, true);
    await recordOnly(app, id, [{ at: START + 5 * HOUR }]);
    await set(START + 6 * HOUR, false);
    await rollUp(app);
    expect((await page(id)).runs).toMatchObject([
      { checks: 1, ended_at: iso(START + 6 * HOUR) },
      { checks: 2, ended_at: iso(START + 90_000) },
    ]);
  });

  it("have checks whose time lies before that of checks stored earlier", async () => {
    const { app, add, page } = await setUp();
    const id = await add();
    await recordOnly(app, id, [{ at: START }]);
    await recordOnly(app, id, [down(START - 2 * DAY), { at: START - DAY }]);
    expect((await page(id)).runs).toMatchObject([
      { status: "up", checks: 2, started_at: iso(START - DAY), ended_at: null },
      { status: "down", checks: 1, ended_at: iso(START - DAY) },
    ]);
  });

  it("continue on the next page where one call would read too much", async () => {
    const { app, add, page, walk } = await setUp();
    const id = await add();
    const times = Array.from({ length: 1100 }, (_, index) => START - (1099 - index) * 6 * HOUR).filter(
      (at) => at > START - 300 * DAY,
    );
    await record(app, id, times.map(down));
    const first = await page(id);
    expect(first.runs).toMatchObject([{ status: "down", continues: true, ended_at: null }]);
    const all = await walk(id, "limit=5");
    expect(all.at(-1)?.continues).toBe(false);
    expect(all.reduce((sum, { checks }) => sum + checks, 0)).toBe(times.length);
    expect([all[0]?.last_at, all.at(-1)?.started_at]).toEqual([iso(START), iso(times[0] ?? 0)]);
  });

  it("are refused for another user's monitor and for a bad page", async () => {
    const { app, add, bob, charlie } = await setUp();
    const id = await add();
    expect((await app.as(charlie).get(`/api/monitors/${id}/runs`)).status).toBe(404);
    for (const query of ["limit=0", "limit=101", "before=0", "before=x", "status=paused"])
      expect([query, (await app.as(bob).get(`/api/monitors/${id}/runs?${query}`)).status]).toEqual([query, 422]);
    expect((await app.as(bob).get("/api/monitors/999/runs")).status).toBe(404);
  });
});

type Played = { at: number; up: boolean; code: number };

/** The runs of checks, folded one by one. */
const foldAll = (checks: Played[]) => {
  const runs: {
    id: number;
    last: number;
    ended: number | null;
    status: "up" | "down";
    checks: number;
    code: number | null;
  }[] = [];
  for (const { at, up, code } of checks) {
    const last = runs.at(-1);
    const status = up ? "up" : "down";
    if (last?.status === status && (up || last.code === code))
      Object.assign(last, { last: at, checks: last.checks + 1 });
    else {
      if (last) last.ended = at;
      runs.push({ id: at, last: at, ended: null, status, checks: 1, code });
    }
  }
  return runs.reverse();
};

it("the runs of random histories are those of folding each check, on pages of any size", async () => {
  const { app, alice, add, walk } = await setUp();
  const step = fc.record({
    minutes: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 600, max: 4000 })),
    up: fc.integer({ min: 0, max: 5 }).map((value) => value > 0),
    code: fc.constantFrom(500, 503),
    times: fc.integer({ min: 1, max: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 25 }),
      fc.integer({ min: 1, max: 12 }),
      fc.boolean(),
      async (steps, limit, isRolledUp) => {
        const id = await add(alice);
        const checks: Played[] = [];
        let at = START - 80 * DAY;
        for (const { minutes, up, code, times } of steps)
          for (let time = 0; time < times && at + minutes * MINUTE <= START; time++) {
            at += minutes * MINUTE;
            checks.push({ at, up, code });
          }
        const results = checks.map((one) => ({
          ...one,
          statusCode: one.up ? 200 : one.code,
          error: one.up ? null : checkError("status", { actual: one.code, expected: "200" }),
        }));
        await recordOnly(app, id, results);
        if (isRolledUp) await rollUp(app);
        const shown = await walk(id, `limit=${limit}`);
        const expected = foldAll(checks);
        expect(
          shown.map(({ id, last_at, ended_at, status, checks, status_code }) => ({
            id,
            last: Date.parse(last_at),
            ended: ended_at === null ? null : Date.parse(ended_at),
            status,
            checks,
            code: status === "up" ? 0 : status_code,
          })),
        ).toEqual(expected.map((run) => ({ ...run, code: run.status === "up" ? 0 : run.code })));
        const failed = await walk(id, `limit=${limit}&status=down`);
        expect(failed.map(({ id }) => id)).toEqual(
          expected.filter(({ status }) => status === "down").map(({ id }) => id),
        );
      },
    ),
    { numRuns: repetitions(10, 50) },
  );
});
