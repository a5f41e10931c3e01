import { describe, expect, it } from "bun:test";
import { and, asc, eq, isNotNull, isNull, lte } from "drizzle-orm";
import { deliveries, events, outages } from "../../../../db/schema";
import type { AlertPolicy, QuietHours, Weekday } from "../../../../shared/alert-policy";
import { MINUTE, SECOND } from "../../../../shared/limits";
import { createAlertModel, type ModelAction } from "../../../../testing/alert-model";
import { createTestApp, type TestApp } from "../../../../testing/app";
import { createHeldClock, START, until } from "../../../../testing/clock";
import { addChannel } from "../../../../testing/fixtures/alerts";
import { addMonitor, recordBatch } from "../../../../testing/fixtures/monitors";
import type { TestUser } from "../../../../testing/fixtures/people";
import { addPolicy, setMonitorRule } from "../../../../testing/fixtures/policies";
import { webhookChannel } from "../../../../testing/fixtures/webhooks";
import { createRandom, type Random, seeds } from "../../../../testing/random";
import { repetitions } from "../../../../testing/repetitions";
import { createDelivery, type Delivering } from "../deliver";

const COUNT = repetitions(1, process.env.TEST_DATABASE_URL ? 3 : 8);
const SEEDS = seeds(COUNT);
/** Fewer on PostgreSQL, where each takes several times as long. */
const MONITORS = process.env.TEST_DATABASE_URL ? repetitions(25, 125) : repetitions(25, 125);
const STEPS = 36;
const CHANNELS = 4;

const someOf = <T>(random: Random, list: readonly T[], often = 2): T[] => list.filter(() => random.below(often) > 0);

const randomQuiet = (random: Random): QuietHours => {
  const time = () => `${String(10 + random.below(12)).padStart(2, "0")}:${random.pick(["00", "10", "25", "50"])}`;
  const days = someOf(random, [1, 2, 3, 4, 5, 6, 7] as Weekday[], 4);
  const timeZone = random.pick(["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/New_York"]);
  return { days, from: time(), to: time(), timeZone, mode: random.pick(["hold", "hold", "drop"]) };
};

const randomPolicy = (random: Random, channels: readonly number[]): AlertPolicy => {
  let afterMinutes = 0;
  const steps = Array.from({ length: 1 + random.below(3) }, (_, step) => {
    if (step > 0) afterMinutes += 5 * (1 + random.below(8));
    return { afterMinutes, channels: someOf(random, channels) };
  });
  return {
    steps,
    repeatMinutes: random.pick([0, 5, 15, 30]),
    repeatMax: random.pick([0, 1, 2, 4]),
    quiet: random.oneIn(2) ? randomQuiet(random) : null,
    groupSeconds: random.pick([0, 0, 300]),
  };
};

/** The next action on a monitor, if any. Few changes, so that no monitor counts as changing too often. */
const randomAction = (random: Random, isDown: boolean, isMuted: boolean, mayChange: boolean): ModelAction | null => {
  if (random.oneIn(2)) return null;
  const minutes = 5 * (1 + random.below(12));
  if (mayChange && random.below(3) > 0)
    return { do: isDown ? random.pick(["up", "up", "relapse"]) : random.pick(["down", "down", "down", "blip"]) };
  if (isMuted) return random.oneIn(3) ? { do: "unmute" } : null;
  if (isDown && random.oneIn(2)) return random.oneIn(2) ? { do: "acknowledge" } : { do: "acknowledge for", minutes };
  return random.pick<ModelAction>([{ do: "mute" }, { do: "mute for", minutes }, { do: "mute until up" }]);
};

/** Runs deliveries until a round changes nothing, so that no run goes on when the clock moves. */
const run = async ({ db, clock }: TestApp, delivery: Delivering): Promise<void> => {
  const countClaimed = () => db.$count(deliveries, isNotNull(deliveries.claimedBy));
  const countAll = async () => [
    await db.$count(deliveries, lte(deliveries.nextAttemptAt, clock.now())),
    await db.$count(deliveries, eq(deliveries.state, "sent")),
  ];
  for (let before = "", now = "-"; before !== now; ) {
    before = now;
    await delivery.run();
    await until(async () => (await countClaimed()) === 0, "the attempts");
    await delivery.run();
    now = String(await countAll());
  }
};

const act = async (app: TestApp, owner: TestUser, monitorId: number, action: ModelAction): Promise<void> => {
  const as = app.as(owner);
  const mute = `/api/monitors/${monitorId}/mute`;
  if (action.do === "mute") await as.post(mute, {});
  if (action.do === "mute for") await as.post(mute, { minutes: action.minutes });
  if (action.do === "mute until up") await as.post(mute, { until_recovery: true });
  if (action.do === "unmute") await as.delete(mute);
  if (action.do !== "acknowledge" && action.do !== "acknowledge for") return;
  const isOpen = and(eq(outages.targetId, monitorId), isNull(outages.endedAt));
  const [outage] = await app.db.select({ id: outages.id }).from(outages).where(isOpen);
  const end = "minutes" in action ? { until: new Date(app.clock.now() + action.minutes * MINUTE).toISOString() } : {};
  const answer = await as.post(`/api/outages/${outage?.id}/acknowledge`, end);
  if (answer.status !== 200) throw new Error(`not acknowledged: ${answer.text}`);
};

