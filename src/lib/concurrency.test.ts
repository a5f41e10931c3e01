import { describe, expect, it } from "bun:test";
import { fc } from "../testing/property";
import { createCoalescedRunner, createInFlight, createLimiter, createMutex, createWorker } from "./concurrency";

/** Lets every promise that is settled by now call its handlers. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a mutex", () => {
  it("runs work in the order of the calls and never two at once, whatever fails", async () => {
    const job = fc.record({ ticks: fc.nat(3), fails: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(job, { maxLength: 12 }), async (jobs) => {
        const exclusively = createMutex();
        const started: number[] = [];
        let running = 0;
        const results = await Promise.allSettled(
          jobs.map(({ ticks, fails }, index) =>
            exclusively(async () => {
              expect(++running).toBe(1);
              started.push(index);
              for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
              running--;
              if (fails) throw new Error("failed");
              return index;
            }),
          ),
        );
        expect(started).toEqual(jobs.map((_, index) => index));
        const values = results.map((result) => (result.status === "fulfilled" ? result.value : "failed"));
        expect(values).toEqual(jobs.map(({ fails }, index) => (fails ? "failed" : index)));
      }),
    );
  });
});

describe("a coalesced runner", () => {
  it("behaves like its model: a call gets the run after the current one, shared with all calls of that time", async () => {
    const step = fc.constantFrom("call", "call", "succeed", "fail");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const runs: PromiseWithResolvers<void>[] = [];
        const run = createCoalescedRunner(() => {
          runs.push(Promise.withResolvers<void>());
          return (runs.at(-1) as PromiseWithResolvers<void>).promise;
        });
        const outcomes: string[] = [];
        // The model: the run of each call, whether one is running, and how each run ended.
        const model = { runOf: [] as number[], runs: 0, running: false, next: false, ended: [] as string[] };
        const finish = async (how: "succeed" | "fail") => {
          if (how === "succeed") runs.at(-1)?.resolve();
          else runs.at(-1)?.reject(new Error("failed"));
          await settled();
          model.ended.push(how);
          model.running = model.next;
          if (model.next) model.runs++;
          model.next = false;
        };
        for (const next of steps) {
          if (next === "call") {
            const call = outcomes.push("waiting") - 1;
            run().then(
              () => {
                outcomes[call] = "succeed";
              },
              () => {
                outcomes[call] = "fail";
              },
            );
            if (model.running) model.next = true;
            else model.runs++;
            model.runOf.push(model.running ? model.runs : model.runs - 1);
            model.running = true;
          } else if (model.running) await finish(next as "succeed" | "fail");
          expect(runs.length).toBe(model.runs);
        }
        while (model.running) await finish("succeed");
        expect(runs.length).toBe(model.runs);
        expect(outcomes).toEqual(model.runOf.map((nth) => model.ended[nth] as string));
      }),
    );
  });
});

describe("a limiter", () => {
  it("starts what `take` chooses, never more than the limit at once", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.boolean(), { maxLength: 30 }),
        async (limit, steps) => {
          const waiting: number[] = [];
          const running: number[] = [];
          const order: number[] = [];
          let ended = 0;
          // Takes the newest first, so that the order is seen to be the caller's.
          const limiter = createLimiter(limit, () => {
            const job = waiting.pop();
            if (job === undefined) return undefined;
            return () => {
              running.push(job);
              order.push(job);
            };
          });
          for (const [job, adds] of steps.entries()) {
            if (adds) {
              waiting.push(job);
              limiter.fill();
            } else if (running.shift() !== undefined) {
              ended++;
              limiter.leave();
            }
            expect(running.length).toBe(Math.min(limit, running.length + waiting.length));
          }
          expect(order.length).toBe(ended + running.length);
          expect(new Set(order).size).toBe(order.length);
        },
      ),
    );
  });
});

describe("work in flight", () => {
  it("behaves like its model: an id has one current piece of work, and only that one's result counts", async () => {
    const step = fc.record({
      what: fc.constantFrom("start", "end", "settle", "drop"),
      id: fc.nat(3),
      /** The index among all pieces of work that were started. */
      nth: fc.nat(10),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const work = createInFlight<string, number>();
        const all: ReturnType<typeof work.start>[] = [];
        const current = new Map<number, number>();
        const ended: number[] = [];
        const remove = (id: number) => {
          const index = ended.indexOf(current.get(id) ?? -1);
          if (index >= 0) ended.splice(index, 1);
          current.delete(id);
        };
        for (const { what, id, nth } of steps) {
          const index = nth % Math.max(1, all.length);
          const flight = all[index];
          const isCurrent = flight !== undefined && current.get(flight.id) === index;
          if (what === "start") {
            remove(id);
            current.set(id, all.push(work.start(id, `item ${id}`)) - 1);
          } else if (what === "drop") {
            remove(id);
            work.drop(id);
          } else if (what === "end" && flight && flight.result === undefined) {
            if (isCurrent) ended.push(index);
            work.end(flight, index);
          } else if (what === "settle" && flight) {
            if (isCurrent) remove(flight.id);
            expect(work.settle(flight)).toBe(isCurrent);
          }
          expect(work.ids().toSorted()).toEqual([...current.keys()].toSorted());
          expect(work.size()).toBe(current.size);
          expect(work.ended().map(({ result }) => result)).toEqual(ended);
          expect(work.unsettled()).toBe(ended.length);
          expect(work.running().length).toBe(current.size - ended.length);
        }
        let idle = false;
        void work.idle().then(() => {
          idle = true;
        });
        await settled();
        expect(idle).toBe(current.size === ended.length);
        for (const flight of work.running()) work.end(flight, 0);
        await settled();
        expect(idle).toBe(true);
      }),
    );
  });

  it("keeps a result through writes that fail, and drops it once it is settled", () => {
    const work = createInFlight<null, string>();
    const flight = work.start(1, null);
    work.end(flight, "up");
    expect([work.ended().length, work.ended().length]).toEqual([1, 1]);
    expect([work.settle(flight), work.settle(flight), work.ended().length]).toEqual([true, false, 0]);
  });
});

