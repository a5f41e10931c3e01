import { describe, expect, it } from "bun:test";
import { and, asc, eq, isNull, like } from "drizzle-orm";
import { madeBy, viewerOf } from "../../../db/owner";
import { events, outages } from "../../../db/schema";
import { DAY, HOUR, MINUTE, SECOND } from "../../../shared/limits";
import { burnRate, isBurning, type ObjectivePeriod, periodAt } from "../../../shared/outages/objectives";
import { START } from "../../../testing/clock";
import { addChannel, createAlertApp, runDeliveries, saveRule } from "../../../testing/fixtures/alerts";
import { addMonitor, recordOnly } from "../../../testing/fixtures/monitors";
import { createRandom, seeds } from "../../../testing/random";
import { removeObjective, setObjective } from "./service";
import { watchBudgets } from "./watch";

const setUp = async () => {
  const world = await createAlertApp();
  const { app, bob } = world;
  const id = await addMonitor(app, bob, { url: "https://shop.example/" });
  const viewer = viewerOf(madeBy(bob));
  await recordOnly(app, id, [{ at: START - 40 * DAY, up: true, error: null }]);
  const set = (target: number, { period = "30d" as ObjectivePeriod, alerts = true } = {}) =>
    setObjective(app.deps, viewer, id, { target, period, alerts });
  const begin = () =>
    app.db.insert(outages).values({
      ...{ ...madeBy(bob), targetType: "monitor", targetId: id, kind: "down" },
      ...{ startedAt: app.clock.now(), startedAfter: app.clock.now(), endedAt: null },
    });
  const end = () =>
    app.db
      .update(outages)
      .set({ endedAt: app.clock.now() })
      .where(and(eq(outages.kind, "down"), isNull(outages.endedAt)));
  /** Time passes, each minute with the job. */
  const pass = async (length: number, step = MINUTE) => {
    for (const until = app.clock.now() + length; app.clock.now() < until; ) {
      app.clock.set(Math.min(until, app.clock.now() + step));
      await watchBudgets(app.deps);
    }
  };
  const written = async () => {
    const rows = await app.db.select().from(events).where(like(events.kind, "budget%")).orderBy(asc(events.id));
    return rows.map(({ kind, at }) => [kind, (at - START) / MINUTE]);
  };
  const open = async () => {
    const rows = await app.db
      .select()
      .from(outages)
      .where(and(like(outages.kind, "budget%"), isNull(outages.endedAt)));
    return rows.map(({ kind, errorDetail }) => [kind, errorDetail]);
  };
  return { ...world, id, viewer, set, begin, end, pass, written, open };
};