const CHANGES: Partial<Record<ModelAction["do"], boolean[]>> = {
  down: [false],
  up: [true],
  blip: [false, true],
  relapse: [true, false],
};

/** The messages about each monitor, in the form of the model. */
const readSent = async ({ db }: TestApp, channels: readonly number[]): Promise<Map<number, string[]>> => {
  const rows = await db
    .select({ delivery: deliveries, kind: events.kind, monitorId: events.targetId })
    .from(deliveries)
    .innerJoin(events, eq(events.id, deliveries.eventId))
    .where(eq(deliveries.state, "sent"))
    .orderBy(asc(deliveries.id));
  const sent = new Map<number, string[]>();
  for (const { delivery, kind, monitorId } of rows) {
    const { purpose, sequence, channelId, endedAt } = delivery;
    const alert = kind === "recovery" ? "up" : "down";
    const what = purpose === "alert" ? alert : purpose === "reminder" ? `reminder ${sequence}` : purpose;
    const line = `${((endedAt ?? 0) - START) / MINUTE} ${channels.indexOf(channelId)} ${what}`;
    sent.set(monitorId, [...(sent.get(monitorId) ?? []), line]);
  }
  return sent;
};

const setUp = async (random: Random) => {
  let requests = 0;
  const request = async () => {
    requests++;
    return new Response("ok");
  };
  const app = await createTestApp({ clock: createHeldClock(), outbound: { request } as never });
  const { bob } = await app.people();
  const channels: number[] = [];
  for (let index = 0; index < CHANNELS; index++)
    channels.push(await addChannel(app, bob, webhookChannel(`https://hook.example/${index}`)));
  const worlds = [];
  for (let index = 0; index < MONITORS; index++) {
    const id = await addMonitor(app, bob, { url: "https://shop.example/", name: `shop ${index}` });
    const policy = randomPolicy(random, [...channels.keys()]);
    const critical = random.oneIn(4);
    const named = (indexes: number[]) => indexes.map((one) => channels[one] ?? -1);
    const stored = { ...policy, steps: policy.steps.map((step) => ({ ...step, channels: named(step.channels) })) };
    await setMonitorRule(app, bob, id, { policyId: await addPolicy(app, bob, stored), critical });
    worlds.push({
      id,
      policy,
      critical,
      model: createAlertModel(policy, critical),
      changedAt: [] as number[],
      story: [] as string[],
    });
  }
  return { app, bob, channels, worlds, requests: () => requests };
};

describe("random policies, outages, mutes and acknowledgements", () => {
  it.each(SEEDS)("send what a plain model sends: seed %d", async (seed) => {
    const random = createRandom(seed);
    const { app, bob, channels, worlds, requests } = await setUp(random);
    let delivery = createDelivery(app.deps);
    for (let step = 0; step < STEPS; step++) {
      const now = app.clock.now();
      const changes: { monitorId: number; at: number; up: boolean }[] = [];
      const actions = worlds.map((world) => {
        const { id, model, story } = world;
        world.changedAt = world.changedAt.filter((at) => at > now - 40 * MINUTE);
        const action = randomAction(random, model.isDown(), model.isMuted(), world.changedAt.length < 2);
        const ups = (action && CHANGES[action.do]) ?? [];
        for (const [index, up] of ups.entries())
          changes.push({ monitorId: id, up, at: now - (ups.length - 1 - index) * SECOND });
        world.changedAt.push(...ups.map(() => now));
        if (action) story.push(`${(now - START) / MINUTE} ${JSON.stringify(action)}`);
        return action;
      });
      for (const early of [true, false]) {
        const batch = changes.filter(({ at }) => at < now === early);
        if (batch.length > 0) await recordBatch(app, batch);
      }
      for (const [index, { id }] of worlds.entries()) {
        const action = actions[index];
        if (action) await act(app, bob, id, action);
      }
      if (random.oneIn(6)) {
        await delivery.stop();
        delivery = createDelivery(app.deps);
      }
      await run(app, delivery);
      for (const [index, { model }] of worlds.entries()) model.step(now, actions[index] ?? null);
      await app.clock.advance(random.pick([5, 5, 10, 15, 30, 60]) * MINUTE);
    }
    const sent = await readSent(app, channels);
    for (const { id, policy, critical, model, story } of worlds) {
      const expected = model.sent.map((line) => {
        const [minute, ...rest] = line.split(" ");
        return [Number(minute) - START / MINUTE, ...rest].join(" ");
      });
      const facts = { id, policy, critical, story };
      expect({ ...facts, sent: (sent.get(id) ?? []).toSorted() }).toEqual({ ...facts, sent: expected.toSorted() });
    }
    expect(requests()).toBe([...sent.values()].flat().length);
  });
});
