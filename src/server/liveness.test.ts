import { expect, it } from "bun:test";
import { createLiveness } from "./liveness";

it("the process is alive while the thread pool works", async () => {
  expect(await createLiveness()()).toBe(true);
});

it("the process is not alive while the thread pool is blocked, which takes one task for any number of callers", async () => {
  let tasks = 0;
  let time = 0;
  let pool = Promise.withResolvers<void>();
  const isAlive = createLiveness(
    () => {
      tasks++;
      return pool.promise;
    },
    () => time,
  );
  const first = isAlive();
  time = 1000;
  expect(await Promise.all([isAlive(), isAlive(), isAlive()])).toEqual([false, false, false]);
  expect(tasks).toBe(1);
  pool.resolve();
  expect(await first).toBe(true);
  pool = Promise.withResolvers();
  pool.resolve();
  expect([await isAlive(), tasks]).toEqual([true, 2]);
});

it("the process is not alive when the event loop was blocked for more than a second", async () => {
  let time = 0;
  const isAlive = createLiveness(
    async () => {
      time += 1001;
    },
    () => time,
  );
  expect(await isAlive()).toBe(false);
});
