import { describe, expect, it } from "bun:test";
import { madeBy } from "../../../db/owner";
import { createTestApp } from "../../../testing/app";
import { createHeldClock, START, until } from "../../../testing/clock";
import { countWrites, failOnce } from "../../../testing/db/writes";
import { readState } from "../../../testing/fixtures/engine";
import { addMonitor, countHistory } from "../../../testing/fixtures/monitors";
import { createMemoryClaims } from "./claims/memory-claims";
import { createStoredClaims } from "./claims/stored-claims";
import { type CheckInFlight, createChecksInFlight, createResultBuffer, type Finished } from "./in-flight";
import { START_GRANULARITY_MS } from "./run-check";

const result = (monitorId: number): Finished => ({
  monitorId,
  revision: 0,
  previous: "up",
  userId: 1,
  teamId: 1,
  host: "",
  paused: false,
  isOwn: true,
  checkedAt: 1000,
  up: true,
  responseTime: 10,
  statusCode: 200,
  error: null,
  certExpiresAt: null,
});

/** Ends a check and settles it as a write does. */
const finish = (flights: ReturnType<typeof createChecksInFlight>, flight: ReturnType<typeof flights.start>) => {
  flights.end(flight, result(flight.id));
  return flights.ended().map((ended) => flights.settle(ended));
};

it("every manual check that joined a check in flight gets its result once that is settled", async () => {
  const flights = createChecksInFlight();
  const flight = flights.start(1);
  expect(flights.isAwaited(flight)).toBe(false);
  const callers = [flights.join(flight), flights.join(flight)];
  expect(flights.isAwaited(flight)).toBe(true);
  expect(finish(flights, flight)).toEqual([true]);
  expect(await Promise.all(callers)).toEqual([result(1), result(1)]);
  expect(flights.size()).toBe(0);
});

it("a check that is claimed again takes over the callers of the one before, whose result is dropped", async () => {
  const flights = createChecksInFlight();
  const first = flights.start(1);
  const caller = flights.join(first);
  const second = flights.start(1);
  expect(finish(flights, first)).toEqual([]);
  expect(finish(flights, second)).toEqual([true]);
  expect(await caller).toEqual(result(1));
});

it("an abandoned check answers its callers with the reason", async () => {
  const flights = createChecksInFlight();
  const caller = flights.join(flights.start(1));
  flights.abandon(1, new Error("no file descriptor is free"));
  await expect(caller).rejects.toThrow("no file descriptor is free");
  expect(flights.get(1)).toBeUndefined();
});

it("a detached check is stale, and its callers get what the detaching code resolves with", async () => {
  const flights = createChecksInFlight();
  const flight = flights.start(1);
  const caller = flights.join(flight);
  const callers = flights.detach(1);
  expect(finish(flights, flight)).toEqual([]);
  callers?.resolve(result(2));
  expect(await caller).toEqual(result(2));
  expect(flights.detach(1)).toBeNull();
});

const setUp = async ({ delay = 0, kind = "stored" }: { delay?: number; kind?: "stored" | "memory" } = {}) => {
  const app = await createTestApp({ clock: createHeldClock() });
  const { alice } = await app.people();
  const flights = createChecksInFlight();
  const claims =
    kind === "stored"
      ? createStoredClaims({ ...app.deps, known: flights.ids })
      : createMemoryClaims({ ...app.deps, isInFlight: (id) => flights.get(id) !== undefined });
  const changes = { count: 0 };
  const onChange = () => {
    changes.count++;
  };
  const results = createResultBuffer(app.deps, { flights, claims, delay, onChange });
  const add = () => addMonitor(app, alice, { url: "http://127.0.0.1:1/" });
  /** Claims the one monitor that is due. */
  const claim = async (): Promise<CheckInFlight> => {
    await claims.followClock();
    const [claimed] = await results.flushAndClaim(1);
    const flight = flights.get(claimed?.monitorId ?? 0);
    if (!flight) throw new Error("nothing was claimed");
    return flight;
  };
  const resultOf = ({ id }: CheckInFlight, found: Partial<Finished> = {}): Finished => ({
    monitorId: id,
    revision: 0,
    previous: "pending",
    ...madeBy(alice),
    host: "",
    paused: false,
    isOwn: true,
    checkedAt: app.clock.now(),
    up: true,
    responseTime: 10,
    statusCode: 200,
    error: null,
    certExpiresAt: null,
    ...found,
  });
  return { app, flights, results, changes, add, claim, resultOf };
};

