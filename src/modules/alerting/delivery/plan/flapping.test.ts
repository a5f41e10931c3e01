import { describe, expect, it } from "bun:test";
import { asc, eq } from "drizzle-orm";
import { madeBy } from "../../../../db/owner";
import { deliveries, events, flappingTargets, monitors, outages } from "../../../../db/schema";
import { MINUTE } from "../../../../shared/limits";
import type { EventKind } from "../../../../shared/notifications";
import { START } from "../../../../testing/clock";
import { enrollAgent } from "../../../../testing/fixtures/agents";
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
} from "../../../../testing/fixtures/alerts";
import { seeds } from "../../../../testing/random";
import { repetitions } from "../../../../testing/repetitions";
import { createDelivery } from "../deliver";

type Options = Parameters<typeof createAlertApp>[0];

/** A monitor of bob's with one channel, and what changes it at a minute after the start. */
const setUp = async (options: Options = {}) => {
  const world = await createAlertApp({ ...options, env: { ALERT_FLAP_CHANGES: "4", ...options?.env } });
  const { app, bob, delivery } = world;
  const channel = await addChannel(app, bob);
  const monitor = await addWatchedMonitor(app, bob, [channel]);
  let isUp = true;
  let checkedAt = 0;
  const run = async (minute: number) => {
    app.clock.set(START + minute * MINUTE);
    await runDeliveries(app, delivery);
  };
  /** Takes the time to a minute after the start. While the monitor is down, a check fails each minute. */
  const at = async (minute: number) => {
    while (!isUp && checkedAt + 1 <= minute) {
      app.clock.set(START + ++checkedAt * MINUTE);
      await recordDown(app, monitor);
      await runDeliveries(app, delivery);
    }
    await run(minute);
  };
  /** Changes the monitor at a minute after the start. */
  const change = async (minute: number) => {
    if (minute > checkedAt) await at(minute - 0.01);
    checkedAt = minute;
    app.clock.set(START + minute * MINUTE);
    isUp = !isUp;
    await (isUp ? recover(app, monitor) : recordDown(app, monitor));
    await runDeliveries(app, delivery);
  };
  /** The messages that were sent: their purposes and events, and how many changes there were. */
  const sent = async () => {
    const kinds = new Map((await readEvents(app)).map(({ id, kind }) => [id, kind]));
    return (await readDeliveries(app))
      .filter(({ state }) => state === "sent")
      .map(({ purpose, eventId, sequence }) =>
        purpose === "alert" ? kinds.get(eventId) : `${purpose} ${kinds.get(eventId)} ${sequence}`,
      );
  };
  const rows = () => app.db.select().from(flappingTargets);
  return { ...world, channel, monitor, at, change, sent, rows };
};

const UNSTABLE = ["down", "recovery", "down", "flapping recovery 4"];

/** The messages about changes at these minutes, by the plain rule. */
const modelOf = (minutes: readonly number[]): string[] => {
  const messages: string[] = [];
  let counted: number[] = [];
  let unstable: { changes: number; last: number } | null = null;
  const nameOf = (index: number) => (index % 2 === 0 ? "down" : "recovery");
  const settle = (now: number, index: number) => {
    const isDown = nameOf(index) === "down";
    if (!unstable || now < unstable.last + (isDown ? 3 : 15)) return;
    messages.push(`settled ${nameOf(index)} ${unstable.changes}`);
    unstable = null;
    if (!isDown) counted = [];
  };
  for (const [index, minute] of minutes.entries()) {
    // Events at the end of the time come first.
    settle(minute - 0.01, index - 1);
    counted = [...counted, minute].filter((one) => one > minute - 30);
    if (unstable) {
      unstable = { changes: unstable.changes + 1, last: minute };
      continue;
    }
    if (counted.length < 4) messages.push(nameOf(index));
    else {
      messages.push(`flapping ${nameOf(index)} ${counted.length}`);
      unstable = { changes: counted.length, last: minute };
    }
  }
  settle(Number.POSITIVE_INFINITY, minutes.length - 1);
  return messages;
};

/** Pseudo-random numbers from 0 to 1 by a seed. */
const randomOf = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};

