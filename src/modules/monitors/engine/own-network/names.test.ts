import { describe, expect, it } from "bun:test";
import { createSuspiciousHub as setUp, WORKING } from "../../../../testing/fixtures/own-network";
import type { Witnesses } from "./decide";

describe("a name server that leads all names to one address, while targets are reached by their addresses", () => {
  const LYING: Witnesses = { ...WORKING, nameServers: "silent" };
  /** A hub whose targets 1 to 3 are known by names. The name server leads these to the address of a fourth. */
  const lie = () => {
    const hub = setUp({ nameOf: (id) => (id <= 3 ? `shop${id}.example` : null) });
    for (const id of hub.ids) hub.reached(id, { verified: true });
    for (const id of [1, 2, 3]) hub.dead.add(id);
    hub.world.witnesses = LYING;
    const cuts: object[] = [];
    hub.suspicion.reportCutsTo((cut) => cuts.push(cut));
    const failByName = (id: number) => hub.fail(id, { code: "tls_wrong_name", address: "10.0.4.1" });
    return { ...hub, cuts, failByName };
  };

  it("makes failures by name say nothing, and failures by address count", async () => {
    const { dead, fail, failByName, judgement, reached, changes, wrongNames, pass } = lie();
    const judged = [1, 2, 3].map(failByName);
    await pass(1000);
    reached(5, { verified: true });
    for (const one of judged) expect(await judgement(one)).toBe("unknown");
    expect([changes, wrongNames.length]).toEqual([[], 1]);
    dead.add(6);
    const both = [fail(6), failByName(1)];
    expect(await judgement(both[0] as (typeof both)[0])).toBe("again");
    expect(await judgement(both[1] as (typeof both)[0])).toBe("unknown");
    expect(changes).toEqual([]);
  });

  it("is no cut, also where a target fails by its address at the same time", async () => {
    const { dead, fail, failByName, judgement, reached, cuts, pass } = lie();
    dead.add(6);
    for (let round = 0; round < 3; round++) {
      const judged = [failByName(1), failByName(2), fail(6), failByName(3)];
      await pass(1000);
      reached(5, { verified: true });
      const judgements = await Promise.all(judged.map(judgement));
      expect(judgements).toEqual(["unknown", "unknown", "again", "unknown"]);
    }
    expect(cuts).toEqual([]);
  });

  it("lets failures by name be checked again for a minute after it, because a cached answer may be wrong", async () => {
    const { world, dead, failByName, judgement, pass } = lie();
    expect(await judgement(failByName(1))).toBe("unknown");
    world.witnesses = WORKING;
    for (const id of [2, 3]) dead.delete(id);
    await pass(11_000);
    expect(await judgement(failByName(1))).toBe("again");
    await pass(61_000);
    expect(await judgement(failByName(1))).toBe("failed");
  });

  it("makes failures by name say nothing for ten seconds after it, while some names are still wrong", async () => {
    const { world, dead, failByName, fail, judgement, pass } = lie();
    expect(await judgement(failByName(1))).toBe("unknown");
    world.witnesses = WORKING;
    for (const id of [2, 3]) dead.delete(id);
    dead.add(6);
    await pass(9000);
    expect(await judgement(failByName(1))).toBe("unknown");
    expect(await judgement(fail(6))).toBe("again");
    await pass(1000);
    expect(await judgement(failByName(1))).toBe("again");
  });

  it("makes a single failure by name say nothing, if no other target is known by its name", async () => {
    const { failByName, judgement, suspicion } = lie();
    for (const id of [2, 3]) suspicion.failed(id, `shop${id}.example`, `10.0.${id}.1`);
    expect(await judgement(failByName(1))).toBe("unknown");
  });

  it("is none when a target is reached by its name, or the name servers answer truthfully", async () => {
    const { world, dead, failByName, judgement, wrongNames } = lie();
    dead.delete(2);
    expect(await judgement(failByName(1))).toBe("failed");
    dead.add(2);
    world.witnesses = WORKING;
    expect(await judgement(failByName(1))).toBeOneOf(["failed", "again"]);
    expect(wrongNames).toEqual([]);
  });
});