describe("a worker", () => {
  const setUp = () => {
    const work = createInFlight<null, null>();
    const runs: PromiseWithResolvers<void>[] = [];
    const grace = Promise.withResolvers<void>();
    const slept: number[] = [];
    const sleep = (milliseconds: number) => {
      slept.push(milliseconds);
      return grace.promise;
    };
    const run = () => {
      runs.push(Promise.withResolvers<void>());
      return (runs.at(-1) as PromiseWithResolvers<void>).promise;
    };
    const worker = createWorker({ run, inFlight: work, clock: { sleep }, grace: 3000 });
    const stop = () => {
      const state = { stopped: false };
      void worker.stop().then(() => {
        state.stopped = true;
      });
      return state;
    };
    return { worker, work, runs, stop, slept, endGrace: grace.resolve };
  };

  it("stops once its current run and all work in flight have ended, and runs no more", async () => {
    const { worker, work, runs, stop } = setUp();
    void worker.run();
    const flight = work.start(1, null);
    const state = stop();
    expect(worker.stopping()).toBe(true);
    work.end(flight, null);
    await settled();
    expect(state.stopped).toBe(false);
    runs[0]?.resolve();
    await settled();
    expect(state.stopped).toBe(true);
    await worker.run();
    expect(runs.length).toBe(1);
  });

  it("stops after the grace period although work is in flight", async () => {
    const { work, stop, slept, endGrace } = setUp();
    work.start(1, null);
    const state = stop();
    await settled();
    expect([state.stopped, ...slept]).toEqual([false, 3000]);
    endGrace();
    await settled();
    expect(state.stopped).toBe(true);
  });
});
