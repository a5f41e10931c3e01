import { expect, it } from "bun:test";
import { MINUTE, SECOND } from "../../../shared/limits";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  recordDown,
  recover,
  resendChannel,
  runDeliveries,
} from "../../../testing/fixtures/alerts";
import { seeds } from "../../../testing/random";
import { repetitions } from "../../../testing/repetitions";
import { dingtalk } from "../../../testing/servers/channel-providers";
import { resendError, telegramError } from "../../../testing/servers/providers";
import { createDelivery } from "./deliver";

/** Repeatable numbers from 0 to below `end`. */
const createRandom = (seed: number) => {
  let state = seed;
  return (end: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * end);
  };
};

const MONITORS = 8;
/** Fewer on PostgreSQL, where each takes several times as long. */
const SEQUENCES = repetitions(1, process.env.TEST_DATABASE_URL ? 3 : 8);
const STATES = { "🔴": "down", "🟢": "up" } as const;

/** The state of each monitor that a message names. */
const readStates = (text: string): [name: string, state: "down" | "up"][] => {
  const [title = "", ...lines] = text.split("\n");
  const stateOf = (line: string) => STATES[line.slice(0, 2) as keyof typeof STATES];
  const namesIn = (line: string) => line.match(/shop-\d/g) ?? [];
  const hasGroups = lines.some((line) => stateOf(line) !== undefined);
  const named = hasGroups ? lines.filter(stateOf).map((line): [string, string] => [line, line]) : [[title, text]];
  return named.flatMap(([line = "", all = ""]) =>
    namesIn(all).map((name): [string, "down" | "up"] => [name, stateOf(line)]),
  );
};

/** Plays random changes, pauses and failures, then lets everything recover. */
const play = async (seed: number, groupSeconds: number) => {
  const random = createRandom(seed);
  let healthy = false;
  const failure = () => !healthy && random(3) === 0;
  const { app, bob, telegram, resend, ...made } = await createAlertApp({
    budgets: true,
    telegram: () =>
      failure()
        ? random(2) === 0
          ? telegramError(429, "Too Many Requests", { retry_after: 1 + random(30) })
          : telegramError(502, "Bad Gateway")
        : null,
    resend: () => (failure() ? resendError(500, "internal", "Oops") : null),
    env: { PRIVATE_TARGETS: "all", ALERT_GROUP_SECONDS: String(groupSeconds) },
  });
  let { delivery } = made;
  await app.as(bob).put("/api/auth/language", { language: "en-US" });
  const robot = dingtalk(app.clock.now);
  const channels = [
    await addChannel(app, bob),
    await addChannel(app, bob, resendChannel()),
    await addChannel(app, bob, { name: "robot", type: "dingtalk", config: robot.config }),
  ];
  const monitors: number[] = [];
  for (let count = 1; count <= MONITORS; count++)
    monitors.push(await addWatchedMonitor(app, bob, channels, `shop-${count}`));
  const states = new Map<string, "down" | "up">();
  const flip = async (): Promise<void> => {
    const index = random(MONITORS);
    const name = `shop-${index + 1}`;
    const isDown = states.get(name) === "down";
    await (isDown ? recover : recordDown)(app, monitors[index] as number);
    states.set(name, isDown ? "up" : "down");
  };
  for (let step = 0; step < 40; step++) {
    await app.clock.advance(1 + random(4000));
    for (let flips = random(6); flips > 0; flips--) {
      await flip();
      await app.clock.advance(1);
    }
    if (random(8) === 0) {
      await delivery.stop();
      delivery = createDelivery({ ...app.deps, instance: `instance-${step}` });
    }
    if (random(4) > 0) await runDeliveries(app, delivery);
  }
  const refused = robot.requests.length - robot.shown.length;
  healthy = true;
  for (let second = 0; second < (15 * MINUTE) / SECOND; second += 5) {
    await app.clock.advance(5 * SECOND);
    await runDeliveries(app, delivery);
  }
  return {
    states,
    refused,
    shown: {
      resend: resend.mails.map(({ subject, text }) => `${subject}\n${text}`),
      robot: robot.shown,
      telegram: telegram.texts(),
    },
  };
};

it.each([0, 10])(
  "the last message that names a monitor states its last state, with %i s of grouping",
  async (groupSeconds) => {
    for (const seed of seeds(SEQUENCES)) {
      const { states, refused, shown } = await play(seed, groupSeconds);
      expect([seed, refused]).toEqual([seed, 0]);
      for (const [channel, messages] of Object.entries(shown)) {
        const last = new Map(messages.flatMap(readStates));
        expect(last.size).toBeGreaterThan(0);
        for (const [name, state] of last)
          expect([seed, channel, name, state]).toEqual([seed, channel, name, states.get(name)!]);
      }
    }
  },
);
