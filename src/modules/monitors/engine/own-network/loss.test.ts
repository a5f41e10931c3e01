import { describe, expect, it } from "bun:test";
import { START, until } from "../../../../testing/clock";
import { CUT, createSuspiciousHub as setUp, WORKING } from "../../../../testing/fixtures/own-network";
import type { Witnesses } from "./decide";
import type { Judgement } from "./held";

describe("the own network", () => {
  it("is lost when nothing outside answers, and every check that failed in it says nothing", async () => {
    const { world, fail, judgement, suspicion, pass, changes, clock } = setUp();
    await pass(5000);
    world.cut = true;
    await pass(10_000);
    const judged = [fail(1), fail(2), fail(3, { fresh: false })];
    await pass(20_000);
    for (const one of judged) expect(await judgement(one)).toBe("unknown");
    // The last success before the cut, and not the first failure.
    expect(suspicion.lostSince()).toBe(START);
    expect(await judgement(fail(4))).toBe("unknown");
    world.cut = false;
    await pass(4000);
    expect(suspicion.lostSince()).toBeNull();
    expect(changes).toEqual([true, false]);
    expect(clock.now() - START).toBeLessThan(60_000);
  });

  it("is lost by a single failure, before targets of other networks fail by themselves", async () => {
    const { world, fail, judgement, pass, suspicion } = setUp();
    world.cut = true;
    const first = fail(1);
    await pass(10_000);
    expect(await judgement(first)).toBe("unknown");
    expect(suspicion.lostSince()).toBe(START);
  });

  it("is back as soon as a check in flight reaches a target", async () => {
    const { world, fail, judgement, pass, suspicion, reached } = setUp();
    world.cut = true;
    const first = fail(1);
    await pass(10_000);
    expect(await judgement(first)).toBe("unknown");
    reached(5);
    expect(suspicion.lostSince()).toBeNull();
  });

  it("whose cut was shorter than a check leads to another check of each target that failed in it", async () => {
    const { fail, judgement, pass, changes } = setUp();
    await pass(30_000);
    // The network works again when these are judged.
    const judged = [1, 2, 3, 4].map((id) => fail(id, { code: "unreachable_network", startedAt: START + 30_000 }));
    for (const one of judged) expect(await judgement(one)).toBe("again");
    expect(changes).toEqual([]);
  });

  it("whose cut ends before it counts as lost reports from when to when nothing was reached", async () => {
    const { world, fail, judgement, pass, changes, suspicion, reached } = setUp();
    const cuts: { from: number; to: number }[] = [];
    suspicion.reportCutsTo((cut) => cuts.push(cut));
    await pass(4000);
    reached(2);
    world.cut = true;
    await pass(3000);
    const judged = [fail(1), fail(2), fail(3)];
    await pass(1000);
    world.cut = false;
    // They say nothing of their targets.
    for (const one of judged) expect(await judgement(one)).toBe("replace");
    expect(changes).toEqual([]);
    expect(cuts).toHaveLength(1);
    expect(cuts[0]?.from).toBe(START + 4000);
    expect(cuts[0]?.to).toBeWithin(START + 8000, START + 12_001);
  });

  it("whose cut ends between the silence of targets and the answers of witnesses reports it, too", async () => {
    for (const isReachedFirst of [true, false]) {
      const { world, dead, ids, fail, judgement, pass, changes, suspicion, reached, asked } = setUp();
      const cuts: object[] = [];
      suspicion.reportCutsTo((cut) => cuts.push(cut));
      const answers = Promise.withResolvers<void>();
      world.answering = answers.promise;
      for (const id of ids) dead.add(id);
      const judged = [fail(1), fail(2)];
      await until(() => asked.length > 0, "the first round");
      await pass(1000);
      dead.clear();
      if (isReachedFirst) reached(5);
      answers.resolve();
      for (const one of judged) expect(await judgement(one)).toBe("replace");
      expect([changes, cuts.length]).toEqual([[], 1]);
    }
  });

  it("whose cut ends before it counts as lost accuses no sender of a sign that may have been lost in it", async () => {
    const { world, suspicion, pass, clock } = setUp();
    world.cut = true;
    const answers: boolean[] = [];
    void suspicion.works(clock.now() - 1000).then((works) => answers.push(works));
    await pass(1000);
    world.cut = false;
    await pass(5000);
    expect(answers).toEqual([false]);
    expect(await suspicion.works(clock.now() - 1000)).toBe(true);
  });

  it("of which targets of three networks fail at once, while others are reached, was not cut", async () => {
    const { dead, fail, judgement, suspicion } = setUp();
    const cuts: object[] = [];
    suspicion.reportCutsTo((cut) => cuts.push(cut));
    for (const id of [1, 2, 3]) dead.add(id);
    for (const one of [fail(1), fail(2), fail(3)]) expect(await judgement(one)).toBe("again");
    expect(cuts).toEqual([]);
  });

  it("whose name server leads all names to one address is lost, although a target without a verified answer answers", async () => {
    const { world, dead, ids, reached, suspicion, pass } = setUp();
    const named = ids.filter((id) => id !== 6);
    for (const id of named) {
      reached(id, { verified: true });
      dead.add(id);
    }
    world.witnesses = { gateway: "answers", nameServers: "silent", channels: "unknown" };
    const wrong = { address: "10.0.6.1", startedAt: START, code: "refused", fresh: true } as const;
    const judged = named.map((monitorId) => suspicion.judge({ ...wrong, monitorId, host: `shop${monitorId}.example` }));
    await pass(10_000);
    for (const one of judged) expect(await one).toBe("unknown");
  });

  it("whose provider is down while the gateway answers is lost", async () => {
    const { world, dead, ids, fail, judgement, pass } = setUp();
    for (const id of ids) dead.add(id);
    world.witnesses = { gateway: "answers", nameServers: "silent", channels: "silent" };
    const judged = fail(1);
    await pass(10_000);
    expect(await judgement(judged)).toBe("unknown");
  });

  it("is not lost when all targets of many networks fail and a channel's host answers: each is checked again", async () => {
    const { world, dead, ids, fail, judgement, changes } = setUp();
    for (const id of ids) dead.add(id);
    world.witnesses = { gateway: "unknown", nameServers: "silent", channels: "answers" };
    const judged = ids.map((id) => fail(id));
    for (const one of judged) expect(await judgement(one)).toBe("again");
    expect(changes).toEqual([]);
  });

  it("is held for a minute at most when the evidence conflicts, and lost then", async () => {
    const { world, dead, ids, fail, judgement, pass, suspicion } = setUp();
    for (const id of ids) dead.add(id);
    world.witnesses = { gateway: "answers", nameServers: "answers", channels: "silent" };
    const judged = fail(1);
    await pass(40_000);
    expect(judged.judgement).toBeNull();
    await pass(20_000);
    expect(await judgement(judged)).toBe("unknown");
    expect(suspicion.lostSince()).toBe(START);
  });

  it("is not held longer because the clock is set back during the cut", async () => {
    const { world, fail, judgement, pass, suspicion, clock } = setUp();
    world.cut = true;
    const first = fail(1);
    clock.set(START - 7_200_000);
    await pass(10_000);
    expect(await judgement(first)).toBe("unknown");
    expect(suspicion.lostSince()).toBeLessThanOrEqual(START - 7_190_000);
    world.cut = false;
    clock.set(START - 9_000_000);
    await pass(4000);
    expect(suspicion.lostSince()).toBeNull();
  });

  it("of a hub with one target is judged by the gateway and the name servers", async () => {
    for (const [witnesses, expected] of [
      [WORKING, "again"],
      [{ ...WORKING, gateway: "silent" }, "unknown"],
      [{ ...WORKING, nameServers: "silent" }, "unknown"],
      [{ gateway: "unknown", nameServers: "unknown", channels: "silent" }, "again"],
    ] as [Witnesses, Judgement][]) {
      const { world, fail, judgement, pass } = setUp({ targets: 1 });
      world.witnesses = witnesses;
      await pass(20_000);
      const judged = fail(1);
      await pass(10_000);
      expect(await judgement(judged)).toBe(expected);
    }
  });

  it("of a hub with all targets in one network works as long as one of them is reached", async () => {
    const { world, dead, fail, judgement, pass, changes } = setUp({ addressOf: (id) => `10.0.0.${id}` });
    world.witnesses = CUT;
    await pass(20_000);
    dead.add(1);
    expect(await judgement(fail(1))).toBe("again");
    for (const id of [2, 3, 4, 5, 6]) dead.add(id);
    const judged = fail(2);
    await pass(10_000);
    expect(await judgement(judged)).toBe("unknown");
    expect(changes).toEqual([true]);
  });

  it("is not lost for targets on the same link because the way out is", async () => {
    const { world, fail, judgement, pass } = setUp({ targets: 1, addressOf: () => "192.168.1.7" });
    world.witnesses = { gateway: "answers", nameServers: "silent", channels: "silent" };
    await pass(20_000);
    expect(await judgement(fail(1))).toBe("again");
    world.witnesses = { ...world.witnesses, gateway: "silent" };
    await pass(20_000);
    const judged = fail(1);
    await pass(10_000);
    expect(await judgement(judged)).toBe("unknown");
  });

  it("of a hub without monitors is lost since the first sign that is missing", async () => {
    const { world, suspicion, pass, clock } = setUp({ targets: 0 });
    const isWorking = () => suspicion.works(clock.now() - 30_000);
    expect(await isWorking()).toBe(true);
    world.cut = true;
    const asked = isWorking();
    await pass(10_000);
    expect(await asked).toBe(false);
    expect(suspicion.lostSince()).toBe(START - 30_000);
    expect(await isWorking()).toBe(false);
    world.cut = false;
    await pass(4000);
    expect([suspicion.lostSince(), await isWorking()]).toEqual([null, true]);
  });

  it("is not shown to work by targets on the same link, which need no router", async () => {
    const { world, dead, fail, judgement, pass, reached } = setUp({
      addressOf: (id) => (id === 1 ? "192.168.1.7" : `10.0.${id}.1`),
    });
    for (const id of [2, 3, 4, 5, 6]) dead.add(id);
    world.witnesses = { gateway: "answers", nameServers: "silent", channels: "silent" };
    const judged = fail(2);
    reached(1);
    await pass(10_000);
    expect(await judgement(judged)).toBe("unknown");
  });

  it("works for a target on the same link when another on it is reached", async () => {
    const { world, dead, fail, judgement } = setUp({ addressOf: (id) => `192.168.${id}.7` });
    dead.add(1);
    world.witnesses = { gateway: "answers", nameServers: "silent", channels: "silent" };
    expect(await judgement(fail(1))).toBe("again");
  });

  it("behind a captive portal that answers 200 to everything is lost: only verified answers count", async () => {
    const { world, dead, fail, judgement, reached, pass, asked } = setUp();
    for (const id of [1, 2, 3]) reached(id, { verified: true });
    // The portal answers for all, and only the checks of 1, 2 and 3 notice the difference.
    for (const id of [1, 2, 3]) dead.add(id);
    world.witnesses = { gateway: "answers", nameServers: "silent", channels: "silent" };
    await pass(1000);
    const judged = [fail(1, { code: "tls_self_signed" }), fail(2, { code: "keyword_missing" })];
    for (const id of [4, 5, 6]) reached(id);
    await pass(10_000);
    for (const one of judged) expect(await judgement(one)).toBe("unknown");
    expect(asked.filter((id) => id > 3)).toEqual([]);
  });

  it("is suspected when names of targets can't be resolved, for which no check fails", async () => {
    const { world, suspicion, pass } = setUp();
    world.cut = true;
    for (let second = 0; second < 10; second++) {
      suspicion.unresolved(9, "shop.example");
      await pass(1000);
    }
    expect(suspicion.lostSince()).toBe(START);
    world.cut = false;
    await pass(4000);
    expect(suspicion.lostSince()).toBeNull();
  });

  it("after a start in a cut is lost before a target is accused", async () => {
    const { world, fail, judgement, pass } = setUp({ targets: 0 });
    world.witnesses = { gateway: "answers", nameServers: "unknown", channels: "silent" };
    const judged = [fail(1), fail(2)];
    await pass(5000);
    expect(judged.map((one) => one.judgement)).toEqual([null, null]);
    judged.push(fail(3), fail(4));
    await pass(10_000);
    for (const one of judged) expect(await judgement(one)).toBe("unknown");
  });
});