describe("a target that changes four times within half an hour", () => {
  it("is announced as unstable, then silent, and announced again once it has been up for 15 minutes", async () => {
    const { change, at, sent, rows, telegram } = await setUp();
    for (const minute of [0, 1, 2, 3, 5, 6, 7, 8]) await change(minute);
    expect(await sent()).toEqual(UNSTABLE);
    expect(await rows()).toMatchObject([{ changes: 8, settlesAt: START + 23 * MINUTE, kind: "down" }]);
    await at(22.9);
    expect(await sent()).toEqual(UNSTABLE);
    await at(23);
    expect(await sent()).toEqual([...UNSTABLE, "settled recovery 8"]);
    expect(await rows()).toEqual([]);
    await change(24);
    expect(await sent()).toEqual([...UNSTABLE, "settled recovery 8", "down"]);
    expect(telegram.messages[3]?.text).toContain("状态反复变化");
  });

  it("and then stays down is announced after three failed checks, and so is its recovery", async () => {
    const { app, bob, change, at, sent, telegram } = await setUp();
    await app.as(bob).put("/api/auth/language", { language: "en-US" });
    for (const minute of [0, 1, 2, 3, 4]) await change(minute);
    await at(6.9);
    expect(await sent()).toEqual(UNSTABLE);
    await at(7);
    expect(await sent()).toEqual([...UNSTABLE, "settled down 5"]);
    const [title, line] = telegram.texts().at(-1)?.split("\n") ?? [];
    expect(title).toBe("🔴 shop is down, and stays down");
    expect(line).toMatch(/^4 checks in a row failed since .*12:24:00.* \(before that it changed 4 times\)$/);
    await change(9);
    expect(await sent()).toEqual([...UNSTABLE, "settled down 5", "flapping recovery 6"]);
  });

  it("is silent while each outage is shorter than three checks, and announced with each that is not", async () => {
    const { change, sent } = await setUp();
    for (const minute of [0, 1, 2, 3, 4, 6, 7, 9, 10, 14, 15, 17]) await change(minute);
    expect(await sent()).toEqual([...UNSTABLE, "settled down 9", "flapping recovery 10"]);
  });

  it("is not said to stay down before its third failed check", async () => {
    const { app, change, sent, monitor, delivery } = await setUp();
    for (const minute of [0, 1, 2, 3, 4]) await change(minute);
    const runAt = async (minute: number) => {
      app.clock.set(START + minute * MINUTE);
      await runDeliveries(app, delivery);
    };
    await runAt(12);
    expect(await sent()).toEqual(UNSTABLE);
    await recordDown(app, monitor);
    await runAt(12.5);
    expect(await sent()).toEqual(UNSTABLE);
    await recordDown(app, monitor);
    await runAt(12.5);
    expect(await sent()).toEqual([...UNSTABLE, "settled down 5"]);
  });

  it("is said to stay down after three minutes, however long its interval is, once three checks have failed", async () => {
    const { app, change, at, sent, monitor } = await setUp();
    await app.db.update(monitors).set({ interval: 600 }).where(eq(monitors.id, monitor));
    for (const minute of [0, 1, 2, 3, 4]) await change(minute);
    await at(6.9);
    expect(await sent()).toEqual(UNSTABLE);
    await at(7);
    expect(await sent()).toEqual([...UNSTABLE, "settled down 5"]);
  });

  it.each(seeds(repetitions(1, 12)))("agrees with a plain model, by seed %i", async (seed) => {
    const { change, at, sent } = await setUp();
    const random = randomOf(seed * 7919);
    const gaps = [1, 2, 4, 7, 9, 14, 16, 20, 31];
    const minutes: number[] = [];
    for (let index = 0; index < 18; index++)
      minutes.push((minutes.at(-1) ?? 0) + (gaps[Math.floor(random() ** 1.6 * gaps.length)] ?? 1));
    for (const [index, minute] of minutes.entries()) {
      await change(minute);
      if ((minutes[index + 1] ?? Number.POSITIVE_INFINITY) > minute + 15) await at(minute + 15);
    }
    expect(await sent()).toEqual(modelOf(minutes));
  });

  it("is announced by the first change that its rule selects", async () => {
    const { app, bob, channel, change, at, sent } = await setUp();
    await saveRule(app, bob, { target_type: "global-monitor", channels: [channel], on_recovery: false });
    for (const minute of [0, 1, 2, 3, 4, 5]) await change(minute);
    await at(20);
    expect(await sent()).toEqual(["down", "down", "flapping down 5"]);
  });
});

