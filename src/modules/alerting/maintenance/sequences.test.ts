import { expect, it } from "bun:test";
import { and, eq, isNotNull } from "drizzle-orm";
import { deliveries, maintenanceHolds } from "../../../db/schema";
import { HOUR, MINUTE, SECOND } from "../../../shared/limits";
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

type Options = {
  /** How many seconds an alert waits for others. Steps are then taken also while one waits. */
  groupSeconds?: number;
  steps?: readonly (typeof STEPS)[number][];
};

const play = async (seed: number, { groupSeconds = 0, steps = STEPS }: Options = {}) => {
  const env = { ALERT_GROUP_SECONDS: String(groupSeconds) };
  const { app, bob, telegram, ...made } = await createAlertApp({ env });
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
  let sent = 0;
  /** Checks what was sent. It is planned each minute, so that the end of a window is noticed before the next step. */
  const check = (step: string) => {
    const states = telegram
      .texts()
      .slice(sent)
      .map((text) => (text.startsWith("🔴") ? "down" : "up"));
    sent += states.length;
    log.push(`${step}: ${states.join(" ")}`);
    expect([seed, log, states] as unknown).toEqual([seed, log, model.sent(isSilent())]);
  };
  const isWaiting = and(isNotNull(deliveries.nextAttemptAt), eq(deliveries.attempts, 0));
  /** Lets time pass until nothing waits. */
  const pass = async (length: number) => {
    await app.clock.advance(length);
    await runDeliveries(app, delivery);
    while ((await app.db.$count(deliveries, isWaiting)) > 0) {
      await app.clock.advance(SECOND);
      await runDeliveries(app, delivery);
    }
  };
  for (let count = 0; count < 25; count++) {
    const step = choose(steps);
    const isAtOnce = groupSeconds > 0 && choose([true, false]);
    for (let minutes = step === "wait" ? choose([2, 5, 9]) : isAtOnce ? 0 : 1; minutes > 0; minutes--) {
      await pass(MINUTE);
      check("minute");
    }
    await app.clock.advance(1);
    await take(step);
    await runDeliveries(app, delivery);
    if (groupSeconds === 0) check(step);
    else log.push(step);
  }
  await pass(HOUR);
  check("end");
  expect(await app.db.$count(maintenanceHolds)).toBe(0);
  await delivery.stop();
};

it.each(SEEDS)(
  "nothing is sent in maintenance, and at its end once what differs from what was last sent, in random order (%p)",
  (seed) => play(seed),
);

it.each(SEEDS)(
  "an alert that waits for others when maintenance begins is held like one that begins in it, in random order (%p)",
  (seed) => play(seed, { groupSeconds: 10, steps: ["down", "up", "down", "up", "start", "end", "restart", "wait"] }),
);
