import { expect, it } from "bun:test";
import { processDialect } from "../../../../core/config";
import { madeBy } from "../../../../db/owner";
import { events, outages } from "../../../../db/schema";
import { SECOND } from "../../../../shared/limits";
import { createDependentHub } from "../../../../testing/fixtures/dependencies";
import { fc } from "../../../../testing/property";
import { repetitions } from "../../../../testing/repetitions";
import { planNext } from "./plan";

const NAMES = ["a", "b", "c", "d", "e", "f"] as const;

type Monitor = { truth: "up" | "down"; paused: boolean; parents: string[]; outage: "alerted" | "explained" | null };

/** The messages by the rules: each step ends when nothing more happens. */
const createModel = () => {
  const monitors = new Map<string, Monitor>(
    NAMES.map((name) => [name, { truth: "up", paused: false, parents: [], outage: null }]),
  );
  const of = (name: string): Monitor => monitors.get(name) as Monitor;
  let sent: string[] = [];

  const reaches = (from: string, to: string): boolean =>
    from === to || of(from).parents.some((parent) => reaches(parent, to));
  const isExplained = (name: string): boolean =>
    of(name).parents.some((parent) => of(parent).outage !== null || isExplained(parent));

  const open = (name: string): void => {
    const monitor = of(name);
    monitor.outage = "explained";
    if (!isExplained(name)) for (const parent of monitor.parents) check(parent);
    if (isExplained(name)) return;
    monitor.outage = "alerted";
    sent.push(`🔴 ${name} is down`);
  };
  const close = (name: string, silently = false): void => {
    if (of(name).outage === "alerted" && !silently) sent.push(`🟢 ${name} is up again`);
    of(name).outage = null;
    release();
  };
  /** Outages whose explanation is over: their target is checked once. */
  const release = (): void => {
    for (const name of NAMES) {
      if (of(name).outage !== "explained" || isExplained(name)) continue;
      if (of(name).truth === "up") close(name);
      else {
        of(name).outage = "alerted";
        sent.push(`🔴 ${name} is down`);
      }
    }
  };
  const check = (name: string): void => {
    const { truth, paused, outage } = of(name);
    if (paused) return;
    if (truth === "down" && outage === null) open(name);
    if (truth === "up" && outage !== null) close(name);
  };

  return {
    of,
    check,
    /** Whether the dependencies can be saved. */
    depend: (child: string, parents: string[]): boolean => {
      if (parents.some((parent) => reaches(parent, child))) return false;
      of(child).parents = parents;
      release();
      return true;
    },
    /** For good. */
    pause: (name: string): void => {
      of(name).paused = true;
      close(name, true);
    },
    /** Messages since the last call, in no order. */
    sent: (): string[] => {
      const all = sent.toSorted();
      sent = [];
      return all;
    },
  };
};

const name = fc.constantFrom(...NAMES);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("turn" as const), name }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("change" as const), name }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("check" as const), name }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("depend" as const),
      name,
      parents: fc.uniqueArray(name, { maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pause" as const), name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restart" as const), name }) },
);

it("random dependencies and outages are alerted, explained and withdrawn as a plain model says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
      const hub = await createDependentHub(NAMES);
      const model = createModel();
      await hub.check(...NAMES);
      await hub.run();
      for (const taken of steps) {
        const monitor = model.of(taken.name);
        if (taken.kind === "turn" || taken.kind === "change") {
          monitor.truth = monitor.truth === "up" ? "down" : "up";
          hub.set(monitor.truth, taken.name);
        }
        if (taken.kind === "turn" || taken.kind === "check") {
          await hub.check(taken.name);
          model.check(taken.name);
        }
        if (taken.kind === "depend" && model.depend(taken.name, taken.parents))
          await hub.depend(taken.name, ...taken.parents);
        if (taken.kind === "pause") {
          model.pause(taken.name);
          await hub.setActive(taken.name, false);
        }
        if (taken.kind === "restart") await hub.restart();
        expect((await hub.run()).toSorted()).toEqual(model.sent());
        expect(await hub.held()).toBe(0);
        const explained = Object.entries(await hub.explained()).map(([open, by]) => `${open} ${by !== null}`);
        const expected = NAMES.filter((one) => model.of(one).outage !== null).map(
          (one) => `${one} ${model.of(one).outage === "explained"}`,
        );
        expect(explained.toSorted()).toEqual(expected);
        await hub.app.clock.advance(60_000);
      }
    }),
    { numRuns: processDialect === "sqlite" ? repetitions(5, 25) : repetitions(3, 6) },
  );
}, 120_000);

it("more held events than are read at a time are all planned when they wait for nothing", async () => {
  const { app, bob, held } = await createDependentHub([]);
  const at = app.clock.now();
  const ids = Array.from({ length: 1100 }, (_, index) => index + 1);
  const rows = ids.map((id) => ({
    outage: { id, ...madeBy(bob), targetType: "monitor", targetId: id, kind: "down", startedAt: at } as const,
    event: {
      ...({ ...madeBy(bob), kind: "down", targetType: "monitor", targetId: id, targetName: "shop", at } as const),
      ...{ outageId: id, waitUntil: at + 30 * SECOND },
    },
  }));
  for (let from = 0; from < rows.length; from += 200) {
    const some = rows.slice(from, from + 200);
    await app.db.insert(outages).values(some.map(({ outage }) => outage));
    await app.db.insert(events).values(some.map(({ event }) => event));
  }
  expect(await held()).toBe(1100);
  while (await planNext(app.deps));
  expect(await held()).toBe(0);
});
