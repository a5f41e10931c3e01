import { expect, it } from "bun:test";
import { mutes } from "../../../db/schema";
import { HOUR, MINUTE } from "../../../shared/limits";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  recordDown,
  recover,
  runDeliveries,
} from "../../../testing/fixtures/alerts";
import { seeds } from "../../../testing/random";
import { repetitions } from "../../../testing/repetitions";
import { createDelivery } from "../delivery/deliver";

/** Repeatable choices from a list. */
const createChoice = (seed: number) => {
  let state = seed;
  return <T>(list: readonly T[]): T => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return list[Math.floor((state / 2 ** 31) * list.length)] as T;
  };
};

/** Fewer on PostgreSQL, where each takes several times as long. */
const SEEDS = repetitions(3, 12);
const STEPS = ["down", "down", "up", "up", "mute", "unmute", "restart", "wait", "skip"] as const;

/**
 * Plays random steps a minute apart. The hub does not plan after a `skip` until the next step. Returns the steps with
 * what was sent by each.
 */
const play = async (seed: number) => {
  const { app, bob, telegram, ...made } = await createAlertApp();
  const shop = await addWatchedMonitor(app, bob, [await addChannel(app, bob)]);
  const path = `/api/monitors/${shop}/mute`;
  const choose = createChoice(seed);
  let { delivery } = made;
  const isMuted = async () => (await app.as(bob).get(`/api/monitors/${shop}`)).body.monitor.muted !== null;
  const take = async (step: (typeof STEPS)[number]) => {
    if (step === "down") await recordDown(app, shop);
    if (step === "up") await recover(app, shop);
    if (step === "mute") await app.as(bob).post(path, { minutes: choose([1, 3, 7]) });
    if (step === "unmute") await app.as(bob).delete(path);
    if (step === "wait") await app.clock.advance(choose([2, 5, 9]) * MINUTE);
    if (step !== "restart") return;
    await delivery.stop();
    delivery = createDelivery(app.deps);
  };
  const steps: { step: string; muted: boolean; sent: string[] }[] = [];
  for (let count = 0; count < 25; count++) {
    await app.clock.advance(MINUTE);
    const step = choose(STEPS);
    await take(step);
    const before = telegram.messages.length;
    const muted = await isMuted();
    if (step !== "skip") await runDeliveries(app, delivery);
    steps.push({
      step,
      muted,
      sent: telegram
        .texts()
        .slice(before)
        .map((text) => text.slice(0, 2)),
    });
  }
  await app.clock.advance(HOUR);
  await runDeliveries(app, delivery);
  const { status } = (await app.as(bob).get(`/api/monitors/${shop}`)).body.monitor;
  const last = telegram.texts().at(-1)?.slice(0, 2);
  return { steps, status, last, left: await app.db.$count(mutes) };
};

it("whatever happens, nothing is sent while a target is muted, and afterwards its owner knows its state", async () => {
  for (const seed of seeds(SEEDS)) {
    const { steps, status, last, left } = await play(seed);
    const context = `seed ${seed}: ${steps.map(({ step }) => step).join(" ")}`;
    expect([context, ...steps.flatMap(({ muted, sent }) => (muted ? sent : []))]).toEqual([context]);
    // Without any message the target has been up.
    const known = last ?? "🟢";
    expect([context, known, left]).toEqual([context, status === "down" ? "🔴" : "🟢", 0]);
  }
});
