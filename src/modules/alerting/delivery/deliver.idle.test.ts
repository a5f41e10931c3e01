import { describe, expect, it } from "bun:test";
import { processDialect } from "../../../core/config";
import { hashSecret } from "../../../core/secrets";
import { MINUTE, SECOND } from "../../../shared/limits";
import { START } from "../../../testing/clock";
import { countStatements } from "../../../testing/db/database";
import { enrollAgent, reportOf, sampleAt } from "../../../testing/fixtures/agents";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  readDeliveries,
  readEvents,
  recordDown,
  recover,
  runDeliveries,
  saveRule,
  telegramChannel,
} from "../../../testing/fixtures/alerts";
import { seeds } from "../../../testing/random";
import { repetitions } from "../../../testing/repetitions";
import { type TelegramMessage, telegramError } from "../../../testing/servers/providers";
import { ingest } from "../../servers/ingest/ingest";
import { createOfflineSweep } from "../../servers/ingest/offline";
import { createDelivery } from "./deliver";

/** Pseudo-random numbers from 0 to 1, the same in each run. */
const numbers = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

/** Answers of a provider that refuses some attempts. They follow from the message and the number of the attempt. */
const createUnreliable = () => {
  const attempts = new Map<string, number>();
  return ({ sent: { chat, text } }: { sent: TelegramMessage }) => {
    const key = `${chat} ${text}`;
    const number = (attempts.get(key) ?? 0) + 1;
    attempts.set(key, number);
    const fate = Number(Bun.hash(`${key} ${number}`) % 10n);
    if (fate < 3) return telegramError(500, "Internal");
    return fate === 3 ? telegramError(429, "Too Many Requests", { retry_after: 100 }) : null;
  };
};

/** A hub with two monitors, two servers and two channels. Without `shortcut` it looks for work at each run. */
const createHub = async (shortcut: boolean) => {
  const made = await createAlertApp({ telegram: createUnreliable() });
  const { app, bob, telegram } = made;
  if (!shortcut) app.db.version = () => null;
  const channels = [await addChannel(app, bob), await addChannel(app, bob, telegramChannel("two", "43"))];
  await saveRule(app, bob, { target_type: "global-agent", channels, on_cpu_threshold: true });
  const monitors = [await addWatchedMonitor(app, bob, channels), await addWatchedMonitor(app, bob, channels, "blog")];
  const agents = [await enrollAgent(app, bob), await enrollAgent(app, bob)];
  let delivery = made.delivery;
  const sweep = createOfflineSweep(app.deps);
  /** What runs every few seconds. */
  const look = async () => {
    app.deps.watching.look();
    await sweep();
  };
  const down = new Set<number>();

  const toggle = async (index: number) => {
    const id = monitors[index] as number;
    await (down.delete(id) ? recover(app, id) : recordDown(app, down.add(id) && id));
  };
  const report = async (index: number, cpu: number) => {
    const keyHash = hashSecret(agents[index]?.key ?? "");
    await ingest(app.deps, [{ keyHash, report: reportOf([sampleAt(app.clock.now(), { cpu })]) }], app.clock.now());
  };
  const switchChannel = async (index: number, enabled: boolean) => {
    const body = { ...telegramChannel("chat", index === 0 ? "42" : "43"), enabled };
    const { status } = await app.as(bob).put(`/api/notifications/channels/${channels[index]}`, body);
    expect(status).toBe(200);
  };
  const step = async (kind: number, index: number, figure: number) => {
    if (kind < 3) await toggle(index);
    else if (kind < 6) await report(index, figure < 0.4 ? 95 : 5);
    else if (kind === 6) await switchChannel(index, figure < 0.5);
    else if (kind === 7) delivery = createDelivery(app.deps);
    else if (kind === 8) app.clock.set(app.clock.now() - Math.floor(figure * 20 * MINUTE));
    await look();
    await runDeliveries(app, delivery);
  };
  const read = async () => ({
    sent: telegram.messages.map(({ chat, text }) => `${chat} ${text}`).toSorted(),
    events: (await readEvents(app)).map(({ kind, targetId, at, plannedAt }) => ({ kind, targetId, at, plannedAt })),
    deliveries: (await readDeliveries(app)).map(({ id, eventId, claimedBy, ...rest }) => rest),
  });
  /** Lets time pass, with runs so close that the hub does not seem to have slept. */
  const pass = async (milliseconds: number) => {
    for (let left = milliseconds; left > 0; left -= 5 * SECOND) {
      await app.clock.advance(Math.min(left, 5 * SECOND));
      await look();
    }
  };
  return { pass, step, read };
};

describe("while nothing is due", () => {
  // PostgreSQL has no shortcut, because other instances write too.
  it.if(processDialect === "sqlite")(
    "the same deliveries are made at the same times as with a query at each run, whatever happens",
    async () => {
      const kinds = new Set<string>();
      for (const seed of seeds(repetitions(1, 3))) {
        const random = numbers(seed);
        const [one, other] = [await createHub(true), await createHub(false)];
        for (let count = 0; count < 150; count++) {
          const [kind, index, figure] = [Math.floor(random() * 14), Math.floor(random() * 2), random()];
          const pause = Math.floor(random() ** 3 * 400) * SECOND;
          for (const { pass, step } of [one, other]) {
            await pass(pause + SECOND);
            await step(kind, index, figure);
          }
          // Both list all of the past, which takes most of the time to read.
          if (count % 30 < 29) continue;
          const made = await one.read();
          expect([seed, made]).toEqual([seed, await other.read()]);
          for (const { kind } of made.events) kinds.add(kind);
        }
      }
      expect([...kinds].toSorted()).toEqual(["cpu_high", "cpu_normal", "down", "offline", "online", "recovery"]);
    },
  );

  it.if(processDialect === "sqlite")("no query is made, until an event is written or a retry is due", async () => {
    let answer: Response | null = telegramError(500, "Internal");
    const { app, bob, delivery, telegram } = await createAlertApp({ telegram: () => answer });
    const id = await addWatchedMonitor(app, bob, [await addChannel(app, bob)]);
    await runDeliveries(app, delivery);
    const count = countStatements(app.db);
    const runFor = async (seconds: number) => {
      count();
      for (let second = 0; second < seconds; second++) {
        await app.clock.advance(SECOND);
        await delivery.run();
      }
      return count();
    };
    expect(await runFor(3600)).toBe(0);
    await recordDown(app, id);
    await runDeliveries(app, delivery);
    expect(telegram.messages).toHaveLength(1);
    expect(await runFor(4)).toBe(0);
    answer = null;
    await app.clock.advance(SECOND);
    await runDeliveries(app, delivery);
    expect(telegram.messages).toHaveLength(2);
    expect(await runFor(3600)).toBe(0);
  });

  it("a waiting alert is retried on time after the clock was set ahead, and by a process that starts later", async () => {
    const { app, bob, delivery, telegram } = await createAlertApp({ telegram: () => telegramError(500, "Internal") });
    await recordDown(app, await addWatchedMonitor(app, bob, [await addChannel(app, bob)]));
    await runDeliveries(app, delivery);
    await runDeliveries(app, delivery);
    expect(telegram.messages).toHaveLength(1);
    app.clock.set(START + 10 * MINUTE);
    await runDeliveries(app, delivery);
    expect(telegram.messages).toHaveLength(2);
    app.clock.set(START + 20 * MINUTE);
    await runDeliveries(app, createDelivery(app.deps));
    expect(telegram.messages).toHaveLength(3);
  });
});
