import { describe, expect, it } from "bun:test";
import { createHeldClock, until } from "../../../testing/clock";
import { seeds } from "../../../testing/random";
import { createPasswordQueue, hashPassword, isPassword, type Place, type Priority } from "./password-queue";

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A queue whose work starts when it is admitted and ends when the test ends it. No pauses unless `floodAt` is given. */
const setUp = (options: Parameters<typeof createPasswordQueue>[0] = {}) => {
  const clock = createHeldClock();
  const queue = createPasswordQueue({ concurrency: 1, floodAt: Number.POSITIVE_INFINITY, ...options });
  const started: string[] = [];
  const refused: string[] = [];
  const ended: string[] = [];
  const ends = new Map<string, () => void>();
  const join = (name: string, place: Place) =>
    void queue({ clock }, place, () => {
      started.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    }).then(
      () => ended.push(name),
      (error) => refused.push(`${name}: ${error.code}`),
    );
  const end = async (name: string) => {
    ends.get(name)?.();
    ends.delete(name);
    await settle();
  };
  return { clock, join, end, started, refused, ended, running: () => [...ends.keys()] };
};

const known = (share: string): Place => ({ priority: "known", share });
const unknown = (share: string): Place => ({ priority: "unknown", share });

/** Ends running work until the queue is empty. */
const drain = async ({ running, end }: ReturnType<typeof setUp>) => {
  for (let [name] = running(); name !== undefined; [name] = running()) await end(name);
};

describe("the password queue", () => {
  it("serves known clients before unknown ones", async () => {
    const queue = setUp();
    for (const name of ["a", "b", "c"]) queue.join(name, unknown(name));
    queue.join("owner", known("owner"));
    await settle();
    await drain(queue);
    expect(queue.started).toEqual(["a", "owner", "b", "c"]);
  });

  it("serves a user second while another user with a right password floods the same queue", async () => {
    const queue = setUp({ capacity: 16 });
    for (let index = 0; index < 40; index++) queue.join(`mallory ${index}`, known("mallory"));
    await settle();
    expect(queue.refused).toHaveLength(40 - 17);
    queue.join("owner", known("owner"));
    await settle();
    await queue.end("mallory 0");
    await queue.end("mallory 1");
    expect(queue.started).toEqual(["mallory 0", "mallory 1", "owner"]);
    await drain(queue);
    expect(queue.ended).toContain("owner");
  });

  it("a full queue drops the newest request of the longest share for a shorter share", async () => {
    const queue = setUp({ capacity: 4 });
    for (const name of ["a1", "a2", "a3", "a4", "b1"]) queue.join(name, unknown(name[0] as string));
    await settle();
    expect(queue.refused).toEqual([]);
    queue.join("c1", unknown("c"));
    await settle();
    expect(queue.refused).toEqual(["a4: rate_limited"]);
    await drain(queue);
    expect(queue.started).toEqual(["a1", "a2", "b1", "c1", "a3"]);
  });

  it("refuses a new request when each share in a full queue has one request", async () => {
    const queue = setUp({ capacity: 2 });
    for (const name of ["a", "b", "c", "d"]) queue.join(name, known(name));
    await settle();
    expect(queue.refused).toEqual(["d: rate_limited"]);
    await drain(queue);
    expect(queue.ended).toEqual(["a", "b", "c"]);
  });

  it("pauses after each hash of a flooded queue, and a pause for known clients pauses both queues", async () => {
    for (const priority of ["known", "unknown"] satisfies Priority[]) {
      const queue = setUp({ floodAt: 2 });
      for (const name of ["a", "b", "c"]) queue.join(name, { priority, share: name });
      await settle();
      const other: Priority = priority === "known" ? "unknown" : "known";
      queue.join("other", { priority: other, share: "other" });
      await queue.end("a");
      expect([priority, queue.started]).toEqual([priority, priority === "known" ? ["a"] : ["a", "other"]]);
      if (priority === "unknown") await queue.end("other");
      expect(queue.started).not.toContain("b");
      await queue.clock.advance(10_000);
      await until(() => queue.started.includes("b"), "the queue to continue");
    }
  });

  it("refuses a request that waited longer than the timeout, without running it", async () => {
    const queue = setUp();
    queue.join("first", known("a"));
    queue.join("late", known("b"));
    await settle();
    await queue.clock.advance(8001);
    await queue.end("first");
    expect(queue.refused).toEqual(["late: rate_limited"]);
    expect(queue.started).toEqual(["first"]);
  });

  it("continues after failed work", async () => {
    const queue = createPasswordQueue({ concurrency: 1 });
    const deps = { clock: createHeldClock() };
    const fail = () => queue(deps, known("a"), () => Promise.reject(new Error("no")));
    for (let time = 0; time < 5; time++) expect(fail()).rejects.toThrow("no");
    expect(await queue(deps, unknown("b"), async () => "done")).toBe("done");
  });
});

