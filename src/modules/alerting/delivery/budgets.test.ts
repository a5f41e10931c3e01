import { describe, expect, it } from "bun:test";
import { eq } from "drizzle-orm";
import { INSTANCE_TIMEOUT } from "../../../cluster/instances";
import { events, instances } from "../../../db/schema";
import { MINUTE, SECOND } from "../../../shared/limits";
import { START, until } from "../../../testing/clock";
import {
  addChannel,
  addWatchedMonitor,
  createAlertApp,
  readDeliveries,
  recordDown,
  recover,
  runDeliveries,
  telegramChannel,
} from "../../../testing/fixtures/alerts";
import { runsSlowTests } from "../../../testing/repetitions";
import { dingtalk } from "../../../testing/servers/channel-providers";

const titles = (texts: readonly string[]) => texts.map((text) => text.split("\n")[0] ?? "");

/** A hub that keeps to budgets, with a DingTalk robot of bob's that is shut for ten minutes after 20 messages. */
const setUp = async () => {
  const made = await createAlertApp({ budgets: true, env: { PRIVATE_TARGETS: "all" } });
  const { app, bob, delivery } = made;
  await app.as(bob).put("/api/auth/language", { language: "en-US" });
  const robot = dingtalk(app.clock.now);
  const addRobot = () => addChannel(app, bob, { name: "robot", type: "dingtalk", config: robot.config });
  const addMonitors = async (channels: number[], count: number): Promise<number[]> => {
    const ids: number[] = [];
    while (ids.length < count) ids.push(await addWatchedMonitor(app, bob, channels, `shop-${ids.length + 1}`));
    return ids;
  };
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      await app.clock.advance(SECOND);
      await runDeliveries(app, delivery);
    }
  };
  const test = (channel: number) => app.as(bob).post(`/api/notifications/channels/${channel}/test`, {});
  return { ...made, robot, addRobot, addMonitors, pass, test };
};

describe("the budget of a channel", () => {
  it.if(runsSlowTests)(
    "keeps a robot open that is shut after 20 messages in a minute, and the last states get through",
    async () => {
      const { app, delivery, robot, addRobot, addMonitors, pass } = await setUp();
      const ids = await addMonitors([await addRobot()], 60);
      for (const id of ids) {
        await recordDown(app, id);
        await delivery.run();
        await pass(1);
      }
      for (const id of ids) await recover(app, id);
      await pass(MINUTE / SECOND);
      expect((await readDeliveries(app)).every(({ state, attempts }) => state === "sent" && attempts === 1)).toBe(true);
      expect(titles(robot.shown).at(-1)).toBe("🟢 60 up again");
      expect(robot.requests.length).toBe(robot.shown.length);
      expect(robot.requests.length).toBeLessThan(60);
    },
  );

  it.if(runsSlowTests)(
    "shows the last state within eleven minutes when others have shut the robot for ten",
    async () => {
      const { app, delivery, robot, addRobot, addMonitors, pass } = await setUp();
      const other = await createAlertApp({ env: { PRIVATE_TARGETS: "all" } });
      const twin = { name: "robot", type: "dingtalk", config: robot.config };
      const channel = await addChannel(other.app, other.bob, twin);
      for (let sent = 0; sent < 21; sent++)
        await other.app.as(other.bob).post(`/api/notifications/channels/${channel}/test`, {});
      const ids = await addMonitors([await addRobot()], 30);
      robot.shown.length = 0;
      for (const id of ids) await recordDown(app, id);
      await delivery.run();
      await pass(10);
      for (const id of ids.slice(1)) await recover(app, id);
      await pass(650);
      expect(app.clock.now() - START).toBe(11 * MINUTE);
      expect(titles(robot.shown)).toEqual(["🔴 1 down · 🟢 29 up again"]);
    },
  );

  it("counts test messages, too", async () => {
    const { app, robot, addRobot, addMonitors, pass, delivery, test } = await setUp();
    const channel = await addRobot();
    for (let sent = 0; sent < 18; sent++) expect((await test(channel)).status).toBe(200);
    await recordDown(app, (await addMonitors([channel], 1))[0]!);
    await runDeliveries(app, delivery);
    await pass(59);
    expect(robot.shown).toHaveLength(18);
    await pass(1);
    expect(robot.shown).toHaveLength(19);
    // A person who tries a channel does not wait.
    expect((await test(channel)).status).toBe(200);
  });

  it("is shared by the instances that are alive", async () => {
    const { app, robot, addRobot, addMonitors, delivery } = await setUp();
    await app.db.insert(instances).values({ id: "another", seenAt: START + 10 * MINUTE });
    const channel = await addRobot();
    for (const id of await addMonitors([channel], 12)) {
      await recordDown(app, id);
      await delivery.run();
      await until(async () => (await readDeliveries(app)).every(({ claimedBy }) => claimedBy === null), "the answers");
    }
    expect(robot.shown).toHaveLength(9);
    await app.db
      .update(instances)
      .set({ seenAt: START - INSTANCE_TIMEOUT })
      .where(eq(instances.id, "another"));
    await runDeliveries(app, delivery);
    expect(robot.shown).toHaveLength(12);
  });

  it("does not let a flood of one user delay the alert of another", async () => {
    const { app, charlie, delivery, robot, addRobot, addMonitors, telegram } = await setUp();
    for (const id of await addMonitors([await addRobot()], 150)) await recordDown(app, id);
    await recordDown(app, await addWatchedMonitor(app, charlie, [await addChannel(app, charlie)]));
    await delivery.run();
    await until(() => telegram.messages.length === 1, "the alert of the other user");
    await runDeliveries(app, delivery);
    expect(titles(robot.shown)).toEqual(["🔴 150 down"]);
  });

  it("makes drills wait, and never puts them into one message", async () => {
    const { app, bob, delivery, addMonitors, pass, telegram } = await setUp();
    const ids = await addMonitors([await addChannel(app, bob, telegramChannel())], 8);
    for (const id of ids) await recordDown(app, id);
    await app.db.update(events).set({ drill: true });
    await runDeliveries(app, delivery);
    expect(telegram.messages).toHaveLength(5);
    await pass(5);
    expect(telegram.messages).toHaveLength(8);
  });
});
