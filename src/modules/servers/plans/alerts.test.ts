import { describe, expect, it } from "bun:test";
import { asc, eq } from "drizzle-orm";
import { agents, events, outages, planAlerts } from "../../../db/schema";
import type { ServerPlan, TrafficPlan } from "../../../shared/agents/server-plan";
import { DAY, MINUTE } from "../../../shared/limits";
import { createTestApp, type TestApp } from "../../../testing/app";
import { START } from "../../../testing/clock";
import { enrollAgent, sampleAt } from "../../../testing/fixtures/agents";
import { addChannel, createAlertApp, runDeliveries, saveRule } from "../../../testing/fixtures/alerts";
import type { TestUser } from "../../../testing/fixtures/people";
import { createRandom, seedOr } from "../../../testing/random";
import { alertPlans } from "./alerts";
import { dateOf, dayOf, monthOf } from "./months";

const SEED = seedOr(7);

const TODAY = Math.floor(START / DAY);

const setPlan = async (app: TestApp, id: number, traffic: Partial<TrafficPlan> | null, endsOn?: number) => {
  const plan: ServerPlan = {
    traffic: traffic && { quota: 1000, resetDay: 1, zone: "UTC", mode: "sum", correction: null, ...traffic },
    contract: endsOn === undefined ? null : { endsOn: dateOf(endsOn), price: null, currency: "", months: 12, note: "" },
  };
  await app.db.update(agents).set({ plan }).where(eq(agents.id, id));
};

const watch = async (app: TestApp, owner: TestUser) => {
  const agent = await enrollAgent(app, owner);
  let [sent, minute] = [0, 0];
  const report = async () => {
    app.clock.set(Math.max(app.clock.now() + MINUTE, START + ++minute * MINUTE));
    const traffic = { boot: "1", interfaces: { a: [sent, 0] as [number, number] } };
    await agent.report([sampleAt(app.clock.now(), { traffic })]);
  };
  await report();
  return {
    id: agent.id,
    /** Transfers bytes. */
    transfer: async (bytes: number) => {
      sent += bytes;
      await report();
    },
    plan: (traffic: Partial<TrafficPlan> | null, endsOn?: number) => setPlan(app, agent.id, traffic, endsOn),
    /** Runs the job, and returns the kind and the threshold, or the figure, of each event so far. */
    run: async () => {
      await alertPlans(app.deps);
      const rows = await app.db.select().from(events).where(eq(events.targetId, agent.id)).orderBy(asc(events.id));
      return rows.map(({ kind, threshold, figure }) => `${kind} ${threshold ?? figure ?? ""}`.trim());
    },
    open: async () => {
      const rows = await app.db.select().from(outages).where(eq(outages.targetId, agent.id));
      return rows.filter(({ endedAt }) => endedAt === null).map(({ kind, facts }) => ({ kind, facts }));
    },
  };
};

const setUp = async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  return { app, bob, ...(await watch(app, bob)) };
};