describe("a result buffer", () => {
  it("writes results and claims what is due in one transaction", async () => {
    const { app, flights, results, changes, add, claim, resultOf } = await setUp();
    const first = await add();
    const flight = await claim();
    results.add(flight, resultOf(flight));
    const second = await add();
    const writes = countWrites(app.db);
    expect((await results.flushAndClaim(10)).map(({ monitorId }) => monitorId)).toEqual([second]);
    expect([writes.count, changes.count, flights.unsettled()]).toEqual([1, 1, 0]);
    expect(flights.ids()).toEqual([second]);
    expect(await readState(app, first)).toMatchObject({ status: "up", lastCheckedAt: START, claimedBy: null });
  });

  it("keeps the results of a failed write, and writes them exactly once", async () => {
    const { app, flights, results, changes, add, claim, resultOf } = await setUp();
    const id = await add();
    const flight = await claim();
    results.add(flight, resultOf(flight));
    failOnce(app.db, "the disk is full");
    await expect(results.flushAndClaim(10)).rejects.toThrow("the disk is full");
    expect([flights.unsettled(), changes.count]).toEqual([1, 0]);
    await results.flush();
    await results.flush();
    expect([flights.unsettled(), changes.count]).toEqual([0, 1]);
    expect((await countHistory(app, id)).checks).toBe(1);
  });

  it("drops a result that became stale while it waited for a failed write to be repeated", async () => {
    const { app, flights, results, add, claim, resultOf } = await setUp();
    const id = await add();
    const flight = await claim();
    results.add(flight, resultOf(flight));
    failOnce(app.db, "the disk is full");
    await results.tryFlush();
    expect(app.logged.join("")).toInclude("the disk is full");
    flights.detach(id);
    await results.flush();
    expect((await countHistory(app, id)).checks).toBe(0);
    // The unknown claim is released with the next write.
    expect((await claim()).id).toBe(id);
  });

  it("writes a change of state soon, together with the other results", async () => {
    const { app, results, flights, add, claim, resultOf } = await setUp();
    await add();
    const flight = await claim();
    results.add(flight, resultOf(flight));
    await app.clock.advance(START_GRANULARITY_MS);
    await until(() => flights.unsettled() === 0, "the write");
    expect(await readState(app, flight.id)).toMatchObject({ status: "up", claimedBy: null });
  });

  it("lets results that change nothing wait for their delay, and writes them with the next ones", async () => {
    const { app, results, flights, add, claim, resultOf } = await setUp({ delay: 5000, kind: "memory" });
    const ids = [await add(), await add()];
    const [first, second] = [await claim(), await claim()];
    results.add(first, resultOf(first, { previous: "up" }));
    await app.clock.advance(3000);
    results.add(second, resultOf(second, { previous: "up" }));
    await app.clock.advance(1999);
    await results.flushAndClaim(10);
    expect(flights.unsettled()).toBe(2);
    await app.clock.advance(1);
    await results.flushAndClaim(10);
    expect(flights.unsettled()).toBe(0);
    for (const id of ids) expect((await countHistory(app, id)).checks).toBe(1);
  });

  it("writes waiting results at once with a change of state and after the clock was set back", async () => {
    const { app, results, flights, add, claim, resultOf } = await setUp({ delay: 5000, kind: "memory" });
    await add();
    await add();
    const [first, second] = [await claim(), await claim()];
    results.add(first, resultOf(first, { previous: "up" }));
    results.add(second, resultOf(second, { previous: "down" }));
    await app.clock.advance(START_GRANULARITY_MS);
    await until(() => flights.unsettled() === 0, "the write");
    await add();
    const third = await claim();
    results.add(third, resultOf(third, { previous: "up" }));
    app.clock.set(app.clock.now() - 60_000);
    await results.flushAndClaim(10);
    expect(flights.unsettled()).toBe(0);
  });
});
