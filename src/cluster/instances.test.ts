import { describe, expect, it } from "bun:test";
import { instances } from "../db/schema";
import { createTestApp } from "../testing/app";
import { START } from "../testing/clock";
import { createHeartbeat, INSTANCE_TIMEOUT } from "./instances";

const setUp = async () => {
  const { db, clock, deps } = await createTestApp();
  const heartbeat = createHeartbeat({ db, clock, instance: "one" });
  const beatAt = async (time: number) => {
    clock.set(time);
    return heartbeat.beat();
  };
  return { db, clock, deps, heartbeat, beatAt };
};

describe("a heartbeat", () => {
  it("is written every five seconds, and at once when the clock went back", async () => {
    const { db, beatAt } = await setUp();
    const beats = [];
    for (const second of [0, 1, 4, 5, 9, 10, 3]) beats.push(await beatAt(START + second * 1000));
    expect(beats).toEqual([true, false, false, true, false, true, true]);
    expect(await db.select().from(instances)).toEqual([{ id: "one", seenAt: START + 3000, blindSince: null }]);
  });

  it("decides by its age whether another instance is dead", async () => {
    const { beatAt, heartbeat } = await setUp();
    await beatAt(START);
    expect(heartbeat.deadAt()).toBe(START - INSTANCE_TIMEOUT);
  });

  it("after an interruption gives other instances a grace period to write theirs", async () => {
    const { db, clock, beatAt, heartbeat } = await setUp();
    await beatAt(START);
    for (const after of [START + 600_000, START - 3_600_000]) {
      await beatAt(after);
      // On SQLite there are no other instances.
      expect(heartbeat.deadAt()).toBe(db.engine === "sqlite" ? after - INSTANCE_TIMEOUT : 0);
      for (const second of [5, 10]) await beatAt(after + second * 1000);
      expect(heartbeat.deadAt()).toBe(clock.now() - INSTANCE_TIMEOUT);
    }
  });
});
