import { describe, expect, it } from "bun:test";
import { START } from "../../../../testing/clock";
import { createSuspiciousHub as setUp, WORKING } from "../../../../testing/fixtures/own-network";

describe("a failure", () => {
  it("of a target is checked again at once when a healthy target of another network answers", async () => {
    const { dead, fail, judgement, asked, suspicion, pass } = setUp();
    await pass(20_000);
    dead.add(1);
    expect(await judgement(fail(1))).toBe("again");
    expect(asked.length).toBeGreaterThan(0);
    expect(asked).not.toContain(1);
    expect(suspicion.lostSince()).toBeNull();
  });

  it("is checked again although another target was reached while its check ran, because a cut may have ended during it", async () => {
    const { dead, fail, judgement, pass, reached, clock } = setUp();
    await pass(10_000);
    dead.add(1);
    reached(2);
    expect(await judgement(fail(1, { startedAt: clock.now() - 5000 }))).toBe("again");
  });

  it("that is an answer counts without another check", async () => {
    const { fail, judgement, pass } = setUp();
    await pass(20_000);
    expect(await judgement(fail(1, { code: "status" }))).toBe("failed");
  });

  it("of a target on this machine, or by the settings, asks nothing", async () => {
    const { judgement, asked, suspicion } = setUp();
    const failed = { monitorId: 1, host: "127.0.0.1", address: "127.0.0.1", startedAt: START, fresh: true };
    expect(await suspicion.judge({ ...failed, code: "refused" })).toBe("failed");
    const { fail } = setUp();
    expect(await judgement(fail(1, { code: "blocked_private" }))).toBe("failed");
    expect(asked).toEqual([]);
  });

  it("of a monitor that was down before asks nothing while the own network is not suspect", async () => {
    const { fail, judgement, asked } = setUp();
    expect(await judgement(fail(1, { fresh: false }))).toBe("failed");
    expect(asked).toEqual([]);
  });

  it("of half of all targets in one data centre counts", async () => {
    const { dead, fail, judgement, ids, changes } = setUp({ targets: 20, addressOf: (id) => `10.${id % 2}.${id}.1` });
    const failed = ids.filter((id) => id % 2 === 0);
    for (const id of failed) dead.add(id);
    const judged = failed.map((id) => fail(id));
    for (const one of judged) expect(await judgement(one)).toBeOneOf(["failed", "again"]);
    expect(changes).toEqual([]);
  });
});

it("many failures are few requests to healthy targets: one round a second at most", async () => {
  const { dead, fail, judgement, asked, ids, pass } = setUp({ targets: 60 });
  await pass(20_000);
  const failed = ids.slice(0, 50);
  for (const id of failed) dead.add(id);
  const judged = [];
  for (const id of failed) {
    judged.push(fail(id));
    await Bun.sleep(0);
  }
  expect(asked.length).toBeLessThanOrEqual(3);
  // Most networks fail at once, as in a short cut.
  for (const one of judged) expect(await judgement(one)).toBe("replace");
  expect(asked.length).toBeLessThanOrEqual(6);
});

it("a target that is down is not asked any more, so that it is no evidence of a cut later", async () => {
  const { world, dead, fail, judgement, asked, suspicion, pass } = setUp({ targets: 3 });
  for (const id of [1, 2]) {
    dead.add(id);
    await judgement(fail(id));
    suspicion.failed(id, `10.0.${id}.1`, `10.0.${id}.1`);
  }
  dead.add(3);
  await pass(60_000);
  asked.length = 0;
  world.witnesses = { ...WORKING, channels: "silent" };
  expect(await judgement(fail(3))).toBe("again");
  expect(asked).toEqual([]);
});

it("failures that are held are given back at the stop, and later ones, too", async () => {
  const { world, fail, judgement, suspicion } = setUp();
  world.cut = true;
  const judged = fail(1);
  suspicion.stop();
  expect(await judgement(judged)).toBe("unknown");
  expect(await judgement(fail(2))).toBe("unknown");
});