/** Numbers from 0 to below `limit`, the same for the same seed (Park–Miller). */
const randomFrom = (seed: number) => {
  let state = seed;
  return (limit: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % limit;
  };
};

describe("the password queue with random arrivals", () => {
  type Request = { name: string; share: string };

  /** A model of one queue as a plain list, checked after each step. */
  const play = async (seed: number) => {
    const random = randomFrom(seed);
    const capacity = 2 + random(8);
    const concurrency = 1 + random(2);
    const queue = setUp({ capacity, concurrency });
    const waiting: Request[] = [];
    /** How often each other share was served while this one waited. */
    const passedBy = new Map<string, Map<string, number>>();
    let [served, dropped, made] = [0, 0, 0];
    const requests = new Map<string, Request>();

    const observe = () => {
      for (; served < queue.started.length; served++) {
        const { name, share } = requests.get(queue.started[served] as string) as Request;
        const index = waiting.findIndex((one) => one.share === share);
        // First come, first served within a share.
        expect(waiting[index]?.name).toBe(name);
        waiting.splice(index, 1);
        passedBy.delete(share);
        for (const other of new Set(waiting.map((one) => one.share))) {
          if (other === share) continue;
          const counts = passedBy.get(other) ?? new Map<string, number>();
          counts.set(share, (counts.get(share) ?? 0) + 1);
          passedBy.set(other, counts);
          // Round robin: no share is served twice while another one waits.
          expect(counts.get(share)).toBeLessThan(3);
        }
      }
      for (; dropped < queue.refused.length; dropped++) {
        const name = queue.refused[dropped]?.split(":")[0] as string;
        const { share } = requests.get(name) as Request;
        const lengths = new Map<string, number>();
        for (const one of waiting) lengths.set(one.share, (lengths.get(one.share) ?? 0) + 1);
        // Only a request of a longest share is refused, or a newcomer that would not be shorter.
        expect(lengths.get(share) ?? 0).toBe(Math.max(...lengths.values()));
        waiting.splice(
          waiting.findLastIndex((one) => one.name === name),
          1,
        );
      }
      expect(queue.running().length).toBeLessThanOrEqual(concurrency);
      expect(waiting.length).toBeLessThanOrEqual(capacity);
      if (waiting.length > 0) expect(queue.running()).toHaveLength(concurrency);
    };

    for (let step = 0; step < 200; step++) {
      if (random(5) < 3) {
        const request = { name: `r${made++}`, share: `s${random(random(2) === 0 ? 1 : 5)}` };
        requests.set(request.name, request);
        waiting.push(request);
        queue.join(request.name, known(request.share));
        await settle();
      } else {
        const running = queue.running();
        if (running.length > 0) await queue.end(running[random(running.length)] as string);
      }
      observe();
    }
    await drain(queue);
    observe();
    // Every request was either served or refused, once.
    expect([...queue.ended, ...queue.refused]).toHaveLength(made);
    expect(waiting).toEqual([]);
  };

  it("serves shares round robin, keeps its bounds and drops from the longest share only", async () => {
    for (const seed of seeds(60)) await play(seed);
  });
});

it("a password is verified by its argon2id hash, and never without one", async () => {
  const hash = await hashPassword("a good password");
  expect(hash).toStartWith("$argon2id$v=19$m=65536,t=2,p=1$");
  expect(await isPassword("a good password", hash)).toBe(true);
  expect(await isPassword("A good password", hash)).toBe(false);
  expect(await isPassword("a good password", undefined)).toBe(false);
  // Hashing takes seconds on a busy machine.
}, 120_000);
