import { expect, it } from "bun:test";
import { createChecksInFlight, type Finished } from "./in-flight";

const result = (monitorId: number): Finished => ({
  monitorId,
  revision: 0,
  previous: "up",
  userId: 1,
  paused: false,
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
