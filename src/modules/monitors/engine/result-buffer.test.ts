import { describe, expect, it } from "bun:test";
import { createTestApp } from "../../../testing/app";
import { createHeldClock, START, until } from "../../../testing/clock";
import { readState } from "../../../testing/fixtures/engine";
import { addMonitor, countHistory } from "../../../testing/fixtures/monitors";
import { type CheckInFlight, createChecksInFlight, type Finished } from "./in-flight";
import { START_GRANULARITY_MS } from "./job";
import { createRecovery } from "./recovery";
import { createResultBuffer } from "./result-buffer";

const setUp = async () => {
  const app = await createTestApp({ clock: createHeldClock() });
  const { alice } = await app.people();
  const flights = createChecksInFlight();
  const recovery = createRecovery({ ...app.deps, known: flights.ids });
  const changes = { count: 0 };
  const results = createResultBuffer(app.deps, flights, recovery, () => {
    changes.count++;
  });
  const add = () => addMonitor(app, alice, { url: "http://127.0.0.1:1/" });
  /** Claims the one monitor that is due. */
  const claim = async (): Promise<CheckInFlight> => {
    const [claimed] = await results.flush(1);
    const flight = flights.get(claimed?.monitorId ?? 0);
    if (!flight) throw new Error("nothing was claimed");
    return flight;
  };
  const resultOf = ({ id }: CheckInFlight, found: Partial<Finished> = {}): Finished => ({
    monitorId: id,
    revision: 0,
    previous: "pending",
    userId: alice.id,
    paused: false,
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

/** Makes the next transaction fail. */
const failOnce = ({ db }: Awaited<ReturnType<typeof createTestApp>>) => {
  const { atomically } = db;
  db.atomically = () => {
    db.atomically = atomically;
    return Promise.reject(new Error("the disk is full"));
  };
};

describe("a result buffer", () => {
  it("writes results and claims what is due in one transaction", async () => {
    const { app, flights, results, changes, add, claim, resultOf } = await setUp();
    const first = await add();
    const flight = await claim();
    results.add(flight, resultOf(flight));
    const second = await add();
    const { atomically } = app.db;
    let writes = 0;
    app.db.atomically = (build) => {
      writes++;
      return atomically(build);
    };
    expect((await results.flush(10)).map(({ monitorId }) => monitorId)).toEqual([second]);
    expect([writes, changes.count, flights.unsettled()]).toEqual([1, 1, 0]);
    expect(flights.ids()).toEqual([second]);
    expect(await readState(app, first)).toMatchObject({ status: "up", lastCheckedAt: START, claimedBy: null });
  });

  it("keeps the results of a failed write, and writes them exactly once", async () => {
    const { app, flights, results, changes, add, claim, resultOf } = await setUp();
    const id = await add();
    const flight = await claim();
    results.add(flight, resultOf(flight));
    failOnce(app);
    await expect(results.flush(10)).rejects.toThrow("the disk is full");
    expect([flights.unsettled(), changes.count]).toEqual([1, 0]);
    await results.flush(0);
    await results.flush(0);
    expect([flights.unsettled(), changes.count]).toEqual([0, 1]);
    expect((await countHistory(app, id)).checks).toBe(1);
  });

  it("drops a result that became stale while it waited for a failed write to be repeated", async () => {
    const { app, flights, results, add, claim, resultOf } = await setUp();
    const id = await add();
    const flight = await claim();
    results.add(flight, resultOf(flight));
    failOnce(app);
    await results.tryFlush();
    expect(app.logged.join("")).toInclude("the disk is full");
    flights.detach(id);
    await results.flush(0);
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
});