describe("a quota", () => {
  it("is alerted at 80, 90 and 100 %, each once in a month, and has one outage until the next month", async () => {
    const { app, transfer, plan, run, open } = await setUp();
    await plan({});
    await transfer(799);
    expect(await run()).toEqual([]);
    await transfer(1);
    expect(await run()).toEqual(["traffic_high 80"]);
    await transfer(50);
    await run();
    await transfer(55);
    expect(await run()).toEqual(["traffic_high 80", "traffic_high 90"]);
    expect((await open()).map(({ kind }) => kind)).toEqual(["traffic"]);
    await transfer(1000);
    await run();
    expect(await run()).toEqual(["traffic_high 80", "traffic_high 90", "traffic_high 100"]);
    app.clock.set(monthOf(TODAY, 1).end * DAY - 1);
    expect(await run()).toHaveLength(3);
    app.clock.set(monthOf(TODAY, 1).end * DAY);
    expect((await run()).slice(3)).toEqual(["traffic_normal 0"]);
    expect(await open()).toEqual([]);
    await transfer(950);
    expect((await run()).slice(4)).toEqual(["traffic_high 90"]);
  });

  it("is alerted at the tightest level only when several were reached at once", async () => {
    const { transfer, plan, run } = await setUp();
    await plan({});
    await transfer(1001);
    expect(await run()).toEqual(["traffic_high 100"]);
    expect(await run()).toHaveLength(1);
  });

  it("that is raised ends the outage, and is alerted again when the greater one is nearly used", async () => {
    const { app, bob, id, transfer, plan, run, open } = await setUp();
    await plan({});
    await transfer(1000);
    await run();
    const traffic = { quota: 2000, reset_day: 1, zone: "UTC", mode: "sum" };
    await app.as(bob).put(`/api/agents/${id}`, { name: "x", plan: { traffic } });
    expect(await open()).toEqual([]);
    expect((await run()).slice(1)).toEqual(["traffic_normal 50"]);
    await transfer(700);
    expect((await run()).slice(2)).toEqual(["traffic_high 80"]);
    await app.as(bob).put(`/api/agents/${id}`, { name: "x", plan: null });
    expect(await open()).toEqual([]);
    expect(await run()).toHaveLength(3);
    expect(await app.db.select().from(planAlerts)).toEqual([]);
  });

  it("names the day on which it is used up at the present rate", async () => {
    const { app, transfer, plan, run, open } = await setUp();
    // The month began ten days ago.
    await plan({
      resetDay: Number(dateOf(TODAY - 10).slice(8)),
      correction: { bytes: 800, month: dateOf(TODAY - 10) },
    });
    await transfer(30);
    await run();
    const [outage] = await open();
    const began = (TODAY - 10) * DAY;
    expect(Date.parse(outage?.facts?.exhausted_at as string)).toBe(
      Math.round(began + ((app.clock.now() - began) * 1000) / 830),
    );
  });

  it("counts for the servers that have one only", async () => {
    const { transfer, plan, run } = await setUp();
    await plan({ quota: null });
    await transfer(10_000);
    expect(await run()).toEqual([]);
    await plan(null);
    expect(await run()).toEqual([]);
  });
});

describe("a contract", () => {
  it("is alerted 14 and 3 days before its end, each once, and ends its problem by a later date", async () => {
    const { app, plan, run, open } = await setUp();
    await plan(null, TODAY + 15);
    const seen = [];
    for (let day = 0; day < 20; day++) {
      app.clock.set(START + day * DAY);
      seen.push((await run()).length);
    }
    expect(seen).toEqual([0, ...Array.from({ length: 11 }, () => 1), ...Array.from({ length: 8 }, () => 2)]);
    expect(await open()).toEqual([{ kind: "contract", facts: { ends_on: dateOf(TODAY + 15) } }]);
    await plan(null, TODAY + 380);
    expect(await run()).toEqual(["contract_ending 14", "contract_ending 3", "contract_renewed"]);
    expect(await open()).toEqual([]);
  });

  it("that is renewed for a short time is alerted again, with the new date in the same problem", async () => {
    const { app, plan, run, open } = await setUp();
    await plan(null, TODAY + 2);
    await run();
    app.clock.set(app.clock.now() + MINUTE);
    await plan(null, TODAY + 9);
    expect(await run()).toEqual(["contract_ending 3", "contract_ending 14"]);
    expect(await open()).toEqual([{ kind: "contract", facts: { ends_on: dateOf(TODAY + 9) } }]);
  });

  it("that has ended long ago is alerted once, and its alert is kept while it is a problem", async () => {
    const { app, plan, run } = await setUp();
    await plan(null, TODAY - 30);
    expect(await run()).toEqual(["contract_ending 3"]);
    app.clock.set(START + 500 * DAY);
    await run();
    expect(await run()).toHaveLength(1);
    await plan(null);
    await run();
    app.clock.set(START + 1000 * DAY);
    expect(await run()).toHaveLength(1);
    expect(await app.db.$count(planAlerts)).toBe(0);
  });
});