describe("an unstable target", () => {
  it("goes on where another instance or a restart takes over", async () => {
    const { app, change, sent, delivery } = await setUp();
    for (const minute of [0, 1, 2, 3, 4]) await change(minute);
    const others = [createDelivery(app.deps), createDelivery({ ...app.deps, instance: "other" })];
    app.clock.set(START + 19 * MINUTE);
    await Promise.all(others.map((other) => other.run()));
    await runDeliveries(app, delivery);
    expect(await sent()).toEqual([...UNSTABLE, "settled down 5"]);
  });

  it("settles after 15 minutes, also when the clock is set back", async () => {
    const { change, at, sent } = await setUp();
    for (const minute of [100, 101, 102, 103]) await change(minute);
    await at(43);
    await at(57.9);
    expect(await sent()).toEqual(UNSTABLE);
    await at(58);
    expect(await sent()).toEqual([...UNSTABLE, "settled recovery 4"]);
  });

  it("is not announced when it is paused, and forgotten when it is deleted", async () => {
    const { app, bob, monitor, change, at, sent, rows } = await setUp();
    for (const minute of [0, 1, 2, 3, 4]) await change(minute);
    await app.as(bob).post(`/api/monitors/${monitor}/pause`);
    await at(19);
    expect([await sent(), await rows()]).toEqual([UNSTABLE, []]);
    await app.as(bob).post(`/api/monitors/${monitor}/resume`);
    for (const minute of [20, 21, 22, 23, 24]) await change(minute);
    expect(await rows()).toHaveLength(1);
    await app.as(bob).delete(`/api/monitors/${monitor}`);
    expect(await rows()).toEqual([]);
  });

  it("is announced after a mute, in its last state", async () => {
    const { app, bob, monitor, change, at, sent } = await setUp();
    for (const minute of [0, 1, 2]) await change(minute);
    await app.as(bob).post(`/api/monitors/${monitor}/mute`, { minutes: 10 });
    for (const minute of [3, 4, 5, 6]) await change(minute);
    expect(await sent()).toEqual(["down", "recovery", "down"]);
    await at(12);
    await at(21);
    expect((await sent()).slice(3)).toEqual(["down"]);
  });

  it("is announced when its outage is acknowledged, without further steps", async () => {
    const { app, bob, change, at, sent } = await setUp();
    for (const minute of [0, 1, 2, 3, 4]) await change(minute);
    const [open] = (await app.as(bob).get("/api/outages?open=1")).body.outages;
    expect(open?.flapping).toBe(true);
    await app.as(bob).post(`/api/outages/${open?.id}/acknowledge`, {});
    await at(19);
    expect((await sent()).at(-1)).toBe("settled down 5");
    await change(20);
    expect((await sent()).at(-1)).toBe("flapping recovery 6");
    const [outage] = await app.db
      .select()
      .from(outages)
      .where(eq(outages.id, Number(open?.id)));
    expect(outage?.flapping).toBe(false);
  });

  it("is announced together with others that wait for the grouping time, and its message is not withdrawn", async () => {
    const { change, at, sent, telegram } = await setUp({ env: { ALERT_GROUP_SECONDS: "30" } });
    for (const minute of [0, 1, 2, 3, 3.1, 3.2]) await change(minute);
    await at(4);
    expect((await sent()).filter((message) => message?.startsWith("flapping"))).toEqual(["flapping recovery 4"]);
    await at(19);
    await at(20);
    expect((await sent()).at(-1)).toBe("settled recovery 6");
    expect(telegram.messages.at(-1)?.text).toContain("6 次变化后已正常运行 15 分钟");
  });

  it("is unstable in one figure, and others are sent", async () => {
    const { app, bob, delivery, channel } = await setUp();
    const agent = await enrollAgent(app, bob);
    const selected = { on_cpu_threshold: true, on_memory_threshold: true };
    await saveRule(app, bob, { target_type: "global-agent", channels: [channel], ...selected });
    const write = async (kind: EventKind, minute: number) => {
      app.clock.set(START + minute * MINUTE);
      const target = { targetType: "agent", targetId: agent.id, targetName: "db" } as const;
      await app.db.insert(events).values({ ...madeBy(bob), kind, ...target, at: app.clock.now() });
      await runDeliveries(app, delivery);
    };
    for (const minute of [1, 3, 5]) {
      await write("cpu_high", minute);
      await write("cpu_normal", minute + 1);
    }
    await write("memory_high", 7);
    const rows = await app.db.select().from(deliveries).where(eq(deliveries.state, "sent")).orderBy(asc(deliveries.id));
    expect(rows.map(({ purpose, sequence }) => [purpose, sequence])).toEqual([
      ["alert", 0],
      ["alert", 0],
      ["alert", 0],
      ["flapping", 4],
      ["alert", 0],
    ]);
    expect(await app.db.select().from(flappingTargets)).toMatchObject([{ kind: "cpu", changes: 6 }]);
  });
});
