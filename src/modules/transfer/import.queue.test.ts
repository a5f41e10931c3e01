import { expect, it } from "bun:test";
import { createCostlyCalls } from "../../core/costly-calls";
import { createImportQueue } from "./service";

it("one import runs at a time, and a user's second one waits for other users' first ones", async () => {
  const enqueue = createImportQueue({ costlyCalls: createCostlyCalls() });
  const log: string[] = [];
  let running = 0;
  const add = (user: number, name: string) =>
    enqueue(user, async () => {
      expect(++running).toBe(1);
      await Promise.resolve();
      log.push(name);
      running--;
    });
  await Promise.all([add(1, "a1"), add(1, "a2"), add(1, "a3"), add(2, "b1"), add(3, "c1")]);
  expect(log).toEqual(["a1", "b1", "c1", "a2", "a3"]);
});