describe("the budget of an objective", () => {
  it("alerts once while it burns, once when it is spent, and again when the objective is met", async () => {
    const { set, begin, end, pass, written, open } = await setUp();
    await set(99.9);
    await begin();
    // 14.4 times 0.1 % of an hour is 52 s.
    await pass(MINUTE);
    expect([await written(), await open()]).toEqual([
      [["budget_burning", 1]],
      [["budget_burning", { target: 99.9, used: 2 }]],
    ]);
    await pass(9 * MINUTE);
    expect(await open()).toEqual([["budget_burning", { target: 99.9, used: 23 }]]);
    // 43.2 minutes are the whole budget, which also ends the outage before without a message.
    await pass(40 * MINUTE);
    expect(await written()).toEqual([
      ["budget_burning", 1],
      ["budget_spent", 44],
    ]);
    await end();
    await pass(HOUR);
    expect(await open()).toEqual([["budget_spent", { target: 99.9, used: 115 }]]);
    await pass(30 * DAY, HOUR);
    expect((await written()).map(([kind]) => kind)).toEqual(["budget_burning", "budget_spent", "budget_restored"]);
    expect(await open()).toEqual([]);
  });

  it("stops burning when half an hour has used no more than its share", async () => {
    const { set, begin, end, pass, written } = await setUp();
    await set(99);
    await begin();
    await pass(10 * MINUTE);
    await end();
    await pass(2 * HOUR);
    // 14.4 % of an hour are 8.64 minutes.
    expect(await written()).toEqual([
      ["budget_burning", 9],
      ["budget_steady", 40],
    ]);
  });

  it("begins again with the calendar month", async () => {
    const { app, set, begin, end, pass, open, written } = await setUp();
    await set(99.9, { period: "month" });
    await begin();
    await pass(HOUR);
    await end();
    expect(await open()).toEqual([["budget_spent", { target: 99.9, used: 134 }]]);
    app.clock.set(periodAt("month", "UTC", START).to - SECOND);
    await watchBudgets(app.deps);
    expect(await open()).toHaveLength(1);
    await pass(SECOND);
    expect(await open()).toEqual([]);
    expect((await written()).at(-1)?.[0]).toBe("budget_restored");
  });

  it("has no events where the objective is without alerts, and ends silently when it is removed", async () => {
    const { app, id, viewer, set, begin, pass, written, open } = await setUp();
    await set(99.9, { alerts: false });
    await begin();
    await pass(2 * HOUR);
    expect(await written()).toEqual([]);
    await set(99.9);
    await pass(MINUTE);
    expect(await open()).toHaveLength(1);
    const before = await written();
    await removeObjective(app.deps, viewer, id);
    await pass(MINUTE);
    expect([await open(), await written()]).toEqual([[], before]);
  });

  it("is alerted once by two instances", async () => {
    const { app, set, begin, written } = await setUp();
    await set(99.9);
    await begin();
    app.clock.set(START + 5 * MINUTE);
    await Promise.all([1, 2, 3].map(() => watchBudgets(app.deps)));
    expect(await written()).toEqual([["budget_burning", 5]]);
  });

  it("is sent by the rule of its monitor, with the reason", async () => {
    const { app, bob, id, set, begin, delivery, telegram } = await setUp();
    await app.as(bob).put("/api/auth/language", { language: "en-US" });
    await saveRule(app, bob, { target_type: "global-monitor", channels: [await addChannel(app, bob)] });
    await set(99.9);
    await begin();
    app.clock.set(START + 45 * MINUTE);
    await watchBudgets(app.deps);
    await runDeliveries(app, delivery);
    const [text = "", ...others] = telegram.texts();
    expect(text).toStartWith("🟠 shop has missed its uptime objective\n");
    expect(text).toContain("104% of the downtime that 99.9% allows");
    expect(others).toEqual([]);
    const { outages: shown } = (await app.as(bob).get(`/api/monitors/${id}`)).body.monitor;
    expect(shown.map(({ kind }) => kind)).toContain("budget_spent");
  });
});

it.each(seeds(3))("random outages agree with a plain model, by seed %i", async (seed) => {
  const { app, set, begin, end, written } = await setUp();
  const { below, pick } = createRandom(seed);
  const target = pick([95, 99, 99.9]);
  await set(target, { period: "7d" });
  const minutes: boolean[] = [];
  let [isDown, burning, spent] = [false, false, false];
  const expected: string[] = [];
  for (let step = 0; step < 24; step++) {
    if (isDown) await end();
    isDown = !isDown;
    if (isDown) await begin();
    const length = isDown ? 1 + below(pick([5, 40, 400])) : 1 + below(pick([30, 300, 1000]));
    for (let minute = 0; minute < length; minute++) {
      minutes.push(isDown);
      if (minute % 7 !== 0 && minute !== length - 1) continue;
      app.clock.set(START + minutes.length * MINUTE);
      await watchBudgets(app.deps);
      const down = (span: number) => minutes.slice(-span / MINUTE).filter(Boolean).length * MINUTE;
      const rate = (span: number) => burnRate(target, down(span), span);
      const rates = { "5m": rate(5 * MINUTE), "30m": rate(30 * MINUTE), "1h": rate(HOUR), "6h": rate(6 * HOUR) };
      const isSpent = down(7 * DAY) >= (7 * DAY * (100 - target)) / 100;
      const burns = !isSpent && isBurning(rates, burning);
      if (burning && !burns && !isSpent) expected.push("budget_steady");
      if (spent && !isSpent) expected.push("budget_restored");
      if (!burning && burns) expected.push("budget_burning");
      if (!spent && isSpent) expected.push("budget_spent");
      [burning, spent] = [burns, isSpent];
    }
  }
  const kinds = (await written()).map(([kind]) => kind as string);
  expect(kinds).toEqual(expected);
  expect(kinds.length).toBeGreaterThan(0);
});
