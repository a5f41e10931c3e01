import { expect, it } from "bun:test";
import { maintenanceHolds } from "../../../db/schema";
import { HOUR, MINUTE } from "../../../shared/limits";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  recordDown,
  recover,
  runDeliveries,
} from "../../../testing/fixtures/alerts";
import { createRandom, seeds } from "../../../testing/random";
import { repetitions } from "../../../testing/repetitions";
import { createDelivery } from "../delivery/deliver";

const SEEDS = seeds(repetitions(2, 8));
const STEPS = ["down", "down", "up", "up", "start", "end", "restart", "wait", "mute", "unmute"] as const;
const LENGTHS = [1, 3, 7];

/**
 * What has to be sent: `told` is the state that the channel was last notified of. While it is silent, nothing is sent;
 * otherwise the state is, once, where it differs from that.
 */
const createModel = () => {
  let [state, told] = ["up", "up"];
  return {
    change: (to: "up" | "down") => {
      state = to;
    },
    sent: (isSilent: boolean): string[] => {
      if (isSilent || state === told) return [];
      told = state;
      return [state];
    },
  };
};

const play = async (seed: number) => {
  const { app, bob, telegram, ...made } = await createAlertApp();
  const shop = await addWatchedMonitor(app, bob, [await addChannel(app, bob)]);
  const client = app.as(bob);
  const { pick: choose } = createRandom(seed);
  const model = createModel();
  const [windows, ends]: [number[], number[]] = [[], []];
  let { delivery } = made;
  let mutedUntil = 0;
  const take = async (step: (typeof STEPS)[number]) => {
    const now = app.clock.now();
    if (step === "down") await recordDown(app, shop);
    if (step === "up") await recover(app, shop);
    if (step === "down" || step === "up") model.change(step);
    if (step === "start") {
      const minutes = choose(LENGTHS);
      const { body } = await client.post("/api/windows/start", { minutes, monitors: [shop] });
      windows.push(body.id);
      ends.push(now + minutes * MINUTE);
    }
    if (step === "end" && windows.length > 0) {
      const index = windows.length - 1;
      await client.post(`/api/windows/${windows[index] as number}/end`);
      ends[index] = Math.min(ends[index] as number, now);
    }
    if (step === "mute") {
      const minutes = choose(LENGTHS);
      await client.post(`/api/monitors/${shop}/mute`, { minutes });
      mutedUntil = now + minutes * MINUTE;
    }
    if (step === "unmute") {
      await client.delete(`/api/monitors/${shop}/mute`);
      mutedUntil = Math.min(mutedUntil, now);
    }
    if (step !== "restart") return;
    await delivery.stop();
    delivery = createDelivery(app.deps);
  };
  const isSilent = () => [...ends, mutedUntil].some((end) => app.clock.now() < end);
  const log: string[] = [];
  /** Plans each minute, so that the end of a window is noticed before the next step. */
  const plan = async (step: string) => {
    const before = telegram.messages.length;
    await runDeliveries(app, delivery);
    const expected = model.sent(isSilent());
    const sent = telegram
      .texts()
      .slice(before)
      .map((text) => (text.startsWith("🔴") ? "down" : "up"));
    log.push(`${step}: ${sent.join(" ")}`);
    expect([seed, log, sent] as unknown).toEqual([seed, log, expected]);
  };
  for (let count = 0; count < 25; count++) {
    const step = choose(STEPS);
    for (let minutes = step === "wait" ? choose([2, 5, 9]) : 1; minutes > 0; minutes--) {
      await app.clock.advance(MINUTE);
      await plan("minute");
    }
    await take(step);
    await plan(step);
  }
  await app.clock.advance(HOUR);
  await plan("end");
  expect(await app.db.$count(maintenanceHolds)).toBe(0);
  await delivery.stop();
};

it.each(SEEDS)(
  "nothing is sent in maintenance, and at its end once what differs from what was last sent, in random order (%p)",
  play,
);
