import { describe, expect, it } from "bun:test";
import { createHeldClock, START } from "../../../testing/clock";
import { checksAtOnce, createAdmission, type Limits, type Request } from "./limits";

const request = (userId: number, fields: Partial<Request> = {}): Request => ({
  userId,
  teamId: userId,
  limited: true,
  host: "shop.example",
  size: 0,
  ...fields,
});

const setUp = (limits: Partial<Limits> = {}) => {
  const clock = createHeldClock();
  const admission = createAdmission({ running: 100, bytes: 100_000, perUser: 10, perHost: 100, ...limits }, clock);
  const started: string[] = [];
  const start = (name: string, check: Request) => {
    const begin = () => started.push(`${name} ${clock.now() - START}`);
    if (admission.tryEnter(check)) begin();
    else void admission.enter(check).then(begin);
  };
  /** Lets promises that are settled go on. */
  const settle = () => Bun.sleep(0);
  const names = () => started.splice(0).map((line) => line.split(" ")[0]);
  return { clock, admission, start, started, settle, names };
};

describe("a user's checks", () => {
  it("run up to the quota, and the others start in the order of their requests", async () => {
    const { admission, start, names, settle } = setUp({ perUser: 2 });
    const check = request(1);
    for (const name of ["a", "b", "c", "d"]) start(name, check);
    expect([names(), admission.running(), admission.waiting()]).toEqual([["a", "b"], 2, 2]);
    admission.leave(check);
    await settle();
    expect(names()).toEqual(["c"]);
    admission.leave(check);
    await settle();
    expect([names(), admission.running(), admission.waiting()]).toEqual([["d"], 2, 0]);
  });

  it("do not delay those of another user or of an administrator, who has no quota", () => {
    const { start, names } = setUp({ perUser: 1, perHost: 1 });
    for (const name of ["a", "b", "c"]) start(name, request(1));
    start("other", request(2));
    for (const name of ["admin1", "admin2"]) start(name, request(3, { limited: false }));
    expect(names()).toEqual(["a", "other", "admin1", "admin2"]);
  });

  it("start requests to one host up to the limit per second, and the rest in the following seconds", async () => {
    const { clock, start, started, settle } = setUp({ perHost: 5, perUser: 100 });
    for (let index = 0; index < 12; index++) start(`a${index}`, request(1));
    start("b", request(1, { host: "other.example" }));
    await settle();
    for (let second = 0; second < 3; second++) await clock.advance(1000);
    const at = Map.groupBy(started, (line) => line.split(" ")[1] ?? "");
    expect([...at].map(([time, lines]) => [time, lines.length])).toEqual([
      ["0", 6],
      ["1000", 5],
      ["2000", 2],
    ]);
    expect(started.map((line) => line.split(" ")[0]).filter((name) => name !== "b")).toEqual(
      Array.from({ length: 12 }, (_, index) => `a${index}`),
    );
  });

  it.each([
    ["small", 0],
    ["large", 60_000],
  ])("count each retry of a %s check as a request to its host", async (_, size) => {
    const { clock, admission, start, settle } = setUp({ perHost: 2 });
    const check = request(1, { size });
    start("a", check);
    start("b", request(1));
    let retried = false;
    void admission.pause(check, 10).then(() => {
      retried = true;
    });
    await clock.advance(10);
    await settle();
    expect(retried).toBe(false);
    await clock.advance(1000);
    await settle();
    expect(retried).toBe(true);
  });

  it("do not count a check that waits for its retry, which waits for a place after its pause", async () => {
    const { clock, admission, start, names, settle } = setUp({ perUser: 1 });
    start("a", request(1));
    start("b", request(1));
    let retried = false;
    void admission.pause(request(1), 10_000).then(() => {
      retried = true;
    });
    await settle();
    expect(names()).toEqual(["a", "b"]);
    await clock.advance(10_000);
    await settle();
    expect(retried).toBe(false);
    admission.leave(request(1));
    await settle();
    expect([retried, admission.running()]).toEqual([true, 1]);
  });

  it("count a check with a large body also while it waits for its retry", async () => {
    const { clock, admission, start, names, settle } = setUp({ perUser: 1 });
    const large = request(1, { size: 60_000 });
    start("a", large);
    start("b", request(1));
    void admission.pause(large, 10_000);
    await clock.advance(10_000);
    await settle();
    expect(names()).toEqual(["a"]);
  });
});

describe("at the limits of the process", () => {
  it("users are served round-robin", async () => {
    const { admission, start, names, settle } = setUp({ running: 2 });
    for (const name of ["a1", "a2", "a3", "a4"]) start(name, request(1));
    for (const name of ["b1", "b2"]) start(name, request(2));
    expect(names()).toEqual(["a1", "a2"]);
    for (const user of [1, 1, 1, 2]) {
      admission.leave(request(user));
      await settle();
    }
    expect(names()).toEqual(["a3", "b1", "a4", "b2"]);
  });

  it("checks with large headers and bodies wait while small ones run, and one above the limit runs alone", async () => {
    const { admission, start, names, settle } = setUp();
    const large = request(1, { size: 60_000 });
    start("large1", large);
    start("large2", large);
    start("small", request(1, { size: 100 }));
    start("other", request(2, { size: 100 }));
    await settle();
    expect(names()).toEqual(["large1", "other", "small"]);
    admission.leave(large);
    await settle();
    expect(names()).toEqual(["large2"]);
    admission.leave(large);
    start("huge", request(1, { size: 10_000_000 }));
    expect(names()).toEqual(["huge"]);
  });
});

it("release starts all waiting checks, so that they can end when the process stops", async () => {
  const { admission, start, names, settle } = setUp({ perUser: 1 });
  for (const name of ["a", "b", "c"]) start(name, request(1));
  admission.release();
  await settle();
  expect([names(), admission.waiting()]).toEqual([["a", "b", "c"], 0]);
});
it("limits running checks below the limit of open files, and warns if that is low", () => {
  const warned: unknown[] = [];
  const log = { warn: (message: string, fields?: object) => warned.push([message, fields]) };
  expect([1024, 100_000, null].map((limit) => checksAtOnce(log, limit))).toEqual([704, 20_000, 20_000]);
  expect(warned).toEqual([
    ["the limit of open files is low", expect.objectContaining({ limit: 1024, checks_at_once: 704 })],
  ]);
});
