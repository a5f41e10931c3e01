import { describe, expect, it } from "bun:test";
import { LIMITS } from "../../../shared/limits";
import { createTestClock, START } from "../../../testing/clock";
import { probe, targetOf } from "../../../testing/servers/target-of";
import { serveStatus, serveTarget } from "../../../testing/servers/targets";
import { check as checkWith, groupByStart } from "./run-check";

/** A clock that records its sleeps, and advances by them. */
const countingClock = () => {
  const clock = createTestClock();
  const pauses: number[] = [];
  const sleep = async (milliseconds: number) => {
    pauses.push(milliseconds);
    await clock.advance(milliseconds);
  };
  return { ...clock, sleep, pauses };
};

const FAR = START + 3_600_000;

/** A target that fails `failures` times and then succeeds. */
const serveFailures = (failures: number) => {
  let left = failures;
  return serveTarget(() => new Response(null, { status: left-- > 0 ? 500 : 200 }));
};

type Target = Parameters<typeof probe>[0] & { retries: number; retryPause?: number };
const check = (target: Target, clock: ReturnType<typeof countingClock>, nextDueAt: number) =>
  checkWith(() => probe(target), { retryPause: 1, ...target }, { clock }, nextDueAt);

describe("a check", () => {
  it("that succeeds makes one request", async () => {
    const { url, requests } = serveStatus();
    const clock = countingClock();
    expect(await check({ ...targetOf({ url }), retries: 5 }, clock, FAR)).toMatchObject({
      up: true,
      checkedAt: START,
    });
    expect([requests.length, clock.pauses]).toEqual([1, []]);
  });

  it("that fails is retried after a second each, until it succeeds", async () => {
    const { url, requests } = serveFailures(2);
    const clock = countingClock();
    const found = await check({ ...targetOf({ url }), retries: 5 }, clock, FAR);
    expect(found).toMatchObject({ up: true, statusCode: 200, error: null, checkedAt: START });
    expect([requests.length, clock.pauses]).toEqual([3, [1000, 1000]]);
  });

  it("that fails waits before each retry as long as is set", async () => {
    const { url, requests } = serveFailures(2);
    const clock = countingClock();
    await check({ ...targetOf({ url, timeout: 10 }), retries: 5, retryPause: 20 }, clock, START + 70_000);
    expect([requests.length, clock.pauses]).toEqual([3, [20_000, 20_000]]);
  });

  it("that keeps failing is retried ten times at most, and no more once it is not wanted", async () => {
    const { url, requests } = serveStatus(500);
    const clock = countingClock();
    await check({ ...targetOf({ url }), retries: LIMITS.retriesMax }, clock, FAR);
    expect([requests.length, clock.pauses.length]).toEqual([11, 10]);
    const pause = async () => requests.length < 13;
    const options = { timeout: 20, retries: 10, retryPause: 1 };
    await checkWith(() => probe(targetOf({ url })), options, { clock, pause }, FAR);
    expect(requests).toHaveLength(13);
  });

  it("that keeps failing has the outcome of its last attempt", async () => {
    const statuses = [500, 502, 503];
    const { url, requests } = serveTarget(() => new Response(null, { status: statuses.shift() ?? 200 }));
    const found = await check({ ...targetOf({ url }), retries: 2 }, countingClock(), FAR);
    expect([found.up, found.error, requests.length]).toEqual([
      false,
      { code: "status", detail: { actual: 503, expected: "200" } },
      3,
    ]);
  });

  it("is not retried without retries", async () => {
    const { url, requests } = serveStatus(500);
    await check({ ...targetOf({ url }), retries: 0 }, countingClock(), FAR);
    expect(requests).toHaveLength(1);
  });

  it("is not retried when the retry could not end before the next check is due", async () => {
    const { url, requests } = serveStatus(500);
    const target = { ...targetOf({ url, timeout: 10 }), retries: 5 };
    await check(target, countingClock(), START + 10_999);
    expect(requests).toHaveLength(1);
    await check(target, countingClock(), START + 11_000);
    expect(requests).toHaveLength(3);
  });
});

const NOW = 1_000_000;
const due = (...times: number[]) => times.map((time) => ({ dueAt: NOW + time }));
const delays = (slots: Map<number, { dueAt: number }[]>) => [...slots].map(([delay, jobs]) => [delay, jobs.length]);

it("groups checks that are due at about the same time", () => {
  expect(delays(groupByStart(due(-500, -1, 0, 1, 20, 21, 999), NOW))).toEqual([
    [0, 3],
    [20, 2],
    [40, 1],
    [1000, 1],
  ]);
});

it("starts a single overdue check at once", () => {
  expect(delays(groupByStart(due(-3_600_000), NOW))).toEqual([[0, 1]]);
});

it("the engine spreads many overdue checks over a second", () => {
  const slots = groupByStart(due(...Array(5000).fill(-3_600_000)), NOW);
  expect(slots.size).toBe(51);
  expect(Math.max(...[...slots.values()].map(({ length }) => length))).toBeLessThanOrEqual(100);
  expect(Math.max(...slots.keys())).toBeLessThanOrEqual(1000);
});