it("alerts about plans are written once by several instances, for many servers", async () => {
  const app = await createTestApp();
  const { bob } = await app.people();
  const all = [await watch(app, bob), await watch(app, bob)];
  for (const { plan, transfer } of all) {
    await plan({}, TODAY + 3);
    await transfer(900);
  }
  await Promise.all([1, 2, 3].map(() => alertPlans(app.deps)));
  for (const { run } of all) expect((await run()).toSorted()).toEqual(["contract_ending 3", "traffic_high 90"]);
  for (const { plan } of all) await plan({ quota: 10_000 }, TODAY + 300);
  app.clock.set(app.clock.now() + MINUTE);
  await Promise.all([1, 2, 3].map(() => alertPlans(app.deps)));
  for (const { run } of all)
    expect((await run()).slice(2).toSorted()).toEqual(["contract_renewed", "traffic_normal 9"]);
});

it(`random traffic, quotas and dates agree with a plain model (seed ${SEED})`, async () => {
  const { app, transfer, plan, run, open } = await setUp();
  const { below, pick, oneIn } = createRandom(SEED);
  const model = { quota: 1000, used: 0, month: monthOf(TODAY, 1).first, sent: [] as number[], isOpen: false };
  const expected: string[] = [];
  for (let step = 0; step < 60; step++) {
    if (oneIn(5)) app.clock.set(app.clock.now() + below(12) * DAY);
    const { first } = monthOf(Math.floor(app.clock.now() / DAY), 1);
    if (oneIn(6)) model.quota = pick([500, 1000, 1500, 3000]);
    await plan({ quota: model.quota });
    const bytes = below(200);
    await transfer(bytes);
    if (first !== model.month) Object.assign(model, { month: first, used: 0, sent: [] });
    model.used += bytes;
    const percent = (model.used / model.quota) * 100;
    const reached = [80, 90, 100].filter((level) => percent >= level);
    const tightest = reached.at(-1);
    if (tightest !== undefined && !model.sent.includes(tightest)) expected.push(`traffic_high ${tightest}`);
    if (model.isOpen && tightest === undefined) expected.push(`traffic_normal ${Math.floor(percent * 10) / 10}`);
    Object.assign(model, { sent: reached, isOpen: tightest !== undefined });
    expect(await run()).toEqual(expected);
    expect((await open()).length).toBe(model.isOpen ? 1 : 0);
  }
  expect(expected.length).toBeGreaterThan(4);
});

it("an alert about a plan is sent as a message, unless its rule excludes plans", async () => {
  const { app, bob, delivery, telegram } = await createAlertApp();
  await app.as(bob).put("/api/auth/language", { language: "en-US" });
  const { id } = await enrollAgent(app, bob);
  const channels = [await addChannel(app, bob)];
  const rule = { enabled: true, channels, on_recovery: true };
  await saveRule(app, bob, { target_type: "global-agent", ...rule });
  await setPlan(app, id, null, dayOf("2026-01-29"));
  expect(await alertPlans(app.deps)).toBe(true);
  await runDeliveries(app, delivery);
  const [first] = telegram.texts();
  expect(first).toStartWith("🟠 ");
  expect(first).toContain("It ends on Jan 29, 2026 (14 days left)");
  await saveRule(app, bob, { target_type: "global-agent", ...rule, on_plan: false });
  await app.clock.advance(MINUTE);
  await setPlan(app, id, null, dayOf("2026-01-18"));
  await alertPlans(app.deps);
  await runDeliveries(app, delivery);
  expect(telegram.texts()).toHaveLength(1);
  expect((await app.as(bob).get("/api/dashboard")).body.problems).toMatchObject([
    { target_id: id, kind: "contract", figure: 3, facts: { ends_on: "2026-01-18" } },
  ]);
});
